"""One step of an encoder-decoder, with its numbers: scores, weights, context, attentional state, output word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, FigurePart, heatmap
from core.figures.frame import bars
from core.figures.label import label
from core.figures.packed import packed_shares
from core.figures.palette import DIVERGING, SEQUENTIAL
from core.figures.token_label import label_token
from core.figures.translation import WORDS
from core.figures.worked import dot_product, made_by, number, word
from core.models.translation.seq2seq import (
    Decoded,
    Seq2Seq,
    additive_scores,
    attention_weights,
    dot_scores,
    general_scores,
)
from core.models.translation.translate import Translation
from core.words.numbers import plain_number

MOST_OUTPUTS = 8
SCORE_FUNCTIONS = {"dot": dot_scores, "general": general_scores, "additive": additive_scores}


@dataclass(frozen=True)
class DecoderStep:
    """The numbers of step t, as arrays: S input words, H numbers a state, V output words.

    `scores` e and `weights` a are (S,), `states` h̄ (S, H); `state` h_t, `context` c_t and `attentional` h̃_t are (H,);
    `logits` (V,).
    """

    scores: np.ndarray
    weights: np.ndarray
    states: np.ndarray
    state: np.ndarray
    context: np.ndarray
    attentional: np.ndarray
    logits: np.ndarray

    @property
    def probabilities(self) -> np.ndarray:
        """The softmax of the logits, (V,)."""
        powers = np.exp(self.logits - self.logits.max())
        return powers / powers.sum()


def decoder_step(translation: Translation, t: int) -> DecoderStep:
    """Return the numbers of step t of a translation by a model with attention."""
    steps = translation.steps
    at = (steps.state, steps.context, steps.attentional, steps.logits)
    return DecoderStep(
        steps.scores[0, t].numpy(),
        steps.weights[0, t].numpy(),
        translation.encoded.states[0].numpy(),
        *(tensor[0, t].numpy() for tensor in at),
    )


def _words_down(figure: Figure, words: Sequence[str], **axis) -> Figure:
    places = list(range(len(words)))
    figure.update_yaxes(
        tickvals=places,
        ticktext=[label(label_token(word)) for word in words],
        range=[len(words) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        **axis,
    )
    return figure


def attention_heatmap(
    weights: np.ndarray, outputs: Sequence[str], inputs: Sequence[str], unit: str = "word"
) -> Figure:
    """Return weights (T, S) as a heat map: outputs as rows, inputs as columns; `unit` is what one of them is called."""
    x, y = (WORDS.label(f"end.{end}", unit=unit) for end in ("input", "output"))
    figure = blank(90 + 26 * len(outputs), x, y)
    figure.add_trace(
        heatmap(z=weights, zmin=0, zmax=1, colorscale=SEQUENTIAL, showscale=False, hoverinfo="z")
    )
    figure.update_xaxes(
        tickvals=list(range(len(inputs))),
        ticktext=[label(label_token(word)) for word in inputs],
        side="top",
        showgrid=False,
    )
    return _words_down(figure, outputs)


def states_heatmap(states: np.ndarray, words: Sequence[str]) -> Figure:
    """Return encoder states h̄ (S, H), one row an input word, as a heat map from -1 to 1."""
    figure = blank(110 + 22 * len(words), WORDS.label("decoder_step.dimension"))
    figure.add_trace(_heat(states))
    return _words_down(figure, words)


def _heat(rows: np.ndarray, limit: float = 1.0) -> FigurePart:
    return heatmap(
        z=rows,
        zmin=-limit,
        zmax=limit,
        x=np.arange(1, rows.shape[1] + 1),
        colorscale=DIVERGING,
        colorbar={"thickness": 12, "len": 1.0},
        hovertemplate=f"{WORDS.label('decoder_step.cell')}<extra></extra>",
    )


def step_picture(step: DecoderStep, chosen: int, names: Sequence[str], written: int) -> dict:
    """Return a step as the view "steps" draws it: scores, weights and outputs as bars, and what makes the context.

    `chosen` is an input; `names` are the output words, `written` the one that was written. What all steps share is sent
    once: `shared_states`; the view adds the context up.
    """
    ids = select_likeliest_outputs(step, written)
    p = step.probabilities[ids]
    outputs = [(WORDS.label("decoder_step.outputs"), p, [plain_number(value) for value in p])]
    return {
        "kind": "decoder",
        "chosen": chosen,
        "scores": [round(float(score), 5) for score in step.scores],
        "weights": [float(f"{weight:.6g}") for weight in step.weights],  # in their order, however small
        "outputs": bars([names[i] for i in ids], outputs, ids.index(written)),
        "last": packed_shares(np.stack([step.state, step.attentional])),
    }


def shared_states(states: np.ndarray, words: Sequence[str]) -> dict:
    """Return the encoder's states (S, H), which all steps share."""
    return {"inputs": list(words), "states": packed_shares(states)}


