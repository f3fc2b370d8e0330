"""The leaderboard: what the story shows of eleven models on one text, and the lab that trains them on any text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.lesson.cached import cached, is_sample
from core.lesson.settings import Choice, Settings, Slider, Switch
from core.lesson.story import SAMPLE as TITLE
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import sample_in_use, text_source
from core.lesson.training_job import Bench
from core.models.fit_language_model import Fitting
from core.models.generation.character_split import MEASURED, SHORT, hold_out, measured_loss
from core.models.generation.one_text import (
    NETWORKS,
    READ_AT_MOST,
    SEED,
    STEPS,
    BoardProgress,
    BoardRun,
    BoardScore,
    BoardText,
    OneTextBoard,
    best,
    board_text,
    count_each,
    fit_network,
    fit_networks,
    ngram_bits,
    recorded_boards,
    recorded_seeds,
    score_ngram_order,
    seen_lines,
    seen_share,
    settings,
    shown_gap,
)
from core.models.stored import sha256_of_text
from core.models.training_error import TrainingError
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from pages.generation.one_text import LESSON, SAMPLE
from pages.generation.one_text.figures import (
    COSTS,
    HELD_OUT,
    SEEN,
    SIZE,
    TIME,
    board_figure,
    cost_figure,
    draw_bars,
    draw_board,
    draw_cost,
    draw_duels,
    draw_parts,
    draw_runs,
    draw_seen,
    models_table,
)
from pages.generation.shared.line_score import draw_line

WORDS = LESSON.words
PAGE, PLAY, WORLD = "page", "play", "world"
SAMPLES = {PAGE: "the-lighthouse", PLAY: SAMPLE, WORLD: "micro-world"}
LINE = "Thou know'st already."  # of the play's measured part
EXAMPLES = (LINE,)
COUNTED = "counting"  # as a guess: any of the n-grams
FIRST, LINES, SHOWN = 3, 6, 10  # lines of the training part left out, lines of a part, lines that may be seen
FEW = 1000  # held-out characters; with fewer a single character moves a bar visibly
DEAR = 10  # bits that a surprising character costs

BOARD = Choice("board", PLAY, (PAGE, PLAY, WORLD))
ON_SEEN = Switch("seen")
AGAINST = Choice("against", TIME, (TIME, SIZE), {"training time": TIME, "numbers kept": SIZE})
STEPS_FIELD = Choice("steps", str(STEPS), ("100", "200", "400", "800", "1600"))
SEED_FIELD = Slider("seed", SEED, 0, 9999, 1)
LAB = (STEPS_FIELD, ON_SEEN, AGAINST, SEED_FIELD)


# The story: what each beat shows.


@cached(4, 2, shared=True)
def board_on(name: str) -> OneTextBoard:
    """Return all scores on a sample, the n-grams counted here and the networks as recorded."""
    text = read_sample(name)
    return OneTextBoard(board_text(text), count_each(text), recorded_boards()[sha256_of_text(text)])


@cached(1, 1, shared=True)
def play_bits() -> np.ndarray:
    """Return the bits of each measured character of the play under the best n-gram."""
    return ngram_bits(read_sample(PLAY), order_of(best(board_on(PLAY).ngrams)))


@cached(1, 1, shared=True)
def repeated_bits() -> float:
    """Return the bits per character of the world's repeated lines under its best n-gram."""
    return float(ngram_bits(read_sample(WORLD), order_of(best(board_on(WORLD).ngrams)), repeated=True).mean())


def read_sample(name: str) -> str:
    """Return what is read of a sample."""
    return sample(SAMPLES[name]).read().text[:READ_AT_MOST]


def order_of(score: BoardScore) -> int:
    """Return the n of an n-gram."""
    return int(score.name.partition("-")[0])


def in_lab(name: str, **settings: object) -> dict[str, object]:
    """Return the lab's settings that show a sample's board."""
    return {TITLE: sample(SAMPLES[name]).title, **settings}


