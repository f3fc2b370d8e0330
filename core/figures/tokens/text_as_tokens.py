"""Pictures of a text's tokens: the same passage cut several ways, codes of its tokens, and what is unknown by size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from core.figures.blank import FONT_SIZE, blank, write_axes
from core.figures.figure import Figure, bar, heatmap, scatter, subplots
from core.figures.label import label
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, SEQUENTIAL, VERMILLION, faded
from core.figures.tokens.zipf import drawn_places
from core.figures.worked import word
from core.models.tokens.codes import bits_needed, one_hot
from core.models.tokens.three_ways import Token, Way

SPACES = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥"})


def shown(text: str) -> str:
    """Return a token with its white space as signs.

    >>> shown(" the"), shown("")
    ('␣the', '∅')
    """
    return text.translate(SPACES) or "∅"


def in_hex(content: bytes) -> str:
    """Return bytes as they are written in hexadecimal.

    >>> in_hex("é".encode())
    'c3 a9'
    """
    return content.hex(" ")


def token_rows(cuts: Mapping[str, Sequence[Token]], said: Mapping[str, str]) -> dict:
    """Return what the view "token_rows" draws: a row for each way to cut, with what is `said` of it.

    A token is [what is shown, its id, its bytes, 1 where it is unknown].

    >>> token_rows({"words": [Token("cat", 7, b"cat")]}, {"words": "one token"})["rows"][0]["tokens"]
    [['cat', 7, '63 61 74', 0]]
    """
    return {
        "rows": [
            {
                "name": name,
                "said": said[name],
                "tokens": [
                    [shown(token.text), token.id, in_hex(token.bytes), int(token.unknown)] for token in tokens
                ],
            }
            for name, tokens in cuts.items()
        ]
    }


def byte_row(tokens: Sequence[Token]) -> list[Token]:
    """Return the bytes of some tokens, each as a token of its own that is named in hexadecimal.

    >>> [token.text for token in byte_row([Token("é", 3, "é".encode())])]
    ['c3', 'a9']
    """
    every = b"".join(token.bytes for token in tokens)
    return [Token(in_hex(bytes([byte])), byte, bytes([byte])) for byte in every]


def cut_figure(cuts: Mapping[str, Sequence[Token]], passage: str, height: int = 220) -> Figure:
    """Return a passage cut several ways, one below the other; a token is as wide as its bytes and stands over them."""
    content = passage.lower().encode()
    figure = blank(height, "bytes of the passage")
    for tokens, y in zip(cuts.values(), range(len(cuts)), strict=True):
        widths = [len(token.bytes) for token in tokens]
        colours = [VERMILLION if token.unknown else (BLUE, GREEN)[i % 2] for i, token in enumerate(tokens)]
        figure.add_trace(
            bar(
                x=widths,
                base=starts(content, tokens),
                y=[y] * len(tokens),
                orientation="h",
                width=0.8,
                marker={
                    "color": [faded(colour, 0.25) for colour in colours],
                    "line": {"color": colours, "width": 1},
                },
                text=[escape(shown(token.text), quote=False) for token in tokens],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                constraintext="none",
                customdata=[token.id for token in tokens],
                hovertemplate="%{text}: id %{customdata}<extra></extra>",
            )
        )
    figure.update_layout(barmode="overlay", showlegend=False)
    return figure.update_yaxes(
        tickvals=list(range(len(cuts))), ticktext=list(cuts), autorange="reversed", showgrid=False
    )


def starts(content: bytes, tokens: Sequence[Token]) -> list[int]:
    """Return the byte at which each token begins; words leave out what stands between them.

    >>> starts(b"a cat, a hat", [Token("a", 1, b"a"), Token("cat", 2, b"cat"), Token("a", 1, b"a")])
    [0, 2, 7]
    """
    found, end = [], 0
    for token in tokens:
        place = content.find(token.bytes.lower(), end)
        found.append(place if place >= 0 else end)
        end = found[-1] + len(token.bytes)
    return found


def codes_figure(tokens: Sequence[Token], codes: np.ndarray, V: int) -> Figure:
    """Return tokens' ids as one-hot rows, a point at the one place that is 1, and beside them as bits, codes (T, b)."""
    rows, b = list(range(len(tokens))), codes.shape[1]
    titles = (f"one-hot: {V:,}", f"binary: {b}")  # short: a phone has room for no more
    figure = subplots(1, 2, titles, column_widths=[0.5, 0.5], horizontal_spacing=0.03, shared_yaxes=True)
    ids = one_hot([token.id for token in tokens], V).argmax(axis=1)
    names = [f"{label(shown(token.text))} {token.id:,}" for token in tokens]
    figure.add_trace(
        scatter(
            x=ids,
            y=rows,
            mode="markers",
            marker={"color": VERMILLION, "symbol": "square", "size": 9},
            customdata=names,
            hovertemplate="%{customdata}<extra></extra>",
        ),
        1,
        1,
    )
    figure.add_trace(
        heatmap(
            z=codes.tolist(),
            x=list(range(b)),
            y=rows,
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=2.5,
            showscale=False,
            xgap=1,
            ygap=1,
            hoverinfo="skip",
        ),
        1,
        2,
    )
    bits = [(place, row, f"{codes[row, place]}") for row in rows for place in range(b)]
    x, y, text = zip(*bits, strict=True)
    figure.add_trace(scatter(x=x, y=y, text=text, mode="text", hoverinfo="skip"), 1, 2)
    figure.update_layout(
        height=70 + 26 * len(rows),
        margin={"l": 8, "r": 8, "t": 34, "b": 8},
        font={"size": FONT_SIZE},
        showlegend=False,
        dragmode="pan",
    )
    write_axes(figure).update_annotations(font={"size": FONT_SIZE})
    figure.update_yaxes(range=[len(rows) - 0.5, -0.5], tickvals=rows, ticktext=names, zeroline=False)
    figure.update_xaxes(col=1, range=[-0.02 * V - 0.5, 1.02 * V], title="id", zeroline=False, showgrid=False)
    return figure.update_xaxes(col=2, showticklabels=False, zeroline=False, showgrid=False)


