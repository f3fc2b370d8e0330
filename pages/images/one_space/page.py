"""CLIP: what the story shows of images and captions in one embedding space, and the lab."""

from __future__ import annotations

from functools import cache
from math import log
from zlib import crc32

import numpy as np
import streamlit as st
from torch import Tensor

from core.figures.card import HEIGHT
from core.figures.images.one_space import (
    ENDS,
    batch_board,
    card_of,
    contrast_table,
    gallery_board,
    measures_table,
    names_table,
    ranked_cards,
    ranking_table,
    temperature_figure,
    twin_cards,
)
from core.figures.images.patches import class_bars
from core.lesson.cache import shared_lru_cache
from core.lesson.settings import Choice, Settings, Slider, Switch
from core.lesson.story import Part, ask, do, end, look
from core.models.images.contrastive_loss import Contrast, contrast, loss_at
from core.models.images.naming import NAMED_RIGHT, PROMPTS, Named, names_by_shape, score_sentences
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
    FOUND,
    FOUND_NEW,
    MEASURED_PAIRS,
    NO_POSITIONS,
    ROUNDING,
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
from core.pictures.scenes_in_words import (
    SAYINGS,
    DrawnScene,
    alone,
    drawn_sentence,
    gallery,
    is_true,
    learned_pair,
)
from pages.images.one_space import LESSON
from pages.images.one_space.figures import (
    draw_batch,
    draw_encoders,
    draw_names,
    draw_ranked,
    draw_scales,
    draw_twins,
)
from pages.images.shared.own_picture import own_picture, say_if_missing

WORDS = LESSON.words
SCENES = 60
SHOWN = 16
MIRRORED = "mirrored"
EXAMPLES = ("a yellow triangle above a blue ring",)
SCALES = np.geomspace(0.5, 100, 40)
STORY_SCALES = np.geomspace(5, 400, 60)
OWN_PROMPTS = 40  # sentences of the learner, at most

# The story: scene 9 of the first seed, its twin, and a picture of one shape.
SEED, NUMBER, PAIR, ALONE = 1, 9, 4, 5
RANKED = 6  # scenes that the story shows
PAIRS = 6  # of the story's batch
OPENED = 5  # row of that batch
BATCHES = 4  # of training, whose mean loss is drawn
LOWER, EQUAL, HIGHER = "lower", "equal", "higher"
BOTH, ONE, NEITHER = "both", "one", "neither"
BY_SHAPE = 300  # images of one shape alone that are counted by shape
BANDS = {"chance": 0.1, "some": 0.5, "most": 0.9, "all": 1.01}
FORMS = dict(zip(("caption", "back", "front", "open", "part"), SAYINGS, strict=True))
NONE = Settings({})
FORM = Choice("form", "open", ("open", "part", "caption", "back", "front"))
NO_ORDER = Switch("no_order", True)
WHOSE = Choice("whose", "scene", ("scene", "mine"), {"my own": "mine"})
SAID = Choice("form", "caption", tuple(FORMS), {v: k for k, v in FORMS.items()})
DIRECTION = Choice("direction", "picture", ("picture", "sentence"), {"a sentence": "sentence"})
BAG, RAW, SHUFFLED, NEAR = Switch("bag"), Switch("raw"), Switch("shuffled"), Switch("near", True)
LAB = (
    WHOSE,
    SAID,
    Slider("scene", 1, 1, SCENES),
    BAG,
    SHUFFLED,
    Slider("scale", 66.6, 0.5, 100.0, 0.1),
    Slider("pair", 1, 1, SCENES),
    Slider("alone", ALONE + 1, 1, 200),
    *(Switch("a_batch"), Switch("same_words"), Switch("no_classes")),  # what is folded
)


@shared_lru_cache(8)
def twins_of(seed: int, unseen: bool, change: str) -> list[Twins]:
    """Return the held-out scenes of a seed beside their twins, where training showed the twin's combinations."""
    return twins(gallery(SCENES, seed * 1000, unseen), TWINS[change])


