"""Patches: a picture as a row of tokens, what a small vision transformer makes of them, and where it looks."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.images.patch_words import background, broken_said, similarity_said, verdict, weighed
from core.figures.images.patches import (
    Board,
    boards,
    class_bars,
    class_table,
    drops_figure,
    panel,
    patch_table,
    positions_figure,
    seen_table,
    strips,
)
from core.figures.worked import percent
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.lesson import Lesson
from core.models.images.held_out_pictures import DIGITS, SHAPES, classes_given, held_out_pictures
from core.models.images.learned_positions import nearest_beside, position_similarity
from core.models.images.occlusion import occlusion
from core.models.images.rollout import rollout
from core.models.images.seen_picture import Found, Seen, as_the_model_sees, held_out, look_at, rearranged
from core.models.images.vision_transformer import (
    StoredVision,
    VisionTrace,
    VisionTransformer,
    patches_of,
    stored_vision,
    trace,
)
from core.models.stored import load_card
from core.pictures.scaling import as_ink, scaled
from pages.images.shared.hidden_patches import hidden_places, toggled
from pages.images.shared.own_picture import own_picture, say_if_missing

LESSON = Lesson(
    __name__,
    title="Patches",
    question="How does a transformer read a picture?",
    icon="layout-grid",
)
KINDS = {"digits": DIGITS, "coloured shapes": SHAPES}
PICTURES = 200  # of those held out: to choose from, and to measure on
ROLLED = "all layers, rolled out"
CHECKS = [nearest_beside, rearranged, classes_given, scaled, as_ink]


def picture() -> Figure:
    """The similarity of the learned positions of the model of shapes."""
    return small(positions_figure(position_similarity(stored_vision(SHAPES).network).numpy()))


def page() -> None:
    """The picture in patches, one patch as a token, every head, which patch matters, positions."""
    LESSON.open(
        r"x_0 = \text{class} + p_0 \qquad x_i = W\,\text{patch}_i + b + p_i \qquad "
        r"\text{logits} = W_c \operatorname{norm}(x^{(L)}_0) + b_c \qquad "
        r"\text{rollout} = A_L \cdots A_1,\ A_l = \tfrac{1}{2}\bar{w}_l + \tfrac{1}{2} I",
        r"$\text{patch}_i$: the numbers of patch $i$ in one row; $p_i$: its learned position; $x_0$: the class token, the "
        r"only one that is asked at the end; $\bar{w}_l$: the mean over heads of layer $l$'s attention weights; $I$: each "
        "token's own stream.",
    )
    controls, stage = LESSON.stage()
    with controls:
        model = stored_vision(KINDS[LESSON.choose("kind", "Pictures of", list(KINDS))])
        number = LESSON.slider("number", "Picture", 1, PICTURES, 1, width=180)
        own = own_picture(LESSON)
        look = LESSON.select("look", "Attention", looks(model), width=220)
        written = LESSON.text("hidden", "Hidden patches", max_chars=200, placeholder="none: click", width=150)
        shuffled = LESSON.break_it(
            "shuffled", "Break it: shuffle the patches", "Every patch stands in another's place."
        )
        blind = LESSON.break_it("blind", "Break it: no positions", "No token is told where its patch stands.")
    config = model.network.config
    found = as_the_model_sees(model, own) if own else held_out(model, number)
    seen = look_at(model, found, hidden_places(written, config.patches), shuffled, not blind)
    board = Board(seen.picture, config.across, seen.hidden)
    attention, itself = looked_at(seen.read, look)
    with stage:
        left, right = st.columns([2, 1], gap="medium")
        with left:
            panels = [
                panel(f"The picture in {config.patches} patches", press=True),
                panel(f"Attention: {look}", board.over_places(attention)),
            ]
            note = "Click a patch to hide it, or go there by arrow key and press Enter."
            LESSON.view("patches", boards(board, panels, 2, note), name="board", on={"hide": hide})
            LESSON.button("all", "Show all patches", LESSON.set_state, "hidden", "", disabled=not seen.hidden)
        with right:
            alt = "The likeliest classes and their probabilities"
            LESSON.figure("classes", class_bars(seen.read.probabilities.numpy(), model.classes), alt)
    LESSON.caption(verdict(seen))
    say_if_missing(LESSON, own)
    st.markdown(background(load_card(model.name), found, own is not None))
    LESSON.set_values(patches=config.patches, numbers=config.numbers, width=config.width, given=seen.name)
    LESSON.set_values(p=percent(seen.p(seen.name)), itself=percent(itself), in_sight=len(seen.places))
    if shuffled or blind:
        show_broken(seen, found, shuffled, blind)
    LESSON.every_number("classes", class_table, seen.read, model.classes)

    st.header("One patch, one token", anchor=False)
    place = show_token(seen, board)

    st.header("Every head", anchor=False)
    show_heads(seen.read, board)

    st.header("Which patch matters most?", anchor=False)
    which = None if own else (model.name, number, seen.hidden, shuffled, seen.positions)
    show_hiding(seen, which, board, attention, look)

    st.header("What was learned of the grid", anchor=False)
    show_positions(model, place)

    here = {"kind": "digits", "number": 1, "mine": False, "hidden": "", "shuffled": False, "blind": False}
    shape = {**here, "kind": "coloured shapes"}
    LESSON.closing(
        code=[
            patches_of,
            VisionTransformer,
            trace,
            look_at,
            rollout,
            occlusion,
            position_similarity,
            *CHECKS,
        ],
        notebook=cells(seen, number, own is not None, shuffled),
        plot="from core.figures.images.patches import class_bars\n\n"
        "draw(class_bars(seen.read.probabilities.numpy(), model.classes))",
        try_this=[
            ("The middle of a digit is hidden: is it still the same?", {**here, "hidden": "6 7 10 11"}),
            ("A shape whose patches are shuffled: what is left of it?", {**shape, "shuffled": True}),
            ("Shuffled, and no positions: does the order matter?", {**here, "shuffled": True, "blind": True}),
        ],
        sources=[
            "Alexey Dosovitskiy et al. (2021), An Image is Worth 16x16 Words.",
            "Samira Abnar and Willem Zuidema (2020), Quantifying Attention Flow in Transformers.",
            "Matthew Zeiler and Rob Fergus (2014), Visualizing and Understanding Convolutional Networks.",
            "Ethem Alpaydin and Cenk Kaynak (1998), Optical Recognition of Handwritten Digits, UCI.",
        ],
    )


def hide(event: dict) -> None:
    """Hide the patch at a place, or show it again."""
    LESSON.set_state("hidden", toggled(LESSON.get_state("hidden", ""), int(event["place"])))


# Where the class token looks.


def looks(model: StoredVision) -> list[str]:
    """Return the names of what attention can be shown: rolled out, each layer's mean, each head; the last layer first."""
    names = [ROLLED]
    for layer in range(model.network.config.layers, 0, -1):
        heads = [f"head {head}" for head in range(1, model.network.config.heads + 1)]
        names += [f"layer {layer}, {part}" for part in ("mean", *heads)]
    return names