def show_exam(settings: Settings) -> Part:
    """The text's two parts: what all models learn from and what all predict."""
    told, parts = board_on(PLAY).text, hold_out(read_sample(PLAY))
    learned = [line for line in parts.training[:2000].split("\n") if line.strip()][FIRST : FIRST + LINES]
    predicted = [line for line in parts.measured_on[:2000].split("\n")[1:] if line.strip()][:LINES]
    values = {
        "training": told.training,
        "measured": told.measured,
        "models": len(board_on(PLAY).scores),
        "repeated": told.repeated,
        "lines": told.lines,
        "short": SHORT,
    }
    return Part("text_parts", draw_parts(told, learned, predicted), values, in_lab(PLAY))


def show_line(settings: Settings) -> Part:
    """One held-out line, and the bits that each of its characters costs the best n-gram."""
    measured = hold_out(read_sample(PLAY)).measured_on[:MEASURED]
    place, ngram = measured.index(LINE), best(board_on(PLAY).ngrams)
    surprisals = play_bits()[place : place + len(LINE)]
    worst = int(np.argmax(surprisals))
    sees = order_of(ngram) - 1
    values = {
        "name": ngram.name,
        "sees": sees,
        "mean": float(surprisals.mean()),
        "most": float(surprisals[worst]),
        "p": float(2 ** -surprisals[worst]),
        "at": worst,
        "letter": LINE[worst],
    }
    return Part("shifted_text", draw_line(LINE, surprisals, ngram.name, worst, sees), values, in_lab(PLAY))


def show_counting(settings: Settings) -> Part:
    """The bars of the n-grams."""
    board = board_on(PLAY)
    first, ngram = board.ngrams[0], best(board.ngrams)
    before = board.ngrams[-2]
    panel = draw_bars(WORDS.label("title.bars"), board.ngrams, guess=board.text.guessing_bits)
    values = {
        "first": first.held_out_bits,
        "best": ngram.held_out_bits,
        "name": ngram.name,
        "n": order_of(ngram),
        "before": before.name,
        "gap": shown_gap(before.held_out_bits, ngram.held_out_bits),
        "kinds": board.text.kinds,
        "guessing": board.text.guessing_bits,
    }
    return Part("layer_bars", draw_board([panel]), values, in_lab(PLAY))


def ask_best(settings: Settings) -> Part:
    """The best n-gram and the five networks, whose bars the answer draws."""
    board = board_on(PLAY)
    ngram, network = best(board.ngrams), best(board.networks)
    scores = [ngram, *board.networks]
    most = max(each.held_out_bits for each in scores)
    panel = draw_bars(WORDS.label("title.bars"), scores, most=most, open_=not settings.revealed)
    values = {
        "name": ngram.name,
        "ngram": ngram.held_out_bits,
        "network": network.name,
        "bits": network.held_out_bits,
        "gap": shown_gap(network.held_out_bits, ngram.held_out_bits),
        "n": len(board.networks),
        "steps": STEPS,
        "times": board.networks[0].characters / board.text.training,
        "revealed": settings.revealed,
    }
    answer = COUNTED if ngram.held_out_bits < network.held_out_bits else network.name
    return Part(
        "layer_bars",
        draw_board([panel]),
        values,
        in_lab(PLAY),
        choices=(COUNTED, *(each.name for each in board.networks)),
        answer=answer,
    )


def show_runs(settings: Settings) -> Part:
    """A dot for each run of each network: what differs between kinds, and what between runs."""
    runs = (board_on(PLAY).run, *recorded_seeds())
    means = {
        name: float(
            np.mean([each.held_out_bits for run in runs for each in run.networks if each.name == name])
        )
        for name in NETWORKS
    }
    values = {
        "runs": len(runs),
        "rnn": means["RNN"],
        "gru": means["GRU"],
        "gap": shown_gap(means["RNN"], means["GRU"]),
        "measured": board_on(PLAY).text.measured,
    }
    picture = draw_runs(runs, best(board_on(PLAY).ngrams))
    return Part("figure", {"figure": picture.to_dict()}, values, in_lab(PLAY))


def show_cost(settings: Settings) -> Part:
    """Bits against how many numbers a model keeps, or against its seconds."""
    board, cost = board_on(PLAY), settings.against
    network, ngram = best(board.networks), best(board.ngrams)
    ratio = getattr(network, COSTS[cost]) / getattr(ngram, COSTS[cost])
    values = {
        "against": cost,
        "network": network.name,
        "name": ngram.name,
        "network_size": network.size,
        "size": ngram.size,
        "fewer": 1 / ratio,
        "times": round(ratio, -2) if ratio > 100 else round(ratio, -1),
        "seconds": network.seconds,
    }
    picture = draw_cost(board.scores, cost)
    return Part("figure", {"figure": picture.to_dict()}, values, in_lab(PLAY, against=cost))


