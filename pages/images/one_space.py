"""One image, one sentence: two encoders that were fitted to agree, scenes ranked by a sentence, and the loss of a batch."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import streamlit as st
from torch import Tensor

from core.figures.card import HEIGHT
from core.figures.figure import Figure
from core.figures.images import one_space_words as words
from core.figures.images.one_space import (
    batch_board,
    card_of,
    contrast_table,
    gallery_board,
    matrix_figure,
    names_table,
    ranked_cards,
    ranking_table,
    temperature_figure,
    twin_cards,
)
from core.figures.images.patches import class_bars
from core.lesson.break_it import consequence
from core.lesson.cache import shared_lru_cache
from core.lesson.lesson import Lesson
from core.models.images.contrastive_loss import Contrast, contrast, loss_at
from core.models.images.naming import PROMPTS, Named, named
from core.models.images.one_space import (
    NAME,
    ImageEncoder,
    StoredSpace,
    TextEncoder,
    Tower,
    read_sentence,
    stored_space,
)
from core.models.images.retrieval import (
    TWINS,
    Ranking,
    Twins,
    picture_vectors,
    products_of,
    rank_scenes,
    recall,
    told_apart,
    twin_cosines,
    twins,
    varied_sentences,
)
from core.models.stored import load_card
from core.pictures.scaling import scaled
from core.pictures.scenes import SIDE
from core.pictures.scenes_in_words import SAYINGS, Drawn, alone, gallery, is_true
from pages.images.shared.own_picture import own_picture, say_if_missing

LESSON = Lesson(
    __name__,
    title="One image, one sentence",
    question="How do pictures and sentences get into one space?",
    icon="images",
)
SCENES = 60
SHOWN = 16
MINE, MIRRORED = "my own", "mirrored"
OWN_SENTENCE = "a red circle above a blue square"
SCALES = np.geomspace(0.5, 100, 40)
OWN_PROMPTS = 40  # sentences of the learner, at most
ENCODERS = [ImageEncoder, TextEncoder, Tower, read_sentence]
SEARCH = [rank_scenes, products_of, recall, twins, told_apart, named]


@shared_lru_cache(8)
def twins_of(seed: int, unseen: bool, change: str) -> list[Twins]:
    """Return the held-out scenes of a seed beside their twins, where training showed the twin's combinations."""
    return twins(gallery(SCENES, seed * 1000, unseen), TWINS[change])


@shared_lru_cache(8)
def scenes_of(seed: int, unseen: bool = False) -> list[Drawn]:
    """Return held-out scenes, by turns one and its mirrored twin; those of combinations never seen have none."""
    if unseen:
        return gallery(SCENES, seed * 1000, unseen)
    return [each for pair in twins_of(seed, unseen, MIRRORED) for each in pair.scenes][:SCENES]


@shared_lru_cache(8)
def vectors_of(seed: int, unseen: bool, length_one: bool) -> Tensor:
    """Return the vectors of those scenes' pictures, (N, E)."""
    return picture_vectors(stored_space(), scenes_of(seed, unseen), length_one)


def picture() -> Figure:
    """The cosines of eight scenes with their sentences."""
    return matrix_figure(products_of(stored_space(), scenes_of(1)[:8]).numpy())


