"""Pictures of training word vectors: the story's map, window and step, and the lab's window, loss and worked step."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter
from core.figures.palette import BLUE, GREY, PINK, VERMILLION, faded
from core.figures.worked import dot_product, enough_digits, number, word
from core.models.word_vectors.negative_sampling import NegativeSamplingStep, window
from core.models.word_vectors.recorded_vectors import RecordedPair, RecordedVectors, RecordedVectorTraining
from core.words.numbers import plain_number
from pages.word_vectors.word_vector_training import LESSON

WORDS = LESSON.words
HUES = {"royal": "pink", "animal": "ochre", "food": "green", "city": "sky"}
TRUE, NOISE = "blue", "vermillion"
PLANE = {"x": [-2.1, 2.3], "y": [-0.4, 2.3]}  # of the worked step
FAN = {"x": [-0.66, 0.66], "y": [0, 1]}
ORIGIN = {"key": "0", "text": "0", "x": 0, "y": 0, "hue": "grey", "kind": "plain", "trail": []}
MOST = 60  # windows, where the bars of contexts end
AROUND = 7  # words shown to either side of the window's centre
SENTENCES = {
    "queen": "the crown made the queen happy so she sang",
    "king": "the crown made the king happy so he sang",
}
STAGES = ("dot", "sigmoid", "loss", "gradient", "update")


# The story.


def draw_map(
    run: RecordedVectorTraining,
    moment: RecordedVectors,
    title: str = "",
    strong: Container[str] = (),
    links: Iterable[tuple[str, str, str]] = (),
    trails: Mapping[str, Sequence[RecordedVectors]] | None = None,
) -> dict:
    """Return the data of the view "word_plane": where the words of the run point at a moment.

    `links` are (word, other word, text); `trails` {word: the moments that it comes from}.
    """
    row = {each: i for i, each in enumerate(run.words)}
    points = [
        {
            **describe_point(each, run.groups[i], moment.places[i]),
            "kind": "strong" if each in strong else "plain",
            "trail": [list(past.places[i]) for past in (trails or {}).get(each, ())],
        }
        for each, i in row.items()
    ]
    arrows = [
        {
            "key": f"{one}.{other}",
            "from": list(moment.places[row[one]]),
            "to": list(moment.places[row[other]]),
            "text": text,
            "kind": "link",
            "hue": HUES["royal"],
        }
        for one, other, text in links
    ]
    return {
        "panels": [{"title": title, "range": reach_of(run), "points": points, "arrows": arrows}],
        "key": key_of_groups(),
    }


def draw_fans(run: RecordedVectorTraining) -> dict:
    """Return the words as rays from 0, after training with noise and, beside it, after training without."""
    trainings = (("noise", run.fan, run.moments[-1].mean), ("bare", run.fan_bare, run.mean_bare))
    panels = [
        {
            "title": WORDS.label(f"fan.{name}", k=run.negatives, n=len(run.words), mean=mean),
            "range": FAN,
            "points": [
                {**describe_point(each, run.groups[i], places[i]), "kind": "bare", "trail": [[0, 0]]}
                for i, each in enumerate(run.words)
            ]
            + [ORIGIN],
            "arrows": [],
        }
        for name, places, mean in trainings
    ]
    return {"panels": panels, "key": key_of_groups()}


def describe_point(text: str, group: str, place: Sequence[float]) -> dict:
    """Return a word as a point of its group's hue."""
    return {"key": text, "text": text, "x": place[0], "y": place[1], "hue": HUES[group]}


def key_of_groups() -> list[dict]:
    """Return what the hues of the words mean."""
    return [
        {"kind": "plain", "hue": hue, "text": WORDS.label(f"group.{group}")} for group, hue in HUES.items()
    ]


def reach_of(run: RecordedVectorTraining) -> dict:
    """Return the ends of the map, in which all moments have room."""
    places = np.array([moment.places for moment in run.moments])  # (moments, n, 2)
    return {
        axis: [float(places[..., i].min()), float(places[..., i].max())] for i, axis in enumerate(("x", "y"))
    }


