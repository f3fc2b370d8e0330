"""The probability of a typed sentence, factor by factor, from the n-grams of the learner's text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.n_grams.ngram import bits, factors_figure, percent, shared_factors
from core.figures.n_grams.ngram_worked import worked
from core.lesson.break_it import consequence, written
from core.lesson.cached import cached, is_sample
from core.lesson.choices.ngram_choice import (
    NO_SMOOTHING,
    SMOOTHINGS,
    ChosenSmoothing,
    choose_counts,
    choose_order,
    choose_smoothing,
    counts_of,
)
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.language_model import Factors, sequence_log_probability
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.held_out import unseen_share
from core.models.n_grams.ngram import NgramModel, discounted_level, kneser_ney
from core.models.n_grams.ngram_text import CountedText
from core.models.n_grams.ngram_worked import explain
from core.models.n_grams.spliced import spliced
from core.text.reading.documents import Document
from pages.n_grams.shared.take_away import SOURCES, model_cells
from pages.n_grams.shared.typed_tokens import say_unknown, type_tokens

LESSON = Lesson(
    __name__,
    title="The probability of a sentence",
    question="How likely is a sentence, and which word makes it unlikely?",
    icon="percent",
)
ASKED = 12  # tokens among which the least expected is guessed
TOKENS_SHOWN = 40
SAME = 1e-9  # logarithms nearer than this are equal but for rounding


def picture() -> Figure:
    """The surprise of each word of a sentence, from bigrams."""
    counted = few_sentences()
    tokens = counted.encode("the king sees the old dog")
    model = kneser_ney(counted.counts, 2, 0.75)
    return small(
        factors_figure([counted.name(token) for token in tokens], model.token_log_probabilities(tokens))
    )


def page() -> None:
    """A sentence's factors as bars; one of them worked out from its counts; what is left without smoothing."""
    LESSON.open(
        r"p(w_1 \dots w_m) = \prod_{i=1}^{m} p(w_i \mid w_{i-n+1} \dots w_{i-1}) \qquad "
        r"\text{perplexity} = p(w_1 \dots w_m)^{-1/m}",
        "$w_i$: the $i$-th token; $m$: how many there are, `</s>` among them; $n$: the order of the model. $h$: the "
        "context, the $n-1$ tokens before; $h'$: the same without its oldest token; $c$: how often your text has it; "
        "$N_{1+}(\\cdot\\,hw)$: how many different tokens come before it; $d$: what is taken off; $\\lambda(h)$: the "
        "share that this leaves for the shorter context.",
    )
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        document = text_source("hamlet")
        counted = choose_counts(LESSON, document, remarks)
        sentence = choose_sentence(counted)
        order = choose_order(LESSON)
        chosen = choose_smoothing(LESSON)
        broken = LESSON.break_it(
            "raw", "Break it: no smoothing", "Then all that was never seen is impossible: p = 0."
        )

    tokens = counted.encode(sentence)
    smoothing = NO_SMOOTHING if broken else chosen
    model = smoothing.fit(counted.counts, order)
    factors = sequence_log_probability(model, tokens)
    tell_measures(factors, order)
    LESSON.set_values(least="the token that is asked for")
    with stage:
        if revealed := ask_least_expected(counted, factors, f"{order}_{chosen.name}_{broken}"):
            drawn = min(len(tokens), TOKENS_SHOWN)
            names = [counted.name(token) for token in tokens[:drawn]]
            shared = shared_factors(names, factors.log_probabilities[:drawn])
            LESSON.steps(bar_frames(drawn), shared=shared)
            LESSON.caption(said_of(counted, factors, order))
            least = int(np.argmin(factors.log_probabilities))
            p = float(np.exp(factors.log_probabilities[least]))
            LESSON.set_values(least=f"“{counted.name(factors.tokens[least])}”, {p:.3g}")
            show_measures(factors)
    with remarks:
        say_unknown(counted, sentence, "scored")
        if len(tokens) > TOKENS_SHOWN:
            st.caption(
                f"All {len(tokens)} tokens are in the numbers; the picture shows the first {TOKENS_SHOWN}."
            )
    if broken and revealed:
        show_broken(
            counted, sequence_log_probability(chosen.fit(counted.counts, order), tokens), factors, order
        )
    if revealed:
        st.header("One factor, worked out", anchor=False)
        arguments = tuple(smoothing.arguments.items())
        worked_out = worked_frames(
            document, counted.unit, smoothing.name, arguments, order, tuple(tokens[:drawn])
        )
        LESSON.steps(worked_out, name="worked")
        tell_factor(counted, factors, order)
        LESSON.every_number("factors", factor_table, counted, model, factors)
    LESSON.closing(
        code=[
            *(sequence_log_probability, NgramModel.token_log_probabilities, NgramModel.token_scores),
            *(SMOOTHINGS[smoothing.name].fit, discounted_level, explain, spliced),
        ],
        notebook=[
            *model_cells(counted.unit, smoothing, order),
            "from core.models.language_model import sequence_log_probability\n\n"
            f"factors = sequence_log_probability(model, counted.encode({sentence!r}))\n"
            "factors.log_probability, factors.perplexity",
        ],
        plot=(
            "from core.figures.n_grams.ngram import factors_figure\n\n"
            "draw(factors_figure([counted.name(token) for token in factors.tokens], factors.log_probabilities))"
        ),
        try_this=[
            ("Take the smoothing away: does the sentence survive five-grams?", {"raw": True, "n": 5}),
            ("Unigrams: word order no longer matters. Change it and see.", {"n": 1}),
            ("Letter by letter: where is spelling surprising?", {"unit": "characters", "n": 4}),
        ],
        sources=SOURCES,
    )


