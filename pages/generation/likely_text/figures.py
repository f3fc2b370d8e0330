"""Pictures of likely texts: a loop as a ring, what each text has cost, how many loop; the lab's tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.generation.text_numbers import Formula, worked_mean, worked_sum
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, PINK, VERMILLION, faded
from core.figures.token_label import label_token
from core.figures.worked import number
from core.models.generation.degeneration import Cycle, JudgedText, Pooled
from core.models.generation.repetition import Repetitions
from core.models.language_model import bits
from core.words.numbers import format_share, signed
from pages.generation.likely_text import LESSON
from pages.generation.shared.shown_tokens import name_token

WORDS = LESSON.words
COLOURS = {"real": VERMILLION, "greedy": BLUE, "beam": GREEN, "top_p": OCHRE, "sampled": PINK}
HUES = {"real": "vermillion", "greedy": "blue", "beam": "green", "top_p": "ochre", "sampled": "pink"}
LINE_END = "¶"
DARKEST, SHADE = 10.0, 0.85  # bits of the darkest token, and how much of the hue is behind it
LEAST_RIVAL = 0.01  # p of a token that is drawn as a way out
RING_AT_MOST = 20  # tokens of a loop that is drawn as a ring
ENTER = 20  # characters of the words before a loop
PER_ROW, APART = 19, 0.3  # dots of half a row, and how far its two halves are from its middle
ROUNDING = 1e-5  # bits: a text scored with more text behind it differs a little in float32


# The story: a loop as a ring, and texts beside it.


def name_in_text(before: str, token: str) -> str:
    """Return a token as a ring shows it, behind the token before it: what begins a line continues no word.

    >>> name_in_text(" man", "."), name_in_text(chr(10), "B"), name_in_text("B", "IR"), name_in_text(":", chr(10))
    ('.', 'B', '…IR', '¶')
    """
    if token == "\n":
        return LINE_END
    return label_token(token) if before.endswith("\n") else name_token(token)


def write_lines(text: str) -> str:
    """Return a text in one line, the ends of its lines as marks.

    >>> write_lines("so." + chr(10) + "I")
    'so. ¶ I'
    """
    return text.replace("\n", f" {LINE_END} ")


def draw_step(
    token: str,
    kind: str = "plain",
    p: float | None = None,
    rival: tuple[str, float] | None = None,
    number: bool = True,
) -> dict:
    """Return a token of a ring; `p` is of the token behind it, `rival` the second most probable one there."""
    leaves = None
    if rival and rival[1] >= LEAST_RIVAL:
        leaves = {"token": rival[0], "text": format_share(rival[1]), "p": rival[1]}
    text = "" if p is None or not number else format_share(p)
    return {"token": token, "kind": kind, "p": p, "text": text, "faint": 0, "exit": leaves}


def draw_ring(steps: Sequence[dict], enter: str, middle: str, below: str) -> dict:
    """Return a loop's tokens as a ring; `below` is the small text in its middle."""
    return {"enter": enter, "middle": middle, "below": below.replace(" / ", "\n"), "steps": list(steps)}


def draw_loop(texts: Sequence[dict] = (), rings: Sequence[dict] = (), key: Sequence[str] = ()) -> dict:
    """Return the data of the view "loop"."""
    explained = [{"kind": kind, "text": WORDS.label(f"key.{kind}")} for kind in key]
    return {"texts": list(texts), "rings": list(rings), "key": explained}


def draw_text(way: str, pieces: Sequence[dict], note: str = "") -> dict:
    """Return a text with its name."""
    return {"label": WORDS.label(f"text.{way}"), "note": note, "hue": HUES[way], "pieces": list(pieces)}


def draw_piece(text: str, kind: str = "plain", bits: float = 0.0) -> dict:
    """Return a piece of a text; the more `bits` it has, the darker it is."""
    return {"text": write_lines(text), "kind": kind, "shade": round(SHADE * min(1.0, bits / DARKEST), 3)}


def cut_start(text: str, most: int = ENTER) -> str:
    """Return the last words of a text that have room.

    >>> cut_start("and say you are not fit. Not a whit, sir, I"), cut_start("I")
    ('… Not a whit, sir, I', 'I')
    """
    line = " ".join(write_lines(text).split())
    if len(line) <= most:
        return line
    kept = line[1 - most :]  # with the character before, to see whether a word is cut
    return f"… {kept.partition(' ')[2] or kept}"


