"""Pictures of translation quality: matches between two lines, n-grams in a grid, scores as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor

import pandas as pd

from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.token_grid import cell, token_grid
from core.figures.worked import number
from core.lesson.every_number import Formula
from core.models.translation.bleu import Bleu, count_ngrams, match_ngrams
from core.models.translation.chrf import Chrf
from pages.translation.translation_quality import LESSON

WORDS = LESSON.words
UNKNOWN = "?"  # a number that is still to come
MATCHED, UNMATCHED, PLAIN = "near", "centre", "plain"  # kinds of token of the view "word_pairs"
HUES = {"exact": "grey", "bleu": "blue", "chrf": "green"}
WRONG = "vermillion"


def format_score(score: float) -> str:
    """Return a score as a picture shows it; a half is rounded up, as on a calculator.

    >>> format_score(0.6578), format_score(1.0), format_score(5 / 8)
    ('0.66', '1.00', '0.63')
    """
    return f"{floor(100 * score + 0.5 + 1e-9) / 100:.2f}"


def draw_lines(
    reference: Sequence[str],
    hypotheses: Mapping[str, Sequence[str]],
    scores: Sequence[tuple[str, float | None, str]] = (),
    matched: bool = True,
    links: bool = False,
) -> dict:
    """Return the data of the view "word_pairs": a reference, translations below it, and bars of scores.

    `hypotheses` {name: words}; `scores` (name, score or None for one that is to come, hue). `matched` marks the words that
    match, each word of the reference once; `links` draws a line for each match of the only translation.
    """
    found = {name: match_ngrams(words, reference, 1) for name, words in hypotheses.items()}
    used = {place for places in found.values() for place in places if place is not None}
    sentences = [
        {
            "label": WORDS.label("line.reference"),
            "hue": WRONG,
            "arcs": False,
            "tokens": [
                {"text": word, "kind": (MATCHED if j in used else PLAIN) if matched else PLAIN}
                for j, word in enumerate(reference)
            ],
        }
    ]
    for name, words in hypotheses.items():
        kinds = [(UNMATCHED if j is None else MATCHED) if matched else PLAIN for j in found[name]]
        sentences.append(
            {
                "label": name,
                "hue": WRONG,
                "arcs": False,
                "tokens": [{"text": word, "kind": kind} for word, kind in zip(words, kinds, strict=True)],
            }
        )
    drawn = [[j, i] for places in found.values() for i, j in enumerate(places) if links and j is not None]
    data = {
        "sentences": sentences,
        "title": "",
        "ends": [],
        "rows": [
            {
                "name": name,
                "note": "",
                "mark": f"score.{place}",
                "bars": [
                    {
                        "share": score or 0,
                        "text": UNKNOWN if score is None else format_score(score),
                        "hue": hue,
                        "kind": "plain",
                    }
                ],
            }
            for place, (name, score, hue) in enumerate(scores)
        ],
        "key": [],
    }
    return data | {"links": drawn} if drawn else data


def draw_ngrams(hypothesis: Sequence[str], reference: Sequence[str], bleu: Bleu) -> dict:
    """Return a row for each n: which n-grams of a translation match, each at its first word (view "token_grid")."""
    rows = []
    for n, (matches, total) in enumerate(zip(bleu.matches, bleu.totals, strict=True), 1):
        places = match_ngrams(hypothesis, reference, n)
        cells = [cell("again" if place is None else "kept") for place in places]
        cells += [cell("none")] * (len(hypothesis) - len(cells))
        name = WORDS.label("row.words", n=n)
        rows.append((name, WORDS.label("of", matches=matches, total=total), cells))
    key = [("kept", WORDS.label("key.match")), ("again", WORDS.label("key.none"))]
    return token_grid(hypothesis, rows, key, axes=(WORDS.label("grid.row"), WORDS.label("grid.column")))


def tell_matches(hypothesis: Sequence[str], reference: Sequence[str], bleu: Bleu) -> str:
    """Return both lines, how many n-grams of the translation match, and its words that have no match."""
    places = match_ngrams(hypothesis, reference, 1)
    return WORDS.label(
        "alt.matches",
        written=" ".join(hypothesis),
        reference=" ".join(reference),
        counts=[
            WORDS.label("alt.matches.count", n=n, matches=matches, total=total)
            for n, (matches, total) in enumerate(zip(bleu.matches, bleu.totals, strict=True), 1)
            if total
        ],
        missed=[
            WORDS.label("alt.matches.missed", word=hypothesis[at], n=at + 1)
            for at, place in enumerate(places)
            if place is None
        ],
    )


def draw_letters(hypothesis: str, reference: str, n: int) -> dict:
    """Return the character n-grams of two words, those that both have in blue (view "token_grid")."""
    matched = match_ngrams(hypothesis, reference, n)
    used = {place for place in matched if place is not None}
    lines = {
        "reference": (reference, [j in used for j in range(len(reference) - n + 1)]),
        "written": (hypothesis, [place is not None for place in matched]),
    }
    width = max(len(found) for _, found in lines.values())
    rows = []
    for name, (text, found) in lines.items():
        cells = [cell("kept" if each else "again", text[i : i + n]) for i, each in enumerate(found)]
        cells += [cell("none")] * (width - len(cells))
        total = WORDS.label("of", matches=sum(found), total=len(found))
        rows.append((WORDS.label(f"row.{name}"), total, cells))
    key = [("kept", WORDS.label("key.match")), ("again", WORDS.label("key.none"))]
    return token_grid([""] * width, rows, key)


def draw_bleu(bleu: Bleu) -> dict:
    """Return the four precisions as bars, and BLEU below them (view "layer_bars")."""
    rows = [
        make_row(
            WORDS.label("precision", n=n),
            f"p.{n}",
            p,
            WORDS.label(
                "fraction", matches=bleu.matches[n - 1], total=bleu.totals[n - 1], share=format_score(p)
            ),
        )
        for n, p in enumerate(bleu.precisions, 1)
    ]
    rows.append(
        make_row(
            WORDS.label("penalty"),
            "penalty",
            bleu.brevity_penalty,
            format_score(bleu.brevity_penalty),
            kind="faint",
        )
    )
    rows.append(
        make_row(WORDS.label("score.bleu"), "bleu", bleu.score, format_score(bleu.score), kind="total")
    )
    return join_panels(make_panel("", 1, rows))


def draw_scores(rows: Sequence[tuple[str, float | None, str]]) -> dict:
    """Return scores as bars from 0 to 1; None is still to come. A row is its name, its score and its hue."""
    return join_panels(
        make_panel(
            "",
            1,
            [
                make_row(
                    name,
                    f"score.{place}",
                    score or 0,
                    UNKNOWN if score is None else format_score(score),
                    kind="open" if score is None else "best",
                    hue=hue,
                )
                for place, (name, score, hue) in enumerate(rows)
            ],
        )
    )


def draw_translators(judged: Mapping[str, Mapping[str, float]]) -> dict:
    """Return a panel for each translator with its scores, {score of its attention: {measure: value}}."""
    return join_panels(
        *(
            make_panel(
                WORDS.label(f"panel.{name}"),
                1,
                [
                    make_row(
                        WORDS.label(f"score.{measure}"),
                        f"{name}.{measure}",
                        value,
                        format_score(value),
                        hue=HUES[measure],
                    )
                    for measure, value in scores.items()
                ],
            )
            for name, scores in judged.items()
        )
    )


def ngrams_table(
    hypothesis: Sequence[str], reference: Sequence[str], bleu: Bleu
) -> tuple[pd.DataFrame, Formula]:
    """Return every n-gram of a translation with its counts, and the formula of the clipped one."""
    names = [WORDS.label(f"column.{name}") for name in ("n", "ngram", "written", "reference", "clipped")]
    rows = []
    for n in range(1, len(bleu.totals) + 1):
        known = count_ngrams(reference, n)
        for ngram, count in count_ngrams(hypothesis, n).items():
            row = (n, " ".join(ngram), count, known[ngram], min(count, known[ngram]))
            rows.append(dict(zip(names, row, strict=True)))
    table = pd.DataFrame(rows, columns=names)

    def formula(row: int, column: str) -> str | None:
        if column != names[-1]:
            return None
        written, there, clipped = (table[name].iloc[row] for name in names[2:])
        return rf"\min({written},\; {there}) = {clipped}"

    return table, formula


def orders_table(bleu: Bleu, chrf: Chrf) -> tuple[pd.DataFrame, Formula]:
    """Return matches and totals by n, of words and of characters, and the formula of each share."""
    names = [WORDS.label(f"column.{name}") for name in ("measure", "n", "matches", "total", "precision")]
    counts = [("bleu", n, m, t) for n, (m, t) in enumerate(zip(bleu.matches, bleu.totals, strict=True), 1)]
    of_letters = zip(chrf.matches, chrf.hypothesis_totals, strict=True)
    counts += [("chrf", n, m, t) for n, (m, t) in enumerate(of_letters, 1)]
    rows = [
        dict(zip(names, (WORDS.label(f"score.{measure}"), n, m, t, m / t if t else 0.0), strict=True))
        for measure, n, m, t in counts
    ]

    def formula(row: int, column: str) -> str | None:
        _, n, matches, total = counts[row]
        if column != names[-1] or not total:
            return None
        return rf"p_{{{n}}} = \frac{{{matches}}}{{{total}}} = {number(matches / total)}"

    return pd.DataFrame(rows), formula


def judged_table(judged: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """Return the translators' scores as a table."""
    return pd.DataFrame(
        [
            {WORDS.label("column.model"): WORDS.label(f"model.{name}")}
            | {WORDS.label(f"score.{measure}"): score for measure, score in scores.items()}
            for name, scores in judged.items()
        ]
    )
