"""Beam search: what the story shows beat by beat, and the lab in which a learner follows a beam step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
import streamlit as st
import torch

from core.figures.generation.beam_search import beam_trace, level_order
from core.figures.generation.generation_tree import in_runs, tree_payload
from core.figures.text_tree import BEST, FAINT, PLAIN, Box, lay_lattice
from core.figures.token_label import label_token
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import ChosenModel
from core.lesson.predict_first import Question
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.generation.beam_search import BeamTree, beam_search, best_of, extend_path, shortened
from core.models.generation.generation_tree import GenerationTree, continuation_log_probabilities
from core.models.generation.sampling import SamplingSettings
from core.models.generation.scored_text import ScoredText, until
from core.models.language_model import LanguageModel
from core.models.neural_language_model import read, read_on
from core.models.stored_language_models import Prompt, encode, stored_language_model
from core.text.reading.documents import Document
from core.words.numbers import format_share, signed
from pages.generation.beam_search import LESSON
from pages.generation.beam_search.figures import (
    candidates_table,
    draw_bars,
    draw_partial_texts,
    draw_widths,
    texts_table,
)
from pages.generation.shared import WORDS as SHARED
from pages.generation.shared.chosen_model import (
    FIRST,
    MODEL,
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

WORDS = LESSON.words
MAIN, ENDED = "You have", "I love"  # prompts of the story
EXAMPLES = BEGINNINGS
LENGTH, TWO, THREE, FOUR = 5, 2, 3, 4  # tokens of a text in the story, and widths of its beams
ROWS = 4  # boxes of a column: the kept ones, and then pruned ones
STEP_LOST = 4  # the step at which the wider beam prunes the narrower one's winner
LONGER = 8  # tokens of a text that may end earlier
SHOWN_WIDTHS = (1, 2, 3, 4, 5, 6)
ROUNDING = 1e-5  # nats: the same text scored beside others comes out a little different in float32

OWN_PROMPT = Text("typed", BEGINNINGS[4], 100)
OWN_WIDTH = Slider("width", 2, 1, 4)
STORY_PENALTY = Slider("penalty", 0.0, 0.0, 1.0, 0.1)

ENDS = {"stop": ".", "line": "\n", "sentence": "</s>"}
TYPED = Text("typed", MAIN, 2000)
WIDTH = Slider("width", 4, 1, 8)
UNFAIR = Switch("unfair")
TOKENS = Slider("length", 40, 2, 60)
PENALTY = Slider("penalty", 1.0, 0.0, 2.0, 0.1)
END = Choice(
    "end",
    "stop",
    (*ENDS, "full"),
    {
        "a full stop": "stop",
        "the end of a line": "line",
        "the end of a sentence": "sentence",
        "its full length": "full",
    },
)
WIDE = Switch("wide")  # the fold of the widths
STEP = Slider("step", 9, 1, 60)  # of the picture
LAB = (TYPED, WIDTH, TOKENS, PENALTY, END, WIDE, STEP)
WIDTHS = tuple(range(1, 9))
ASKED = 5  # steps of which the best candidate is guessed


# The story: what each beat shows.


def show_greedy(settings: Settings) -> Part:
    """The greedy text, and one that a beam of two finds."""
    greedy, found = (find(settings.typed, width) for width in (1, TWO))
    first = first_tokens(settings.typed, (greedy, found))
    boxes = [
        *lay_text(settings.typed, greedy, 0, first, "greedy", "end.greedy", False),
        *lay_text(settings.typed, found, 1, first, "beam", "end.beam", True),
    ]
    values = {
        "first": name_of(greedy[0]),
        "other": name_of(found[0]),
        "totals": [signed(total) for total in (boxes[0].total, boxes[LENGTH].total)],
        "ends": [signed(total) for total in (boxes[LENGTH - 1].total, boxes[-1].total)],
        "times": np.exp(boxes[-1].total - boxes[LENGTH - 1].total),
        "greedy_text": text_of(greedy),
        "beam_text": text_of(found),
    }
    return show(boxes, settings.typed, values, {"width": "width", "best": "best"})


def show_two(settings: Settings) -> Part:
    """The first step: two tokens are kept, the next ones are not."""
    ln_p, order = next_log_probabilities(settings.typed)
    boxes = [
        Box(
            (int(token),),
            float(np.exp(ln_p[token])),
            float(ln_p[token]),
            row,
            row,
            PLAIN if row < TWO else FAINT,
            f"cell.1.{row + 1}",
        )
        for row, token in enumerate(order[:ROWS])
    ]
    values = {
        "kept": [name_of(token) for token in order[:TWO]],
        "totals": [signed(float(ln_p[token])) for token in order[:TWO]],
        "p": [float(np.exp(ln_p[token])) for token in order[:TWO]],
        "width": TWO,
        "next": name_of(order[TWO]),
    }
    return show(boxes, settings.typed, values, {"width": "width", "faint": "pruned"})


def show_four(settings: Settings) -> Part:
    """The second step: four candidates, of which the greedy ones are pruned."""
    tree = beam_of(settings.typed, TWO)
    boxes = lay_lattice(tree, 2, ROWS)
    last = [box for box in boxes if len(box.path) == 2]
    values = {
        "first": name_of(boxes[0].path[0]),
        "other": name_of(boxes[1].path[0]),
        "candidates": len(last),
        "width": TWO,
        "lost": name_of(last[2].path[1]),
    }
    return show(boxes, settings.typed, values, {"width": "width", "faint": "pruned"}, step=2)


def ask_third(settings: Settings) -> Part:
    """The third step: its four candidates; the answer keeps two of them."""
    tree = beam_of(settings.typed, TWO)
    boxes = lay_lattice(tree, 3, ROWS, waiting=not settings.revealed)
    before = [box for box in lay_lattice(tree, 2, ROWS) if len(box.path) == 2 and box.kind == PLAIN]
    kept = [box.path for box in lay_lattice(tree, 3, ROWS) if len(box.path) == 3 and box.kind == PLAIN]
    of_leader = sum(path[:2] == before[0].path for path in kept)
    values = {
        "leader": text_of(before[0].path),
        "second": text_of(before[1].path),
        "totals": [signed(box.total) for box in before],
        "survive": of_leader,
        "width": TWO,
    }
    answer = ("second", "each", "leader")[of_leader]
    key = {"width": "width", "faint": "pruned"} | ({} if settings.revealed else {"open": "candidate"})
    return show(
        boxes, settings.typed, values, key, step=3, choices=("leader", "each", "second"), answer=answer
    )


def show_whole(settings: Settings) -> Part:
    """All steps of the search, with the best text that it found."""
    tree = beam_of(settings.typed, TWO)
    boxes = lay_lattice(tree, LENGTH, ROWS, best=True)
    boxes = [
        replace(box, ends=(WORDS.label("end.best"),), strong=True)
        if box.kind == BEST and len(box.path) == LENGTH
        else box
        for box in boxes
    ]
    values = {
        "looked": len(tree.nodes) - 1,
        "all": float(len(vocabulary())) ** LENGTH,
        "length": LENGTH,
        "best": text_of(tree.winning_path),
        "total": signed(tree.nodes[tree.best].total),
        "width": TWO,
    }
    key = {"width": "width", "faint": "pruned", "best": "best"}
    return show(boxes, settings.typed, values, key, step=LENGTH)


def ask_wider(settings: Settings) -> Part:
    """How probable the text is that beams of one and two find; the answer adds wider ones."""
    found = {width: find(settings.typed, width) for width in SHOWN_WIDTHS}
    totals = {width: beam_of(settings.typed, width) for width in SHOWN_WIDTHS}
    totals = {width: tree.nodes[tree.best].total for width, tree in totals.items()}
    times = {width: float(np.exp(total - totals[1])) for width, total in totals.items()}
    most = max(times.values()) * 1.05 if settings.revealed else times[TWO] * 1.6
    rows = []
    for width in SHOWN_WIDTHS if settings.revealed else SHOWN_WIDTHS[:THREE]:
        known = settings.revealed or width < THREE
        rows.append(
            {
                "name": WORDS.label("bar.width", width=width),
                "mark": f"bar.{width}",
                "to": times[width] if known else most,
                "text": WORDS.label("bar.times", times=times[width]) if known else "?",
                "note": text_of(found[width]) if known else "",
                "kind": "open" if not known else "best" if width in (TWO, THREE) else "plain",
            }
        )
    change = totals[THREE] - totals[TWO]
    answer = "same" if abs(change) < ROUNDING else "more" if change > 0 else "less"
    values = {
        "times": times,
        "two": TWO,
        "three": THREE,
        "widest": SHOWN_WIDTHS[-1],
        "text": text_of(found[TWO]),
    }
    return Part(
        "layer_bars",
        draw_bars(WORDS.label("bars.wider"), rows, most),
        values,
        story_lab(settings.typed, width=THREE, wide=True),
        choices=("more", "same", "less"),
        answer=answer,
    )


def show_lost(settings: Settings) -> Part:
    """The step at which a wider beam prunes the text with which the narrower one won."""
    tree, narrow = beam_of(settings.typed, THREE), find(settings.typed, TWO)
    boxes = lay_lattice(tree, STEP_LOST, ROWS)
    last = [box for box in boxes if len(box.path) == STEP_LOST]
    lost = next(box for box in last if box.path == narrow[:STEP_LOST])
    worst = max(
        (box for box in last if box.kind == PLAIN and box.total > lost.total), key=lambda box: -box.total
    )
    narrower = beam_of(settings.typed, TWO)
    next_p = float(np.exp(narrower.nodes[narrower.best].log_probability))
    leading = last[0].path[:-1]
    values = {
        "lost": text_of(lost.path),
        "rank": last.index(lost) + 1,
        "gap": worst.total - lost.total,
        "width": THREE,
        "step": STEP_LOST,
        "next": name_of(narrow[STEP_LOST]),
        "next_p": format_share(next_p),
        "leading": text_of(leading),
        "pruned": name_of(leading[0]),
        "above": sum(box.path[:-1] == leading for box in last[: last.index(lost)]),
    }
    ends = WORDS.label("end.pruned", width=THREE), WORDS.label("end.won", width=TWO)
    boxes = [replace(box, ends=ends, mark="lost") if box is lost else box for box in boxes]
    key = {"width": "width", "faint": "pruned"}
    return show(boxes, settings.typed, values, key, step=STEP_LOST, width=THREE)


def show_ends(settings: Settings) -> Part:
    """A text that ends early, and a longer one; which of them wins depends on the length penalty."""
    stop = vocabulary().index(ENDS["stop"])
    whole = searched_after(settings.typed, FOUR, LONGER, stop)
    short, long = (tuple(shortened(whole, LONGER, a).winning_path) for a in (0.0, 1.0))
    winner = tuple(shortened(whole, LONGER, settings.penalty).winning_path)
    boxes, scores = [], {}
    first = first_tokens(settings.typed, (short, long))
    for row, (name, tokens) in enumerate((("short", short), ("long", long))):
        laid = lay_text(settings.typed, tokens, row, first, name, "", tokens == winner)
        scores[name] = laid[-1].total / len(tokens) ** settings.penalty
        lines = (
            WORDS.label("end.tokens", n=len(tokens)),
            WORDS.label("end.score", score=signed(scores[name])),
        )
        laid[-1] = replace(laid[-1], ends=lines)
        boxes += [box for box in laid if box.path not in {each.path for each in boxes}]
    values = {
        "short": text_of(short),
        "long": text_of(long),
        "short_n": len(short),
        "long_n": len(long),
        "n": len(winner),
        "a": f"{settings.penalty:g}",
        "short_wins": winner == short,
        "scores": {name: signed(score) for name, score in scores.items()},
    }
    data = draw_partial_texts(clean(settings.typed), boxes, vocabulary(), {"width": "width", "best": "best"})
    lab = {"typed": settings.typed, "width": FOUR, "length": LONGER, "penalty": settings.penalty}
    return Part("text_tree", data, values, lab)


def show_own(settings: Settings) -> Part:
    """The learner's beginning, and a beam of the width that the learner sets."""
    width = settings.width
    tree = beam_of(settings.typed, width)
    boxes = lay_lattice(tree, LENGTH, ROWS + 1, best=True)
    greedy = beam_of(settings.typed, 1)
    change = tree.nodes[tree.best].total - greedy.nodes[greedy.best].total
    same = tree.winning_path == greedy.winning_path
    values = {
        "width": width,
        "best": text_of(tree.winning_path),
        "greedy": text_of(greedy.winning_path),
        "same": same,
        "times": float(np.exp(abs(change))),
        "better": change > 0,
    }
    key = {"width": "width", "best": "best"} | ({"faint": "pruned"} if width > 1 else {})
    return show(boxes, settings.typed, values, key, step=LENGTH, width=width)


