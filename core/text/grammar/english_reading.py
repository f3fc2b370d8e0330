"""Reading an English sentence back: the meaning that the grammar says in these words, if there is one.

Recursive descent with backtracking: each function takes the words and the place where to begin, and yields every
thing that it can read there with the place where that thing ends. What is read must say the same words again, and
must make sense in one way (core/text/grammar/sensible.py); so a typed sentence has a known translation, or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.text.grammar.antecedents import has_it, with_antecedents
from core.text.grammar.english import BE, ING_AND_PAST, OBJECT_FORM, THIRD, english, plural
from core.text.grammar.meaning import MASS, Clause, Gap, NounPhrase, Pronoun, Referent, Sentence, person
from core.text.grammar.sense import (
    ADJECTIVES,
    FEELINGS,
    FREQUENCIES,
    GIVING,
    PLACES,
    POSSESSIVES,
    SUITS,
    TIMES,
    TRANSITIVE,
)
from core.text.grammar.sensible import joins_well

Words = Sequence[str]

NOUNS = {noun: (noun, False) for noun in SUITS}
NOUNS |= {plural(noun): (noun, True) for noun in SUITS if noun not in MASS}
# As written: as meant, and whether it stands before one, before several, or before both.
DETERMINERS = {
    "the": ("the", (False, True)), "a": ("a", (False,)), "an": ("a", (False,)), "this": ("this", (False,)),
    "these": ("this", (True,)), "two": ("two", (True,)), "three": ("three", (True,)),
    **{mine: (mine, (False, True)) for mine in POSSESSIVES},
}  # fmt: skip
SUBJECTS = {subject: subject for subject in OBJECT_FORM}
OBJECTS = {form: subject for subject, form in OBJECT_FORM.items()}
COMPLEMENTS = {*ADJECTIVES, *FEELINGS["person"], "dirty"}
ALL_TIMES = [time.split() for time in dict.fromkeys(time for times in TIMES.values() for time in times)]
BASES = [base for base in ING_AND_PAST if base != "want"]
MODALS = {
    "can": ("can", "present"), "cannot": ("can", "present"), "could": ("can", "past"), "must": ("must", "present"),
}  # fmt: skip
PARTICIPLES = {ING_AND_PAST[base][0]: base for base in BASES}
PAST = {past: base for base, (_, past) in ING_AND_PAST.items()}
# The present: of he, she and it, and of all others; "read" without an s is past.
PRESENT = {
    True: {THIRD.get(base, base + "s"): base for base in ING_AND_PAST},
    False: {base: base for base in ING_AND_PAST if base != "read"},
}
# How clauses may follow one another: each chain of links that leaves one plain reading.
CHAINS_OF_LINKS = {("because",), ("that",), ("that", "because"), ("and",), ("and", "because"), ("but",)}


def meaning_of(words: Words) -> Sentence | None:
    """Return the meaning that is said in English by these words, the mark at the end among them; None if none is.

    >>> found = meaning_of("the king eats the apple because it is good .".split())
    >>> found.link, found.second.main.subject.word, meaning_of("king the eats .".split())
    ('because', 'it', None)
    """
    *said, mark = words or [""]
    readings = _questions(said) if mark == "?" else _statements(said) if mark == "." else []
    for reading in readings:
        meaning = with_antecedents(reading)
        if meaning and joins_well(meaning) and [word.text for word in english(meaning)] == said:
            return meaning
    return None


def _at(words: Words, i: int) -> str:
    return words[i] if i < len(words) else ""


# ------------------------------------------------------------------------------------------------- noun phrases


def _noun_phrases(words: Words, i: int) -> Iterator[tuple[NounPhrase, int]]:
    """Yield noun phrases: a determiner or none, adjectives, a noun; then 's and what is owned, or a relative clause."""
    determiner, numbers = DETERMINERS.get(_at(words, i), ("", (False, True)))
    for phrase, j in _read_described(words, i + bool(determiner), determiner):
        mass = phrase.noun in MASS
        allowed = determiner != "a" if mass else determiner or phrase.plural
        if phrase.plural in numbers and allowed:
            yield from _continued(words, phrase, j)


def _read_described(
    words: Words, i: int, determiner: str, owner: NounPhrase | None = None
) -> Iterator[tuple[NounPhrase, int]]:
    first = i
    while _at(words, i) in ADJECTIVES:
        i += 1
    if _at(words, i) in NOUNS:
        noun, several = NOUNS[words[i]]
        yield NounPhrase(noun, several, determiner, tuple(words[first:i]), owner), i + 1


