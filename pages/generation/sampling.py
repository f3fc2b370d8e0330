"""Sampling: one set of logits, and what temperature, top-k and top-p make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.sampling import (
    DRAWS,
    next_token_figure,
    sampling_payload,
    sampling_table,
    settings_figure,
    shown,
)
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import (
    OWN,
    ChosenModel,
    Continuation,
    choose_language_model,
    choose_prompt,
    continuation,
    language_model,
    model_labels,
    next_logits,
    say_what_goes_in,
)
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import Question
from core.lesson.text_source import text_source
from core.models.generation.degeneration import repeated_cycle
from core.models.generation.sampling import (
    SamplingTrace,
    Settings,
    distribution,
    draw,
    generate,
    misses,
    not_renormalised,
    sample,
    scale,
    softmax,
    top_k,
    top_p,
)
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney
from core.text.reading.documents import Document

LESSON = Lesson(
    __name__,
    title="Sampling the next token",
    question="What do temperature, top-k and top-p do to a model's next token?",
    icon="🌡️",
)
PLACES, LENGTH = 40, 90
LEAST_PLACES, LOGITS = (
    4,
    20_000,
)  # of a large vocabulary so many logits are sent, for as many new tokens as that makes
MOST = 1000.0  # the highest temperature
MISSED = "no token"
FIVE = {
    "greedy": Settings(temperature=0.0),
    "T = 0.5": Settings(temperature=0.5),
    "T = 1": Settings(),
    "top-p 0.9": Settings(top_p=0.9),
    "T = 2": Settings(temperature=2.0),
}


def picture() -> Figure:
    """What may follow "the", at three temperatures."""
    counted = few_sentences()
    logits = kneser_ney(counted.counts, 2).log_probabilities(counted.encode("the", end=False))
    traces = {f"T = {T}": distribution(logits, Settings(T)) for T in (0.3, 1.0, 3.0)}
    return small(settings_figure(traces, [counted.name(token) for token in range(len(logits))], most=6))


def page() -> None:
    """The next token's probabilities as bars, every column behind them, and texts that the settings make."""
    LESSON.open(
        r"p_i = \frac{e^{z_i / T}}{\sum_{j \in \text{kept}} e^{z_j / T}}\ \ (i \text{ kept, else } 0),"
        r"\qquad \text{the token drawn: the first with } \sum_{j \text{ as likely or likelier}} p_j > u",
        "$z_i$: the logit, the model's score of token $i$; $T$: the temperature; **top-k** keeps the $k$ likeliest tokens; "
        "**top-p** the fewest, likeliest first, whose mass reaches $p$ (of the mass that top-k has left); $u$: a random "
        "number from 0 to 1, which the seed decides.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        chosen = choose_language_model(LESSON, document)
        prompt = choose_prompt(LESSON, document, chosen, "My lord, I will not ")
        lost = "What is cut is lost instead of shared out."
        broken = LESSON.break_it("broken", "Break it: cut, but do not renormalise", lost)
        with LESSON.more():
            seed = LESSON.number("seed", "Seed", 0, 9999, 1)
            settings = exact_settings(len(chosen.names))

    places = min(PLACES, max(LEAST_PLACES, LOGITS // len(chosen.names)))
    made = opened(chosen.label, document.digest, prompt.ids, places, settings, seed, chosen)
    about = f"{hash((prompt.ids, settings))}_{chosen.label}_{seed}_{broken}"
    with stage:
        bars = st.container()
        seen = LESSON.ask_in_turn(
            places, lambda place: question_of(made.trace(place, settings, broken), chosen, seed, place, about)
        )
        said = made.said_of_cut if broken else made.said
        if seen < places:
            with bars:
                show_bars(made.trace(seen, settings, broken), softmax(made.logits[seen]), chosen.names)
                LESSON.caption(plain(said[seen]))
        if seen:
            known = made.logits[:seen], said[:seen]
            payload = sampling_payload(*known, chosen.names, settings, seed, places, renormalise=not broken)
            trace = made.trace(0, settings, broken)
            p, first = trace.probabilities, shown(chosen.names[trace.order[0]])
            LESSON.set_values(first=first, p=f"{p.max():.3f}", kept=f"{(p > 0).sum():,}", V=f"{len(p):,}")
            are = "is" if (p > 0).sum() == 1 else "are"
            LESSON.set_values(unsure=f"{trace.perplexity:.1f}", are=are)
            LESSON.stepped_view("sampling", payload, on={"settings": take_settings})
        say_what_goes_in(LESSON, chosen, prompt)
        st.caption("The prompt, and what your settings make of it. Each step opens one token's distribution.")
        so_far = made.tokens if seen == places else made.tokens[:seen]
        st.code(chosen.decode((*prompt.ids, *so_far)) or " ", language=None, wrap_lines=True)

    if broken:
        st.header("What is cut is lost", anchor=False)
        say_what_is_lost(*(made.trace(0, settings, cut) for cut in (False, True)), seed)
    if seen:
        if five := LESSON.section("settings", "Five settings, one prompt, one seed"):
            with five:
                compare_settings(chosen, document, prompt.ids, seed)
        st.header("One prompt, every model", anchor=False)
        ask_every_model(document, prompt.text, settings, seed)
        LESSON.every_number(
            "next tokens",
            lambda: sampling_table(
                [made.trace(place, settings, broken) for place in range(seen)], settings, chosen.names, seed
            ),
        )

    LESSON.closing(
        code=[distribution, scale, softmax, top_k, top_p, not_renormalised, draw, misses, sample],
        notebook=[
            *chosen.cells,
            "from core.models.generation.sampling import Settings, generate\n\n"
            f"prompt, settings = read({prompt.text!r}), {settings!r}\n"
            f"steps = list(generate(model, prompt, {LENGTH}, settings, seed={seed}))\n"
            "trace = steps[0].trace\nprint(trace.entropy, trace.perplexity, trace.tail_mass)",
            "print(write([step.token for step in steps]))",
        ],
        plot=(
            "from core.figures.generation.sampling import next_token_figure\n\n"
            "draw(next_token_figure(trace, trace.probabilities, model.vocabulary))"
        ),
        try_this=[
            (
                "Greedy: does the text run in circles?",
                {"temperature": 0.0, "top_k": 0, "top_p": 1.0},
            ),
            ("Hot and uncut: the tail takes over", {"temperature": 2.0, "top_k": 0, "top_p": 1.0}),
            (
                "Hot, but only the five likeliest: does it still spell?",
                {"temperature": 2.0, "top_k": 5, "top_p": 1.0},
            ),
        ],
        sources=[
            "David Ackley, Geoffrey Hinton and Terrence Sejnowski (1985), A learning algorithm for Boltzmann machines.",
            "Angela Fan, Mike Lewis and Yann Dauphin (2018), Hierarchical neural story generation (top-k).",
            "Ari Holtzman et al. (2020), The curious case of neural text degeneration (top-p).",
        ],
    )


def exact_settings(V: int) -> Settings:
    """Draw the fields for T, k and p, which the sliders in the view move too, and return the settings."""
    if LESSON.get_state("top_k", 0) > V:
        LESSON.set_state("top_k", 0)  # another model, with fewer tokens: nothing to cut
    st.caption("Type T, k and p exactly")
    temperature = LESSON.number(
        "temperature", "T: 0 is greedy, 1000 as good as uniform", 0.0, MOST, 1.0, step=0.05
    )
    k = LESSON.number("top_k", "k: 0 keeps all", 0, V, 0)
    p = LESSON.number("top_p", "p: 1 keeps all", 0.0, 1.0, 1.0, step=0.01)
    return Settings(temperature, k, p)


@dataclass(frozen=True)
class Opened:
    """What a model writes; of the first new tokens the logits (places, V), and what is said of each, whole and cut."""

    tokens: tuple[int, ...]
    logits: np.ndarray
    said: tuple[str, ...]
    said_of_cut: tuple[str, ...]

    def trace(self, place: int, settings: Settings, broken: bool) -> SamplingTrace:
        """Return the distribution of the new token at a place."""
        whole = distribution(self.logits[place], settings)
        return not_renormalised(whole) if broken else whole


@cached(60, 30, "The model writes", shared=no_typed_words)
def opened(
    label: str,
    digest: str,
    ids: tuple[int, ...],
    places: int,
    settings: Settings,
    seed: int,
    _chosen: ChosenModel,
) -> Opened:
    """Return what the model writes, with the distributions of the first `places` new tokens."""
    torch.set_num_threads(1)  # one token is too little work to share
    steps = list(generate(_chosen.model, ids, LENGTH, settings, seed))
    traces, names = [step.trace for step in steps[:places]], _chosen.names
    return Opened(
        tuple(step.token for step in steps),
        np.stack([trace.logits for trace in traces]),
        tuple(what_is_left(trace, names) for trace in traces),
        tuple(what_is_left(not_renormalised(trace), names) for trace in traces),
    )


def question_of(trace: SamplingTrace, chosen: ChosenModel, seed: int, place: int, about: str) -> Question:
    """Return what is asked before the token at a place is drawn: on which token the seed's number falls."""
    u = float(np.random.default_rng(seed).random(place + 1)[-1])
    answer = MISSED if misses(trace, u) else shown(chosen.names[draw(trace, u)])
    likeliest = [shown(chosen.names[i]) for i in trace.order[:5]]
    missed = [MISSED] if trace.probabilities.sum() < 1 - 1e-9 else []
    return Question(
        f"The tokens lie end to end, the likeliest first. On which one does u = {u:.3f} fall?",
        list(dict.fromkeys([*likeliest, answer, *missed])),
        answer,
        f"{about}_{place}",
    )


def show_bars(trace: SamplingTrace, model: np.ndarray, names: Sequence[str]) -> None:
    """Draw the likeliest tokens, before the draw is guessed."""
    alt = f"The likeliest tokens; the first has p = {trace.probabilities.max():.3f}"
    LESSON.figure("bars", next_token_figure(trace, model, names), alt)


def take_settings(moved: Mapping[str, float] | None) -> None:
    """Carry the settings that were moved in the view over to the fields that the address knows."""
    if moved:
        for name, kind in (("temperature", float), ("top_k", int), ("top_p", float)):
            LESSON.set_state(name, kind(moved[name]))


def what_is_left(trace: SamplingTrace, names: Sequence[str]) -> str:
    """Return the sentence below the bars: the likeliest token, how many are left, and how sure the model is."""
    first = trace.order[0]
    V, kept, most = (
        len(names),
        int((trace.probabilities > 0).sum()),
        trace.probabilities[trace.order[:5]].sum(),
    )
    likeliest = f"“{shown(names[first])}” has p = {trace.probabilities[first]:.3f}"
    total = trace.probabilities.sum()
    lost = total < 1 - 1e-9
    if kept == 1:
        no_more = f", with no more than {total:.1%} in all" if lost else ""
        return f"{likeliest}; it is the only one left of {V:,} tokens{no_more}."
    left = f"{kept:,} tokens left" if kept < V else f"{V:,} tokens"
    if kept <= 5:
        if lost:
            return f"{likeliest}; the {left} have no more than {total:.1%} together."
        return f"{likeliest}; the {left} have {most:.0%} together{as_unsure(trace)}."
    share = f"the 5 likeliest of the {left} have {most:.0%} together"
    return (
        f"{likeliest}; {share}{f', and all of them no more than {total:.1%}' if lost else as_unsure(trace)}."
    )


def as_unsure(trace: SamplingTrace) -> str:
    """Return the clause that says how unsure the model is, as a number of equally likely tokens."""
    return f"; the model is as unsure as among {trace.perplexity:.1f} equally likely ones"


def say_what_is_lost(whole: SamplingTrace, trace: SamplingTrace, seed: int) -> None:
    """Show the sum of what is left, before and after, and how many draws of the seed fall on no token."""
    lost = int(misses(trace, np.random.default_rng(seed).random(DRAWS)).sum())
    fall = "falls" if lost == 1 else "fall"
    st.markdown(
        f"For the first new token: of {DRAWS} random numbers, **{lost}** {fall} past the end of what was kept, on no "
        "token at all. A text would end there; the texts on this page are still drawn from what was renormalised."
    )
    consequence("Sum of all p", float(whole.probabilities.sum()), float(trace.probabilities.sum()), ".4f")
    if whole.kept.all():
        st.info("Nothing is cut now, so nothing is lost. Lower k or p to see a difference.")


def show_text(chosen: ChosenModel, made: Continuation) -> None:
    """Write a continuation, the mean entropy of its tokens' distributions, and whether it ends in a circle."""
    st.code(chosen.decode(made.tokens), language=None, wrap_lines=True)
    cycle = repeated_cycle(made.tokens)
    circle = f"; runs in a circle from token {cycle.start + 1} on" if cycle else ""
    st.caption(f"mean entropy {np.mean(made.entropies):.2f} bits a token{circle}")


def compare_settings(chosen: ChosenModel, document: Document, ids: tuple[int, ...], seed: int) -> None:
    """Draw the prompt's next-token distribution under five settings, and how the model goes on with each."""
    st.markdown(
        "Greedy search always takes the likeliest token. The higher the temperature, the more often a rare one is "
        "drawn; where that makes nonsense, read what top-p, which cuts the rare ones off, writes with the same luck. A "
        "text that ends in the same tokens three times or more runs in a circle."
    )
    logits = next_logits(chosen.label, document.digest, ids, chosen.model)
    traces = {label: distribution(logits, each) for label, each in FIVE.items()}
    LESSON.figure(
        "five",
        settings_figure(traces, chosen.names),
        "The likeliest next tokens after the prompt, with each of the settings",
    )
    for column, (label, each) in zip(st.columns(len(FIVE)), FIVE.items(), strict=True):
        with column:
            st.markdown(f"**{label}**")
            show_text(chosen, written(chosen, document, ids, LENGTH, each, seed))


def ask_every_model(document: Document, text: str, settings: Settings, seed: int) -> None:
    """Let every model go on from the same prompt with the same settings and seed, if the learner asks for it."""
    if not LESSON.toggle("every", "Ask every model"):
        return
    for label in (*model_labels(), *OWN):
        chosen = language_model(label, document)
        made = written(chosen, document, chosen.encode(text).ids, LENGTH, settings, seed)
        st.markdown(f"**{label}** · {len(chosen.names):,} tokens in its vocabulary")
        show_text(chosen, made)


def written(
    chosen: ChosenModel, document: Document, ids: Sequence[int], length: int, settings: Settings, seed: int
) -> Continuation:
    """Return how a model goes on after the ids with these settings."""
    return continuation(chosen.label, document.digest, tuple(ids), length, settings, seed, chosen.model)
