"""Positional encodings: what the story shows beat by beat, and the lab of sinusoids, learned tables and RoPE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import atan2, cos, degrees, pi

import numpy as np
import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from core.figures.self_attention.word_order import position_heatmap
from core.lesson.cached import cached, no_typed_words
from core.lesson.every_number import Formula
from core.lesson.settings import Choice, Settings, Slider, Switch
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.positions import (
    alike,
    nearest_positions,
    rotary_score,
    rotation,
    similarity_by_distance,
    sinusoidal_positions,
    speeds,
)
from core.models.self_attention.word_order import BEYOND, bits_by_place, with_positions_for
from core.models.stored_language_models import encode, stored_language_model
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from core.words.numbers import plain_number, signed
from pages.self_attention.positions import LESSON
from pages.self_attention.positions.figures import (
    HAND,
    OTHER,
    dial,
    draw_bits,
    draw_clocks,
    draw_tables,
    head,
    side,
    similarity_figure,
    similarity_heatmap,
    worked_sinusoid,
)

WORDS = LESSON.words
EXAMPLES = ("to be or not to be",)
LINE = EXAMPLES[0].split()
HUES = {"to": "ochre", "be": "green"}  # of a token, in all beats
WIDTH, BASE = 8, 10_000  # of the story's positions: four hands
HANDS = WIDTH // 2
READER, RUNS, STEP = "char_gpt", 12, 16
PLAY, HELD_OUT, STORY_RUNS = "hamlet", 0.9, 6  # the text that is read past the last position
CHARACTERS_AT_MOST = 200_000  # of the learner's text, over which the windows are spread
ROTARY_MODEL, ROTARY_HEAD = "word_gpt", 3  # whose first layer gives RoPE's query and key
SAME = 5e-5  # two cosines that differ by less are shown as equal
CLOSE = 0.95  # a cosine from which two hands point almost the same way

SINUSOIDS, TABLES = "sinusoids", ("word_gpt", "word_masked", "char_gpt")
WIDTHS, BASES = [8, 16, 32, 64, 128, 256], [10, 100, 1000, 10_000, 100_000]
ALL = "all"
OTHER_POSITION = Slider("other", 20, 0, 127)
T_SHOWN = Slider("t", 10, 0, 511)
KIND = Choice(
    "kind",
    SINUSOIDS,
    (SINUSOIDS, *TABLES),
    {"learned by the GPT": "word_gpt", "learned by the masked model": "word_masked"},
)
LENGTH, ON = Slider("length", 128, 16, 512), Slider("k", 3, -8, 8)
ONE_HAND = Switch("one_hand")
BEYOND_END = Choice(
    "beyond",
    ALL,
    (*BEYOND, ALL),
    {"repeat the last": "last", "begin again": "again", "nought": "zero", "all three": ALL},
)
QUERY_AT, KEY_AT = Slider("query_at", 5, 0, 60), Slider("key_at", 4, 0, 60)
LAB = (
    KIND,
    T_SHOWN,
    LENGTH,
    Slider("width", 64, 8, 256),
    Slider("base", 10_000, 10, 100_000),
    ONE_HAND,
    ON,
    BEYOND_END,
    QUERY_AT,
    KEY_AT,
)


# The story: what each beat shows.


def show_added(settings: Settings) -> Part:
    """Every token of a line with the hands of its position."""
    columns = [head(token, WORDS.label("column.short", t=t), HUES.get(token)) for t, token in enumerate(LINE)]
    dials = [[dial([position_hand(t, i)]) for t in range(len(LINE))] for i in range(HANDS)]
    data = draw_clocks(columns, name_hands(periods=True), dials)
    return Part("clock_hands", data, {"hands": HANDS, "n": len(LINE)}, link_lab(4))


def show_numbers(settings: Settings) -> Part:
    """The hands of two neighbours, each with its sine and its cosine: the numbers of the vectors."""
    places = (settings.t, settings.t + 1)
    vectors = sinusoidal_positions(places[1] + 1, WIDTH, BASE).tolist()
    dials = [
        [
            dial(
                [position_hand(t, i)],
                [
                    (WORDS.label("sine", value=signed(vectors[t][2 * i])), "vermillion"),
                    (WORDS.label("cosine", value=signed(vectors[t][2 * i + 1])), "blue"),
                ],
                legs=True,
            )
            for i in range(HANDS)
        ]
        for t in places
    ]
    steps = [format_turn(turn(1, i)) for i in range(HANDS)]
    columns = [
        head(WORDS.label("hand", i=i + 1), WORDS.label("hand.step", turn=step))
        for i, step in enumerate(steps)
    ]
    data = draw_clocks(columns, [side(WORDS.label("position", t=t)) for t in places], dials)
    values = {"places": places, "hands": HANDS, "C": WIDTH, "steps": steps}
    return Part("clock_hands", data, values, link_lab(settings.t))


def show_turn(settings: Settings) -> Part:
    """The same number of positions on from several starts: each hand turns by the same angle."""
    k, starts = settings.k, settings.starts
    turns = [format_turn(turn(k, i)) for i in range(2)]
    dials = [
        [
            dial(
                [position_hand(t, i), position_hand(t + k, i, OTHER)],
                [(turns[i], None)],
                (turn(t, i), turn(t + k, i)),
            )
            for t in starts
        ]
        for i in range(2)
    ]
    columns = [head(WORDS.label("column.from_to", t=t, to=t + k)) for t in starts]
    key = [(WORDS.label("key.start"), HAND), (WORDS.label("key.later", k=k), OTHER)]
    data = draw_clocks(columns, name_hands(2), dials, key=key)
    values = {"k": k, "starts": starts, "turns": turns}
    return Part("clock_hands", data, values, link_lab(starts[0]))


def show_distance(settings: Settings) -> Part:
    """A position with one before and one after it; the answer is that both are equally similar to it."""
    t, k = settings.t, settings.k
    products = {each: dot(t, each) for each in range(t - k, t + k + 1)}
    drawn = list(products) if settings.revealed else [t - k, t, t + k]
    columns = [
        head(
            str(each) if settings.revealed else WORDS.label("position", t=each),
            hue=HAND if each == t else OTHER,
        )
        for each in drawn
    ]
    dials = [
        [dial([position_hand(each, i, HAND if each == t else OTHER)]) for each in drawn] for i in range(HANDS)
    ]
    bars = None
    if settings.revealed:
        values = [
            {
                "value": round(products[each], 4),
                "text": f"{products[each]:.2f}",
                "hue": HAND if each == t else OTHER,
            }
            for each in drawn
        ]
        bars = {
            "title": WORDS.label("bars.product", t=t),
            "least": 0.0,
            "most": float(HANDS),
            "values": values,
        }
    data = draw_clocks(columns, name_hands(), dials, bars)
    values = {"t": t, "k": k, "before": t - k, "after": t + k, "product": f"{products[t + k]:.2f}"}
    equal = abs(products[t - k] - products[t + k]) < SAME
    answer = "same" if equal else "before" if products[t - k] > products[t + k] else "after"
    return Part("clock_hands", data, values, link_lab(t), ("before", "after", "same"), answer)


def show_other(settings: Settings) -> Part:
    """The hands of two positions on one another, the second the learner's."""
    t, other = settings.t, settings.other
    cosines = [cos(turn(other - t, i)) for i in range(HANDS)]
    dials = [dial([position_hand(t, i), position_hand(other, i, OTHER)]) for i in range(HANDS)]
    bars = {
        "title": "",
        "least": -1.0,
        "most": 1.0,
        "values": [
            {"value": round(each, 4), "text": WORDS.label("cosine", value=signed(each)), "hue": "grey"}
            for each in cosines
        ],
    }
    columns = [
        head(WORDS.label("hand", i=i + 1), WORDS.label("hand.period", period=format_period(i)))
        for i in range(HANDS)
    ]
    mean = sum(cosines) / HANDS
    terms = " ".join(
        signed(each) if i == 0 else f"{'−' if each < 0 else '+'} {abs(each):.2f}"
        for i, each in enumerate(cosines)
    )
    key = [
        (WORDS.label("position", t=t), HAND),
        (WORDS.label("position", t=other), OTHER),
    ]
    total = WORDS.label("sum.mean", terms=terms, n=HANDS, mean=signed(mean))
    data = draw_clocks(columns, [side()], [dials], bars, key, total)
    case = "itself" if other == t else "close" if cosines[0] > CLOSE else "far"
    values = {
        "t": t,
        "case": case,
        "period": format_period(0),
        "hands": HANDS,
        "fast": signed(cosines[0]),
        "mean": signed(mean),
    }
    return Part("clock_hands", data, values, link_lab(t) | {"one_hand": True})