def _continued(words: Words, phrase: NounPhrase, i: int) -> Iterator[tuple[NounPhrase, int]]:
    if _at(words, i) == "'s" and phrase.determiner:
        for owned, j in _read_described(words, i + 1, "the", phrase):
            yield from _continued(words, owned, j)
        return
    if _at(words, i) in ("who", "that") and not phrase.owner:
        for relative, j in _relative_clauses(words, i + 1, Gap(phrase.noun, phrase.plural)):
            yield replace(phrase, relative=relative), j
    yield phrase, i


def _relative_clauses(words: Words, i: int, gap: Gap) -> Iterator[tuple[Clause, int]]:
    """Yield clauses with a gap for their subject (who works), or for their object (that the girl reads)."""
    read = [*_predicates(words, i, gap)]
    for subject, j in _referents(words, i, SUBJECTS):
        read += _predicates(words, j, subject, gap)
    yield from ((clause, end) for clause, end in read if not clause.time and not has_it(clause))


def _referents(words: Words, i: int, pronouns: Mapping[str, str]) -> Iterator[tuple[Referent, int]]:
    yield from _noun_phrases(words, i)
    if _at(words, i) in pronouns:
        yield Pronoun(pronouns[words[i]]), i + 1


# -------------------------------------------------------------------------------------------------------- verbs


def _operators(text: str, subject: Referent) -> Iterator[tuple[str, str]]:
    """Yield what an operator may be, and its tense: be, do, can or must."""
    who = person(subject)
    for tense, forms in BE.items():
        if text == forms[who]:
            yield "be", tense
    if text in MODALS:
        yield MODALS[text]
    if text in ("do", "does", "did") and (text == "does") <= (who == 2):
        yield "do", "past" if text == "did" else "present"


def _verbs(words: Words, i: int, subject: Referent) -> Iterator[tuple[Clause, int]]:
    """Yield the clauses that a subject and its verb make: operator, negation, frequency, verb."""
    for operator, tense in _operators(_at(words, i), subject):
        yield from _after_operator(
            words, i + 1, Clause(subject, "", tense), operator, _at(words, i) == "cannot"
        )
    negation, j = ("never", i + 1) if _at(words, i) == "never" else ("", i)
    frequency, j = _frequency(words, j)
    for tense, forms in (("present", PRESENT[person(subject) == 2]), ("past", PAST)):
        base = forms.get(_at(words, j), "")
        begun = Clause(subject, base, tense, negation=negation, frequency=frequency)
        if base == "want" and _at(words, j + 1) == "to":
            yield from _infinitives(words, j + 2, replace(begun, modal="want"))
        elif base and base != "want":
            yield from _with_particle(words, j + 1, begun)


def _frequency(words: Words, i: int) -> tuple[str, int]:
    return (words[i], i + 1) if _at(words, i) in FREQUENCIES else ("", i)


def _after_operator(
    words: Words, i: int, clause: Clause, operator: str, negated: bool = False, question: bool = False
) -> Iterator[tuple[Clause, int]]:
    if not question and not negated and _at(words, i) in ("not", "never"):
        clause, i = replace(clause, negation=words[i]), i + 1
    clause = replace(clause, negation="not") if negated else clause
    frequency, i = _frequency(words, i)
    clause = replace(clause, frequency=frequency)
    if operator == "be":
        yield replace(clause, verb="be"), i
        if _at(words, i) in PARTICIPLES:
            going = replace(clause, verb=PARTICIPLES[words[i]], tense="progressive")
            yield from _with_particle(words, i + 1, going)
        if list(words[i : i + 2]) == ["going", "to"]:
            yield from _infinitives(words, i + 2, replace(clause, tense="near"))
    elif operator == "do":
        if list(words[i : i + 2]) == ["want", "to"]:
            yield from _infinitives(words, i + 2, replace(clause, modal="want"))
        yield from _infinitives(words, i, clause)
    else:
        yield from _infinitives(words, i, replace(clause, modal=operator))


def _infinitives(words: Words, i: int, clause: Clause) -> Iterator[tuple[Clause, int]]:
    if _at(words, i) in BASES:
        yield from _with_particle(words, i + 1, replace(clause, verb=words[i]))


def _with_particle(words: Words, i: int, clause: Clause) -> Iterator[tuple[Clause, int]]:
    if clause.verb != "come":
        yield clause, i
    elif _at(words, i) == "back":
        yield replace(clause, verb="come back"), i + 1


# ------------------------------------------------------------------------------------------------------ clauses


