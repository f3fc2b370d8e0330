"""Vision transformer: what the story shows of an image cut into patches, and the lab."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import streamlit as st

from core.figures.images.patches import (
    PatchBoard,
    boards,
    class_bars,
    class_table,
    drops_figure,
    patch_board,
    patch_table,
    positions_figure,
    seen_table,
    strips,
)
from core.lesson.cached import cached, no_typed_words
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.images.attended_or_needed import (
    FAR_DOWN,
    RANKED,
    attended_and_needed,
    measure_attended,
    rank_of_attended,
)
from core.models.images.held_out_pictures import (
    DIGITS,
    MACHINE,
    SHAPES,
    classes_given,
    held_out_pictures,
    measured_right,
    shuffled_order,
)
from core.models.images.learned_positions import nearest_beside, position_similarity
from core.models.images.occlusion import occlusion
from core.models.images.rollout import rollout
from core.models.images.seen_picture import (
    SHUFFLE_SEED,
    Found,
    Seen,
    as_the_model_sees,
    load_held_out_picture,
    look_at,
    rearranged,
)
from core.models.images.vision_transformer import (
    StoredVision,
    VisionTrace,
    VisionTransformer,
    patches_of,
    stored_vision,
    trace_vision_transformer,
)
from core.models.self_attention.ablation import rank_correlation
from core.models.stored import Card, load_card
from core.pictures.scaling import as_ink, scaled
from core.pictures.scenes import covered, patches_touched, shape_picture
from core.words.numbers import percent
from pages.images.patches import LESSON
from pages.images.patches.figures import (
    draw_boards,
    draw_classes,
    draw_positions,
    draw_shares,
    draw_token,
    name_class,
)
from pages.images.shared.hidden_patches import hidden_places, toggled
from pages.images.shared.looks import name_look
from pages.images.shared.own_picture import own_picture, say_if_missing

WORDS = LESSON.words
KINDS = {"digits": DIGITS, "coloured shapes": SHAPES}
PICTURES = 200  # of those held out: to choose from, and to measure on

# The story: one held-out picture of a coloured shape.
NUMBER = 16
EDGE = 22  # the place of a patch on the shape's edge
FRAMED = 28  # a place in the middle, whose grid of cosines is framed
ROLLED_OUT = "rolled"
SAME, COLOUR, SHAPE, NEITHER = "same", "colour", "shape", "neither"
FIRST, NEXT, LOWER = "first", "next", "lower"
ORDER_SEED = 1  # of the order in which patches go missing
LAYER = Choice("layer", ROLLED_OUT, (ROLLED_OUT, "1", "2", "3", "4"))
GONE = Choice("gone", "32", ("0", "16", "32", "48", "56", "60"))
SHUFFLED, BLIND = Switch("shuffled"), Switch("blind")
SAME_P = 1e-4  # of a probability: what computing in 32 bits in another order may change
LOOK = Choice("look", ROLLED_OUT, (), {"all layers, rolled out": ROLLED_OUT})
KIND = Choice("kind", "digits", tuple(KINDS))
LAB = (
    KIND,
    Slider("number", 1, 1, PICTURES),
    LOOK,
    Text("hidden", "", 200),
    SHUFFLED,
    BLIND,
    *(Switch("one_patch"), Switch("each_hidden"), Switch("grid")),  # what is folded
)


@cache
def story_seen(shuffled: bool = False, gone: int = 0) -> Seen:
    """Return the story's picture as the model reads it: its patches shuffled, or some of them hidden."""
    model = stored_vision(SHAPES)
    order = shuffled_order(model.network.config.patches, ORDER_SEED).tolist()
    return look_at(model, load_held_out_picture(model, NUMBER), tuple(sorted(order[:gone])), shuffled)


def board_of(seen: Seen) -> PatchBoard:
    """Return a picture with its hidden places."""
    return PatchBoard(seen.picture, seen.model.network.config.across, seen.hidden)


@cache
def shares() -> dict[str, float]:
    """Return the share of all held-out pictures named right: whole, shuffled, without positions, and without both.

    Without positions the order of the patches changes nothing.
    """
    blind = measured_right(SHAPES, "no positions")
    mixed = measured_right(SHAPES, "shuffled")
    return {"whole": measured_right(SHAPES), "mixed": mixed, "blind": blind, "both": blind}


