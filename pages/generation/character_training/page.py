"""Training a character model: what the story shows of one training on Hamlet, and the lab on the learner's own text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st

from core.lesson.cached import cached, no_typed_words
from core.lesson.settings import Choice, Settings, Slider, Switch
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import is_own, sample_in_use, text_source
from core.lesson.training_job import Bench
from core.models.descent import Descent
from core.models.fit_language_model import Fitting, next_token_loss
from core.models.generation.character_fit import CharacterFit
from core.models.generation.character_split import MEASURED, SHORT, hold_out, measured_loss, shuffled
from core.models.generation.counted_characters import best_order, ngram_losses
from core.models.generation.fit_characters import (
    CharacterConfig,
    CharacterTraining,
    fit_characters,
    looking_back,
)
from core.models.generation.one_text import READ_AT_MOST as BOARD_READS
from core.models.generation.one_text import recorded_boards
from core.models.generation.recorded_characters import real_words, recorded_run
from core.models.language_model import bits
from core.models.stored import sha256_of_text
from core.models.training_error import TrainingError
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import words
from pages.generation.character_training import LESSON
from pages.generation.character_training.figures import (
    COLUMNS,
    baseline_figure,
    draw_curve,
    draw_row,
    draw_sample,
    replay_payload,
    worked_loss,
)

WORDS = LESSON.words
NOISE, LETTERS, SPACES, SHORT_WORDS, LAST = 0, 16, 64, 400, 1600  # steps of the run that the story stops at
CROSSED = (1, 2, 3, 4)  # the n-grams that the network passes one after the other
CHOICES = ("letters", "spaces", "words")
COUNTING, NETWORK_ID = "counting", "network"
READ_AT_MOST = 1_000_000
ORDERS = range(1, 7)
NETWORKS = {"feed_forward": "feed-forward", "recurrent": "recurrent", "gpt": "gpt"}  # id -> key of SHAPES
LOOK_BACK = (4, 8, 16, 32, 64, 128)
STEPS_OF = (50, 100, 200, 400, 800, 1600, 3200)
FIRST_TEXT = "hamlet"

MOMENT = Slider("moment", 3, 0, 20)
NETWORK = Choice(
    "network",
    "recurrent",
    tuple(NETWORKS),
    {"feed-forward": "feed_forward", "GRU": "recurrent", "GPT": "gpt"},
)
WINDOW = Choice("window", "32", tuple(map(str, LOOK_BACK)))
STEPS = Choice("steps", "800", tuple(map(str, STEPS_OF)))
SHUFFLED = Switch("shuffled")
LAB = (NETWORK, WINDOW, STEPS, SHUFFLED)
SAME = {"network": "gpt", "window": "64", "steps": "1600"}  # the lab as the story's run was trained


# The story: what each beat shows.


def show_noise(settings: Settings) -> Part:
    """The untrained network: the marker at the curve's beginning, and noise."""
    run, found = recorded_run(), hold_out(sample(FIRST_TEXT).read().text)
    values = {
        "bits": run.at(NOISE).held_out,
        "guessing": float(np.log2(run.vocabulary)),
        "V": run.vocabulary,
        "parameters": run.parameters,
        "characters": run.characters,
        "short": SHORT,
        "repeated": found.repeated,
        "lines": found.lines,
    }
    return part_at(NOISE, values)


def ask_first(settings: Settings) -> Part:
    """The loss after the first steps; the answer shows what the network writes."""
    run = recorded_run()
    values = {
        "step": LETTERS,
        "bits": run.at(LETTERS).held_out,
        "before": run.at(NOISE).held_out,
        "counting": run.ngrams[1],
        "revealed": settings.revealed,
    }
    panel = draw_sample(run.at(LETTERS), hidden=not settings.revealed)
    levels = (1,) if settings.revealed else ()
    return Part(
        "learning_curve",
        draw_curve(run, LETTERS, [panel], levels),
        values,
        SAME,
        choices=CHOICES,
        answer="letters",
    )


def show_spaces(settings: Settings) -> Part:
    """Words have a length."""
    run = recorded_run()
    moment = run.at(SPACES)
    values = {
        "length": moment.word_length,
        "truth": run.word_length,
        "step": SPACES,
        "known": moment.known,
        "n": run.long_sample,
    }
    return part_at(SPACES, values)


def show_short_words(settings: Settings) -> Part:
    """The known words of a sample are marked."""
    run = recorded_run()
    values = {
        "known": run.at(SHORT_WORDS).known,
        "before": run.at(SPACES).known,
        "step": SHORT_WORDS,
        "n": run.long_sample,
    }
    return part_at(SHORT_WORDS, values, marked=True)


