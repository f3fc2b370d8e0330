"""Beam search: the few best beginnings, step by step, with all that was pruned; beside greedy and sampled texts."""

import streamlit as st

from core.figures.worked import signed
from core.lesson.break_it import break_it, consequence
from core.lesson.choices.language_model_choice import choose_language_model, choose_prompt
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.generation.beam_search import beam_search, best_of, candidates
from core.models.neural_language_model import read_on
from pages.generation.parts.beam_comparison import (
    Search,
    compared,
    comparison,
    how_wide,
)
from pages.generation.parts.text_beam import candidates_table, ending, show_beam
from pages.generation.parts.tree_pictures import beam_of_two as card_picture

LESSON = Lesson(
    __name__,
    title="Beam search",
    question="How can a model look ahead before it chooses a token?",
    icon="🔦",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\text{score}(y) = \frac{\ln p(y)}{|y|^{a}} \qquad \text{keep the } w \text{ best beginnings, "
        r"lengthen each by its } w \text{ likeliest tokens, keep the } w \text{ best again}",
        "$\\ln p(y)$: the sum of the ln p of a text's tokens; $|y|$: their number; $w$: the width of the beam, and $w = 1$ "
        "is greedy search; $a$: the length penalty. With $a = 0$ the most probable text wins, and every token costs; with "
        "$a = 1$ the highest mean.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        chosen = choose_language_model(LESSON, document)
        prompt = choose_prompt(LESSON, document, chosen, "O, ")
        width = st.slider("Width w", 1, 8, 4, key=f"{LESSON}_width", bind="query-params")
        length = st.slider("Tokens at most", 2, 60, 40, key=f"{LESSON}_length", bind="query-params")
        penalty = st.slider(
            "Length penalty a", 0.0, 2.0, 1.0, 0.1, key=f"{LESSON}_penalty", bind="query-params"
        )
        end = ending(LESSON, chosen)
        broken = break_it(
            LESSON,
            "unfair",
            "Break it: no length penalty (a = 0)",
            "Each further token makes a text less probable.",
        )
    search = Search(chosen, document, prompt, length, end)
    used = 0.0 if broken else penalty
    tree = search.beam(width, used)
    with picture:
        deepest = max(node.depth for node in tree.nodes)
        steps = [f"the candidates for token {i}" for i in range(1, deepest + 1)]
        step = 1 + stepper(LESSON, steps, start=9)
        about = f"{hash(prompt.ids)}_{chosen.label}_{width}_{used}_{end}_{length}"
        revealed = show_beam(LESSON, chosen, tree, step, about)
        st.caption(
            "Columns are steps, the best score on top. Grey and struck out: pruned. Grey: kept once, but nothing kept "
            "comes from it any more. Vermillion: the best text of this step. Below it, the best text of the whole search:"
        )
        best = tree.nodes[tree.best]
        if revealed or step < deepest:
            st.code(chosen.decode((*prompt.ids, *tree.winning_path)) or " ", language=None, wrap_lines=True)
            mean = signed(best.total / best.depth, 3)
            st.text(f"ln p = {signed(best.total)}, {best.depth} tokens, {mean} a token")
    if broken:
        fair = search.beam(width, penalty)
        st.markdown(
            f"The best text with a = {penalty:g} and with a = 0: its length."
            + (" All texts have the same length here; let them end at a full stop." if end is None else "")
        )
        consequence("Tokens in the best text", fair.nodes[fair.best].depth, best.depth, "d")

    st.header("Greedy, sampled and beam texts", anchor=False)
    seeds = st.columns([1, 3])[0].number_input(
        "First of three seeds", 0, 9999, 1, key=f"{LESSON}_seed", bind="query-params"
    )
    comparison(LESSON, search, compared(search, width, used, range(seeds, seeds + 3)), used)
    st.header("How wide is wide enough?", anchor=False)
    how_wide(LESSON, search, width, used)
    candidates_table(LESSON, chosen, tree, step, used)
    code_that_ran(beam_search, candidates, best_of, read_on)
    take_away(
        LESSON,
        [
            *chosen.cells,
            "from core.models.generation.beam_search import beam_search\n\n"
            f"tree = beam_search(model, read({prompt.text!r}), {width}, {length}, length_penalty={used}, end={end})\n"
            "best = tree.nodes[tree.best]\nprint(best.total, best.depth, write(tree.winning_path))",
        ],
    )
    try_this(
        LESSON,
        [
            ("Width 1 is greedy: what does it miss?", {"width": 1}),
            ("No length penalty: short texts win", {"unfair": True}),
            (
                "Byte pairs, width 8, the end of a line",
                {"model": "GPT, byte pairs", "width": 8, "end": "the end of a line"},
            ),
        ],
        [
            "Bruce Lowerre (1976), The HARPY Speech Recognition System: where beam search comes from.",
            "Yonghui Wu et al. (2016), Google's neural machine translation system, for a length penalty.",
            "Clara Meister, Tim Vieira and Ryan Cotterell (2020), If beam search is the answer, what was the question?",
        ],
    )
