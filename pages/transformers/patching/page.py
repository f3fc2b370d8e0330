"""Activation patching: what the story shows beat by beat, and the lab for any two sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from core.figures.machine import bare
from core.figures.self_attention.head_effects import before_after, select_compared_tokens
from core.figures.self_attention.heads import names_of
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import COUNT, how_it_is_read, vocabulary_named
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part as Shown
from core.lesson.story import ask, do, end, look
from core.models.self_attention.attentive_models import BACK, AttentiveModel, attentive_model
from core.models.self_attention.gpt_trace import GPTTrace, trace_block, trace_gpt
from core.models.transformers.patching import (
    ATTENTION,
    FEED_FORWARD,
    HEAD,
    STREAM,
    Pairs,
    PatchedPart,
    ReadingContrast,
    contrast_readings,
    parted,
    partners,
    patched_layer,
    patched_logits,
    put,
    restored_by_head,
    restored_by_place,
)
from core.words.numbers import percent, signed
from pages.transformers.patching import LESSON, OWN_A, OWN_B, UNRELATED, A, B
from pages.transformers.patching.figures import (
    OF_A,
    OF_B,
    draw_control,
    draw_heads,
    draw_map,
    draw_parts,
    draw_patch,
    draw_path,
    draw_scale,
    draw_two,
    layer_names,
    next_bars,
    restored_figure,
    restored_table,
    say,
    share_text,
)
from pages.transformers.shared.attention_arrows import attention_arrows

WORDS = LESSON.words
NAME = BACK[0]  # the story's GPT
AFTER, CONTROL = 1, 3  # the layers after which the story copies a vector from A, and from the unrelated text
LONGEST = 10  # tokens of a sentence that the story's picture has room for
CLOSE = 0.005  # shares below are written as 0%
TYPED_AT_MOST, TOKENS = 200, 24  # of the lab: characters; tokens, each of which is patched in every layer
NAMED = 6  # tokens without a partner that are named

KINDS = {"stream": STREAM, "attention": ATTENTION, "feed_forward": FEED_FORWARD, "head": HEAD}
KIND = Choice(
    "kind",
    "stream",
    tuple(KINDS),
    {
        "attention's output": "attention",
        "feed-forward's output": "feed_forward",
        "one head's output": "head",
    },
)
MODEL = Choice("model", NAME, BACK, {"GPT, byte pairs": BACK[0], "GPT, characters": BACK[1]})
ELSEWHERE = Switch("unrelated")
OWN = (Text("a", OWN_A, 60), Text("b", OWN_B, 60))
LAB = (
    MODEL,
    Text("a", OWN_A, TYPED_AT_MOST),
    Text("b", OWN_B, TYPED_AT_MOST),
    KIND,
    Slider("layer", 1, 0, 6),
    Slider("place", 5, 1, TOKENS),
    ELSEWHERE,
    Switch("heads"),
)
PAIR = {"a": A, "b": B}


# The story: what each beat shows.


@dataclass(frozen=True)
class Pair:
    """Two sentences as the story's GPT reads them: their tokens, both forward passes, and which places are paired."""

    tokens_a: list[str]
    tokens_b: list[str]
    found: ReadingContrast
    pairs: Pairs

    @property
    def last(self) -> int:
        """The place of B's last token."""
        return len(self.tokens_b) - 1


@lru_cache(maxsize=64)
def read_pair(one: str, other: str) -> Pair:
    """Return two sentences as the story's GPT reads them."""
    torch.set_num_threads(1)
    model = attentive_model(NAME)
    both = [model.read(" ".join(each.split()), LONGEST) for each in (one, other)]
    ids = [read.ids for read in both]
    tokens = [[bare(token) for token in read.tokens] for read in both]
    return Pair(*tokens, contrast_readings(model.network, *ids), partners(*(each.tolist() for each in ids)))


@lru_cache(maxsize=64)
def story_map(one: str, other: str) -> np.ndarray:
    """Return what each token's stream restores after each layer, (L + 1, T)."""
    pair = read_pair(one, other)
    return restored_by_place(pair.found, STREAM, pair.pairs, 0, pair.found.A)