def select_likeliest_outputs(step: DecoderStep, written: int) -> list[int]:
    """Return the ids of the likeliest output words, the one that was written among them."""
    order = np.argsort(-step.probabilities, kind="stable")[:MOST_OUTPUTS].tolist()
    return order if written in order else [*order[:-1], written]


# ------------------------------------------------------------------------------------------- formulas filled in


def score_function(model: Seq2Seq) -> Callable:
    """Return the function that computes a model's scores, broken ones as well."""
    return SCORE_FUNCTIONS.get(model.score.kind, type(model.score).forward)


def worked_score(model: Seq2Seq, step: DecoderStep, s: int, t: int) -> str:
    """Return LaTeX of the score of input word s at step t, from its two vectors."""
    left = rf"{made_by(score_function(model))}e_{{{t + 1},{s + 1}}} = "
    h, key = step.state, step.states[s]
    kind = model.score.kind
    if kind == "dot":
        return left + rf"h_t \cdot \bar h_s = {dot_product(h, key)}"
    if kind == "general":
        W_a = model.score.W_a.detach().numpy()
        return left + rf"h_t \cdot (W_a \bar h_s) = {dot_product(h, W_a @ key)}"
    if kind == "additive":
        W_a, U_a, v_a = (p.detach().numpy() for p in (model.score.W_a, model.score.U_a, model.score.v_a))
        hidden = np.tanh(W_a @ h + U_a @ key)
        return left + rf"v_a \cdot \tanh(W_a h_t + U_a \bar h_s) = {dot_product(v_a, hidden)}"
    return left + rf"{number(float(step.scores[s]))} \quad \text{{({kind})}}"


def worked_weight(step: DecoderStep, s: int, t: int) -> str:
    """Return LaTeX of the weight of input word s: its power over the sum of all.

    Exponents are less the largest score, which changes no quotient.
    """
    e, largest = step.scores.astype(float), float(step.scores.max())
    total = float(np.exp(e - largest).sum())
    return (
        rf"{made_by(attention_weights)}"
        rf"a_{{{t + 1},{s + 1}}} = \frac{{e^{{\,e_s - m}}}}{{\sum_{{s'}} e^{{\,e_{{s'}} - m}}}} = "
        rf"\frac{{e^{{{number(float(e[s]))} - ({number(largest)})}}}}{{{number(total)}}} = "
        rf"{number(float(step.weights[s]))}, \qquad m = \max_{{s'}} e_{{s'}}\;"
    )


def worked_context(step: DecoderStep, i: int, t: int) -> str:
    """Return LaTeX of one dimension of the context, its heaviest input words written out."""
    order = np.argsort(-step.weights, kind="stable")
    a, column = step.weights[order], step.states[order, i]
    return rf"{made_by(Seq2Seq.decode)}c_{{{t + 1}}}[{i + 1}] = \sum_s a_s\, \bar h_s[{i + 1}] = {dot_product(a, column)}"


def worked_attentional(model: Seq2Seq, step: DecoderStep, i: int, t: int) -> str:
    """Return LaTeX of one dimension of the attentional state."""
    row = model.W_c.weight.detach().numpy()[i]
    product = dot_product(row, np.concatenate([step.context, step.state]), terms=2)
    return (
        rf"{made_by(Seq2Seq.decode)}\tilde h_{{{t + 1}}}[{i + 1}] = \tanh(W_c [c; h])[{i + 1}] = \tanh({product}) = "
        rf"{number(float(step.attentional[i]))}"
    )


def worked_output(step: DecoderStep, written: int, name: str) -> str:
    """Return LaTeX of the probability of the word that was written."""
    largest = float(step.logits.max())
    total = float(np.exp(step.logits.astype(float) - largest).sum())
    return (
        rf"{made_by(Decoded.probabilities.fget)}p({word(name)}) = \frac{{e^{{\,z - m}}}}{{\sum e^{{\,z' - m}}}} = "
        rf"\frac{{e^{{{number(float(step.logits[written]))} - ({number(largest)})}}}}{{{number(total)}}} = "
        rf"{number(float(step.probabilities[written]))}, \qquad z = W_s \tilde h"
    )