def show_learned(settings: Settings) -> Part:
    """The cosines of sinusoids, and of the positions that a GPT learned."""
    table = learned_positions(READER)
    T, C = table.shape
    computed = sinusoidal_positions(T, C)
    names = {
        "x": WORDS.label("axis.position"),
        "y": WORDS.label("axis.position"),
        "cosine": WORDS.label("axis.cosine"),
        "computed": WORDS.label("title.computed"),
        "learned": WORDS.label("title.learned"),
    }
    figure = draw_tables({"computed": computed.numpy(), "learned": table.numpy()}, names)
    beside = [
        int(((nearest_positions(each) - torch.arange(T)).abs() == 1).sum()) for each in (computed, table)
    ]
    values = {"T": T, "C": C, "computed": beside[0], "learned": beside[1]}
    return Part("figure", {"figure": figure.to_dict()}, values, {"kind": READER})


def show_beyond(settings: Settings) -> Part:
    """What the GPT pays per character of a play, up to its last trained position and past it."""
    lines = {way: story_bits(way) for way in BEYOND}
    trained = attentive_model(READER).context
    figure = draw_bits(lines, trained, STEP, name_bits(), 420)
    before = float(lines["last"][: trained - 1].mean())
    after = {way: float(bits[trained - 1 :].mean()) for way, bits in lines.items()}
    best = min(after, key=after.get)
    values = {
        "trained": trained,
        "T": 2 * trained,
        "before": f"{before:.1f}",
        "after": f"{after[best]:.1f}",
        "best": WORDS.label(f"beyond.{best}"),
        "runs": STORY_RUNS,
    }
    return Part("figure", {"figure": figure.to_dict()}, values)