def draw_curve(lines: Mapping[str, np.ndarray], loop: Cycle, rounds: int) -> Figure:
    """Return the bits that each text has cost so far, with its name at its end, and where the loop is.

    `lines` {way: ln p of its tokens, (n,)}.
    """
    figure = blank(420, WORDS.label("axis.tokens"), WORDS.label("axis.bits"))
    most = max(float(bits(ln_p).sum()) for ln_p in lines.values())
    n = max(len(ln_p) for ln_p in lines.values())
    figure.add_vrect(x0=loop.start, x1=n, fillcolor=BLUE, opacity=0.1, line_width=0)
    for at in range(1, rounds + 1):
        figure.add_vline(x=loop.start + at * loop.length, line={"color": faded(BLUE, 0.35), "width": 1})
    for way, ln_p in lines.items():
        y = np.concatenate(([0.0], np.cumsum(bits(ln_p))))
        line = {"color": COLOURS[way], "width": 5}
        figure.add_trace(scatter(x=np.arange(len(y)), y=y, mode="lines", line=line, showlegend=False))
        below = way == "real"  # of two lines that rise together the lower one
        at = round((0.5 if below else 0.72 if way == "sampled" else 0.97) * n)
        figure.add_annotation(
            x=at,
            y=float(y[at]),
            text=f"<b>{WORDS.label(f'text.{way}')}</b>",
            xanchor="left" if below else "right",
            yanchor="top" if below else "bottom",
            yshift=-6 if below else 8,
            showarrow=False,
            font={"size": 18, "color": COLOURS[way]},
        )
    figure.add_annotation(
        x=loop.start,
        y=1.09 * most,
        text=WORDS.label("mark.loop"),
        xanchor="left",
        yanchor="top",
        xshift=6,
        showarrow=False,
        font={"size": 16},
    )
    figure.update_xaxes(range=[0, n], tickfont={"size": 16})
    return figure.update_yaxes(range=[0, 1.1 * most], tickfont={"size": 16})


