"""Train a character model on the learner's own text, replay how it learnt, and hold it against counting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.character_training import baseline_figure, replay_payload, worked_bits
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.lesson import Lesson
from core.lesson.text_source import is_own, notebook_text, text_source
from core.lesson.training_job import Bench
from core.models.descent import Descent
from core.models.fit_language_model import Fitting, next_token_loss
from core.models.generation.character_fit import CharacterFit
from core.models.generation.character_split import MEASURED, measured_loss, parts, shuffled
from core.models.generation.counted_characters import best_order, ngram_losses
from core.models.generation.fit_characters import (
    CharacterConfig,
    CharacterTraining,
    fit_characters,
    looking_back,
)
from core.models.language_model import bits
from core.models.training_error import TrainingError
from core.text.reading.documents import Document
from core.text.samples.microworld import microworld
from core.text.tokenization.tokens import words

LESSON = Lesson(
    __name__,
    title="Train on your characters",
    question="What does a network learn of your text, and in what order?",
    icon="dumbbell",
)
NETWORKS = {"feed-forward": "feed-forward", "GRU": "recurrent", "GPT": "gpt"}
LOOK_BACK = (4, 8, 16, 32, 64, 128)
STEPS = (50, 100, 200, 400, 800, 1600, 3200)
READ_AT_MOST = 1_000_000
ORDERS = range(1, 7)


@dataclass(frozen=True)
class TrainedOn:
    """What a training was given: the text, its name, whether it is the learner's own, and the settings."""

    name: str
    text: str
    own: bool
    config: CharacterConfig


def picture() -> Figure:
    """What counting reaches on a few sentences, for n = 1 to 5: what a network has to beat."""
    text = "\n".join(microworld(300, seed=1))
    return small(baseline_figure(ngram_losses(text, range(1, 6)), {}))


