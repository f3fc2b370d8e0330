"""Text generation as a tree: what the story shows beat by beat, and the lab in which a learner grows a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.generation.generation_tree import tree_payload
from core.figures.token_label import label_token
from core.lesson.cached import cached
from core.lesson.choices.language_model_choice import (
    ChosenModel,
    model_labels,
    next_logits,
    tokens_read,
)
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.generation.generation_tree import (
    GenerationTree,
    continuation_log_probabilities,
    node_log_probabilities,
    path_totals,
    read_tree,
    tree_of,
    write_tree,
)
from core.models.generation.sampling import SamplingSettings, generate
from core.models.generation.short_memory import ShortMemory, after_some
from core.models.neural_language_model import log_softmax, read
from core.models.stored_language_models import Prompt, encode, stored_language_model
from core.text.reading.documents import Document
from core.words.numbers import format_share
from pages.generation.generation_tree import LESSON
from pages.generation.generation_tree.figures import (
    choices_payload,
    choices_table,
    say_texts,
    tree_table,
)
from pages.generation.shared import WORDS as SHARED
from pages.generation.shared.broken_context import LONG, MEMORY, forget_context
from pages.generation.shared.chosen_model import (
    MODEL,
    OWN_MODELS,
    choose_prompt,
    notebook_of,
    open_model,
    say_what_goes_in,
)
from pages.generation.shared.scored_paths import (
    BEGINNINGS,
    GREEDY,
    path_log_probabilities,
    scored,
    searched,
    written,
)
from pages.generation.shared.shown_tokens import name_token
from pages.generation.shared.text_tree import Branch, draw_branches

WORDS = LESSON.words
NAME = "word_gpt"  # the story's model
MAIN, TWINS, CROWNS = "You have", "Good night, good", "The king and the"
LENGTH = 6  # tokens of a text in the story
FOLLOWING = 5  # tokens after the one that is forced
FAN = 5  # tokens that a fork shows
SEEDS = ((53, 6), (24, 5))  # of two sampled texts, with their hues
LIKELIER = 3  # the rank, from 0, of the first token of a text that greedy decoding misses
TWIN, OTHER_TWIN = 1, 3  # ranks of two tokens that are followed by the same text

MAIN_TYPED = Text("typed", MAIN, 2000)
OWN_PROMPT = Text("typed", BEGINNINGS[4], 100)
PLACE = Slider("place", 1, 1, LENGTH - 2)
CONTEXT = Choice("context", "three", ("three", "all"))

TREE = Text("tree", "", 10_000)
FORGET = Switch("forget")
TOKENS = Slider("length", 10, 1, 60)
TEMPERATURE = Slider("temperature", 1.0, 0.1, 2.0, 0.1)
WIDTH = Slider("width", 4, 1, 8)
LAB = (MAIN_TYPED, TREE, FORGET)

TOKENS_AT_MOST = 400  # nodes of a tree, so that it can be drawn and its line fits an address
START = (("greedy", 0), ("sampled", 1), ("sampled", 2))  # what the lab's first tree has, with seeds
START_LENGTH = 10
SEED_TEXTS, MEASURED = range(1, 7), 20  # the texts, and their tokens, by which forgetting is measured
OLD_SIZE, OLD_MODEL, OLD_PROMPT = "63", "char_gpt", "My lord, I will not "  # what addresses left out once
EXAMPLES = (*BEGINNINGS, CROWNS, OLD_PROMPT)


# The story: what each beat shows.


def show_paths(settings: Settings) -> Part:
    """A greedy text and two sampled ones, as one tree."""
    greedy = follow(settings.typed, name="greedy", ends=(WORDS.label("end.greedy"),), strong=True)
    others = [
        branch_of(
            settings.typed,
            sampled_after(settings.typed, seed, LENGTH),
            name=f"sampled_{i}",
            hue=hue,
            ends=(WORDS.label("end.sampled"),),
        )
        for i, (seed, hue) in enumerate(SEEDS, 1)
    ]
    V = len(vocabulary())
    values = {"V": V, "length": LENGTH, "paths": float(V) ** LENGTH}
    return show([greedy, *others], settings.typed, values)


def show_fork(settings: Settings) -> Part:
    """The tokens that may come first, each with its probability, and all others together."""
    p, order = next_shares(settings.typed)
    branches = [
        branch_of(settings.typed, (int(token),), name=f"rank_{rank}", hue=rank, unknown=True)
        for rank, token in enumerate(order[:FAN])
    ]
    left = len(p) - FAN
    rest = float(p[order[FAN:]].sum())
    others = Branch("rest", (), (rest,), rest=WORDS.label("node.rest"), faint=True)
    values = {
        "first": name_of(order[0]),
        "p": format_share(p[order[0]]),
        "other": format_share(1 - p[order[0]]),
        "second": name_of(order[1]),
        "second_p": format_share(p[order[1]]),
        "left": left,
        "rest": format_share(rest),
    }
    return show([*branches, others], settings.typed, values, tree=branches)


def show_product(settings: Settings) -> Part:
    """The greedy text, and beside each of its tokens the next most probable ones."""
    greedy = follow(settings.typed, name="greedy")
    stubs = []
    for depth in range(LENGTH):
        before = greedy.tokens[:depth]
        _, order = next_shares(settings.typed, before)
        stubs += [
            (
                rank,
                branch_of(
                    settings.typed, (*before, int(order[rank])), name=f"not_taken_{depth + 1}", faint=True
                ),
            )
            for rank in (1, 2)
        ]
    branches = [with_odds(greedy, True), *(stub for _, stub in stubs)]
    rows = [0, *(rank for rank, _ in stubs)]
    values = {"length": LENGTH, "odds": odds_of(greedy), "product": [format_share(p) for p in greedy.p[:3]]}
    return show(branches, settings.typed, values, tree=[greedy], key=("width", "faint"), rows=rows)


def ask_forced(settings: Settings) -> Part:
    """The greedy text, and another first token; the answer draws what greedy decoding writes after it."""
    _, order = next_shares(settings.typed)
    greedy, forced = (
        follow(settings.typed, (int(token),), name=name, hue=rank, forced=rank)
        for rank, (token, name) in enumerate(zip(order[:2], ("greedy", "forced"), strict=True))
    )
    same = count_same(greedy.tokens[1:], forced.tokens[1:])
    hidden = Branch("forced", forced.tokens[:1], forced.p[:1], hue=1, forced=1, unknown=True)
    values = {
        "first": name_of(order[0]),
        "second": name_of(order[1]),
        "same": same,
        "following": FOLLOWING,
    }
    answer = "none" if same == 0 else "all" if same == FOLLOWING else "some"
    second = forced if settings.revealed else hidden
    return show(
        [greedy, second, *others_at(settings.typed, order, (2, 3))],
        settings.typed,
        values,
        tree=[greedy, second],
        key=("width", "forced", "faint"),
        choices=("all", "some", "none"),
        answer=answer,
    )


def show_same(settings: Settings) -> Part:
    """Two tokens after which the model writes the same text, and its favourite beside them."""
    _, order = next_shares(settings.typed)
    one, other = (
        follow(settings.typed, (int(order[rank]),), LENGTH, name=name, hue=hue)
        for rank, name, hue in ((TWIN, "one", 0), (OTHER_TWIN, "other", 1))
    )
    values = {
        "one": name_of(one.tokens[0]),
        "other": name_of(other.tokens[0]),
        "one_p": format_share(one.p[1]),
        "other_p": format_share(other.p[1]),
        "next": name_of(one.tokens[1]),
        "same": count_same(one.tokens[1:], other.tokens[1:]),
        "following": LENGTH,
    }
    favourite, third = others_at(settings.typed, order, (0, 2))
    branches = [favourite, one, third, other]
    return show(branches, settings.typed, values, tree=[one, other], key=("width", "faint"))


def show_likelier(settings: Settings) -> Part:
    """Four first tokens with what greedy decoding writes after each, and how probable each text is."""
    _, order = next_shares(settings.typed)
    texts = [
        follow(settings.typed, (int(order[rank]),), name=f"rank_{rank}", hue=rank)
        for rank in range(LIKELIER + 1)
    ]
    drawn = [with_odds(text, rank == LIKELIER) for rank, text in enumerate(texts)]
    best = texts[LIKELIER]
    values = {
        "first": name_of(order[0]),
        "p": format_share(texts[0].p[0]),
        "forced": name_of(order[LIKELIER]),
        "forced_p": format_share(best.p[0]),
        "times": np.prod(best.p) / np.prod(texts[0].p),
    }
    return show(drawn, settings.typed, values)


def show_forgets(settings: Settings) -> Part:
    """Two first tokens, and what follows where the model sees all of the text or its last three tokens."""
    memory = MEMORY if settings.context == "three" else 0
    _, order = next_shares(settings.typed)
    one, other = (
        follow(settings.typed, (int(token),), LENGTH, memory, name=name, hue=rank, forced=rank)
        for rank, (token, name) in enumerate(zip(order[:2], ("greedy", "forced"), strict=True))
    )
    values = {
        "first": name_of(order[0]),
        "second": name_of(order[1]),
        "same": count_same(one.tokens[1:], other.tokens[1:]),
        "following": LENGTH,
        "memory": MEMORY,
    }
    lab = {"forget": settings.context == "three"}
    branches = [one, other, *others_at(settings.typed, order, (2, 3), memory)]
    key = ("width", "forced", "faint")
    return show(branches, settings.typed, values, tree=[one, other], key=key, lab=lab)


def show_own(settings: Settings) -> Part:
    """The learner's beginning, the greedy text until a place, and four tokens there with what follows each."""
    prompt, place = settings.typed, settings.place
    before = greedy_after(prompt, (), place - 1, 0)
    _, order = next_shares(prompt, before)
    texts = [
        follow(
            prompt,
            (*before, int(token)),
            LENGTH - place,
            name=f"rank_{rank}",
            hue=rank,
            forced=place if rank else 0,
        )
        for rank, token in enumerate(order[: FAN - 1])
    ]
    best = max(range(len(texts)), key=lambda rank: np.prod(texts[rank].p))
    drawn = [with_odds(text, rank == best) for rank, text in enumerate(texts)]
    first, second = texts[0], texts[1]
    left = LENGTH - place
    values = {
        "first": name_of(first.tokens[place - 1]),
        "second": name_of(second.tokens[place - 1]),
        "same": count_same(first.tokens[place:], second.tokens[place:]),
        "following": left,
        "best": name_of(texts[best].tokens[place - 1]),
        "best_rank": best,
        "greedy_is_best": best == 0,
    }
    return show(drawn, prompt, values)


