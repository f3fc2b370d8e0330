"""Image captioning: what the story shows of a sentence written about an image, and the lab."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import streamlit as st

from core.figures.images.captions import (
    Column,
    caption_columns,
    draws_table,
    patch_words_table,
    right_figure,
    right_table,
    word_table,
    wrong,
)
from core.figures.images.patches import PatchBoard
from core.lesson.cached import cached, no_typed_words
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.held_out import compare_shares
from core.models.generation.sampling import SamplingSettings, distribution, draw_next_token, generate
from core.models.images.captioner import END, MARKS, ids_of
from core.models.images.captioner import WORDS as VOCABULARY
from core.models.images.fit_captions import caption_loss
from core.models.images.group_attention import patches_in, share_on
from core.models.images.held_out_scenes import (
    HELD_OUT,
    KINDS,
    held_out_scene,
    held_out_scenes,
    right_to_the_word,
)
from core.models.images.measured_attention import ROLES, attention_on_groups, described_right, kept_words
from core.models.images.occluded_picture import painted_over, word_drops
from core.models.images.picture_encoder import PATCH, SEES, PictureEncoder
from core.models.images.recurrent_captioner import RecurrentCaptioner
from core.models.images.stored_captioner import Captioner, StoredCaptioner, stored_captioner
from core.models.images.transformer_captioner import TransformerCaptioner
from core.models.images.written_caption import (
    WrittenCaption,
    drawn_captions,
    first_wrong,
    looked_at,
    looks,
    write_caption,
)
from core.models.stored import Card, load_card
from core.pictures.described_scenes import (
    COMBINATIONS,
    NUMBERS,
    PLACES,
    SHAPES,
    UNSEEN,
    DescribedScene,
    Group,
    built_scene,
    described_scene,
    empty_picture,
    scene_picture,
)
from core.pictures.scaling import scaled
from core.pictures.scenes import COLOURS, SIDE
from pages.images.captions import LESSON
from pages.images.captions.figures import (
    draw_counts,
    draw_errors,
    draw_groups,
    draw_machine,
    draw_step,
)
from pages.images.shared.hidden_patches import hidden_places, toggled
from pages.images.shared.looks import name_look
from pages.images.shared.own_picture import own_picture, say_if_missing

WORDS = LESSON.words
RECURRENT, TRANSFORMER = DECODERS = ("recurrent", "transformer")
SEEN, NEVER = KINDS
ACROSS = SIDE // PATCH
MEASURED = 200  # scenes on which the story measures attention, and the lab what a break does
DRAWS = 20
ROUNDING = 1e-6  # of a probability: what computing it again, in another batch, may change

# The story: one held-out scene, and one with a combination that no training picture had.
NUMBER, NEW_NUMBER = 9, 0
COLOUR_STEP, SHAPE_STEP, RELATION_STEP = 1, 2, 3
CAPTIONS_DRAWN = 6  # bars of drawn captions
RIGHT, COLOUR, SHAPE, PLACE = "right", "colour", "shape", "place"
STAYS, CHANGES = "stays", "changes"
NOTHING, SENTENCE, REPEATS = "nothing", "sentence", "repeats"
NONE = Settings({})
HEAT = Choice("heat", "1", ("0.5", "1", "2", "3", "5"))

SOURCE = Choice(
    "source", "held", ("held", "never", "built"), {"held out": "held", "never seen together": "never"}
)
BLIND = Switch("blind")
LAB = (
    SOURCE,
    Slider("number", 1, 1, MEASURED),
    BLIND,
    Text("hidden", "", 200),
    Slider("temperature", 0.0, 0.0, 1000.0, 0.1),
    *(Switch("each_word"), Switch("never_seen"), Switch("many_draws")),  # what is folded
)
BANDS = {"low": 0.5, "middle": 0.8, "high": 0.95, "top": 1.01}


def captioner(decoder: str) -> StoredCaptioner:
    """Return the stored captioner of a decoder."""
    return stored_captioner(f"captions_{decoder}")


@cache
def cards() -> dict[str, Card]:
    """Return the cards of both captioners."""
    return {decoder: load_card(f"captions_{decoder}") for decoder in DECODERS}


@cache
def story_caption(kind: str = SEEN) -> tuple[DescribedScene, np.ndarray, WrittenCaption]:
    """Return the story's scene of a kind, its image, and what the recurrent captioner writes about it."""
    scene, image = held_out_scene(kind, NUMBER if kind == SEEN else NEW_NUMBER)
    return scene, image, write_caption(captioner(RECURRENT).network, image)


