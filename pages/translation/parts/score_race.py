"""The race of the attention scores: every model's translation of one sentence, their quality, a score worked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.figures.translation.decoder_step import decoder_step, worked_score, worked_weight
from core.figures.translation.translation_race import heat_figure, loss_curves, worked_multiplications
from core.figures.worked import signed
from core.lesson.break_it import consequence
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.stored import load_card, load_json
from core.models.translation.bottleneck import Estimate, attempts, share_right
from core.models.translation.seq2seq import parameter_count
from core.models.translation.translate import Translator
from core.models.translation.translation_race import Run, multiplications, run, without_matrices
from core.text.grammar.grammar import LONGEST, SHORTEST
from pages.translation.parts.marked_translation import mistakes, show_marked
from pages.translation.parts.translator_choice import FRENCH, TASKS, Sentence, held_out_pairs, translator_of

MODELS = TASKS[FRENCH].models  # {score: name}
WITH_ATTENTION = tuple(score for score in MODELS if score != "none")
ASKED = 40  # held-out sentences on which the broken scores are measured


@cache
def racer(score: str, broken: bool = False) -> Translator:
    """Return the translator of a score, or a copy whose score has lost its learnt matrices."""
    whole = translator_of(MODELS[score])
    return replace(whole, model=without_matrices(whole.model)) if broken else whole


def runs_of(sentence: Sentence, broken: bool) -> dict[str, Run]:
    """Return every model's translation of a sentence, by its score."""
    reference = sentence.pair.target if sentence.pair else None
    return {score: run(racer(score, broken), sentence.words, reference) for score in MODELS}


@cache
def right_of_held_out(score: str, broken: bool) -> Estimate:
    """Return the share of held-out sentences of all lengths that a model translates word for word."""
    pairs = held_out_pairs(FRENCH, 1, ASKED, tuple(range(SHORTEST, LONGEST + 1)))
    return share_right([attempt.right for attempt in attempts(racer(score, broken), pairs)])


def who_is_wrong(runs: Mapping[str, Run], reference: Sequence[str]) -> str:
    """Return the one score whose translation is not the reference, or that it is nobody or several.

    >>> who_is_wrong({}, ["le"])
    'none of the four'
    """
    wrong = [score for score, each in runs.items() if each.words != tuple(reference)]
    return label_of(wrong[0]) if len(wrong) == 1 else "several" if wrong else "none of the four"


def label_of(score: str) -> str:
    """Return what a score is called on the page."""
    return "no attention" if score == "none" else score


def show_runs(lesson: str, runs: Mapping[str, Run], sentence: Sentence, gold: bool) -> None:
    """Draw every model's heat map with its translation and ln p, side by side."""
    wanted = sentence.pair.target if sentence.pair else runs["additive"].words
    for column, (score, made) in zip(st.columns([3] * len(WITH_ATTENTION) + [2]), runs.items(), strict=True):
        with column:
            st.markdown(f"**{label_of(score)}**")
            outputs = [racer(score).target.words[i] for i in made.translation.words]
            links = sentence.links if gold and made.words == wanted and score != "none" else ()
            show_figure(
                heat_figure(made.weights, outputs, sentence.words, links),
                f"{lesson}_heat_{score}",
                f"Attention weights of the model {label_of(score)}, a row for each output word",
            )
            log_p = f"ln p = {signed(made.translation.log_probability, 3)}"
            show_marked(made.words, wanted, log_p, "✓ word for word" if sentence.pair else "as additive")
    if sentence.pair is None:
        st.caption(
            "Without a right translation to compare with, marked is what differs from the additive model's."
        )


def results(runs: Mapping[str, Run], sentence: Sentence) -> pd.DataFrame:
    """Return one row a model: this sentence's result, the counts of its parts, and the quality its card tells."""
    rows = []
    for score, made in runs.items():
        model, quality = racer(score).model, load_card(MODELS[score]).quality
        shape = len(made.translation.words), len(sentence.words), model.config.hidden
        rows.append(
            {
                "score": label_of(score),
                "words that differ": mistakes(made.words, sentence.pair.target) if sentence.pair else None,
                "ln p of its own": made.translation.log_probability,
                "ln p of the reference": made.log_probability_of_reference,
                "passes": load_card(MODELS[score]).config["epochs"],
                "parameters": parameter_count(model),
                "multiplications": multiplications(score, *shape),
                "exact match": quality["exact_match"],
                "alignment error": quality.get("alignment_error"),
                "loss": quality["loss"],
            }
        )
    return pd.DataFrame(rows)


