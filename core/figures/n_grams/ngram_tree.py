"""The tree of n-gram counts along a path, as the browser view draws it: what came after each part of the path."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.n_grams.ngram_text import CountedText


def tree_columns(counted: CountedText, path: Sequence[int], depth: int, most: int = 10) -> dict:
    """Return the payload of the view `ngram_tree`: one column for each part of `path`, at most `depth` of them.

    A column has the `most` most frequent next tokens, the path's own next token wherever it ranks, and in the
    first one the start of a sentence; all others are its `rest`.

    >>> from core.models.n_grams.ngram_text import count_text
    >>> counted = count_text("I am Sam. Sam I am.", order=2)
    >>> [child["token"] for child in tree_columns(counted, counted.read("i"), 2)["columns"][1]["children"]]
    ['am']
    """
    path = [int(token) for token in path[:depth]]
    places = range(min(len(path) + 1, depth))
    columns = [column(counted, path[:i], path[i] if i < len(path) else None, most) for i in places]
    return {"columns": columns, "path": path}


def column(counted: CountedText, context: Sequence[int], chosen: int | None, most: int) -> dict:
    """Return the next tokens after one context; shares are counts over the context's count, c(hw) / c(h)."""
    pairs = counted.counts.continuations(context)
    total, start = sum(count for _, count in pairs), len(counted.vocabulary)
    shown = pairs[:most] + [pair for pair in pairs[most:] if pair[0] == chosen]
    rest = len(pairs) - len(shown), total - sum(count for _, count in shown)
    children = [child(counted, token, count, count / total) for token, count in shown]
    if not context:
        starts = sum(count for _, count in counted.counts.continuations([start]))
        children.append(child(counted, start, starts, 0.0))
    return {
        "context": counted.write(context) or "any token",
        "total": total,
        "types": len(pairs),
        "children": children,
        "rest": {"types": rest[0], "count": rest[1]},
    }


def child(counted: CountedText, token: int, count: int, share: float) -> dict:
    """Return one row of a column. The start of a sentence has a count but no share: it is never predicted."""
    return {"id": int(token), "token": counted.name(token), "count": int(count), "share": float(share)}