@shared_lru_cache(8)
def scenes_of(seed: int, unseen: bool = False) -> list[DrawnScene]:
    """Return held-out scenes, by turns one and its mirrored twin; those of combinations never seen have none."""
    if unseen:
        return gallery(SCENES, seed * 1000, unseen)
    return [each for pair in twins_of(seed, unseen, MIRRORED) for each in pair.scenes][:SCENES]


@shared_lru_cache(8)
def vectors_of(seed: int, unseen: bool, length_one: bool) -> Tensor:
    """Return the vectors of those scenes' pictures, (N, E)."""
    return picture_vectors(stored_space(), scenes_of(seed, unseen), length_one)


def batch_of(seed: int, near: bool, B: int) -> tuple[list[DrawnScene], list[str]]:
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


# The story.


@cache
def story_ranking(form: str) -> tuple[str, Ranking, np.ndarray]:
    """Return a sentence about the story's scene, the scenes in its order, and of which it is true, (N,)."""
    scenes = scenes_of(SEED)
    sentence = SAYINGS[FORMS[form]](scenes[NUMBER - 1].scene)
    ranking = rank_scenes(stored_space(), sentence, vectors_of(SEED, False, True))
    return sentence, ranking, np.array([is_true(sentence, each.scene) for each in scenes])


@cache
def story_batch(shuffled: bool = False) -> Contrast:
    """Return the story's batch at the learned scale, every image with its own caption or with the next one's."""
    u, v = batch_vectors(SEED, True, PAIRS)
    return contrast(u, v.roll(-1, 0) if shuffled else v, stored_space().network.scale.item())


@cache
def training_products() -> tuple[Tensor, ...]:
    """Return the cosines of some batches of training: scenes beside their twins, one sentence in ten open, (B, B) each."""
    card, rng, found = load_card(NAME), np.random.default_rng(0), []
    config, n = card.config, card.corpus["training_pictures"]
    half = config["fit"]["batch"] // 2
    for batch in range(BATCHES):
        pairs = [learned_pair(batch * half + i, n) for i in range(half)]
        scenes = list({each.scene.caption: each for pair in pairs for each in pair}.values())
        said = [drawn_sentence(each.scene, rng, config["open"]) for each in scenes]
        found.append(picture_vectors(stored_space(), scenes) @ stored_space().sentences(said).T)
    return tuple(found)


def base(settings: Settings = NONE) -> dict[str, object]:
    """Return what all beats name: the model's sizes and how often it is right."""
    card = load_card(NAME)
    quality = card.quality
    return {
        "revealed": settings.revealed,
        "scenes": SCENES,
        "numbers": stored_space().network.config.space,
        "trained": card.corpus["training_pictures"],
        "held": card.corpus["held_out_pictures"],
        "in_both": card.corpus["held_out_captions_in_training"],
        "in_training": card.config["fit"]["batch"],
        "pairs": PAIRS,
        "learned": stored_space().network.scale.item(),
        "found": quality[FOUND],
        "found_new": quality[FOUND_NEW],
        "apart": quality[f"told apart, {MIRRORED}"],
        "apart_bag": quality[f"told apart, {MIRRORED}{NO_POSITIONS}"],
        "twins": MEASURED_PAIRS,
        "named": quality[NAMED_RIGHT],
        "names": len(PROMPTS),
    }


def lab_state(**state: object) -> dict[str, object]:
    """Return the lab's settings that show the story's scene."""
    return {"scene": NUMBER, **state}


def show_search(settings: Settings) -> Part:
    """The scenes nearest to the caption of one."""
    sentence, ranking, true = story_ranking("caption")
    first, second = (float(ranking.products[i]) for i in ranking.order[:2])
    values = base(settings) | {
        "sentence": sentence,
        "rank": ranking.rank(NUMBER - 1),
        "first": first,
        "second": second,
        "runner_up": scenes_of(SEED)[ranking.order[1]].scene.caption,
    }
    data = draw_ranked(WORDS.label, sentence, ranking, scenes_of(SEED), true, RANKED)
    return Part("ranked_scenes", data, values, lab_state())