def show_rotary(settings: Settings) -> Part:
    """One pair of a query and of a key at several positions, turned as RoPE turns them, with the whole dot products."""
    places = settings.places
    query, key = rotary_vectors()
    longest = float(max(query[:2].norm(), key[:2].norm()))
    columns, dials, values = [], [], []
    for t, s in places:
        turned = [(rotation(at, len(query)) @ each)[:2] for at, each in ((t, query), (s, key))]
        (q, q_length), (k, k_length) = (
            (atan2(float(each[0]), float(each[1])), float(each.norm()) / longest) for each in turned
        )
        between = (q - k + pi) % (2 * pi) - pi
        dials.append(
            dial(
                [(q, q_length, HUES["be"]), (k, k_length, HUES["to"])],
                [(WORDS.label("angle", angle=format_turn(abs(between))), None)],
                (k, k + between),
            )
        )
        score = rotary_score(query, key, t, s)
        text = WORDS.label("score", value=signed(score))
        values.append({"value": round(score, 4), "text": text, "hue": HAND})
        columns.append(head(WORDS.label("pair", query=LINE[1], t=t, key=LINE[0], s=s)))
    keys = [
        (WORDS.label("key.query", token=LINE[1]), HUES["be"]),
        (WORDS.label("key.key", token=LINE[0]), HUES["to"]),
    ]
    scores = [each["value"] for each in values]
    bars = {"title": "", "least": min(0.0, *scores), "most": max(1.0, *scores), "values": values}
    data = draw_clocks(columns, [side()], [dials], bars, keys)
    said = {
        "query": LINE[1],
        "key": LINE[0],
        "places": places,
        "scores": [signed(each) for each in scores],
        "head": ROTARY_HEAD + 1,
        "d": len(query),
    }
    return Part("clock_hands", data, said)


