"""Pictures of tokenization: cuts, ids as codes, unknown tokens by vocabulary size, text length, and their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank, write_axes
from core.figures.figure import Figure, bar, heatmap, scatter, subplots
from core.figures.label import label
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, SEQUENTIAL, VERMILLION, faded
from core.figures.token_label import label_token
from core.figures.tokens.token_rows import in_hex
from core.figures.tokens.zipf import drawn_places
from core.figures.worked import made_by, number, word
from core.models.tokens.codes import bits_needed, one_hot
from core.models.tokens.three_ways import BYTE_PAIRS, CHARACTERS, Token, Way, three_ways
from core.models.tokens.three_ways import WORDS as BY_WORDS
from core.models.tokens.unknown_tokens import ALL_BYTES, HALF_CHARACTERS, HALF_WORDS, OWN
from pages.tokens.text_as_tokens import LESSON

WORDS = LESSON.words
CURVES = {OWN: "own", HALF_WORDS: "half_words", HALF_CHARACTERS: "half_characters", ALL_BYTES: "all_bytes"}
IDS = {CHARACTERS: "characters", BYTE_PAIRS: "byte_pairs", BY_WORDS: "words"}
HUES = {"characters": "blue", "byte_pairs": "green", "words": "ochre"}
COLOURS = {"characters": BLUE, "byte_pairs": GREEN, "words": OCHRE, "gpt2": VERMILLION}
COLUMNS = {
    "ways": ("way", "tokens", "types", "V", "held", "bits"),
    "tokens": ("token", "known", "id", "binary", "bytes"),
}
STORY_FONT = 17


def cut_figure(cuts: Mapping[str, Sequence[Token]], passage: str, height: int = 220) -> Figure:
    """Return a passage cut several ways, one below the other; a token is as wide as its bytes and stands over them."""
    content = passage.lower().encode()
    figure = blank(height, WORDS.label("axis.bytes"))
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
                text=[escape(label_token(token.text), quote=False) for token in tokens],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                constraintext="none",
                customdata=[token.id for token in tokens],
                hovertemplate="%{customdata}<extra></extra>",
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
    titles = WORDS.label("codes.one_hot", V=V), WORDS.label("codes.binary", b=b)
    figure = subplots(1, 2, titles, column_widths=[0.5, 0.5], horizontal_spacing=0.03, shared_yaxes=True)
    ids = one_hot([token.id for token in tokens], V).argmax(axis=1)
    names = [f"{label(label_token(token.text))} {token.id:,}" for token in tokens]
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
    figure.update_xaxes(
        col=1, range=[-0.02 * V - 0.5, 1.02 * V], title=WORDS.label("axis.id"), zeroline=False, showgrid=False
    )
    return figure.update_xaxes(col=2, showticklabels=False, zeroline=False, showgrid=False)


def unknown_figure(shares: Mapping[str, np.ndarray], k: int | None = None, height: int = 340) -> Figure:
    """Return the share of unknown tokens by the number k of types that a vocabulary has, for each named curve."""
    figure = blank(height, WORDS.label("axis.types"))
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
                name=(called := WORDS.label(f"curve.{CURVES[name]}")),
                line={"color": colour, "width": 3},
                hovertemplate=f"%{{x:,}}: %{{y:.1%}}<extra>{called}</extra>",
            )
        )
    if k is not None:
        line = {"color": GREY, "dash": "dash", "width": 2}
        figure.add_trace(scatter(x=[k, k], y=[0, 1], mode="lines", name=f"k = {k:,}", line=line))
    figure.update_xaxes(type="log", dtick=1)
    return figure.update_yaxes(
        tickformat=".0%", range=[-0.03, 1.03], title=escape(WORDS.label("axis.unknown"))
    )


def worked_sum(way: Way, three: Sequence[int]) -> str:
    r"""Return the sum of the binary codes of two tokens, which is a third one's code, with the tokens below.

    >>> from core.models.tokens.byte_pairs import BytePairs
    >>> from core.models.tokens.three_ways import three_ways
    >>> worked_sum(three_ways("to be or not", BytePairs(()))["words"], (1, 2, 3))
    '\\underset{\\text{to}}{001} + \\underset{\\text{be}}{010} = \\underset{\\text{or}}{011}'
    """
    b = bits_needed(len(way.vocabulary))
    one, other, third = (rf"\underset{{{word(label_token(way.name_of(i)))}}}{{{i:0{b}b}}}" for i in three)
    return f"{one} + {other} = {third}"


def ways_table(found: Mapping[str, Way], characters: int) -> tuple:
    """Return the table of the ways to cut a text of so many characters, and the formula of its cells."""
    ways, columns = list(found.values()), named_columns("ways")
    sizes = [len(way.vocabulary) for way in ways]
    cells = (
        [WORDS.label(f"way.{IDS[way.name]}") for way in ways],
        [way.tokens for way in ways],
        [way.types for way in ways],
        sizes,
        [characters / way.tokens for way in ways],
        list(map(bits_needed, sizes)),
    )
    table = pd.DataFrame(dict(zip(columns.values(), cells, strict=True)))

    def formula(row: int, column: str) -> str | None:
        return dict(zip(columns.values(), worked_way(ways[row], characters), strict=True))[column]

    return table, formula


def named_columns(table: str) -> dict[str, str]:
    """Return {id: label} of a table's columns, in order."""
    return {each: WORDS.label(f"{table}.{each}") for each in COLUMNS[table]}