def show_encoders(settings: Settings) -> Part:
    """The vector of the scene and the vector of its caption."""
    sentence, ranking, _ = story_ranking("caption")
    u, v = ranking.pictures[NUMBER - 1], ranking.sentence
    values = base(settings) | {"c": float(u @ v), "sentence": sentence}
    return Part("machine", draw_encoders(WORDS.label, sentence, u, v), values, lab_state())


def do_say_less(settings: Settings) -> Part:
    """The scenes nearest to another sentence about the same scene."""
    sentence, ranking, true = story_ranking(settings.form)
    n = int(true.sum())
    values = base(settings) | {
        "sentence": sentence,
        "n": n,
        "among": int(true[ranking.order[:n]].sum()),
        "rank": ranking.rank(NUMBER - 1),
        "first": float(ranking.products[ranking.order[0]]),
        "second": float(ranking.products[ranking.order[1]]),
    }
    data = draw_ranked(WORDS.label, sentence, ranking, scenes_of(SEED), true, RANKED)
    return Part("ranked_scenes", data, values, lab_state(form=settings.form))


def show_batch(settings: Settings) -> Part:
    """A batch's cosines; the row of the first image is opened."""
    found = story_batch()
    scenes, said = batch_of(SEED, True, PAIRS)
    values = base(settings) | {
        "loss": float(found.loss),
        "row": OPENED + 1,
        "own": float(found.by_picture[OPENED, OPENED]),
        "near": OPENED,
        "twin": float(found.by_picture[OPENED, OPENED - 1]),
    }
    data = draw_batch(found, scenes, said, OPENED, WORDS.label("heading.picture", i=OPENED + 1))
    return Part("batch", data, values, lab_state(a_batch=True))


def ask_shuffled(settings: Settings) -> Part:
    """The matrix of the batch; the answer gives every image the next one's caption."""
    whole, mixed = story_batch(), story_batch(True)
    guess = log(PAIRS)
    gap = float(mixed.loss) - guess
    answer = EQUAL if abs(gap) < 0.05 else HIGHER if gap > 0 else LOWER
    scenes, said = batch_of(SEED, True, PAIRS)
    data = draw_batch(whole, scenes, said, 0, "", mixed if settings.revealed else None)
    values = base(settings) | {"guess": guess, "whole": float(whole.loss), "mixed": float(mixed.loss)}
    lab = lab_state(shuffled=True, a_batch=True)
    return Part("batch", data, values, lab, choices=(LOWER, EQUAL, HIGHER), answer=answer)


def mean_loss(batches: tuple[Tensor, ...], scale: float) -> float:
    """Return the mean loss of batches, by their products (B, B), at a scale."""
    return float(np.mean([loss_at(each, scale) for each in batches]))


def show_scale(settings: Settings) -> Part:
    """The loss of a small batch and of batches of training against the scale."""
    small, large = story_batch().products, training_products()
    losses = {
        "small": np.array([loss_at(small, scale) for scale in STORY_SCALES]),
        "large": np.array([mean_loss(large, scale) for scale in STORY_SCALES]),
    }
    learned = stored_space().network.scale.item()
    values = base(settings) | {
        "least": float(STORY_SCALES[losses["large"].argmin()]),
        "batches": BATCHES,
        "open": load_card(NAME).config["open"],
        "at_one": mean_loss(large, 1.0),
        "at_learned": mean_loss(large, learned),
        "chance": log(load_card(NAME).config["fit"]["batch"]),
    }
    figure = draw_scales(WORDS.label, STORY_SCALES, losses, learned)
    return Part("figure", {"figure": figure.to_dict()}, values, lab_state(a_batch=True))


@cache
def story_twins(positions: bool = True) -> tuple[Twins, np.ndarray]:
    """Return the story's scene beside its mirrored twin, and the four cosines, (2, 2), the images' rows."""
    pair = twins_of(SEED, False, MIRRORED)[PAIR]
    return pair, twin_cosines(stored_space(), [pair], positions)[0].numpy()