def show_answer(settings: Settings) -> Part:
    """The greedy text, and from each of its first tokens the text that the second most probable token leads to."""
    greedy = follow(settings.typed, name="greedy")
    others = []
    for place in range(1, LENGTH - 1):
        before = greedy.tokens[: place - 1]
        _, order = next_shares(settings.typed, before)
        forced = (*before, int(order[1]))
        others.append(
            follow(settings.typed, forced, LENGTH - place, name=f"fork_{place}", hue=place, forced=place)
        )
    shared = [same_after_fork(prompt) for prompt in BEGINNINGS]
    values = {
        "tried": len(BEGINNINGS),
        "unshared": shared.count(0),
        "rest": len(BEGINNINGS) - shared.count(0),
        "most": max(shared),
        "following": FOLLOWING,
        "forks": len(others),
    }
    return show([greedy, *others], settings.typed, values, key=("width", "forced"), straight=True)


STORY = (
    look("paths", show_paths, typed=MAIN),
    look("fork", show_fork, typed=MAIN),
    look("product", show_product, typed=MAIN),
    ask("forced", ask_forced, typed=MAIN),
    look("same", show_same, typed=TWINS),
    look("likelier", show_likelier, typed=MAIN),
    look("forgets", show_forgets, CONTEXT, typed=CROWNS),
    do("own", show_own, OWN_PROMPT, PLACE, typed=BEGINNINGS[4]),
    end("answer", show_answer, typed=MAIN),
)