def show_answer(settings: Settings) -> Part:
    """On how many beginnings a beam finds a more probable text than greedy decoding."""
    counts = compare_with_greedy(FOUR)
    rows = [
        {
            "name": WORDS.label(f"bar.{name}"),
            "mark": f"bar.{name}",
            "to": float(counts[name]),
            "text": f"{counts[name]}",
            "kind": "best" if name == "more" else "plain",
            "hue": hue,
        }
        for name, hue in (("more", "vermillion"), ("same", "ochre"), ("less", "blue"))
    ]
    values = {**counts, "tried": len(BEGINNINGS), "width": FOUR, "length": LENGTH}
    data = draw_bars(WORDS.label("bars.answer", width=FOUR, tried=len(BEGINNINGS)), rows, len(BEGINNINGS))
    return Part("layer_bars", data, values, story_lab(MAIN, width=FOUR))


STORY = (
    look("greedy", show_greedy, typed=MAIN),
    look("two", show_two, typed=MAIN),
    look("four", show_four, typed=MAIN),
    ask("third", ask_third, typed=MAIN),
    look("whole", show_whole, typed=MAIN),
    ask("wider", ask_wider, typed=MAIN),
    look("lost", show_lost, typed=MAIN),
    look("ends", show_ends, STORY_PENALTY, typed=ENDED),
    do("own", show_own, OWN_PROMPT, OWN_WIDTH, typed=BEGINNINGS[4]),
    end("answer", show_answer),
)