def nearer(cosines: np.ndarray) -> int:
    """Return how many of two captions are nearer to their own image than to the other, of cosines (2, 2)."""
    return int(sum(cosines[j, j] > cosines[1 - j, j] + ROUNDING for j in (0, 1)))


def ask_order(settings: Settings) -> Part:
    """Two images whose captions have the same words; the answer adds the four cosines."""
    pair, cosines = story_twins()
    data = draw_twins(WORDS.label, pair, cosines if settings.revealed else None)
    answer = (NEITHER, ONE, BOTH)[nearer(cosines)]
    values = base(settings) | {
        "right": nearer(cosines),
        "own": float(cosines[0, 0]),
        "other": float(cosines[1, 0]),
    }
    lab = lab_state(pair=PAIR + 1, same_words=True)
    return Part("ranked_scenes", data, values, lab, choices=(BOTH, ONE, NEITHER), answer=answer)


def do_order(settings: Settings) -> Part:
    """The same two images and captions, with or without the order of the words."""
    pair, cosines = story_twins(not settings.no_order)
    data = draw_twins(WORDS.label, pair, cosines, not settings.no_order)
    values = base(settings) | {
        "off": settings.no_order,
        "right": nearer(cosines),
        "own": float(cosines[0, 0]),
        "cross": float(cosines[0, 1]),
    }
    lab = lab_state(pair=PAIR + 1, bag=settings.no_order, same_words=True)
    return Part("ranked_scenes", data, values, lab)


@cache
def shapes_named() -> dict[str, tuple[int, int]]:
    """Return by shape how many images of one shape alone are named right, and of how many."""
    return names_by_shape(stored_space(), BY_SHAPE)


def ask_names(settings: Settings) -> Part:
    """An image of one shape; the answer is its nearest names."""
    picture, kind = alone(ALONE)
    found = named_alone(ALONE)
    share = load_card(NAME).quality[NAMED_RIGHT]
    answer = next(name for name, most in BANDS.items() if share < most)
    values = base(settings) | {
        "kind": kind,
        "name": found.name,
        "p": float(found.probabilities.max()),
        "fits": found.name == f"a {kind}",
        "by_shape": [(shape, right / n) for shape, (right, n) in shapes_named().items() if n],
        "of": BY_SHAPE,
    }
    lab = lab_state(alone=ALONE + 1, no_classes=True)
    if settings.revealed:
        data = draw_names(WORDS.label("title.names"), found)
        return Part("layer_bars", data, values, lab, choices=tuple(BANDS), answer=answer)
    card = card_of(picture, 1, "?", "")
    data = gallery_board([card], SIDE, "") | {"bare": True, "columns": 1, "said": []}
    return Part("ranked_scenes", data, values, lab, choices=tuple(BANDS), answer=answer)


def show_answer(settings: Settings) -> Part:
    """The cosines of the batch, the pairs on the diagonal."""
    scenes, said = batch_of(SEED, True, PAIRS)
    return Part("batch", draw_batch(story_batch(), scenes, said, 0, ""), base(settings), lab_state())


STORY = (
    look("search", show_search),
    look("encoders", show_encoders),
    do("say_less", do_say_less, FORM),
    look("batch", show_batch),
    ask("mixed_up", ask_shuffled),
    look("sharpness", show_scale),
    ask("order", ask_order),
    do("word_bag", do_order, NO_ORDER),
    ask("names", ask_names),
    end("answer", show_answer),
)


# The lab: scenes ranked by a sentence, a batch's loss row by row, temperature, word order, names, how good it is.


