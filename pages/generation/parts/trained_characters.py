"""What a training on the learner's characters left: its replay, and its place beside n-grams of the same text."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from math import e, log

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.generation.character_training import baseline_figure, replay_payload, worked_bits
from core.lesson.break_it import consequence
from core.lesson.browser_view import browser_view
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.predict_first import predict_first
from core.lesson.text_source import OWN
from core.lesson.training_job import Bench
from core.models.generation.fit_characters import CharacterConfig, CharacterFit, TrainingError, ngram_losses
from core.text.reading.documents import Document
from core.text.tokenization.tokens import words
from pages.generation.parts.character_settings import name_of

READ_AT_MOST = 1_000_000
ORDERS = range(1, 7)


@dataclass(frozen=True)
class TrainedOn:
    """What a training was given: the text, its name, whether it is the learner's own, and the settings."""

    name: str
    text: str
    own: bool
    config: CharacterConfig


def _ngrams(text: str) -> dict[int, float]:
    return ngram_losses(text, ORDERS)


_of_sample = st.cache_data(max_entries=8, show_spinner="Counting the text")(_ngrams)
_of_own = st.cache_data(scope="session", max_entries=4, show_spinner="Counting your text")(_ngrams)


@st.cache_data(scope="session", max_entries=2, show_spinner=False)
def shuffled(text: str, seed: int) -> str:
    """Return a text's characters in random order."""
    return "".join(random.Random(seed).sample(text, len(text)))


def to_train_on(document: Document, config: CharacterConfig, shuffle: bool) -> TrainedOn:
    """Return what to train on: the text, in order or not; of a very long one the beginning, which is then said."""
    if len(document.text) > READ_AT_MOST:
        st.caption(f"Your text is long: its first {READ_AT_MOST:,} characters are used.")
    text = document.text[:READ_AT_MOST]
    name, own = document.name, document is st.session_state.get(OWN)
    if shuffle:
        return TrainedOn(f"{name}, shuffled", shuffled(text, config.seed), own, config)
    return TrainedOn(name, text, own, config)


def baselines(given: TrainedOn) -> dict[int, float]:
    """Return the losses of n-grams of a text; none, with a sentence, for a text with too little in it.

    Everybody shares a sample's; those of a learner's own text stay in the session.
    """
    try:
        return (_of_own if given.own else _of_sample)(given.text)
    except TrainingError as error:
        st.info(str(error))
        return {}


def best_of(ngrams: Mapping[int, float]) -> int:
    """Return the n of the n-gram that foresees the held-out text best."""
    return min(ngrams, key=ngrams.get)


@st.cache_data(scope="session", max_entries=20, show_spinner="Asking every snapshot")
def expected_by(number: int, prompt: str, _fit: CharacterFit) -> np.ndarray:
    """Return what each snapshot of a training expects after a prompt, (S, V), computed once a session."""
    return _fit.expected(_fit.encode(prompt))


def show_replay(lesson: str, bench: Bench, ngrams: Mapping[int, float]) -> None:
    """Draw the replay of the last training: losses, samples, and what each snapshot expects after a prompt."""
    fit, given = bench.result, bench.settings
    prompt = st.text_input("After", "the ", key=f"{lesson}_prompt", bind="query-params", max_chars=200)
    unknown = sorted({character for character in prompt if character not in fit.vocabulary})
    if unknown:
        st.text(f"Not in the text it was trained on, so read as unknown: {' '.join(unknown)}")
    baseline = (f"best n-gram, n = {best_of(ngrams)}", ngrams[best_of(ngrams)]) if ngrams else None
    expected = expected_by(bench.number, prompt, fit)
    payload = replay_payload(
        fit, expected, prompt, baseline, bench.number, words_of(bench.number, given.text)
    )
    browser_view("training_replay", payload, f"{lesson}_replay")
    say_overfitting(fit)
    if fit.unknown_share:
        st.caption(f"{fit.unknown_share:.2%} of the characters were too rare to be told apart.")
    last, window = fit.snapshots[-1], given.config.shape.get("context", given.config.window)
    st.text(
        f"Trained on {given.name}: {name_of(given.config)}, window {window}, {last.step:,} of {last.steps:,} steps, "
        f"{parameters(fit):,} parameters, {len(fit.vocabulary)} characters."
    )