def show_end(settings: Settings) -> Part:
    """The same token at two positions: its hands have turned on by the distance."""
    places = [t for t, token in enumerate(LINE) if token == settings.token]
    first, last = places
    turned = [(turn(first, i), turn(last, i)) for i in range(HANDS)]
    dials = [
        [dial([position_hand(first, i)]) for i in range(HANDS)],
        [
            dial([position_hand(last, i)], [(format_turn(to - start), None)], (start, to))
            for i, (start, to) in enumerate(turned)
        ],
    ]
    columns = [head(WORDS.label("hand", i=i + 1)) for i in range(HANDS)]
    rows = [side(settings.token, WORDS.label("position", t=t)) for t in places]
    data = draw_clocks(columns, rows, dials)
    values = {"token": settings.token, "places": places, "apart": last - first}
    return Part("clock_hands", data, values, link_lab(4))


STORY = (
    look("added", show_added),
    look("numbers", show_numbers, t=5),
    look("turn", show_turn, k=3, starts=(10, 40, 70)),
    ask("distance", show_distance, t=10, k=3),
    do("enough", show_other, OTHER_POSITION, t=10),
    look("learned", show_learned),
    look("past", show_beyond),
    look("rotary", show_rotary, places=((1, 0), (5, 4), (5, 0))),
    end("answer", show_end, token="be"),
)


def turn(t: int, i: int) -> float:
    """Return the angle of hand i, from 0, at a position, in radians."""
    return t * float(speeds(WIDTH, BASE)[i])


def position_hand(t: int, i: int, hue: str = HAND) -> tuple[float, float, str]:
    """Return hand i of a position as a dial draws it."""
    return turn(t, i), 1.0, hue


def dot(t: int, s: int) -> float:
    """Return the dot product of two positions of the story."""
    positions = sinusoidal_positions(max(t, s) + 1, WIDTH, BASE)
    return float(positions[t] @ positions[s])


def name_hands(n: int = HANDS, periods: bool = False) -> list[dict]:
    """Return the names of the first hands, with how many positions each takes to come round if `periods`."""
    notes = [WORDS.label("hand.period", period=format_period(i)) if periods else "" for i in range(n)]
    return [side(WORDS.label("hand", i=i + 1), note) for i, note in enumerate(notes)]


def format_turn(radians: float) -> str:
    """Return an angle in degrees, with two significant digits below 10.

    >>> format_turn(3.0), format_turn(0.03), format_turn(0.001)
    ('172°', '1.7°', '0.057°')
    """
    angle = degrees(radians)
    return f"{angle:.0f}°" if angle >= 10 or angle == 0 else f"{angle:.2g}°"


def format_period(i: int) -> str:
    """Return how many positions hand i of the story takes to come round.

    >>> format_period(0), format_period(3)
    ('6.3', '6,283')
    """
    period = 2 * pi / float(speeds(WIDTH, BASE)[i])
    return f"{period:,.0f}" if period >= 10 else f"{period:.1f}"


def name_bits() -> dict[str, str]:
    """Return the labels of a figure of bits."""
    names = {"x": "axis.place", "y": "axis.bits", "trained": "line.trained"}
    return {key: WORDS.label(label) for key, label in names.items()} | {
        way: WORDS.label(f"beyond.{way}") for way in BEYOND
    }