def show(
    boxes: Sequence[Box],
    prompt: str,
    values: dict,
    key: dict[str, str],
    step: int = LENGTH,
    width: int = TWO,
    choices: Sequence[str] = (),
    answer: str = "",
) -> Part:
    """Return a beat's picture of some partial texts; the lab opens at the same step of the same search."""
    data = draw_partial_texts(clean(prompt), boxes, vocabulary(), key)
    lab = story_lab(clean(prompt), width=width, step=step)
    return Part(
        "text_tree", data, {"prompt": clean(prompt), **values}, lab, choices=tuple(choices), answer=answer
    )


def story_lab(prompt: str, **settings) -> dict:
    """Return the settings with which the lab searches as the story does: a few tokens, no end, ln p as the score."""
    return {"typed": prompt, "length": LENGTH, "penalty": 0.0, "end": "full", **settings}


def vocabulary() -> tuple[str, ...]:
    """Return the tokens of the story's model, by id."""
    return stored_language_model(FIRST).vocabulary


def name_of(token: int) -> str:
    """Return a token as words show it."""
    return name_token(vocabulary()[token])


def text_of(tokens: Sequence[int]) -> str:
    """Return a text in one line as words show it."""
    return label_token("".join(vocabulary()[token] for token in tokens).strip(" ")).replace("␣", " ")