@lru_cache(maxsize=1)
def story_heads() -> np.ndarray:
    """Return what each head of the story's GPT restores alone, (L, H)."""
    pair = read_pair(A, B)
    return restored_by_head(pair.found, pair.pairs)


def name_of(token: int) -> str:
    """Return a token of the vocabulary as the story shows it."""
    return bare(str(attentive_model(NAME).vocabulary[token]))


def chances(pair: Pair, *logits: torch.Tensor, n: int = 3) -> list[dict[str, float]]:
    """Return for each prediction p of the same tokens: both answers, and others that are most probable in one."""
    all_p = [each.double().softmax(-1) for each in logits]
    top = [pair.found.a, pair.found.b]
    top += [i for p in all_p for i in p.topk(n).indices.tolist() if i not in top]
    return [{name_of(i): float(p[i]) for i in list(dict.fromkeys(top))[:n]} for p in all_p]


def hues_of(pair: Pair) -> dict[str, str]:
    """Return the hues of both answers."""
    return {name_of(pair.found.a): OF_A, name_of(pair.found.b): OF_B}


def copy_into(pair: Pair, layer: int, place: int, other: GPTTrace | None = None) -> torch.Tensor:
    """Return B's logits with the stream of another forward pass, A's if none is given, at one place after a layer."""
    return pair.found.patched(PatchedPart(STREAM, layer, [(place, place)]), other or pair.found.A)


def values_of(pair: Pair) -> dict[str, object]:
    """Return what the words name of two sentences."""
    found = pair.found
    p_A, p_B = (each.logits[-1].double().softmax(-1) for each in (found.A, found.B))
    changed = next((t for t in parted(found.A.ids.tolist(), found.B.ids.tolist())), pair.last)
    return {
        "A": A,
        "B": B,
        "a": name_of(found.a),
        "b": name_of(found.b),
        "p_a": percent(float(p_A[found.a]), 0),
        "p_b": percent(float(p_B[found.b]), 0),
        "a_in_B": percent(float(p_B[found.a]), 0),
        "differs": pair.tokens_b[changed],
        "place": changed,
        "last": pair.tokens_b[-1],
        "layers": len(found.B.layers),
    }


def show_two(settings: Settings) -> Shown:
    """Two sentences that differ in one word, and their predictions."""
    pair = read_pair(A, B)
    p_A, p_B = chances(pair, pair.found.A.logits[-1], pair.found.B.logits[-1])
    hues = hues_of(pair)
    data = draw_two(pair.tokens_a[1:], pair.tokens_b[1:], next_bars(p_A, hues), next_bars(p_B, hues))
    return Shown("machine", data, values_of(pair), PAIR)


def show_copy(settings: Settings, place: int = 4) -> Shown:
    """One vector of A copied into B after layer 1, and what B then predicts."""
    pair = read_pair(A, B)
    logits = copy_into(pair, AFTER, place)
    (p,) = chances(pair, logits)
    told = settings.revealed or place != pair.last
    bars = next_bars(p, hues_of(pair)) if told else None
    data = draw_patch(pair.tokens_a[1:], pair.tokens_b[1:], AFTER, place - 1, len(pair.found.B.layers), bars)
    share = pair.found.restored(logits)
    values = values_of(pair) | {
        "k": AFTER,
        "from_A": pair.tokens_a[place],
        "p": percent(p[name_of(pair.found.a)], 0),
        "p_other": percent(p[name_of(pair.found.b)], 0),
        "restored": share_text(share),
        "shown": settings.revealed,
    }
    lab = {**PAIR, "layer": AFTER, "place": place + 1}
    return Shown("machine", data, values, lab, ("a", "b", "between"), "b")


def show_scale(settings: Settings) -> Shown:
    """How far the answer of A is ahead of B's answer: in B, in B with the copied vector, and in A."""
    pair = read_pair(A, B)
    (low, high), logits = pair.found.ends, copy_into(pair, AFTER, 4)
    d = pair.found.difference(logits)
    values = values_of(pair) | {
        "low": signed(low, 2),
        "patched": signed(d, 2),
        "high": signed(high, 2),
        "from": f"{d - low:.2f}",
        "whole": f"{high - low:.2f}",
        "restored": share_text(pair.found.restored(logits)),
        "k": AFTER,
        "from_A": pair.tokens_a[4],
    }
    data = draw_scale(low, d, high, values["from_A"])
    return Shown("layer_bars", data | {"sum": say("sum.scale", **values)}, values, {**PAIR, "place": 5})


