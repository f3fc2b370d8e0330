"""Activation patching: a part of sentence A's reading put into B's, and which part brings A's answer with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.head_effects import before_after, likeliest
from core.figures.self_attention.heads import names_of
from core.figures.transformers.patching import layer_names, restored_figure, restored_table
from core.figures.transformers.patching_said import (
    most_restored,
    said_of_answers,
    said_of_pairs,
    said_of_patch,
    where_it_is,
    which_head,
)
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import COUNT, GPTS, LABELS, how_it_is_read, vocabulary_named
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.self_attention.attentive_models import BACK, AttentiveModel, attentive_model
from core.models.self_attention.gpt_trace import trace, trace_block
from core.models.transformers.patching import (
    ATTENTION,
    FEED_FORWARD,
    HEAD,
    STREAM,
    Contrast,
    Part,
    contrast,
    parted,
    partners,
    patched_layer,
    patched_logits,
    put,
    restored_by_head,
    restored_by_place,
)

LESSON = Lesson(
    __name__,
    title="Activation patching",
    question="Which part of a reading carries the answer?",
    icon="bandage",
)
OWN_A, OWN_B = "He gave them silver and", "He gave them bread and"
PLACES = "share restored, by place of B"
TYPED_AT_MOST = 200  # characters
TOKENS = 24  # of a sentence: each is patched in every layer
KINDS = {
    "stream": STREAM,
    "attention's output": ATTENTION,
    "feed-forward's output": FEED_FORWARD,
    "one head's output": HEAD,
}
# What the break takes from: as many of its tokens as B has, so that each place has a partner.
UNRELATED = (
    "I have seen a great number of ships on the sea, and the wind was strong, and the sky was dark and cold."
)


@dataclass(frozen=True)
class Patch:
    """Two sentences, the text that parts are taken from (A, or an unrelated one), and the part of it that was chosen."""

    model: AttentiveModel
    A: tuple[int, ...]
    B: tuple[int, ...]
    donor: tuple[int, ...]
    kind: str
    layer: int
    place: int
    head: int

    @property
    def found(self) -> Contrast:
        """Both readings."""
        return contrasted(self.model.name, self.A, self.B)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Which place of the donor takes which of B, (of B, of the donor)."""
        return partners(self.donor, self.B)

    @property
    def part(self) -> Part:
        """What is taken at the chosen place."""
        return Part(self.kind, self.layer, [pair for pair in self.pairs if pair[0] == self.place], self.head)

    @property
    def shares(self) -> np.ndarray:
        """What every place restores in every layer."""
        return by_place(self.model.name, self.A, self.B, self.donor, self.kind, self.head)

    @property
    def cell(self) -> tuple[int, int]:
        """Where the chosen part stands in `shares`."""
        return (self.layer if self.kind == STREAM else self.layer - 1), self.place

    def tokens(self, ids: Sequence[int]) -> list[str]:
        """Return ids as pictures name them."""
        return names_of(
            self.model.names(ids) if self.model.names else [self.model.vocabulary[i] for i in ids]
        )


def picture() -> Figure:
    """What the streams of the last three tokens restore of A's answer, layer by layer."""
    model = attentive_model(BACK[0])
    A, B = (model.read(each).ids for each in (OWN_A, OWN_B))
    found = contrast(model.network, A, B)
    shares = restored_by_place(found, STREAM, partners(A.tolist(), B.tolist()), 0, found.A)[:, -3:]
    return small(restored_figure(shares, layer_names(STREAM, len(shares) - 1), ["them", "bread", "and"], ""))