def choose_sentence(counted: CountedText) -> str:
    """Draw the field for a sentence, in the address as `<lesson>_<unit>_sentence`, and return the sentence."""
    example = ("" if counted.unit == "characters" else " ").join(counted.vocabulary.decode(spliced(counted)))
    hint = "Empty, it is made of the halves of two sentences of your text: new where they meet."
    typed = type_tokens(LESSON, counted, "sentence", "A sentence", example, hint, at_most=1000, width=300)
    return typed if counted.encode(typed) else example


def ask_least_expected(counted: CountedText, factors: Factors, about: str) -> bool:
    """Ask for the token with the smallest factor, if it is among the first; return whether it may be shown."""
    least = int(np.argmin(factors.log_probabilities))
    if least >= ASKED:
        return True
    p, asked = factors.log_probabilities, factors.tokens[:ASKED]
    names = [counted.name(token) for i, token in enumerate(asked) if i == least or p[i] > p[least]]
    question = "Which token is the least expected?"
    answer = counted.name(factors.tokens[least])
    return LESSON.ask(question, list(dict.fromkeys(names)), answer, f"{list(asked)}_{about}")


def show_measures(factors: Factors) -> None:
    """Show the sentence's ln p, its perplexity, and the product as it comes out of the machine."""
    left, middle, right = st.columns(3)
    left.metric("ln p of the sentence", written(factors.log_probability, ",.2f"))
    middle.metric("Perplexity", written(factors.perplexity, ",.1f"))
    right.metric("Raw product of all factors", f"{np.prod(np.exp(factors.log_probabilities)):.3g}")


def tell_measures(factors: Factors, order: int) -> None:
    """Keep for the tour the sentence's ln p, its product and perplexity, and how many factors are 0."""
    p = np.exp(factors.log_probabilities)
    LESSON.set_values(
        m=len(p),
        n=order,
        ln_p=written(factors.log_probability, ",.2f"),
        product=f"{np.prod(p):.3g}",
        perplexity=written(factors.perplexity, ",.1f"),
        zeros=int((p == 0).sum()),
    )


