"""Which language documents seem to be in, by their script and their commonest little words: a guess, and said as one."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from random import Random

from core.text.reading import WORDS
from core.text.tokenization.tokens import words

LITTLE_WORDS = {
    "English": "the and of to is in that it was for with this you not are",
    "French": "le la les et des est une dans que pour pas qui sur vous avec",
    "German": "der die und das ist nicht ein eine mit zu den auch sich ich auf",
    "Dutch": "de het een en van ik niet dat met voor zijn aan ook maar je",
    "Spanish": "el los las y que una por con para como pero más del lo muy",
}
WORDS_OF = {language: frozenset(said.split()) for language, said in LITTLE_WORDS.items()}
SEEN, CHARACTERS = 400, 600  # documents that are looked at, drawn at random, and how much of each
ENOUGH = 0.1  # of the documents, to speak of a language


def language_of(text: str) -> str:
    """Return the language or the script that a text seems to be in, nothing where that cannot be told.

    >>> language_of("The lid is dull"), language_of("la porte est rouge"), language_of("привет"), language_of("ok")
    ('English', 'French', 'Cyrillic', '')
    """
    letters = [character for character in text[:CHARACTERS] if character.isalpha()]
    if not letters:
        return ""
    scripts = Counter(unicodedata.name(letter, "").split(" ")[0].split("-")[0] for letter in letters)
    script = scripts.most_common(1)[0][0]
    if script != "LATIN":
        return {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese"}.get(
            script, script.capitalize()
        )
    tokens = words(text[:CHARACTERS])
    found = {language: sum(token in little for token in tokens) for language, little in WORDS_OF.items()}
    best, second = sorted(found, key=found.get, reverse=True)[:2]
    return best if found[best] > found[second] else ""


def said_of_languages(texts: Sequence[str]) -> str:
    """Return a sentence on documents of more than one language, nothing where they seem to be of one.

    >>> said_of_languages(["the cat is in the house"] * 6 + ["le chat est dans la maison"] * 4)
    'These seem to be of several languages: 60% English, 40% French. A model may tell the language instead of the label.'
    """
    some = texts if len(texts) <= SEEN else Random(0).sample(texts, SEEN)
    found = Counter(filter(None, map(language_of, some)))
    shares = {name: n / found.total() for name, n in found.most_common() if n / found.total() >= ENOUGH}
    if len(shares) < 2:
        return ""
    named = {name: WORDS.label(f"language.{name}") if name in LITTLE_WORDS else name for name in shares}
    listed = ", ".join(f"{share:.0%} {named[name]}" for name, share in shares.items())
    return WORDS.label("languages", languages=listed)
