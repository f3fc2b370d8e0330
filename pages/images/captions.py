"""Captions: a picture described word by word by a recurrent decoder and a transformer, and the patches they look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.images.caption_words import (
    NAMES,
    NEEDS,
    agreed,
    apart,
    background,
    kinds_apart,
    largest_drop,
    measured,
    of_groups,
    of_own,
    verdict,
)
from core.figures.images.captions import (
    Column,
    attention_figure,
    caption_columns,
    counted,
    draws_table,
    patch_words_table,
    right_figure,
    right_table,
    word_table,
)
from core.figures.images.patches import Board
from core.figures.worked import percent
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.lesson import Lesson
from core.models.generation.sampling import Settings, distribution, draw, generate
from core.models.images.fit_captions import caption_loss
from core.models.images.group_attention import share_on
from core.models.images.held_out_scenes import (
    HELD_OUT,
    KINDS,
    held_out_scene,
    held_out_scenes,
    right_to_the_word,
)
from core.models.images.occluded_picture import painted_over, word_drops
from core.models.images.picture_encoder import PATCH, PictureEncoder
from core.models.images.recurrent_captioner import RecurrentCaptioner
from core.models.images.stored_captioner import stored_captioner
from core.models.images.transformer_captioner import TransformerCaptioner
from core.models.images.written_caption import drawn_captions, looked_at, looks, write_caption
from core.models.stored import load_card
from core.pictures.described_scenes import (
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
from pages.images.shared.hidden_patches import hidden_places, toggled
from pages.images.shared.own_picture import own_picture, say_if_missing

LESSON = Lesson(
    __name__,
    title="Captions",
    question="How does a model say what it sees?",
    icon="captions",
)
DECODERS = {decoder: f"captions_{decoder}" for decoder in NAMES}
SOURCES = {"held out": KINDS[0], "never seen together": KINDS[1], "built": ""}
MEASURED = 200  # scenes, to measure what a break does
DRAWS = 20
HUES = list(COLOURS)
ACROSS = SIDE // PATCH
MODELS = [PictureEncoder, RecurrentCaptioner, TransformerCaptioner, described_scene, scene_picture]
WRITING = [caption_loss, write_caption, generate, distribution, draw, drawn_captions, scaled]
ASKING = [looked_at, painted_over, word_drops, share_on, right_to_the_word]
BANDS = ((0.5, "under 50%"), (0.8, "50% to under 80%"), (0.95, "80% to under 95%"), (1.01, "95% or more"))


@dataclass(frozen=True)
class Chosen:
    """The picture that is described, (3, S, S), and its scene, None for the learner's own."""

    picture: np.ndarray
    scene: DescribedScene | None
    cell: str

    @property
    def truth(self) -> str:
        """The right caption, none where nobody knows it."""
        return self.scene.caption if self.scene else ""


def picture() -> Figure:
    """Where the recurrent decoder looks before the colour of the first group."""
    written = write_caption(stored_captioner(DECODERS["recurrent"]).network, held_out_scene(KINDS[0], 0)[1])
    return small(attention_figure(written.weights[0, 0, 1]))