def draw_step(pair: RecordedPair, revealed: bool) -> dict:
    """Return the plane of the worked step: v, the output vectors, and where the true word and the noise move v.

    The plane holds the true word's output vector and the noise's weighted sum, and so the step itself.
    """
    step = pair.worked()
    pull, push = (1 - step.sigmoid) * step.context, -step.negative_sigmoids @ step.negatives
    across = step.context / np.linalg.norm(step.context)
    up = -push + (push @ across) * across
    plane = np.array([up / np.linalg.norm(up), across])  # (2, d)
    start = plane @ step.v
    moves = {
        "pull": (pull, TRUE, "arrow"),
        "push": (push, NOISE, "arrow"),
        "step": (pull + push, "pink", "strong"),
    }
    arrows = [
        {
            "key": name,
            "from": start.tolist(),
            "to": (start + plane @ move).tolist(),
            "text": WORDS.label(f"arrow.{name}"),
            "kind": kind,
            "hue": hue,
        }
        for name, (move, hue, kind) in moves.items()
    ]
    outputs = [
        (pair.true, step.context, TRUE),
        *((w, u, NOISE) for w, u in zip(pair.noise, step.negatives, strict=True)),
    ]
    points = [
        {
            "key": f"out.{name}",
            "text": name,
            "hue": hue,
            "kind": "open",
            **place_of(plane @ vector),
            "trail": [[0, 0]],
        }
        for name, vector, hue in outputs
    ]
    points.append({"key": pair.given, "text": pair.given, "hue": "pink", "kind": "strong", **place_of(start)})
    points.append(ORIGIN)
    key = [("plain", "pink", "given"), ("open", TRUE, "true"), ("open", NOISE, "noise")]
    title = WORDS.label("title.pair", step=pair.step)
    return {
        "panels": [{"title": title, "range": PLANE, "points": points, "arrows": arrows if revealed else []}],
        "key": [{"kind": kind, "hue": hue, "text": WORDS.label(f"key.{name}")} for kind, hue, name in key],
    }


def place_of(place: np.ndarray) -> dict:
    """Return where a point is, without a trail."""
    return {"x": float(place[0]), "y": float(place[1]), "trail": []}


def draw_sentence(
    word_: str,
    size: int,
    hue: str,
    label: str = "",
    focus: str = "",
    arcs: bool = False,
    other: Container[str] = (),
) -> dict:
    """Return the sentence around a word with its window, as the view "word_pairs" reads it."""
    tokens = SENTENCES[word_].split()
    centre = tokens.index(word_)
    near = window(tokens, centre, size)
    kinds = {place: "other" if tokens[place] in other else "near" for place in near}
    kinds |= {place: "focus" for place in near if tokens[place] == focus} | {centre: "centre"}
    return {
        "label": label,
        "hue": hue,
        "arcs": arcs,
        "tokens": [{"text": token, "kind": kinds.get(i, "plain")} for i, token in enumerate(tokens)],
    }


def draw_window(run: RecordedVectorTraining) -> dict:
    """Return the queen's sentence with an arc for each true pair, and the pairs."""
    tokens = SENTENCES["queen"].split()
    near = window(tokens, tokens.index("queen"), run.window)
    rows = [
        {
            "name": WORDS.label("pair", n=n, given="queen", other=tokens[place]),
            "note": "",
            "mark": f"pair.{n}",
            "bars": [],
        }
        for n, place in enumerate(near, 1)
    ]
    sentence = draw_sentence("queen", run.window, "pink", arcs=True)
    return {"sentences": [sentence], "title": "", "ends": [], "rows": rows, "key": []}


def draw_guesses(run: RecordedVectorTraining) -> dict:
    """Return the true pair and its noise, each with its probability before training."""
    pair = run.pair
    rows = [
        {
            "name": WORDS.label("pair.plain", given=pair.given, other=other),
            "note": WORDS.label(f"pair.{kind}"),
            "mark": f"pair.{other}",
            "bars": [{"share": 0.5, "text": "0.50", "hue": hue, "kind": "plain"}],
        }
        for other, kind, hue in [(pair.true, "true", TRUE), *((each, "noise", NOISE) for each in pair.noise)]
    ]
    return {
        "sentences": [draw_sentence("queen", run.window, "pink", focus=pair.true)],
        "title": WORDS.label("guess.title"),
        "ends": ["0", "1"],
        "rows": rows,
        "key": [],
    }


