"""One text, every model of the course: bits a character on the same held-out part, and what each model cost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.generation.one_text import COSTS, SIZE, TIME, board_figure, cost_figure, worked_score
from core.figures.worked import percent
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.lesson import Lesson
from core.lesson.text_source import notebook_text, text_source
from core.lesson.training_job import Bench
from core.models.fit_language_model import Fitting
from core.models.generation.character_split import measured_loss
from core.models.generation.one_text import (
    NETWORKS,
    READ_AT_MOST,
    SEED,
    STEPS,
    Board,
    BoardProgress,
    BoardRun,
    BoardScore,
    BoardText,
    best,
    board_text,
    count,
    count_each,
    digest,
    fit_each,
    fit_one,
    recorded_boards,
    settings,
    shown_gap,
)
from core.models.training_error import TrainingError
from core.text.reading.documents import Document
from core.text.samples.shelf import sample

LESSON = Lesson(
    __name__,
    title="One text, every model",
    question="What has each new model brought, on one and the same text?",
    icon="rows-3",
)
CHOICES = (100, 200, 400, 800, 1600)
FEW = 1000  # held-out characters; with fewer a single character moves a bar visibly
COUNTED = "counting"  # as a guess: any of the n-grams
TOLD = {"training": "nine tenths of the", "held": "few", "seen": "This text holds too little for that."}
DEAR = 10  # bits that a surprising character costs


def picture() -> Figure:
    """The lighthouse: bits a character against size, of the n-grams and of the recorded networks."""
    text = sample("the-lighthouse").read().text
    return card(cost_figure(count_each(text) + recorded_boards()[digest(text)].networks, SIZE))


def page() -> None:
    """The board of all models; what they cost; measured on the training part; how they are kept comparable."""
    LESSON.open(
        r"\text{bits a character} = -\frac{1}{N} \sum_{i=1}^{N} \log_2 p(c_i \mid c_1 \dots c_{i-1})",
        "$c_1 \\dots c_N$: the held-out characters, the first 4,000 of the text's last tenth, never shown to a model. $p$ "
        "is from the characters before: an n-gram (modified Kneser-Ney) uses $n - 1$, the feed-forward network 8, GPT at "
        "most 64, the others all.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        why = "Of each network; a step reads 1,024 characters."
        steps = LESSON.select_slider("steps", "Steps", CHOICES, value=STEPS, help=why, width=130)
        with LESSON.more():
            seed = LESSON.number("seed", "Seed", 0, 9999, SEED)
        broken = LESSON.break_it(
            "seen",
            "Break it: hold nothing out",
            "Every model is also measured on the beginning of what it was trained on.",
        )
    with stage:
        try:
            ngrams = counted(document)
        except TrainingError as error:
            with st.container(key=LESSON.key("board")):
                st.warning(too_little(document.text, error))
            with st.container(key=LESSON.key("cost")):
                st.caption("On a longer text, what each model costs is drawn here.")
            LESSON.set_values(**TOLD, **dict.fromkeys(("best", "ngram"), "unknown"), guessing="", networks="")
        else:
            show_lesson(document, ngrams, steps, seed, broken)
    LESSON.closing(
        code=[count_each, count, fit_each, fit_one, settings, measured_loss, Fitting.batch],
        notebook=[
            "from core.models.generation.one_text import count_each, fit_each\n"
            f"{notebook_text()}\ntext = text[:{READ_AT_MOST}]",
            "scores = count_each(text)\n\n\n"
            "def report(now):\n    print(now.network, now.step, 'of', now.steps)\n\n\n"
            f"scores += fit_each(report, text, steps={steps}, seed={seed})",
            "for score in scores:\n"
            "    print(score.name, score.held_out_bits, score.training_bits, score.seconds, score.size)",
        ],
        plot="from core.figures.generation.one_text import board_figure\n\ndraw(board_figure(scores))",
        try_this=[
            ("Hamlet: which model wins, and after 1,600 steps? Train.", {"text:": "Hamlet", "steps": 1600}),
            ("One page: which models learn it by heart?", {"text:": "The lighthouse", "seen": True}),
            ("Another seed: train again. Which places on the board change?", {"seed": 2, "steps": 400}),
        ],
        sources=[
            "Claude E. Shannon (1951), Prediction and entropy of printed English.",
            "Yoshua Bengio and others (2003), A neural probabilistic language model.",
            "Stanley Chen and Joshua Goodman (1999), An empirical study of smoothing techniques for language modeling.",
        ],
    )


def show_lesson(
    document: Document, counts: tuple[BoardText, tuple[BoardScore, ...]], steps: int, seed: int, broken: bool
) -> None:
    """Show the board, and what stands below it."""
    text, cut = document.text[:READ_AT_MOST], len(document.text) > READ_AT_MOST
    key = digest(text)
    trained_with = (key, document.name, steps, seed)
    bench = LESSON.train(fit_each, (text, steps, seed), trained_with, partial(watch, counts[1], key))
    if bench.job is not None:
        return
    board = board_of(counts, key, bench)
    if revealed := asked(board, key, bench.number, broken):
        show_board(board, broken)
        if broken:
            show_too_good(board)
    st.text(whence(board, bench))
    if revealed:
        st.header("What did a bit cost?", anchor=False)
        show_cost(board)
        LESSON.every_number("models", models_table, board.scores)
    st.header("Is it a fair race?", anchor=False)
    st.markdown(what_is_equal(board, cut))


@cached(8, 4, "Counting the text", shared=is_sample)
def counted(document: Document) -> tuple[BoardText, tuple[BoardScore, ...]]:
    """Return a text's two parts and its n-grams' scores. Raises TrainingError where there is too little text."""
    text = document.text[:READ_AT_MOST]
    return board_text(text), count_each(text)


def too_little(text: str, error: TrainingError) -> str:
    """Return why a text has no board."""
    if len(text) > 1 and len(set(text)) == 1:
        return f"All {len(text):,} characters of this text are the same one: there is nothing to foresee."
    return str(error)


def watch(ngrams: Sequence[BoardScore], key: str, reports: Sequence[BoardProgress]) -> None:
    """Draw how far the networks are and, unless the winner is to be predicted, the board as it fills."""
    if not reports:
        st.progress(0.0, "Reading the text")
        return
    now = reports[-1]
    share = (len(now.done) + now.step / now.steps) / len(NETWORKS)
    place = f"{len(now.done) + 1} of {len(NETWORKS)}"
    left = f" · {now.seconds_left:.0f} s left for it" if now.step else ""
    st.progress(share, f"{now.network}, network {place}: step {now.step:,} of {now.steps:,}{left}")
    if not LESSON.get_state("predict") and LESSON.bench().job_settings[0] == key:
        scores = [*ngrams, *now.done]
        LESSON.figure("now", board_figure(scores), f"Bits a character of {len(scores)} models so far")


def board_of(counts: tuple[BoardText, tuple[BoardScore, ...]], key: str, bench: Bench) -> Board:
    """Return what is known of a text: with the networks trained here, else with those of its recorded run."""
    if bench.result and bench.settings[0] == key:
        return Board(*counts, BoardRun(*bench.settings[1:], bench.result), recorded=False)
    return Board(*counts, recorded_boards().get(key))


def asked(board: Board, key: str, number: int, broken: bool) -> bool:
    """Ask which model is best before the board is shown; return whether it may be."""
    winner = board.winner_when_seen if broken else board.winner
    part = "the text that it was trained on" if broken else "the held-out part"
    if not board.networks:
        names = [each.name for each in board.ngrams]
        return LESSON.ask(f"Which n-gram reads {part} best?", names, winner.name, f"{key[:16]}_{broken}")
    answer = winner.name if winner.name in NETWORKS else COUNTED
    choices = [COUNTED, *(each.name for each in board.networks)]
    about = f"{key[:16]}_{'recorded' if board.recorded else number}_{broken}"
    return LESSON.ask(f"Which model reads {part} best?", choices, answer, about)


def show_board(board: Board, broken: bool) -> None:
    """Draw bits a character by model, and say which is best and how far the other kind is behind."""
    first, ngram = board.winner, best(board.ngrams)
    LESSON.figure(
        "board",
        board_figure(board.scores, broken),
        f"Bits a character of {len(board.scores)} models on the held-out part: fewest for the {called(first)}, "
        f"{first.held_out_bits:.2f}.",
    )
    other = "Train, and see what the networks make of it."
    if board.networks:
        kind, second = ("network", best(board.networks)) if first is ngram else ("n-gram", ngram)
        other = f"The best {kind}, the {called(second)}, needs {second.held_out_bits:.2f}."
    LESSON.caption(
        f"The {called(first)} reads the held-out part best: {first.held_out_bits:.2f} bits a character. {other}"
    )
    LESSON.set_values(
        best=f"{called(first)}, with {first.held_out_bits:.2f} bits", networks=of_networks(board)
    )
    LESSON.set_values(ngram=f"{ngram.name}, with {ngram.held_out_bits:.2f} bits a character")


def called(score: BoardScore) -> str:
    """Return a model's name as a sentence says it after "the"."""
    return f"{score.name} network" if score.name == "feed-forward" else score.name


