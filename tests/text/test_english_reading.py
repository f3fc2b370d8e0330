"""Sentences read back: every sentence of the grammar has the meaning that it was made from, others have none."""

import random
from itertools import islice

import pytest

from core.text.english_dutch import dutch, english_dutch
from core.text.english_french import english_french, french
from core.text.english_reading import meaning_of
from core.text.grammar import known_pair
from core.text.pairs import sentence_of, words_of

LANGUAGES = {"fr": (english_french, french), "nl": (english_dutch, dutch)}


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("held_out", [False, True])
def test_a_generated_sentence_is_read_back_with_its_translation_and_alignment(name, held_out):
    generate, language = LANGUAGES[name]
    for made in islice(generate(31, held_out), 1500):
        assert known_pair(made.source, language) == made


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
    words = words_of(typed)
    assert sentence_of(known_pair(words, french).target, "fr") == in_french
    assert sentence_of(known_pair(words, dutch).target, "nl") == in_dutch


def test_it_stands_for_what_was_sold_but_for_who_does_not_eat():
    sold = "the dog sold the car because it was old .".split()
    eats = "the mouse does not eat the apple because it is ill .".split()
    assert meaning_of(sold).second.main.subject.stands_for.noun == "car"
    assert meaning_of(eats).second.main.subject.stands_for.noun == "mouse"


@pytest.mark.parametrize(
    "typed",
    [
        "",
        ".",
        "?",
        "the king",
        "The king eats the.",
        "The king eat the apple.",
        "A apple is red.",
        "He gave him a bread.",
        "It is old.",
        "Dogs sleep.",  # some dogs, or all
        "I must not eat the apple.",  # need not, or may not
        "I saw the boy who was sleeping in the garden today.",  # saw today, or slept
        "The boy waits for the girl.",
        "He knew that I was tired.",
        "We are going to go to the market.",
        "I eat because he sleeps and she works.",
    ],
)
def test_what_the_grammar_does_not_say_in_one_plain_way_has_no_reading(typed):
    assert meaning_of(words_of(typed)) is None


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
