"""Pictures of what a sentence costs: bars by language, sentences cut into tokens."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE
from core.figures.tokens.token_rows import token_rows
from core.lesson.every_number import Formula
from core.models.tokens.byte_pairs import BytePairs
from core.models.tokens.three_ways import Token
from core.models.tokens.token_prices import SentenceCost, premiums, sentences_in_context
from pages.tokens.token_prices import EXAMPLES, LESSON, SENTENCES

WORDS = LESSON.words
UNKNOWN = "?"  # a number that is still to come
REFERENCE = "en"


def name_language(language: str) -> str:
    """Return the name of a language."""
    return WORDS.label(f"language.{language}")


def draw_bars(
    panels: Mapping[str, tuple[Mapping[str, float], str]],
    best: Collection[str] = (),
    hidden: Collection[str] = (),
    form: str = "{:,.0f}",
) -> dict:
    """Return bars by language in panels {title: (values, hue)}.

    `best` are languages in full colour; of panels whose titles are `hidden` no value is drawn, and no scale.
    """

    def draw_row(language: str, value: float, hue: str, seen: bool) -> dict:
        kind = "open" if not seen else "best" if language in best else "plain"
        text = form.format(value) if seen else UNKNOWN
        mark = f"{hue}.{language}"
        return make_row(name_language(language), mark, value if seen else 0, text, kind=kind, hue=hue)

    return join_panels(
        *(
            make_panel(
                title,
                1 if title in hidden else max(values.values()),
                [draw_row(language, value, hue, title not in hidden) for language, value in values.items()],
            )
            for title, (values, hue) in panels.items()
        )
    )


def draw_rows(sentences: Mapping[str, str], pairs: BytePairs) -> dict:
    """Return sentences cut into tokens, {name: sentence} (view "token_rows")."""
    cuts = {}
    for name, sentence in sentences.items():
        ids = pairs.encode(sentence)
        names = pairs.names(ids)
        cuts[name] = [Token(text, i, pairs.pieces[i]) for text, i in zip(names, ids, strict=True)]
    rows = token_rows(cuts, {}, {name: f"{len(tokens)}" for name, tokens in cuts.items()})
    same = all(language_of(sentence) for sentence in sentences.values())  # one sentence in several languages
    head = WORDS.label("column.language" if same else "column.text")
    return rows | {"told": WORDS.label("told.rows", names=list(sentences), same=same), "head": head}


def language_of(sentence: str) -> str:
    """Return the language that our sentence is written in; nothing for another sentence.

    >>> language_of("All human beings are born"), language_of(SENTENCES["fr"])
    ('', 'fr')
    """
    own = {text: language for language, text in SENTENCES.items()} | {EXAMPLES[-1]: "es"}
    return own.get(sentence, "")


def name_texts(first: str, other: str) -> dict[str, str]:
    """Return two texts by their languages, or as the first and the second one where these are not known or the same."""
    languages = [language_of(each) for each in (first, other)]
    if all(languages) and first != other:
        names = [name_language(each) for each in languages]
    else:
        names = [WORDS.label(f"row.{each}") for each in ("first", "other")]
    return dict(zip(names, (first, other), strict=True))


def draw_tokens(costs: Mapping[str, SentenceCost]) -> Figure:
    """Return the tokens of each language as bars."""
    figure = blank(340, WORDS.label("axis.language"), WORDS.label("axis.tokens"))
    names = [name_language(language) for language in costs]
    return figure.add_trace(bar(x=names, y=[cost.tokens for cost in costs.values()], marker_color=BLUE))


def costs_table(costs: Mapping[str, SentenceCost], window: int) -> tuple[pd.DataFrame, Formula]:
    """Return the sizes of the sentence in each language, and the formula of its premium."""
    names = [
        WORDS.label(f"column.{name}")
        for name in ("language", "characters", "bytes", "tokens", "held", "premium", "fits")
    ]
    times = premiums(costs, REFERENCE)
    rows = [
        (
            name_language(language),
            cost.characters,
            cost.bytes,
            cost.tokens,
            cost.bytes_per_token,
            times[language],
            sentences_in_context(cost, window),
        )
        for language, cost in costs.items()
    ]

    def formula(row: int, column: str) -> str | None:
        cost = list(costs.values())[row]
        if column != names[-2]:
            return None
        return rf"\frac{{{cost.tokens}}}{{{costs[REFERENCE].tokens}}} = {times[list(costs)[row]]:.3g}"

    return pd.DataFrame(rows, columns=names), formula