def said_of(counted: CountedText, factors: Factors, order: int) -> str:
    """Say which token is the least expected, or how many are impossible and what that does to the product."""
    p = np.exp(factors.log_probabilities)
    if impossible := int((p == 0).sum()):
        return (
            f"{impossible} of {len(p)} factors {'is' if impossible == 1 else 'are'} 0: your text never has "
            f"{'this run' if impossible == 1 else 'these runs'} of {order}. One factor of 0 "
            "makes the whole product 0, and the perplexity infinite, however likely the rest is."
        )
    least = int(np.argmin(p))
    after = counted.counts.look_back(factors.tokens[:least], order - 1)
    context = f" after “{plain(counted.write(after))}”" if after else ""
    name = plain(counted.name(factors.tokens[least]))
    if (np.delete(p, least) <= p[least] * (1 + SAME)).any():
        return f"None of {len(p)} tokens is less expected than “{name}”{context}: p = {p[least]:.3g}."
    return f"The least expected of {len(p)} tokens is “{name}”{context}: p = {p[least]:.3g}."


def show_broken(counted: CountedText, whole: Factors, broken: Factors, order: int) -> None:
    """Show the sentence's perplexity with the smoothing and without, and say why they differ."""
    consequence("Perplexity", whole.perplexity, broken.perplexity, ",.1f", more_is_better=False)
    unseen = unseen_share(counted.counts, broken.tokens, order)
    if not unseen:
        gained = np.subtract(whole.log_probabilities, broken.log_probabilities)
        up, down = int((gained > SAME).sum()), int((gained < -SAME).sum())
        st.markdown(
            f"Your text has every run of {order} in this sentence, so nothing here is impossible: smoothing raises "
            f"{up} of its {len(gained)} factors and lowers {down}. Type something new, or choose a larger n."
        )


def bar_frames(drawn: int) -> list[dict]:
    """Return a step for each factor: its bar is marked."""
    alt = f"The surprise of each of {drawn} tokens; the green one is worked out below"
    return [
        frame(f"factor {i + 1} of the product", {"kind": "factors", "at": i}, alt, "") for i in range(drawn)
    ]


@cached(24, 6, "Working the factors out", shared=is_sample)
def worked_frames(
    document: Document, unit: str, smoothing: str, arguments: tuple, n: int, tokens: tuple[int, ...]
) -> list[dict]:
    """Return a step for each factor: how it comes from the counts."""
    counted = counts_of(document, unit)
    model = ChosenSmoothing(smoothing, dict(arguments)).fit(counted.counts, n)
    frames = []
    for i, token in enumerate(tokens):
        h = counted.counts.look_back(tokens[:i], n - 1)
        note = f"p( {counted.name(token)}{f' | {counted.write(h)}' if h else ''} )"
        formula = worked(counted, model, list(tokens[:i]), token)
        frames.append(frame(f"factor {i + 1} of the product", None, "", "", [note], [formula]))
    return frames


def tell_factor(counted: CountedText, factors: Factors, order: int) -> None:
    """Keep for the tour what the second factor is."""
    tokens = factors.tokens
    place = min(1, len(tokens) - 1)
    h = counted.counts.look_back(tokens[:place], order - 1)
    LESSON.set_values(
        token=counted.name(tokens[place]),
        after=f"after “{counted.write(h)}”" if h else "after any token",
        p=percent(float(np.exp(factors.log_probabilities[place]))),
        bits=written(float(bits(factors.log_probabilities[place])), ".1f"),
    )


def factor_table(counted: CountedText, model: NgramModel, factors: Factors) -> tuple:
    """Return the table of every factor with its counts, its logarithm and its bits, and the formula of its cells."""
    tokens = factors.tokens
    steps = [explain(model, tokens[:i], token) for i, token in enumerate(tokens)]
    table = pd.DataFrame(
        {
            "token": [counted.name(token) for token in tokens],
            "context": [counted.write(step.context) for step in steps],
            "c(hw)": [step.count for step in steps],
            "c(h)": [step.context_count for step in steps],
            "p": np.exp(factors.log_probabilities),
            "ln p": factors.log_probabilities,
            "bits": bits(factors.log_probabilities),
        }
    )

    def formula(row: int, column: str) -> str | None:
        return None if column in ("token", "context") else worked(counted, model, tokens[:row], tokens[row])

    return table, formula
