"""Training word2vec: what the story shows of one training on the micro-world, and the lab on the learner's own text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.word_vectors.map_view import replay_view
from core.figures.word_vectors.vector_duel import neighbour_bars
from core.lesson.cached import cached, is_sample
from core.lesson.settings import Choice, Settings, Slider, Switch
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import is_own, reading, sample_document, sample_in_use, text_source
from core.lesson.training_job import Bench
from core.models.training_error import TrainingError
from core.models.word_vectors.cbow import Cbow
from core.models.word_vectors.fit_word_vectors import fit_word_vectors
from core.models.word_vectors.negative_sampling import (
    WordPair,
    pairs,
    sigmoid,
    trained_window,
    training_step,
    window,
)
from core.models.word_vectors.recorded_vectors import load_vector_training
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.training_progress import Progress
from core.models.word_vectors.window_blocks import blocks, steps_downhill
from core.models.word_vectors.without_noise import Spread, spread_after
from core.models.word_vectors.word2vec import Word2Vec
from core.models.word_vectors.word_vectors import WordVectors, to_projector_tsv, to_word2vec_text
from core.models.word_vectors.worked_window import MEAN, first_tokens, window_pairs, worked_step
from core.models.word_vectors.world_analogies import a_known_question, solved, total
from core.text.reading.documents import Document
from core.text.tokenization.tokens import sentences, words
from pages.word_vectors.shared import WORDS as SHARED
from pages.word_vectors.shared.training_bar import watch_training
from pages.word_vectors.word_vector_training import LESSON
from pages.word_vectors.word_vector_training.figures import (
    SENTENCES,
    STAGES,
    cosine_spread,
    draw_contexts,
    draw_fans,
    draw_guesses,
    draw_map,
    draw_met,
    draw_nearest,
    draw_step,
    draw_window,
    loss_curve,
    say_step,
    stage_formula,
    step_table,
    window_figure,
)

WORDS = LESSON.words
EXAMPLES = tuple(SENTENCES.values())
START, GATHERED = 0, 120  # steps of the run that the story stops at
DIRECTIONS = ("towards", "all", "away")
GATHERINGS = ("scattered", "together", "groups")
RIVALS = ("crown", "queen")
ALGORITHMS = {"skip_gram": SkipGram, "cbow": Cbow}
# CBOW takes one step a window where skip-gram takes one a pair, so it wants longer ones.
LEARNING_RATES = {"skip_gram": 0.025, "cbow": 0.1}
RATES = {"skip_gram": "rate_skip-gram", "cbow": "rate_CBOW"}  # as older addresses have them
SUBSAMPLING = [0.0, 1e-5, 1e-4, 1e-3, 1e-2]
BUILT_FOR_IT = "micro-world"
SHORTEST, LONGEST = 3, 40  # tokens of the sentence that is looked at
SHOWN = 90  # words on the replayed map
FIRST_CHARACTERS = 12_000  # of the text, trained on twice when noise is taken out

MOMENT = Slider("moment", 7, 0, lambda _: len(load_vector_training().moments) - 1)
KIND = Choice("kind", "skip_gram", tuple(ALGORITHMS), {"skip-gram": "skip_gram", "CBOW": "cbow"})
WINDOW = Slider("window", 4, 1, 10)
EPOCHS = Slider("epochs", 10, 1, 100)
DIMENSION = Slider("dimension", 50, 2, 200)
NEGATIVES = Slider("negatives", 5, 1, 20)
LEAST_COUNT = Slider("min", 2, 1, 20)
NO_NOISE = Switch("no_noise")
LAB = (KIND, WINDOW, EPOCHS, DIMENSION, NEGATIVES, LEAST_COUNT, NO_NOISE)


# The story: what each beat shows.


def show_random(settings: Settings) -> Part:
    """The untrained vectors on the map: no order in them."""
    run = load_vector_training()
    first = run.at(START)
    values = {"cosine": first.king_queen, "d": run.dimension, "V": run.vocabulary, **text_of()}
    title = WORDS.label("title.start")
    links = [("king", "queen", WORDS.label("cosine", value=first.king_queen))]
    return Part("word_plane", draw_map(run, first, title, ("king", "queen"), links), values)


def show_pairs(settings: Settings) -> Part:
    """The window around the queen, and the true pairs that it makes."""
    run = load_vector_training()
    tokens = SENTENCES["queen"].split()
    near = window(tokens, tokens.index("queen"), run.window)
    return Part("word_pairs", draw_window(run), {"pairs": len(near), "w": run.window})


def show_noise(settings: Settings) -> Part:
    """One true pair and its noise before training: every probability is one half."""
    run = load_vector_training()
    values = {"k": run.negatives, "n": 1 + run.negatives, "p": 0.5, "loss": (1 + run.negatives) * np.log(2)}
    return Part("word_pairs", draw_guesses(run), values)


def ask_step(settings: Settings) -> Part:
    """The queen, the crown and the noise in a plane; the answer draws where one step moves the queen."""
    run = load_vector_training()
    pair, step = run.pair, run.pair.worked()
    after = float(sigmoid(step.new_centre @ step.new_context))
    values = {
        "step": pair.step,
        "p": step.sigmoid,
        "after": after,
        "loss": step.loss,
        "new_loss": step.new_loss,
        "rate": pair.rate,
        "k": len(pair.noise),
        "revealed": settings.revealed,
    }
    return Part(
        "word_plane", draw_step(pair, settings.revealed), values, choices=DIRECTIONS, answer="towards"
    )


def ask_gathered(settings: Settings) -> Part:
    """The map before training; the answer shows all words in one place after the first steps."""
    run = load_vector_training()
    moment = run.at(GATHERED if settings.revealed else START)
    title = WORDS.label("title.step", step=moment.step, steps=run.steps)
    values = {
        "mean": run.at(GATHERED).mean,
        "before": run.at(START).mean,
        "step": GATHERED,
        "steps": run.steps,
        "revealed": settings.revealed,
    }
    return Part("word_plane", draw_map(run, moment, title), values, choices=GATHERINGS, answer="together")


def show_moment(settings: Settings) -> Part:
    """The moment of the training that the learner drags to, with what is nearest to king."""
    run = load_vector_training()
    moment = run.moments[settings.moment]
    first = next(each.step for each in run.moments if each.nearest == "queen")
    title = WORDS.label("title.nearest", step=moment.step, steps=run.steps, word=moment.nearest)
    values = {
        "step": moment.step,
        "nearest": moment.nearest,
        "cosine": moment.king_queen,
        "found": moment.step == first,
        "early": moment.step < first,
        "count": len(run.moments),
    }
    links = [("king", "queen", WORDS.label("cosine", value=moment.king_queen))]
    return Part("word_plane", draw_map(run, moment, title, ("king", "queen"), links), values)


def ask_nearest(settings: Settings) -> Part:
    """How often crown and queen are in a window around king; the answer shows how near their vectors are."""
    run = load_vector_training()
    values = {
        "met": {word: count for word, _, count in run.near_king},
        "cosine": {word: cosine for word, cosine, _ in run.near_king},
        "w": run.window,
        "seeds": len(run.seeds),
        "revealed": settings.revealed,
    }
    picture = draw_nearest(run) if settings.revealed else draw_met(run)
    return Part("word_pairs", picture, values, choices=RIVALS, answer="queen")


def show_contexts(settings: Settings) -> Part:
    """The windows around king and around queen hold the same words."""
    run = load_vector_training()
    values = {"overlap": run.overlap["queen"], "other": run.overlap["cherry"]}
    return Part("word_pairs", draw_contexts(run), values)


def show_collapse(settings: Settings) -> Part:
    """The vectors from 0 after training with noise, next to those after training without."""
    run = load_vector_training()
    values = {"mean": run.mean_bare, "whole": run.moments[-1].mean, "k": run.negatives}
    return Part("word_plane", draw_fans(run), values, {"no_noise": True})


def show_answer(settings: Settings) -> Part:
    """The ways of the words from where they were together to where they end."""
    run = load_vector_training()
    past = [moment for moment in run.moments if moment.step >= GATHERED]
    title = WORDS.label("title.trails", step=GATHERED, steps=run.steps)
    picture = draw_map(run, run.moments[-1], title, trails=dict.fromkeys(run.words, past[:-1]))
    return Part("word_plane", picture, {"n": len(set(run.groups)), "start": GATHERED})


STORY = (
    look("random", show_random),
    look("pairs", show_pairs),
    look("noise", show_noise),
    ask("step", ask_step),
    ask("gathered", ask_gathered),
    do("replay", show_moment, MOMENT),
    ask("nearest", ask_nearest),
    look("contexts", show_contexts),
    look("collapse", show_collapse),
    end("answer", show_answer),
)


def text_of() -> dict[str, int]:
    """Return how large the recorded text is."""
    run = load_vector_training()
    return {"sentences": run.sentences, "tokens": run.tokens}


# The lab: train on the learner's text, look at what was learned, and work one step through.


def lab() -> None:
    """Training and what it learned; the window it trains on; one step's numbers; what noise words are for."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        kind, model = choose_settings()
        whole = model.negatives
        if LESSON.draw(NO_NOISE):
            model.negatives = 0
    with stage:
        bench = LESSON.train(fit_word_vectors, (document.text, model), document.name, watch_training)
        trained = bench.result
        if trained is not None:
            show_training(trained, bench)
        window_box = st.container()  # until there is a map, the window is the page's picture
    if not model.negatives:
        compare_noise(document, kind, model, whole)
    if trained is not None:
        show_learned(trained, bench)
        window_box = LESSON.fold("windows")
    step_box = LESSON.fold("one_step")
    if window_box is not None or step_box is not None:
        tokens, centre, around, found = find_window(window_box or st.container(), document, model)
        if step_box is not None:
            with step_box:
                show_step(tokens, centre, around, found, model, trained)
    close(document, kind, model, trained)