def clean(text: str) -> str:
    """Return a prompt without a space at its end, which would be a token of its own."""
    return text.rstrip()


def is_stored_prompt(text: str, *_) -> bool:
    """Return whether a prompt is one of the story's own, which everybody may share; what was typed is kept for nobody."""
    return text in EXAMPLES


@cached(100, 4, shared=is_stored_prompt)
def searched_after(text: str, width: int, length: int, stop: int | None) -> BeamTree:
    """Return the tree of a beam search of the story's model, whose score is ln p."""
    torch.set_num_threads(1)  # one token is too little work to share
    ids = encode(FIRST, clean(text)).ids
    return beam_search(stored_language_model(FIRST), ids, width, length, 0.0, stop)


def beam_of(text: str, width: int) -> BeamTree:
    """Return the tree of a beam search for texts of the story's length."""
    return searched_after(text, width, LENGTH, None)


def find(text: str, width: int) -> tuple[int, ...]:
    """Return the best text that a beam search finds."""
    return tuple(beam_of(text, width).winning_path)


@cached(100, 4, shared=is_stored_prompt)
def next_log_probabilities(text: str) -> tuple[np.ndarray, np.ndarray]:
    """Return ln p of each token after a text, (V,), and the tokens, the most probable first, (V,)."""
    torch.set_num_threads(1)
    ln_p = read(stored_language_model(FIRST), encode(FIRST, clean(text)).ids).log_probabilities
    return ln_p, np.argsort(-ln_p, kind="stable")