def ask_last(settings: Settings) -> Shown:
    """The same copy, but at the last token; the answer shows what B predicts."""
    return show_copy(settings, read_pair(A, B).last)


def show_map(settings: Settings) -> Shown:
    """What every token's stream restores after every layer."""
    pair, shares = read_pair(A, B), story_map(A, B)
    last, changed = pair.last, 4
    values = values_of(pair) | {
        "before": share_text(shares[1, changed]),
        "after": share_text(shares[2, changed]),
        "last_before": share_text(shares[1, last]),
        "last_after": share_text(shares[2, last]),
    }
    return Shown("token_grid", draw_map(pair.tokens_b[1:], shares[:, 1:], [changed - 1]), values, PAIR)


def show_heads(settings: Settings) -> Shown:
    """What each head restores alone; open before the answer."""
    pair, shares = read_pair(A, B), story_heads()
    layer, head = best_head(shares)
    values = values_of(pair) | {
        "n": shares.size,
        "layer": layer + 1,
        "head": head + 1,
        "share": share_text(shares.max()),
        "second": share_text(float(np.sort(shares, axis=None)[-2])),
        "shown": settings.revealed,
    }
    many = int((shares > 0.5).sum())
    choices = ("none", "one", "four", "all")
    answer = dict(zip((0, 1, 4, shares.size), choices, strict=True)).get(many, "one")
    data = draw_heads(shares, settings.revealed)
    return Shown("token_grid", data, values, {**PAIR, "heads": True}, choices, answer)


def best_head(shares: np.ndarray) -> tuple[int, int]:
    """Return layer and head, from 0, of the largest share."""
    layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
    return int(layer), int(head)


def show_link(settings: Settings) -> Shown:
    """Where the best head attends from the last token."""
    pair = read_pair(A, B)
    layer, head = best_head(story_heads())
    weights = pair.found.A.layers[layer].attention.weights[head, -1].numpy()
    best = int(weights.argmax())
    values = values_of(pair) | {
        "layer": layer + 1,
        "head": head + 1,
        "weight": f"{weights[best]:.2f}",
        "key": pair.tokens_a[best],
        "share": share_text(story_heads().max()),
        "best": best,
    }
    hues = {best: OF_A, pair.last: OF_B}
    data = attention_arrows(pair.tokens_a, weights, pair.last, best, hues)
    return Shown("attention_arrows", data, values, {**PAIR, "heads": True})


def show_parts(settings: Settings) -> Shown:
    """What the attention and the feed-forward part of each layer restore at the last token."""
    pair = read_pair(A, B)
    found, here = pair.found, [(pair.last, pair.last)]
    attention, feed_forward = (
        [found.restored(found.patched(PatchedPart(kind, layer, here), found.A)) for layer in range(1, 5)]
        for kind in (ATTENTION, FEED_FORWARD)
    )
    values = values_of(pair) | {
        "attention": [share_text(each) for each in attention],
        "feed_forward": [share_text(each) for each in feed_forward],
    }
    lab = {**PAIR, "kind": "attention", "layer": 2, "place": pair.last + 1}
    return Shown("layer_bars", draw_parts(attention, feed_forward), values, lab)


@lru_cache(maxsize=1)
def unrelated_pass() -> tuple[str, GPTTrace]:
    """Return the forward pass of the unrelated text, of as many tokens as B has, and its last token."""
    read = attentive_model(NAME).read(UNRELATED, len(read_pair(A, B).tokens_b))
    return bare(read.tokens[-1]), trace_gpt(attentive_model(NAME).network, read.ids)


