"""Where the best path flips as one probability goes from 0 to 1, solved and not searched on a grid.

Let p be the probability, and let the others of its row share 1 - p as they do now. A path that uses p itself a times
and the others of its row b times has the probability

    c p^a (1 - p)^b        c: the product of all its other factors

For each pair (a, b) only the path with the largest c can be the best, and a Viterbi recursion that counts along finds
it. The best path flips where the uppermost of these curves crosses another one: ln c + a ln p + b ln(1 - p) equal.

Source: the idea is that of parametric shortest paths: Karp and Orlin (1981), Parametric shortest path algorithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.models.hidden_markov_models.hmm import HiddenMarkovModel, joint_log_probability
from core.models.hidden_markov_models.viterbi import viterbi
from core.models.hidden_markov_models.what_if import rows_of, shares_of_others, with_probability

EDGE = 1e-12  # flips nearer to 0 or 1 than this are not looked for
HALVINGS = 60  # of the interval in which a crossing is looked for: to the last bit of a 64-bit number


@dataclass(frozen=True)
class Stretch:
    """An interval of p on which one path is best: its probability is e^log_constant p^own (1 - p)^rest."""

    start: float
    end: float
    path: tuple[int, ...]
    log_constant: float
    own: int  # a: how often the path uses the probability itself
    rest: int  # b: how often it uses another one of its row

    def log_probability(self, p: np.ndarray | float) -> np.ndarray | float:
        """Return ln p(path, words) where the probability that is changed is p."""
        return self.log_constant + self.own * np.log(p) + self.rest * np.log1p(-p)


def best_paths(
    model: HiddenMarkovModel, words: Sequence[str], table: str, row: int, column: int
) -> list[Stretch]:
    """Return the stretches of (0, 1) on each of which one path is best; it flips where one ends.

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> found = best_paths(ice_cream_diary(), ["2", "1"], "initial", 0, 0)  # 0.144 (1 - p) and 0.09 p
    >>> [(round(each.start, 4), each.path, round(float(np.exp(each.log_constant)), 4)) for each in found]
    [(0.0, (1, 1), 0.144), (0.6154, (0, 1), 0.09)]
    """
    curves = curves_of(model, words, table, row, column)
    places, uppermost = [0.0], [first_curve(curves)]
    while crossing := next_crossing(curves, uppermost[-1], places[-1]):
        places.append(crossing[0])
        uppermost.append(crossing[1])
    found = []
    for start, end, curve in zip(places, [*places[1:], 1.0], uppermost, strict=True):
        changed = with_probability(model, table, row, column, (start + end) / 2)
        emission = changed.emissions(words).log_emission
        best = viterbi(changed.log_initial, changed.log_transition, emission, changed.log_end)
        log_constant, own, rest = curves[curve]
        found.append(Stretch(start, end, best.path, float(log_constant), int(own), int(rest)))
    return found


def nearest_flip(stretches: Sequence[Stretch], now: float) -> float | None:
    """Return the flip that is nearest to `now`, None where one path is best for every value.

    >>> nearest_flip([Stretch(0, 0.2, (0,), 0, 0, 1), Stretch(0.2, 0.7, (1,), 0, 1, 1), Stretch(0.7, 1, (0,), 0, 1, 0)], 0.6)
    0.7
    """
    flips = [stretch.start for stretch in stretches[1:]]
    return min(flips, key=lambda flip: abs(flip - now)) if flips else None


def curve_of_path(
    model: HiddenMarkovModel, words: Sequence[str], path: Sequence[int], table: str, row: int, column: int
) -> Stretch:
    """Return one path's probability c p^a (1 - p)^b, whether it is the best path or not, on all of (0, 1).

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> curve = curve_of_path(ice_cream_diary(), ["3", "1", "3"], (0, 0, 0), "transition", 0, 0)
    >>> round(float(np.exp(curve.log_constant)), 6), curve.own, curve.rest  # 0.6 x 0.5 x 0.2 x 0.5
    (0.03, 2, 0)
    """
    logs, own, rest = counted_tables(model, words, table, row, column)
    log_constant, a, b = (
        joint_log_probability(
            path, *(each[name] for name in ("initial", "transition", "emission", "end"))
        ).sum()
        for each in (logs, own, rest)
    )
    return Stretch(0.0, 1.0, tuple(path), float(log_constant), int(a), int(b))


def curves_of(
    model: HiddenMarkovModel, words: Sequence[str], table: str, row: int, column: int
) -> np.ndarray:
    """Return (ln c, a, b) of the best path for each pair (a, b) that a path can have, shape (m, 3); O(n^3 K^2)."""
    logs, own, rest = counted_tables(model, words, table, row, column)
    n, K = logs["emission"].shape
    best = np.full((K, n + 1, n + 1), -np.inf)  # [state, a, b]
    for j in range(K):
        a, b = (used["initial"][j] + used["emission"][0, j] for used in (own, rest))
        best[j, a, b] = logs["initial"][j] + logs["emission"][0, j]
    for t in range(1, n):
        before, best = best, np.full_like(best, -np.inf)
        for i, j in np.ndindex(K, K):
            a, b = (used["transition"][i, j] + used["emission"][t, j] for used in (own, rest))
            weight = logs["transition"][i, j] + logs["emission"][t, j]
            best[j, a:, b:] = np.maximum(best[j, a:, b:], before[i, : n + 1 - a, : n + 1 - b] + weight)
    final = np.full((n + 2, n + 2), -np.inf)
    for j in range(K):
        a, b = own["end"][j], rest["end"][j]
        part = final[a : a + n + 1, b : b + n + 1]
        np.maximum(part, best[j] + logs["end"][j], out=part)
    used = np.argwhere(np.isfinite(final))
    return np.column_stack([final[tuple(used.T)], used])


def counted_tables(
    model: HiddenMarkovModel, words: Sequence[str], table: str, row: int, column: int
) -> tuple[dict, dict, dict]:
    """Return each table's logarithms without p and 1 - p, and which of its numbers use p, and which 1 - p.

    Each is {"initial": (K,), "transition": (K, K), "emission": (n, K), "end": (K,)}.
    """
    K, columns = len(model.states), model.columns(words)
    rows = {name: rows_of(model, name).copy() for name in ("initial", "transition", "emission")}
    own, rest = ({name: np.zeros(logs.shape, dtype=int) for name, logs in rows.items()} for _ in range(2))
    with np.errstate(divide="ignore"):
        rows[table][row] = np.log(shares_of_others(np.exp(rows[table][row]), column))
    rows[table][row, column] = 0.0
    rest[table][row], rest[table][row, column], own[table][row, column] = 1, 0, 1
    emission = replace(model, log_emission=rows["emission"]).rows(words, columns)
    seen = (columns >= 0)[:, None]

    def by_word(tables: dict, emission: np.ndarray) -> dict:
        following = tables["transition"]
        end = following[:, K] if following.shape[1] > K else np.zeros(K, dtype=following.dtype)
        return {
            "initial": tables["initial"][0],
            "transition": following[:, :K],
            "emission": emission,
            "end": end,
        }

    return by_word(rows, emission), *(
        by_word(used, used["emission"].T[columns] * seen) for used in (own, rest)
    )


def first_curve(curves: np.ndarray) -> int:
    """Return the curve that is uppermost just above p = 0."""
    log_constant, own, rest = curves.T
    return int((log_constant + own * np.log(EDGE) + rest * np.log1p(-EDGE)).argmax())


def next_crossing(curves: np.ndarray, now: int, place: float) -> tuple[float, int] | None:
    """Return where, above `place`, another curve first rises over the curve `now`, and which does; None if none does.

    The difference of two curves, dc + da ln p + db ln(1 - p), has at most one turning point, da / (da + db), so it
    rises through nought at most once, between bounds that are known.
    """
    dc, da, db = (curves - curves[now]).T
    with np.errstate(divide="ignore", invalid="ignore"):
        turning = np.clip(np.where(da * db > 0, da / (da + db), np.nan), EDGE, 1 - EDGE)
    low = np.where((da < 0) & (db < 0), turning, EDGE)
    high = np.where((da > 0) & (db > 0), turning, 1 - EDGE)

    def difference(p: np.ndarray) -> np.ndarray:
        return dc + da * np.log(p) + db * np.log1p(-p)

    rises = (difference(low) < 0) & (difference(high) > 0) & ((da > 0) | (db < 0))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        below = difference(middle) < 0
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    crossing = np.where(rises & (high > place + EDGE), high, np.inf)
    first = crossing.min()
    if not np.isfinite(first):
        return None
    slope = np.where(crossing <= first + EDGE, da / first - db / (1 - first), -np.inf)
    return float(first), int(slope.argmax())