@cache
def story_shape() -> np.ndarray:
    """Return which patches of the story's picture the shape touches, (N,)."""
    _, thing = shape_picture(NUMBER - 1)
    return patches_touched(covered(thing), stored_vision(SHAPES).network.config.patch)


@cache
def story_drops() -> tuple[np.ndarray, np.ndarray]:
    """Return the rollout on each patch of the story's picture, and what hiding it takes from p; both (n,)."""
    return attended_and_needed(story_seen())


def base() -> dict[str, object]:
    """Return what all beats name: the model's sizes, what it says of the picture, and how often it is right."""
    seen, card = story_seen(), load_card(SHAPES)
    config = seen.model.network.config
    return {
        "patches": config.patches,
        "side": config.side,
        "patch": config.patch,
        "numbers": config.numbers,
        "width": config.width,
        "classes": len(seen.model.classes),
        "truth": name_class(seen.truth),
        "name": name_class(seen.name),
        "p": seen.p(seen.name),
        "trained": card.corpus["training_pictures"],
        "held": card.corpus["held_out_pictures"],
        "right": measured_right(SHAPES),
        **shares(),
    }


def lab_state(**state: object) -> dict[str, object]:
    """Return the lab's settings that show the story's picture."""
    return {"kind": "coloured shapes", "number": NUMBER, **state}


def show_cut(settings: Settings) -> Part:
    """The picture in its patches."""
    return Part("patches", draw_boards(board_of(story_seen()), ("", None)), base(), lab_state())


def show_one_token(settings: Settings) -> Part:
    """One patch's numbers, their projection, the position of its place, and the sum."""
    seen = story_seen()
    read, position = seen.read, seen.model.network.position_embedding[EDGE + 1]
    rows = {
        "patch": read.patches[EDGE],
        "projected": read.projected[EDGE],
        "position": position,
        "token": read.tokens[EDGE + 1],
    }
    figure = draw_token({key: row.numpy() for key, row in rows.items()}, read.patches.numpy(), EDGE)
    row, column = divmod(EDGE, seen.model.network.config.across)
    values = base() | {"place": EDGE + 1, "row": row + 1, "column": column + 1}
    return Part("figure", {"figure": figure.to_dict()}, values, lab_state(one_patch=True))


def ask_shuffled(settings: Settings) -> Part:
    """The picture in order; the answer shuffles its patches and says what the model takes it for."""
    seen, whole = story_seen(True), story_seen()
    colour, shape = (a == b for a, b in zip(seen.name.split(), whole.name.split(), strict=True))
    answer = {(True, True): SAME, (True, False): COLOUR, (False, True): SHAPE}.get((colour, shape), NEITHER)
    values = base() | {"said": name_class(seen.name), "said_p": seen.p(seen.name)}
    kept = {each: measured_right(SHAPES, f"shuffled, {each}") for each in ("colour", "circle", "triangle")}
    values |= kept | {"revealed": settings.revealed}
    shown = seen if settings.revealed else whole
    order = shuffled_order(len(seen.places), SHUFFLE_SEED).tolist() if settings.revealed else None
    title = WORDS.label("title.says", name=name_class(shown.name), p=shown.p(shown.name))
    picture = draw_boards(board_of(shown), (title, None), order=order)
    choices = (SAME, COLOUR, SHAPE, NEITHER)
    return Part("patches", picture, values, lab_state(shuffled=True), choices=choices, answer=answer)


def show_places(settings: Settings) -> Part:
    """How many held-out pictures are named right with and without positions, in order and shuffled."""
    shapes = {name.split()[1] for name in stored_vision(SHAPES).classes}
    values = base() | {"guessing": 1 / len(shapes)}
    return Part(
        "layer_bars", draw_shares(WORDS.label("title.right"), shares()), values, lab_state(blind=True)
    )


def show_grid(settings: Settings) -> Part:
    """The cosine of each two places' positions."""
    similarity = position_similarity(stored_vision(SHAPES).network)
    beside, chance = nearest_beside(similarity)
    row, column = divmod(FRAMED, stored_vision(SHAPES).network.config.across)
    values = base() | {"beside": beside, "chance": chance, "row": row + 1, "column": column + 1}
    figure = draw_positions(similarity.numpy(), FRAMED)
    return Part("figure", {"figure": figure.to_dict()}, values, lab_state(grid=True))