def show_control(settings: Settings) -> Shown:
    """A vector of an unrelated text at the last token: much is restored, but the answer is not there."""
    pair, (token, other) = read_pair(A, B), unrelated_pass()
    found, bars, titles, texts = pair.found, {}, {}, {}
    for key, donor, name in (("A", found.A, pair.tokens_a[-1]), ("unrelated", other, token)):
        logits = copy_into(pair, CONTROL, pair.last, donor)
        p = logits.double().softmax(-1)
        top = list(dict.fromkeys([*p.topk(2).indices.tolist(), found.a, found.b]))
        bars[key] = next_bars({name_of(i): float(p[i]) for i in top}, hues_of(pair))
        texts[key] = share_text(found.restored(logits))
        titles[key] = say(f"title.from.{key}", token=name, share=texts[key])
        if key == "unrelated":
            texts["top"], texts["p"] = name_of(top[0]), percent(float(p[found.a]), 1)
    values = values_of(pair) | {"k": CONTROL, "token": token, "shares": texts, "T": len(pair.tokens_b) - 1}
    lab = {**PAIR, "layer": CONTROL, "place": pair.last + 1, "unrelated": True}
    return Shown("machine", draw_control(bars, titles), values, lab)


def show_own(settings: Settings) -> Shown:
    """What every token's stream restores of the learner's sentence A in B."""
    pair = read_pair(settings.a, settings.b)
    identical = pair.found.alike
    shares = np.zeros((5, len(pair.tokens_b))) if identical else story_map(settings.a, settings.b)
    best = (
        None if identical else [int(np.nanargmax(row_)) if np.nanmax(row_) > CLOSE else -1 for row_ in shares]
    )
    moved = next((r for r, t in enumerate(best or ()) if t == pair.last), None)
    cut = len(pair.tokens_a) == LONGEST or len(pair.tokens_b) == LONGEST
    values = {} if identical else values_of(pair)
    values |= {
        "identical": identical,
        "same": pair.found.same,
        "first": None if identical else pair.tokens_b[best[0]],
        "moved": moved,
        "at_last": bool(best) and best[0] == pair.last,
        "uneven": len(pair.tokens_a) != len(pair.tokens_b),
        "cut": cut,
    }
    changed = [] if identical else [values["place"] - 1]
    return Shown(
        "token_grid",
        draw_map(pair.tokens_b[1:], shares[:, 1:], changed),
        values,
        {"a": settings.a, "b": settings.b},
    )


def show_answer(settings: Settings) -> Shown:
    """The way of the difference: the changed token, the head, the last token."""
    pair, shares = read_pair(A, B), story_map(A, B)
    layer, head = best_head(story_heads())
    values = values_of(pair) | {
        "layer": layer + 1,
        "head": head + 1,
        "share": share_text(story_heads().max()),
        "from_A": pair.tokens_a[4],
    }
    tokens = (pair.tokens_a[4], pair.tokens_b[-1])
    name = say("head", layer=layer + 1, head=head + 1)
    data = draw_path(tokens, shares[:, [4, pair.last]], name, layer + 1, values["a"])
    return Shown("machine", data, values, PAIR)


STORY = (
    look("two", show_two),
    look("copy", show_copy),
    look("scale", show_scale),
    ask("last", ask_last),
    look("map", show_map),
    ask("heads", show_heads),
    look("link", show_link),
    look("parts", show_parts),
    look("control", show_control),
    do("own", show_own, *OWN),
    end("answer", show_answer),
)


# The lab: what is read and what is taken.