def unknown_figure(shares: Mapping[str, np.ndarray], k: int | None = None, height: int = 340) -> Figure:
    """Return the share of unknown tokens by the number k of types that a vocabulary has, for each named curve."""
    figure = blank(height, "types in the vocabulary, the most frequent", "share of tokens that are <unk>")
    colours = (BLUE, VERMILLION, OCHRE, GREEN)
    longest = max(map(len, shares.values()))
    for (name, share), colour in zip(shares.items(), colours, strict=False):
        places = drawn_places(max(1, len(share) - 1)) if len(share) > 1 else np.array([1, longest - 1])
        values = share[places] if len(share) > 1 else np.full(2, share[0])
        figure.add_trace(
            scatter(
                x=places,
                y=values,
                mode="lines+markers" if len(set(places)) == 1 else "lines",
                name=name,
                line={"color": colour, "width": 3},
                hovertemplate=f"%{{x:,}} types: %{{y:.1%}}<extra>{name}</extra>",
            )
        )
    if k is not None:
        line = {"color": GREY, "dash": "dash", "width": 2}
        figure.add_trace(scatter(x=[k, k], y=[0, 1], mode="lines", name=f"k = {k:,}", line=line))
    figure.update_xaxes(type="log", dtick=1)
    return figure.update_yaxes(
        tickformat=".0%", range=[-0.03, 1.03], title="share of tokens that are &lt;unk&gt;"
    )


def worked_sum(way: Way, three: Sequence[int]) -> str:
    r"""Return the sum of the binary codes of two tokens, which is a third one's code, with the tokens below.

    >>> from core.models.tokens.byte_pairs import BytePairs
    >>> from core.models.tokens.three_ways import three_ways
    >>> worked_sum(three_ways("to be or not", BytePairs(()))["words"], (1, 2, 3))
    '\\underset{\\text{to}}{001} + \\underset{\\text{be}}{010} = \\underset{\\text{or}}{011}'
    """
    b = bits_needed(len(way.vocabulary))
    one, other, third = (rf"\underset{{{word(shown(way.name_of(i)))}}}{{{i:0{b}b}}}" for i in three)
    return f"{one} + {other} = {third}"
