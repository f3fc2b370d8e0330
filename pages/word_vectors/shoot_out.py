"""The shoot-out: five ways to word vectors on one text, their neighbours, scores and maps side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.shoot_out import (
    board_view,
    methods_table,
    overlap_figure,
    rated_table,
    scores_figure,
    worked_method,
)
from core.figures.word_vectors.shoot_out_said import (
    CALLED,
    part_called,
    said_best,
    said_of_passes,
    said_of_tenth,
    solvers,
    what_was_asked,
)
from core.figures.worked import how_often, percent
from core.lesson.break_it import consequence
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import notebook_text, reading, text_source
from core.lesson.training_job import Bench
from core.models.tokens.zipf import STOP_WORDS
from core.models.word_vectors.glove import Glove, adagrad, half_gradients, weight
from core.models.word_vectors.near_matrix import near_matrix
from core.models.word_vectors.ppmi_svd import PpmiSvd, ppmi
from core.models.word_vectors.procrustes import procrustes
from core.models.word_vectors.shoot_out import (
    METHODS,
    PARTS,
    Progress,
    Settings,
    digest,
    epochs_for,
    fit_each,
    recorded_text,
)
from core.models.word_vectors.shoot_out_board import (
    Board,
    Score,
    best,
    board_of_text,
    loss_of,
    measure_for,
    named_by,
    nearest_each,
    nearest_recorded,
    rated_pairs,
    recorded_board,
    scores_on_text,
)
from core.models.word_vectors.vector_tests import spearman_interval, word_similarity
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors
from core.text.reading.documents import Document
from pages.word_vectors.shared.aligned_maps import aligned, draw_maps
from pages.word_vectors.shared.word_choice import THEMES, themes_of, usual_words

LESSON = Lesson(
    __name__,
    title="The shoot-out",
    question="Five methods read one text: which learns the best vectors?",
    icon="medal",
)
MIX, YOURS = "six million words", "your text"
K = 6  # neighbours on the board
TOLD = "word all_five alone best pairs solver right most_alike alike least_alike unlike passes measure whole broken".split()


@dataclass(frozen=True, eq=False)
class Shown:
    """What is on the board: the recorded corpus's name or the training's, and its board."""

    key: str
    board: Board
    said: str
    recorded: bool


def picture() -> Figure:
    """How many neighbours each two methods share, on the recorded corpus."""
    figure = overlap_figure(recorded_board("mix").overlaps[PARTS[0]], METHODS)
    return small(figure).update_traces(selector={"mode": "text"}, textfont={"size": 13})


def page() -> None:
    """The board: neighbours and scores; a tenth of the text; who agrees with whom; two maps; what each method is."""
    LESSON.open(
        r"J = \sum_{X_{ij} > 0} f(X_{ij}) \left(w_i \cdot c_j + b_i + \tilde b_j - \ln X_{ij}\right)^2 \qquad "
        r"f(x) = \min\left(1, (x / x_{max})^{\alpha}\right) \qquad \text{PPMI} \approx U_k \Sigma_k V_k^{\top}",
        "What the two counting methods do; the other three are in “Train word vectors” and “Subwords”. $X_{ij}$: how often "
        "word $j$ stands near word $i$, for GloVe each time divided by their distance; $w, c, b, \\tilde b$: what GloVe "
        "learns, its vector of a word is $w_i + c_i$; $U_k \\sqrt{\\Sigma_k}$: the vectors of PPMI-SVD.",
    )
    controls, stage = LESSON.stage()
    with controls:
        corpus = LESSON.choose("corpus", "Trained on", [MIX, YOURS])
        document = text_source() if corpus == YOURS else None
        asked = LESSON.text("word", "A word", "king", live=True, max_chars=60, width=140).strip()
        settings = own_settings(document) if document else None
        why = "Every tenth sentence, and the same settings: which method needs the most text?"
        broken = LESSON.break_it("tenth", "Break it: a tenth of the text", why)
    LESSON.set_values(**dict.fromkeys(TOLD, "not known yet"))
    with stage:
        shown = trained(document, settings) if document else Shown("mix", recorded_board("mix"), "", True)
        if shown:
            show_lesson(shown, asked, broken)
    LESSON.closing(
        code=[
            *(near_matrix, ppmi, PpmiSvd.fit, weight, half_gradients, adagrad, Glove.fit),
            *(fit_each, nearest_each, named_by, word_similarity, spearman_interval, procrustes),
        ],
        notebook=notebook_cells(document, settings, broken),
        plot=(
            "from core.figures.word_vectors.shoot_out import scores_figure\n\n"
            f"draw(scores_figure(board.scores[{PARTS[broken]!r}]))"
        ),
        try_this=[
            ("“bank”: do counting and windows name other senses?", {"word": "bank"}),
            (
                "“france” from a tenth of the text: who still finds countries?",
                {"word": "france", "tenth": True},
            ),
            (
                "The micro-world: which method fails its analogies?",
                {"corpus": YOURS, "text:": "The micro-world"},
            ),
        ],
        sources=[
            "Jeffrey Pennington and others (2014), GloVe: Global Vectors for Word Representation.",
            "Omer Levy and others (2015), Improving Distributional Similarity with Lessons Learned from Word Embeddings.",
            "Lev Finkelstein and others (2002), Placing Search in Context: the ratings of WordSim-353.",
            "Douglas Bonett and Thomas Wright (2000), Sample Size Requirements for Estimating Pearson, Kendall and Spearman "
            "Correlations: the intervals.",
        ],
    )


def own_settings(document: Document) -> Settings:
    """Draw the settings of a training of one's own and return them; a short text is read more often."""
    with LESSON.more():
        dimension = LESSON.slider("dimension", "Dimension", 2, 100, 50)
        window = LESSON.slider("window", "Window", 1, 10, 5)
        count = LESSON.slider("min", "Leave out words seen fewer times than", 1, 20, 2)
        seed = LESSON.number("seed", "Seed", 0, 10_000, 1)
    return Settings(dimension, window, count, epochs_for(reading(document).token_count), seed)