def lab() -> None:
    """Scenes ranked by a sentence, a batch's loss row by row, temperature, word order, names, and how good it is."""
    LESSON.open_lab(asks=True)
    model = stored_space()
    controls, stage = LESSON.stage()
    with controls:
        whose = LESSON.draw(WHOSE)
        with LESSON.options():
            seed = LESSON.slider("seed", WORDS.label("seed"), 1, 50, 1)
            unseen = LESSON.toggle("unseen", WORDS.label("unseen"))
        scenes = scenes_of(seed, unseen)
        number, sentence = chosen_sentence(whose, scenes)
        bag, raw = LESSON.draw(BAG), LESSON.draw(RAW)
    ranking = rank_scenes(model, sentence, vectors_of(seed, unseen, not raw), not raw, not bag)
    true = np.array([is_true(sentence, each.scene) for each in scenes])
    show_ranking(stage, ranking, scenes, true, number, sentence, raw)
    if whose == "mine":
        st.markdown(WORDS.markdown("says.read", read=model.read(sentence)))
    if bag or raw:
        before, after = found_first(seed, unseen), found_first(seed, unseen, not bag, not raw)
        LESSON.compare("first", before, after, "d")
    pairs = 6
    if box := LESSON.fold("a_batch"):
        with box:
            pairs = open_batch(model, seed)
    if box := LESSON.fold("same_words"):
        with box:
            show_twins(model, seed, unseen, bag)
    if box := LESSON.fold("no_classes"):
        with box:
            show_names(model)
    if box := LESSON.fold("how_often"):
        with box:
            card = load_card(NAME)
            st.markdown(WORDS.markdown("says.measures", **base()))
            st.table(measures_table(card), hide_index=True, alt=WORDS.label("measures.alt"))
    one = {"whose": "scene", "scene": 1}
    LESSON.close_lab(
        code=[
            *(contrast, ImageEncoder, TextEncoder, Tower, read_sentence),
            *(rank_scenes, products_of, recall, twins, told_apart, score_sentences),
        ],
        # The learner's sentence stays out of the file.
        parameters={
            "sentence": EXAMPLES[0] if whose == "mine" else sentence,
            "seed": seed,
            "unseen": unseen,
            "pairs": pairs,
        },
        prompts={
            "open": {**one, "form": "open"},
            "bag": {**one, "form": "front", "bag": True},
            "shuffled": {**one, "shuffled": True, "a_batch": True},
        },
    )


def chosen_sentence(whose: str, scenes: list[DrawnScene]) -> tuple[int, str]:
    """Draw the controls of the sentence; return the number of the scene it is taken from, 0 for none, and the sentence."""
    if whose == "mine":
        return 0, LESSON.private_text("own", WORDS.label("own"), EXAMPLES[0], max_chars=200, width=330)
    number = LESSON.slider("scene", WORDS.label("scene"), 1, SCENES, 1, width=110)
    form = LESSON.draw(SAID, width=165)
    return number, SAYINGS[FORMS[form]](scenes[number - 1].scene)


def show_ranking(stage, ranking: Ranking, scenes, true, number: int, sentence: str, raw: bool) -> None:
    """Draw the scenes in the sentence's order, once a learner who predicts has guessed the first."""
    order = ranking.order
    with stage:
        st.text(f"“{sentence}”")
        tries = sorted({int(i) for i in (order[0], order[1], order[2], order[-1])})
        choices = [WORDS.label("scene.name", i=i + 1) for i in tries]
        about = f"{crc32(sentence.encode())}_{order[:3].tolist()}"
        right = WORDS.label("scene.name", i=order[0] + 1)
        if may := LESSON.ask(WORDS.label("guess"), choices, right, about):
            note, cards = WORDS.label("note.ranked"), ranked_cards(ranking, scenes, true, number, SHOWN)
        else:
            note = WORDS.label("note.four")
            cards = [card_of(scenes[i].picture, i + 1, caption=scenes[i].scene.caption) for i in tries]
        measure = WORDS.label(f"measure.{'product' if raw else 'cosine'}") if may else ""
        told = sentence if number else ""  # a sentence that was typed is not in the picture's file
        board = gallery_board(cards, SIDE, note, measure, told)
        LESSON.view("ranked_scenes", board, name="ranked", on={"pick": pick})
    if not may:
        return
    first, second = (int(i) for i in order[:2])
    n = int(true.sum())
    only = int(np.flatnonzero(true)[0]) if n == 1 else 0
    said = WORDS.markdown(
        "says.ranked",
        scenes=len(true),
        first=first + 1,
        second=second + 1,
        product="u · v" if raw else "cosine",
        values=[float(ranking.products[i]) for i in (first, second)],
        n=n,
        only=only + 1,
        rank=ranking.rank(only),
        among=int(true[order[:n]].sum()),
    )
    LESSON.caption(said)
    LESSON.every_number(WORDS.label("table.ranking"), ranking_table, ranking, scenes)