def page() -> None:
    """Train; replay the losses and what the network wrote; n-grams of the same text."""
    LESSON.open(
        r"\theta \leftarrow \theta - \eta\, \nabla_\theta L, \qquad "
        r"L = -\frac{1}{BT} \sum_{b=1}^{B} \sum_{t=1}^{T} \ln p_\theta(y_{b,t} \mid x_{b,1} \dots x_{b,t})",
        "$B$ windows of $T$ characters are drawn from the first nine tenths of the text; $y$ is $x$ one to the right; "
        "$\\theta$: all weights; $\\eta$: the rate. The last tenth is **held out**: no step ever reads it. Matrices inside "
        "the network take steps by Muon, all else by Adam.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        config = choose_settings()
        broken = LESSON.break_it(
            "shuffled",
            "Break it: shuffle the characters",
            "The text keeps its characters, each as often as before, and loses their order.",
        )
        given = to_train_on(document, config, broken)

    with stage:
        bench = LESSON.train(fit_characters, (given.text, config), given, watch)
        trained = bench.settings or given
        ngrams = baselines(trained)
        LESSON.set_values(
            **dict.fromkeys(("best", "whole", "broken"), "unknown"), measure="Bits, best n-gram"
        )
        replay = st.container()
        st.header("Against counting", anchor=False)
        revealed = guessed(ngrams, bench)
        networks = {}
        if bench.result is not None and revealed:
            networks[name_of(bench.settings.config)] = bench.result.snapshots[-1].held_out_loss
        if ngrams:
            whole = baselines(to_train_on(document, config, False)) if broken else {}
            less = baselines(given) if broken else {}
            draw_baselines(ngrams, networks, whole, less)
            st.markdown(what_is_measured(trained.text))
            if whole and less:
                show_shuffled(whole, less)
    if bench.result is not None and revealed:
        with replay:
            show_replay(bench, ngrams)
            st.markdown(
                "Play it: in which order do these come, as far as the text has them? How frequent each letter is, where "
                "words begin and end, short words, longer ones, lines. A shuffled text leaves only the first."
            )

    losses_table(ngrams, bench, revealed)
    files = {}
    if bench.result is not None:
        files["Weights (safetensors)"] = ("characters.safetensors", bench.result.safetensors)
    LESSON.closing(
        code=[
            *(fit_characters, CharacterTraining, Fitting.batch, Descent.step),
            *(next_token_loss, measured_loss, ngram_losses),
        ],
        notebook=[
            "from core.models.generation.character_fit import load_characters\n"
            "from core.models.generation.character_split import shuffled\n"
            "from core.models.generation.counted_characters import ngram_losses\n"
            "from core.models.generation.fit_characters import CharacterConfig, fit_characters\n"
            f"{notebook_text()}\ntext = text[:{READ_AT_MOST}]"
            + (f"\ntext = shuffled(text, {config.seed})" if broken else ""),
            f"fit = fit_characters(lambda progress: print(progress.step, progress.held_out_loss), text, {config!r})\n"
            "print(fit.snapshots[-1].sample)",
            '# model = load_characters("characters.safetensors")  # the weights that you took away',
            f"ngram_losses(text, range({ORDERS.start}, {ORDERS.stop}))",
        ],
        plot=(
            "from core.figures.generation.character_training import baseline_figure\n\n"
            "draw(baseline_figure(ngram_losses(text, range(1, 7)), {}))"
        ),
        try_this=[
            (
                "A feed-forward network that sees four characters: what can it spell?",
                {"network": "feed-forward", "window": 4, "shuffled": False},
            ),
            (
                "A GPT that sees 64: does it pass the n-grams, and after how many steps?",
                {"network": "GPT", "window": 64, "steps": 1600, "shuffled": False},
            ),
            ("Shuffle the text first: what is left to learn?", {"shuffled": True, "steps": 100}),
        ],
        sources=[
            "Jeffrey Elman (1990), Finding structure in time: a network learns words from a stream of letters.",
            "Ilya Sutskever, James Martens and Geoffrey Hinton (2011), Generating text with recurrent neural networks.",
            "Keller Jordan et al. (2024), Muon: an optimizer for hidden layers in neural networks.",
        ],
        files=files,
    )


def choose_settings() -> CharacterConfig:
    """Draw the settings and return them."""
    network = LESSON.choose("network", "Network", list(NETWORKS), default="GRU")
    look_back = LESSON.select_slider(
        "window",
        "Window, in characters",
        LOOK_BACK,
        value=32,
        width=200,
        help="How far it looks back. For the GRU, how far back the gradient goes: its state may carry further.",
    )
    reads = "A step reads about 1,024 characters. Training ends by itself after ten minutes."
    steps = LESSON.select_slider("steps", "Steps", STEPS, value=800, width=200, help=reads)
    seed = LESSON.number("seed", "Seed", 0, 9999, 1, width=130)
    return looking_back(NETWORKS[network], look_back, steps=steps, seed=seed)


def name_of(config: CharacterConfig) -> str:
    """Return how a configuration's network is called on the page."""
    return next(name for name, network in NETWORKS.items() if network == config.network)


in_random_order = cached(8, 2, shared=no_typed_words)(shuffled)


def to_train_on(document: Document, config: CharacterConfig, shuffle: bool) -> TrainedOn:
    """Return what to train on: the text, in order or not; of a very long one the beginning, which is then said."""
    if len(document.text) > READ_AT_MOST:
        st.caption(f"Your text is long: its first {READ_AT_MOST:,} characters are used.")
    text, own = document.text[:READ_AT_MOST], is_own(document)
    if shuffle:
        return TrainedOn(f"{document.name}, shuffled", in_random_order(text, config.seed), own, config)
    return TrainedOn(document.name, text, own, config)


def watch(reports: list) -> None:
    """Draw how far a training is, and what the network writes by now; its losses unless they are to be predicted."""
    if not reports:
        st.progress(0.0, "Reading the text")
        return
    now = reports[-1]
    left = f"{now.seconds_left:.0f} s left" if now.step else "starting"
    losses = (
        f"loss {now.loss:.3f} nats on training text, {now.held_out_loss:.3f} = {bits(-now.held_out_loss):.3f} bits on "
        "held-out text · "
    )
    st.progress(
        now.share,
        f"Step {now.step:,} of {now.steps:,} · {'' if LESSON.get_state('predict') else losses}"
        f"{now.characters_per_second:,.0f} characters a second · {left}",
    )
    st.caption("What it writes by now:")
    st.code(now.sample or " ", language=None, wrap_lines=True)


@cached(16, 4, "Counting the text", shared=no_typed_words)
def losses_of(text_hash: int, _text: str) -> dict[int, float]:
    """Return the losses of n-grams of a text. Python keeps a text's hash; Streamlit would read the text anew."""
    return ngram_losses(_text, ORDERS)


def baselines(given: TrainedOn) -> dict[int, float]:
    """Return the losses of n-grams of a text; none, with a sentence, for a text with too little in it.

    Everybody shares a sample's; those of a learner's own text stay in the session.
    """
    try:
        return losses_of(hash(given.text), given.text)
    except TrainingError as error:
        st.info(str(error))
        return {}


def what_is_measured(text: str) -> str:
    """Return on how many characters of a text the n-grams and the networks were measured."""
    held_out = len(parts(np.empty(len(text), dtype=np.int8))[1])
    first = f"the first {MEASURED:,} of " if held_out > MEASURED else ""
    return (
        "The n-grams were counted on the first nine tenths of the text, and all are measured on "
        f"{first}its last {held_out:,} characters. A network "
        "that is no better than the best n-gram has not shown that it learnt more than short runs of characters."
    )


def guessed(ngrams: Mapping[int, float], bench: Bench) -> bool:
    """Ask which is better, the network or counting, before the answer is shown; return whether it may be."""
    if bench.result is None or not ngrams:
        return True
    net, counting = name_of(bench.settings.config), "the best n-gram"
    better = net if bench.result.snapshots[-1].held_out_loss < min(ngrams.values()) else counting
    return LESSON.ask("Which foresees the held-out text better?", [net, counting], better, str(bench.number))


def draw_baselines(
    ngrams: Mapping[int, float],
    networks: Mapping[str, float],
    whole: Mapping[int, float],
    broken: Mapping[int, float],
) -> None:
    """Draw the n-grams' bits a character, the trained network's beside them, and those of the shuffled text."""
    shown = whole or ngrams
    best = best_order(shown)
    least = float(bits(-shown[best]))
    LESSON.figure(
        "baselines",
        baseline_figure(shown, networks, shuffled=broken),
        f"Bits a character on the held-out tenth: the best n-gram has n = {best} and {least:.2f} bits",
    )
    LESSON.caption(
        f"Of the n-grams, n = {best} foresees the held-out text best, at {least:.2f} bits a character."
        + ("" if LESSON.bench().result else " Train, and see what a network learns, and when.")
    )
    counted = best_order(ngrams)
    LESSON.set_values(best=f"n = {best}, at {least:.2f} bits a character")
    for name, loss in networks.items():
        gain = float(bits(loss - ngrams[counted]))
        st.markdown(
            f"The {name} network foresees the held-out text **{abs(gain):.2f} bits a character "
            f"{'better' if gain > 0 else 'worse'}** than the best n-gram (n = {counted}) of the text it was trained on."
        )


def show_shuffled(whole: Mapping[int, float], broken: Mapping[int, float]) -> None:
    """Show what the best n-gram loses when the text's characters are shuffled."""
    n = best_order(broken)
    least = [float(bits(-min(losses.values()))) for losses in (whole, broken)]
    consequence("Bits a character, best n-gram", *least, more_is_better=False)
    st.info(
        f"How frequent each character is (n = 1) foresees the shuffled text at {bits(-broken[1]):.2f} bits a character; "
        + ("no longer run is better." if n == 1 else f"the best n-gram, n = {n}, at {least[1]:.2f}.")
        + " Train on it, and read what the network writes."
    )


def show_replay(bench: Bench, ngrams: Mapping[int, float]) -> None:
    """Draw the replay of the last training: losses, samples, and what each snapshot expects after a prompt."""
    fit, given = bench.result, bench.settings
    prompt = LESSON.text("prompt", "After", "the ", max_chars=200)
    unknown = sorted({character for character in prompt if character not in fit.vocabulary})
    if unknown:
        st.text(f"Not in the text it was trained on, so read as unknown: {' '.join(unknown)}")
    best = best_order(ngrams) if ngrams else None
    baseline = (f"best n-gram, n = {best}", ngrams[best]) if ngrams else None
    expected, known = expected_by(bench.number, prompt, fit), known_words_of(given.text)
    data = replay_payload(fit, expected, prompt, baseline, bench.number, known)
    LESSON.view("training_replay", data, "replay")
    if fit.risen:
        st.info(
            "The loss on held-out text was lowest at step {:,} and has risen by {:.3f} nats since, while the loss on "
            "training text went on falling: the network has begun to learn the text by heart.".format(
                *fit.risen
            )
        )
    if fit.unknown_share:
        st.caption(f"{fit.unknown_share:.2%} of the characters were too rare to be told apart.")
    last, window = fit.snapshots[-1], given.config.shape.get("context", given.config.window)
    st.text(
        f"Trained on {given.name}: {name_of(given.config)}, window {window}, {last.step:,} of {last.steps:,} steps, "
        f"{fit.parameters:,} parameters, {len(fit.vocabulary)} characters."
    )


@st.cache_data(scope="session", max_entries=2, show_spinner=False)
def known_words_of(text: str) -> set[str]:
    """Return a text's words."""
    return set(words(text))


@st.cache_data(scope="session", max_entries=20, show_spinner="Asking every snapshot")
def expected_by(number: int, prompt: str, _fit: CharacterFit) -> np.ndarray:
    """Return what each snapshot of a training expects after a prompt, (S, V), computed once a session."""
    return _fit.expected(_fit.encode(prompt))


def losses_table(ngrams: Mapping[int, float], bench: Bench, revealed: bool) -> None:
    """Show each n-gram's and each snapshot's losses, in nats, in bits and as a perplexity."""
    rows = [(f"{n}-gram", None, None, loss) for n, loss in ngrams.items()]
    if bench.result is not None and revealed:
        name = name_of(bench.settings.config)
        rows += [(name, shot.step, shot.loss, shot.held_out_loss) for shot in bench.result.snapshots]
    columns = ["model", "step", "training, nats", "held out, nats"]
    table = pd.DataFrame(rows, columns=columns).astype({"step": "Int64", "training, nats": float})
    table["bits a character"] = bits(-table["held out, nats"].astype(float))
    table["perplexity"] = np.exp(table["held out, nats"].astype(float))

    def formula(row: int, column: str) -> str | None:
        return worked_bits(float(table["held out, nats"][row]), column)

    LESSON.every_number("losses", lambda: (table, formula))
