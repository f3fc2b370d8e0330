"""Tables of tokens: ways to cut a text, a passage's ids and codes, merges, and the formulas of their cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.tokens.text_as_tokens import in_hex, shown
from core.figures.worked import how_often, made_by, number, word
from core.models.tokens.byte_pairs import BytePairs, learn_merges
from core.models.tokens.codes import bits_needed
from core.models.tokens.merge_steps import merges_made
from core.models.tokens.three_ways import Token, Way, three_ways


def ways_table(found: Mapping[str, Way], characters: int) -> tuple:
    """Return the table of the ways to cut a text of so many characters, and the formula of its cells."""
    ways = list(found.values())
    rows = []
    for way in ways:
        V = len(way.vocabulary)
        rows.append((way.name, way.tokens, way.types, V, characters / way.tokens, bits_needed(V)))
    names = ["cut into", "tokens", "types", "vocabulary V", "characters a token", "bits of an id"]
    return pd.DataFrame(rows, columns=names), lambda row, column: worked_way(ways[row], characters, column)


def tokens_table(way: Way, tokens: Sequence[Token]) -> tuple:
    """Return the table of a passage's tokens with their ids, codes and bytes, and the formula of its cells."""
    V = len(way.vocabulary)
    table = pd.DataFrame(
        {
            "token": [shown(token.text) for token in tokens],
            "known": ["no" if token.unknown else "yes" for token in tokens],
            "id": [token.id for token in tokens],
            "binary": [f"{token.id:0{bits_needed(V)}b}" for token in tokens],
            "one-hot": [f"1 at place {token.id:,} of 0 to {V - 1:,}" for token in tokens],
            "bytes": [in_hex(token.bytes) for token in tokens],
        }
    )
    return table, lambda row, column: worked_code(tokens[row], V, column)


def worked_way(way: Way, characters: int, column: str) -> str | None:
    r"""Return the formula of a cell of the table of ways; None for a label. `characters` are those of the text.

    >>> from core.models.tokens.byte_pairs import BytePairs
    >>> worked_way(three_ways("a cat, a hat", BytePairs(()))["words"], 12, "characters a token")
    '\\frac{12\\text{ characters}}{4\\text{ tokens}} = 3'
    """
    V = len(way.vocabulary)
    return {
        "tokens": rf"{made_by(three_ways)} N = {way.tokens}",
        "types": rf"{made_by(three_ways)} {way.types}\text{{ different ones among {way.tokens} tokens}}",
        "vocabulary V": rf"V = {V}" if way.name == "byte pairs" else rf"V = {way.types} + 1 = {V}",
        "characters a token": rf"\frac{{{characters}\text{{ characters}}}}{{{way.tokens}\text{{ tokens}}}} "
        f"= {number(characters / way.tokens)}",
        "bits of an id": rf"\lceil \log_2 {V} \rceil = {bits_needed(V)}",
    }.get(column)


def worked_code(token: Token, V: int, column: str) -> str | None:
    r"""Return the formula of a cell of the table of codes: the id as a sum of powers of two.

    >>> worked_code(Token("cat", 6, b"cat"), 9, "binary")
    '6 = 2^{2} + 2^{1} \\;\\to\\; 0110'
    """
    b = bits_needed(V)
    powers = [rf"2^{{{place}}}" for place in range(b)[::-1] if token.id >> place & 1]
    return {
        "binary": rf"{token.id} = {' + '.join(powers) or '0'} \;\to\; {token.id:0{b}b}",
        "one-hot": rf"x_{{{token.id}}} = 1,\quad x_j = 0 \text{{ for the other {V - 1}}}",
    }.get(column)


def merges_table(pairs: BytePairs, N: np.ndarray, made: np.ndarray) -> tuple:
    """Return the table of merges and what each does to a text, and the formula of its cells.

    N (merges + 1,) and made (merges,) are `tokens_by_merges` and `merges_made` of that text.
    """
    both = [[shown(each) for each in pairs.names(pair)] for pair in pairs.merges]
    table = pd.DataFrame(
        {
            "merge": range(1, len(both) + 1),
            "left": [left for left, _ in both],
            "right": [right for _, right in both],
            "id": range(256, len(pairs)),
            "counted": pairs.counts,
            "made in your text": made,
            "tokens after": N[1:],
        }
    )
    return table, lambda row, column: worked_merge(pairs, N, made, row, column)


def worked_merge(pairs: BytePairs, N: np.ndarray, made: np.ndarray, row: int, column: str) -> str | None:
    r"""Return the formula of a cell of the table of merges; N and made are `tokens_by_merges` and `merges_made`.

    >>> pairs = learn_merges("aaabdaaabac", merges=1)
    >>> worked_merge(pairs, np.array([11, 9]), np.array([2]), 0, "tokens after")
    'N_{1} = N_{0} - 2 = 11 - 2 = 9'
    """
    left, right = (word(shown(pairs.names([i])[0])) for i in pairs.merges[row])
    return {
        "id": rf"256 + {row + 1} - 1 = {256 + row}",
        "counted": rf"{made_by(learn_merges)} c({left}, {right}) = {pairs.counts[row]}",
        "made in your text": rf"{made_by(merges_made)} \text{{{how_often(int(made[row]))}}}",
        "tokens after": rf"N_{{{row + 1}}} = N_{{{row}}} - {made[row]} = {N[row]} - {made[row]} = {N[row + 1]}",
    }.get(column)
