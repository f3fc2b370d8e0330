"""A network that reads a document: one training step as pictures whose rows add up, with formulas filled in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.figures.documents import WORDS
from core.figures.documents.held_out import short_names
from core.figures.frame import WRITTEN_AT_MOST, frame, panel
from core.figures.worked import number, word
from core.models.documents.document_network import backward, forward, stepped
from core.models.documents.document_step import DocumentStep
from core.words.numbers import plain_number

TERMS = 7  # of a sum, written out
LETTERS = 14  # of a word beside a row
PALE = 1.8  # times the strongest cell: so far does the scale of colours reach, for the numbers to be read
SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
Source = Callable[[Callable], tuple[str, str]]
Say = Callable[..., str]  # a lesson's words of a key, with its values


def below(letter: str, i: int) -> str:
    """Return a letter with its number, counted from 1.

    >>> below("a", 0), below("x", 11)
    ('a₁', 'x₁₂')
    """
    return letter + "".join(SUBSCRIPTS[int(digit)] for digit in str(i + 1))


def table_picture(
    values: np.ndarray, rows: Sequence[str], columns: Sequence[str], rule: int = 0, measure: str = "embedding"
) -> dict:
    """Return one heat map with its numbers; the rows below the `rule` are made of those above.

    `measure` names what the numbers are, for who hears them.
    """
    reach = PALE * max(float(np.abs(values).max()), 1e-9)
    name = WORDS.label(f"document_network.measure.{measure}")
    return {
        "kind": "matrices",
        "rows": list(rows),
        "columns": list(columns),
        "panels": [
            {
                **panel("", values, signed=True),
                "rule": rule,
                "reach": reach,
                "measure": name,
            }
        ],
        "write": values.shape[1] <= WRITTEN_AT_MOST,
    }


def added(terms: Sequence[tuple[str, float]], total: float) -> str:
    """Return LaTeX of terms, as they are written, that come to a total; of many the first ones.

    >>> added([("2", 2.0), ("(-1)", -1.0)], 1.0)
    '2 + (-1) = 1'
    """
    shown = " + ".join(text for text, _ in terms[:TERMS])
    rest = ""
    if len(terms) > TERMS:
        more = float(sum(value for _, value in terms[TERMS:]))
        label = WORDS.label("document_network.more", n=len(terms) - TERMS)
        rest = rf" + \text{{({label} }} {number(more, 3)} \text{{)}}"
    return f"{shown}{rest} = {number(total, 3)}"


def in_brackets(value: float) -> str:
    """Return a number as LaTeX, in brackets where it is below nought."""
    return f"({number(value, 3)})" if value < 0 else number(value, 3)


def times(pairs: Sequence[tuple[float, float]], more: Sequence[float] = ()) -> list[tuple[str, float]]:
    """Return products, and numbers that are added to them, as `added` takes them."""
    products = [(rf"{in_brackets(a)} \cdot {in_brackets(b)}", a * b) for a, b in pairs]
    return [*products, *((in_brackets(value), value) for value in more)]


def step_frames(
    step: DocumentStep, classes: Sequence[str], source: Source, say: Say, frozen: bool = False
) -> list[dict]:
    """Return the frames of one training step: the way forwards, the loss, the way back, the update.

    `say` returns the lesson's words of a key: a step's sentence, and its name.
    """
    hidden = step.before.W1 is not None
    ways = [embeddings, mean]
    ways += [hidden_layer] if hidden else []
    ways += [output, loss, by_output]
    ways += [by_hidden, by_first] if hidden else []
    ways += [by_embeddings]
    frames = []
    for way in ways:
        key, picture, values, formula = way(step, classes)
        code = source(forward if ways.index(way) < ways.index(loss) else backward)
        said = say(f"step.{key}", **values)
        frames.append(
            frame(
                say(f"step.{key}.name"), picture, said, said, formulas=[formula] if formula else [], code=code
            )
        )
    return [*frames, update(step, classes, source, say, frozen)]


def name_sum(letter: str) -> str:
    """Return the name of the row that adds up to a letter."""
    return WORDS.label("document_network.sum", name=letter)


def name_entry(gradient: str, name: str) -> str:
    """Return the name of the row of a gradient that is a unit's or a dimension's."""
    return WORDS.label("document_network.at", gradient=gradient, name=name)


def word_names(step: DocumentStep) -> list[str]:
    """Return the words as names of rows."""
    return [w if len(w) <= LETTERS else f"{w[: LETTERS - 1]}…" for w in step.words]


def dimensions(step: DocumentStep, letter: str = "x") -> list[str]:
    """Return x1 ... xd."""
    return [below(letter, i) for i in range(step.before.E.shape[1])]


def units(step: DocumentStep, letter: str = "a") -> list[str]:
    """Return the names of what stands before the output: a1 ... aH, or x1 ... xd without a hidden layer."""
    return (
        dimensions(step) if step.before.W1 is None else [below(letter, i) for i in range(len(step.before.b1))]
    )


def embeddings(step: DocumentStep, _classes: Sequence[str]) -> tuple:
    """Look the words' embeddings up."""
    k, d = step.before.E.shape
    return (
        "embeddings",
        table_picture(step.before.E, word_names(step), dimensions(step, "e")),
        {"k": k, "d": d},
        "",
    )


