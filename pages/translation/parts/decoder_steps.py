"""One decoder step shown from scores to the chosen word, with every formula filled in; and the table of all steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.figures.translation.decoder_step import (
    context_figure,
    decoder_step,
    outputs_figure,
    scores_figure,
    states_heatmap,
    worked_attentional,
    worked_context,
    worked_output,
    worked_score,
    worked_weight,
)
from core.lesson.choices.attention_cell import choose_input
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.translation.seq2seq import additive_scores, dot_scores, general_scores
from core.models.translation.translate import Translation, Translator

SCORE_FUNCTIONS = {"dot": dot_scores, "general": general_scores, "additive": additive_scores}


@dataclass(frozen=True)
class Translated:
    """A translation with its input words and all that was written, <end> included."""

    translator: Translator
    inputs: Sequence[str]
    translation: Translation

    @property
    def outputs(self) -> list[str]:
        """The output words, <end> as well."""
        return [self.translator.target.words[i] for i in self.translation.words]

    @property
    def input_names(self) -> list[str]:
        """The inputs as pictures name them: the space in a date is a mark."""
        return ["␣" if word == " " else word for word in self.inputs]

    @property
    def weights(self):
        """The attention weights of all steps, (T, S)."""
        return self.translation.steps.weights[0].numpy()


def score_function(translator: Translator) -> Callable:
    """Return the function that computed a translator's scores."""
    return SCORE_FUNCTIONS[translator.model.score.kind]


def show_step(lesson: str, made: Translated, t: int) -> int:
    """Show step t as bars: scores, weights, output words; then vectors and formulas. Return the input word chosen."""
    step, written = decoder_step(made.translation, t), made.translation.words[t]
    before = "<start>" if t == 0 else made.outputs[t - 1]
    st.text(f"The decoder has read “{before}”. It looks at the input, and writes “{made.outputs[t]}”.")
    left, right = st.columns([3, 2], gap="medium")
    with right:
        s = choose_input(lesson, made.input_names, step.weights)
        dimension = st.number_input(
            "Dimension of the vectors",
            1,
            len(step.state),
            1,
            key=f"{lesson}_dimension",
            bind="query-params",
        )
        st.caption("The output words with the largest probability; the one that was written is marked.")
        figure = outputs_figure(step, made.translator.target.words, written)
        show_figure(figure, f"{lesson}_outputs", "The likeliest output words of this step")
    with left:
        st.caption("How well each input word's state answers the decoder's state, and the softmax of that.")
        figure = scores_figure(step, made.input_names, s)
        show_figure(figure, f"{lesson}_scores", "Score and weight of every input word at this step")
    st.caption("Each input word's state times its weight. Added up, column by column, they are the context.")
    figure = context_figure(step, made.input_names)
    show_figure(figure, f"{lesson}_context", "The weighted states, their sum c, the state h and h̃")
    _formulas(made, t, s, int(dimension) - 1)
    return s


def _formulas(made: Translated, t: int, s: int, i: int) -> None:
    step, written, model = decoder_step(made.translation, t), made.translation.words[t], made.translator.model
    st.markdown("**The same with its numbers**: the score and weight of the input word, and one dimension.")
    for formula in (
        worked_score(model, step, s, t),
        worked_weight(step, s, t),
        worked_context(step, i, t),
        worked_attentional(model, step, i, t),
        worked_output(step, written, made.outputs[t]),
    ):
        st.latex(formula)


def show_encoder(lesson: str, made: Translated) -> None:
    """Draw the states that the encoder leaves, one row an input word."""
    states = made.translation.encoded.states[0].numpy()
    half = states.shape[1] // 2
    st.markdown(
        f"One row for each input, from −1 to 1. Dimensions 1 to {half} have read the sentence from its beginning up to "
        f"that place; {half + 1} to {2 * half} have read it from its end. All that attention can look at is here."
    )
    show_figure(states_heatmap(states, made.input_names), f"{lesson}_states", "The encoder's states")


def step_table(lesson: str, made: Translated) -> None:
    """Show every score and weight of all steps, under "Every number", with its formula."""
    scores, weights = made.translation.steps.scores[0].numpy(), made.weights
    outputs, inputs = made.outputs, made.input_names
    cells = [(t, s) for t in range(len(outputs)) for s in range(len(inputs))]
    table = pd.DataFrame(
        {
            "step": [t + 1 for t, _ in cells],
            "from": [outputs[t] for t, _ in cells],
            "to": [inputs[s] for _, s in cells],
            "score e": scores.flatten().astype(float),
            "weight a": weights.flatten().astype(float),
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in a score or a weight."""
        t, s = cells[row]
        step = decoder_step(made.translation, t)
        if column == "score e":
            return worked_score(made.translator.model, step, s, t)
        return worked_weight(step, s, t) if column == "weight a" else None

    every_number(lesson, "attention", table, formula)


def translation_cells(name: str, words: Sequence[str]) -> list[str]:
    """Return the notebook's cells that translate the same words with the same model."""
    return [
        "from core.models.translation.translate import greedy, stored_translator\n\n"
        f"translator = stored_translator({name!r})\nwords = {list(words)!r}",
        "made = greedy(translator.model, translator.source.encode(words))\n"
        "print(translator.target.decode(made.words), made.log_probability)",
        "weights = made.steps.weights[0]  # one row an output word, one column an input word\n"
        "for word, row in zip(translator.target.decode(made.words), weights, strict=False):\n"
        '    print(f"{word:15}", words[int(row.argmax())], f"{float(row.max()):.3f}")',
    ]