def show(
    branches: Sequence[Branch],
    prompt: str,
    values: dict,
    tree: Sequence[Branch] = (),
    key: Sequence[str] = ("width",),
    straight: bool = False,
    rows: Sequence[int] | None = None,
    lab: dict | None = None,
    choices: Sequence[str] = (),
    answer: str = "",
) -> Part:
    """Return a beat's picture of some texts; `tree` are those that the lab then shows, all where none are given."""
    data = draw_branches(clean(prompt), branches, vocabulary(), key, straight, rows)
    line = write_tree(grow_all(tree or branches), len(vocabulary()))
    lab = {"tree": line, "typed": clean(prompt), **(lab or {})}
    return Part(
        "text_tree", data, {"prompt": clean(prompt), **values}, lab, choices=tuple(choices), answer=answer
    )


def grow_all(branches: Sequence[Branch]) -> GenerationTree:
    """Return the tree that the lab shows of some texts."""
    tree = GenerationTree()
    for branch in branches:
        way = "sampled" if branch.name.startswith("sampled") else "greedy"
        tree, node = tree.grown(0, branch.tokens[: max(0, branch.forced - 1)], "greedy")
        tree, node = tree.grown(node, branch.tokens[max(0, branch.forced - 1) : branch.forced], "forced")
        tree, _ = tree.grown(node, branch.tokens[branch.forced :], way)
    return tree