def page() -> None:
    """Scenes ranked by a sentence, a batch's loss row by row, temperature, word order, names, and how good it is."""
    LESSON.open(
        r"u = \frac{f(\text{picture})}{|f(\text{picture})|} \quad v = \frac{g(\text{sentence})}{|g(\text{sentence})|} "
        r"\qquad s_{ij} = e^t\, u_i \cdot v_j \qquad \mathcal{L} = \frac{1}{2B} \sum_i \Bigl( "
        r"-\ln \frac{e^{s_{ii}}}{\sum_j e^{s_{ij}}} - \ln \frac{e^{s_{ii}}}{\sum_j e^{s_{ji}}} \Bigr)",
        r"$f$, $g$: the encoders of pictures and of sentences; $u_i \cdot v_j$: the cosine of picture $i$ and sentence $j$; "
        r"$e^t = 1 / \tau$: one learned number, τ the temperature; $B$: the pairs of a batch; pair $i$ belongs together.",
    )
    model = stored_space()
    controls, stage = LESSON.stage()
    with controls:
        whose = LESSON.choose("whose", "Sentence", ["a scene's", MINE])
        with LESSON.more():
            seed = LESSON.slider("seed", "Scenes drawn from seed", 1, 50, 1)
            unseen = LESSON.toggle("unseen", "Combinations never seen in training")
        scenes = scenes_of(seed, unseen)
        number, sentence = chosen_sentence(whose, scenes)
        bag = LESSON.break_it("bag", "Break it: no order", "No word is told where it stands.")
        longer = "Vectors keep their lengths: longer ones count for more."
        raw = LESSON.break_it("raw", "Break it: raw lengths", longer)
    ranking = rank_scenes(model, sentence, vectors_of(seed, unseen, not raw), not raw, not bag)
    true = np.array([is_true(sentence, each.scene) for each in scenes])
    show_ranking(stage, ranking, scenes, true, number, sentence, raw)
    if whose == MINE:
        st.text(words.read_said(model.read(sentence)))
    if bag or raw:
        before, after = found_first(seed, unseen), found_first(seed, unseen, not bag, not raw)
        consequence(f"Of {SCENES} sentences, so many find their scene first", before, after, "d")

    st.header("A batch: every pair against all others", anchor=False)
    found, sentences = show_batch(model, seed)

    st.header("How sharp: the temperature", anchor=False)
    show_temperature(model, found)

    st.header("The same words in another order", anchor=False)
    show_twins(model, seed, unseen, bag)

    st.header("Names without classes", anchor=False)
    show_names(model)

    st.header("How often is it right?", anchor=False)
    card = load_card(NAME)
    st.markdown(words.measures_said(card))
    alt = "Recall at 1 and 5, both ways, with intervals at 95%"
    st.table(words.measures_table(card), hide_index=True, alt=alt)  # its words wrap on a phone
    LESSON.every_number("the batch", contrast_table, found, sentences)
    one = {"whose": "a scene's", "scene": 1}
    LESSON.closing(
        code=[contrast, *ENCODERS, *SEARCH],
        notebook=cells(sentence if whose != MINE else None, seed, unseen, len(sentences)),
        plot="from core.figures.images.one_space import matrix_figure\n\ndraw(matrix_figure(found.products.numpy()))",
        try_this=[
            ("No relation is named: which scenes can be meant?", {**one, "form": "no relation"}),
            ("No word order: which scenes change places?", {**one, "form": "relation first", "bag": True}),
            ("The pairs are mixed up: what is the loss?", {**one, "shuffled": True}),
        ],
        sources=[
            "Alec Radford et al. (2021), Learning Transferable Visual Models From Natural Language Supervision (CLIP).",
            "Aaron van den Oord et al. (2018), Representation Learning with Contrastive Predictive Coding.",
            "Mert Yuksekgonul et al. (2023), When and Why Vision-Language Models Behave like Bags-of-Words.",
            "Tete Xiao et al. (2021), Early Convolutions Help Transformers See Better.",
        ],
    )


def chosen_sentence(whose: str, scenes: list[Drawn]) -> tuple[int, str]:
    """Draw the controls of the sentence; return the number of the scene it is taken from, 0 for none, and the sentence."""
    if whose == MINE:
        return 0, LESSON.private_text("own", "Your sentence", OWN_SENTENCE, max_chars=200, width=330)
    number = LESSON.slider("scene", "Scene", 1, SCENES, 1, width=110)
    form = LESSON.select("form", "Said", list(SAYINGS), width=165)
    return number, SAYINGS[form](scenes[number - 1].scene)


def show_ranking(stage, ranking: Ranking, scenes, true, number: int, sentence: str, raw: bool) -> None:
    """Draw the scenes in the sentence's order, once a learner who predicts has guessed the first."""
    order = ranking.order
    with stage:
        st.text(f"“{sentence}”")
        tries = sorted({int(i) for i in (order[0], order[1], order[2], order[-1])})
        choices = [f"scene {i + 1}" for i in tries]
        about = f"{crc32(sentence.encode())}_{order[:3].tolist()}"
        may = LESSON.ask("Which of these scenes comes first?", choices, f"scene {order[0] + 1}", about)
        if may:
            note = "In the order of u · v, the highest first. Press a scene, and its caption is the sentence."
            cards = ranked_cards(ranking, scenes, true, number, SHOWN)
        else:
            note, cards = "Four of the scenes, by number.", [card_of(scenes[i].picture, i + 1) for i in tries]
        LESSON.view("ranked_scenes", gallery_board(cards, SIDE, note), name="ranked", on={"pick": pick})
    if may:
        LESSON.caption(said := words.ranked_said(ranking, true, "u · v" if raw else "cosine"))
        LESSON.set_values(ranked=said, numbers=ranking.sentence.size)
        LESSON.every_number("the ranking", ranking_table, ranking, scenes)


