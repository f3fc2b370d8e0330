"""Exercises on token prices: the bytes of a word, the premium of a language, and sentences in a context."""

from __future__ import annotations

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.tokens.token_prices import SentenceCost, premiums, sentences_in_context
from core.text.tokenization.tokens import characters

LATIN = (
    "café",
    "über",
    "señor",
    "naïve",
    "déjà",
    "Straße",
    "garçon",
    "père",
    "élève",
    "grün",
    "forêt",
    "âge",
)
TWO = ("мир", "море", "слово", "книга", "язык", "νερό", "φως", "λόγος", "день", "θάλασσα")
THREE = ("東京", "日本", "猫", "日本語", "山", "水曜日")
LANGUAGES = ("L₁", "L₂", "L₃")  # invented sizes, so no language is named
REFERENCE = "en"
COLUMNS = ("characters", "bytes", "tokens")


def draw_bytes(draws: Draws, difficulty: int) -> Draw | None:
    """The bytes of a text in UTF-8; mistakes: count characters, take 2 bytes for each, take 1 byte for what is not ASCII."""
    pools = ((LATIN, LATIN), (TWO, LATIN), (TWO, THREE, LATIN))[difficulty - 1]
    words = draws.shuffle([draws.choose(pool) for pool in pools])
    text = " ".join(words)
    sizes = [len(letter.encode()) for letter in text]
    return Draw(
        given={"text": text},
        answer=len(text.encode()),
        mistakes={
            "characters": len(characters(text)),
            "two": len(text.encode("utf-16-le")),
            "ascii": len(text.encode("ascii", errors="ignore")),
        },
        steps={
            "one_byte": sizes.count(1),
            "two_bytes": sizes.count(2),
            "three_bytes": sizes.count(3),
            "letters": len(text),
        },
    )


def draw_cost(draws: Draws, most_per_token: float) -> SentenceCost:
    """Return what a sentence costs in a language in which a token holds at most so many bytes."""
    letters = draws.integer(40, 90)
    size = round(letters * draws.decimal(1.0, 2.8))
    return SentenceCost(letters, size, max(1, round(size / draws.decimal(1.2, most_per_token))))


def draw_premium(draws: Draws, difficulty: int) -> Draw | None:
    """A tokenization premium; mistakes: divide the other way round, compare bytes, divide bytes by tokens."""
    languages = LANGUAGES[:difficulty]
    letters = draws.integer(50, 90)
    english = SentenceCost(letters, letters, round(letters / draws.decimal(4.0, 5.5)))
    costs = {REFERENCE: english, **{language: draw_cost(draws, 3.5) for language in languages}}
    language = draws.choose(languages)
    cost = costs[language]
    found = premiums(costs, REFERENCE)[language]
    return Draw(
        given={
            "costs": Table(
                tuple(costs), COLUMNS, [(each.characters, each.bytes, each.tokens) for each in costs.values()]
            ),
            "language": language,
        },
        answer=found,
        mistakes={
            "turned": premiums(costs, language)[REFERENCE],
            "bytes": cost.bytes / english.bytes,
            "mixed": cost.bytes / english.tokens,
        },
        steps={
            "tokens": cost.tokens,
            "english": english.tokens,
            "size": cost.bytes,
            "of_english": english.bytes,
        },
        digits=2,
    )


def draw_context(draws: Draws, difficulty: int) -> Draw | None:
    """How many sentences fit into a context; mistakes: round up, take the English tokens, take the bytes."""
    window = draws.choose((512, 1024, 2048, 4096))
    cost = draw_cost(draws, 3.0)
    english = draws.integer(11, 20)
    if difficulty == 1:
        premium = None
        tokens = cost.tokens
    else:
        premium = draws.decimal(2.0, 9.0) if difficulty == 3 else float(draws.integer(2, 9))
        tokens = round(english * premium)
        if abs(english * premium - tokens) > 1e-6:
            return None  # no whole number of tokens
    found = SentenceCost(cost.characters, cost.bytes, tokens)
    fits = sentences_in_context(found, window)
    return Draw(
        given={"window": window, "premium": premium, "n": tokens, "size": cost.bytes, "english": english},
        answer=fits,
        mistakes={
            "up": -(-window // tokens),
            "english": window // english,
            "bytes": window // cost.bytes,
        },
        steps={"share": window / tokens, "left": window - fits * tokens},
    )


MAKERS = (Maker(draw_bytes), Maker(draw_premium), Maker(draw_context))