def show_last(settings: Settings) -> Part:
    """The end of the training: most words are real."""
    run = recorded_run()
    values = {
        "known": run.at(LAST).known,
        "truth": run.words_known,
        "step": LAST,
        "n": run.long_sample,
    }
    return part_at(LAST, values, marked=True)


def show_levels(settings: Settings) -> Part:
    """The n-grams' losses as lines, and where the network first goes below each."""
    run = recorded_run()
    crossings = [run.first_below(run.ngrams[n]) for n in CROSSED]
    texts = [WORDS.label("crossing", step=moment.step) for moment in crossings]
    values = {"steps": [moment.step for moment in crossings], "n": CROSSED[-1]}
    picture = draw_curve(run, None, [], CROSSED, crossings=list(zip(crossings, texts, strict=True)))
    return Part("learning_curve", picture, values, SAME)


def gpt_of_the_board() -> dict[str, float]:
    """Return what the lesson "Model leaderboard" has of the same GPT on the same text: its steps and bits."""
    run = recorded_boards()[sha256_of_text(sample(FIRST_TEXT).read().text[:BOARD_READS])]
    bits_of = {each.name: each.held_out_bits for each in run.networks}
    return {"steps": run.steps, "bits": bits_of["GPT"]}


def ask_counting(settings: Settings) -> Part:
    """The end of the curve from close by; the answer draws the best n-gram."""
    run = recorded_run()
    levels = (CROSSED[-1], run.best) if settings.revealed else CROSSED[-1:]
    values = {
        "bits": run.at(LAST).held_out,
        "best": run.ngrams[run.best],
        "n": run.best,
        "behind": run.behind,
        "interval": run.interval,
        "measured": MEASURED,
        "crossed": CROSSED[-1],
        "step": LAST,
        "board": gpt_of_the_board(),
        "revealed": settings.revealed,
    }
    picture = draw_curve(run, LAST, [], levels, strong=run.best if settings.revealed else None, close=True)
    return Part("learning_curve", picture, values, SAME, choices=(NETWORK_ID, COUNTING), answer=COUNTING)


def show_moment(settings: Settings) -> Part:
    """The moment of the training that the learner drags to."""
    run = recorded_run()
    moment = run.moments[settings.moment]
    half = next(each for each in run.moments if each.known > 0.5)
    values = {
        "step": moment.step,
        "known": moment.known,
        "half": half.step,
        "found": moment.step == half.step,
        "early": moment.step < half.step,
        "count": len(run.moments),
    }
    return part_at(moment.step, values, marked=True, dots=True)


def show_answer(settings: Settings) -> Part:
    """The five samples in a row, and their places on the curve."""
    run = recorded_run()
    moments = [run.at(step) for step in (NOISE, LETTERS, SPACES, SHORT_WORDS, LAST)]
    rows = [draw_row(moment, vocabulary_of_play()) for moment in moments]
    picture = draw_curve(run, None, rows, crossings=[(moment, f"{moment.step:,}") for moment in moments])
    return Part("learning_curve", picture, {"n": len(moments)}, SAME)


STORY = (
    look("noise", show_noise),
    ask("first", ask_first),
    look("spaces", show_spaces),
    look("short", show_short_words),
    look("last", show_last),
    look("levels", show_levels),
    ask("counting", ask_counting),
    do("replay", show_moment, MOMENT),
    end("answer", show_answer),
)


@cache
def vocabulary_of_play() -> frozenset[str]:
    """Return the words of the part of the play that the recorded network was trained on."""
    text = sample(recorded_run().sample).read().text
    return real_words(text[: int(0.9 * len(text))])


def part_at(step: int, values: Mapping[str, object], marked: bool = False, dots: bool = False) -> Part:
    """Return the curve with its marker at a step, next to what the network writes there."""
    run = recorded_run()
    moment = run.at(step)
    foot = WORDS.label("known", known=moment.known) if marked else ""
    panel = draw_sample(moment, vocabulary_of_play() if marked else None, foot)
    return Part("learning_curve", draw_curve(run, step, [panel], dots=dots), values, SAME)


# The lab: train on the learner's text, replay it, and hold it against counting.


@dataclass(frozen=True)
class TrainedOn:
    """What a training was given: the text, its name, whether it is the learner's own, and the settings."""

    name: str
    text: str
    own: bool
    config: CharacterConfig