def worked_way(way: Way, characters: int) -> tuple[str | None, ...]:
    r"""Return the formulas of a row of the table of ways, None for a label; `characters` are those of the text.

    >>> from core.models.tokens.byte_pairs import BytePairs
    >>> worked_way(three_ways("a cat, a hat", BytePairs(()))["words"], 12)[3:5]
    ('V = 3 + 1 = 4', '\\frac{12}{4} = 3')
    """
    V = len(way.vocabulary)
    return (
        None,
        rf"{made_by(three_ways)} N = {way.tokens}",
        rf"{made_by(three_ways)} {way.types}",
        rf"V = {V}" if way.name == BYTE_PAIRS else rf"V = {way.types} + 1 = {V}",
        rf"\frac{{{characters}}}{{{way.tokens}}} = {number(characters / way.tokens)}",
        rf"\lceil \log_2 {V} \rceil = {bits_needed(V)}",
    )


def tokens_table(way: Way, tokens: Sequence[Token]) -> tuple:
    """Return the table of a passage's tokens with their ids, codes and bytes, and the formula of its cells."""
    V, columns = len(way.vocabulary), named_columns("tokens")
    cells = (
        [label_token(token.text) for token in tokens],
        [WORDS.label("no" if token.unknown else "yes") for token in tokens],
        [token.id for token in tokens],
        [f"{token.id:0{bits_needed(V)}b}" for token in tokens],
        [in_hex(token.bytes) for token in tokens],
    )
    table = pd.DataFrame(dict(zip(columns.values(), cells, strict=True)))

    def formula(row: int, column: str) -> str | None:
        return worked_code(tokens[row], V) if column == columns["binary"] else None

    return table, formula


def worked_code(token: Token, V: int) -> str:
    r"""Return the binary code of a token: its id as a sum of powers of two.

    >>> worked_code(Token("cat", 6, b"cat"), 9)
    '6 = 2^{2} + 2^{1} \\;\\to\\; 0110'
    """
    b = bits_needed(V)
    powers = [rf"2^{{{place}}}" for place in range(b)[::-1] if token.id >> place & 1]
    return rf"{token.id} = {' + '.join(powers) or '0'} \;\to\; {token.id:0{b}b}"


# The story.


def draw_bars(title: str, most: float, rows: Sequence[tuple[str, float, str]], best: str = "") -> dict:
    """Return a bar for each way (its id, value and text), the best one framed."""
    drawn = [
        {
            "name": WORDS.label(f"way.{name}"),
            "mark": f"row.{name}",
            "from": 0,
            "to": value,
            "text": text,
            "note": "",
            "kind": "best" if name == best else "plain",
            "hue": HUES[name],
        }
        for name, value, text in rows
    ]
    return {"panels": [{"title": title, "least": 0, "most": most, "rows": drawn}], "sum": ""}


def one_hot_figure(tokens: Sequence[Token], V: int) -> Figure:
    """Return tokens' one-hot vectors as grey lines of V places, with a mark at the one place that is 1."""
    rows = list(range(len(tokens)))
    figure = blank(520, WORDS.label("axis.place", V=V))
    for y in rows:
        line = {"color": faded(GREY, 0.5), "width": 5}
        figure.add_trace(scatter(x=[0, V - 1], y=[y, y], mode="lines", line=line, hoverinfo="skip"))
    ids = [token.id for token in tokens]
    figure.add_trace(
        scatter(
            x=ids,
            y=rows,
            mode="markers+text",
            text=[f"1 ({i:,})" for i in ids],
            textposition=["top left" if i > V / 2 else "top right" for i in ids],
            marker={"color": VERMILLION, "symbol": "square", "size": 15},
            hoverinfo="skip",
        )
    )
    names = [label(token.text) for token in tokens]
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.7], tickvals=rows, ticktext=names, showgrid=False, zeroline=False
    )
    figure.update_xaxes(range=[-0.03 * V, 1.03 * V], tickformat=",", showgrid=False, zeroline=False)
    return large(figure, left=90)


def length_figure(curve: np.ndarray, points: Mapping[str, tuple[int, int]]) -> Figure:
    """Return how many tokens a text has by the size of the vocabulary: after each merge, and for other ways."""
    figure = blank(520, WORDS.label("axis.vocabulary"), WORDS.label("axis.tokens"))
    sizes = 256 + np.arange(len(curve))
    shown_at = np.unique(np.round(np.geomspace(1, len(curve), 40))).astype(int) - 1
    line = {"color": GREEN, "width": 4}
    figure.add_trace(scatter(x=sizes[shown_at], y=curve[shown_at], mode="lines", line=line, hoverinfo="skip"))
    for name, (V, tokens) in points.items():
        figure.add_trace(
            scatter(
                x=[V],
                y=[tokens],
                mode="markers+text",
                text=[WORDS.label(f"point.{name}", n=tokens)],
                textposition="top center" if name == "characters" else "top right",
                marker={"color": COLOURS[name], "size": 15},
                hoverinfo="skip",
            )
        )
    figure.update_xaxes(type="log", range=[1.4, 4.5], tickvals=[100, 1000, 10_000], tickformat=",")
    figure.update_yaxes(range=[0, 195_000], tickformat=",")
    return large(figure, left=90)


def large(figure: Figure, left: int) -> Figure:
    """Return a figure with letters as large as a story needs."""
    figure.update_layout(
        font={"size": STORY_FONT}, showlegend=False, margin={"l": left, "r": 20, "t": 20, "b": 60}
    )
    return figure.update_traces(textfont={"size": STORY_FONT})