def show_memory(settings: Settings) -> Part:
    """One page of text: bits on what was learned from, and on what was held out."""
    board = board_on(PAGE)
    ngram, worst = best(board.ngrams), max(board.networks, key=lambda each: each.held_out_bits)
    scores, guess = [ngram, *board.networks], board.text.guessing_bits
    most = max(each.held_out_bits for each in scores)
    name = WORDS.label(f"text.{PAGE}")
    panels = [
        draw_bars(WORDS.label("title.page.seen", text=name), scores, SEEN, most, guess=guess),
        draw_bars(WORDS.label("title.page.held", text=name), scores, HELD_OUT, most, guess=guess),
    ]
    for panel, part in zip(panels, ("seen", "held"), strict=True):
        panel["rows"] = [{**row, "mark": row["mark"].replace("row", part)} for row in panel["rows"]]
    values = {
        "training": board.text.training,
        "worst": worst.name,
        "bits": worst.held_out_bits,
        "seen": worst.training_bits,
        "guess": guess,
        "times": worst.characters / board.text.training,
        "name": ngram.name,
    }
    return Part("layer_bars", draw_board(panels), values, in_lab(PAGE, seen=True))


def show_leak(settings: Settings) -> Part:
    """Lines of the micro-world's last tenth; most are in the training part, word for word, and are not held out."""
    lines, board = seen_lines(read_sample(WORLD)), board_on(WORLD)
    ngram = best(board.ngrams)
    values = {
        "share": seen_share(lines),
        "lines": len(lines),
        "drawn": SHOWN,
        "new": next(i for i, (_, seen) in enumerate(lines) if not seen),
        "seen": next(i for i, (_, seen) in enumerate(lines) if seen),
        "name": ngram.name,
        "bits": ngram.held_out_bits,
        "memory": repeated_bits(),
        "repeated": board.text.repeated,
        "every": board.text.lines,
        "short": SHORT,
    }
    return Part("text_parts", draw_seen(lines[:SHOWN], SHOWN), values, in_lab(WORLD))


def show_board(settings: Settings) -> Part:
    """All models on a sample, on its held-out part or on what they learned from."""
    board, measure = board_on(settings.board), SEEN if settings.seen else HELD_OUT
    first = board.winner_when_seen if settings.seen else board.winner
    title = WORDS.label("title.seen" if settings.seen else "title.bars")
    values = {
        "text": WORDS.label(f"text.{settings.board}"),
        "board": settings.board,
        "seen": settings.seen,
        "name": first.name,
        "counted": first.name not in NETWORKS,
        "bits": getattr(first, measure),
        "n": len(board.scores),
        "training": board.text.training,
        "held": board.winner.name,
        "held_bits": board.winner.held_out_bits,
    }
    panel = draw_bars(title, board.scores, measure)
    return Part("layer_bars", draw_board([panel]), values, in_lab(settings.board, seen=settings.seen))


def show_answer(settings: Settings) -> Part:
    """The best n-gram and the best network on each of the three texts."""
    boards = {name: board_on(name) for name in BOARD.ids}
    duels = [
        (name, each.text.training, best(each.ngrams), best(each.networks)) for name, each in boards.items()
    ]
    values = {
        "play": best(boards[PLAY].ngrams).held_out_bits,
        "world": best(boards[WORLD].networks).held_out_bits,
        "world_name": best(boards[WORLD].networks).name,
    }
    return Part("layer_bars", draw_board([draw_duels(duels)]), values)


STORY = (
    look("exam", show_exam),
    look("line", show_line),
    look("counting", show_counting),
    ask("best", ask_best),
    look("runs", show_runs),
    look("cost", show_cost, AGAINST, against=SIZE),
    look("memory", show_memory),
    look("leak", show_leak),
    do("boards", show_board, BOARD, ON_SEEN),
    end("answer", show_answer),
)


# The lab: the board on the learner's text, with networks trained there.