def vocabulary() -> tuple[str, ...]:
    """Return the tokens of the story's model, by id."""
    return stored_language_model(NAME).vocabulary


def name_of(token: int) -> str:
    """Return a token as words show it."""
    return name_token(vocabulary()[token])


def clean(text: str) -> str:
    """Return a prompt without a space at its end, which would be a token of its own."""
    return text.rstrip()


def is_stored_prompt(text: str, *_) -> bool:
    """Return whether a prompt is one of the story's own, which everybody may share; what was typed is kept for nobody."""
    return text in EXAMPLES


@cached(200, 4, shared=is_stored_prompt)
def next_shares(text: str, tokens: tuple[int, ...] = ()) -> tuple[np.ndarray, np.ndarray]:
    """Return p of each token after a text and some tokens, (V,), and the tokens, the most probable first, (V,)."""
    torch.set_num_threads(1)  # one token is too little work to share
    ln_p = read(stored_language_model(NAME), (*encode(NAME, clean(text)).ids, *tokens)).log_probabilities
    return np.exp(ln_p), np.argsort(-ln_p, kind="stable")


@cached(200, 4, shared=is_stored_prompt)
def greedy_after(text: str, tokens: tuple[int, ...], length: int, memory: int) -> tuple[int, ...]:
    """Return the tokens that greedy decoding writes; with a `memory` the model sees so many tokens only."""
    torch.set_num_threads(1)
    model = stored_language_model(NAME)
    model = ShortMemory(model, memory) if memory else model
    ids = (*encode(NAME, clean(text)).ids, *tokens)
    return tuple(step.token for step in generate(model, ids, length, GREEDY, 0))


@cached(8, 2, shared=is_stored_prompt)
def sampled_after(text: str, seed: int, length: int) -> tuple[int, ...]:
    """Return the tokens that are sampled after a text."""
    torch.set_num_threads(1)
    ids = encode(NAME, clean(text)).ids
    return tuple(
        step.token for step in generate(stored_language_model(NAME), ids, length, SamplingSettings(), seed)
    )


@cached(200, 4, shared=is_stored_prompt)
def shares_along(text: str, tokens: tuple[int, ...], memory: int = 0) -> tuple[float, ...]:
    """Return p of each of some tokens after a text."""
    torch.set_num_threads(1)
    model = stored_language_model(NAME)
    model = ShortMemory(model, memory) if memory else model
    return tuple(
        np.exp(continuation_log_probabilities(model, encode(NAME, clean(text)).ids, tokens)).tolist()
    )


def branch_of(text: str, tokens: tuple[int, ...], memory: int = 0, **drawn) -> Branch:
    """Return tokens after a text as a branch, with their probabilities."""
    return Branch(tokens=tokens, p=shares_along(text, tokens, memory), **drawn)


def follow(
    text: str, tokens: tuple[int, ...] = (), length: int | None = None, memory: int = 0, **drawn
) -> Branch:
    """Return some tokens after a text and what greedy decoding writes behind them: `LENGTH` in all, or `length` more."""
    more = LENGTH - len(tokens) if length is None else length
    return branch_of(text, (*tokens, *greedy_after(text, tokens, more, memory)), memory, **drawn)


def odds_of(branch: Branch) -> str:
    """Return how often a model that samples writes a text: once in so many."""
    return WORDS.label("odds", n=float(1 / np.prod(branch.p)))


def with_odds(branch: Branch, strong: bool) -> Branch:
    """Return a branch with its odds behind its last token."""
    return replace(branch, ends=(WORDS.label("end.odds"), odds_of(branch)), strong=strong)


