"""Which words stand on a map: four themes, those of the learner's text, the most frequent, or a list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.lesson.lesson import Lesson
from core.lesson.settings import Choice
from core.lesson.text_source import reading, text_source
from core.models.tokens.zipf import STOP_WORDS
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.shared import WORDS

SOURCES = THEMES, TEXT, FREQUENT, LIST = "themes", "text", "frequent", "list"
OLD_SOURCES = {"four themes": THEMES, "your text": TEXT, "most frequent": FREQUENT, "my list": LIST}
SOURCE = Choice("source", THEMES, SOURCES, OLD_SOURCES)
AT_MOST = 2000
LIST_AT_MOST = 300
USUAL = 40
LIST_DEFAULT = "king queen man woman prince princess boy girl paris france rome italy berlin germany"
WORDS_OF = {
    "royalty": "king queen prince princess duke throne crown palace".split(),
    "animals": "dog cat horse cow sheep pig mouse bird".split(),
    "countries": "france paris italy rome germany berlin spain".split(),
    "food": "bread cheese milk butter apple soup rice".split(),
}


def choose_words(
    lesson: Lesson, vectors: WordVectors, strip, more, remarks, first: str = THEMES
) -> list[str]:
    """Draw the choice of words, `first` at first, and return at least two of them that have vectors.

    The learner's text is chosen in the container `strip`, where its words are wanted; what is rarely changed stands
    in `more`, and what is to be said of the words in `remarks`.
    """
    source = lesson.draw(replace(SOURCE, default=first), wrap=True)
    if source == LIST:
        asked = word_list(lesson, "list", WORDS.label("list"), LIST_DEFAULT, vectors, remarks, 420)
        return asked if len(asked) > 1 else instead(vectors, remarks)
    if source == THEMES:
        known = [word for words in WORDS_OF.values() for word in words if word in vectors]
        return known if len(known) > 1 else instead(vectors, remarks)
    count = lesson.slider("count", WORDS.label("count"), 10, AT_MOST, 80, step=10, width=180)
    with more:
        help = WORDS.label("skipped.help")
        skipped = lesson.slider("skipped", WORDS.label("skipped"), 0, 500, 150, step=10, help=help)
    candidates = vectors.words if source == FREQUENT else text_words(vectors, strip, remarks)
    kept = [word for word in candidates if vectors.index.get(word, -1) >= skipped][:count]
    return kept if len(kept) > 1 else instead(vectors, remarks, skipped, count)


def text_words(vectors: WordVectors, strip, remarks) -> list[str]:
    """Return the types of the learner's text, the most frequent first; say how many have a vector."""
    with strip:
        types = [word for word, _ in reading(text_source()).types]
    known = sum(word in vectors for word in types)
    remarks.caption(WORDS.markdown("note.types", known=known, n=len(types)))
    return types


def instead(vectors: WordVectors, remarks, skipped: int = 150, count: int = 120) -> list[str]:
    """Return frequent words of the set, and say so: of those chosen fewer than two are left."""
    remarks.info(WORDS.markdown("note.instead"))
    return list(vectors.words[skipped : skipped + count] or vectors.words[:count])


def usual_words(vectors: WordVectors) -> list[str]:
    """Return the themes' words that have vectors or, where they are few, frequent words that are no stop words."""
    known = [word for words in WORDS_OF.values() for word in words if word in vectors]
    telling = [word for word in vectors.words if word not in STOP_WORDS][:USUAL]
    return known if len(known) > USUAL // 4 else telling if len(telling) > 1 else list(vectors.words[:USUAL])


def themes(lesson: Lesson) -> Callable[[str], str]:
    """Return the function that names a word's theme: "" for every word unless the four themes are on the map."""
    return themes_of(lesson.get_state("source"))


def themes_of(source: str) -> Callable[[str], str]:
    """Return the same function for words that come from a source."""
    listed = WORDS_OF if source == THEMES else {}
    theme_of = {word: WORDS.label(f"theme.{theme}") for theme, words in listed.items() for word in words}
    return lambda word: theme_of.get(word, "")


def word_list(
    lesson: Lesson, name: str, label: str, default: str, vectors: WordVectors, remarks, width: int = 240
) -> list[str]:
    """Draw a field for a list of words; return those that have a vector. The others are named in `remarks`."""
    typed = lesson.text(name, label, default, max_chars=6000, width=width)
    asked = list(dict.fromkeys(typed.replace(",", " ").split()))[:LIST_AT_MOST]
    unknown = [word for word in asked if word not in vectors]
    if unknown:
        remarks.text(WORDS.label("note.missing", missing=unknown[:12]))
    return [vectors.words[vectors.row(word)] for word in asked if word in vectors]
