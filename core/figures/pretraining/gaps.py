"""Hidden words: what two models put into each gap, what moves when another text follows, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, OCHRE
from core.figures.token_label import label_token
from core.models.pretraining.gaps import Filled, TokenisedWord
from core.words.numbers import percent, plain_number

MODELS = ("masked model", "causal model")
HUES, COLOURS = ("blue", "ochre"), (BLUE, OCHRE)
LISTED = 6  # tokens of a gap that are seen from the back row
ROUNDING = 1e-5  # a change of a prediction that is none


def probability(p: float) -> str:
    """Return a probability with three decimals; a small one with two digits, one that is not quite 1 as such.

    >>> probability(0.25), probability(0.00012), probability(0.99996), probability(1.0)
    ('0.250', '0.00012', '> 0.999', '1.000')
    """
    if 0.9995 <= p < 1:
        return "> 0.999"
    return f"{p:.3f}" if p >= 0.0095 else plain_number(p, 2)


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
    part = f", piece {t - here.start + 1} of {here.stop - here.start}" if here.stop - here.start > 1 else ""
    which = f"Gap {i + 1} of {n}" if n > 1 else "The gap"
    return {
        "word": place,
        "said": f"{which}: hidden is “{names[fillings[0].hidden[i]]}”{part}",
        "models": [
            {"name": name[0].upper() + name[1:], "hue": hue, "rows": listed(each, i, names)}
            for name, hue, each in zip(MODELS, HUES, fillings, strict=True)
        ],
    }


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
    columns = {
        "place": fillings[0].places + 1,
        "hidden": [names[token] for token in fillings[0].hidden],
    }
    for name, filled in zip(MODELS, fillings, strict=True):
        columns |= {
            f"{name}: guess": [names[token] for token in filled.guesses],
            f"{name}: p of the hidden token": np.exp(filled.ln_p_hidden),
            f"{name}: its rank": filled.ranks,
        }
    return pd.DataFrame(columns)


def rewritten_gap_figure(before: np.ndarray, after: np.ndarray, names: Sequence[str], colour: str) -> Figure:
    """Return the likeliest tokens at a gap, with p before and after what follows it was rewritten."""
    top = np.argsort(-np.maximum(before, after), kind="stable")[:LISTED]
    top = top[np.argsort(-before[top], kind="stable")]
    figure = blank(270, y="p")
    places, labels = np.arange(len(top)), [names[i].replace("<", "&lt;") for i in top]
    for name, p, opacity in (("as it was", before, 0.45), ("rewritten", after, 1.0)):
        look = {"color": colour, "opacity": opacity}
        hover = f"%{{customdata}}: %{{y:.4f}}<extra>{name}</extra>"
        figure.add_trace(
            bar(x=places, y=p[top], name=name, marker=look, customdata=labels, hovertemplate=hover)
        )
    figure.update_layout(barmode="group", bargap=0.25)
    return figure.update_xaxes(tickvals=places, ticktext=labels, tickangle=-40)


def what_both_say(found: Sequence[Filled], names: Sequence[str], T: int) -> str:
    """Say what both models give the hidden tokens of T, which of them expects those more, and what it could look at."""
    n, (both, left) = len(found[0].places), (float(each.bits.mean()) for each in found)
    if n == 1:
        p, q = (probability(float(np.exp(each.ln_p_hidden[0]))) for each in found)
        said = (
            f"The hidden token “{names[found[0].hidden[0]]}” has p = {p} for the masked model (rank "
            f"{found[0].ranks[0]:,}) and p = {q} for the causal model (rank {found[1].ranks[0]:,})."
        )
    else:
        right = [int((each.ranks == 1).sum()) for each in found]
        said = (
            f"Of {n} hidden tokens the masked model guesses {right[0]}, the causal model {right[1]}; a hidden token "
            f"costs the masked model {both:.2f} bits on average and the causal model {left:.2f}. At a later gap the causal "
            "model reads its own guess for an earlier one."
        )
    seen = set(range(T)) - set(found[0].places.tolist())
    better = MODELS[0 if both < left else 1]
    if not seen:
        return f"{said} Neither has a word to look at; the {better} gives what is hidden more probability."
    if max(seen) < found[0].places.min():
        return f"{said} Nothing is shown after it, so both see the same; the {better} gives what is hidden more probability."
    if both < left:
        return f"{said} Here the masked model, which also sees what follows, gives what is hidden more probability."
    return f"{said} Here the causal model gives what is hidden more probability, though it does not see what follows."


def what_pieces_spell(word: TokenisedWord, filled: Filled, names: Sequence[str]) -> str:
    """Say what the masked model's guesses for a hidden word of several byte pairs spell together."""
    place, n = filled.places.tolist().index(word.start), word.stop - word.start
    spelt = "".join(names[token] for token in filled.guesses[place : place + n])
    right = filled.guesses[place : place + n].tolist() == filled.hidden[place : place + n].tolist()
    return (
        f"“{label_token(word.text)}” is {n} byte pairs, so {n} gaps. The masked model fills each without knowing what it "
        f"puts into the others; its best guesses side by side are “{spelt}”: "
        f"{'the word itself' if right else 'not the word'}. The causal model goes from piece to piece and reads its own "
        "guess before the next. How many pieces there are only the masked model can see."
    )


def moved_share(change: float) -> str:
    """Return a total variation in per cent; one of rounding alone is none.

    >>> moved_share(0.25), moved_share(1e-8)
    ('25.0%', 'none')
    """
    return percent(change) if change > ROUNDING else "none"


def what_follows_moves(changes: Sequence[float], same: bool, alone: str = "") -> str:
    """Say how much of both models' probability moved (total variation) when another text followed the gap.

    `alone` is the word that is hidden here where others were hidden, too.

    >>> what_follows_moves([0.25, 0.0], same=False).split(":")[0]
    "25.0% of the masked model's probability moved, and none of the causal model's"
    """
    only = f" Here “{alone}” alone is hidden, and all other words can be read." if alone else ""
    if same:
        return f"What follows is the same as before, so nothing moved.{only}"
    moved, left = map(moved_share, changes)
    return (
        f"{moved} of the masked model's probability moved, and {left} of the causal model's: the words after the gap were "
        f"sent to both, but the causal mask hides them.{only}"
    )


def several(n: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is 1.

    >>> several(1, "token"), several(1200, "token")
    ('1 token', '1,200 tokens')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