def trained(document: Document, settings: Settings) -> Shown | None:
    """Draw Train; return what is known of a text: what was trained here, else its recorded run, else nothing."""
    key = digest(document.text)
    job = (key, document.name, settings)
    bench = LESSON.train(fit_each, (document.text, settings), job, watch)
    if bench.job is not None:
        return None
    if bench.result and bench.settings[0] == key:
        return Shown(f"trained {bench.number}", trained_board(bench.number, bench), whence(bench), False)
    if key == recorded_text():
        return Shown("world", recorded_board("world"), "Recorded beforehand. Train: your settings.", True)
    st.warning("Nothing has been trained on this text yet: press Train.")
    return None


@st.cache_resource(scope="session", max_entries=2, show_spinner="Measuring the vectors")
def trained_board(number: int, _bench: Bench) -> Board:
    """Return the board of this session's training of such a number."""
    return board_of_text(_bench.result)


def whence(bench: Bench) -> str:
    """Return what was trained here, and what was not."""
    _, name, settings = bench.settings
    whole, less = (len(bench.result[part]) for part in PARTS)
    said = f"Trained here on {name}: {settings.dimension} dimensions, window {settings.window}, seed {settings.seed}, the "
    said += f"windows slid over it {how_often(settings.epochs)}."
    if whole < len(METHODS):
        return f"{said} It was stopped: {whole} of {len(METHODS)} methods came to their end."
    return said if less == len(METHODS) else f"{said} Of a tenth of it {less or 'no'} methods were trained."


def watch(reports: Sequence[Progress]) -> None:
    """Draw how far the training is and, unless the best is to be predicted, the board as it fills."""
    if not reports:
        st.progress(0.0, "Cutting the text into sentences and words")
        return
    now = reports[-1]
    done = [each.ended for each in reports if each.ended and each.part == now.part]
    st.progress(now.overall, f"{now.method} on {part_called(now.part)}: {now.share:.0%}")
    if done and not LESSON.get_state("predict"):
        LESSON.figure("now", scores_figure(scores_on_text(done)), f"Scores of {len(done)} methods so far")


