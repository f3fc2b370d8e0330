"""Naming who and what a sentence is about: nouns with what suits them, pronouns, places, drawn at random."""

from __future__ import annotations

import random
from dataclasses import replace

from core.text.grammar.meaning import MASS, PEOPLE, Clause, Gap, NounPhrase, Pronoun, Referent, person
from core.text.grammar.sense import (
    COLOURS,
    GENDERED,
    KIN,
    KINDS,
    OWN_CIRCLE,
    OWNERS,
    PLACES,
    POSSESSIVES,
    RESTING,
    SIZES,
    SUITS,
    TRANSITIVE,
    UNOWNED,
)


def is_animal(referent: Referent) -> bool:
    """Return whether it is an animal by its noun."""
    return isinstance(referent, NounPhrase) and referent.noun in KINDS["animal"]


def described(referent: Referent | None) -> bool:
    """Return whether it has a relative clause; a place after it would have two readings."""
    return isinstance(referent, NounPhrase) and referent.relative is not None


def unambiguous(clause: Clause) -> Clause:
    """Return the clause with "I read" in the progressive, for "I read" is past here."""
    bare = clause.tense == "present" and not clause.modal and clause.negation != "not"
    if clause.verb == "read" and bare and person(clause.subject) != 2:
        return replace(clause, tense="progressive", frequency="")
    return clause


class Naming:
    """Names things at random. `richness`, 0 to 1, is how readily it adds what could be left out."""

    def __init__(self, chance: random.Random, richness: float):
        self.chance = chance
        self.richness = richness

    def maybe(self, share: float) -> bool:
        """Return True with the given share of the richness."""
        return self.chance.random() < share * self.richness

    def noun_phrase(
        self, noun: str, is_subject: bool = False, definite: bool = False, relative: bool = True
    ) -> NounPhrase:
        """Return a noun with number, determiner, adjectives, an owner or a relative clause that suit it."""
        plural = noun not in (*MASS, "mother", "father") and not definite and self.chance.random() < 0.2
        adjectives = self.adjectives(noun)
        owner = None
        draw = self.chance.random()
        if noun in KIN or (draw < 0.12 and noun not in UNOWNED):
            determiner = self.chance.choice(POSSESSIVES)
        elif draw < 0.18 and noun not in MASS:
            determiner = "this"
        elif draw < 0.24 and plural:
            determiner = self.chance.choice(("two", "three"))
        elif draw < 0.65 and not is_subject and not definite:
            determiner = "" if plural or noun in MASS else "a"
        else:
            determiner = "the"
            if noun not in OWNERS and noun not in MASS and self.maybe(0.25):
                owner = self.noun_phrase(self.chance.choice(OWNERS), True, True, relative=False)
        described = (
            determiner == "the" and owner is None and noun not in MASS and relative and self.maybe(0.3)
        )
        clause = self.relative(noun, plural) if described else None
        return NounPhrase(noun, plural, determiner, adjectives, owner, clause)

    def adjectives(self, noun: str) -> tuple[str, ...]:
        """Return none, one or two adjectives: size, age or worth first, then colour."""
        suits = SUITS.get(noun, ())
        if not suits or not self.maybe(0.6):
            return ()
        first = self.chance.choice(suits)
        colours = [a for a in suits if a in COLOURS]
        if first in SIZES and colours and self.maybe(0.4):
            return first, self.chance.choice(colours)
        return (first,)

    def relative(self, noun: str, plural: bool) -> Clause | None:
        """Return a short relative clause: who works in the garden, that the girl reads."""
        gap = Gap(noun, plural)
        tense = self.chance.choice(("present", "past"))
        if noun in PEOPLE:
            if self.chance.random() < 0.5:
                places = (self.place("in"),) if self.maybe(0.6) else ()
                return Clause(
                    gap,
                    self.chance.choice(RESTING),
                    self.chance.choice(("progressive", "past")),
                    places=places,
                )
            verb = self.chance.choice(("read", "wear", "buy", "sell", "make", "drink", "see", "call"))
            thing = self.plain(self.chance.choice([n for n in KINDS[TRANSITIVE[verb]] if n != noun]))
            return unambiguous(Clause(gap, verb, tense, object=thing))
        verbs = [
            v
            for v in ("buy", "sell", "find", "lose", "write", "read", "wear")
            if noun in KINDS[TRANSITIVE[v]]
        ]
        if not verbs:
            return None
        verb = self.chance.choice(verbs)
        tense = tense if verb in ("read", "wear") else "past"
        return unambiguous(Clause(self.agent("person"), verb, tense, object=gap))

    def plain(self, noun: str) -> NounPhrase:
        """Return a noun with an article and at most one adjective."""
        determiner = self.chance.choice(("the", "" if noun in MASS else "a"))
        if noun in KIN:
            determiner = "my"
        return NounPhrase(noun, False, determiner, self.adjectives(noun)[:1])

    def place(self, preposition: str) -> tuple[str, NounPhrase]:
        """Return a preposition and a definite noun phrase that it suits."""
        noun = self.chance.choice(PLACES[preposition].split())
        determiner = self.chance.choice(POSSESSIVES) if noun in KIN else "the"
        owner = None
        if (
            preposition in ("in", "behind", "near")
            and noun in ("house", "garden", "kitchen", "bedroom")
            and self.maybe(0.2)
        ):
            owner = NounPhrase(self.chance.choice(OWNERS))
        return preposition, NounPhrase(noun, False, determiner, self.adjectives(noun)[:1], owner)

    def agent(self, *kinds: str) -> Referent:
        """Return who does it: a pronoun or a definite noun phrase."""
        if "person" in kinds and self.chance.random() < 0.4:
            return Pronoun(self.chance.choice(("I", "I", "you", "you", "he", "she", "we", "we", "they")))
        kind = self.chance.choice(kinds if self.chance.random() < 0.5 else kinds[:1])
        return self.noun_phrase(self.chance.choice(KINDS[kind]), is_subject=True)

    def object_pronoun(self, subject: Referent) -> Pronoun:
        """Return a pronoun for a person other than the subject."""
        words = OWN_CIRCLE.get(subject.word, ()) if isinstance(subject, Pronoun) else ()
        return Pronoun(
            self.chance.choice([w for w in ("I", "you", "he", "she", "we", "they") if w not in words])
        )

    def someone(self, taken: str) -> NounPhrase:
        """Return a definite person other than `taken`."""
        nouns = [noun for noun in KINDS["person"] if noun != taken]
        return self.noun_phrase(self.chance.choice(nouns), is_subject=True, relative=False)

    def again(self, referent: Referent) -> Referent:
        """Return the pronoun for one already named; the noun again where "they" would hide the gender."""
        if isinstance(referent, Pronoun):
            return Pronoun(referent.word, referent.stands_for)
        gender = GENDERED.get(referent.noun)
        if gender == "he" or (gender and not referent.plural):
            return Pronoun("they" if referent.plural else gender)
        if referent.noun not in PEOPLE and not referent.plural:
            return Pronoun("it", referent)
        return NounPhrase(referent.noun, referent.plural, referent.determiner if referent.definite else "the")