def page() -> None:
    """Two captions word by word with their attention, what each word needs, what was never seen, draws, no image."""
    LESSON.open(
        r"s_t = \operatorname{GRU}_1(y_{t-1}, h_{t-1}) \quad a_{ti} = \frac{e^{e_{ti}}}{\sum_j e^{e_{tj}}} \quad "
        r"c_t = \sum_i a_{ti} \bar{h}_i \quad h_t = \operatorname{GRU}_2(c_t, s_t) \quad "
        r"p(y_t \mid y_{<t}, \text{picture}) = \operatorname{softmax}(z_t)",
        r"$\bar{h}_i$: the encoder's state over patch $i$; $y_t$: word $t$; $s_t$: the recurrent decoder's state, once it "
        r"has read the word before; $e_{ti}$: the score that $s_t$ gives patch $i$; $a_{ti}$: its attention weight; $c_t$: "
        r"the context; $h_t$: the state, once it has looked; $z_t$: the logits. "
        r"The transformer's blocks look at the words so far and, by cross-attention with $\bar{h}$, at the patches.",
    )
    transformer = stored_captioner(DECODERS["transformer"]).network
    controls, stage = LESSON.stage()
    with controls:
        chosen = choose_picture()
        blind = LESSON.break_it("blind", "Break it: no image", "Both are given the empty ground instead.")
        with LESSON.more():
            look = LESSON.select("look", "The transformer's attention", looks(transformer.config))
            settings, seed = choose_settings()
            painted = LESSON.text("hidden", "Patches painted over", max_chars=200, placeholder="none: click")
    hidden = hidden_places(painted, ACROSS**2)
    given = empty_picture() if blind else painted_over(chosen.picture, hidden)
    found = {decoder: asked(decoder, given.tobytes(), settings, seed, given) for decoder in DECODERS}
    captions, drops = ({decoder: each[i] for decoder, each in found.items()} for i in (0, 1))
    seen = {each: looked_at(written, look) for each, written in captions.items()}
    board = Board(given, ACROSS, () if blind else hidden)
    with stage:
        titles = {"recurrent": "Recurrent: attention", "transformer": f"Transformer: attention, {look}"}
        columns = [Column(titles[each], seen[each], captions[each], chosen.truth) for each in captions]
        note = "Click a patch to paint it over with the ground, or go there by arrow key and press Enter."
        LESSON.stepped_view("captions", caption_columns(board, columns, note, True), on={"hide": hide})
    LESSON.caption(" ".join(verdict(NAMES[each], captions[each], chosen.truth) for each in captions))
    say_what_it_is(chosen, blind)
    LESSON.set_values(first_word=captions["recurrent"].words[0], first_p=percent(captions["recurrent"].p[0]))
    training = load_card(DECODERS["recurrent"]).corpus["training_pictures"]
    LESSON.set_values(
        patches=board.across**2, T=f"{settings.temperature:g}", seeds=DRAWS, training=f"{training:,}"
    )
    if blind:
        show_broken()
    LESSON.every_number("words", word_table, captions)

    st.header("Which patch does a word need?", anchor=False)
    show_needs(chosen.scene, board, captions, seen, drops)
    LESSON.every_number("patches", patch_words_table, captions, seen, drops)

    st.header("Combinations never seen", anchor=False)
    show_unseen()

    if box := LESSON.section("draws", f"{DRAWS} captions drawn from one picture"):
        with box:
            show_draws(given, chosen.truth, settings, seed)

    here = {"source": "held out", "number": 1, "mine": False, "hidden": "", "blind": False}
    LESSON.closing(
        code=[*MODELS, *WRITING, *ASKING],
        notebook=cells(chosen, settings, seed, hidden, blind),
        plot="from core.figures.images.captions import attention_figure\n\n"
        'draw(attention_figure(captions["recurrent"].weights[0, 0, 1]))',
        try_this=[
            ("A combination never seen: do both find it?", {**here, "source": "never seen together"}),
            ("Hot: what else could be said of this picture?", {**here, "temperature": 3.0, "draws": True}),
            ("No image: what is said then?", {**here, "blind": True}),
        ],
        sources=[
            "Kelvin Xu et al. (2015), Show, Attend and Tell: Neural Image Caption Generation with Visual Attention.",
            "Rico Sennrich et al. (2017), Nematus: a Toolkit for Neural Machine Translation, for its conditional GRU.",
            "Ashish Vaswani et al. (2017), Attention Is All You Need.",
            "Marcella Cornia et al. (2020), Meshed-Memory Transformer for Image Captioning.",
            "Brenden Lake and Marco Baroni (2018), Generalization without Systematicity, for combinations held out.",
        ],
    )


def choose_picture() -> Chosen:
    """Draw what chooses the picture; return it with its scene."""
    source = LESSON.choose("source", "Scene", list(SOURCES))
    number = LESSON.slider("number", "Number", 1, MEASURED, 1, width=140)
    with st.popover("Build a scene", disabled=source != "built"):
        one = choose_group("first", "One group", 2, "red", "circle")
        relation = LESSON.select("relation", "stands", PLACES)
        other = choose_group("second", "the other", 1, "blue", "square")
    own = own_picture(LESSON)
    say_if_missing(LESSON, own)
    if own:
        cell = f'picture = scaled(read_picture(open("my_picture.png", "rb").read()), {SIDE})  # beside this notebook'
        return Chosen(scaled(own, SIDE), None, cell)
    if source != "built":
        scene, drawn = held_out_scene(SOURCES[source], number - 1)
        return Chosen(drawn, scene, f"scene, picture = held_out_scene({SOURCES[source]!r}, {number - 1})")
    try:
        scene = built_scene(one, relation, other, number)
    except ValueError as error:
        st.warning(str(error))
        other = Group(other.number, other.colour, next(shape for shape in SHAPES if shape != other.shape))
        scene = built_scene(one, relation, other, number)
    made = f"scene = built_scene({one!r}, {relation!r}, {other!r}, {number})"
    return Chosen(scene_picture(scene, number), scene, f"{made}\npicture = scene_picture(scene, {number})")


