"""A meaning said in English: do and does, is going to, a and an, who and that, the king's."""

from __future__ import annotations

from core.text.grammar.meaning import (
    PEOPLE,
    Clause,
    Gap,
    NounPhrase,
    Pronoun,
    Referent,
    Sentence,
    Word,
    concept_word,
    person,
)

OBJECT_FORM = {"I": "me", "you": "you", "he": "him", "she": "her", "it": "it", "we": "us", "they": "them"}
PLURALS = {"man": "men", "woman": "women", "child": "children", "mouse": "mice", "city": "cities"}
PARTICIPLES_AND_PAST = """
eat eating ate; drink drinking drank; read reading read; write writing wrote; buy buying bought; sell selling sold
see seeing saw; find finding found; take taking took; lose losing lost; wear wearing wore; help helping helped
call calling called; invite inviting invited; open opening opened; close closing closed; clean cleaning cleaned
wash washing washed; hear hearing heard; make making made; sing singing sang; give giving gave; send sending sent
bring bringing brought; sleep sleeping slept; work working worked; play playing played; laugh laughing laughed
cry crying cried; wait waiting waited; run running ran; go going went; arrive arriving arrived; come coming came
have having had; want wanting wanted; say saying said; think thinking thought; know knowing knew
"""
ING_AND_PAST = {
    base: (ing, past)
    for base, ing, past in (row.split() for row in PARTICIPLES_AND_PAST.strip().replace("\n", ";").split(";"))
}
THIRD = {"have": "has", "go": "goes", "wash": "washes", "cry": "cries"}
BE = {"present": ("am", "are", "is", "are", "are"), "past": ("was", "were", "was", "were", "were")}


def plural(noun: str) -> str:
    """Return the English plural.

    >>> plural("mouse"), plural("horse")
    ('mice', 'horses')
    """
    return PLURALS.get(noun, noun + "s")


def _english_noun_phrase(phrase: NounPhrase) -> list[Word]:
    described = [concept_word(adjective, (phrase, adjective)) for adjective in phrase.adjectives]
    described.append(concept_word(plural(phrase.noun) if phrase.plural else phrase.noun, (phrase, "noun")))
    determiner = phrase.determiner
    if phrase.owner:
        before = [*_english_noun_phrase(phrase.owner), concept_word("'s", (phrase, "determiner"))]
    elif not determiner:
        before = []
    else:
        determiner = "an" if determiner == "a" and described[0].text[0] in "aeiou" else determiner
        determiner = "these" if determiner == "this" and phrase.plural else determiner
        before = [concept_word(determiner, (phrase, "determiner"))]
    if not phrase.relative:
        return before + described
    who = concept_word("who" if phrase.noun in PEOPLE else "that", (phrase, "relative"))
    return [*before, *described, who, *_english_clause(phrase.relative)]


def _english_referent(referent: Referent | None, is_object: bool = False) -> list[Word]:
    if referent is None or isinstance(referent, Gap):
        return []
    if isinstance(referent, Pronoun):
        return [concept_word(OBJECT_FORM[referent.word] if is_object else referent.word, (referent, "noun"))]
    return _english_noun_phrase(referent)


def _inflected(verb: str, clause: Clause) -> str:
    base, *_ = verb.split()
    if clause.tense == "past":
        return ING_AND_PAST[base][1]
    return THIRD.get(base, base + "s") if person(clause.subject) == 2 else base


def _english_verb(clause: Clause, question: bool) -> tuple[list[Word], list[Word]]:
    """Return the operator (is, does, can; none in "he eats") and the rest of the verb."""
    base, *particle = clause.verb.split()
    verb, modal, asked = (clause, "verb"), (clause, "modal"), [(clause, "question")] * question
    particles = [concept_word(p, verb) for p in particle]
    be = BE["past" if clause.tense == "past" else "present"][person(clause.subject)]
    if clause.verb == "be":
        return [concept_word(be, verb, *asked)], []
    if clause.modal in ("can", "must"):
        text = "could" if (clause.modal, clause.tense) == ("can", "past") else clause.modal
        return [concept_word(text, modal, *asked)], [concept_word(base, verb), *particles]
    if clause.tense == "near":
        near = (clause, "near")
        rest = [concept_word("going", near), concept_word("to", near), concept_word(base, verb), *particles]
        return [concept_word(be, near, *asked)], rest
    if clause.tense == "progressive":
        return [concept_word(be, verb, *asked)], [concept_word(ING_AND_PAST[base][0], verb), *particles]
    infinitive = (
        [concept_word("to", modal, verb), concept_word(base, verb), *particles] if clause.modal else particles
    )
    finite, concept = (clause.modal, modal) if clause.modal else (base, verb)
    if question or clause.negation == "not":
        do = "did" if clause.tense == "past" else "does" if person(clause.subject) == 2 else "do"
        negated = [(clause, "negation")] if clause.negation else []
        return [concept_word(do, concept, *asked, *negated)], [concept_word(finite, concept), *infinitive]
    return [], [concept_word(_inflected(finite, clause), concept), *infinitive]


def _english_clause(clause: Clause, question: bool = False) -> list[Word]:
    operator, rest = _english_verb(clause, question)
    subject = _english_referent(clause.subject) if clause.subject_said else []
    time = [concept_word(text, (clause, "time", i)) for i, text in enumerate(clause.time.split())]
    negation = [concept_word(clause.negation, (clause, "negation"))] if clause.negation else []
    if clause.negation and operator and operator[0].text == "can":
        operator, negation = [concept_word("cannot", (clause, "modal"), (clause, "negation"))], []
    frequency = [concept_word(clause.frequency, (clause, "frequency"))] if clause.frequency else []
    words = operator + subject if question else subject + operator
    words += negation + frequency + rest
    if isinstance(clause.recipient, Pronoun):
        words += _english_referent(clause.recipient, True)
    words += _english_referent(clause.object, True)
    if isinstance(clause.recipient, NounPhrase):
        words += [concept_word("to", (clause, "to")), *_english_noun_phrase(clause.recipient)]
    if clause.complement:
        words.append(concept_word(clause.complement, (clause, "complement")))
    for preposition, place in clause.places:
        words += [concept_word(preposition, (place, "preposition")), *_english_noun_phrase(place)]
    return time + words if clause.time_first else words + time


def english(sentence: Sentence) -> list[Word]:
    """Return a sentence in English, without its full stop or question mark."""
    words = []
    if sentence.front:
        words = [
            concept_word("when", (sentence, "when")),
            *_english_clause(sentence.front),
            concept_word(",", (sentence, ",")),
        ]
    words += _english_clause(sentence.main, sentence.question)
    if sentence.second:
        words += [concept_word(sentence.link, (sentence, "link")), *english(sentence.second)]
    return words