def lab() -> None:
    """Train; replay the losses and what the network wrote; n-grams of the same text."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source(FIRST_TEXT)
        config = choose_settings()
        broken = LESSON.draw(SHUFFLED)
        given = to_train_on(document, config, broken)
    with stage:
        bench = LESSON.train(fit_characters, (given.text, config), given, watch)
        trained = bench.settings or given
        ngrams = baselines(trained)
        replay = st.container()
        revealed = guessed(ngrams, bench)
        networks = {}
        if bench.result is not None and revealed:
            networks[name_of(bench.settings.config)] = bench.result.snapshots[-1].held_out_loss
        if ngrams:
            whole = baselines(to_train_on(document, config, False)) if broken else {}
            less = baselines(given) if broken else {}
            draw_baselines(ngrams, networks, whole, less)
            say_what_is_measured(trained.text)
            if whole and less:
                show_shuffled(whole, less)
    if bench.result is not None and revealed:
        with replay:
            show_replay(bench, ngrams)
            st.markdown(WORDS.markdown("replay.look"))
    losses_table(ngrams, bench, revealed)
    files = {}
    if bench.result is not None:
        files[WORDS.label("weights")] = ("characters.safetensors", bench.result.safetensors)
    LESSON.close_lab(
        code=[
            *(fit_characters, CharacterTraining, Fitting.batch, Descent.step),
            *(next_token_loss, measured_loss, ngram_losses),
        ],
        parameters={
            "sample": sample_in_use(),
            "shuffle": broken,
            "network": config.network,
            "window": LESSON.get_state("window"),
            "steps": config.steps,
            "seed": config.seed,
        },
        prompts={
            "four": {"network": "feed_forward", "window": 4, "shuffled": False},
            "gpt": {"network": "gpt", "window": 64, "steps": 3200, "shuffled": False},
            "shuffle": {"shuffled": True, "steps": 100},
        },
        files=files,
    )


def choose_settings() -> CharacterConfig:
    """Draw the settings and return them."""
    network = LESSON.draw(NETWORK)
    label, why = WORDS.label("window"), WORDS.label("window.help")
    window = LESSON.select_slider("window", label, LOOK_BACK, value=int(WINDOW.default), width=200, help=why)
    label, why = WORDS.label("steps"), WORDS.label("steps.help")
    steps = LESSON.select_slider("steps", label, STEPS_OF, value=int(STEPS.default), width=200, help=why)
    with LESSON.options():
        seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, 1, width=130)
    return looking_back(NETWORKS[network], window, steps=steps, seed=seed)


def name_of(config: CharacterConfig) -> str:
    """Return how a configuration's network is called on the page."""
    return WORDS.label(f"network.{next(each for each, key in NETWORKS.items() if key == config.network)}")


in_random_order = cached(8, 2, shared=no_typed_words)(shuffled)


def to_train_on(document: Document, config: CharacterConfig, shuffle: bool) -> TrainedOn:
    """Return what to train on: the text, in order or not; of a very long one the beginning, which is then said."""
    if len(document.text) > READ_AT_MOST:
        st.caption(WORDS.markdown("cut", n=READ_AT_MOST))
    text, own = document.text[:READ_AT_MOST], is_own(document)
    if shuffle:
        name = WORDS.label("name.shuffled", name=document.name)
        return TrainedOn(name, in_random_order(text, config.seed), own, config)
    return TrainedOn(document.name, text, own, config)


def watch(reports: list) -> None:
    """Draw how far a training is, and what the network writes by now; its losses unless they are to be predicted."""
    if not reports:
        st.progress(0.0, WORDS.label("reading"))
        return
    now = reports[-1]
    values = {
        "step": now.step,
        "steps": now.steps,
        "loss": now.loss,
        "held_out": now.held_out_loss,
        "bits": float(bits(-now.held_out_loss)),
        "speed": now.characters_per_second,
        "left": now.seconds_left,
        "hidden": bool(LESSON.get_state("predict")),
    }
    st.progress(now.share, WORDS.label("progress", **values))
    st.caption(WORDS.label("writes.now"))
    st.code(now.sample or " ", language=None, wrap_lines=True)


@cached(16, 4, shared=no_typed_words)
def losses_of(text_hash: int, _text: str) -> dict[int, float]:
    """Return the losses of n-grams of a text. Python keeps a text's hash; Streamlit would read the text again."""
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


def say_what_is_measured(text: str) -> None:
    """Say on how many characters the n-grams and the networks were measured, and which lines were left out."""
    found = hold_out(text)
    values = {"n": len(found.measured_on), "measured": MEASURED, "cut": len(found.measured_on) > MEASURED}
    values |= {"repeated": found.repeated, "lines": found.lines, "short": SHORT}
    st.markdown(WORDS.markdown("measured", **values))