def choose_settings() -> tuple[str, Word2Vec]:
    """Draw the settings of word2vec; return the algorithm's id and a model with them, not yet fitted."""
    kind = LESSON.draw(KIND)
    width, epochs, dimension = (LESSON.draw(each, width=140) for each in (WINDOW, EPOCHS, DIMENSION))
    with LESSON.options():
        negatives = LESSON.draw(NEGATIVES)
        rate = LESSON.number(
            RATES[kind], WORDS.label("rate"), 0.001, 0.5, LEARNING_RATES[kind], format="%.3f"
        )
        label, why = WORDS.label("subsampling"), WORDS.label("subsampling.help")
        subsampling = LESSON.select_slider("subsampling", label, SUBSAMPLING, value=1e-3, help=why)
        count = LESSON.draw(LEAST_COUNT)
        seed = LESSON.number("seed", WORDS.label("seed"), 0, 10_000, 1)
    return kind, ALGORITHMS[kind](dimension, width, negatives, epochs, rate, subsampling, count, seed)


def show_training(trained: Word2Vec, bench: Bench) -> None:
    """Draw the map over the training, and say what was trained on what."""
    shown = trained.map_words(SHOWN)
    shots = [report for report in bench.reports if report.snapshot is not None]
    LESSON.view("map", replay_view(shown, shots, not LESSON.get_state("predict")), "map")
    last = bench.reports[-1]
    losses = [report.loss for report in bench.reports if np.isfinite(report.loss)]
    values = {
        "name": bench.settings,
        "V": len(trained.vectors_),
        "step": last.step,
        "steps": last.steps,
        "loss": losses[-1] if losses else None,
        "kept": trained.kept_,
        "tokens": sum(trained.vocabulary_.counts),
    }
    LESSON.say("says.trained", values)