def do_layers(settings: Settings) -> Part:
    """Where the class token looks, in the chosen layer or over all of them."""
    seen = story_seen()
    look = ROLLED_OUT if settings.layer == ROLLED_OUT else f"layer {settings.layer}, mean"
    weights, itself = looked_at(seen.read, look)
    heaviest = int(weights.argmax())
    row, column = divmod(heaviest, seen.model.network.config.across)
    values = base() | {
        "rolled": settings.layer == ROLLED_OUT,
        "layer": settings.layer,
        "itself": itself,
        "row": row + 1,
        "column": column + 1,
        "touched": int(story_shape().sum()),
        "on_shape": float(weights[story_shape()].sum() / weights.sum()),
        "even": float(story_shape().mean()),
    }
    title = WORDS.label("title.attention", **values)
    return Part("patches", draw_boards(board_of(seen), (title, weights)), values, lab_state(look=look))


def ask_needed(settings: Settings) -> Part:
    """The attention on each patch; the answer adds what hiding it takes from the probability."""
    weights, drops = story_drops()
    seen, quality = story_seen(), load_card(SHAPES).quality
    rank, heaviest = rank_of_attended(weights, drops), int(weights.argmax())
    row, column = divmod(heaviest, seen.model.network.config.across)
    answer = FIRST if rank == 1 else NEXT if rank <= FAR_DOWN else LOWER
    values = base() | {
        "revealed": settings.revealed,
        "row": row + 1,
        "column": column + 1,
        "rank": rank,
        "change": -100 * float(drops[heaviest]),
        "largest": 100 * float(drops.max()),
        "ranked": RANKED,
        "far_down": FAR_DOWN,
        "top": quality["attended, high"],
        "bottom": quality["attended, last"],
        "correlation": quality["attended, correlation"],
    }
    attention = (WORDS.label("title.looks"), weights)
    hidden = (WORDS.label("title.drops") if settings.revealed else "?", drops if settings.revealed else None)
    picture = draw_boards(board_of(seen), attention, hidden)
    return Part(
        "patches", picture, values, lab_state(each_hidden=True), choices=(FIRST, NEXT, LOWER), answer=answer
    )


def do_gone(settings: Settings) -> Part:
    """The picture with the chosen number of its patches hidden."""
    seen = story_seen(gone=int(settings.gone))
    fewest = load_card(SHAPES).config["fewest patches"]
    values = base() | {
        "missing": 1 - fewest,
        "n": len(seen.places),
        "said": name_class(seen.name),
        "said_p": seen.p(seen.name),
    }
    title = WORDS.label("title.says", name=name_class(seen.name), p=seen.p(seen.name))
    hidden = " ".join(str(place + 1) for place in seen.hidden)
    return Part("patches", draw_boards(board_of(seen), (title, None)), values, lab_state(hidden=hidden))


def show_answer(settings: Settings) -> Part:
    """The likeliest names of the whole picture."""
    seen = story_seen()
    picture = draw_classes(WORDS.label("title.names"), seen.read.probabilities.numpy(), seen.model.classes)
    return Part("layer_bars", picture, base(), lab_state())


STORY = (
    look("cut", show_cut),
    look("one_token", show_one_token),
    ask("mixed", ask_shuffled),
    look("places", show_places),
    look("neighbours", show_grid),
    do("where", do_layers, LAYER),
    ask("needed", ask_needed),
    do("missing", do_gone, GONE),
    end("answer", show_answer),
)


# The lab: a picture in patches, one patch as a token, every head, each patch hidden in turn, the learned positions.