@cached(100, 4, shared=is_stored_prompt)
def log_probabilities_along(text: str, tokens: tuple[int, ...]) -> tuple[float, ...]:
    """Return ln p of each of some tokens after a text."""
    torch.set_num_threads(1)
    ids = encode(FIRST, clean(text)).ids
    return tuple(continuation_log_probabilities(stored_language_model(FIRST), ids, tokens).tolist())


def first_tokens(text: str, texts: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the hue of each first token: its place among the most probable ones, {token: place}."""
    _, order = next_log_probabilities(text)
    places = {int(token): place for place, token in enumerate(order[:100])}
    return {tokens[0]: places.get(tokens[0], 0) for tokens in texts}


def lay_text(
    prompt: str, tokens: Sequence[int], row: int, hues: dict[int, int], name: str, ending: str, best: bool
) -> list[Box]:
    """Return the boxes of one text in a row, with ln p of the text until each token."""
    ln_p = log_probabilities_along(prompt, tuple(tokens))
    return [
        Box(
            tuple(tokens[:depth]),
            float(np.exp(ln_p[depth - 1])),
            float(sum(ln_p[:depth])),
            row,
            hues[tokens[0]],
            BEST if best else PLAIN,
            f"{name}.{depth}",
            (WORDS.label(ending),) if ending and depth == len(tokens) else (),
            best,
        )
        for depth in range(1, len(tokens) + 1)
    ]


def compare_with_greedy(width: int) -> dict[str, int]:
    """Return on how many beginnings a beam's text is more probable than the greedy one, the same, and less probable."""
    counts = {"more": 0, "same": 0, "less": 0}
    for prompt in BEGINNINGS:
        beam, greedy = (beam_of(prompt, w) for w in (width, 1))
        change = beam.nodes[beam.best].total - greedy.nodes[greedy.best].total
        same = beam.winning_path == greedy.winning_path
        counts["same" if same else "more" if change > 0 else "less"] += 1
    return counts


# The lab: a beam search under any model, step by step.


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
        return search_once(*about, width, self.length, penalty, self.end, self.chosen.model)

    def traced(self, width: int, penalty: float, steps: int) -> dict:
        """Return the first steps of a beam search as the view steps through them."""
        about = self.chosen.label, self.document.digest, self.prompt.ids, width, self.length, penalty
        return trace_once(*about, self.end, steps, self.beam(width, penalty), self.chosen)

    def found(self, way: str, tokens: Sequence[int]) -> ScoredText:
        """Return a text with ln p of each token."""
        tokens = tuple(int(token) for token in tokens)
        about = self.chosen.label, self.document.digest, self.prompt.ids
        return ScoredText(way, tokens, path_log_probabilities(*about, tokens, self.chosen.model))

    def drawn(self, way: str, settings: SamplingSettings, seed: int) -> ScoredText:
        """Return a greedy or sampled text."""
        made = written(self.chosen, self.document, self.prompt.ids, self.length, settings, seed)
        return self.found(way, until(made, self.end))


def lab() -> None:
    """The search step by step; greedy and sampled texts; wider and wider beams; every number."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        model = LESSON.draw(MODEL)
        document, text = choose_prompt(LESSON, TYPED)
        chosen = open_model(model, document)
        prompt = chosen.encode(text)
        width = LESSON.draw(WIDTH)
        unfair = LESSON.draw(UNFAIR)
        with LESSON.options():
            length = LESSON.draw(TOKENS)
            penalty = LESSON.draw(PENALTY)
            end_token = choose_end(chosen)
    search = Search(chosen, document, prompt, length, end_token)
    used = 0.0 if unfair else penalty
    tree = search.beam(width, used)
    best = search.found(WORDS.label("way.beam", width=width), tree.winning_path)
    deepest = max(node.depth for node in tree.nodes)
    with stage:
        about = f"{hash(prompt.ids)}_{chosen.label}_{width}_{used}_{end_token}_{length}"
        reached = LESSON.ask_in_turn(deepest, partial(question_of, chosen, tree, about))
        revealed = reached == deepest
        if reached:
            beam = search.traced(width, used, reached) | {"score": WORDS.label("score", a=f"{used:g}")}
            LESSON.stepped_view(
                "generation_tree", {"beam": beam, "live": False, "total": deepest}, start=STEP.default
            )
        if revealed:
            greedy = search.found(WORDS.label("way.greedy"), search.beam(1, used).winning_path)
            say_beside_greedy(best, greedy, width, used)
            show_best(chosen, prompt, best)
        st.caption(WORDS.label("marks"))
        say_what_goes_in(LESSON, chosen, prompt)
    if revealed:
        if unfair:
            say_what_no_penalty_does(search, width, penalty)
        if others := LESSON.fold("others"):
            with others:
                show_others(search, best, used)
        if wide := LESSON.fold("wide"):
            with wide:
                show_widths(search, width, used)
        LESSON.every_number(
            WORDS.label("table.candidates"), candidates_table, tree, chosen.names, chosen.decode, used
        )
    LESSON.close_lab(
        code=[
            *(beam_search, extend_path, best_of, shortened),
            *(read_on, continuation_log_probabilities, ScoredText),
        ],
        parameters={
            **notebook_of(model),
            "prompt": prompt.text,
            "width": width,
            "length": length,
            "penalty": used,
            "end": end_token,
        },
        prompts={
            "greedy": {"width": 1},
            "unfair": {"unfair": True, "width": 4, "end": "stop", "typed": ENDED, "source": "typed"},
            "lines": {"model": "char_gpt", "width": 8, "end": "line"},
        },
    )


def choose_end(chosen: ChosenModel) -> int | None:
    """Draw the choice where a text ends; return the token that ends it, None for a fixed length."""
    where = LESSON.draw(END)
    mark = ENDS.get(where)
    if mark is not None and mark not in chosen.names:
        st.caption(WORDS.label("end.missing", end=WORDS.label(f"end.{where}")))
    return chosen.names.index(mark) if mark in chosen.names else None


@cached(40, 20, shared=no_typed_words)
def search_once(
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
    return shortened(searched(label, digest, ids, width, TOKENS.most, 1.0, end, _model), length, penalty)


@cached(60, 30, shared=no_typed_words)
def trace_once(
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
    """Return a guess to make before one of the first steps: which of its candidates is the best."""
    if place >= ASKED:
        return None
    texts = [label_token(chosen.decode(tree.path(i))) for i in level_order(tree, place + 1)[-1][:6]]
    question = WORDS.label("question", step=place + 1)
    return Question(question, sorted(set(texts)), texts[0], f"{about}_{place}")


def say_beside_greedy(best: ScoredText, greedy: ScoredText, width: int, penalty: float) -> None:
    """Say below the picture whether the beam's text has a better score than the greedy one."""
    change = best.score(penalty) - greedy.score(penalty)
    LESSON.say(
        "says.best",
        {
            "width": width,
            "same": best.tokens == greedy.tokens,
            "better": change > ROUNDING,
            "score": signed(best.score(penalty), 3),
            "greedy": signed(greedy.score(penalty), 3),
        },
    )


def show_best(chosen: ChosenModel, prompt: Prompt, best: ScoredText) -> None:
    """Write the best text of the whole search, and its numbers."""
    st.code(chosen.decode((*prompt.ids, *best.tokens)) or " ", language=None, wrap_lines=True)
    n, mean = len(best.tokens), signed(best.mean, 3)
    st.text(WORDS.label("best.numbers", total=signed(best.total, 3), n=n, mean=mean))


def say_what_no_penalty_does(search: Search, width: int, penalty: float) -> None:
    """Compare the best text with and without the length penalty: its length."""
    lengths = [len(search.beam(width, a).winning_path) for a in (penalty, 0.0)]
    case = (
        "none"
        if not penalty
        else "fixed"
        if search.end is None
        else "same"
        if lengths[0] == lengths[1]
        else ""
    )
    st.markdown(WORDS.markdown("says.unfair", case=case, a=penalty, n=lengths[0] - lengths[1]))
    LESSON.compare("unfair", *lengths, "d", None)


def show_others(search: Search, best: ScoredText, penalty: float) -> None:
    """Compare the beam's text with a greedy one and three that are sampled."""
    with st.columns([1, 3])[0]:
        seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, 1)
    sampled = [
        search.drawn(WORDS.label("way.sampled", seed=each), SamplingSettings(), each)
        for each in range(seed, seed + 3)
    ]
    texts = [search.drawn(WORDS.label("way.greedy"), GREEDY, 0), *sampled, best]
    ways = ["greedy", *["sampled"] * len(sampled), "beam"]
    tree, ends = GenerationTree(), {}
    for text, way in zip(texts, ways, strict=True):
        tree, leaf = tree.grown(0, text.tokens, way)
        ends[leaf] = f"{ends[leaf]}, {text.way}" if leaf in ends else text.way
    ln_p = scored(search.chosen, search.document, search.prompt, tree)
    payload = tree_payload(tree, ln_p, search.chosen.names, ends=ends, say=SHARED.label)
    payload = in_runs(payload, tree, ln_p, search.chosen.decode)
    LESSON.view("generation_tree", {**payload, "live": False}, "texts")
    LESSON.every_number(WORDS.label("table.texts"), texts_table, texts, search.chosen.decode, penalty)


def show_widths(search: Search, width: int, penalty: float) -> None:
    """Draw the best text's score against the beam's width; say what greedy missed and where wider was worse."""
    found = [search.found(f"{w}", search.beam(w, penalty).winning_path) for w in WIDTHS]
    scores = [text.score(penalty) for text in found]
    changes = [b - a for a, b in pairwise(scores)]
    rose, fell = (sum(sign * change > ROUNDING for change in changes) for sign in (1, -1))
    st.markdown(
        WORDS.markdown(
            "says.widths",
            missed=max(scores) - scores[0],
            rose=rose,
            fell=fell,
            stayed=len(changes) - rose - fell,
        )
    )
    texts = [label_token(search.chosen.decode(text.tokens)) for text in found]
    alt = WORDS.label("alt.widths", first=signed(scores[0], 3), last=signed(scores[-1], 3), widest=WIDTHS[-1])
    LESSON.figure("widths", draw_widths(WIDTHS, scores, texts, width), alt)