@cache
def measured_groups() -> tuple[np.ndarray, np.ndarray]:
    """Return the attention on both groups by word over held-out scenes, and what evenly spread attention has."""
    return attention_on_groups(captioner(RECURRENT).network, held_out_scenes(SEEN, MEASURED))


@cache
def measured_right() -> int:
    """Return how many of the held-out scenes are described right to the word: those on which the story measures."""
    return len(described_right(captioner(RECURRENT).network, held_out_scenes(SEEN, MEASURED))[0])


@cache
def measured_kept() -> dict[str, object]:
    """Return the shares of words that stay without their most attended patch, and of shape words without a random one."""
    network, scenes = captioner(RECURRENT).network, held_out_scenes(SEEN, MEASURED)
    (shapes, n), (others, m) = kept_words(network, scenes)
    (random, _), _ = kept_words(network, scenes, np.random.default_rng(0))
    return {"kept": shapes / n, "kept_random": random / n, "kept_others": others / m, "shape_words": n}


def base(settings: Settings = NONE) -> dict[str, object]:
    """Return what all beats name: the model's sizes, the scene, and how often captions are exactly right."""
    scene, _, written = story_caption()
    corpus = cards()[RECURRENT].corpus
    return {
        "revealed": settings.revealed,
        "vocabulary": len(VOCABULARY) - len(MARKS),
        "patches": ACROSS**2,
        "patch": PATCH,
        "sees": SEES,
        "side": SIDE,
        "width": captioner(RECURRENT).network.config.width,
        "truth": scene.caption,
        "caption": written.caption,
        "n": len(scene.caption.split()),
        "trained": corpus["training_pictures"],
        "held": HELD_OUT,
        "measured": MEASURED,
        "unseen": len(UNSEEN),
        "combinations": len(COMBINATIONS),
        "right_seen": 1 - wrong(cards()[RECURRENT], SEEN) / HELD_OUT,
        "right_unseen": 1 - wrong(cards()[RECURRENT], NEVER) / HELD_OUT,
    }


def lab_state(**state: object) -> dict[str, object]:
    """Return the lab's settings that show the story's scene."""
    return {"source": "held", "number": NUMBER + 1, **state}


def shares_at(t: int) -> tuple[float, float]:
    """Return the attention before word `t` of the story's caption on the first group and on the second."""
    scene, _, written = story_caption()
    attention = looked_at(written, "")
    return share_on(attention, scene.first_cells, [t]), share_on(attention, scene.second_cells, [t])


def show_written(settings: Settings) -> Part:
    """The image and its whole caption."""
    scene, image, written = story_caption()
    data = draw_step(
        PatchBoard(image, ACROSS), written, len(written.words) - 1, ("", None), truth=scene.caption
    )
    return Part("captions", data, base(settings) | {"p": float(np.prod(written.p))}, lab_state())


def show_machine(settings: Settings) -> Part:
    """The captioner before its second word."""
    _, _, written = story_caption()
    values = base(settings) | {"before": written.words[0], "word": written.words[COLOUR_STEP]}
    return Part("machine", draw_machine(WORDS.label, written, COLOUR_STEP), values, lab_state())


def ask_where(settings: Settings) -> Part:
    """The attention at the shape of the first group; the answer goes on to the word at which it moves."""
    scene, image, written = story_caption()
    moved = next(t for t in range(SHAPE_STEP, len(written.words)) if shares_at(t)[1] > shares_at(t)[0])
    t = moved if settings.revealed else SHAPE_STEP
    choices = list(dict.fromkeys(written.words[SHAPE_STEP + 1 : -1]))
    title = WORDS.label("title.before", word=written.words[t])
    first, second = shares_at(t)
    data = draw_step(
        PatchBoard(image, ACROSS), written, t, (title, looked_at(written, "")), truth=scene.caption
    )
    values = base(settings) | {
        "word": written.words[SHAPE_STEP],
        "moved": written.words[moved],
        "last": scene.second.words.split()[-1],
        "first": first,
        "second": second,
    }
    return Part("captions", data, values, lab_state(), choices=choices, answer=written.words[moved])