def show_lesson(shown: Shown, asked: str, broken: bool) -> None:
    """Show the board, and what stands below it."""
    part = shown.board.part(broken)
    scores = shown.board.scores[part]
    measure = measure_for(scores)
    left, right = st.columns([4, 3])
    with left:
        near = show_neighbours(shown, known_word(shown, asked, part), part)
    with right:
        if revealed := ask_best(shown, scores, measure, part):
            beside = () if part == PARTS[0] else shown.board.before
            LESSON.figure("scores", scores_figure(scores, beside), f"Scores of {len(scores)} methods")
    LESSON.caption(near)
    if broken and part == PARTS[0]:
        st.info("A tenth of this text is too little to train all methods on: the break takes nothing here.")
    if revealed:
        say_scores(shown, scores, measure, part)
        if part != PARTS[0]:
            show_tenth(shown)
    if shown.said:
        st.caption(plain(shown.said))
    if revealed:
        st.header("What does each learn from?", anchor=False)
        table = methods_table(scores)
        costs = table.drop(columns=["from", "to", "solved", "asked"])
        LESSON.table("methods", costs, "The methods and what they cost")
        if shown.key == "mix" and part == PARTS[0]:
            LESSON.set_values(passes=said_of_passes(scores))
            st.markdown(said_of_passes(scores))
        LESSON.every_number("methods", lambda: (table, lambda row, name: worked_method(scores[row], name)))
    if len(scores) > 1:
        st.header("Who agrees with whom?", anchor=False)
        show_overlaps(shown, part)
        st.header("The same words on two maps", anchor=False)
        left = show_maps(shown, part)
        if revealed:
            LESSON.every_number("rated pairs", rated_table, left, rated_pairs())


def known_word(shown: Shown, asked: str, part: str) -> str:
    """Return the word to look up; another, and a sentence, where it has no vector."""
    vectors = shown.board.run[part][0].vectors
    try:
        return vectors.words[vectors.row(asked or "king")]
    except UnknownWordError as error:
        instead = [
            *(["king"] if "king" in vectors else []),
            *(each for each in vectors.words if each not in STOP_WORDS and len(each) > 2),
            vectors.words[0],
        ][0]
        st.text(f"{error} Until then you see “{instead}”.")
        return instead


def show_neighbours(shown: Shown, word: str, part: str) -> str:
    """Draw each method's nearest words; return how many of them all methods name."""
    some = shown.board.run[part]
    near = nearest_recorded(shown.key, part, word, K) if shown.recorded else nearest_each(some, word, K)
    LESSON.set_state("near", [each for line in near.values() for each in line])
    LESSON.view("tagged_text", board_view(near, word), "board", on={"chosen": look_up})
    counts, n = named_by(near), len(near)
    every, alone = (sum(count == many for count in counts.values()) for many in (n, 1))
    LESSON.set_values(word=word, all_five=every, alone=alone)
    return (
        f"Of {len(counts)} {'word' if len(counts) == 1 else 'words'} named near “{plain(word)}”, {every or 'none'} "
        f"{'is' if every == 1 else 'are'} named by all {n} methods, {alone or 'none'} by one alone."
    )


def look_up(place: int) -> None:
    """Let the word clicked on the board be the one that is looked up."""
    LESSON.set_state("word", LESSON.get_state("near")[int(place)])


def ask_best(shown: Shown, scores: Sequence[Score], measure: str, part: str) -> bool:
    """Ask which method is best by what the text allows to measure; return whether the scores may be shown."""
    if len(scores) < 2:
        return True
    question = f"Trained on {part_called(part)}, which method {CALLED[measure][0]}?"
    methods, about = sorted(each.method for each in scores), f"{shown.key}_{part}"
    return LESSON.ask(question, methods, best(scores, measure).method, about)


