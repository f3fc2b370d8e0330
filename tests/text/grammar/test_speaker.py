"""What the speaker says makes sense and can be read in one way."""

import random
from dataclasses import fields, is_dataclass

import pytest

from core.text.grammar.english import english
from core.text.grammar.meaning import Clause, NounPhrase, Pronoun
from core.text.grammar.naming import is_animal
from core.text.grammar.sense import CHAINS, GIVING, KINDS, PLACES, SUITS, TRANSITIVE
from core.text.grammar.speaker import Speaker


def parts(meaning):
    """Yield a meaning and all meanings in it."""
    yield meaning
    for field in fields(meaning):
        value = getattr(meaning, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            for inner in part if isinstance(part, tuple) else (part,):
                if is_dataclass(inner):
                    yield from parts(inner)


@pytest.fixture(scope="module")
def said():
    chance = random.Random(8)
    return [Speaker(chance, chance.random()).sentence() for _ in range(2000)]


@pytest.fixture(scope="module")
def clauses(said):
    return [part for sentence in said for part in parts(sentence) if isinstance(part, Clause)]


def test_every_object_suits_its_verb(clauses):
    for clause in clauses:
        kind = {**TRANSITIVE, **GIVING}.get(clause.verb)
        chained = " ".join(nouns for first, _, nouns in CHAINS if first == clause.verb).split()
        if kind and isinstance(clause.object, NounPhrase):
            assert clause.object.noun in (*KINDS[kind], *chained)


def test_animals_do_only_what_animals_do(clauses):
    done = {clause.verb for clause in clauses if is_animal(clause.subject)}
    assert done == {"be", "eat", "drink", "see", "sleep", "play", "wait", "run"}


def test_adjectives_suit_their_noun_and_places_their_preposition(said, clauses):
    for sentence in said:
        for part in parts(sentence):
            if isinstance(part, NounPhrase):
                assert set(part.adjectives) <= set(SUITS.get(part.noun, ()))
    for clause in clauses:
        assert all(place.noun in PLACES[preposition].split() for preposition, place in clause.places)


def test_it_always_stands_for_one_thing_that_was_named(said):
    for sentence in said:
        named = [part for part in parts(sentence) if isinstance(part, NounPhrase)]
        for part in parts(sentence):
            if isinstance(part, Pronoun) and part.word == "it":
                assert any(part.stands_for is phrase for phrase in named)
                assert not part.stands_for.plural


def test_nothing_stands_after_a_relative_clause_that_could_belong_to_it(clauses):
    for clause in clauses:
        if isinstance(clause.object, NounPhrase) and clause.object.relative:
            assert not clause.places
            assert clause.time_first or not clause.time
            assert clause.recipient is None


def test_i_read_is_always_past(said):
    for sentence in said:
        for clause in (part for part in parts(sentence) if isinstance(part, Clause)):
            if clause.verb == "read" and clause.tense == "present" and not clause.modal:
                assert (
                    clause.negation == "not"
                    or sentence.question
                    or "reads" in [w.text for w in english(sentence)]
                )