def show_groups(settings: Settings) -> Part:
    """The attention on both groups at each word, over held-out scenes."""
    shares, even = measured_groups()
    values = base(settings) | {
        "shape": float(shares[ROLES.index("shape_1"), 0]),
        "relation": float(shares[ROLES.index("relation"), 1]),
        "even": float(even[1]),
        "even_first": float(even[0]),
        "described": measured_right(),
    }
    return Part("layer_bars", draw_groups(WORDS.label, shares), values, lab_state())


@cache
def occluded() -> dict[str, object]:
    """Return what masking out one patch does to the last word of the story's scene.

    `t`: the word's step; `drops` (T, N); `looked`, `needed`: the patch with most attention, and the one whose masking
    lowers p most; `said_*`: the likeliest word without each, and `p_*` its probability.
    """
    _, image, written = story_caption()
    network = captioner(RECURRENT).network
    t = len(written.words) - 2  # the last before <end>
    drops, attention = word_drops(network, image, written.ids), looked_at(written, "")
    found: dict[str, object] = {"t": t, "drops": drops}
    for key, place in (("looked", int(attention[t].argmax())), ("needed", int(drops[t].argmax()))):
        again = write_caption(network, painted_over(image, [place]))
        found |= {key: place, f"said_{key}": again.words[t], f"p_{key}": again.p[t]}
        found |= {f"a_{key}": float(attention[t, place])}
        found |= {f"row_{key}": place // ACROSS + 1, f"column_{key}": place % ACROSS + 1}
    return found


def ask_needed(settings: Settings) -> Part:
    """The attention before the last word; the answer adds what masking out each patch takes from its probability."""
    scene, image, written = story_caption()
    found = occluded()
    t, word = found["t"], written.words[found["t"]]
    answer = STAYS if found["said_looked"] == word else CHANGES
    values = base(settings) | {key: each for key, each in found.items() if key != "drops"}
    values |= {"word": word, "described": measured_right()}
    panels = [(WORDS.label("title.before", word=word), looked_at(written, ""))]
    if settings.revealed:
        values |= measured_kept()
        panels.append((WORDS.label("title.drop", word=word), found["drops"]))
    board = PatchBoard(image, ACROSS)
    data = draw_step(board, written, t, *panels, truth=scene.caption, chosen=found["looked"])
    lab = lab_state(each_word=True)
    return Part("captions", data, values, lab, choices=(STAYS, CHANGES), answer=answer)


def kind_of_error(written: WrittenCaption, truth: str) -> str:
    """Return at which kind of word a caption first leaves the right one."""
    step = first_wrong(written, truth)
    if step < 0:
        return RIGHT
    word = ids_of(truth)[min(step, len(ids_of(truth)) - 1)]
    if VOCABULARY[word] in COLOURS:
        return COLOUR
    return PLACE if VOCABULARY[word] in " ".join(PLACES) else SHAPE


def ask_unseen(settings: Settings) -> Part:
    """A scene with a combination that training never had; the answer is its caption."""
    scene, image, written = story_caption(NEVER)
    data = draw_step(
        PatchBoard(image, ACROSS),
        written,
        len(written.words) - 1,
        ("", None),
        truth=scene.caption,
        said=settings.revealed,
    )
    new = next(each for each in scene.combinations if each in UNSEEN)
    values = base(settings) | {
        "new": WORDS.label("combination", colour=new[0], shape=new[1], place=new[2]),
        "fine": first_wrong(written, scene.caption) < 0,
        "wrote": written.caption,
    }
    lab = {"source": "never", "number": NEW_NUMBER + 1}
    choices = (RIGHT, COLOUR, SHAPE, PLACE)
    return Part("captions", data, values, lab, choices=choices, answer=kind_of_error(written, scene.caption))


@cache
def error_counts() -> dict[str, list[tuple[int, int]]]:
    """Return of each captioner how many captions are wrong, and of how many, on known and on new combinations."""
    return {decoder: [(wrong(card, kind), HELD_OUT) for kind in KINDS] for decoder, card in cards().items()}


def error_values() -> dict[str, object]:
    """Return the shares of wrong captions, `<decoder>_0` with known and `<decoder>_1` with new combinations.

    `<decoder>_differs`, `seen_differs` and `unseen_differs` say which shares differ clearly, as `compare_shares` does.
    """
    counts = error_counts()
    return {
        **{f"{each}_{i}": k / n for each in DECODERS for i, (k, n) in enumerate(counts[each])},
        **{f"{each}_differs": compare_shares(*counts[each]) for each in DECODERS},
        "seen_differs": compare_shares(*(counts[each][0] for each in DECODERS)),
        "unseen_differs": compare_shares(*(counts[each][1] for each in DECODERS)),
    }


def show_errors(settings: Settings) -> Part:
    """The share of wrong captions on scenes with and without a new combination, of both captioners."""
    errors = {decoder: [k / n for k, n in pairs] for decoder, pairs in error_counts().items()}
    trained = cards()[TRANSFORMER].corpus["training_pictures"]
    values = base(settings) | error_values() | {"trained_transformer": trained}
    lab = {"source": "never", "number": NEW_NUMBER + 1, "never_seen": True}
    return Part("layer_bars", draw_errors(WORDS.label, errors), values, lab)


@cache
def blind_caption() -> WrittenCaption:
    """Return what the recurrent captioner writes about an empty image."""
    return write_caption(captioner(RECURRENT).network, empty_picture())


def ask_empty(settings: Settings) -> Part:
    """An empty image; the answer is what is written about it."""
    written = blind_caption()
    words = [word for word in written.words if word not in MARKS]
    answer = NOTHING if not words else REPEATS if len(set(words)) == 1 else SENTENCE
    board = PatchBoard(empty_picture(), ACROSS)
    last = len(written.words) - 1
    data = draw_step(board, written, last, ("", None), said=settings.revealed)
    values = base(settings) | {"p": written.p[0], "times": len(words), "word": words[0] if words else ""}
    lab = lab_state(blind=True)
    return Part("captions", data, values, lab, choices=(NOTHING, SENTENCE, REPEATS), answer=answer)


@cache
def drawn_at(heat: str):
    """Return how often each caption of the story's scene is drawn at a temperature, of DRAWS."""
    _, image, _ = story_caption()
    seeds = range(1, DRAWS + 1)
    return drawn_captions(captioner(RECURRENT).network, image, SamplingSettings(float(heat)), seeds)


def do_heat(settings: Settings) -> Part:
    """The captions drawn at the chosen temperature."""
    scene, _, _ = story_caption()
    drawn = drawn_at(settings.heat)
    values = base(settings) | {
        "heat": settings.heat,
        "draws": DRAWS,
        "different": len(drawn),
        "right": drawn[scene.caption],
    }
    data = draw_counts(WORDS.label, drawn, scene.caption, CAPTIONS_DRAWN)
    return Part("layer_bars", data, values, lab_state(temperature=float(settings.heat), many_draws=True))


def show_answer(settings: Settings) -> Part:
    """The captioner before the word that says where the groups are."""
    _, _, written = story_caption()
    return Part("machine", draw_machine(WORDS.label, written, RELATION_STEP), base(), lab_state())


STORY = (
    look("written", show_written),
    look("machine", show_machine),
    ask("where", ask_where),
    look("groups", show_groups),
    ask("needed", ask_needed),
    ask("unseen", ask_unseen),
    look("errors", show_errors),
    do("draws", do_heat, HEAT),
    ask("empty", ask_empty),
    end("answer", show_answer),
)


# The lab: two captions word by word with their attention, what each word needs, what was never seen, draws, no image.


@dataclass(frozen=True)
class Chosen:
    """The picture that is described, (3, S, S), its scene, None for the learner's own, and the notebook's parameters."""

    picture: np.ndarray
    scene: DescribedScene | None
    parameters: dict

    @property
    def truth(self) -> str:
        """The right caption, none where nobody knows it."""
        return self.scene.caption if self.scene else ""


def lab() -> None:
    """Two captions word by word with their attention, what each word needs, what was never seen, draws, no image."""
    LESSON.open_lab(asks=True)
    transformer = captioner(TRANSFORMER).network
    controls, stage = LESSON.stage()
    with controls:
        chosen = choose_picture()
        blind = LESSON.draw(BLIND)
        with LESSON.options():
            names = {each: name_look(each) for each in looks(transformer.config)}
            shown_first = Choice("look", next(iter(names)), tuple(names))
            attention = LESSON.choose_id(shown_first, WORDS.label("look"), names)
            sampling, seed = choose_sampling()
            empty = WORDS.label("hidden.none")
            masked = LESSON.text("hidden", WORDS.label("hidden"), max_chars=200, placeholder=empty)
    hidden = hidden_places(masked, ACROSS**2)
    given = empty_picture() if blind else painted_over(chosen.picture, hidden)
    found = {decoder: asked(decoder, given.tobytes(), sampling, seed, given) for decoder in DECODERS}
    captions, drops = ({decoder: each[i] for decoder, each in found.items()} for i in (0, 1))
    seen = {each: looked_at(written, attention) for each, written in captions.items()}
    board = PatchBoard(given, ACROSS, () if blind else hidden)
    with stage:
        columns = [
            Column(
                WORDS.label(f"panel.{each}", look=names[attention]),
                seen[each],
                captions[each],
                chosen.truth,
                WORDS.label(f"name.{each}"),
            )
            for each in captions
        ]
        shown = caption_columns(board, columns, WORDS.label("panel.note"), True)
        LESSON.stepped_view("captions", shown, on={"hide": hide})
    said = [WORDS.label("says.caption", **verdict(each, captions[each], chosen.truth)) for each in captions]
    LESSON.caption(" ".join(said))
    say_what_it_is(chosen, blind)
    if blind:
        show_broken()
    LESSON.every_number(WORDS.label("table.words"), word_table, captions)
    LESSON.every_number(WORDS.label("table.patches"), patch_words_table, captions, seen, drops)
    if box := LESSON.fold("each_word"):
        with box:
            show_needs(chosen.scene, board, captions, seen, drops)
    if box := LESSON.fold("never_seen"):
        with box:
            show_unseen()
    if box := LESSON.fold("many_draws", draws=DRAWS):
        with box:
            show_draws(given, chosen.truth, sampling, seed)
    here = {"mine": False, "hidden": "", "blind": False}
    LESSON.close_lab(
        code=[
            *(PictureEncoder, RecurrentCaptioner, TransformerCaptioner, described_scene, scene_picture),
            *(caption_loss, write_caption, generate, distribution, draw_next_token, drawn_captions, scaled),
            *(
                looked_at,
                painted_over,
                word_drops,
                share_on,
                attention_on_groups,
                kept_words,
                right_to_the_word,
            ),
        ],
        parameters={
            **chosen.parameters,
            "hidden": hidden,
            "blind": blind,
            "temperature": sampling.temperature,
            "top_k": sampling.top_k,
            "top_p": sampling.top_p,
            "seed": seed,
        },
        prompts={
            "never": {**here, "source": "never", "number": 1},
            "hot": {**here, "source": "held", "number": 1, "temperature": 3.0, "many_draws": True},
            "blind": {**here, "source": "held", "number": 1, "blind": True},
        },
    )


def choose_picture() -> Chosen:
    """Draw what chooses the picture; return it with its scene."""
    source = LESSON.draw(SOURCE)
    number = LESSON.slider("number", WORDS.label("number"), 1, MEASURED, 1, width=140)
    with st.popover(WORDS.label("build"), disabled=source != "built"):
        one = choose_group("first", 2, "red", "circle")
        relation = LESSON.select("relation", WORDS.label("relation"), PLACES)
        other = choose_group("second", 1, "blue", "square")
    own = own_picture(LESSON)
    say_if_missing(LESSON, own)
    kind = {"held": SEEN, "never": NEVER, "built": ""}[source]
    built = ((one.number, one.colour, one.shape), relation, (other.number, other.colour, other.shape), number)
    parameters = {"kind": kind, "number": number - 1, "built": built, "own": own is not None}
    if own:
        return Chosen(scaled(own, SIDE), None, parameters)
    if kind:
        scene, drawn = held_out_scene(kind, number - 1)
        return Chosen(drawn, scene, parameters)
    if (one.colour, one.shape) == (other.colour, other.shape):
        st.warning(WORDS.label("of_one_kind"))
        other = Group(other.number, other.colour, next(shape for shape in SHAPES if shape != other.shape))
        parameters["built"] = (*built[:2], (other.number, other.colour, other.shape), number)
    scene = built_scene(one, relation, other, number)
    return Chosen(scene_picture(scene, number), scene, parameters)


def choose_group(name: str, number: int, colour: str, shape: str) -> Group:
    """Draw the three lists that make a group, and return it."""
    hues = list(COLOURS)
    st.caption(WORDS.label(f"group.{name}"))
    with st.container(horizontal=True):
        many = LESSON.select(f"{name}_number", WORDS.label("group.number"), NUMBERS, number - 1, width=100)
        which = LESSON.select(
            f"{name}_colour", WORDS.label("group.colour"), hues, hues.index(colour), width=120
        )
        what = LESSON.select(
            f"{name}_shape", WORDS.label("group.shape"), SHAPES, SHAPES.index(shape), width=120
        )
    return Group(NUMBERS.index(many) + 1, which, what)


def choose_sampling() -> tuple[SamplingSettings, int]:
    """Draw the fields for T, k, p and the seed; return them."""
    temperature = LESSON.number("temperature", WORDS.label("temperature"), 0.0, 1000.0, 0.0, step=0.1)
    k = LESSON.number("top_k", WORDS.label("top_k"), 0, len(VOCABULARY), 0)
    p = LESSON.number("top_p", WORDS.label("top_p"), 0.0, 1.0, 1.0, step=0.01)
    return SamplingSettings(temperature, k, p), LESSON.number("seed", WORDS.label("seed"), 0, 9999, 1)


def hide(event: dict) -> None:
    """Mask out the patch at a place, or show it again."""
    LESSON.set_state("hidden", toggled(LESSON.get_state("hidden", ""), int(event["place"])))


def verdict(decoder: str, written: WrittenCaption, truth: str) -> dict[str, object]:
    """Return what is said of a caption: its probability, whether it was stopped, and where it leaves the right one.

    `should`: the word that should be at step `step` instead, <end> where it should end, none where it should have ended.
    """
    step = first_wrong(written, truth) if truth else -1
    right = ids_of(truth) if truth else []
    return {
        "decoder": decoder,
        "caption": written.caption,
        "p": float(np.prod(written.p)),
        "stopped": written.ids[-1] != END,
        "n": len(written.words),
        "known": bool(truth),
        "step": step + 1,
        "should": VOCABULARY[right[step]] if 0 <= step < len(right) else "",
        "replaces": 0 <= step < len(written.ids) and written.ids[step] != END,
    }


def say_what_it_is(chosen: Chosen, blind: bool) -> None:
    """Say what the picture shows, and what both captioners have learned from."""
    if chosen.scene is None:
        st.markdown(WORDS.markdown("says.own", **base()))
        return
    never = [" ".join(each) for each in chosen.scene.combinations if each in UNSEEN]
    trained = {f"trained_{each}": card.corpus["training_pictures"] for each, card in cards().items()}
    st.markdown(
        WORDS.markdown("says.scene", scene=chosen.truth, blind=blind, never=never, **trained, **base())
    )


# What a word needs, what was never seen, what else is drawn, and what breaks.


@cached(200, 20, shared=no_typed_words)
def asked(decoder: str, pixels: bytes, sampling: SamplingSettings, seed: int, _given: np.ndarray) -> tuple:
    """Return what a captioner writes about a picture, and what masking out each patch takes from each word, (T, N)."""
    network: Captioner = captioner(decoder).network
    written = write_caption(network, _given, sampling, seed)
    return written, word_drops(network, _given, written.ids)


def agreed(weights: np.ndarray, drops: np.ndarray) -> int:
    """Return for how many words the patch with most attention is the one whose masking lowers p most.

    A word whose p no masking lowers, as on an empty picture, is not counted as one of these.
    """
    same = weights.argmax(1) == drops.argmax(1)
    return int((same & (drops.max(1) > ROUNDING)).sum())


def largest_drop(written: WrittenCaption, drops: np.ndarray) -> tuple[float, str]:
    """Return the most that masking out one patch takes from the probability of a word, and the word; 0 where none does."""
    if drops.max() <= ROUNDING:
        return 0.0, ""
    return float(drops.max()), written.words[int(drops.max(1).argmax())].strip("<>")


def group_shares(scene: DescribedScene, written: WrittenCaption, weights: np.ndarray) -> dict[str, object]:
    """Return how much attention (T, N) is on each group while it is named, and on the second before the relation.

    Nothing where the caption is not right.
    """
    if first_wrong(written, scene.caption) >= 0:
        return {}
    first = len(scene.first.words.split())
    second = first + len(scene.relation.split())
    spans = range(first), range(second, second + len(scene.second.words.split()))
    cells = scene.first_cells, scene.second_cells
    N = weights.shape[1]
    return {
        "own": [share_on(weights, each, span) for each, span in zip(cells, spans, strict=True)],
        "even": [len(patches_in(each, int(N**0.5))) / N for each in cells],
        "ahead": share_on(weights, scene.second_cells, [first]),
        "relation": written.words[first],
    }


def show_needs(
    scene: DescribedScene | None, board: PatchBoard, captions: dict, seen: dict, drops: dict
) -> None:
    """Draw what masking out each patch takes from each word, and compare it with the attention."""
    st.markdown(WORDS.markdown("says.needs"))
    columns = [
        Column(
            WORDS.label(f"panel.drop_{each}"), drops[each], captions[each], name=WORDS.label(f"name.{each}")
        )
        for each in captions
    ]
    LESSON.stepped_view("captions", caption_columns(board, columns, "", False), name="drops")
    for each, written in captions.items():
        most, word = largest_drop(written, drops[each])
        groups = group_shares(scene, written, seen[each]) if scene else {}
        st.markdown(
            WORDS.markdown(
                "says.needed",
                decoder=each,
                same=agreed(seen[each], drops[each]),
                n=len(written.words),
                most=most,
                word=word,
                groups=groups,
            )
        )


def show_unseen() -> None:
    """Show how many held-out scenes are described right to the word, with and without a combination never seen."""
    names = [WORDS.label("combination", colour=c, shape=s, place=p) for c, s, p in UNSEEN]
    st.markdown(WORDS.markdown("says.unseen", names=names, **base()))
    share = 1 - wrong(cards()[TRANSFORMER], NEVER) / HELD_OUT
    answer = next(name for name, least in BANDS.items() if share < least)
    bands = {name: WORDS.label(f"band.{name}") for name in BANDS}
    if not LESSON.ask(WORDS.label("guess"), list(bands.values()), bands[answer]):
        return
    LESSON.figure("right", right_figure(cards()), WORDS.label("right.alt"))
    LESSON.caption(WORDS.markdown("says.errors", held=HELD_OUT, **error_values()))
    LESSON.every_number(WORDS.label("table.right"), right_table, cards())


def show_draws(given: np.ndarray, truth: str, sampling: SamplingSettings, seed: int) -> None:
    """Count the captions that are drawn with so many seeds, for each captioner."""
    last = seed + DRAWS - 1
    st.markdown(WORDS.markdown("says.draws", seed=seed, last=last, T=f"{sampling.temperature:g}"))
    for column, decoder in zip(st.columns(2), DECODERS, strict=True):
        drawn = drawn_captions(captioner(decoder).network, given, sampling, range(seed, last + 1))
        with column:
            right = drawn[truth] if truth else None
            st.markdown(WORDS.markdown("says.drawn", decoder=decoder, n=len(drawn), right=right, draws=DRAWS))
            LESSON.table(f"drawn_{decoder}", draws_table(drawn), WORDS.label("drawn.alt", decoder=decoder))


@cached(1, 0, shared=True)
def right_with_and_without() -> dict[str, list[int]]:
    """Return of each captioner how many held-out scenes it describes right to the word, and how many without image."""
    scenes = held_out_scenes(SEEN, MEASURED)
    return {
        each: [int(right_to_the_word(captioner(each), scenes, blind).sum()) for blind in (False, True)]
        for each in DECODERS
    }


def show_broken() -> None:
    """Show how many held-out scenes are still described right to the word without an image."""
    found = right_with_and_without()
    LESSON.compare("blind", *(n / MEASURED for n in found[TRANSFORMER]), ".1%")
    whole, broken = found[RECURRENT]
    st.markdown(WORDS.markdown("says.blind", whole=whole, broken=broken, measured=MEASURED))