def say_scores(shown: Shown, scores: Sequence[Score], measure: str, part: str) -> None:
    """Say which method is best and how sure that is, and what was asked."""
    LESSON.caption(said_best(scores, measure))
    whose = "Google's" if shown.key == "mix" else "the micro-world's"
    st.markdown(what_was_asked(scores, len(shown.board.run[part][0].vectors), whose))
    LESSON.set_values(pairs=scores[0].similarity.pairs, best=said_best(scores, measure), **solvers(scores))


def show_tenth(shown: Shown) -> None:
    """Set the mean score on a tenth beside that on the whole, and say which method it costs most."""
    whole, less = shown.board.before, shown.board.scores[PARTS[1]]
    loss = loss_of(whole, less)
    _, name, form = CALLED[loss.measure]
    consequence(f"Mean {name}", loss.before, loss.after, form, more_is_better=loss.measure != "seconds")
    st.info(said_of_tenth(loss, whole, less, shown.board.scores[PARTS[0]][0].similarity.pairs))


def show_overlaps(shown: Shown, part: str) -> None:
    """Draw how many nearest words each two methods share, and name the two that share most and fewest."""
    shares, names = shown.board.overlaps[part], [each.method for each in shown.board.run[part]]
    label = f"The share of nearest words that each two of {len(names)} methods have in common"
    LESSON.figure("overlap", overlap_figure(shares, names), label)
    pairs = {(i, j): shares[i, j] for i in range(len(names)) for j in range(i)}
    (a, b), (c, d) = max(pairs, key=pairs.get), min(pairs, key=pairs.get)
    most, fewest = (f"{names[j]} and {names[i]}" for i, j in ((a, b), (c, d)))
    LESSON.set_values(
        most_alike=most, alike=percent(shares[a, b], 0), least_alike=fewest, unlike=percent(shares[c, d], 0)
    )
    k = min(10, len(shown.board.run[part][0].vectors) - 1)
    LESSON.caption(f"{most} share most: {percent(shares[a, b], 0)} of a frequent word's {k} nearest words.")
    V = len(shown.board.run[part][0].vectors)
    st.markdown(
        f"{fewest} share fewest, {percent(shares[c, d], 0)}; by chance it would be {percent(k / (V - 1))}. The mean over "
        f"the {min(100, V)} most frequent words."
    )


def show_maps(shown: Shown, part: str) -> WordVectors:
    """Draw the maps of the same words by two methods; return the vectors of the first."""
    some = {each.method: each.vectors for each in shown.board.run[part]}
    strip, _ = LESSON.stage("maps")
    with strip:
        names = [
            LESSON.select(name, label, list(some), place, width=150)
            for name, label, place in (("left", "Left", 0), ("right", "Right", len(some) - 1))
        ]
    chosen = usual_words(some[names[0]])
    draw_maps(LESSON, aligned([some[name].subset(chosen) for name in names]), names, themes_of(THEMES))
    return some[names[0]]


def notebook_cells(document: Document | None, settings: Settings | None, broken: bool) -> list[str]:
    """Return the cells that make the page's scores again."""
    if document is None:
        made = "from core.models.word_vectors.shoot_out import recorded\n"
        made += "from core.models.word_vectors.shoot_out_board import nearest_each, recorded_board\n\n"
        made += f'board = recorded_board("mix")\nprint(nearest_each(recorded("mix")[{PARTS[broken]!r}], "king", {K}))'
    else:
        made = (
            "from core.models.word_vectors.shoot_out import Settings, fit_each\n"
            "from core.models.word_vectors.shoot_out_board import board_of_text, nearest_each\n"
            f"{notebook_text()}\nboard = board_of_text(fit_each(lambda now: None, text, {settings!r}))"
        )
    return [made, f"for score in board.scores[{PARTS[broken]!r}]:\n    print(score)"]