def lab() -> None:
    """The board of all models; what they cost; measured on the training part; how they are kept comparable."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source(SAMPLE)
        steps = int(LESSON.draw(STEPS_FIELD))
        broken = LESSON.draw(ON_SEEN)
        with LESSON.options():
            seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, SEED)
    with stage:
        try:
            counts = counted(document)
        except TrainingError as error:
            st.warning(too_little(document.text, error))
            counts = None
    if counts:
        show_lab(stage, document, counts, steps, seed, broken)
    LESSON.close_lab(
        code=[
            count_each,
            score_ngram_order,
            fit_networks,
            fit_network,
            settings,
            measured_loss,
            Fitting.batch,
        ],
        parameters={"sample": sample_in_use(), "steps": steps, "seed": seed},
        prompts={
            "play": {"text:": sample(SAMPLES[PLAY]).title, "steps": 1600},
            "page": {"text:": sample(SAMPLES[PAGE]).title, "seen": True},
            "seed": {"seed": 2, "steps": 400},
        },
    )


def show_lab(
    stage,
    document: Document,
    counts: tuple[BoardText, tuple[BoardScore, ...]],
    steps: int,
    seed: int,
    broken: bool,
) -> None:
    """Show the board on the stage, and below it what a bit cost and what was equal."""
    text, cut = document.text[:READ_AT_MOST], len(document.text) > READ_AT_MOST
    key = sha256_of_text(text)
    with stage:
        trained_with = (key, document.name, steps, seed)
        bench = LESSON.train(fit_networks, (text, steps, seed), trained_with, partial(watch, counts[1], key))
        if bench.job is not None:
            return
        board = board_of(counts, key, bench)
        if revealed := asked(board, key, bench.number, broken):
            show_bars(board, broken)
            if broken:
                show_too_good(board)
        st.markdown(say_whence(board, bench))
    if revealed:
        LESSON.every_number(WORDS.label("table"), models_table, board.scores)
        if cost := LESSON.fold("cost"):
            with cost:
                compare_cost(board)
    if fair := LESSON.fold("fair"):
        with fair:
            st.markdown(say_fair(board, cut))


@cached(8, 4, shared=is_sample)
def counted(document: Document) -> tuple[BoardText, tuple[BoardScore, ...]]:
    """Return a text's two parts and its n-grams' scores. Raises TrainingError where there is too little text."""
    text = document.text[:READ_AT_MOST]
    return board_text(text), count_each(text)


def too_little(text: str, error: TrainingError) -> str:
    """Return why a text has no board."""
    if len(text) > 1 and len(set(text)) == 1:
        return WORDS.markdown("same", n=len(text))
    return str(error)


def watch(ngrams: Sequence[BoardScore], key: str, reports: Sequence[BoardProgress]) -> None:
    """Draw how far the networks are and, unless the winner is to be predicted, the board as it fills."""
    if not reports:
        st.progress(0.0, WORDS.label("reading"))
        return
    now = reports[-1]
    share = (len(now.done) + now.step / now.steps) / len(NETWORKS)
    values = {"name": now.network, "at": len(now.done) + 1, "n": len(NETWORKS), "step": now.step}
    st.progress(share, WORDS.label("progress", **values, steps=now.steps, left=now.seconds_left))
    if not LESSON.get_state("predict") and LESSON.bench().job_settings[0] == key:
        scores = [*ngrams, *now.done]
        LESSON.figure("now", board_figure(scores), WORDS.label("board.alt", n=len(scores), name="", bits=0))


def board_of(counts: tuple[BoardText, tuple[BoardScore, ...]], key: str, bench: Bench) -> OneTextBoard:
    """Return what is known of a text: with the networks trained here, else with those of its recorded run."""
    if bench.result and bench.settings[0] == key:
        return OneTextBoard(*counts, BoardRun(*bench.settings[1:], bench.result), recorded=False)
    return OneTextBoard(*counts, recorded_boards().get(key))


def asked(board: OneTextBoard, key: str, number: int, broken: bool) -> bool:
    """Ask which model is best before the board is shown; return whether it may be."""
    winner = board.winner_when_seen if broken else board.winner
    if not board.networks:
        names = [each.name for each in board.ngrams]
        question = WORDS.label("question.ngram", seen=broken)
        return LESSON.ask(question, names, winner.name, f"{key[:16]}_{broken}")
    counting = WORDS.label("choice.counting")
    answer = winner.name if winner.name in NETWORKS else counting
    choices = [counting, *(each.name for each in board.networks)]
    about = f"{key[:16]}_{'recorded' if board.recorded else number}_{broken}"
    return LESSON.ask(WORDS.label("question.all", seen=broken), choices, answer, about)


def show_bars(board: OneTextBoard, broken: bool) -> None:
    """Draw bits per character by model, and say which is best and how far the other kind is behind."""
    first, ngram = board.winner, best(board.ngrams)
    alt = WORDS.label("board.alt", n=len(board.scores), name=first.name, bits=first.held_out_bits)
    LESSON.figure("board", board_figure(board.scores, broken), alt)
    values = {"name": first.name, "bits": first.held_out_bits, "counted": first is ngram, "trained": False}
    if board.networks:
        second = best(board.networks) if first is ngram else ngram
        values |= {"trained": True, "other": second.name, "other_bits": second.held_out_bits}
        values |= {"n": len(board.networks)}
        values["better"] = sum(each.held_out_bits < ngram.held_out_bits for each in board.networks)
    LESSON.say("says.board", values)


def show_too_good(board: OneTextBoard) -> None:
    """Show how much better the models look on the text that they were trained on."""
    seen, held_out, most = board.winner_when_seen, board.winner, board.most_flattered
    LESSON.compare("seen", seen.held_out_bits, seen.training_bits, more_is_better=None)
    values = {
        "name": seen.name,
        "bits": seen.training_bits,
        "same": seen is held_out,
        "held": held_out.name,
        "most": most.name,
        "most_seen": most.training_bits,
        "most_held": most.held_out_bits,
        "gap": round(most.too_good, 2),
    }
    st.info(WORDS.markdown("says.seen", **values))


def say_whence(board: OneTextBoard, bench: Bench) -> str:
    """Return where the networks' bars come from."""
    run = board.run
    kept = bench.settings[1] if bench.result and board.recorded else ""
    values = {"trained": run is not None, "kept": kept}
    if run is not None:
        values |= {
            "text": run.text,
            "steps": run.steps,
            "seed": run.seed,
            "seconds": sum(each.seconds for each in run.networks),
            "recorded": board.recorded,
            "done": len(run.networks),
            "n": len(NETWORKS),
        }
    return WORDS.markdown("whence", **values)


