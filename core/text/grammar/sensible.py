"""Whether a meaning is one that a Speaker might think of: for sentences that someone else has made.

The languages of this course know one word for each English one. That is right for what the Speaker says ("the king
calls the doctor", appelle) and wrong beyond it ("he calls the dog"; "it is cold"; "I went to my mother", chez). So
a sentence has a reading here only if it keeps to what goes with what, and leaves no second reading.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.text.grammar.meaning import MASS, PEOPLE, Clause, NounPhrase, Pronoun, Referent, Sentence
from core.text.grammar.naming import described, unambiguous
from core.text.grammar.sense import (
    BENEFIT,
    CHAINS,
    COLOURS,
    COMPANY,
    FEELINGS,
    GENDERED,
    GIVING,
    KINDS,
    MOVING,
    NOT_MODAL,
    NOT_PROGRESSIVE,
    OBJECT_REASONS,
    OWN_CIRCLE,
    PLACES,
    RESTING,
    SAYING,
    SIZES,
    SUITS,
    TIMES,
    TRANSITIVE,
    WHERE,
)
from core.text.grammar.speaker import may_be_frequent, may_be_negated

OBJECT_NOT_NEEDED = ("eat", "drink", "read", "write", "sing")
ANY_OBJECT = ("eat", "see", "hear", "find", "buy", "sell", "lose")  # one translation, whatever the thing
ANY_PERSON = ("see", "hear", "help", "call", "invite")  # what is done to "them"
ANIMALS_DO = ("be", "eat", "drink", "see", "sleep", "play", "wait", "run", "sing", *MOVING)
PERSONAL = {a for noun in ("king", "queen", "man", "woman", "boy", "girl") for a in SUITS[noun]}
OF_THINGS = {*OBJECT_REASONS.values(), "good", "expensive"}


def noun_of(referent: Referent | None) -> str:
    """Return the noun of a phrase, of a gap, or of what "it" stands for; "" for other pronouns."""
    if isinstance(referent, Pronoun):
        return referent.stands_for.noun if referent.stands_for else ""
    return referent.noun if referent else ""


def phrases_of(clause: Clause) -> Iterator[NounPhrase]:
    """Yield the noun phrases of a clause: subject, object, recipient, places."""
    for each in (clause.subject, clause.object, clause.recipient, *(place for _, place in clause.places)):
        if isinstance(each, NounPhrase):
            yield each


def is_sensible(clause: Clause, question: bool = False) -> bool:
    """Return whether a clause goes together: who does what to whom, where, when, how often."""
    checks = (subject_fits, complement_fits, objects_fit, places_fit, time_fits, verb_fits)
    return (
        all(map(phrase_fits, phrases_of(clause)))
        and all(check(clause) for check in checks)
        and not (question and (clause.negation or (clause.modal == "can" and clause.tense == "past")))
    )


def phrase_fits(phrase: NounPhrase) -> bool:
    """Return whether the adjectives come in a plain order, the owner is a person, and the relative clause is plain."""
    first, *more = phrase.adjectives or ("",)
    if more and not (len(more) == 1 and first in SIZES and more[0] in COLOURS):
        return False
    if phrase.owner and not (phrase.owner.noun in PEOPLE and phrase_fits(phrase.owner)):
        return False
    relative = phrase.relative
    if relative is None:
        return True
    particular = phrase.determiner == "the" and not phrase.owner and phrase.noun not in MASS
    return (
        particular
        and relative.verb not in SAYING
        and not described(relative.object)
        and is_sensible(relative)
    )


def subject_fits(clause: Clause) -> bool:
    """Return whether the subject is named or counted, and does what its kind does."""
    if isinstance(clause.subject, NounPhrase) and clause.subject.determiner in ("a", ""):
        return False  # "dogs sleep": some, or all
    noun = noun_of(clause.subject)
    if not noun or noun in PEOPLE:
        return True
    return clause.verb in ANIMALS_DO if noun in KINDS["animal"] else clause.verb == "be"


def complement_fits(clause: Clause) -> bool:
    """Return whether the subject may be so: "he is cold" and "it is cold" want other words."""
    if clause.verb != "be":
        return True
    noun, complement = noun_of(clause.subject), clause.complement
    if not noun or noun in PEOPLE:
        return complement in FEELINGS["person"] or complement in (SUITS[noun] if noun else PERSONAL)
    if noun in KINDS["animal"]:
        return complement in (*FEELINGS["animal"], "dirty", *SUITS[noun])
    return complement in (*OF_THINGS, *SUITS.get(noun, ()))


def objects_fit(clause: Clause) -> bool:
    """Return whether the verb is done to such a thing, and given to a person."""
    verb, thing, recipient = clause.verb, clause.object, clause.recipient
    kind = {**TRANSITIVE, **GIVING}.get(verb)
    if thing is None or kind is None:
        return thing is None and (kind is None or verb in OBJECT_NOT_NEEDED)
    personal = isinstance(thing, Pronoun) and thing.word != "it"
    if personal and (verb not in ANY_PERSON or _within_one_circle(clause.subject, thing)):
        return False
    chained = {noun for *verbs, nouns in CHAINS if verb in verbs for noun in nouns.split()}
    if not personal and verb not in ANY_OBJECT and noun_of(thing) not in {*KINDS[kind], *chained}:
        return False
    if isinstance(recipient, NounPhrase):
        return recipient.noun in PEOPLE and not described(recipient) and not described(thing)
    return recipient is None or not _within_one_circle(clause.subject, recipient)


def _within_one_circle(subject: Referent, other: Pronoun) -> bool:
    return isinstance(subject, Pronoun) and other.word in OWN_CIRCLE.get(subject.word, ())


def places_fit(clause: Clause) -> bool:
    """Return whether it is done in such places; one goes somewhere."""
    for preposition, place in clause.places:
        if place.noun not in PLACES[preposition].split() or described(place) or not place.determiner:
            return False
        done = {"with": COMPANY, "for": BENEFIT, "to": ("go",)}.get(preposition)
        resting = preposition == "in" and clause.verb in RESTING
        if clause.verb not in done if done else not resting and preposition not in WHERE.get(clause.verb, ()):
            return False
    going = any(preposition == "to" for preposition, _ in clause.places)
    return (clause.verb == "go") == going and not (clause.places and described(clause.object))


def time_fits(clause: Clause) -> bool:
    """Return whether the time is one of its tense, and can belong to nothing else."""
    if not clause.time:
        return True
    lasting = clause.verb == "have" or clause.complement not in ("", *FEELINGS["person"])
    if lasting or clause.frequency or clause.negation == "never":
        return False
    if described(clause.object) and not clause.time_first:
        return False
    if clause.tense == "present" and (clause.negation or clause.verb == "be"):
        return clause.time == "today"
    meant = clause.tense == "present" and clause.modal in ("want", "can")
    return clause.time in (*TIMES[clause.tense], *(TIMES["near"] if meant else ()))


def verb_fits(clause: Clause) -> bool:
    """Return whether tense, modal, negation and frequency leave one reading, and one translation."""
    verb, tense, modal = clause.verb, clause.tense, clause.modal
    plain = tense in ("present", "past") and not modal
    if tense in ("progressive", "near") and (modal or verb in (*NOT_PROGRESSIVE, *SAYING)):
        return False
    if tense == "near" and verb in ("go", *MOVING):
        return False
    if modal and (verb in (*NOT_MODAL, *SAYING) or (modal, tense) == ("must", "past")):
        return False
    if clause.negation and not may_be_negated(clause, modal):
        return False
    if clause.negation == "never" and (not plain or verb == "have" or (verb, tense) == ("be", "past")):
        return False
    habitual = tense == "present" and not modal and not clause.negation and may_be_frequent(clause)
    return (habitual or not clause.frequency) and unambiguous(clause) is clause


def joins_well(sentence: Sentence) -> bool:
    """Return whether the clauses of a sentence, each sensible alone, leave one reading together."""
    main, second = sentence.main, sentence.second
    if sentence.front and not _fronts_well(sentence.front, main):
        return False
    if (main.verb in SAYING) != (sentence.link == "that"):
        return False
    if main.verb in SAYING and (main.tense, main.negation, main.frequency, main.time) != (
        "present",
        "",
        "",
        "",
    ):
        return False
    if second is None:
        return True
    after = second.main
    if after.time_first or not (after.subject_said or _chains_well(main, after)):
        return False
    return pronouns_fit(main, after) and joins_well(second)


def _fronts_well(front: Clause, main: Clause) -> bool:
    """A past that lasted would be another tense in French; "when he comes tomorrow" too."""
    arrives = front.tense == main.tense == "past" and front.verb in MOVING and not front.negation
    rests = front.tense == "present" and main.tense in ("present", "progressive") and front.verb not in MOVING
    return (arrives or rests) and not (front.time or main.time or front.modal) and pronouns_fit(front, main)


def _chains_well(first: Clause, after: Clause) -> bool:
    """One auxiliary in the perfect, nothing between the two that the second verb could belong to."""
    one_tense = first.tense == after.tense and first.tense in ("present", "past")
    done = all(each.verb not in ("be", "have", "go", *MOVING, *SAYING) for each in (first, after))
    bare = not any(each.modal or each.negation or each.frequency for each in (first, after))
    return one_tense and done and bare and not (first.places or first.time or described(first.object))


def pronouns_fit(before: Clause, after: Clause) -> bool:
    """Return whether "they" and "she" are not someone just named whose gender they would hide."""
    named = list(phrases_of(before))
    words = {
        each.word for each in (after.subject, after.object, after.recipient) if isinstance(each, Pronoun)
    }
    if "they" in words and any(_is_elles(each) for each in named if each.plural):
        return False
    persons = [each.noun for each in named if each.noun in PEOPLE and not each.plural]
    return not ("she" in words and persons and not any(noun in GENDERED for noun in persons))


def _is_elles(phrase: NounPhrase) -> bool:
    return phrase.noun not in PEOPLE or GENDERED.get(phrase.noun) == "she"


def things(clause: Clause) -> list[NounPhrase]:
    """Return the single things and animals that a clause names: what "it" may stand for after it."""
    return [each for each in phrases_of(clause) if each.noun not in PEOPLE and not each.plural]
