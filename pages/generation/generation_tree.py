"""The tree of texts: every token's distribution can be opened, another token forced, and a branch grown from it."""

import streamlit as st

from core.lesson.break_it import consequence
from core.lesson.choices.language_model_choice import choose_language_model, choose_prompt, next_logits
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.generation.generation_tree import (
    continuation_log_probabilities,
    node_log_probabilities,
    path_totals,
    write_tree,
)
from core.models.generation.sampling import generate
from core.models.neural_language_model import log_softmax, read
from pages.generation.parts.broken_context import MEMORY, break_context
from pages.generation.parts.grown_tree import (
    grow_buttons,
    scored,
    take_act,
    tree_in_use,
    write_on,
)
from pages.generation.parts.tree_numbers import every_model_on, mean_of_leaves, tree_numbers
from pages.generation.parts.tree_pictures import generation_tree as card_picture
from pages.generation.parts.tree_view import show_tree

LESSON = Lesson(
    __name__,
    title="The tree of texts",
    question="What would the model have written, had one token been another?",
    icon="🌳",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\ln p(y) = \sum_{i=1}^{n} \ln p(y_i \mid \text{prompt}, y_1 \dots y_{i-1}) \qquad "
        r"\text{a token: } \tfrac{1}{n} \ln p(y)",
        "$y_i$: the $i$-th token after the prompt; $p(y_i \\mid \\dots)$ stands in its box, and the box is filled as high. "
        "A text is a path from the prompt to an end; its probability is the product of its boxes, so $\\ln p$ is a sum.",
    )
    document = text_source()
    take_act(LESSON)
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        chosen = choose_language_model(LESSON, document)
        prompt = choose_prompt(LESSON, document, chosen, "My lord, I will not ")
        settings = {
            "length": st.slider("Tokens at a time", 1, 60, 10, key=f"{LESSON}_length", bind="query-params"),
            "temperature": st.slider(
                "T, to sample with", 0.1, 2.0, 1.0, 0.1, key=f"{LESSON}_temperature", bind="query-params"
            ),
            "seed": st.number_input("Seed of the next sample", 0, 9999, 3, key=f"{LESSON}_seed"),
            "width": st.slider("Width of the beam", 1, 8, 4, key=f"{LESSON}_width", bind="query-params"),
        }
        whole = chosen
        chosen = break_context(LESSON, whole, "What was forced earlier no longer changes what comes.")
    broken = chosen is not whole
    with picture:
        buttons = st.container()
        view = st.container()
        st.text_input(
            "Write on yourself: tokens to force after the opened one",
            key=f"{LESSON}_own",
            on_change=write_on,
            args=(LESSON, chosen),
            max_chars=100,
        )
        tree, opened = tree_in_use(LESSON, chosen, document, prompt)
        path = tuple(tree.path(opened))
        logits = next_logits(chosen.label, document.digest, (*prompt.ids, *path), chosen.model)
        ln_p = scored(chosen, document, prompt, tree)
    with buttons:
        grow_buttons(LESSON, chosen, document, prompt, opened, settings)
    with view:
        show_tree(LESSON, chosen, document, prompt, tree, opened, log_softmax(logits))
        st.caption(
            "Click a token to open its distribution, then another token to branch from there. Each end has its path's ln p."
        )
        st.code(chosen.decode((*prompt.ids, *path)) or " ", language=None, wrap_lines=True)
    if broken:
        before = mean_of_leaves(tree, scored(whole, document, prompt, tree))
        st.markdown(f"The same paths, scored with the whole context and with {MEMORY} tokens of it:")
        consequence("Mean ln p of a token", before, mean_of_leaves(tree, ln_p), ".3f")

    every_model_on(LESSON, document, prompt.text, tree, chosen.names)
    tree_numbers(LESSON, chosen, tree, ln_p, logits)
    code_that_ran(continuation_log_probabilities, node_log_probabilities, path_totals, generate, read)
    take_away(
        LESSON,
        [
            *whole.cells,
            "from core.models.generation.generation_tree import (\n"
            "    continuation_log_probabilities, node_log_probabilities, path_totals, read_tree\n)\n\n"
            f"prompt = read({prompt.text!r})\n"
            f"tree = read_tree({write_tree(tree, len(chosen.names))!r}, {len(chosen.names)})\n"
            "ln_p = node_log_probabilities(tree, lambda y: continuation_log_probabilities(model, prompt, y))\n"
            "totals, lengths = path_totals(tree, ln_p)",
            "for leaf in tree.leaves:\n"
            "    print(round(totals[leaf], 2), round(totals[leaf] / lengths[leaf], 2), repr(write(tree.path(leaf))))",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "One prompt alone: grow your own tree, then ask greedy to go on",
                {"model": whole.label, "tree": str(len(chosen.names))},
            ),
            ("Byte pairs: fewer, longer tokens. Are the same words likely?", {"model": "GPT, byte pairs"}),
            ("A model that forgets: force a name, and see how soon it is lost", {"forget": True}),
        ],
        [
            "Dan Jurafsky and James H. Martin, Speech and Language Processing (3rd ed. draft), chapters 3 and 10.",
            "Sebastian Gehrmann, Hendrik Strobelt and Alexander Rush (2019), GLTR: statistical detection and visualization "
            "of generated text, for reading each token against its distribution.",
        ],
    )