def looked_at(read: VisionTrace, look: str) -> tuple[np.ndarray, float]:
    """Return the class token's attention to the patches in sight, (n,), and to itself, by the name of what is shown."""
    if look == ROLLED:
        row = rollout(read.weights)[0]
    else:
        layer, _, part = look.removeprefix("layer ").partition(", ")
        weights = read.weights[int(layer) - 1, :, 0]  # (H, n + 1)
        row = weights.mean(0) if part == "mean" else weights[int(part.removeprefix("head ")) - 1]
    return row[1:].numpy(), float(row[0])


def show_heads(read: VisionTrace, board: Board) -> None:
    """Draw where the class token looks in each head of each layer."""
    rows = read.weights[:, :, 0].numpy()  # (L, H, n + 1)
    L, H = rows.shape[:2]
    st.markdown(
        "Above each picture: layer.head, and the share that the class token keeps for itself. The rest lies on the "
        "patches: the squares' areas are in proportion, each head's heaviest as large as every other's."
    )
    panels = [
        panel(
            f"{layer + 1}.{head + 1}: {percent(rows[layer, head, 0], 0)}",
            board.over_places(rows[layer, head, 1:]),
        )
        for layer in range(L)
        for head in range(H)
    ]
    LESSON.view("patches", boards(board, panels, H), name="heads")


# One patch, hiding, positions, and what breaks.


def show_token(seen: Seen, board: Board) -> int | None:
    """Step through the patches in sight; draw one's numbers, projection, position and token. Return its place."""
    if not board.seen:
        st.info("Every patch is hidden. Show one.")
        return None
    names = [board.name(place) for place in board.seen]
    i = LESSON.step(names, start=6)
    place, network, read = board.seen[i], seen.model.network, seen.read
    rows = {
        "The patch": read.patches[i].numpy(),
        "W patch + b": read.projected[i].numpy(),
    }
    if seen.positions:
        rows["Position of its place"] = network.position_embedding[place + 1].numpy()
        rows["Token, the sum of both"] = read.tokens[i + 1].numpy()
    LESSON.figure("token", strips(rows), f"The numbers of {names[i]}, from pixels to token, row below row")
    LESSON.every_number("token", patch_table, network, read.patches[i].numpy(), place, seen.positions)
    return place


def hidden_in_turn(seen: Seen) -> np.ndarray:
    """Return by how much hiding each patch in sight lowers the probability of the class given, (n,)."""
    return occlusion(seen.model.network, seen.read.patches, seen.places, seen.given, seen.positions).numpy()