def compare_cost(board: OneTextBoard) -> None:
    """Draw bits against what the models cost, and compare the best network with the best n-gram."""
    cost = LESSON.draw(AGAINST)
    alt = WORDS.label("cost.figure.alt", against=cost)
    LESSON.figure("cost_figure", cost_figure(board.scores, cost), alt)
    if not board.networks:
        return
    network, ngram = best(board.networks), best(board.ngrams)
    values = {
        "network": network.name,
        "name": ngram.name,
        "gap": shown_gap(ngram.held_out_bits, network.held_out_bits),
        "times": times(*(getattr(each, COSTS[cost]) for each in (network, ngram))),
        "against": cost,
    }
    LESSON.say("says.cost", values)


def times(much: float, little: float) -> str:
    """Return how many times as much, as a sentence says it.

    >>> times(76.4, 2), times(3, 2), times(0.21, 1)
    ('38', '1.5', '0.21')
    """
    ratio = much / little
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"


def say_fair(board: OneTextBoard, cut: bool) -> str:
    """Return what all models share, and what of this text makes the measure less sure."""
    text = board.text
    read = {each.characters for each in board.networks}
    values = {
        "cut": cut,
        "limit": READ_AT_MOST,
        "training": text.training,
        "measured": text.measured,
        "held_out": text.held_out,
        "repeated": text.repeated,
        "lines": text.lines,
        "short": SHORT,
        "kinds": text.kinds,
        "guessing": text.guessing_bits,
        "trained": bool(read),
        "equal": len(read) == 1,
        "read": max(read, default=0),
        "new": len(text.new),
        "unknown": text.unknown,
        "few": text.measured < FEW,
        "dear": DEAR,
        "moves": DEAR / text.measured,
    }
    return WORDS.markdown("fair", **values)