def pick(event: dict) -> None:
    """Take a scene's caption as the sentence."""
    for name, value in (("scene", int(event["number"])), ("whose", "scene"), ("form", "caption")):
        LESSON.set_state(name, value)


@shared_lru_cache(32)
def found_first(seed: int, unseen: bool, positions: bool = True, length_one: bool = True) -> int:
    """Return how many of the scenes' sentences, each said in another of the four ways, have their scene first."""
    return recall(products_of(stored_space(), scenes_of(seed, unseen), positions, length_one).T, 1)


def open_batch(model: StoredSpace, seed: int) -> int:
    """Draw a batch's similarity matrix with one row or column opened, and its loss by scale; return the pairs."""
    strip, body = LESSON.stage("batch")
    learned = model.network.scale.item()
    with strip:
        B = LESSON.slider("size", WORDS.label("size"), 2, 10, 6, 2, width=130)
        near = LESSON.draw(NEAR)
        scale = LESSON.slider("scale", WORDS.label("scale"), 0.5, 100.0, round(learned, 1), 0.1, width=150)
        shuffled = LESSON.draw(SHUFFLED)
        direction = LESSON.draw(DIRECTION)
        chosen = LESSON.slider("line", WORDS.label("line"), 1, B, 1, width=90) - 1
    (batch, sentences), (u, v) = batch_of(seed, near, B), batch_vectors(seed, near, B)
    whole = found = contrast(u, v, scale)
    if shuffled:
        sentences, found = sentences[1:] + sentences[:1], contrast(u, v.roll(-1, 0), scale)
    column = direction == "sentence"
    heading = WORDS.label(f"heading.{direction}", i=chosen + 1, sentence=sentences[chosen])
    with body:
        board = batch_board(found, batch, sentences, column, chosen, heading, WORDS.label("note.batch"))
        LESSON.view("batch", board, name="matrix", on={"open": open_line})
    rows, columns = (side.argmax(axis) for side, axis in ((found.by_picture, 1), (found.by_sentence, 0)))
    values = {
        "loss": float(found.loss),
        "rows": float(found.rows.mean()),
        "columns": float(found.columns.mean()),
        "pictures_right": sum(int(k) == i for i, k in enumerate(rows)),
        "sentences_right": sum(int(k) == i for i, k in enumerate(columns)),
        "B": B,
        "chance": log(B),
    }
    LESSON.caption(WORDS.markdown("says.batch", **values))
    if shuffled:
        LESSON.compare("loss", float(whole.loss), float(found.loss), ".4f", more_is_better=False)
    LESSON.every_number(WORDS.label("table.batch"), contrast_table, found, sentences)
    losses = np.array([loss_at(found.products, each) for each in SCALES])
    here = (found.scale, float(found.loss))
    figure = temperature_figure(SCALES, losses, here, learned, WORDS.label("axis.scale"))
    LESSON.figure("temperature", figure, WORDS.label("temperature.alt"))
    least = int(losses.argmin())
    values = {
        "learned": learned,
        "at_learned": loss_at(found.products, learned),
        "at_one": loss_at(found.products, 1.0),
        "least": float(SCALES[least]),
        "lowest": float(losses[least]),
        "end": least in (0, len(SCALES) - 1),
    }
    st.markdown(WORDS.markdown("says.temperature", **values))
    return B


def open_line(event: dict) -> None:
    """Open a row or a column of the matrix."""
    LESSON.set_state("direction", "sentence" if event["column"] else "picture")
    LESSON.set_state("line", int(event["chosen"]) + 1)


# Word order, names, and the learner's picture.