def lab() -> None:
    """The picture in patches, one patch as a token, every head, which patch matters, positions."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        kinds = dict(zip(KINDS, (WORDS.label(f"kind.{each}") for each in ("digits", "shapes")), strict=True))
        model = stored_vision(KINDS[LESSON.choose_id(KIND, WORDS.label("kind"), kinds)])
        number = LESSON.slider("number", WORDS.label("number"), 1, PICTURES, 1, width=180)
        own = own_picture(LESSON)
        shuffled, blind = LESSON.draw(SHUFFLED), LESSON.draw(BLIND)
        with LESSON.options():
            names = {each: name_of_look(each) for each in looks(model)}
            setting = replace(LOOK, ids=tuple(names))
            chosen = LESSON.choose_id(setting, WORDS.label("look"), names, width=220)
            look = names[chosen]
            empty = WORDS.label("hidden.none")
            written = LESSON.text("hidden", WORDS.label("hidden"), max_chars=200, placeholder=empty)
    config = model.network.config
    found = as_the_model_sees(model, own) if own else load_held_out_picture(model, number)
    seen = look_at(model, found, hidden_places(written, config.patches), shuffled, not blind)
    board, classes = board_of(seen), [name_class(name) for name in model.classes]
    attention, _ = looked_at(seen.read, chosen)
    with stage:
        left, right = st.columns([2, 1], gap="medium")
        with left:
            panels = [
                patch_board(WORDS.label("panel.picture", patches=config.patches), press=True),
                patch_board(WORDS.label("panel.attention", look=look), board.over_places(attention)),
            ]
            shown = boards(board, panels, 2, WORDS.label("panel.note"))
            LESSON.view("patches", shown, name="board", on={"hide": hide})
            LESSON.button("all", WORDS.label("all"), LESSON.set_state, "hidden", "", disabled=not seen.hidden)
        with right:
            figure = class_bars(seen.read.probabilities.numpy(), classes, of=WORDS.label("axis.class"))
            LESSON.figure("classes", figure, WORDS.label("classes.alt"))
    LESSON.say("says.verdict", verdict(seen))
    say_if_missing(LESSON, own)
    values = background(load_card(model.name), found)
    st.markdown(WORDS.markdown("says.own" if own else "says.background", **values))
    if shuffled or blind:
        show_broken(seen, found, shuffled, blind)
    LESSON.every_number(WORDS.label("table.classes"), class_table, seen.read, classes)
    place = None
    if box := LESSON.fold("one_patch"):
        with box:
            place = show_token(seen, board)
    if box := LESSON.fold("every_head"):
        with box:
            show_heads(seen.read, board)
    if box := LESSON.fold("each_hidden"):
        which = None if own else (model.name, number, seen.hidden, shuffled, seen.positions)
        with box:
            show_hiding(seen, which, board, attention, look)
    if box := LESSON.fold("grid"):
        with box:
            show_positions(model, place)
    here = {"mine": False, "hidden": "", "shuffled": False, "blind": False}
    LESSON.close_lab(
        code=[
            *(
                patches_of,
                VisionTransformer,
                trace_vision_transformer,
                look_at,
                rollout,
                occlusion,
                position_similarity,
            ),
            *(attended_and_needed, rank_of_attended, measure_attended),
            *(nearest_beside, rearranged, classes_given, scaled, as_ink),
        ],
        parameters={
            "name": model.name,
            "number": number,
            "own": own is not None,
            "hidden": seen.hidden,
            "shuffled": shuffled,
            "positions": seen.positions,
        },
        prompts={
            "middle": {**here, "kind": "digits", "number": 1, "hidden": "6 7 10 11"},
            "mixed": {**here, **lab_state(), "shuffled": True},
            "both": {**here, **lab_state(), "shuffled": True, "blind": True},
        },
    )


def hide(event: dict) -> None:
    """Hide the patch at a place, or show it again."""
    LESSON.set_state("hidden", toggled(LESSON.get_state("hidden", ""), int(event["place"])))


# Where the class token looks.


def looks(model: StoredVision) -> list[str]:
    """Return the names of what attention can be shown: rolled out, each layer's mean, each head; the last layer first."""
    names = [ROLLED_OUT]
    for layer in range(model.network.config.layers, 0, -1):
        heads = [f"head {head}" for head in range(1, model.network.config.heads + 1)]
        names += [f"layer {layer}, {part}" for part in ("mean", *heads)]
    return names


def name_of_look(look: str) -> str:
    """Return what attention is shown of, as the learner reads it."""
    return WORDS.label("look.rolled") if look == ROLLED_OUT else name_look(look)