def others_at(text: str, order: Sequence[int], ranks: Sequence[int], memory: int = 0) -> list[Branch]:
    """Return first tokens that are not followed, by their ranks."""
    return [
        branch_of(text, (int(order[rank]),), memory, name=f"not_taken_{rank}", faint=True) for rank in ranks
    ]


def count_same(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many tokens of two texts are the same at the same place."""
    return sum(a == b for a, b in zip(one, other, strict=True))


def same_after_fork(prompt: str) -> int:
    """Return how many of the following greedy tokens are the same after the most probable token and after the second."""
    _, order = next_shares(prompt)
    one, other = (greedy_after(prompt, (int(token),), FOLLOWING, 0) for token in order[:2])
    return count_same(one, other)


# The lab: a tree that a learner grows, under any model.


@dataclass(frozen=True)
class Grown:
    """What clicks and buttons act on: the model that writes, the prompt, the tree as it is, and its opened token."""

    chosen: ChosenModel
    document: Document
    prompt: Prompt
    tree: GenerationTree
    opened: int

    @property
    def path(self) -> tuple[int, ...]:
        """All tokens until the opened one, the prompt's first."""
        return (*self.prompt.ids, *self.tree.path(self.opened))

    @property
    def logits(self) -> np.ndarray:
        """The logits of the token after the opened one, (V,)."""
        return next_logits(self.chosen.label, self.document.digest, self.path, self.chosen.model)


def lab() -> None:
    """The tree and what can be done with it; what forgetting costs; every model's opinion; every number."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    open_old_address()
    with controls:
        model = LESSON.draw(MODEL)
        document, text = choose_prompt(LESSON, MAIN_TYPED)
        full = open_model(model, document)
        prompt = full.encode(text)
        LESSON.draw(TOKENS)
        forget = LESSON.draw(FORGET)
        chosen = forget_context(full) if forget else full
        with LESSON.options():
            LESSON.draw(TEMPERATURE)
            LESSON.number("seed", WORDS.label("seed"), 0, 9999, 3)
            LESSON.draw(WIDTH)
            grown = tree_in_use(chosen, document, prompt)
    with stage:
        buttons, drawing, writing = st.container(), st.container(), st.container()
    with buttons:
        grow_buttons(grown)
    with drawing:
        revealed = ask_for_the_first(grown)
        tree, opened = (grown.tree, grown.opened) if revealed else grown.tree.until(grown.opened)
        seen = Grown(chosen, document, prompt, tree, opened)
        ln_p = scored(chosen, document, prompt, seen.tree)
        under_full = scored(full, document, prompt, seen.tree) if forget else None
        draw_tree(grown, seen, ln_p, under_full, revealed)
        LESSON.caption(say_texts(seen.tree, ln_p))
        st.caption(WORDS.label("click"))
        st.code(chosen.decode(seen.path) or " ", language=None, wrap_lines=True)
        say_what_goes_in(LESSON, full, prompt)
    with writing:
        LESSON.text("own", WORDS.label("write_on"), on_change=write_on, args=(grown,), max_chars=100)
    if forget:
        say_what_forgetting_costs(full, grown)
    if every := LESSON.fold("every"):
        with every:
            st.caption(WORDS.label("every.caption"))
            every_model_on(document, prompt.text, seen.tree, chosen.names)
    LESSON.every_number(WORDS.label("table.tree"), tree_table, seen.tree, ln_p, chosen.names)
    if revealed:
        LESSON.every_number(WORDS.label("table.choices"), lambda: choices_table(seen.logits, chosen.names))
    bare = write_tree(GenerationTree(), len(chosen.names))
    LESSON.close_lab(
        code=[continuation_log_probabilities, node_log_probabilities, path_totals, generate, read]
        + ([after_some] if forget else []),
        parameters={
            **notebook_of(model),
            "prompt": prompt.text,
            "memory": MEMORY if forget else 0,
            "line": write_tree(seen.tree, len(chosen.names)),
        },
        prompts={
            "bare": {"model": model, "tree": bare, "open": 0},
            "characters": {"model": "char_gpt", "tree": "", "open": 0},
            "forget": {"forget": True, "source": "typed", "typed": CROWNS, "tree": "", "open": 0},
        },
    )


def open_old_address() -> None:
    """Let an older address, whose tree is one of characters, open with the model and prompt that it left out."""
    if LESSON.get_query("tree").startswith(f"{OLD_SIZE}_") and not LESSON.get_query("model"):
        LESSON.set_state("model", OLD_MODEL)
        LESSON.set_query("model", OLD_MODEL)
        if not LESSON.get_query("typed"):
            LESSON.set_state("typed", OLD_PROMPT)


# The tree is one line in the address; an empty line is the tree that the lab starts with.


def starting_tree(chosen: ChosenModel, document: Document, prompt: Prompt) -> GenerationTree:
    """Return the first tree: one greedy text and two that were sampled."""
    ways = {"greedy": GREEDY, "sampled": SamplingSettings()}
    begun = chosen, document, prompt.ids, START_LENGTH
    return tree_of((way, written(*begun, ways[way], seed)) for way, seed in START)


def tree_in_use(chosen: ChosenModel, document: Document, prompt: Prompt) -> Grown:
    """Draw the tree as a line and the opened token's number, and return what they say."""
    st.caption(WORDS.label("tree.caption"))
    line = LESSON.text("tree", WORDS.label("tree"))
    tree = starting_tree(chosen, document, prompt)
    try:
        tree = read_tree(line, len(chosen.names), TOKENS_AT_MOST) if line.strip() else tree
    except ValueError as error:
        st.warning(WORDS.label("tree.wrong", error=str(error)))
    if LESSON.get_state("open", 0) >= len(tree):
        LESSON.set_state("open", 0)
    opened = LESSON.number("open", WORDS.label("open"), 0)
    return Grown(chosen, document, prompt, tree, opened if opened < len(tree) else 0)


def keep(grown: Grown, tree: GenerationTree, opened: int) -> bool:
    """Make this the learner's tree, unless it has grown too large to draw; return whether it is."""
    if len(tree) > TOKENS_AT_MOST:
        LESSON.set_state("note", WORDS.label("tree.large", n=len(tree), most=TOKENS_AT_MOST))
        return False
    LESSON.set_state("tree", write_tree(tree, len(grown.chosen.names)))
    LESSON.set_state("open", opened)
    return True


def act(grown: Grown, clicked: dict) -> None:
    """Do what was clicked in the view: open a token, or force one after the opened token."""
    tree, node = grown.tree, clicked["node"]
    if not 0 <= node < len(tree):
        return  # of a tree that has been replaced meanwhile
    if clicked["kind"] == "open":
        keep(grown, tree, node)
    elif 0 <= clicked["token"] < len(grown.chosen.names):
        keep(grown, *tree.grown(node, [clicked["token"]], "forced"))


def go_on(grown: Grown, way: str) -> None:
    """Lengthen the opened path: greedily, by sampling (the seed then counts on), or by beam search."""
    model, length, seed = grown.chosen, LESSON.get_state("length"), LESSON.get_state("seed")
    if way == "beam":
        about = model.label, grown.document.digest, grown.path, LESSON.get_state("width"), length, 1.0, None
        tokens = searched(*about, model.model).winning_path
    else:
        settings = GREEDY if way == "greedy" else SamplingSettings(LESSON.get_state("temperature"))
        tokens = written(model, grown.document, grown.path, length, settings, seed)
    if way == "sampled":
        LESSON.set_state("seed", (seed + 1) % 10_000)
    keep(grown, *grown.tree.grown(grown.opened, tokens, way))


def write_on(grown: Grown) -> None:
    """Force the text that was typed after the opened token."""
    typed = grown.chosen.encode(LESSON.get_state("own"))
    if typed.left_out or typed.replaced:
        changed = [
            *typed.left_out,
            *(WORDS.label("write_on.read_as", old=old, new=new) for old, new in typed.replaced.items()),
        ]
        LESSON.set_state("note", WORDS.label("write_on.unknown", tokens=", ".join(changed[:8])))
    if keep(grown, *grown.tree.grown(grown.opened, typed.ids, "forced")):
        LESSON.set_state("own", "")


def step_back(grown: Grown, cut: bool) -> None:
    """Open the token before the opened one; the branch stays, or is cut off with all that follows it."""
    tree = grown.tree.without(grown.opened) if cut else grown.tree
    keep(grown, tree, max(0, grown.tree.parents[grown.opened]))


def start_again(line: str) -> None:
    """Go back to the first tree, an empty line, or to the prompt alone."""
    LESSON.set_state("tree", line)
    LESSON.set_state("open", 0)


def grow_buttons(grown: Grown) -> None:
    """Draw the buttons that lengthen, rewind, cut and begin again, and say what went wrong with the last of them."""
    length = LESSON.get_state("length")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for way in ("greedy", "sampled", "beam"):
            LESSON.button(f"go_{way}", WORDS.label(f"go.{way}", n=length), go_on, grown, way)
        for name, cut in (("rewind", False), ("cut", True)):
            LESSON.button(
                name,
                WORDS.label(name),
                step_back,
                grown,
                cut,
                disabled=not grown.opened,
                help=WORDS.label(f"{name}.help"),
            )
        bare = write_tree(GenerationTree(), len(grown.chosen.names))
        LESSON.button("bare", WORDS.label("bare"), start_again, bare)
        LESSON.button("again", WORDS.label("again"), start_again, "")
    if note := LESSON.pop_state("note"):
        st.text(note)


def text_until(grown: Grown, most: int = 18) -> str:
    """Return the end of the text until the opened token in one line, as a label."""
    text = label_token(grown.chosen.decode(grown.path))
    return text if len(text) <= most else f"…{text[-most:]}"


def ask_for_the_first(grown: Grown) -> bool:
    """Ask which token comes next; return whether what follows the opened token may be shown."""
    first = [label_token(grown.chosen.names[i]) for i in np.argsort(-grown.logits, kind="stable")[:6]]
    about = f"{hash((grown.prompt.ids, grown.path))}_{grown.chosen.label}"
    question = WORDS.label("question", after=text_until(grown))
    return LESSON.ask(question, sorted(set(first)), first[0], about)


def draw_tree(grown: Grown, seen: Grown, ln_p: np.ndarray, full: np.ndarray | None, live: bool) -> None:
    """Draw what may be seen of the tree; while a guess is awaited it takes no clicks and offers no choices."""
    names, tree = seen.chosen.names, seen.tree
    payload = tree_payload(tree, ln_p, names, seen.opened, whole=full, say=SHARED.label)
    if live:
        taken = [tree.tokens[child] for child in tree.children(seen.opened)]
        payload["choices"] = choices_payload(log_softmax(seen.logits), names, taken, text_until(seen))
    LESSON.view("generation_tree", {**payload, "live": live}, on={"act": partial(act, grown)})


def say_what_forgetting_costs(full: ChosenModel, forgetful: Grown) -> None:
    """Sample texts with the full context and with the last tokens only, and score both with the full context."""
    document, ids, means = forgetful.document, forgetful.prompt.ids, []
    for writer in (full, forgetful.chosen):
        texts = [written(writer, document, ids, MEASURED, SamplingSettings(), seed) for seed in SEED_TEXTS]
        about = full.label, document.digest, ids
        means.append(float(np.mean([path_log_probabilities(*about, text, full.model) for text in texts])))
    st.markdown(
        WORDS.markdown(
            "says.forget",
            texts=len(SEED_TEXTS),
            tokens=MEASURED,
            memory=MEMORY,
            change=means[1] - means[0],
            reach=tokens_read(full.model, LONG),
        )
    )
    LESSON.compare("forget", *means, ".3f")


def every_model_on(document: Document, text: str, tree: GenerationTree, names: Sequence[str]) -> None:
    """Score every text of the tree by every model with these tokens."""
    leaves = [leaf for leaf in tree.leaves if leaf]
    stored = {id_: open_model(id_, document) for id_ in model_labels().values()}
    models = same_tokens(stored, names) or same_tokens(
        {id_: open_model(id_, document) for id_ in OWN_MODELS}, names
    )
    first = next(iter(models.values()))
    table: dict[str, list] = {
        WORDS.label("column.text"): [label_token(first.decode(tree.path(leaf))) for leaf in leaves]
    }
    for id_, model in models.items():
        totals, depths = path_totals(tree, scored(model, document, model.encode(text), tree))
        table[LESSON.label_of(f"model.{id_}", id_)] = [float(totals[leaf] / depths[leaf]) for leaf in leaves]
    LESSON.table("every_model", pd.DataFrame(table), WORDS.label("alt.every"))


def same_tokens(models: dict[str, ChosenModel], names: Sequence[str]) -> dict[str, ChosenModel]:
    """Return the models, by id, whose tokens are exactly these."""
    return {id_: model for id_, model in models.items() if tuple(model.names) == tuple(names)}