def show_twins(model: StoredSpace, seed: int, unseen: bool, bag: bool) -> None:
    """Draw two scenes whose sentences have the same words, and the four cosines."""
    left, right = st.columns([1, 3])
    with left:
        changes = {each: WORDS.label(f"twin.{each}") for each in TWINS}
        change = LESSON.choose_id(Choice("twin", MIRRORED, tuple(TWINS)), WORDS.label("twin"), changes)
        pairs = twins_of(seed, unseen, change)
        if not pairs:
            st.info(WORDS.label("no_twin"))
            return
        pair = pairs[
            LESSON.slider("pair", WORDS.label("pair"), 1, len(pairs), 1) - 1 if len(pairs) > 1 else 0
        ]
    cosines = twin_cosines(model, [pair], not bag)[0]
    with right:
        for place, sentence in enumerate(pair.sentences, 1):
            st.text(f"{place}. “{sentence}”")
        board = gallery_board(twin_cards(pair, cosines), SIDE, WORDS.label("note.twins"))
        LESSON.view("ranked_scenes", board, name="twins")
    c = cosines.tolist()
    apart = [c[j][j] - c[1 - j][j] for j in (0, 1)]
    sides = [0 if abs(each) <= ROUNDING else 1 if each > 0 else -1 for each in apart]
    LESSON.caption(WORDS.markdown("says.twins", c=c, sides=sides))
    quality = load_card(NAME).quality
    ends = {
        f"{change}_{how}": [quality[f"told apart, {change}{more}{end}"] for end in ENDS]
        for change in TWINS
        for how, more in (("whole", ""), ("bag", NO_POSITIONS))
    }
    st.markdown(WORDS.markdown("says.order", pairs=MEASURED_PAIRS, **ends))


@shared_lru_cache(200)
def named_alone(number: int) -> Named:
    """Return which of the course's sentences is nearest to a picture of one shape alone."""
    return score_sentences(stored_space(), alone(number)[0], list(PROMPTS))


def sentences_of(text: str, most: int) -> list[str]:
    r"""Return the lines of a text that hold anything, each once, so many at most.

    >>> sentences_of("a ring\n\n a cross \na ring", most=5)
    ['a ring', 'a cross']
    """
    return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))[:most]


def show_names(model: StoredSpace) -> None:
    """Draw which of some sentences is nearest to a picture of one shape alone, or to the learner's own."""
    strip, body = LESSON.stage("names")
    with strip:
        number = LESSON.slider("alone", WORDS.label("alone"), 1, 200, ALONE + 1, width=200)
        own = own_picture(LESSON)
        lines = LESSON.private_text("lines", WORDS.label("lines"), height=70, max_chars=2000)
    say_if_missing(LESSON, own)
    picture, kind = alone(number - 1)
    shown = scaled(own, SIDE) if own else picture
    sentences = sentences_of(lines, OWN_PROMPTS) or list(PROMPTS)
    ours = sentences == list(PROMPTS)
    found = named_alone(number - 1) if ours and not own else score_sentences(model, shown, sentences)
    with body:
        left, right = st.columns([1, 3])
        with left:
            framed = card_of(shown, 1, WORDS.label("card.picture"), WORDS.label("card.seen"))
            LESSON.view("ranked_scenes", gallery_board([framed], SIDE, ""), name="alone_picture")
        with right:
            bars = class_bars(found.probabilities.numpy(), sentences, HEIGHT + 60)
            LESSON.figure("names", bars, WORDS.label("names.figure.alt"))
    quality = load_card(NAME).quality
    values = {
        "n": len(sentences),
        "ours": ours,
        "name": found.name,
        "p": float(found.probabilities.max()),
        "truth": f"a {kind}" if ours and not own else "",
        "often": [quality[f"{NAMED_RIGHT}{end}"] for end in ENDS],
        "held": load_card(NAME).corpus["held_out_pictures"],
    }
    LESSON.caption(WORDS.markdown("says.named", **values))
    LESSON.every_number(WORDS.label("table.names"), names_table, found, model.network.scale.item())