def of_networks(board: Board) -> str:
    """Return how many of the trained networks are better than the best n-gram."""
    if not board.networks:
        return "No network has been trained on this text yet."
    better = sum(each.held_out_bits < best(board.ngrams).held_out_bits for each in board.networks)
    bits = ", ".join(f"{each.name} {each.held_out_bits:.2f}" for each in board.networks)
    need = f"{better or 'None'} of the {len(board.networks)} networks {'needs' if better == 1 else 'need'}"
    return f"{need} fewer bits than the best n-gram. In bits: {bits}."


def show_too_good(board: Board) -> None:
    """Show how much better the models look on the text that they were trained on."""
    seen, held_out = board.winner_when_seen, board.winner
    consequence(f"Bits a character, {seen.name}", seen.held_out_bits, seen.training_bits, more_is_better=None)
    other = f"but on the held-out part the {called(held_out)} is best"
    same = "which is also best on the held-out part" if seen is held_out else other
    said = (
        f"Measured on the text that it was trained on, the {called(seen)} wins with {seen.training_bits:.2f} bits a "
        f"character, {same}. {flattered(board.most_flattered)}"
    )
    LESSON.set_values(seen=said)
    st.info(said)


def flattered(most: BoardScore) -> str:
    """Return the sentence about the model whose two measures are farthest apart."""
    if round(most.too_good, 2) <= 0:
        return "No model looks better there than it is."
    return (
        f"The {called(most)} gains most from having seen the answers: {most.training_bits:.2f} bits instead of "
        f"{most.held_out_bits:.2f}, {most.too_good:.2f} too few."
    )


