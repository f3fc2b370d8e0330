"""Hidden words: what two models put into each gap, what moves when another text follows, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, OCHRE
from core.figures.pretraining import WORDS, heads, name
from core.figures.token_label import label_token
from core.models.pretraining.gaps import Filled, TokenisedWord
from core.words.numbers import probability

MODELS = ("masked", "causal")
HUES, COLOURS = ("blue", "ochre"), (BLUE, OCHRE)
LISTED = 6  # tokens of a gap that are seen from the back row
ROUNDING = 1e-5  # a change of a prediction that is none


def gaps_view(
    words: Sequence[TokenisedWord],
    seen: Sequence[str],
    hidden: Collection[int],
    fillings: Sequence[Filled],
    names: Sequence[str],
) -> dict:
    """Return what the view "gaps" needs: the words as they are `seen`, which are `hidden`, what the models fill in.

    Without `fillings`, as before a guess, only the sentence with its gaps is sent. `names` are all tokens as shown.
    """
    guesses = [dict(zip(each.places.tolist(), each.guesses.tolist(), strict=True)) for each in fillings]
    return {
        "words": [
            {
                "word": text,
                "masks": each.stop - each.start if place in hidden else 0,
                "guesses": [
                    [hue, "".join(names[guess[t]] for t in range(each.start, each.stop))]
                    for hue, guess in zip(HUES, guesses, strict=False)
                    if place in hidden
                ],
            }
            for place, (each, text) in enumerate(zip(words, seen, strict=True))
        ],
        "gaps": [gap(i, words, fillings, names) for i in range(len(fillings[0].places))] if fillings else [],
        "start": 0,
        "predicting": False,
    }


def gap(i: int, words: Sequence[TokenisedWord], fillings: Sequence[Filled], names: Sequence[str]) -> dict:
    """Return the i-th gap: the word it belongs to, what is hidden in it, and both models' lists."""
    t, n = int(fillings[0].places[i]), len(fillings[0].places)
    place = next(w for w, each in enumerate(words) if each.start <= t < each.stop)
    here = words[place]
    return {
        "word": place,
        "said": WORDS.label(
            "gaps.gap",
            i=i + 1,
            n=n,
            token=names[fillings[0].hidden[i]],
            piece=t - here.start + 1,
            pieces=here.stop - here.start,
        ),
        "models": [
            {"name": title(model), "hue": hue, "rows": listed(each, i, names)}
            for model, hue, each in zip(MODELS, HUES, fillings, strict=True)
        ],
    }


def title(model: str) -> str:
    """Return a model's name as a heading.

    >>> title("masked")
    'Masked model'
    """
    said = name(model)
    return said[0].upper() + said[1:]


def listed(filled: Filled, i: int, names: Sequence[str]) -> list[dict]:
    """Return the likeliest tokens at the i-th gap, each with its rank; the hidden one last if it is not among them."""
    order = np.argsort(-filled.ln_p[i], kind="stable")[:LISTED].tolist()
    own = int(filled.hidden[i])
    rows = [*enumerate(order, 1)]
    if own not in order:
        rows[-1] = (int(filled.ranks[i]), own)
    p = np.exp(filled.ln_p[i])
    return [
        {
            "token": names[token],
            "p": float(f"{p[token]:.6g}"),
            "text": probability(p[token]),
            "hidden": token == own,
            "rank": rank,
        }
        for rank, token in rows
    ]


def gaps_table(fillings: Sequence[Filled], names: Sequence[str]) -> pd.DataFrame:
    """Return each gap with its hidden token, and both models' guess, p and rank of the hidden token."""
    (position,) = heads("position")
    columns = {
        position: fillings[0].places + 1,
        WORDS.label("gaps.column.hidden"): [names[token] for token in fillings[0].hidden],
    }
    for model, filled in zip(MODELS, fillings, strict=True):
        guess, p, rank = (
            WORDS.label(f"gaps.column.{key}", model=name(model)) for key in ("guess", "p", "rank")
        )
        columns |= {
            guess: [names[token] for token in filled.guesses],
            p: np.exp(filled.ln_p_hidden),
            rank: filled.ranks,
        }
    return pd.DataFrame(columns)


def rewritten_gap_figure(before: np.ndarray, after: np.ndarray, names: Sequence[str], colour: str) -> Figure:
    """Return the likeliest tokens at a gap, with p before and after what follows it was rewritten."""
    top = np.argsort(-np.maximum(before, after), kind="stable")[:LISTED]
    top = top[np.argsort(-before[top], kind="stable")]
    figure = blank(270, y="p")
    places, labels = np.arange(len(top)), [names[i].replace("<", "&lt;") for i in top]
    for key, p, opacity in (("before", before, 0.45), ("after", after, 1.0)):
        when, look = WORDS.label(f"gaps.{key}"), {"color": colour, "opacity": opacity}
        hover = f"%{{customdata}}: %{{y:.4f}}<extra>{when}</extra>"
        figure.add_trace(
            bar(x=places, y=p[top], name=when, marker=look, customdata=labels, hovertemplate=hover)
        )
    figure.update_layout(barmode="group", bargap=0.25)
    return figure.update_xaxes(tickvals=places, ticktext=labels, tickangle=-40)


def what_both_say(found: Sequence[Filled], names: Sequence[str], T: int) -> str:
    """Say what both models give the hidden tokens of T, which of them expects those more, and what it could look at."""
    n, bits = len(found[0].places), [float(each.bits.mean()) for each in found]
    shown = set(range(T)) - set(found[0].places.tolist())
    before = bool(shown) and max(shown) < found[0].places.min()
    return WORDS.label(
        "gaps.both",
        n=n,
        token=names[found[0].hidden[0]],
        p=[probability(float(np.exp(each.ln_p_hidden[0]))) for each in found],
        ranks=[int(each.ranks[0]) for each in found],
        right=[int((each.ranks == 1).sum()) for each in found],
        bits=bits,
        better=name(MODELS[bits[0] >= bits[1]]),
        seen="before" if before else "both" if shown else "nothing",
    )


def what_pieces_spell(word: TokenisedWord, filled: Filled, names: Sequence[str]) -> str:
    """Say what the masked model's guesses for a hidden word of several byte pairs spell together."""
    place, n = filled.places.tolist().index(word.start), word.stop - word.start
    guesses = filled.guesses[place : place + n].tolist()
    return WORDS.label(
        "gaps.pieces",
        word=label_token(word.text),
        n=n,
        guessed="".join(names[token] for token in guesses),
        right=guesses == filled.hidden[place : place + n].tolist(),
    )


def what_follows_moves(changes: Sequence[float], same: bool, alone: str = "") -> str:
    """Say how much of both models' probability moved (total variation) when another text followed the gap.

    `alone` is the word that is hidden here where others were hidden, too.

    >>> what_follows_moves([0.25, 0.0], same=False).split(". ")[0]
    "25.0% of the masked model's probability moved, and none of the causal model's"
    """
    moved = [change if change > ROUNDING else 0.0 for change in changes]
    return WORDS.label("gaps.moved", moved=moved, same=same, alone=alone)