@cache
def story_bits(way: str) -> np.ndarray:
    """Return what the GPT pays at each place for the end of the play, which it was not trained on."""
    text = sample(PLAY).read().text
    return read_past_the_end(text[int(HELD_OUT * len(text)) :], way, STORY_RUNS)


@cache
def rotary_vectors() -> tuple[Tensor, Tensor]:
    """Return the query of “be” and the key of “to” in one head, computed without positions, (d,) each."""
    network = stored_language_model(ROTARY_MODEL).network
    ids = torch.tensor(encode(ROTARY_MODEL, EXAMPLES[0]).ids)
    block = network.blocks[0]
    with torch.no_grad():
        read = block.norm_before_attention(network.token_embedding(ids))[None]
        q, k, _ = block.attention.query_key_value(read)
    return q[0, ROTARY_HEAD, 5], k[0, ROTARY_HEAD, 4]


def link_lab(t: int) -> dict:
    """Return the lab's settings that show the story's positions."""
    return {"width": WIDTH, "t": t}


# The lab: any table of positions.


@dataclass(frozen=True, eq=False)
class ChosenPositions:
    """A table of positions (T, C), and the base of the sinusoids, 0 if it was learned."""

    kind: str
    table: Tensor
    base: int = 0


def lab() -> None:
    """The table and its cosines; clock hands; dot products against distance; past the trained length; RoPE."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        kind = LESSON.draw(KIND)
        t = LESSON.number("t", WORDS.label("t"), 0, 511, 10, width=150)
        broken = LESSON.draw(ONE_HAND)
        with LESSON.options():
            chosen = choose_positions(kind, notes)
    positions = chosen.table[:, :2] if broken else chosen.table
    T, C = positions.shape
    if t >= T:
        notes.caption(WORDS.label("note.last", T=T, last=T - 1))
        t = T - 1
    cosines = torch.nn.functional.cosine_similarity(positions, positions[t][None]).numpy()
    closest = most_similar(cosines, t)
    with stage:
        choices = [WORDS.label("question.neighbour"), WORDS.label("question.another")]
        about = f"{chosen.kind}_{T}_{C}_{chosen.base}_{t}"
        answer = choices[min(abs(each - t) for each in closest) > 1]
        if revealed := LESSON.ask(WORDS.label("question", t=t), choices, answer, about):
            left, right = st.columns(2)
            with left:
                figure = position_heatmap(positions.numpy(), t)
                LESSON.figure("table", figure, WORDS.label("alt.table", T=T, C=C))
            with right:
                LESSON.figure("cosines", similarity_heatmap(positions.numpy()), WORDS.label("alt.cosines"))
            LESSON.say("says.closest", describe_closest(positions, cosines, closest, t))
            LESSON.every_number(WORDS.label("table.positions"), positions_table, positions, chosen)
    if broken:
        counts = [float(alike_pairs(chosen, each)) for each in (False, True)]
        LESSON.compare("one_hand", *counts, ",.0f", more_is_better=False)
    if revealed:
        show_folds(chosen, t, products=(positions @ positions[t]).numpy(), broken=broken)
    LESSON.close_lab(
        code=[
            sinusoidal_positions,
            rotation,
            similarity_by_distance,
            nearest_positions,
            alike,
            with_positions_for,
            bits_by_place,
            rotary_score,
        ],
        parameters={"kind": chosen.kind, "T": T, "C": chosen.table.shape[1], "base": chosen.base or BASE},
        prompts={
            "base": {"base": 10, "width": 8, "length": 512},
            "narrow": {"base": 10_000, "width": 8, "length": 512},
            "learned": {"kind": TABLES[0]},
        },
    )


def show_folds(chosen: ChosenPositions, t: int, products: np.ndarray, broken: bool) -> None:
    """Draw the folded sections of the lab."""
    if chosen.base and (hands := LESSON.fold("hands")):
        with hands:
            show_hands(chosen, t)
    if distance := LESSON.fold("distance"):
        with distance:
            lines = {
                WORDS.label("line.from", t=t): products[t:],
                WORDS.label("line.mean"): by_distance(chosen, broken),
            }
            LESSON.figure("distances", similarity_figure(lines), WORDS.label("alt.distance"))
            st.markdown(WORDS.markdown("why.computed" if chosen.base else "why.learned"))
    if past := LESSON.fold("past"):
        with past:
            st.markdown(WORDS.markdown("past.intro", trained=len(learned_positions(READER))))
            show_past_the_end(text_source())
    if rotary := LESSON.fold("rotary"):
        with rotary:
            st.markdown(WORDS.markdown("rotary.intro", query=LINE[1], key=LINE[0], head=ROTARY_HEAD + 1))
            at, seen = LESSON.draw(QUERY_AT), LESSON.draw(KEY_AT)
            part = show_rotary(Settings({"places": ((at, seen), (at + 10, seen + 10))}))
            LESSON.view("clock_hands", dict(part.data), "rotary_view", height=420)


def choose_positions(kind: str, notes: DeltaGenerator) -> ChosenPositions:
    """Draw the settings of sinusoids, or say which trained model's positions these are; return the table."""
    if kind == SINUSOIDS:
        T = LESSON.draw(LENGTH, width=200)
        C = LESSON.select_slider("width", WORDS.label("width"), WIDTHS, value=64, width=200)
        base = LESSON.select_slider("base", WORDS.label("base"), BASES, value=10_000, width=200)
        return sinusoids(T, C, base)
    chosen = learned(kind)
    T, C = chosen.table.shape
    notes.caption(WORDS.label("note.learned", model=WORDS.label(f"kind.{kind}"), T=T, C=C))
    return chosen