def looked_at(read: VisionTrace, look: str) -> tuple[np.ndarray, float]:
    """Return the class token's attention to the patches in sight, (n,), and to itself, by the name of what is shown."""
    if look == ROLLED_OUT:
        row = rollout(read.weights)[0]
    else:
        layer, _, part = look.removeprefix("layer ").partition(", ")
        weights = read.weights[int(layer) - 1, :, 0]  # (H, n + 1)
        row = weights.mean(0) if part == "mean" else weights[int(part.removeprefix("head ")) - 1]
    return row[1:].numpy(), float(row[0])


def show_heads(read: VisionTrace, board: PatchBoard) -> None:
    """Draw where the class token looks in each head of each layer."""
    rows = read.weights[:, :, 0].numpy()  # (L, H, n + 1)
    L, H = rows.shape[:2]
    st.markdown(WORDS.markdown("says.heads"))
    panels = [
        patch_board(
            f"{layer + 1}.{head + 1}: {percent(rows[layer, head, 0], 0)}",
            board.over_places(rows[layer, head, 1:]),
        )
        for layer in range(L)
        for head in range(H)
    ]
    LESSON.view("patches", boards(board, panels, H), name="heads")


# One patch, hiding, positions, and what breaks.


def show_token(seen: Seen, board: PatchBoard) -> int | None:
    """Step through the patches in sight; draw one's numbers, projection, position and token. Return its place."""
    if not board.seen:
        st.info(WORDS.label("none_in_sight"))
        return None
    names = [board.name(place) for place in board.seen]
    i = LESSON.step(names, start=6)
    place, network, read = board.seen[i], seen.model.network, seen.read
    rows = {"patch": read.patches[i].numpy(), "projected": read.projected[i].numpy()}
    if seen.positions:
        rows["position"] = network.position_embedding[place + 1].numpy()
        rows["token"] = read.tokens[i + 1].numpy()
    drawn = strips({WORDS.label(f"row.{key}"): row for key, row in rows.items()})
    LESSON.figure("token", drawn, WORDS.label("token.alt", patch=names[i]))
    LESSON.every_number(
        WORDS.label("table.token"), patch_table, network, read.patches[i].numpy(), place, seen.positions
    )
    return place


def hidden_in_turn(seen: Seen) -> np.ndarray:
    """Return by how much hiding each patch in sight lowers the probability of the class given, (n,)."""
    return occlusion(seen.model.network, seen.read.patches, seen.places, seen.given, seen.positions).numpy()


@cached(100, 20, shared=no_typed_words)
def kept_drops(which: tuple, _seen: Seen) -> np.ndarray:
    """Return the drops of one of our pictures, by its model, number, and what was done to it."""
    return hidden_in_turn(_seen)


def show_hiding(seen: Seen, which: tuple | None, board: PatchBoard, attention: np.ndarray, look: str) -> None:
    """Hide each patch in turn; draw what that takes from the class given, beside the attention.

    `which` of our pictures it is; None where it is the learner's, of which nothing is kept.
    """
    n, name = len(board.seen), name_class(seen.name)
    if n < 3:
        st.info(WORDS.label("too_few"))
        return
    drops = kept_drops(which, seen) if which else hidden_in_turn(seen)
    names = [board.name(place) for place in board.seen]
    likely = {int(i) for each in (drops, attention) for i in np.argsort(-each, kind="stable")[:2]}
    st.markdown(WORDS.label("says.hiding", name=name))
    about = f"{seen.model.name}_{hash((seen.picture.tobytes(), seen.hidden, seen.positions))}"
    choices = [names[i] for i in sorted(likely | {0, n - 1})]
    if not LESSON.ask(WORDS.label("guess"), choices, names[int(drops.argmax())], about):
        return
    panels = [
        patch_board(WORDS.label("panel.drop", name=name), board.over_places(drops)),
        patch_board(WORDS.label("panel.attention", look=look), board.over_places(attention)),
    ]
    left, right = st.columns([3, 2], gap="medium")
    with left:
        LESSON.view("patches", boards(board, panels, 2), name="drops")
    with right:
        figure = drops_figure(board, attention, drops, look)
        LESSON.figure("agreement", figure, WORDS.label("agreement.alt"))
    LESSON.say("says.weighed", weighed(drops, attention, names))
    LESSON.every_number(WORDS.label("table.seen"), seen_table, board, attention, drops)