def guessed(ngrams: Mapping[int, float], bench: Bench) -> bool:
    """Ask which is better, the network or counting, before the answer is shown; return whether it may be."""
    if bench.result is None or not ngrams:
        return True
    net, counting = name_of(bench.settings.config), WORDS.label("best_ngram")
    better = net if bench.result.snapshots[-1].held_out_loss < min(ngrams.values()) else counting
    return LESSON.ask(WORDS.label("guess"), [net, counting], better, str(bench.number))


def draw_baselines(
    ngrams: Mapping[int, float],
    networks: Mapping[str, float],
    whole: Mapping[int, float],
    broken: Mapping[int, float],
) -> None:
    """Draw the n-grams' bits per character, the trained network's and those of the shuffled text."""
    drawn = whole or ngrams
    best = best_order(drawn)
    values = {"n": best, "bits": float(bits(-drawn[best])), "trained": LESSON.bench().result is not None}
    figure = baseline_figure(drawn, networks, shuffled=broken)
    LESSON.figure("baselines", figure, WORDS.label("baselines.alt", **values))
    LESSON.say("says.baselines", values)
    counted = best_order(ngrams)
    for name, loss in networks.items():
        gain = float(bits(loss - ngrams[counted]))
        said = {"network": name, "gap": abs(gain), "better": gain > 0, "n": counted}
        st.markdown(WORDS.markdown("says.network", **said))


def show_shuffled(whole: Mapping[int, float], broken: Mapping[int, float]) -> None:
    """Show what the best n-gram loses when the text's characters are shuffled."""
    n = best_order(broken)
    least = [float(bits(-min(losses.values()))) for losses in (whole, broken)]
    LESSON.compare("shuffled", *least, more_is_better=False)
    values = {"n": n, "one": float(bits(-broken[1])), "best": least[1]}
    st.info(WORDS.markdown("says.shuffled", **values))


def show_replay(bench: Bench, ngrams: Mapping[int, float]) -> None:
    """Draw the replay of the last training: losses, samples, and what each snapshot expects after a prompt."""
    fit, given = bench.result, bench.settings
    prompt = LESSON.text("prompt", WORDS.label("prompt"), "the ", max_chars=200)
    unknown = sorted({character for character in prompt if character not in fit.vocabulary})
    if unknown:
        st.text(WORDS.label("unknown", characters=" ".join(unknown)))
    best = best_order(ngrams) if ngrams else None
    baseline = (WORDS.label("best_ngram.n", n=best), ngrams[best]) if ngrams else None
    expected, known = expected_by(bench.number, prompt, fit), known_words_of(given.text)
    data = replay_payload(fit, expected, prompt, baseline, bench.number, known)
    LESSON.view("training_replay", data, "replay")
    if fit.risen:
        st.info(WORDS.markdown("risen", step=fit.risen[0], nats=fit.risen[1]))
    if fit.unknown_share:
        st.caption(WORDS.markdown("rare", share=fit.unknown_share))
    last, window = fit.snapshots[-1], given.config.shape.get("context", given.config.window)
    values = {
        "name": given.name,
        "network": name_of(given.config),
        "window": window,
        "step": last.step,
        "steps": last.steps,
        "parameters": fit.parameters,
        "V": len(fit.vocabulary),
    }
    st.text(WORDS.label("trained", **values))


@st.cache_data(scope="session", max_entries=2, show_spinner=False)
def known_words_of(text: str) -> set[str]:
    """Return a text's words."""
    return set(words(text))


@cached(0, 20)
def expected_by(number: int, prompt: str, _fit: CharacterFit) -> np.ndarray:
    """Return what each snapshot of a training expects after a prompt, (S, V), computed once a session."""
    return _fit.expected(_fit.encode(prompt))


def losses_table(ngrams: Mapping[int, float], bench: Bench, revealed: bool) -> None:
    """Register each n-gram's and each snapshot's losses, in nats, in bits and as a perplexity."""
    rows = [(WORDS.label("baselines.n", n=n), None, None, loss) for n, loss in ngrams.items()]
    if bench.result is not None and revealed:
        name = name_of(bench.settings.config)
        rows += [(name, shot.step, shot.loss, shot.held_out_loss) for shot in bench.result.snapshots]
    table = pd.DataFrame(rows, columns=COLUMNS[:4]).astype({"step": "Int64", "training": float})
    held_out = table["held_out"].astype(float)
    table["bits"], table["perplexity"] = bits(-held_out), np.exp(held_out)
    labels = {WORDS.label(f"column.{column}"): column for column in COLUMNS}

    def formula(row: int, label: str) -> str | None:
        return worked_loss(float(held_out[row]), labels[label])

    named = table.rename(columns={column: label for label, column in labels.items()})
    LESSON.every_number(WORDS.label("table"), lambda: (named, formula))