@dataclass(frozen=True)
class Patch:
    """Two sentences, the text that parts are taken from (A, or an unrelated one), and the part that was chosen."""

    model: AttentiveModel
    A: tuple[int, ...]
    B: tuple[int, ...]
    donor: tuple[int, ...]
    kind: str
    layer: int
    place: int
    head: int

    @property
    def found(self) -> ReadingContrast:
        """Both forward passes."""
        return contrasted(self.model.name, self.A, self.B)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Which place of the donor takes which of B, (of B, of the donor)."""
        return partners(self.donor, self.B)

    @property
    def part(self) -> PatchedPart:
        """What is taken at the chosen place."""
        return PatchedPart(
            self.kind, self.layer, [pair for pair in self.pairs if pair[0] == self.place], self.head
        )

    @property
    def shares(self) -> np.ndarray:
        """What every place restores in every layer."""
        return by_place(self.model.name, self.A, self.B, self.donor, self.kind, self.head)

    @property
    def cell(self) -> tuple[int, int]:
        """Where the chosen part is in `shares`."""
        return (self.layer if self.kind == STREAM else self.layer - 1), self.place

    @property
    def kind_id(self) -> str:
        """The id of what is copied, as the address has it."""
        return next(each for each, kind in KINDS.items() if kind == self.kind)

    @property
    def whose(self) -> str:
        """The id of the text that parts are taken from."""
        return "a" if self.donor == self.A else "unrelated"

    def tokens(self, ids: Sequence[int]) -> list[str]:
        """Return ids as pictures name them."""
        return names_of(
            self.model.names(ids) if self.model.names else [self.model.vocabulary[i] for i in ids]
        )

    def text(self, ids: Sequence[int]) -> str:
        """Return the sentence that ids spell."""
        return "".join(self.tokens(ids)).replace("␣", " ").replace("↵", " ").strip()


def lab() -> None:
    """Two sentences; one part of A's forward pass copied into B's; every place in every layer; every head."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        patch = choose_patch(notes)
    if patch.found.alike:
        st.info(WORDS.markdown("identical"))
    else:
        with stage:
            if guessed := asked(patch):
                show_patch(patch)
        notes.markdown(WORDS.markdown("says.pairs", **describe_pairs(patch)))
        if guessed:
            if patch.whose == "unrelated":
                compare_with_a(patch)
            layers = layer_names(patch.kind, len(patch.found.B.layers))
            st.markdown(WORDS.markdown("says.where", **describe_where(patch, layers)))
            made_of = (
                patch.shares,
                layers,
                patch.tokens(patch.B),
                patch.tokens(patch.donor),
                dict(patch.pairs),
            )
            LESSON.every_number("restored", restored_table, patch.found, *made_of)
            if box := LESSON.fold("heads"):
                with box:
                    show_all_heads(patch)
    own = {"model": BACK[0], "a": OWN_A, "b": OWN_B, "kind": "stream", "unrelated": False}
    LESSON.close_lab(
        code=[
            contrast_readings,
            partners,
            put,
            patched_logits,
            patched_layer,
            restored_by_place,
            restored_by_head,
            trace_block,
        ],
        parameters={
            "name": patch.model.name,
            "A": list(patch.A),
            "B": list(patch.B),
            "donor": list(patch.donor),
            "kind": patch.kind,
            "head": patch.head,
        },
        prompts={
            "last": {**own, "place": 6, "layer": 0},
            "attention": {**own, "kind": "attention"},
            "letters": {**own, "model": BACK[1], "a": "Thou wil", "b": "They wil"},
            "unrelated": {**own, "unrelated": True},
        },
    )


def choose_patch(notes: DeltaGenerator) -> Patch:
    """Draw the choices of model, sentences and part; at first the stream after layer 1 where B differs from A."""
    model = attentive_model(LESSON.draw(MODEL))
    of_A, of_B = (read_typed(model, each, notes) for each in ("a", "b"))
    config, T = model.network.config, len(of_B)
    kind = KINDS[LESSON.draw(KIND)]
    head = (
        LESSON.number("head", say("head_number"), 1, config.heads, 1, width=COUNT) - 1 if kind == HEAD else 0
    )
    least = 0 if kind == STREAM else 1  # only a stream is there before any layer
    layer = LESSON.number("layer", say("layer"), least, config.layers, 1, width=COUNT)
    first = [*parted(of_A, of_B), T - 1][0] + 1
    place = LESSON.number("place", say("place"), 1, T, first, width=COUNT) - 1
    with LESSON.options():
        elsewhere = LESSON.draw(ELSEWHERE)
    donor = tuple(model.read(UNRELATED, T).ids.tolist()) if elsewhere else of_A
    return Patch(model, of_A, of_B, donor, kind, layer, place, head)


def read_typed(model: AttentiveModel, name: str, notes: DeltaGenerator) -> tuple[int, ...]:
    """Draw the field of a sentence and return its ids; say in `notes` how it is read."""
    default = OWN_A if name == "a" else OWN_B
    typed = LESSON.text(name, say(name), default, max_chars=10 * TYPED_AT_MOST, width=230)
    read = model.read(typed[:TYPED_AT_MOST], TOKENS)
    notes.caption(WORDS.markdown("notes.read", name=say(name), how=how_it_is_read(read, model, TOKENS)))
    return tuple(read.ids.tolist())