def show_learned(trained: Word2Vec, bench: Bench) -> None:
    """Say which analogies the vectors solve; draw a word's neighbours and the loss."""
    with st.container():
        st.header(WORDS.heading("fold.learned"), anchor=False)
        show_solved(trained.vectors_, bench.settings)
        show_neighbours(trained.vectors_)
    if box := LESSON.fold("loss"):
        with box:
            show_loss(bench.reports)


def show_solved(vectors: WordVectors, name: str) -> None:
    """Say how many of the micro-world's analogies the vectors solve, where they know the words."""
    scores = {i: score for i, score in enumerate(solved(vectors)) if score.asked}
    if not scores:
        st.markdown(WORDS.markdown("analogies.none"))
        return
    right, asked = total(list(scores.values()))
    values = {
        "right": right,
        "asked": asked,
        "example": a_known_question(vectors).replace("*", ""),
        "kinds": [f"{SHARED.label(f'kind.{i}')} {score.accuracy:.0%}" for i, score in scores.items()],
        "chance": 1 / max(1, len(vectors) - 3),
        "built": name == sample_document(BUILT_FOR_IT).name,
    }
    st.markdown(WORDS.markdown("analogies", **values))


def show_neighbours(vectors: WordVectors) -> None:
    """Draw the neighbours of a word that the learner chooses among those learned."""
    known = list(vectors.words[:2000])
    longer = next((place for place, word in enumerate(known) if len(word) > 4), 0)
    start = known.index("king") if "king" in known else longer
    word = LESSON.select("neighbours_of", WORDS.label("neighbours_of"), known, start)
    near = vectors.neighbours(word, 8)
    choices = sorted(neighbour.word for neighbour in near[:4])
    if near and LESSON.ask(WORDS.label("guess", word=word), choices, near[0].word, word):
        names = {neighbour.word for neighbour in near}
        bars = neighbour_bars(near, names, "first", height=300)
        LESSON.figure("near", bars, WORDS.label("near.alt", word=word))