def pick(event: dict) -> None:
    """Take a scene's caption as the sentence."""
    for name, value in (("scene", int(event["number"])), ("whose", "a scene's"), ("form", "caption")):
        LESSON.set_state(name, value)


@shared_lru_cache(32)
def found_first(seed: int, unseen: bool, positions: bool = True, length_one: bool = True) -> int:
    """Return how many of the scenes' sentences, each said in another of the four ways, have their scene first."""
    return recall(products_of(stored_space(), scenes_of(seed, unseen), positions, length_one).T, 1)


def batch_of(seed: int, near: bool, B: int) -> tuple[list[Drawn], list[str]]:
    """Return B scenes with a sentence each: by two and two a scene and its twin, as in training, or drawn apart."""
    if near:
        said = [each for pair in twins_of(seed, False, MIRRORED) for each in pair.sentences]
        return scenes_of(seed)[:B], said[:B]
    scenes = scenes_of(seed)[::2][:B]
    return scenes, varied_sentences(scenes)


@shared_lru_cache(64)
def batch_vectors(seed: int, near: bool, B: int) -> tuple[Tensor, Tensor]:
    """Return the vectors of such a batch's pictures and sentences, (B, E) each."""
    scenes, said = batch_of(seed, near, B)
    return picture_vectors(stored_space(), scenes), stored_space().sentences(said)


def show_batch(model: StoredSpace, seed: int) -> tuple[Contrast, list[str]]:
    """Draw a batch's similarity matrix with one row or column opened; return its loss and its sentences."""
    strip, body = LESSON.stage("batch")
    learned = model.network.scale.item()
    with strip:
        B = LESSON.slider("size", "Pairs in the batch", 2, 10, 6, 2, width=130)
        mirrored = "Every second scene is the one before, mirrored."
        near = LESSON.toggle("near", "With twins", True, help=mirrored)
        scale = LESSON.slider("scale", "exp(t) = 1 / τ", 0.5, 100.0, round(learned, 1), 0.1, width=150)
        next_one = "Every picture is given the next one's sentence."
        shuffled = LESSON.break_it("shuffled", "Break it: mix up pairs", next_one)
        direction = LESSON.choose("direction", "Who chooses", ["a picture", "a sentence"])
        chosen = LESSON.slider("line", "Opened", 1, B, 1, width=90) - 1
    (batch, sentences), (u, v) = batch_of(seed, near, B), batch_vectors(seed, near, B)
    whole = found = contrast(u, v, scale)
    if shuffled:
        sentences, found = sentences[1:] + sentences[:1], contrast(u, v.roll(-1, 0), scale)
    with body:
        board = batch_board(found, batch, sentences, direction == "a sentence", chosen)
        LESSON.view("batch", board, name="matrix", on={"open": open_line})
    LESSON.caption(said := words.batch_said(found))
    st.markdown(beside := words.chance_said(float(found.loss), B))
    LESSON.set_values(pairs=B, batch=said, beside=beside, opened=board["sum"])
    LESSON.set_values(in_training=load_card(NAME).config["fit"]["batch"])
    if shuffled:
        consequence("Loss of the batch", float(whole.loss), float(found.loss), ".4f", more_is_better=False)
    return found, sentences


def open_line(event: dict) -> None:
    """Open a row or a column of the matrix."""
    LESSON.set_state("direction", "a sentence" if event["column"] else "a picture")
    LESSON.set_state("line", int(event["chosen"]) + 1)


def show_temperature(model: StoredSpace, found: Contrast) -> None:
    """Draw this batch's loss against the number that its cosines are multiplied by."""
    learned = model.network.scale.item()
    losses = np.array([loss_at(found.products, scale) for scale in SCALES])
    st.markdown(
        "Cosines lie between −1 and 1: no softmax over them as they are can be sharp. They are multiplied by exp(t) first, "
        "and t is learned like every other weight."
    )
    figure = temperature_figure(SCALES, losses, (found.scale, float(found.loss)), learned)
    LESSON.figure("temperature", figure, "The loss of the batch against what its cosines are multiplied by")
    ends = (loss_at(found.products, scale) for scale in (learned, 1.0))
    st.markdown(said := words.temperature_said(SCALES, losses, learned, *ends))
    LESSON.set_values(sharp=said)