def page() -> None:
    """Two sentences; one part of A's reading put into B's; every place in every layer; every head."""
    LESSON.open(
        r"d = z_a - z_b \qquad \text{restored} = \frac{d_{\text{patched}} - d_B}{d_A - d_B}",
        "$z_a$, $z_b$: the logits, after the last token, of $a$, which speaks for sentence A, and of $b$, which speaks for "
        "B: each its likeliest next token; where that is one token, what each makes likelier by most. $d_A$, $d_B$: "
        "their difference when A and when B is read; $d_{\\text{patched}}$: when B is read with a part of A's in it. 1: it "
        "is A's; 0: still B's; above 1: beyond A's; below 0: further from A's than B's own.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        patch = choose_patch(notes)
    if patch.found.alike:
        st.info("To the model the two sentences are one: there is nothing to move. Change one of them.")
    else:
        donor, B = patch.tokens(patch.donor), patch.tokens(patch.B)
        whose = "A" if patch.donor == patch.A else "the unrelated text"
        with stage:
            if guessed := asked(patch):
                show_patch(patch, whose)
        notes.markdown(plain(said_of_pairs(patch.pairs, donor, B, whose)))
        if guessed:
            if patch.donor != patch.A:
                what_another_text_does(patch)
            layers = layer_names(patch.kind, len(patch.found.B.layers))
            where = where_it_is(patch.shares, layers, labelled(B), patch.kind)
            LESSON.set_values(where=where)
            st.markdown(plain(where))
            made_of = (patch.shares, layers, B, donor, dict(patch.pairs))
            LESSON.every_number("what is restored", restored_table, patch.found, *made_of)
            st.header("Which heads carry it?", anchor=False)
            show_heads(patch)
    own = {"model": LABELS[BACK[0]], "a": OWN_A, "b": OWN_B, "kind": "stream", "unrelated": False}
    thou = {**own, "model": LABELS[BACK[1]], "a": "Thou wil", "b": "They wil"}
    LESSON.closing(
        code=[
            contrast,
            partners,
            put,
            patched_logits,
            patched_layer,
            restored_by_place,
            restored_by_head,
            trace_block,
        ],
        notebook=cells(patch),
        plot=(
            "from core.figures.transformers.patching import layer_names, restored_figure\n\n"
            "tokens = [model.vocabulary[i] for i in B]\n"
            "draw(restored_figure(shares, layer_names(kind, len(found.B.layers)), tokens, kind))"
        ),
        try_this=[
            ("The last token before any layer: what does it carry yet?", {**own, "place": 6, "layer": 0}),
            ("Attention's output: where does it come over?", {**own, "kind": "attention's output"}),
            ("Characters: “Thou wil” against “They wil”", thou),
            ("Take it from a text that has nothing to do with it", {**own, "unrelated": True}),
        ],
        sources=[
            "Kevin Meng et al. (2022), Locating and Editing Factual Associations in GPT: causal tracing.",
            "Jesse Vig et al. (2020), Investigating Gender Bias in Language Models Using Causal Mediation Analysis.",
            "Kevin Wang et al. (2023), Interpretability in the Wild: a Circuit for Indirect Object Identification.",
        ],
    )


# What is read and what is taken.


def choose_patch(notes: DeltaGenerator) -> Patch:
    """Draw the choices of model, sentences and part; at first the stream after layer 1 where B differs from A."""
    model = attentive_model(GPTS[LESSON.select("model", "Model", list(GPTS), width=165)])
    A = read_typed(model, "a", "Sentence A", OWN_A, notes)
    B = read_typed(model, "b", "Sentence B", OWN_B, notes)
    config, T = model.network.config, len(B)
    kind = KINDS[LESSON.select("kind", "Take A's", list(KINDS), width=190)]
    head = LESSON.number("head", "Head", 1, config.heads, 1, width=COUNT) - 1 if kind == HEAD else 0
    least = 0 if kind == STREAM else 1
    if LESSON.get_state("layer", 1) < least:
        LESSON.set_state("layer", least)  # only a stream is there before any layer
    layer = LESSON.number("layer", "Layer", least, config.layers, 1, width=COUNT)
    if LESSON.get_state("place", 1) > T:
        LESSON.set_state("place", T)  # of a sentence that was longer
    place = LESSON.number("place", "Place in B", 1, T, [*parted(A, B), T - 1][0] + 1, width=COUNT) - 1
    broken = LESSON.break_it(
        "unrelated",
        "Break it: take it from an unrelated text",
        "The same part, but of a text that is neither A nor B.",
    )
    donor = tuple(model.read(UNRELATED, T).ids.tolist()) if broken else A
    return Patch(model, A, B, donor, kind, layer, place, head)


def read_typed(
    model: AttentiveModel, name: str, label: str, default: str, notes: DeltaGenerator
) -> tuple[int, ...]:
    """Draw the field of a sentence and return its ids; say in `notes` how it is read."""
    typed = LESSON.text(name, label, default, max_chars=10 * TYPED_AT_MOST, width=230)
    read = model.read(typed[:TYPED_AT_MOST], TOKENS)
    notes.caption(f"{label}: {how_it_is_read(read, model, TOKENS)}")
    return tuple(read.ids.tolist())


def labelled(tokens: Sequence[str]) -> list[str]:
    """Return tokens with their places, so that no two are alike."""
    return [f"{t} {token}" for t, token in enumerate(tokens, 1)]


@cached(12, 4, "The model reads both sentences", shared=no_typed_words)
def contrasted(name: str, A: tuple[int, ...], B: tuple[int, ...]) -> Contrast:
    """Return the readings of both sentences and the tokens that tell them apart."""
    torch.set_num_threads(1)
    return contrast(attentive_model(name).network, torch.tensor(A), torch.tensor(B))


@cached(60, 20, "Patching every place in every layer", shared=no_typed_words)
def by_place(
    name: str, A: tuple[int, ...], B: tuple[int, ...], donor: tuple[int, ...], kind: str, head: int
) -> np.ndarray:
    """Return what each place of B restores in each layer when it takes a part of the donor."""
    torch.set_num_threads(1)
    found = contrasted(name, A, B)
    other = trace(found.network, torch.tensor(donor))
    return restored_by_place(found, kind, partners(donor, B), head, other)


@cached(24, 8, "Patching every head", shared=no_typed_words)
def by_head(name: str, A: tuple[int, ...], B: tuple[int, ...]) -> np.ndarray:
    """Return what each head restores, (L, H)."""
    torch.set_num_threads(1)
    return restored_by_head(contrasted(name, A, B), partners(A, B))


# What is seen.


def asked(patch: Patch) -> bool:
    """Ask whose stream restores most in the middle of the model, if the learner predicts first and there is a choice."""
    name, A, B = patch.model.name, patch.A, patch.B
    layer = patch.model.network.config.layers // 2
    differ = parted(A, B)
    if not LESSON.get_state("predict") or len(differ) < 2:
        return True
    best = int(np.nanargmax(by_place(name, A, B, A, STREAM, 0)[layer]))
    names = labelled(patch.tokens(B))
    choices = [names[t] for t in sorted({best, *differ[:3], *differ[-3:]})]
    question = f"Which token's stream, taken from A after layer {layer}, brings most of A's answer?"
    return LESSON.ask(question, choices, names[best], f"{name}_{hash((A, B))}")


def show_patch(patch: Patch, whose: str) -> None:
    """Draw what every place restores, and the prediction before and after the chosen part is taken."""
    found, shares, rows = patch.found, patch.shares, patch.tokens(patch.B)
    names, layers = vocabulary_named(patch.model.name), layer_names(patch.kind, len(found.B.layers))
    logits = found.patched(patch.part, trace(found.network, torch.tensor(patch.donor)))
    before, after = (each.double().softmax(-1).numpy() for each in (found.B.logits[-1], logits))
    heat, bars = st.columns([3, 2], gap="medium")
    with heat:
        LESSON.figure(
            "restored",
            restored_figure(shares, layers, labelled(rows), f"{patch.kind}, layer", PLACES, patch.cell),
            f"How much of A's answer each place of B restores in each layer when it takes the part of {whose}",
        )
    with bars:
        top = list(dict.fromkeys([found.a, found.b, *likeliest(before, after, 6).tolist()]))
        LESSON.figure(
            "prediction",
            before_after(before[top], after[top], names[top], "p", 335, ("B as it is", "B, patched")),
            "The likeliest next tokens of B as it is, and with the part put in",
        )
    answers, share = said_of_answers(found, names), float(shares[patch.cell])
    LESSON.caption(
        plain(f"{answers} {said_of_patch(patch.part, rows[patch.place], whose, after, share, names)}")
    )
    LESSON.set_values(answers=answers, a=names[found.a], b=names[found.b], layers=len(found.B.layers))


def what_another_text_does(patch: Patch) -> None:
    """Compare what the chosen part restores, and the most that any does, taken from A and from the unrelated text."""
    broken = patch.shares
    whole = by_place(patch.model.name, patch.A, patch.B, patch.A, patch.kind, patch.head)
    if not np.isnan(whole[patch.cell]):
        both = float(whole[patch.cell]), float(broken[patch.cell])
        consequence("Restored by this part", *both, ".1%", more_is_better=None)
    text = "".join(patch.tokens(patch.donor)[1:]).replace("␣", " ").strip()
    most, most_broken = most_restored(whole), most_restored(broken)
    LESSON.set_values(most=most, most_broken=most_broken)
    st.markdown(
        plain(
            f"The unrelated text: “{text}”. Of all places and layers, one restores at most {most} taken from A, and "
            f"{most_broken} taken from there. What is restored is counted between two tokens: another text moves their "
            "logits too, though it knows nothing of A."
        )
    )


def show_heads(patch: Patch) -> None:
    """Draw what each head restores when its output is taken from A at all places with a partner."""
    shares = by_head(patch.model.name, patch.A, patch.B)
    L, H = shares.shape
    LESSON.set_values(head=which_head(shares))
    st.markdown(
        f"Each head's output is taken from A at all paired places at once, one head at a time. {which_head(shares)}"
    )
    columns = [str(head) for head in range(1, H + 1)]
    LESSON.figure(
        "heads",
        restored_figure(shares, layer_names(HEAD, L), columns, "layer", "head", height=300),
        f"How much of A's answer each of {L * H} heads restores when its output is taken from A",
    )


def cells(patch: Patch) -> list[str]:
    """Return the notebook's cells that patch the same places."""
    return [
        "import torch\n\nfrom core.models.self_attention.attentive_models import attentive_model\n"
        "from core.models.self_attention.gpt_trace import trace\n"
        "from core.models.transformers.patching import contrast, partners, restored_by_head, restored_by_place\n\n"
        f"model = attentive_model({patch.model.name!r})\nA, B = {list(patch.A)!r}, {list(patch.B)!r}\n"
        "found = contrast(model.network, torch.tensor(A), torch.tensor(B))\n"
        "print(model.vocabulary[found.a], model.vocabulary[found.b], found.ends)",
        f"kind, donor = {patch.kind!r}, {list(patch.donor)!r}\nother = trace(model.network, torch.tensor(donor))\n"
        f"shares = restored_by_place(found, kind, partners(donor, B), {patch.head}, other)\nprint(shares)\n"
        "print(restored_by_head(found, partners(A, B)))",
    ]