def _clauses(words: Words, i: int) -> Iterator[tuple[Clause, int]]:
    """Yield statements of one clause: a time or none, subject, verb, and what follows it."""
    for time, j in _times(words, i):
        for subject, k in _referents(words, j, SUBJECTS):
            for clause, end in _predicates(words, k, subject):
                if time and not clause.time:
                    yield replace(clause, time=time, time_first=True), end
                elif not time:
                    yield clause, end


def _times(words: Words, i: int) -> Iterator[tuple[str, int]]:
    for time in ALL_TIMES:
        if list(words[i : i + len(time)]) == time:
            yield " ".join(time), i + len(time)
    yield "", i


def _predicates(
    words: Words, i: int, subject: Referent, gap: Gap | None = None
) -> Iterator[tuple[Clause, int]]:
    for clause, j in _verbs(words, i, subject):
        yield from _completed(words, j, clause, gap)


def _completed(words: Words, i: int, clause: Clause, gap: Gap | None = None) -> Iterator[tuple[Clause, int]]:
    """Yield the clause with what follows its verb: objects, complement, places, time."""
    for complete, j in _with_objects(words, i, clause, gap):
        for placed, k in _with_places(words, j, complete):
            for time, end in _times(words, k):
                yield replace(placed, time=time), end


def _with_objects(words: Words, i: int, clause: Clause, gap: Gap | None) -> Iterator[tuple[Clause, int]]:
    if clause.verb == "be":
        if _at(words, i) in COMPLEMENTS and not gap:
            yield replace(clause, complement=words[i]), i + 1
    elif clause.verb in GIVING and not gap:
        yield from _giving(words, i, clause)
    elif clause.verb in TRANSITIVE:
        for thing, j in [(gap, i)] if gap else _referents(words, i, OBJECTS):
            yield replace(clause, object=thing), j
        if not gap:
            yield clause, i
    elif not gap:
        yield clause, i


def _giving(words: Words, i: int, clause: Clause) -> Iterator[tuple[Clause, int]]:
    """Yield "gave me the book", "gave the book to the king" and "sent it"."""
    if _at(words, i) in OBJECTS and words[i] != "it":
        for thing, j in _noun_phrases(words, i + 1):
            yield replace(clause, object=thing, recipient=Pronoun(OBJECTS[words[i]])), j
    for thing, j in _referents(words, i, OBJECTS):
        if _at(words, j) == "to":
            for recipient, k in _noun_phrases(words, j + 1):
                yield replace(clause, object=thing, recipient=recipient), k
        yield replace(clause, object=thing), j


def _with_places(words: Words, i: int, clause: Clause) -> Iterator[tuple[Clause, int]]:
    preposition = _at(words, i)
    if preposition in PLACES:
        for place, j in _noun_phrases(words, i + 1):
            yield from _with_places(words, j, replace(clause, places=(*clause.places, (preposition, place))))
    yield clause, i


# ---------------------------------------------------------------------------------------------------- sentences


def _questions(words: Words) -> Iterator[Sentence]:
    for subject, i in _referents(words, 1, SUBJECTS):
        for operator, tense in _operators(_at(words, 0), subject):
            for begun, j in _after_operator(words, i, Clause(subject, "", tense), operator, question=True):
                for clause, end in _completed(words, j, begun):
                    if end == len(words):
                        yield Sentence(clause, question=True)


def _statements(words: Words, i: int = 0, links: tuple[str, ...] = ()) -> Iterator[Sentence]:
    if _at(words, i) == "when" and not links:
        yield from _fronted(words, i + 1)
    for main, j in _clauses(words, i):
        if j == len(words):
            yield Sentence(main)
        link = _at(words, j)
        chain = (*links, link)
        if chain in CHAINS_OF_LINKS:
            for second in _statements(words, j + 1, chain):
                yield Sentence(main, link=link, second=second)
            if link == "and":
                yield from _chained(words, j + 1, main)


def _fronted(words: Words, i: int) -> Iterator[Sentence]:
    """Yield "when X arrived, Y ..."."""
    for front, j in _clauses(words, i):
        if _at(words, j) == ",":
            for main, end in _clauses(words, j + 1):
                if end == len(words):
                    yield Sentence(main, front=front)


def _chained(words: Words, i: int, main: Clause) -> Iterator[Sentence]:
    """Yield "X takes the apple and eats it": the second clause has the subject of the first, not said again."""
    for after, end in _predicates(words, i, main.subject):
        if end == len(words):
            yield Sentence(main, link="and", second=Sentence(replace(after, subject_said=False)))