def draw_met(run: RecordedVectorTraining) -> dict:
    """Return how often crown and queen are in a window around king."""
    met = {word_: count for word_, _, count in run.near_king}
    rows = [
        {
            "name": other,
            "note": "",
            "mark": f"near.{other}",
            "bars": [{"share": met[other] / MOST, "text": str(met[other]), "hue": "pink", "kind": "hollow"}],
        }
        for other in ("crown", "queen")
    ]
    return {
        "sentences": [draw_sentence("king", run.window, "pink", focus="crown")],
        "title": WORDS.label("met.title"),
        "ends": ["0", str(MOST)],
        "rows": rows,
        "key": [],
    }


def draw_nearest(run: RecordedVectorTraining) -> dict:
    """Return the words nearest to king, with their cosines and how often each is in a window around king."""
    rows = [
        {
            "name": other,
            "note": WORDS.label("met.note", n=count),
            "mark": f"near.{other}",
            "bars": [{"share": cosine, "text": f"{cosine:.2f}", "hue": "pink", "kind": "plain"}],
        }
        for other, cosine, count in run.near_king
    ]
    return {
        "sentences": [draw_sentence("king", run.window, "pink", focus="crown")],
        "title": WORDS.label("nearest.title"),
        "ends": ["0", "1"],
        "rows": rows,
        "key": [],
    }


def draw_contexts(run: RecordedVectorTraining) -> dict:
    """Return the two sentences, and how often each of their words is in a window around king and around queen."""
    other = {word_ for word_, *counts in run.contexts if min(counts) == 0}
    rows = [
        {
            "name": context,
            "note": "",
            "mark": f"context.{context}",
            "bars": [
                {"share": count / MOST, "text": str(count), "hue": "pink", "kind": kind}
                for count, kind in zip(counts, ("hollow", "plain"), strict=True)
            ],
        }
        for context, *counts in run.contexts
    ]
    return {
        "sentences": [draw_sentence(each, run.window, "pink", other=other) for each in ("king", "queen")],
        "title": WORDS.label("contexts.title"),
        "ends": ["0", str(MOST)],
        "rows": rows,
        "key": [
            {"hue": "pink", "kind": kind, "text": each}
            for each, kind in (("king", "hollow"), ("queen", "plain"))
        ],
    }


# The lab.


def window_figure(
    tokens: Sequence[str],
    centre: int,
    contexts: Sequence[int],
    left_out: Container[int] = (),
    height: int = 190,
    told: str = "",
) -> Figure:
    """Return a text with an arc from its centre word to each word of the window; words left out in parentheses.

    `told` is the window in a sentence, for whoever does not see it.
    """
    first, last = max(0, centre - AROUND), min(len(tokens), centre + AROUND + 1)
    figure, highest = blank(height), 0.5
    for context in contexts:
        left, right = sorted((centre, context))
        bend = 0.25 + 0.16 * (right - left)
        highest = max(highest, 0.25 * 0.12 + 0.75 * bend)  # of the arc: a cubic curve's middle
        path = f"M {left} 0.12 C {left} {bend}, {right} {bend}, {right} 0.12"
        figure.add_shape(type="path", path=path, line={"color": BLUE, "width": 2.5})
    shown = range(first, last)
    colours = {centre: PINK, **dict.fromkeys(contexts, BLUE)}
    figure.add_trace(
        scatter(
            x=list(shown),
            y=[0] * len(shown),
            mode="text",
            text=[f"({tokens[place]})" if place in left_out else tokens[place] for place in shown],
            textfont={"color": [colours.get(place, GREY) for place in shown], "size": FONT_SIZE + 3},
            hoverinfo="skip",
            showlegend=False,
            name=told or None,
            customdata=[WORDS.label(f"role.{role_of(place, centre, contexts, left_out)}") for place in shown],
        )
    )
    figure.update_xaxes(visible=False, range=[first - 0.7, last - 0.3])
    figure.update_yaxes(visible=False, range=[-0.2 * highest, 1.05 * highest])
    return figure


def role_of(place: int, centre: int, contexts: Container[int], left_out: Container[int]) -> str:
    """Return what a word is in a window: its centre, in it, left out, or outside.

    >>> [role_of(place, 1, (0, 2), (3,)) for place in range(5)]
    ['context', 'centre', 'context', 'left_out', 'outside']
    """
    if place == centre:
        return "centre"
    return "context" if place in contexts else "left_out" if place in left_out else "outside"