def draw_counts(counts: Mapping[str, int], texts: int) -> Figure:
    """Return a dot for each text, two rows for each way to write, those that end in a loop filled and first."""
    figure = blank(420)
    for at, (way, count) in enumerate(counts.items()):
        colour, y = COLOURS[way], -2.0 * at
        figure.add_trace(
            scatter(
                x=[i % PER_ROW + 1 for i in range(texts)],
                y=[y - 2 * APART * (i // PER_ROW) for i in range(texts)],
                mode="markers",
                marker={
                    "size": 14,
                    "color": [colour if i < count else "rgba(0,0,0,0)" for i in range(texts)],
                    "line": {"color": colour, "width": 2},
                },
                showlegend=False,
                hoverinfo="skip",
            )
        )
        name, said = WORDS.label(f"text.{way}"), WORDS.label("row.counts", n=count, texts=texts)
        for text, x, anchor in ((name, 0.5, "left"), (said, PER_ROW + 0.5, "right")):
            figure.add_annotation(
                x=x,
                y=y + 0.42,
                text=f"<b>{text}</b>",
                xanchor=anchor,
                yanchor="bottom",
                yshift=-4,
                showarrow=False,
                font={"size": 17, "color": colour},
            )
    figure.update_xaxes(visible=False, range=[0.3, PER_ROW + 0.7])
    return figure.update_yaxes(visible=False, range=[-2.0 * (len(counts) - 1) - 1.1, 1.3])


# The lab.


def name_way(way: str, width: int) -> str:
    """Return the label of a way to write; a beam has its width."""
    return WORDS.label(f"way.{way}", width=width)


def bits_so_far_figure(texts: Sequence[JudgedText], width: int, height: int = 380) -> Figure:
    """Return the bits that each text has cost so far, and a ring where it begins to loop; the flatter, the more probable."""
    figure = blank(height, WORDS.label("axis.tokens"), WORDS.label("axis.bits"))
    for each in texts:
        label, colour = name_way(each.way, width), COLOURS[each.way]
        y = np.concatenate(([0.0], np.cumsum(bits(each.scored.ln_p))))
        figure.add_trace(
            scatter(
                x=np.arange(len(y)),
                y=y,
                mode="lines",
                name=label,
                line={"color": colour, "width": 4 if each.way == "real" else 3},
                hovertemplate=WORDS.label("hover.bits") + f"<extra>{label}</extra>",
            )
        )
        if loop := each.cycle:
            ring = {"size": 16, "color": "rgba(0,0,0,0)", "line": {"color": colour, "width": 4}}
            figure.add_trace(
                scatter(
                    x=[loop.start],
                    y=[y[loop.start]],
                    mode="markers",
                    marker=ring,
                    name=WORDS.label("mark.begins", way=label),
                    showlegend=False,
                    hovertemplate=WORDS.label("hover.loop", length=loop.length) + f"<extra>{label}</extra>",
                )
            )
    return figure


def tell_bits(texts: Sequence[JudgedText], width: int) -> str:
    """Return the bits that each text has cost at its end, the most first, and where each loop begins."""
    cost = {each.way: float(bits(each.scored.ln_p).sum()) for each in texts}
    return WORDS.label(
        "alt.bits",
        n=max((len(each.scored.tokens) for each in texts), default=0),
        costs=[
            WORDS.label("alt.bits.cost", way=name_way(way, width), bits=cost[way])
            for way in sorted(cost, key=lambda way: -cost[way])
        ],
        loops=[
            WORDS.label(
                "alt.bits.loop",
                way=name_way(each.way, width),
                start=each.cycle.start + 1,
                length=each.cycle.length,
            )
            for each in texts
            if each.cycle
        ],
    )


def repetitions_figure(p: np.ndarray, means: np.ndarray, tokens: Sequence[str], height: int = 330) -> Figure:
    """Return p of each token of a phrase in each round, (R, n), and their geometric mean, (R,).

    >>> figure = repetitions_figure(np.array([[0.1, 0.4], [0.4, 0.9]]), np.array([0.2, 0.6]), ["so", "be"])
    >>> [trace.y.tolist() for trace in figure.data]
    [[0.1, 0.4], [0.4, 0.9], [0.2, 0.6]]
    """
    figure = blank(height, WORDS.label("axis.round"), WORDS.label("axis.p"))
    rounds = np.arange(1, len(p) + 1)
    for i, token in enumerate(tokens):
        figure.add_trace(
            scatter(
                x=rounds,
                y=p[:, i],
                mode="lines",
                line={"color": faded(GREY, 0.5), "width": 1.5},
                name=escape_label(token),
                hovertemplate=f"{escape_label(token)}: p %{{y:.3f}}<extra></extra>",
                showlegend=False,
            )
        )
    mean = WORDS.label("line.mean")
    figure.add_trace(
        scatter(
            x=rounds,
            y=means,
            mode="lines+markers+text",
            text=[f"{value:.2f}" for value in means],
            textposition="top center",
            line={"color": BLUE, "width": 4},
            marker={"size": 10},
            name=mean,
            hovertemplate=f"{mean} %{{y:.3f}}<extra></extra>",
            showlegend=False,
            cliponaxis=False,
        )
    )
    figure.update_yaxes(range=[0, 1.05])
    return figure.update_xaxes(dtick=1)


def likely_or_varied_figure(
    ways: Mapping[str, Pooled], width: int, usual: float | None = None, height: int = 360
) -> Figure:
    """Return each way to write as a point: ln p of a token against the share of different word pairs.

    `usual` is the model's mean ln p on held-out text, drawn as a line whose name is below the points.
    """
    figure = blank(height, WORDS.label("axis.mean"), WORDS.label("axis.varied"))
    for way, found in ways.items():
        figure.add_trace(
            scatter(
                x=[found.mean],
                y=[found.varied],
                mode="markers+text",
                text=[name_way(way, width)],
                textposition="top center",
                textfont={"color": COLOURS[way]},
                marker={"size": 17, "color": COLOURS[way]},
                name=name_way(way, width),
                hovertemplate=WORDS.label("hover.varied") + f"<extra>{name_way(way, width)}</extra>",
                showlegend=False,
                cliponaxis=False,
            )
        )
    values = [found.mean for found in ways.values()] + ([] if usual is None else [usual])
    room = 0.2 * max(max(values) - min(values), 0.1)
    low = min(found.varied for found in ways.values())
    if usual is not None:
        figure.add_vline(x=usual, line={"color": GREY, "dash": "dash"})
        figure.add_annotation(
            x=usual,
            y=low - 0.2,
            text=WORDS.label("line.usual"),
            xanchor="left",
            yanchor="bottom",
            xshift=6,
            showarrow=False,
        )
    figure.update_xaxes(range=[min(values) - room, max(values) + room])
    return figure.update_yaxes(range=[low - 0.22, 1.18], tickformat=".0%")


def say_loop(loop: Cycle | None) -> str:
    """Say from where a text loops.

    >>> say_loop(Cycle(12, 5, 4.0)), say_loop(Cycle(0, 1, 9.0)), say_loop(None)
    ('from token 13 on the same 5 tokens, 4.0 times', 'from token 1 on the same token, 9.0 times', 'no loop')
    """
    if loop is None:
        return WORDS.label("loop.none")
    return WORDS.label("loop.found", start=loop.start + 1, length=loop.length, times=loop.times)


def say_costs(cost: Mapping[str, float], loops: Sequence[str], width: int) -> str:
    """Say what a token of the real text costs in bits, which text is the most probable, and which loop."""
    least = min(cost.values())
    cheapest = [way for way in cost if cost[way] - least < ROUNDING]  # two where two ways wrote the same text
    return WORDS.label(
        "says.costs",
        real=cost["real"],
        real_least="real" in cheapest,
        cheapest=[name_way(way, width) for way in cheapest],
        least=least,
        loops=[name_way(way, width) for way in loops],
    )


def say_pooled(ways: Mapping[str, Pooled], width: int) -> str:
    """Say how probable and varied the beam's texts are, and which way is the nearest to the real text."""
    real, beam = ways["real"], ways["beam"]
    nearest = min((way for way in ways if way != "real"), key=lambda way: abs(ways[way].mean - real.mean))
    return WORDS.markdown(
        "says.pooled",
        beam=name_way("beam", width),
        times=float(np.exp(beam.mean - real.mean)),
        beam_varied=beam.varied,
        real_varied=real.varied,
        real=signed(real.mean),
        sampled=signed(ways["sampled"].mean),
        nearest=name_way(nearest, width),
        nearest_mean=signed(ways[nearest].mean),
    )


def say_counts(ways: Mapping[str, Pooled], passages: int, width: int) -> str:
    """Say how many texts of each way end in a loop."""
    counts = [f"{name_way(way, width)} {found.circles}" for way, found in ways.items()]
    return WORDS.markdown("says.counts", passages=passages, counts=counts, none=ways["greedy"].circles == 0)


def say_repetitions(found: Repetitions) -> str:
    """Say what repeating a phrase does to its p, and whether greedy search would write it once more."""
    means, n = found.means, found.ln_p.shape[1]
    change = np.diff(means)
    same = np.allclose(change[1:], 0.0, atol=1e-6)
    way = "same" if same else "up" if (change > 0).all() else "down" if (change < 0).all() else "mixed"
    return WORDS.markdown(
        "says.repetitions",
        means=means.tolist(),
        way=way,
        rises=int((change > 0).sum()),
        falls=int((change < 0).sum()),
        first=int(found.likeliest[-1].sum()),
        n=n,
    )


def label_columns(table: Mapping[str, object]) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return a table whose columns have their labels, and the id of each label."""
    ids = {WORDS.label(f"column.{column}"): column for column in table}
    return pd.DataFrame(dict(zip(ids, table.values(), strict=True))), ids


def texts_table(
    every: Sequence[JudgedText], sources: Sequence[str], width: int
) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each text, and the rows' formulas."""
    table, ids = label_columns(
        {
            "after": list(sources),
            "way": [name_way(each.way, width) for each in every],
            "tokens": [len(each.scored.tokens) for each in every],
            "total": [each.scored.total for each in every],
            "mean": [each.scored.mean for each in every],
            "different": [each.pairs[0] for each in every],
            "pairs": [each.pairs[1] for each in every],
            "distinct": [each.pairs[0] / max(1, each.pairs[1]) for each in every],
            "loop": [say_loop(each.cycle) for each in every],
            "text": [label_token(each.text) for each in every],
        }
    )

    def formula(row: int, column: str) -> str | None:
        (different, pairs), ln_p = every[row].pairs, every[row].scored.ln_p
        if ids[column] == "distinct":
            return rf"\frac{{{different}}}{{{pairs}}} = {number(different / max(1, pairs))}"
        if ids[column] == "total":
            return worked_sum(ln_p)
        return worked_mean(float(ln_p.sum()), len(ln_p)) if ids[column] == "mean" else None

    return table, formula


def repetitions_table(found: Repetitions, names: Sequence[str]) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each token in each round, and the rows' formulas.

    >>> found = Repetitions(np.log([[0.25, 0.5]]), np.array([[False, True]]))
    >>> repetitions_table(found, "ab")[0]["p"].tolist()
    [0.25, 0.5]
    """
    rounds, n = found.ln_p.shape
    ln_p = found.ln_p.ravel()
    table, ids = label_columns(
        {
            "round": np.repeat(np.arange(1, rounds + 1), n),
            "token": list(names) * rounds,
            "ln_p": ln_p,
            "p": np.exp(ln_p),
            "first": found.likeliest.ravel(),
        }
    )

    def formula(row: int, column: str) -> str | None:
        p = rf"p = e^{{{number(ln_p[row])}}} = {number(float(np.exp(ln_p[row])))}"
        return p if ids[column] == "p" else None

    return table, formula
