"""Rows of tokens for the view "token_rows": a passage cut several ways, and how a token is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.token_label import label_token
from core.models.tokens.three_ways import Token


def in_hex(content: bytes) -> str:
    """Return bytes as they are written in hexadecimal.

    >>> in_hex("é".encode())
    'c3 a9'
    """
    return content.hex(" ")


def token_rows(
    cuts: Mapping[str, Sequence[Token]],
    said: Mapping[str, str],
    totals: Mapping[str, str] | None = None,
    ids: bool = False,
    sum: str = "",
    lost: str = "",
    fresh: Mapping[str, int] | None = None,
) -> dict:
    """Return what the view draws: a row for each way to cut, with what is `said` of it and its total.

    A token is [what is shown, its id, its bytes, 1 where it is unknown, 2 where it is new]; `lost` is shown in place of
    an unknown one. `fresh` has the id of the new token of a row.

    >>> token_rows({"words": [Token("cat", 7, b"cat")]}, {"words": "one token"})["rows"][0]["tokens"]
    [['cat', 7, '63 61 74', 0]]
    >>> token_rows({"words": [Token("cat", 7, b"cat")]}, {}, fresh={"words": 7})["rows"][0]["tokens"][0][3]
    2
    """
    rows = [
        {
            "name": name,
            "said": said.get(name, ""),
            "total": (totals or {}).get(name, ""),
            "tokens": [
                [
                    lost if lost and token.unknown else label_token(token.text),
                    token.id,
                    in_hex(token.bytes),
                    2 if token.id == (fresh or {}).get(name) else int(token.unknown),
                ]
                for token in tokens
            ],
        }
        for name, tokens in cuts.items()
    ]
    return {"rows": rows, "ids": ids, "sum": sum}


def byte_row(tokens: Sequence[Token]) -> list[Token]:
    """Return the bytes of some tokens, each as a token of its own that is named in hexadecimal.

    >>> [token.text for token in byte_row([Token("é", 3, "é".encode())])]
    ['c3', 'a9']
    """
    every = b"".join(token.bytes for token in tokens)
    return [Token(in_hex(bytes([byte])), byte, bytes([byte])) for byte in every]