def labelled(tokens: Sequence[str]) -> list[str]:
    """Return tokens with their places, so that no two have one name."""
    return [f"{t} {token}" for t, token in enumerate(tokens, 1)]


@cached(12, 4, shared=no_typed_words)
def contrasted(name: str, of_A: tuple[int, ...], of_B: tuple[int, ...]) -> ReadingContrast:
    """Return the forward passes of both sentences and the tokens that tell them apart."""
    torch.set_num_threads(1)
    return contrast_readings(attentive_model(name).network, torch.tensor(of_A), torch.tensor(of_B))


@cached(60, 20, shared=no_typed_words)
def by_place(
    name: str, of_A: tuple[int, ...], of_B: tuple[int, ...], donor: tuple[int, ...], kind: str, head: int
) -> np.ndarray:
    """Return what each place of B restores in each layer when it takes a part of the donor."""
    torch.set_num_threads(1)
    found = contrasted(name, of_A, of_B)
    other = trace_gpt(found.network, torch.tensor(donor))
    return restored_by_place(found, kind, partners(donor, of_B), head, other)


@cached(24, 8, shared=no_typed_words)
def by_head(name: str, of_A: tuple[int, ...], of_B: tuple[int, ...]) -> np.ndarray:
    """Return what each head restores, (L, H)."""
    torch.set_num_threads(1)
    return restored_by_head(contrasted(name, of_A, of_B), partners(of_A, of_B))


# The lab: what is seen.


def asked(patch: Patch) -> bool:
    """Ask whose stream restores most in the middle of the model, if the learner predicts first and there is a choice."""
    layer = patch.model.network.config.layers // 2
    differ = parted(patch.A, patch.B)
    if not LESSON.get_state("predict") or len(differ) < 2:
        return True
    shares = by_place(patch.model.name, patch.A, patch.B, patch.A, STREAM, 0)[layer]
    best, names = int(np.nanargmax(shares)), labelled(patch.tokens(patch.B))
    choices = [names[t] for t in sorted({best, *differ[:3], *differ[-3:]})]
    about = f"{patch.model.name}_{hash((patch.A, patch.B))}"
    return LESSON.ask(say("question", layer=layer), choices, names[best], about)


def show_patch(patch: Patch) -> None:
    """Draw what every place restores, and the prediction before and after the chosen part is taken."""
    found, shares, rows = patch.found, patch.shares, patch.tokens(patch.B)
    names, layers = vocabulary_named(patch.model.name), layer_names(patch.kind, len(found.B.layers))
    logits = found.patched(patch.part, trace_gpt(found.network, torch.tensor(patch.donor)))
    before, after = (each.double().softmax(-1).numpy() for each in (found.B.logits[-1], logits))
    heat, bars = st.columns([3, 2], gap="medium")
    with heat:
        figure = restored_figure(
            shares, layers, labelled(rows), say("axis.layer"), say("axis.places"), patch.cell
        )
        of_both = {"A": patch.text(patch.A), "B": patch.text(patch.B), "kind": say(f"kind.{patch.kind_id}")}
        LESSON.figure("restored", figure, say(f"alt.restored.{patch.whose}", **of_both))
    with bars:
        top = list(dict.fromkeys([found.a, found.b, *select_compared_tokens(before, after, 6).tolist()]))
        labels = (say("legend.before"), say("legend.after"))
        figure = before_after(before[top], after[top], names[top], "p", 335, labels)
        LESSON.figure("prediction", figure, say("alt.prediction"))
    values = describe_answers(found, names) | describe_patch(patch, after, float(shares[patch.cell]), names)
    LESSON.say("says.patch", values)


def describe_answers(found: ReadingContrast, names: Sequence[str]) -> dict[str, object]:
    """Return the predictions of A and B, or where both have one, which tokens tell them apart."""
    of_A, of_B = (each.logits[-1].double().softmax(-1) for each in (found.A, found.B))
    answer = int(of_B.argmax())
    return {
        "same": found.same,
        "a": names[found.a],
        "b": names[found.b],
        "answer": names[answer],
        "p_a": percent(float(of_A[answer if found.same else found.a])),
        "p_b": percent(float(of_B[answer if found.same else found.b])),
    }