# Word order, names, and the learner's picture.


def show_twins(model: StoredSpace, seed: int, unseen: bool, bag: bool) -> None:
    """Draw two scenes whose sentences have the same words, and the four cosines."""
    left, right = st.columns([1, 3])
    with left:
        change = LESSON.choose("twin", "The other scene is", list(TWINS))
        pairs = twins_of(seed, unseen, change)
        if not pairs:
            st.info("No scene here has such a twin whose combinations training showed. Choose another seed.")
            return
        pair = pairs[LESSON.slider("pair", "Pair", 1, len(pairs), 1) - 1 if len(pairs) > 1 else 0]
    cosines = twin_cosines(model, [pair], not bag)[0]
    with right:
        for place, sentence in enumerate(pair.sentences, 1):
            st.text(f"Sentence {place}: “{sentence}”")
        note = "Below each picture: its cosine with sentence 1, and with sentence 2."
        LESSON.view("ranked_scenes", gallery_board(twin_cards(pair, cosines), SIDE, note), name="twins")
    LESSON.caption(said := words.twins_said(cosines))
    st.markdown(measured := words.order_said(load_card(NAME)))
    LESSON.set_values(change=change, pair=said, measured=measured.replace("**", ""))


@shared_lru_cache(200)
def named_alone(number: int) -> Named:
    """Return which of the course's sentences is nearest to a picture of one shape alone."""
    return named(stored_space(), alone(number)[0], list(PROMPTS))


def show_names(model: StoredSpace) -> None:
    """Draw which of some sentences is nearest to a picture of one shape alone, or to the learner's own."""
    strip, body = LESSON.stage("names")
    with strip:
        number = LESSON.slider("alone", "Picture of one shape", 1, 200, 1, width=200)
        own = own_picture(LESSON)
        label = "Sentences of yours, one a line; none: 25 names"
        lines = LESSON.private_text("lines", label, height=70, max_chars=2000)
    say_if_missing(LESSON, own)
    picture, kind = alone(number - 1)
    shown = scaled(own, SIDE) if own else picture
    sentences = words.sentences_of(lines, OWN_PROMPTS) or list(PROMPTS)
    ours = sentences == list(PROMPTS)
    found = named_alone(number - 1) if ours and not own else named(model, shown, sentences)
    truth = f"a {kind}" if ours and not own else ""
    with body:
        left, right = st.columns([1, 3])
        with left:
            framed = card_of(shown, 1, "the picture", "as the model sees it")
            LESSON.view("ranked_scenes", gallery_board([framed], SIDE, ""), name="alone_picture")
        with right:
            bars = class_bars(found.probabilities.numpy(), sentences, HEIGHT + 60)
            LESSON.figure("names", bars, "The likeliest sentences and their probabilities")
    LESSON.caption(said := words.named_said(found, truth, ours, load_card(NAME)))
    LESSON.set_values(names=len(sentences), named=said.replace("**", ""))
    LESSON.every_number("names", names_table, found, model.network.scale.item())


def cells(sentence: str | None, seed: int, unseen: bool, B: int) -> list[str]:
    """Return the notebook's cells: scenes ranked, the batch's loss, pairs, a name. The learner's sentence stays here."""
    said = f'"{sentence}"' if sentence else f'"{OWN_SENTENCE}"  # put yours here'
    return [
        "from core.models.images.one_space import stored_space\n"
        "from core.models.images.retrieval import picture_vectors, rank_scenes\n"
        "from core.pictures.scenes_in_words import gallery\n\n"
        f"model = stored_space()\nscenes = gallery({SCENES}, {seed * 1000}, {unseen})\nsentence = {said}\n"
        "ranking = rank_scenes(model, sentence, picture_vectors(model, scenes))\nranking.order[:5] + 1",
        "from core.models.images.contrastive_loss import contrast\n"
        "from core.models.images.retrieval import varied_sentences\n\n"
        f"batch = scenes[:{B}]\nv = model.sentences(varied_sentences(batch))\n"
        "found = contrast(picture_vectors(model, batch), v, model.network.scale)\n"
        "found.rows, found.columns, found.loss",
        "from core.models.images.naming import named\nfrom core.pictures.scenes_in_words import alone\n\n"
        "named(model, alone(0)[0]).name",
    ]
