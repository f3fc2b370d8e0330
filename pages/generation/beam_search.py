"""Beam search: the few best beginnings, step by step, with all that was pruned; beside greedy and sampled texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.beam_search import beam_payload, beam_trace, level_order, widths_figure
from core.figures.generation.generation_tree import in_runs, small_tree, tree_payload
from core.figures.generation.sampling import shown
from core.figures.generation.text_numbers import worked_candidate, worked_text
from core.figures.worked import how_often, signed
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import (
    ChosenModel,
    choose_language_model,
    choose_prompt,
    say_what_goes_in,
)
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.predict_first import Question
from core.lesson.text_source import text_source
from core.models.generation.beam_search import BeamTree, beam_search, best_of, candidates, shortened
from core.models.generation.generation_tree import GenerationTree, continuation_log_probabilities
from core.models.generation.sampling import Settings
from core.models.generation.scored_text import ScoredText, until
from core.models.language_model import LanguageModel
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney
from core.models.neural_language_model import read_on
from core.models.stored_language_models import Prompt
from core.text.reading.documents import Document
from pages.generation.shared.scored_paths import GREEDY, path_log_probabilities, scored, searched, written

LESSON = Lesson(
    __name__,
    title="Beam search",
    question="How can a model look ahead before it chooses a token?",
    icon="flashlight",
)
WIDTHS = tuple(range(1, 9))
ROUNDING = 1e-5  # nats: the same text scored beside others comes out a little different in float32
LONGEST = 60  # tokens of a text
ASKED = 5  # steps of which the best candidate is guessed
ENDS = {"a full stop": ".", "the end of a line": "\n", "the end of a sentence": "</s>"}


def picture() -> Figure:
    """A beam of two texts after "the": what was kept, what was pruned, and the best."""
    counted = few_sentences()
    prompt = counted.encode("the", end=False)
    found = beam_search(kneser_ney(counted.counts, 3), prompt, width=2, length=4)
    names = [counted.name(token) for token in range(len(counted.vocabulary))]
    return small(small_tree(beam_payload(found, names, counted.text, 4, rows=4)))


@dataclass(frozen=True)
class Search:
    """A prompt and its model, and what all searches on it share: how long a text is at most, where it ends."""

    chosen: ChosenModel
    document: Document
    prompt: Prompt
    length: int
    end: int | None

    def beam(self, width: int, penalty: float) -> BeamTree:
        """Return the tree of a beam search."""
        about = self.chosen.label, self.document.digest, self.prompt.ids
        return beam_of(*about, width, self.length, penalty, self.end, self.chosen.model)

    def traced(self, width: int, penalty: float, steps: int) -> dict:
        """Return the first steps of a beam search as the view steps through them."""
        about = self.chosen.label, self.document.digest, self.prompt.ids, width, self.length, penalty
        return traced(*about, self.end, steps, self.beam(width, penalty), self.chosen)

    def found(self, way: str, tokens) -> ScoredText:
        """Return a text with ln p of each token."""
        tokens = tuple(int(token) for token in tokens)
        about = self.chosen.label, self.document.digest, self.prompt.ids
        return ScoredText(way, tokens, path_log_probabilities(*about, tokens, self.chosen.model))

    def drawn(self, way: str, settings: Settings, seed: int) -> ScoredText:
        """Return a greedy or sampled text."""
        made = written(self.chosen, self.document, self.prompt.ids, self.length, settings, seed)
        return self.found(way, until(made, self.end))


def page() -> None:
    """The search step by step; beside it greedy and sampled texts; wider and wider beams; a step's candidates."""
    LESSON.open(
        r"\text{score}(y) = \frac{\ln p(y)}{|y|^{a}} \qquad \text{keep the } w \text{ best beginnings, "
        r"lengthen each by its } w \text{ likeliest tokens, keep the } w \text{ best again}",
        "$\\ln p(y)$: the sum of the ln p of a text's tokens; $|y|$: their number; $w$: the width of the beam, and $w = 1$ "
        "is greedy search; $a$: the length penalty. With $a = 0$ the most probable text found wins, and every token costs; "
        "with $a = 1$ the highest mean.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        chosen = choose_language_model(LESSON, document)
        prompt = choose_prompt(LESSON, document, chosen, "O, ")
        width = LESSON.slider("width", "Width w", 1, 8, 4)
        label, hint = "Break it: no length penalty (a = 0)", "Each further token makes a text less probable."
        broken = LESSON.break_it("unfair", label, hint)
        with LESSON.more():
            length = LESSON.slider("length", "Tokens at most", 2, LONGEST, 40)
            penalty = LESSON.slider("penalty", "Length penalty a", 0.0, 2.0, 1.0, 0.1)
            end = ending(chosen)
    search = Search(chosen, document, prompt, length, end)
    used = 0.0 if broken else penalty
    tree = search.beam(width, used)
    best = search.found(f"beam of {width}", tree.winning_path)
    with stage:
        deepest = max(node.depth for node in tree.nodes)
        about = f"{hash(prompt.ids)}_{chosen.label}_{width}_{used}_{end}_{length}"
        reached = LESSON.ask_in_turn(deepest, partial(question_of, chosen, tree, about))
        revealed = reached == deepest
        if reached:
            beam = search.traced(width, used, reached)
            LESSON.stepped_view("generation_tree", {"beam": beam, "live": False, "total": deepest}, start=9)
        if revealed:
            greedy = search.found("greedy", search.beam(1, used).winning_path)
            LESSON.caption(beside_greedy(best, greedy, width, used))
            second = beam["steps"][min(2, deepest) - 1]
            LESSON.set_values(
                width=width, candidates=second["candidates"], kept=second["kept"], a=f"{used:g}"
            )
            score = signed(best.score(used), 3)
            LESSON.set_values(tokens=len(best.tokens), total=signed(best.total, 3), score=score)
        st.caption(
            "Columns are steps, the best score on top. Grey and struck out: pruned. Grey: kept once, but nothing kept "
            "comes from it any more. Vermillion: the best text of this step."
            + (" Below it, the best text of the whole search:" if revealed else "")
        )
        if revealed:
            st.code(chosen.decode((*prompt.ids, *best.tokens)) or " ", language=None, wrap_lines=True)
            n, mean = len(best.tokens), signed(best.mean, 3)
            st.text(f"ln p = {signed(best.total, 3)}, {n} {'token' if n == 1 else 'tokens'}, {mean} a token")
        say_what_goes_in(LESSON, chosen, prompt)

    if revealed:
        if broken:
            what_no_penalty_does(search, width, penalty)
        if several := LESSON.section("others", "Greedy, sampled and beam texts"):
            with several:
                beside_others(search, best, used)
        if wide := LESSON.section("wide", "How wide is wide enough?"):
            with wide:
                how_wide(search, width, used)
        LESSON.every_number("the candidates", candidates_table, chosen, tree, used)
    LESSON.closing(
        code=[
            beam_search,
            candidates,
            best_of,
            shortened,
            read_on,
            continuation_log_probabilities,
            ScoredText,
        ],
        notebook=[
            *chosen.cells,
            "from core.models.generation.beam_search import beam_search\n\n"
            f"tree = beam_search(model, read({prompt.text!r}), {width}, {length}, length_penalty={used}, end={end})\n"
            "best = tree.nodes[tree.best]\nprint(best.total, best.depth, write(tree.winning_path))",
        ],
        plot=(
            "from core.figures.generation.beam_search import beam_payload\n"
            "from core.figures.generation.generation_tree import small_tree\n\n"
            "draw(small_tree(beam_payload(tree, model.vocabulary, write, len(tree.winning_path))))"
        ),
        try_this=[
            ("Width 1 is greedy: what does it miss?", {"width": 1}),
            ("No length penalty: does a shorter text win?", {"unfair": True}),
            (
                "Byte pairs, width 8, the end of a line",
                {"model": "GPT, byte pairs", "width": 8, "end": "the end of a line"},
            ),
        ],
        sources=[
            "Bruce Lowerre (1976), The HARPY Speech Recognition System: where beam search comes from.",
            "Yonghui Wu et al. (2016), Google's neural machine translation system, for a length penalty.",
            "Clara Meister, Tim Vieira and Ryan Cotterell (2020), If beam search is the answer, what was the question?",
        ],
    )


def ending(chosen: ChosenModel) -> int | None:
    """Draw the choice where a text ends; return the token that ends it, None for a fixed length."""
    label = LESSON.select("end", "A text ends at", [*ENDS, "its full length"])
    mark = ENDS.get(label)
    if mark is not None and mark not in chosen.names:
        st.caption(f"This model has no token for {label}, so every text has its full length.")
    return chosen.names.index(mark) if mark in chosen.names else None


@cached(40, 20, shared=no_typed_words)
def beam_of(
    label: str,
    digest: str,
    ids: tuple[int, ...],
    width: int,
    length: int,
    penalty: float,
    end: int | None,
    _model: LanguageModel,
) -> BeamTree:
    """Return the tree of a beam search, of which the longest is searched: all lengths and penalties share it."""
    return shortened(searched(label, digest, ids, width, LONGEST, 1.0, end, _model), length, penalty)


@cached(60, 30, shared=no_typed_words)
def traced(
    label: str,
    digest: str,
    ids: tuple[int, ...],
    width: int,
    length: int,
    penalty: float,
    end: int | None,
    steps: int,
    _tree: BeamTree,
    _chosen: ChosenModel,
) -> dict:
    """Return the first steps of a beam search as the view steps through them."""
    return beam_trace(_tree, _chosen.names, _chosen.decode, steps)


def question_of(chosen: ChosenModel, tree: BeamTree, about: str, place: int) -> Question | None:
    """Return what is asked before one of the first steps: which of its candidates is the best."""
    if place >= ASKED:
        return None
    texts = [shown(chosen.decode(tree.path(i))) for i in level_order(tree, place + 1)[-1][:6]]
    question = f"Which candidate of step {place + 1} has the best score?"
    return Question(question, sorted(set(texts)), texts[0], f"{about}_{place}")


def beside_greedy(best: ScoredText, greedy: ScoredText, width: int, penalty: float) -> str:
    """Say what looking ahead has won over greedy search: a better score, the same text, or a worse one."""
    scores = f"score {signed(best.score(penalty), 3)}, greedy's {signed(greedy.score(penalty), 3)}"
    if best.tokens == greedy.tokens:
        return f"The beam of {width} ends with the very text that greedy search writes: {scores}."
    better = "a better" if best.score(penalty) > greedy.score(penalty) else "no better"
    return f"The beam of {width} ends with another text than greedy search, and {better} one: {scores}."


def what_no_penalty_does(search: Search, width: int, penalty: float) -> None:
    """Compare the best text with and without the length penalty: its length."""
    lengths = [len(search.beam(width, a).winning_path) for a in (penalty, 0.0)]
    if not penalty:
        said = "Your length penalty is 0 already: nothing is taken out."
    elif search.end is None:
        said = "All texts have the same length here; let them end where this model has a token for it."
    elif lengths[0] == lengths[1]:
        said = "On this prompt the same length wins either way; the scores in the picture are no longer divided by it."
    else:
        n = abs(lengths[0] - lengths[1])
        said = f"Without the penalty the best text is {n} {'token' if n == 1 else 'tokens'} " + (
            "shorter." if lengths[1] < lengths[0] else "longer."
        )
    LESSON.set_values(verdict=said)
    st.markdown(f"The best text with a = {penalty:g} and with a = 0: its length. {said}")
    consequence("Tokens in the best text", *lengths, "d")


def beside_others(search: Search, best: ScoredText, penalty: float) -> None:
    """Compare the beam's text with a greedy one and three that are sampled."""
    with st.columns([1, 3])[0]:
        first = LESSON.number("seed", "First of three seeds", 0, 9999, 1)
    seeds = range(first, first + 3)
    sampled = [search.drawn(f"sampled, seed {seed}", Settings(), seed) for seed in seeds]
    compare(search, [search.drawn("greedy", GREEDY, 0), *sampled, best], penalty)


def compare(search: Search, texts: list[ScoredText], penalty: float) -> None:
    """Draw several texts as one tree, and promise their numbers."""
    tree, ends = GenerationTree(), {}
    for text in texts:
        tree, end = tree.grown(0, text.tokens, text.way.split(",")[0].split(" of ")[0])
        ends[end] = f"{ends[end]}, {text.way}" if end in ends else text.way
    ln_p = scored(search.chosen, search.document, search.prompt, tree)
    payload = tree_payload(tree, ln_p, search.chosen.names, ends=ends)
    payload = in_runs(payload, tree, ln_p, search.chosen.decode)
    LESSON.view("generation_tree", {**payload, "live": False}, "texts")
    LESSON.every_number("the texts", texts_table, search, texts, penalty)


def texts_table(search: Search, texts: Sequence[ScoredText], penalty: float) -> tuple[pd.DataFrame, Formula]:
    """Return the texts' numbers."""
    table = pd.DataFrame(
        {
            "found by": [text.way for text in texts],
            "tokens": [len(text.tokens) for text in texts],
            "ln p": [text.total for text in texts],
            "ln p / tokens": [text.mean for text in texts],
            "score": [text.score(penalty) for text in texts],
            "text": [shown(search.chosen.decode(text.tokens)) for text in texts],
        }
    )
    return table, lambda row, column: worked_text(texts[row].ln_p, column, penalty)


def how_wide(search: Search, width: int, penalty: float) -> None:
    """Draw the best text's score against the beam's width; say what greedy missed and where wider was worse."""
    found = [search.found(f"{w}", search.beam(w, penalty).winning_path) for w in WIDTHS]
    scores = [text.score(penalty) for text in found]
    changes = [b - a for a, b in pairwise(scores)]
    better, worse = (sum(sign * change > ROUNDING for change in changes) for sign in (1, -1))
    missed = max(scores) - scores[0]
    greedy = (
        f"misses the best of these scores by **{missed:.3f}**"
        if missed >= 5e-4
        else "already has the best of these scores"
    )
    rose, fell, stayed = (how_often(n) for n in (better, worse, len(changes) - better - worse))
    LESSON.set_values(missed=greedy.replace("*", ""), rose=rose, fell=fell, stayed=stayed, widest=WIDTHS[-1])
    st.markdown(
        f"Greedy search, width 1, {greedy}. From one width to the next the score rose {rose}, fell {fell} and stayed "
        f"{stayed}: what is pruned early never comes back, so a wider beam need not find a better text."
    )
    texts = [shown(search.chosen.decode(text.tokens)) for text in found]
    alt = f"The best text's score, from {scores[0]:.3f} at width 1 to {scores[-1]:.3f} at width {WIDTHS[-1]}"
    LESSON.figure("widths", widths_figure(WIDTHS, scores, texts, width), alt)


def candidates_table(chosen: ChosenModel, tree: BeamTree, penalty: float) -> tuple[pd.DataFrame, Formula]:
    """Return all candidates of all steps."""
    deepest = max(node.depth for node in tree.nodes)
    places = [place for level in level_order(tree, deepest) for place in level]
    nodes = [tree.nodes[place] for place in places]
    table = pd.DataFrame(
        {
            "step": [node.depth for node in nodes],
            "text so far": [shown(chosen.decode(tree.path(place))) for place in places],
            "token": [shown(chosen.names[node.token]) for node in nodes],
            "ln p of the token": [node.log_probability for node in nodes],
            "ln p": [node.total for node in nodes],
            "score": [node.score for node in nodes],
            "kept": [node.kept for node in nodes],
        }
    )
    return table, lambda row, column: worked_candidate(nodes[row], column, penalty)