@cached(100, 20, shared=no_typed_words)
def kept_drops(which: tuple, _seen: Seen) -> np.ndarray:
    """Return the drops of one of our pictures, by its model, number, and what was done to it."""
    return hidden_in_turn(_seen)


def show_hiding(seen: Seen, which: tuple | None, board: Board, attention: np.ndarray, look: str) -> None:
    """Hide each patch in turn; draw what that takes from the class given, beside the attention.

    `which` of our pictures it is; None where it is the learner's, of which nothing is kept.
    """
    n, name = len(board.seen), seen.name
    if n < 3:
        st.info("At least three patches must be in sight. Show some.")
        return
    drops = kept_drops(which, seen) if which else hidden_in_turn(seen)
    names = [board.name(place) for place in board.seen]
    likely = {int(i) for each in (drops, attention) for i in np.argsort(-each, kind="stable")[:2]}
    st.markdown(
        f"Each patch in sight is hidden alone, and the model asked again: by how much does p(“{name}”) drop?"
    )
    about = f"{seen.model.name}_{hash((seen.picture.tobytes(), seen.hidden, seen.positions))}"
    choices = [names[i] for i in sorted(likely | {0, n - 1})]
    if not LESSON.ask("Hiding which patch lowers it most?", choices, names[int(drops.argmax())], about):
        return
    panels = [
        panel(f"Drop of p(“{name}”); hollow: it rises", board.over_places(drops)),
        panel(f"Attention: {look}", board.over_places(attention)),
    ]
    left, right = st.columns([3, 2], gap="medium")
    with left:
        LESSON.view("patches", boards(board, panels, 2), name="drops")
    with right:
        alt = "Each patch's attention against the drop of the probability when it is hidden"
        LESSON.figure("agreement", drops_figure(board, attention, drops, look), alt)
    LESSON.caption(weighed(drops, attention, names))
    LESSON.every_number("patches in sight", seen_table, board, attention, drops)


def show_positions(model: StoredVision, place: int | None) -> None:
    """Draw how alike the learned positions are, each place's with all others, the stepped one framed."""
    similarity = position_similarity(model.network)
    beside, chance = nearest_beside(similarity)
    st.markdown(
        "A small grid for each place, in its place: the cosine of its learned position with every other's; with itself "
        "it is 1, beyond the scale."
    )
    alt = "For each place of the grid a small grid: the cosine of its position with those of all places"
    LESSON.figure("positions", positions_figure(similarity.numpy(), place), alt)
    sentence = similarity_said(beside, chance, len(similarity))
    st.markdown(sentence)
    LESSON.set_values(grid=sentence)


@st.cache_resource(max_entries=8, show_spinner="Asking about held-out pictures")
def right_of(name: str, shuffled: bool, positions: bool) -> int:
    """Return how many of the first held-out pictures a model names right."""
    pictures, y = held_out_pictures(name, PICTURES)
    return int((classes_given(stored_vision(name), pictures, positions, shuffled) == y).sum())


def show_broken(seen: Seen, found: Found, shuffled: bool, blind: bool) -> None:
    """Show what the break does to this picture, and to how many held-out pictures are named right."""
    before, after = right_of(seen.model.name, False, True), right_of(seen.model.name, shuffled, not blind)
    consequence(f"Right, of {PICTURES} held-out pictures", before, after, "d")
    whole, ordered = (look_at(seen.model, found, seen.hidden, positions=told) for told in (True, not blind))
    st.markdown(broken_said(whole, ordered, seen, shuffled, blind))


def cells(seen: Seen, number: int, own: bool, shuffled: bool) -> list[str]:
    """Return the notebook's cells: the picture read, attention rolled out, each patch hidden, positions compared."""
    found = (
        'as_the_model_sees(model, read_picture(open("my_picture.png", "rb").read()))  # put yours beside this notebook'
        if own
        else f"held_out(model, {number})"
    )
    return [
        "from core.models.images.seen_picture import as_the_model_sees, held_out, look_at\n"
        "from core.models.images.vision_transformer import stored_vision\n"
        "from core.pictures.reading import read_picture\n\n"
        f'model = stored_vision("{seen.model.name}")\nfound = {found}\n'
        f"seen = look_at(model, found, hidden={seen.hidden}, shuffled={shuffled}, positions={seen.positions})\n"
        "seen.name, seen.p(seen.name)",
        "from core.models.images.rollout import rollout\n\nrollout(seen.read.weights)[0]",
        "from core.models.images.occlusion import occlusion\n\n"
        "occlusion(model.network, seen.read.patches, seen.places, seen.given, seen.positions)"
        if len(seen.places)
        else "# every patch is hidden: there is none to hide",
        "from core.models.images.learned_positions import nearest_beside, position_similarity\n\n"
        "nearest_beside(position_similarity(model.network))",
    ]
