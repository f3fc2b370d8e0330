"""What a sentence means, before any language says it: a Sentence of Clauses of NounPhrases and Pronouns.

Each language writes a meaning as Words, and each Word carries the concepts it stands for: `(king, "noun")`,
`(clause, "verb")`. Two words of two languages belong together when they stand for a concept in common, so the
gold alignment of a translation is known, not guessed.

Nouns, verbs and adjectives are named by their English dictionary form.
"""

from __future__ import annotations

from dataclasses import dataclass

# Nouns for people, and nouns that cannot be counted.
PEOPLE = (
    *("king", "queen", "boy", "girl", "man", "woman", "child", "doctor", "teacher", "friend", "neighbour"),
    *("mother", "father", "brother", "sister"),
)
MASS = ("bread", "cheese", "soup", "water", "milk", "coffee", "tea")


@dataclass(frozen=True)
class Word:
    """A word as written and the concepts it stands for."""

    text: str
    concepts: frozenset


def concept_word(text: str, *concepts) -> Word:
    """Return a Word standing for the given concepts."""
    return Word(text, frozenset(concepts))


@dataclass(frozen=True, eq=False)
class NounPhrase:
    """The noun with its number, determiner ("" for none), adjectives, owner (the king's ...), relative clause."""

    noun: str
    plural: bool = False
    determiner: str = "the"
    adjectives: tuple[str, ...] = ()
    owner: NounPhrase | None = None
    relative: Clause | None = None

    @property
    def definite(self) -> bool:
        """Whether it is a particular one: the, this, my, the king's."""
        return self.determiner not in ("a", "", "two", "three")


@dataclass(frozen=True, eq=False)
class Pronoun:
    """A pronoun by its English subject form; "it" has the noun phrase it stands for."""

    word: str
    stands_for: NounPhrase | None = None


@dataclass(frozen=True, eq=False)
class Gap:
    """The place in a relative clause of the noun that it describes."""

    noun: str
    plural: bool


Referent = NounPhrase | Pronoun | Gap


@dataclass(frozen=True, eq=False)
class Clause:
    """Who does what to whom, where and when.

    `tense` is present, progressive, past or near (going to); `modal` want, can or must; `negation` not or
    never; `recipient` is given the object; `complement` is the adjective after be; `places` are (preposition,
    noun phrase). `subject_said` is False in "takes the apple and eats it".
    """

    subject: Referent
    verb: str
    tense: str = "present"
    modal: str = ""
    negation: str = ""
    frequency: str = ""
    object: Referent | None = None
    recipient: NounPhrase | Pronoun | None = None
    complement: str = ""
    places: tuple[tuple[str, NounPhrase], ...] = ()
    time: str = ""
    time_first: bool = False
    subject_said: bool = True


@dataclass(frozen=True, eq=False)
class Sentence:
    """[when `front`,] `main` [`link` `second`]: link is because, that, and, but.

    A question has a main clause only.
    """

    main: Clause
    front: Clause | None = None
    link: str = ""
    second: Sentence | None = None
    question: bool = False


# Person and number as an index: I, you, he/she/it, we, they.
PERSON = {"I": 0, "you": 1, "he": 2, "she": 2, "it": 2, "we": 3, "they": 4}


def person(referent: Referent) -> int:
    """Return 0 to 4 for I, you, he or she or it, we, they."""
    return PERSON[referent.word] if isinstance(referent, Pronoun) else 4 if referent.plural else 2