def mean(step: DocumentStep, _classes: Sequence[str]) -> tuple:
    """Take their mean, each as often as the word stands there."""
    n, E, x = int(step.counts.sum()), step.before.E, step.forward.x[0]
    shares = step.counts / n
    rows = [f"{int(c)}/{n} {w}" for c, w in zip(step.counts, word_names(step), strict=True)]
    picture = table_picture(
        np.vstack([shares[:, None] * E, x]), [*rows, "x"], dimensions(step), len(rows), "mean"
    )
    pairs = [
        (rf"\tfrac{{{int(c)}}}{{{n}}} \cdot {in_brackets(e)}", c / n * e)
        for c, e in zip(step.counts, E[:, 0], strict=True)
    ]
    return "mean", picture, {"n": n, "d": len(x)}, f"x_1 = {added(pairs, float(x[0]))}"


def hidden_layer(step: DocumentStep, _classes: Sequence[str]) -> tuple:
    """Multiply by W1, add b1, take the tanh."""
    W1, b1, x, a = step.before.W1, step.before.b1, step.forward.x[0], step.forward.a[0]
    h = x @ W1 + b1
    rows = [f"{name}·W₁" for name in dimensions(step)]
    values = np.vstack([x[:, None] * W1, b1, h, a])
    picture = table_picture(
        values, [*rows, "b₁", name_sum("h"), "a = tanh h"], units(step), len(rows) + 1, "hidden"
    )
    top = int(np.abs(a).argmax())
    formula = rf"h_1 = {added(times(list(zip(x, W1[:, 0], strict=True)), [b1[0]]), float(h[0]))}"
    return (
        "hidden",
        picture,
        {"unit": below("a", top), "a": a[top]},
        rf"{formula}, \quad a_1 = \tanh({number(h[0], 3)}) = {number(a[0], 3)}",
    )


def output(step: DocumentStep, classes: Sequence[str]) -> tuple:
    """Multiply by W2, add b2, take the softmax."""
    a, W2, b2, z, p = step.forward.a[0], step.before.W2, step.before.b2, step.forward.z[0], step.forward.p[0]
    rows = [f"{name}·W₂" for name in units(step)]
    table = np.vstack([a[:, None] * W2, b2, z, p])
    picture = table_picture(
        table, [*rows, "b₂", name_sum("z"), "p = softmax z"], short_names(classes), len(rows) + 1, "output"
    )
    best = int(p.argmax())
    y = step.y
    parts = " + ".join(rf"e^{{{number(value, 3)}}}" for value in z[:TERMS]) + (
        r" + \dots" if len(z) > TERMS else ""
    )
    formula = rf"z_{{{word(classes[y][:24])}}} = {added(times(list(zip(a, W2[:, y], strict=True)), [b2[y]]), float(z[y]))}"
    formula += rf", \quad p = \frac{{e^{{{number(z[y], 3)}}}}}{{{parts}}} = {number(p[y], 3)}"
    values = {"best": classes[best], "p_best": p[best], "label": classes[y], "p": p[y]}
    return "output", picture, values, formula


def loss(step: DocumentStep, classes: Sequence[str]) -> tuple:
    """Compare with the true label."""
    p, y = step.forward.p[0], step.y
    Y = np.eye(len(p))[y]
    picture = table_picture(
        np.vstack([p, Y, step.backward.z[0]]), ["p", "y", "p − y"], short_names(classes), 2, "loss"
    )
    values = {"label": classes[y], "p": plain_number(p[y], 4), "loss": step.loss}
    return "loss", picture, values, rf"L = -\ln {number(p[y], 4)} = {number(step.loss, 4)}"