def choose_group(name: str, label: str, number: int, colour: str, shape: str) -> Group:
    """Draw the three lists that make a group, and return it."""
    st.caption(label)
    with st.container(horizontal=True):
        many = LESSON.select(f"{name}_number", "How many", NUMBERS, number - 1, width=100)
        which = LESSON.select(f"{name}_colour", "Colour", HUES, HUES.index(colour), width=120)
        what = LESSON.select(f"{name}_shape", "Shape", SHAPES, SHAPES.index(shape), width=120)
    return Group(NUMBERS.index(many) + 1, which, what)


def choose_settings() -> tuple[Settings, int]:
    """Draw the fields for T, k, p and the seed; return them."""
    temperature = LESSON.number("temperature", "Temperature T: 0 is greedy", 0.0, 1000.0, 0.0, step=0.1)
    k = LESSON.number("top_k", "Top-k: 0 keeps all", 0, 26, 0)
    p = LESSON.number("top_p", "Top-p: 1 keeps all", 0.0, 1.0, 1.0, step=0.01)
    return Settings(temperature, k, p), LESSON.number("seed", "Seed", 0, 9999, 1)


def hide(event: dict) -> None:
    """Paint over the patch at a place, or show it again."""
    LESSON.set_state("hidden", toggled(LESSON.get_state("hidden", ""), int(event["place"])))


def say_what_it_is(chosen: Chosen, blind: bool) -> None:
    """Say what the picture shows, and what both captioners have learnt from."""
    if chosen.scene is None:
        st.markdown(of_own(f"its middle square is scaled to {SIDE} × {SIDE} pixels"))
        return
    never = [" ".join(each) for each in chosen.scene.combinations if each in UNSEEN]
    shown = f"The scene: **{chosen.truth}**" + (", which neither is shown now." if blind else ".")
    said = f" Never seen in training: {' and '.join(never)}." if never else ""
    cards = {decoder: load_card(name) for decoder, name in DECODERS.items()}
    st.markdown(f"{shown}{said} {background(cards)}")
    LESSON.set_values(scene=chosen.truth, never=" and ".join(never))


# What a word needs, what was never seen, what else is drawn, and what breaks.


@cached(200, 20, shared=no_typed_words)
def asked(decoder: str, pixels: bytes, settings: Settings, seed: int, _given: np.ndarray) -> tuple:
    """Return what a captioner writes about a picture, and what painting over each patch takes from each word, (T, N)."""
    network = stored_captioner(DECODERS[decoder]).network
    written = write_caption(network, _given, settings, seed)
    return written, word_drops(network, _given, written.ids)


def show_needs(scene: DescribedScene | None, board: Board, captions: dict, seen: dict, drops: dict) -> None:
    """Draw what painting over each patch takes from each word, and set it beside the attention."""
    st.markdown(NEEDS)
    columns = [Column(f"{each.capitalize()}: drop of p", drops[each], captions[each]) for each in captions]
    LESSON.stepped_view("captions", caption_columns(board, columns, "", False), name="drops")
    both = " and ".join(
        f"{NAMES[each].lower()} {agreed(captions[each], seen[each], drops[each])}" for each in captions
    )
    LESSON.caption(
        f"The patch with most attention is the one whose painting over lowers p most: in {both}, `<end>` counted as a word."
    )
    drop = "; ".join(
        f"{NAMES[each].lower()} {largest_drop(captions[each], drops[each])}" for each in captions
    )
    st.markdown(f"The largest drop of p by one patch: {drop}.")
    LESSON.set_values(drop=drop)
    if scene:
        groups = {each: of_groups(scene, captions[each], seen[each]) for each in captions}
        st.markdown(" ".join(f"{NAMES[each]}: {said}" for each, said in groups.items() if said))
        LESSON.set_values(groups=groups["recurrent"][:1].upper() + groups["recurrent"][1:])


