"""The tree of texts: every token's distribution can be opened, another token forced, and a branch grown from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.generation_tree import choices_payload, small_tree, tree_payload
from core.figures.generation.sampling import shown
from core.figures.generation.text_numbers import choices_table, texts_said, tree_table
from core.lesson.break_it import consequence
from core.lesson.choices.language_model_choice import (
    OWN,
    ChosenModel,
    choose_language_model,
    choose_prompt,
    language_model,
    model_labels,
    next_logits,
    say_what_goes_in,
)
from core.lesson.chosen_text import type_text
from core.lesson.lesson import Lesson
from core.lesson.text_source import text_source
from core.models.generation.generation_tree import (
    GenerationTree,
    continuation_log_probabilities,
    node_log_probabilities,
    path_totals,
    read_tree,
    tree_of,
    write_tree,
)
from core.models.generation.sampling import Settings, generate
from core.models.generation.short_memory import after_some
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney
from core.models.neural_language_model import log_softmax, read
from core.models.stored_language_models import Prompt
from core.text.reading.documents import Document
from pages.generation.shared.broken_context import MEMORY, break_context
from pages.generation.shared.scored_paths import GREEDY, path_log_probabilities, scored, searched, written

LESSON = Lesson(
    __name__,
    title="The tree of texts",
    question="What would the model have written, had one token been another?",
    icon="list-tree",
)
TOKENS_AT_MOST = 400  # nodes of a tree, so that it can be drawn and its line fits an address
START = (("greedy", 0), ("sampled", 1), ("sampled", 2))  # what the first tree has, with seeds
START_LENGTH = 10
SEEDS, MEASURED = range(1, 7), 20  # the texts, and their tokens, by which forgetting is measured


def picture() -> Figure:
    """Four texts that may follow "the king", sampled."""
    counted = few_sentences()
    model, prompt = kneser_ney(counted.counts, 3), counted.encode("the king", end=False)
    texts = [[step.token for step in generate(model, prompt, 4, Settings(), seed)] for seed in (1, 2, 4, 5)]
    tree = tree_of(("sampled", text) for text in texts)
    ln_p = node_log_probabilities(tree, lambda y: continuation_log_probabilities(model, prompt, y))
    names = [counted.name(token) for token in range(len(model.vocabulary))]
    return small(small_tree(tree_payload(tree, ln_p, names)))


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


def page() -> None:
    """The tree and what can be done with it; what forgetting costs; every model's opinion; every number."""
    LESSON.open(
        r"\ln p(y) = \sum_{i=1}^{n} \ln p(y_i \mid \text{prompt}, y_1 \dots y_{i-1}) \qquad "
        r"\text{a token: } \tfrac{1}{n} \ln p(y)",
        "$y_i$: the $i$-th token after the prompt; $p(y_i \\mid \\dots)$ stands in its box, and the box is filled as high. "
        "A text is a path from the prompt to an end; its probability is the product of its boxes, so $\\ln p$ is a sum.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        whole = choose_language_model(LESSON, document)
        prompt = choose_prompt(LESSON, document, whole, "My lord, I will not ", type_text)
        LESSON.slider("length", "Tokens at a time", 1, 60, 10)
        hint = f"What was forced more than {MEMORY} tokens ago no longer changes what comes."
        chosen = break_context(LESSON, whole, hint)
        with LESSON.more():
            LESSON.slider("temperature", "T, to sample with", 0.1, 2.0, 1.0, 0.1)
            LESSON.number("seed", "Seed of the next sample", 0, 9999, 3)
            LESSON.slider("width", "Width of the beam", 1, 8, 4)
            grown = tree_in_use(chosen, document, prompt)
    with stage:
        buttons, drawing, writing = st.container(), st.container(), st.container()
    with buttons:
        grow_buttons(grown)
    with drawing:
        revealed = ask_for_the_likeliest(grown)
        tree, opened = (grown.tree, grown.opened) if revealed else grown.tree.until(grown.opened)
        seen = Grown(chosen, document, prompt, tree, opened)
        ln_p = scored(chosen, document, prompt, seen.tree)
        under_whole = None if chosen is whole else scored(whole, document, prompt, seen.tree)
        draw_tree(grown, seen, ln_p, under_whole, revealed)
        if revealed and opened and not LESSON.get_state("tree"):
            tell_instead(seen)
        LESSON.caption(texts_said(seen.tree, ln_p))
        st.caption(
            "Click a token to open its distribution, then another token to branch from there. Each end has its path's ln p."
        )
        st.code(chosen.decode(seen.path) or " ", language=None, wrap_lines=True)
        say_what_goes_in(LESSON, whole, prompt)
    with writing:
        label = "Write on yourself: tokens to force after the opened one"
        LESSON.text("own", label, on_change=write_on, args=(grown,), max_chars=100)
    if chosen is not whole:
        what_forgetting_costs(whole, grown)

    if LESSON.toggle("every", "Ask every model about these texts"):
        st.caption("The mean ln p of a token, under each model that has the same tokens.")
        every_model_on(document, prompt.text, seen.tree, chosen.names)
    LESSON.every_number("the tree", tree_table, seen.tree, ln_p, chosen.names)
    if revealed:
        LESSON.every_number("the opened distribution", lambda: choices_table(seen.logits, chosen.names))
    LESSON.closing(
        code=[continuation_log_probabilities, node_log_probabilities, path_totals, generate, read]
        + ([] if chosen is whole else [after_some]),
        notebook=[
            *chosen.cells,
            "from core.models.generation.generation_tree import (\n"
            "    continuation_log_probabilities, node_log_probabilities, path_totals, read_tree\n)\n\n"
            f"prompt = read({prompt.text!r})\n"
            f"tree = read_tree({write_tree(seen.tree, len(chosen.names))!r}, {len(chosen.names)})\n"
            "ln_p = node_log_probabilities(tree, lambda y: continuation_log_probabilities(model, prompt, y))\n"
            "totals, lengths = path_totals(tree, ln_p)",
            "for leaf in tree.leaves:\n"
            "    if leaf:\n"
            "        print(round(totals[leaf], 2), round(totals[leaf] / lengths[leaf], 2), repr(write(tree.path(leaf))))",
        ],
        plot=(
            "from core.figures.generation.generation_tree import small_tree, tree_payload\n\n"
            "draw(small_tree(tree_payload(tree, ln_p, model.vocabulary)))"
        ),
        try_this=[
            (
                "One prompt alone: grow your own tree, then ask greedy to go on",
                {"model": whole.label, "tree": str(len(chosen.names))},
            ),
            ("Byte pairs: fewer, longer tokens. Are the same words likely?", {"model": "GPT, byte pairs"}),
            (
                "A model that forgets: how soon is the name lost?",
                {"forget": True, "source": "typed", "typed": "ROMEO.\nO, ", "tree": ""},
            ),
        ],
        sources=[
            "Dan Jurafsky and James H. Martin, Speech and Language Processing (3rd ed. draft), chapters 3 and 10.",
            "Sebastian Gehrmann, Hendrik Strobelt and Alexander Rush (2019), GLTR: statistical detection and visualization "
            "of generated text, for reading each token against its distribution.",
        ],
    )


# The tree is one line in the address; an empty line is the tree that the lesson starts with.


def starting_tree(chosen: ChosenModel, document: Document, prompt: Prompt) -> GenerationTree:
    """Return the first tree: one greedy text and two that were sampled."""
    ways = {"greedy": GREEDY, "sampled": Settings()}
    begun = chosen, document, prompt.ids, START_LENGTH
    return tree_of((way, written(*begun, ways[way], seed)) for way, seed in START)


def tree_in_use(chosen: ChosenModel, document: Document, prompt: Prompt) -> Grown:
    """Draw the tree as a line and the opened token's number, and return what they say."""
    st.caption("The tree as a line")
    line = LESSON.text("tree", "V, then each run: after which token, how it was made, its tokens")
    tree = starting_tree(chosen, document, prompt)
    try:
        tree = read_tree(line, len(chosen.names), TOKENS_AT_MOST) if line.strip() else tree
    except ValueError as error:
        st.warning(f"{error} Here is the first tree instead; what you do next replaces the line.")
    if LESSON.get_state("open", 0) >= len(tree):
        LESSON.set_state("open", 0)
    opened = LESSON.number("open", "Opened token", 0)
    return Grown(chosen, document, prompt, tree, opened if opened < len(tree) else 0)


def keep(grown: Grown, tree: GenerationTree, opened: int) -> bool:
    """Make this the learner's tree, unless it has grown too large to draw; return whether it is."""
    if len(tree) > TOKENS_AT_MOST:
        LESSON.set_state(
            "note",
            f"A tree of {len(tree):,} tokens is too large to draw: the limit is {TOKENS_AT_MOST}. "
            "Cut a branch, or take fewer tokens at a time.",
        )
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
        settings = GREEDY if way == "greedy" else Settings(LESSON.get_state("temperature"))
        tokens = written(model, grown.document, grown.path, length, settings, seed)
    if way == "sampled":
        LESSON.set_state("seed", (seed + 1) % 10_000)
    keep(grown, *grown.tree.grown(grown.opened, tokens, way))


def write_on(grown: Grown) -> None:
    """Force the text that was typed after the opened token."""
    typed = grown.chosen.encode(LESSON.get_state("own"))
    if typed.left_out or typed.replaced:
        changed = [*typed.left_out, *(f"{old} (read as {new})" for old, new in typed.replaced.items())]
        LESSON.set_state("note", f"The model does not know: {', '.join(changed[:8])}")
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
        for label, way in (("Greedy", "greedy"), ("Sample", "sampled"), ("Beam", "beam")):
            LESSON.button(f"go_{way}", f"{label} +{length}", go_on, grown, way)
        for name, cut, why in (
            ("rewind", False, "Open the token before; the branch stays."),
            ("cut", True, "Take the opened token away, and all after it."),
        ):
            LESSON.button(name, name.title(), step_back, grown, cut, disabled=not grown.opened, help=why)
        bare = write_tree(GenerationTree(), len(grown.chosen.names))
        LESSON.button("bare", "Only the prompt", start_again, bare)
        LESSON.button("again", "First tree", start_again, "")
    if note := LESSON.pop_state("note"):
        st.text(note)


def text_until(grown: Grown, most: int = 18) -> str:
    """Return the end of the text until the opened token in one line, as a label."""
    text = shown(grown.chosen.decode(grown.path))
    return text if len(text) <= most else f"…{text[-most:]}"


def ask_for_the_likeliest(grown: Grown) -> bool:
    """Ask which token comes next; return whether what follows the opened token may be shown."""
    likeliest = [shown(grown.chosen.names[i]) for i in np.argsort(-grown.logits, kind="stable")[:6]]
    about = f"{hash((grown.prompt.ids, grown.path))}_{grown.chosen.label}"
    question = f"Which token is the likeliest after “{text_until(grown)}”?"
    return LESSON.ask(question, sorted(set(likeliest)), likeliest[0], about)


def draw_tree(grown: Grown, seen: Grown, ln_p: np.ndarray, whole: np.ndarray | None, live: bool) -> None:
    """Draw what may be seen of the tree; while a guess is awaited it takes no clicks and offers no choices."""
    names, tree = seen.chosen.names, seen.tree
    payload = tree_payload(tree, ln_p, names, seen.opened, whole=whole)
    if live:
        taken = [tree.tokens[child] for child in tree.children(seen.opened)]
        payload["choices"] = choices_payload(log_softmax(seen.logits), names, taken, text_until(seen))
    LESSON.view("generation_tree", {**payload, "live": live}, on={"act": partial(act, grown)})


def tell_instead(seen: Grown) -> None:
    """Keep for the tour what greedy search writes with the likeliest token after the opened one, and with the second."""
    for place, token in zip(("first", "second"), np.argsort(-seen.logits, kind="stable"), strict=False):
        rest = written(seen.chosen, seen.document, (*seen.path, int(token)), START_LENGTH, GREEDY, 0)
        text = shown(seen.chosen.decode((int(token), *rest)))
        LESSON.set_values(**{place: shown(seen.chosen.names[token]), f"{place}_text": text})


def what_forgetting_costs(whole: ChosenModel, forgetful: Grown) -> None:
    """Sample texts from the whole model and from the forgetful one, and score both by the whole one."""
    document, ids, means = forgetful.document, forgetful.prompt.ids, []
    for writer in (whole, forgetful.chosen):
        texts = [written(writer, document, ids, MEASURED, Settings(), seed) for seed in SEEDS]
        about = whole.label, document.digest, ids
        means.append(np.mean([path_log_probabilities(*about, text, whole.model) for text in texts]))
    worse = "less likely" if means[1] < means[0] else "likelier" if means[1] > means[0] else "as likely"
    st.markdown(
        f"{len(SEEDS)} texts of {MEASURED} tokens were sampled after the prompt with the whole context, {len(SEEDS)} more "
        f"with {MEMORY} tokens of it, and all scored with the whole: what was written without it is **{worse}** there."
    )
    consequence("Mean ln p of a token", *means, ".3f")


def every_model_on(document: Document, text: str, tree: GenerationTree, names: Sequence[str]) -> None:
    """Score every text of the tree by every model with these tokens."""
    leaves = [leaf for leaf in tree.leaves if leaf]
    models = same_tokens(model_labels(), document, names) or same_tokens(OWN, document, names)
    table: dict[str, list] = {"text": [shown(models[0].decode(tree.path(leaf))) for leaf in leaves]}
    for model in models:
        totals, depths = path_totals(tree, scored(model, document, model.encode(text), tree))
        table[model.label] = [float(totals[leaf] / depths[leaf]) for leaf in leaves]
    st.dataframe(pd.DataFrame(table), hide_index=True, alt="Every model's ln p")


def same_tokens(labels: Sequence[str], document: Document, names: Sequence[str]) -> list[ChosenModel]:
    """Return the models of some labels whose tokens are exactly these."""
    models = [language_model(label, document) for label in labels]
    return [model for model in models if tuple(model.names) == tuple(names)]