@lru_cache(maxsize=32)
def sinusoids(T: int, C: int, base: int) -> ChosenPositions:
    """Return a table of sinusoids; all sessions share it."""
    return ChosenPositions(SINUSOIDS, sinusoidal_positions(T, C, base), base)


@cache
def learned(kind: str) -> ChosenPositions:
    """Return a trained model's positions; all sessions share them."""
    return ChosenPositions(kind, learned_positions(kind))


def learned_positions(name: str) -> Tensor:
    """Return a trained model's position embeddings, (T, C)."""
    return attentive_model(name).network.position_embedding.weight.detach()


@lru_cache(maxsize=64)
def by_distance(chosen: ChosenPositions, broken: bool) -> np.ndarray:
    """Return the mean dot product of two positions by their distance, of one hand only if broken."""
    return similarity_by_distance(chosen.table[:, :2] if broken else chosen.table).numpy()


@lru_cache(maxsize=64)
def alike_pairs(chosen: ChosenPositions, broken: bool) -> int:
    """Return how many pairs of positions have a cosine above 0.99, with one hand only if broken."""
    return alike(chosen.table[:, :2] if broken else chosen.table)


def most_similar(cosines: np.ndarray, t: int) -> list[int]:
    """Return the other positions with the largest cosine, all of those that are equal to the digits shown."""
    others = np.delete(np.arange(len(cosines)), t)
    return others[cosines[others].max() - cosines[others] < SAME].tolist()


def describe_closest(positions: Tensor, cosines: np.ndarray, closest: Sequence[int], t: int) -> dict:
    """Return what the words may say of the position that is most similar to position t."""
    first = closest[0]
    return {
        "t": t,
        "n": len(closest),
        "closest": list(closest[:2]),
        "cosine": f"{cosines[first]:.3f}",
        "product": signed(float(positions[first] @ positions[t]), 3),
        "itself": signed(float(positions[t] @ positions[t]), 3),
    }