@st.cache_data(scope="session", max_entries=2, show_spinner=False)
def words_of(number: int, text: str) -> set[str]:
    """Return the words of the text that a training was given."""
    return set(words(text))


def say_overfitting(fit: CharacterFit) -> None:
    """Say when the held-out loss was lowest, where it has risen again since."""
    best = min(fit.snapshots, key=lambda snapshot: snapshot.held_out_loss)
    last = fit.snapshots[-1]
    risen = last.held_out_loss - best.held_out_loss
    if risen > 0.01 and last.loss < best.loss:
        st.info(
            f"The loss on held-out text was lowest at step {best.step:,} ({best.held_out_loss:.3f} nats) and has risen "
            f"by {risen:.3f} since, while the loss on training text went on falling: the network has begun to learn "
            "the text by heart."
        )


def parameters(fit: CharacterFit) -> int:
    """Return how many numbers were learnt."""
    return sum(array.size for array in fit.snapshots[-1].weights.values())


def show_baselines(lesson: str, ngrams: Mapping[int, float], bench: Bench, revealed: bool = True) -> None:
    """Draw the n-grams' bits a character, with the trained network's beside them."""
    networks = {}
    if bench.result is not None and revealed:
        networks[name_of(bench.settings.config)] = bench.result.snapshots[-1].held_out_loss
    best = best_of(ngrams)
    show_figure(
        baseline_figure(ngrams, networks),
        f"{lesson}_baselines",
        f"Bits a character on the held-out tenth: the best n-gram has n = {best} and {ngrams[best] / log(2):.2f} bits",
    )
    for name, loss in networks.items():
        gain = (ngrams[best] - loss) / log(2)
        verdict = "better" if gain > 0 else "worse"
        st.markdown(
            f"The {name} network foresees the held-out text **{abs(gain):.2f} bits a character {verdict}** than the "
            f"best n-gram (n = {best})."
        )


def show_shuffled(ordered: Mapping[int, float], broken: Mapping[int, float]) -> None:
    """Show what the best n-gram loses when the text's characters are shuffled."""
    if not ordered or not broken:
        return
    bits = [min(losses.values()) / log(2) for losses in (ordered, broken)]
    consequence("Bits a character, best n-gram", *bits, more_is_better=False)
    st.info(
        "All that is left to learn of a shuffled text is how frequent each character is. Train on it, and read what "
        "the network writes."
    )


def guessed(lesson: str, ngrams: Mapping[int, float], bench: Bench) -> bool:
    """Ask which is better, the network or counting, before the answer is shown; return whether it may be."""
    if bench.result is None or not ngrams:
        return True
    network, counting = name_of(bench.settings.config), "the best n-gram"
    better = network if bench.result.snapshots[-1].held_out_loss < min(ngrams.values()) else counting
    return predict_first(
        lesson, "Which foresees the held-out text better?", [network, counting], better, str(bench.number)
    )


def losses_table(lesson: str, ngrams: Mapping[int, float], bench: Bench, revealed: bool = True) -> None:
    """Show each n-gram's and each snapshot's losses, in nats, in bits and as a perplexity."""
    rows = [(f"{n}-gram", None, None, loss) for n, loss in ngrams.items()]
    if bench.result is not None and revealed:
        name = name_of(bench.settings.config)
        rows += [(name, shot.step, shot.loss, shot.held_out_loss) for shot in bench.result.snapshots]
    columns = ["model", "step", "training, nats", "held out, nats"]
    table = pd.DataFrame(rows, columns=columns).astype({"step": "Int64", "training, nats": float})
    table["bits a character"] = table["held out, nats"] / log(2)
    table["perplexity"] = e ** table["held out, nats"]

    def formula(row: int, column: str) -> str | None:
        """Fill in the formula of one number."""
        return worked_bits(float(table["held out, nats"][row]), column)

    every_number(lesson, "losses", table, formula)