def by_output(step: DocumentStep, classes: Sequence[str]) -> tuple:
    """Give W2 and b2 their gradients."""
    of, a, error = step.backward.of, step.forward.a[0], step.backward.z[0]
    letter = units(step)
    values = np.vstack([of.W2, of.b2])
    picture = table_picture(
        values,
        [name_entry("∂L/∂W₂", name) for name in letter] + ["∂L/∂b₂"],
        short_names(classes),
        0,
        "gradient",
    )
    y = step.y
    name, at = ("a" if step.before.W1 is not None else "x"), WORDS.label("document_network.at_entry")
    formula = (
        rf"\frac{{\partial L}}{{\partial W_{{2}}}} \text{{ {at} }} ({name}_1, {word(classes[y][:24])}) = {name}_1 (p - y) = "
        rf"{in_brackets(a[0])} \cdot {in_brackets(error[y])} = {number(of.W2[0, y], 3)}"
    )
    return "by_output", picture, {"first": letter[0], "last": letter[-1]}, formula


def by_hidden(step: DocumentStep, _classes: Sequence[str]) -> tuple:
    """Carry the gradient back through W2 and the tanh."""
    a, by_a, by_h, error = step.forward.a[0], step.backward.a[0], step.backward.h[0], step.backward.z[0]
    values = np.vstack([by_a, 1 - a**2, by_h])
    slope = WORDS.label("document_network.slope", formula="1 − a²")
    picture = table_picture(values, ["∂L/∂a", slope, "∂L/∂h"], units(step), 2, "gradient")
    sum_ = added(times(list(zip(step.before.W2[0], error, strict=True))), float(by_a[0]))
    formula = rf"\frac{{\partial L}}{{\partial a_1}} = {sum_}"
    formula += (
        rf", \quad \frac{{\partial L}}{{\partial h_1}} = {in_brackets(by_a[0])} \cdot (1 - {in_brackets(a[0])}^2) = "
        rf"{number(by_h[0], 3)}"
    )
    least = int((1 - a**2).argmin())
    return "by_hidden", picture, {"unit": below("a", least), "slope": 1 - a[least] ** 2}, formula


def by_first(step: DocumentStep, _classes: Sequence[str]) -> tuple:
    """Give W1 and b1 their gradients."""
    of, x, by_h = step.backward.of, step.forward.x[0], step.backward.h[0]
    rows = [name_entry("∂L/∂W₁", name) for name in dimensions(step)]
    picture = table_picture(np.vstack([of.W1, of.b1]), [*rows, "∂L/∂b₁"], units(step, "h"), 0, "gradient")
    at = WORDS.label("document_network.at_entry")
    formula = (
        rf"\frac{{\partial L}}{{\partial W_1}} \text{{ {at} }} (x_1, h_1) = {in_brackets(x[0])} \cdot "
        rf"{in_brackets(by_h[0])} = {number(of.W1[0, 0], 3)}"
    )
    return "by_first", picture, {}, formula


def by_embeddings(step: DocumentStep, _classes: Sequence[str]) -> tuple:
    """Carry the gradient back to the embeddings."""
    by_x, by_E, n = step.backward.x[0], step.backward.of.E, int(step.counts.sum())
    rows = [f"{int(c)}/{n} {w}" for c, w in zip(step.counts, word_names(step), strict=True)]
    picture = table_picture(np.vstack([by_x, by_E]), ["∂L/∂x", *rows], dimensions(step), 1, "gradient")
    c, W = int(step.counts[0]), step.before.W2 if step.before.W1 is None else step.before.W1
    came = step.backward.z[0] if step.before.W1 is None else step.backward.h[0]
    formula = rf"\frac{{\partial L}}{{\partial x_1}} = {added(times(list(zip(W[0], came, strict=True))), float(by_x[0]))}"
    formula += (
        rf", \quad \frac{{\partial L}}{{\partial e_1}}({word(step.words[0][:24])}) = \tfrac{{{c}}}{{{n}}} \cdot "
        rf"{in_brackets(by_x[0])} = {number(by_E[0, 0], 3)}"
    )
    return "by_embeddings", picture, {}, formula


def update(step: DocumentStep, classes: Sequence[str], source: Source, say: Say, frozen: bool) -> dict:
    """Move every parameter against its gradient."""
    p, after = step.forward.p[0], step.forward_after.p[0]
    picture = table_picture(step.after.E, word_names(step), dimensions(step, "e"))
    values = {"frozen": frozen, "rate": f"{step.rate:g}", "label": classes[step.y]}
    values |= {"loss": step.loss, "loss_after": step.loss_after, "p": p[step.y], "p_after": after[step.y]}
    said = say("step.update", **values)
    new = WORDS.label("document_network.new")
    name, moved = word(step.words[0][:24]), 0.0 if frozen else step.backward.of.E[0, 0]
    formula = (
        rf"\text{{{new} }} e_1({name}) = {number(step.before.E[0, 0], 3)} - {step.rate:g} \cdot {in_brackets(moved)} = "
        rf"{number(step.after.E[0, 0], 3)}"
    )
    return frame(say("step.update.name"), picture, said, said, formulas=[formula], code=source(stepped))