def show_hands(chosen: ChosenPositions, t: int) -> None:
    """Draw position t's hands and those k positions on, and say how well one matrix turns every position so."""
    T, C = chosen.table.shape
    k = LESSON.draw(ON)
    at = min(max(t, -k), T - 1 - max(k, 0))
    angular = speeds(C, chosen.base)
    shown = range(min(6, C // 2))
    columns = [head(WORDS.label("hand", i=i + 1), WORDS.label("dimensions", first=2 * i)) for i in shown]
    dials = [
        dial(
            [(at * float(angular[i]), 1.0, HAND), ((at + k) * float(angular[i]), 1.0, OTHER)],
            [(WORDS.label("turns", turn=format_turn(abs(k) * float(angular[i]))), None)],
            (at * float(angular[i]), (at + k) * float(angular[i])) if k else None,
        )
        for i in shown
    ]
    key = [(WORDS.label("position", t=at), HAND), (WORDS.label("position", t=at + k), OTHER)]
    data = draw_clocks(columns, [side()], [dials], key=key)
    LESSON.view("clock_hands", data, "hands_view", height=300)
    starts = range(max(0, -k), T - max(0, k))
    turned = chosen.table[list(starts)] @ rotation(k, C, chosen.base).T
    miss = (turned - chosen.table[[start + k for start in starts]]).abs().max().item()
    values = {"n": len(starts), "k": k, "by": abs(k), "at": at, "miss": plain_number(miss, 1) if miss else ""}
    st.markdown(WORDS.markdown("says.hands", **values))


@dataclass(frozen=True)
class PastTheEnd:
    """Bits per character at each place of a window twice as long as the model was trained on; `trained` places."""

    bits: np.ndarray
    trained: int


def read_past_the_end(text: str, beyond: str, runs: int) -> np.ndarray:
    """Return what the GPT of characters pays at each place of a window twice as long as its context, (T - 1,).

    Raises ValueError for a shorter text.
    """
    torch.set_num_threads(1)
    model = attentive_model(READER)
    ids = torch.tensor(model.encode(text[:CHARACTERS_AT_MOST]).ids)
    T = 2 * model.context
    return bits_by_place(with_positions_for(model.network, T, beyond), ids, T, runs).numpy()


@cached(48, 12, shared=no_typed_words)
def bits_past_the_end(digest: str, beyond: str, _text: str) -> PastTheEnd | None:
    """Return what the GPT of characters pays for a text past its last position, None where the text is too short."""
    try:
        return PastTheEnd(read_past_the_end(_text, beyond, RUNS), attentive_model(READER).context)
    except ValueError:
        return None


def show_past_the_end(document: Document) -> None:
    """Draw what the GPT pays at each place for each way to go past its last position, and say the means."""
    chosen = LESSON.draw(BEYOND_END)
    ways = list(BEYOND) if chosen == ALL else [chosen]
    measured = {way: bits_past_the_end(document.digest, way, document.text) for way in ways}
    if None in measured.values():
        st.info(WORDS.label("past.short", least=2 * attentive_model(READER).context))
        return
    trained = next(iter(measured.values())).trained
    lines = {way: found.bits for way, found in measured.items()}
    LESSON.figure("bits", draw_bits(lines, trained, STEP, name_bits()), WORDS.label("alt.bits"))
    for way, bits in lines.items():
        inside, outside = float(bits[: trained - 1].mean()), float(bits[trained - 1 :].mean())
        said = {"way": WORDS.label(f"beyond.{way}"), "inside": inside, "outside": outside, "trained": trained}
        st.markdown(WORDS.markdown("past.line", **said))


def positions_table(
    positions: Tensor, chosen: ChosenPositions
) -> pd.DataFrame | tuple[pd.DataFrame, Formula]:
    """Return the table of positions, for sinusoids with the formula of a cell."""
    T, C = positions.shape
    table = pd.DataFrame(positions.numpy(), columns=[str(i) for i in range(C)])
    table.insert(0, WORDS.label("axis.position"), range(T))
    if not chosen.base:
        return table
    return table, lambda row, column: worked_sinusoid(row, column, chosen.table.shape[1], chosen.base)