@cache
def _loss_figure() -> go.Figure:
    return loss_curves({label_of(score): load_json(name, "losses") for score, name in MODELS.items()})


def show_losses(lesson: str) -> None:
    """Draw the training losses that are kept beside the four models."""
    show_figure(_loss_figure(), f"{lesson}_losses", "Training loss of the four models, on a logarithmic axis")


def show_results(lesson: str, runs: Mapping[str, Run], sentence: Sentence) -> None:
    """Show the table of results, and each model's multiplications counted out."""
    held_out = load_card(MODELS["additive"]).quality["held_out_pairs"]
    st.caption(
        f"Exact match, alignment error and loss (mean −ln p of a word) were measured on {held_out:,} held-out "
        "sentences, and stand in each model's card. Multiplications are those of this sentence's scores."
    )
    percent = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        results(runs, sentence),
        hide_index=True,
        key=f"{lesson}_results",
        column_config={"exact match": percent, "alignment error": percent},
        alt="The four models: this sentence's result, parameters, multiplications and quality",
    )


def scores_worked_out(runs: Mapping[str, Run], sentence: Sentence, t: int, broken: bool) -> None:
    """Write each score's formula with its numbers, at step t and the input word that weighs most there."""
    S = len(sentence.words)
    for score in WITH_ATTENTION:
        made, model = runs[score], racer(score, broken).model
        own = min(t, len(made.translation.words) - 1)
        step = decoder_step(made.translation, own)
        s = int(step.weights.argmax())
        output = racer(score).target.words[made.translation.words[own]]
        st.markdown(f"**{score}**")
        st.text(
            f"Output word {own + 1}, “{output}”, looks most at input word {s + 1}, “{sentence.words[s]}”."
        )
        st.latex(worked_score(model, step, s, own))
        st.latex(worked_weight(step, s, own))
        T, H = len(made.translation.words), model.config.hidden
        count = worked_multiplications(score, T, S, H, multiplications(score, T, S, H))
        st.latex(rf"\text{{multiplications for all of its scores: }} {count}")
    st.markdown("**no attention**")
    context = runs["none"].translation.steps.context[0, 0].numpy()
    numbers = ", ".join(f"{x:.4f}" for x in context[:3])
    st.latex(rf"c_t = \bar h_{{last}} = ({numbers}, \dots_{{({len(context)})}}) \quad \text{{at every step}}")


def every_score(lesson: str, runs: Mapping[str, Run], sentence: Sentence, broken: bool) -> None:
    """Show each score and weight of each model, with its formula, under "Every number"."""
    cells, rows = [], []
    for score in WITH_ATTENTION:
        made = runs[score]
        scores = made.translation.steps.scores[0].numpy()
        for (t, s), weight in np.ndenumerate(made.weights):
            output = racer(score).target.words[made.translation.words[t]]
            cells.append((score, t, s))
            rows.append((score, t + 1, output, s + 1, sentence.words[s], float(scores[t, s]), float(weight)))
    columns = ["model", "t", "output word", "s", "input word", "score e", "weight a"]

    def formula(row: int, column: str) -> str | None:
        """Fill in the formula of a cell of the table."""
        score, t, s = cells[row]
        step = decoder_step(runs[score].translation, t)
        if column == "score e":
            return worked_score(racer(score, broken).model, step, s, t)
        return worked_weight(step, s, t) if column == "weight a" else None

    every_number(lesson, "scores and weights", pd.DataFrame(rows, columns=columns), formula)


def broken_scores() -> None:
    """Show what is left of each model without the matrices of its score."""
    st.markdown(
        f"W_a and U_a are now the identity, in the heat maps above as well. Measured on {ASKED} held-out sentences:"
    )
    for column, score in zip(st.columns(len(WITH_ATTENTION)), WITH_ATTENTION, strict=True):
        with column:
            whole, lost = (right_of_held_out(score, broken).value for broken in (False, True))
            consequence(f"{score}: exact match", whole, lost, ".0%")