def show_loss(reports: Sequence[Progress]) -> None:
    """Draw the loss over the training, where a block of text held a pair to have one."""
    known = [report for report in reports if np.isfinite(report.loss)]
    if known:
        curve = loss_curve([report.step for report in known], [report.loss for report in known])
        LESSON.figure("loss_curve", curve, WORDS.label("loss.alt"))
    else:
        st.info(WORDS.markdown("loss.none"))


def compare_noise(document: Document, kind: str, model: Word2Vec, negatives: int) -> None:
    """Show how the cosines of all pairs of words are spread after a training with noise words and without."""
    settings = kind, model.window, model.min_count, model.seed
    try:
        whole, broken = (spread_of(document, *settings, count) for count in (negatives, 0))
    except TrainingError as error:
        st.info(WORDS.markdown("error", error=str(error)))
        return
    values = {
        "k": negatives,
        "words": whole.words,
        "epochs": whole.epochs,
        "whole": whole.mean,
        "broken": broken.mean,
    }
    names = (WORDS.label("spread.whole", **values), WORDS.label("spread.broken"))
    picture = cosine_spread(dict(zip(names, (whole.cosines, broken.cosines), strict=True)))
    LESSON.figure("spread", picture, WORDS.label("spread.alt", **values))
    LESSON.compare("no_noise", whole.mean, broken.mean, more_is_better=False)
    st.markdown(WORDS.markdown("says.no_noise", **values))


@cached(32, 6, shared=is_sample)
def spread_of(
    document: Document, kind: str, window: int, min_count: int, seed: int, negatives: int
) -> Spread:
    """Return `spread_after` on the beginning of a text."""
    model = ALGORITHMS[kind](window=window, min_count=min_count, seed=seed)
    beginning = document.text[:FIRST_CHARACTERS]
    return spread_after([words(sentence) for sentence in sentences(beginning)], model, negatives)


def sentence_tokens(document: Document) -> list[list[str]]:
    """Draw the field for the words to look at; return them, a list a sentence.

    At first it holds the story's sentence for the text that this is from, a line of any other text.
    """
    lines = (line for line in reading(document).first_lines.splitlines() if len(words(line)) >= SHORTEST)
    default = next(lines, SENTENCES["queen"])
    if not is_own(document) and document.name == sample_document(BUILT_FOR_IT).name:
        default = SENTENCES["queen"]
    # The text is part of the name: another text brings a sentence of its own.
    label = WORDS.label("sentence")
    typed = LESSON.text(f"sentence_{document.digest[:8]}", label, default, max_chars=400)
    if len(words(typed)) < SHORTEST:
        st.info(WORDS.markdown("sentence.short", n=SHORTEST))
        typed = default
    return first_tokens([words(sentence) for sentence in sentences(typed)], LONGEST)


def find_window(box, document: Document, model: Word2Vec) -> tuple[list[str], int, list[int], list[WordPair]]:
    """Draw the window at a place that the learner moves; return tokens, place, window and the pairs trained on."""
    counts = {word: count for word, count in reading(document).types if count >= model.min_count}
    with box:
        with st.container(horizontal=True):
            cut = sentence_tokens(document)
            tokens = [token for sentence in cut for token in sentence]
            windows = [trained_window(cut, place, model.window, counts) for place in range(len(tokens))]
            places = (place for place in range(min(4, len(tokens) - 1), len(tokens)) if windows[place])
            label, last = WORDS.label("centre"), len(tokens)
            centre = LESSON.slider("centre", label, 1, last, next(places, 0) + 1, width=240) - 1
        return tokens, centre, windows[centre], show_window_at(tokens, centre, windows[centre], counts, model)