def describe_patch(patch: Patch, after: np.ndarray, share: float, names: Sequence[str]) -> dict[str, object]:
    """Return what B predicts with the part, and what that restores; nothing where the place has no partner."""
    now = int(after.argmax())
    return {
        "paired": bool(patch.part.pairs),
        "kind": next(key for key, kind in KINDS.items() if kind == patch.kind),
        "layer": patch.layer,
        "head": patch.head + 1,
        "token": patch.tokens(patch.B)[patch.place],
        "whose": patch.whose,
        "now": names[now],
        "p": percent(float(after[now])),
        "share": "" if np.isnan(share) else share_said(share),
    }


def share_said(share: float) -> str:
    """Return a share as a sentence of the lab says it.

    >>> share_said(0.25), share_said(-0.1), share_said(1.31), share_said(-0.0001)
    ('25.0%', '−10.0%', '131.0%', '0.0%')
    """
    return f"{signed(100 * share, 1)}%"


def describe_pairs(patch: Patch) -> dict[str, object]:
    """Return which places take which, and where the lengths differ, which tokens of B have no partner."""
    known = {here for here, _ in patch.pairs}
    left = [name for t, name in enumerate(labelled(patch.tokens(patch.B))) if t not in known]
    return {
        "n_A": len(patch.donor),
        "n": len(patch.B),
        "whose": patch.whose,
        "left": left[:NAMED],
        "more": max(0, len(left) - NAMED),
        "moved": sum(here != there for here, there in patch.pairs),
        "pairs": len(patch.pairs),
    }


def compare_with_a(patch: Patch) -> None:
    """Compare what the chosen part restores, and the most that any does, taken from A and from the unrelated text."""
    whole = by_place(patch.model.name, patch.A, patch.B, patch.A, patch.kind, patch.head)
    if not np.isnan(whole[patch.cell]):
        LESSON.compare("part", float(whole[patch.cell]), float(patch.shares[patch.cell]), ".1%", None)
    text = "".join(patch.tokens(patch.donor)[1:]).replace("␣", " ").strip()
    most, other = (
        share_said(float(np.nanmax(each))) if not np.isnan(each).all() else percent(0.0)
        for each in (whole, patch.shares)
    )
    st.markdown(WORDS.markdown("says.unrelated", text=text, most=most, other=other))


def describe_where(patch: Patch, rows: Sequence[str]) -> dict[str, object]:
    """Return which place restores most in each layer, neighbouring layers with one place together."""
    shares, columns = patch.shares, labelled(patch.tokens(patch.B))
    if np.isnan(shares).all():
        return {"kind": "", "runs": []}
    most, best = np.nanmax(shares, axis=1), np.nanargmax(shares, axis=1)
    named = [int(t) if share > CLOSE else None for t, share in zip(best, most, strict=True)]
    runs, at = [], 0
    for place, group in groupby(named):
        n = len(list(group))
        low, high = share_said(float(most[at : at + n].min())), share_said(float(most[at : at + n].max()))
        token = None if place is None else columns[place]
        runs.append({"first": rows[at], "last": rows[at + n - 1], "token": token, "low": low, "high": high})
        at += n
    return {"kind": next(key for key, kind in KINDS.items() if kind == patch.kind), "runs": runs}


def show_all_heads(patch: Patch) -> None:
    """Draw what each head restores when its output is taken from A at all places with a partner."""
    shares = by_head(patch.model.name, patch.A, patch.B)
    layer, head = best_head(shares)
    values = {
        "n": shares.size,
        "layer": layer + 1,
        "head": head + 1,
        "most": share_said(float(shares.max())),
        "none": bool(shares.max() <= CLOSE),
        "against": int((shares < -CLOSE).sum()),
    }
    st.markdown(WORDS.markdown("says.heads", **values))
    columns = [str(each) for each in range(1, shares.shape[1] + 1)]
    rows = layer_names(HEAD, len(shares))
    figure = restored_figure(shares, rows, columns, say("axis.layer"), say("axis.head"), height=300)
    LESSON.figure("all_heads", figure, say("alt.heads", n=shares.size))