def loss_curve(steps: Sequence[float], losses: Sequence[float], height: int = 220) -> Figure:
    """Return the training loss by step."""
    figure = blank(height, WORDS.label("axis.steps"), WORDS.label("axis.loss"))
    figure.add_trace(
        scatter(
            x=list(steps), y=list(losses), mode="lines", line={"color": BLUE, "width": 2.5}, showlegend=False
        )
    )
    return figure


def cosine_spread(spreads: Mapping[str, np.ndarray], height: int = 300) -> Figure:
    """Return for each named training how the cosines of its pairs of words are spread, as shares of all pairs."""
    figure = blank(height, WORDS.label("axis.cosine"), WORDS.label("axis.share"))
    for (name, cosines), colour in zip(spreads.items(), (BLUE, VERMILLION), strict=False):
        counts, edges = np.histogram(cosines, 50, (-1, 1))
        figure.add_trace(
            bar(
                x=(edges[:-1] + edges[1:]) / 2,
                y=counts / max(1, len(cosines)),
                marker={"color": faded(colour, 0.6)},
                name=name,
                hovertemplate="%{y:.1%}, %{x:.2f}<extra></extra>",
            )
        )
    figure.update_layout(barmode="overlay", bargap=0)
    figure.update_yaxes(tickformat=".0%")
    return figure


def step_table(step: NegativeSamplingStep, context: str, negatives: Sequence[str]) -> pd.DataFrame:
    """Return one row a pair: the word, whether it is true, v.u, its sigmoid, the error and the loss it adds."""
    dots = np.array([step.dot, *step.negative_dots])
    sigmoids = np.array([step.sigmoid, *step.negative_sigmoids])
    labels = np.array([1.0] + [0.0] * len(negatives))
    signs = np.where(labels == 1, 1, -1)
    return pd.DataFrame(
        {
            WORDS.label("column.word"): [context, *negatives],
            WORDS.label("column.true"): labels.astype(int),
            "v·u": dots,
            "σ(v·u)": sigmoids,
            WORDS.label("column.error"): sigmoids - labels,
            WORDS.label("column.loss"): np.logaddexp(0, -signs * dots),
        }
    )


def stage_formula(step: NegativeSamplingStep, stage: str, centre: str, context: str) -> str:
    """Return the formula of a stage, filled in with the numbers of the true pair."""
    rate, first = step.learning_rate, slice(3)
    vector = [number(float(x), 3) for x in step.v[first]]
    slope = (step.sigmoid - 1) * step.context + step.negative_sigmoids @ step.negatives  # (d,)
    gradient = [number(float(x), 3) for x in slope[first]]
    digits = enough_digits(step.loss, step.new_loss)
    loss, new_loss = number(step.loss, digits), number(step.new_loss, digits)
    share = rf"\frac{{{number(rate)}}}{{{len(step.centre)}}}" if step.centre.ndim == 2 else number(rate)
    return {
        "dot": rf"v \cdot u_{{{word(context)}}} = {dot_product(step.v, step.context)}",
        "sigmoid": rf"\sigma({number(step.dot)}) = \frac{{1}}{{1 + e^{{{number(-step.dot)}}}}} = {number(step.sigmoid)}",
        "loss": rf"L = -\ln {number(step.sigmoid)} - \sum_n" + rf"\ln(1 - \sigma_n) = {loss}",
        "gradient": r"\frac{\partial L}"
        + rf"{{\partial v}} = ({number(step.sigmoid)} - 1)\,u_{{{word(context)}}} + "
        rf"\sum_n \sigma_n u_n = ({', '.join(gradient)}, \dots)",
        "update": rf"v_{{{word(centre)}}} \leftarrow ({', '.join(vector)}, \dots) - {share} \cdot "
        rf"({', '.join(gradient)}, \dots) \qquad L: {loss} \to {new_loss}",
    }[stage]


def say_step(step: NegativeSamplingStep) -> dict[str, object]:
    """Return what the words say of a step: its loss before and after, and whether all output vectors were 0."""
    digits = enough_digits(step.loss, step.new_loss)
    untrained = not step.context.any() and not step.negatives.any()
    losses = (plain_number(each, digits) for each in (step.loss, step.new_loss))
    return {
        **dict(zip(("loss", "new_loss"), losses, strict=True)),
        "untrained": untrained,
        "k": 1 + len(step.negatives),
    }
