"""Sentences read back: every sentence of the grammar has the meaning that it was made from, others have none."""

import random
from itertools import islice

import pytest

from core.text.grammar.english_dutch import dutch, english_dutch
from core.text.grammar.english_french import english_french, french
from core.text.grammar.english_reading import meaning_of
from core.text.grammar.grammar import known_pair
from core.text.grammar.pairs import sentence_of, tokenise_sentence

LANGUAGES = {"fr": (english_french, french), "nl": (english_dutch, dutch)}


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("held_out", [False, True])
def test_a_generated_sentence_is_read_back_with_its_translation_and_alignment_or_not_at_all(name, held_out):
    generate, language = LANGUAGES[name]
    made = list(islice(generate(31, held_out), 1500))
    read = [known_pair(pair.source, language) for pair in made]
    assert all(known in (None, pair) for known, pair in zip(read, made, strict=True))
    assert sum(known is not None for known in read) > 0.97 * len(made)


READ = [
    ("The man is eating.", "L'homme mange.", "De man eet."),
    ("He sees her.", "Il la voit.", "Hij ziet haar."),
    ("He sees her dog.", "Il voit son chien.", "Hij ziet haar hond."),
    ("He gives her flowers.", "Il lui donne des fleurs.", "Hij geeft haar bloemen."),
    ("I read the book.", "J'ai lu le livre.", "Ik heb het boek gelezen."),
    ("The dog doesn't sleep.", "Le chien ne dort pas.", "De hond slaapt niet."),
    ("Do you see the bird?", "Est-ce que tu vois l'oiseau ?", "Zie je de vogel?"),
    (
        "The king's friend's house is big.",
        "La maison de l'ami du roi est grande.",
        "Het huis van de vriend van de koning is groot.",
    ),
    (
        "When I am hungry, I eat bread.",
        "Quand j'ai faim, je mange du pain.",
        "Als ik honger heb, eet ik brood.",
    ),
    (
        "The house is old but I buy it.",
        "La maison est vieille mais je l'achète.",
        "Het huis is oud maar ik koop het.",
    ),
    (
        "The book that I read is good.",
        "Le livre que j'ai lu est bon.",
        "Het boek dat ik heb gelezen is goed.",
    ),
    (
        "The boy sees the girl and calls her.",
        "Le garçon voit la fille et l'appelle.",
        "De jongen ziet het meisje en belt haar op.",
    ),
]


@pytest.mark.parametrize(("typed", "in_french", "in_dutch"), READ, ids=[typed for typed, *_ in READ])
def test_a_sentence_that_no_one_generated_is_translated_as_a_teacher_would(typed, in_french, in_dutch):
    words = tokenise_sentence(typed)
    assert sentence_of(known_pair(words, french).target, "fr") == in_french
    assert sentence_of(known_pair(words, dutch).target, "nl") == in_dutch


def test_it_stands_for_what_makes_sense():
    good = "the mouse ate the cheese because it was good .".split()
    assert meaning_of(good).second.main.subject.stands_for.noun == "cheese"


def test_of_two_animals_it_is_the_one_that_eats_and_otherwise_nobody_can_tell():
    hungry = "the cat eats the mouse because it is hungry .".split()
    assert meaning_of(hungry).second.main.subject.stands_for.noun == "cat"
    assert meaning_of("the cat sees the mouse because it is hungry .".split()) is None


@pytest.mark.parametrize(
    "typed",
    """
    the king
    The king eats the.
    The king eat the apple.
    A apple is red.
    He gave him a bread.
    It is old.
    It is cold.
    I am cold.
    The man wears a coat because it is cold.
    She drinks the milk near the bed because it is warm.
    Dogs sleep.
    I see a man who sleeps.
    I must not eat the apple.
    I saw the boy who was sleeping in the garden today.
    I saw the man with the hat yesterday.
    I give the dog that I found to the king.
    The boy waits for the girl.
    He calls the dog.
    He works near my mother.
    I go to the doctor.
    I must go.
    My car does not work.
    I had coffee this morning.
    He knew that I was tired.
    I do not think that he is ill.
    We are going to go to the market.
    He went to the market and bought bread.
    He ate and was happy.
    He ate every day.
    I read the newspaper every day.
    I do not work every day.
    He never had a dog.
    I eat because he sleeps and she works.
    I sleep because today I am tired.
    When he sleeps, today I work.
    When he arrives tomorrow, I am going to eat.
    Could you help me?
    The girls eat because they are hungry.
    I bought the apples and ate them.
    My friend is ill because she works.
    I see me.
    """.strip().split("\n"),
    ids=str.strip,
)
def test_what_has_two_readings_or_wants_a_word_that_the_languages_here_lack_is_not_read(typed):
    assert meaning_of(tokenise_sentence(typed)) is None


@pytest.mark.parametrize("typed", ["", ".", "?", "the", "when", "I think that .", "the king 's ."])
def test_a_sentence_that_breaks_off_is_not_read(typed):
    assert meaning_of(typed.split()) is None


def test_whatever_is_read_can_be_said_in_every_language():
    chance, sentences = random.Random(3), [made.source for made in islice(english_french(9), 400)]
    read = 0
    for _ in range(3000):
        words = list(chance.choice(sentences))
        words[chance.randrange(len(words))] = chance.choice(chance.choice(sentences))
        pairs = [known_pair(words, language) for language in (french, dutch)]
        assert all(pair is None or pair.source == tuple(words) for pair in pairs)
        read += pairs[0] is not None
    assert read > 100