def show_positions(model: StoredVision, place: int | None) -> None:
    """Draw how alike the learned positions are, each place's with all others, the stepped one framed."""
    similarity = position_similarity(model.network)
    beside, chance = nearest_beside(similarity)
    st.markdown(WORDS.markdown("says.positions"))
    figure = positions_figure(similarity.numpy(), place)
    LESSON.figure("positions", figure, WORDS.label("positions.alt"))
    st.markdown(WORDS.markdown("says.neighbours", beside=beside, chance=chance, N=len(similarity)))


@cached(8, 0, shared=True)
def right_of(name: str, shuffled: bool, positions: bool) -> int:
    """Return how many of the first held-out pictures a model names right."""
    pictures, y = held_out_pictures(name, PICTURES)
    return int((classes_given(stored_vision(name), pictures, positions, shuffled) == y).sum())


def show_broken(seen: Seen, found: Found, shuffled: bool, blind: bool) -> None:
    """Show what the break does to this picture, and to how many held-out pictures are named right."""
    before, after = right_of(seen.model.name, False, True), right_of(seen.model.name, shuffled, not blind)
    LESSON.compare("broken", before / PICTURES, after / PICTURES, ".1%")
    whole, ordered = (look_at(seen.model, found, seen.hidden, positions=told) for told in (True, not blind))
    st.markdown(WORDS.markdown("says.broken", **broken_values(whole, ordered, seen, shuffled, blind)))


# What is said of the picture: the values that words.md's sentences name.


def verdict(seen: Seen) -> dict[str, object]:
    """Return what the model takes the picture for, how sure it is, and what the picture shows."""
    return {
        "name": name_class(seen.name),
        "p": seen.p(seen.name),
        "truth": name_class(seen.truth),
        "p_truth": seen.p(seen.truth) if seen.truth else 0.0,
        "n": len(seen.places),
        "N": seen.model.network.config.patches,
        "classes": len(seen.model.classes),
    }


def background(card: Card, found: Found) -> dict[str, object]:
    """Return what a model learned from and how often it is right; of the learner's picture, what was done to it."""
    shares = {
        key: [card.quality[f"right, {what}{end}"] for end in ("", ", 95% from", ", 95% to")]
        for key, what in (("right", "held out"), ("machine", MACHINE))
        if f"right, {what}" in card.quality
    }
    trained, held_out = card.corpus["training_pictures"], card.corpus["held_out_pictures"]
    return {
        "digits": card.model == DIGITS,
        "trained": trained,
        "held_out": held_out,
        "done": found.done,
        **shares,
    }


def weighed(drops: np.ndarray, weights: np.ndarray, names: list[str]) -> dict[str, object]:
    """Return which patch matters most, where the one with most attention stands, and how far the two orders agree.

    >>> found = weighed(np.array([0.5, 0.1, 0.0]), np.array([0.1, 0.7, 0.2]), ["a", "b", "c"])
    >>> found["most"], found["heaviest"], found["rank"]
    ('a', 'b', 2)
    """
    most, heaviest = int(drops.argmax()), int(weights.argmax())
    agreed = rank_correlation(weights, drops)
    return {
        "most": names[most] if drops[most] > SAME_P else "",
        "drop": float(drops[most]),
        "heaviest": names[heaviest],
        "rank": int((drops > drops[heaviest]).sum()) + 1,
        "n": len(drops),
        "correlation": None if np.isnan(agreed) else agreed,
    }


def moved_between(one: Seen, other: Seen) -> float:
    """Return the total variation between the probabilities of two readings."""
    return float((one.read.probabilities - other.read.probabilities).abs().sum()) / 2


def broken_values(whole: Seen, ordered: Seen, broken: Seen, shuffled: bool, blind: bool) -> dict[str, object]:
    """Return what shuffling the patches, or leaving out the positions, does to the answer for this picture.

    `ordered` is as `broken`, its patches not shuffled: what the order alone does is said where no token knows its place.
    """
    alone = shuffled and blind and not broken.hidden
    return {
        "what": "both" if shuffled and blind else "shuffled" if shuffled else "blind",
        "other": shuffled and bool(broken.hidden),
        "before": name_class(whole.name),
        "after": name_class(broken.name),
        "moved": moved_between(whole, broken),
        "by_order": moved_between(ordered, broken) if alone else None,
        "same": SAME_P,
    }