def whence(board: Board, bench: Bench) -> str:
    """Return where the networks' bars come from."""
    run, kept = board.run, ""
    if bench.result and board.recorded:
        kept = f" What was trained on {bench.settings[1]} is kept: choose that text to see it."
    if run is None:
        return f"No network has been trained on this text yet: press Train.{kept}"
    took = f"{sum(each.seconds for each in run.networks):,.0f} s of one core"
    how = f"{run.text}, {run.steps:,} steps each, seed {run.seed}, {took} in all"
    if board.recorded:
        return f"Networks: recorded beforehand on {how}. The n-grams were counted here. Train: your settings.{kept}"
    if len(run.networks) < len(NETWORKS):
        how += f". It was stopped: {len(run.networks)} of {len(NETWORKS)} networks had come to their end"
    return f"Networks: trained here on {how}."


def show_cost(board: Board) -> None:
    """Draw bits against what the models cost, and hold the best network against the best n-gram."""
    cost = LESSON.choose("against", "Against", list(COSTS))
    LESSON.figure("cost", cost_figure(board.scores, cost), f"Bits a character, held out, against {cost}")
    if not board.networks:
        return
    network, ngram = best(board.networks), best(board.ngrams)
    gain = shown_gap(ngram.held_out_bits, network.held_out_bits)
    than = (
        f"{abs(gain):.2f} bits a character {'fewer' if gain > 0 else 'more'} than"
        if gain
        else "as many bits as"
    )
    ratio = times(*(getattr(each, COSTS[cost][1]) for each in (network, ngram)))
    of = "training time" if cost == TIME else "count of numbers kept"
    LESSON.caption(f"The {called(network)} needs {than} the {ngram.name}, at {ratio} the {of}.")


def times(much: float, little: float) -> str:
    """Return how many times as much, as a sentence says it.

    >>> times(76.4, 2), times(3, 2), times(0.21, 1)
    ('38 times', '1.5 times', '0.21 times')
    """
    ratio = much / little
    return f"{ratio:,.0f} times" if ratio >= 10 else f"{ratio:.2g} times"


def what_is_equal(board: Board, cut: bool) -> str:
    """Return what all models share, and what of this text makes the measure less sure."""
    text = board.text
    guess = f"Plain guessing among its {text.kinds:,} kinds of character would cost {text.guessing_bits:.2f} bits each."
    LESSON.set_values(held=f"{text.measured:,}", training=f"{text.training:,}", guessing=guess)
    first = f"the first {text.measured:,} of its " if text.measured < text.held_out else "all "
    said = [
        f"The text's first {READ_AT_MOST:,} characters are used." if cut else "All of the text is used.",
        f"Every model is given the first {text.training:,} characters, and is measured on {first}"
        f"{text.held_out:,} held-out characters. All have one vocabulary, of {text.kinds:,} kinds of character.",
    ]
    if board.networks:
        read = {each.characters for each in board.networks}
        windows = "the very same windows in the same order" if len(read) == 1 else "different amounts"
        said.append(
            f"The networks read {windows}, {max(read):,} characters each, with settings that are the same for every text. "
            "They differ in size, so a bar compares these models and not every model of their kind."
        )
    if text.new:
        many = len(text.new)
        kinds = "kind of character occurs" if many == 1 else "kinds of character occur"
        said.append(
            f"{many:,} {kinds} in the held-out part and never in training. No model calls that impossible: each "
            "keeps some probability for every kind, and pays for a surprise in bits."
        )
    if text.unknown:
        said.append(
            f"{percent(text.unknown)} of the text are characters too rare to be told apart: to every model they are one and "
            "the same unknown character, so these bits are fewer than the text itself would cost."
        )
    if text.measured < FEW:
        said.append(
            f"With only {text.measured:,} held-out characters, one that costs {DEAR} bits moves a bar by "
            f"{DEAR / text.measured:.2f}: small gaps say nothing."
        )
    return " ".join(said)


def models_table(scores: Sequence[BoardScore]) -> tuple:
    """Return every model's losses, bits and costs, and the formula of its cells."""
    columns = {
        "model": "name",
        "nats, held out": "held_out_loss",
        "bits, held out": "held_out_bits",
        "nats, trained on": "training_loss",
        "bits, trained on": "training_bits",
        "too good by": "too_good",
        "seconds": "seconds",
        "numbers kept": "size",
        "characters read": "characters",
    }
    table = pd.DataFrame({title: [getattr(each, of) for each in scores] for title, of in columns.items()})
    return table, lambda row, column: worked_score(scores[row], column)