def show_window_at(
    tokens: Sequence[str], centre: int, around: Sequence[int], counts: Mapping[str, int], model: Word2Vec
) -> list[WordPair]:
    """Draw one window and the table of its pairs; return the pairs."""
    unknown = [place for place, token in enumerate(tokens) if token not in counts]
    held = [tokens[place] for place in around]
    values = {
        "word": tokens[centre],
        "held": held,
        "w": model.window,
        "out": len({tokens[place] for place in unknown}),
        "least": model.min_count,
        "k": model.negatives,
    }
    sides = {
        "before": [tokens[place] for place in around if place < centre],
        "after": [tokens[place] for place in around if place > centre],
    }
    told = WORDS.label("window.told", **values, **sides)
    figure = window_figure(tokens, centre, around, unknown, told=told)
    LESSON.figure("window_figure", figure, WORDS.label("window.shown", **values), wide=True)
    st.caption(WORDS.markdown("window.reach", **values))
    if not around:
        st.info(WORDS.markdown("window.none", **values))
        return []
    found = window_pairs(tokens, centre, around, counts, model)
    true = sum(pair.positive for pair in found)
    st.text(WORDS.label("window.makes", **values, n=true))
    given = {MEAN: WORDS.label("given.mean")}
    kinds = {True: WORDS.label("pair.true"), False: WORDS.label("pair.noise")}
    rows = [(given.get(pair.centre, pair.centre), pair.other, kinds[pair.positive]) for pair in found]
    columns = [WORDS.label(f"column.{each}") for each in ("given", "found", "pair")]
    table = pd.DataFrame(rows, columns=columns)
    key, alt = LESSON.key("pairs"), WORDS.label("pairs.table")
    st.dataframe(table, height=180, hide_index=True, key=key, alt=alt)
    return found


def show_step(
    tokens: Sequence[str],
    centre: int,
    around: Sequence[int],
    found: Sequence[WordPair],
    model: Word2Vec,
    learned: Word2Vec | None,
) -> None:
    """Step through the numbers of one training step on the window's first true pair and its noise."""
    if not found:
        st.info(WORDS.markdown("window.none", word=tokens[centre]))
        return
    step = worked_step(tokens, centre, around, found, model, learned)
    target, *noise = (pair.other for pair in found[: 1 + model.negatives])
    stage = STAGES[LESSON.step([WORDS.label(f"stage.{each}") for each in STAGES])]
    given = WORDS.label("given.short") if isinstance(model, Cbow) else tokens[centre]
    st.latex(stage_formula(step, stage, given, target))
    said = {**say_step(step), "given": given, "target": target}
    st.markdown(WORDS.markdown("says.step", **said))
    repeated = [word for word, count in Counter([target, *noise]).items() if count > 1]
    if repeated:
        st.caption(WORDS.markdown("repeated", words=repeated))
    LESSON.every_number(WORDS.label("table"), lambda: step_table(step, target, noise))


def close(document: Document, kind: str, model: Word2Vec, trained: Word2Vec | None) -> None:
    """End the lab: the prompts, the code that ran, the notebook, and the files of a training."""
    files = {}
    if trained is not None:
        files[WORDS.label("file.text")] = ("word_vectors.txt", lambda: to_word2vec_text(trained.vectors_))
        for name in ("vectors.tsv", "metadata.tsv"):
            files[name] = (name, lambda name=name: to_projector_tsv(trained.vectors_)[name])
    LESSON.close_lab(
        code=[
            *(training_step, trained_window, pairs, Word2Vec.fit, blocks),
            *(type(model).combinations, type(model).update, steps_downhill, spread_after),
        ],
        parameters={
            "sample": sample_in_use(),
            "kind": kind,
            "dimension": model.dimension,
            "window": model.window,
            "negatives": model.negatives,
            "epochs": model.epochs,
            "learning_rate": model.learning_rate,
            "subsampling": model.subsampling,
            "min_count": model.min_count,
            "seed": model.seed,
        },
        prompts={
            "two": {"dimension": 2},
            "narrow": {"window": 1},
            "wide": {"window": 10},
            "cbow": {"kind": "cbow"},
        },
        files=files,
    )
