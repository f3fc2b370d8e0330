"""Harder pairs: each holds what its test is named for, is right French, and was kept from training."""

import random
from itertools import islice

from core.text.grammar.english_french import french
from core.text.grammar.grammar import LONGEST, pair
from core.text.grammar.harder_pairs import joined, joined_pairs, rare_pairs, statement
from core.text.grammar.meaning import Clause, NounPhrase, Pronoun, Sentence
from core.text.grammar.pairs import is_held_out


def test_three_sentences_are_joined_in_both_languages_at_the_end_of_each():
    sleeps = Sentence(Clause(NounPhrase("cat"), "sleep"))
    tired = Sentence(
        Clause(Pronoun("he"), "wait"),
        link="because",
        second=Sentence(Clause(Pronoun("she"), "be", complement="ill")),
    )
    made = pair(joined([tired, sleeps, sleeps]), french)
    assert " ".join(made.source) == "he waits because she is ill and the cat sleeps and the cat sleeps ."
    assert " ".join(made.target) == "il attend parce qu' elle est malade et le chat dort et le chat dort ."
    assert (len(made.target) - 1, len(made.source) - 1) in made.links


def test_joined_pairs_are_the_same_for_a_seed_and_are_held_out():
    first, again, other = (list(islice(joined_pairs(french, seed), 20)) for seed in (1, 1, 2))
    assert first == again != other
    for each in first:
        assert each.source.count("and") >= 2 and each.source[-1] == "."
        assert len(each.source) <= LONGEST and is_held_out(each.source)
        linked = {t for t, _ in each.links}
        assert {t for t, word in enumerate(each.target) if word == "et"} <= linked


def test_rare_pairs_have_a_rare_word_and_are_held_out():
    rare = {"chats", "chiens"}
    for each in islice(rare_pairs(french, 1, rare), 20):
        assert rare & set(each.target)
        assert len(each.source) <= LONGEST and is_held_out(each.source)


def test_a_statement_is_no_question():
    chance = random.Random(1)
    assert not any(statement(chance).question for _ in range(300))