def show_unseen() -> None:
    """Show how many held-out scenes are described right to the word, with and without a combination never seen."""
    cards = {decoder: load_card(name) for decoder, name in DECODERS.items()}
    st.markdown(
        f"{len(UNSEEN)} combinations of colour, shape and place never stood in a training picture: "
        f"{', '.join(' '.join(each) for each in UNSEEN)}. Each colour, each shape and each place did, in others."
    )
    question = "Of scenes with such a combination, how many does the transformer describe right to the word?"
    answer = next(name for end, name in BANDS if counted(cards["transformer"], KINDS[1]) / HELD_OUT < end)
    if not LESSON.ask(question, [name for _, name in BANDS], answer):
        return
    alt = "The share of held-out scenes described right to the word, by decoder and kind of scene"
    LESSON.figure("right", right_figure(cards), alt)
    LESSON.caption(f"{measured(cards)} {kinds_apart(cards)} {apart(*cards.values())}")
    LESSON.every_number("right to the word", right_table, cards)


def show_draws(given: np.ndarray, truth: str, settings: Settings, seed: int) -> None:
    """Count the captions that come of so many seeds, for each captioner."""
    st.markdown(f"The seeds {seed} to {seed + DRAWS - 1}, at T = {settings.temperature:g}.")
    for column, (decoder, name) in zip(st.columns(2), DECODERS.items(), strict=True):
        drawn = drawn_captions(stored_captioner(name).network, given, settings, range(seed, seed + DRAWS))
        LESSON.set_values(**{f"{decoder}_drawn": len(drawn)})
        with column:
            st.markdown(f"**{decoder.capitalize()}**: {len(drawn)} different")
            if truth:
                st.caption(f"Right to the word: {drawn[truth]} of {DRAWS}")
            alt = f"Captions of the {decoder} decoder and how often they were drawn"
            LESSON.table(f"drawn_{decoder}", draws_table(drawn), alt)


@st.cache_resource(show_spinner="Describing held-out scenes")
def right_with_and_without() -> dict[str, list[int]]:
    """Return of each captioner how many held-out scenes it describes right to the word, and how many without image."""
    scenes, found = held_out_scenes(KINDS[0], MEASURED), {}
    for each, name in DECODERS.items():
        right = [right_to_the_word(stored_captioner(name), scenes, blind) for blind in (False, True)]
        found[each] = [int(all_words.sum()) for all_words in right]
    return found


def show_broken() -> None:
    """Show how many held-out scenes are still described right to the word without an image."""
    found = right_with_and_without()
    consequence(f"Right to the word, of {MEASURED} held-out scenes (transformer)", *found["transformer"], "d")
    st.markdown(
        "Whatever the scene, the empty ground is the same, and so is the caption: nothing of the scene is in it. "
        "The recurrent decoder: {} right with the image, {} without.".format(*found["recurrent"])
    )


def cells(chosen: Chosen, settings: Settings, seed: int, hidden: tuple[int, ...], blind: bool) -> list[str]:
    """Return the notebook's cells: the picture, both captions, what each patch is needed for, what is right."""
    given = "empty_picture()" if blind else f"painted_over(picture, {hidden})"
    return [
        "from core.models.generation.sampling import Settings\n"
        "from core.models.images.held_out_scenes import held_out_scene, held_out_scenes, right_to_the_word\n"
        "from core.models.images.occluded_picture import painted_over, word_drops\n"
        "from core.models.images.stored_captioner import stored_captioner\n"
        "from core.models.images.written_caption import write_caption\n"
        "from core.pictures.described_scenes import Group, built_scene, empty_picture, scene_picture\n"
        "from core.pictures.reading import read_picture\nfrom core.pictures.scaling import scaled\n\n"
        f"{chosen.cell}\ngiven = {given}",
        f"names = {DECODERS!r}\nmodels = {{decoder: stored_captioner(name) for decoder, name in names.items()}}\n"
        f"captions = {{name: write_caption(model.network, given, {settings!r}, {seed}) "
        "for name, model in models.items()}\n"
        "{name: (written.caption, written.p) for name, written in captions.items()}",
        "{name: word_drops(models[name].network, given, written.ids) for name, written in captions.items()}",
        f"scenes = held_out_scenes({KINDS[1]!r}, {MEASURED})\n"
        "{name: right_to_the_word(model, scenes).sum() for name, model in models.items()}",
    ]
