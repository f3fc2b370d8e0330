"""A beam of translations: what the story shows beat by beat, and the lab in which a learner follows any search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np
import streamlit as st
import torch

from core.figures.generation.beam_search import beam_trace, level_order
from core.figures.text_tree import BEST, FAINT, Box, ancestry, lay_lattice
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.translator_choice import (
    DATES,
    DUTCH,
    FRENCH,
    SCORES,
    TASKS,
    ChosenSentence,
    Task,
    choose_source_sentence,
    held_out_pairs,
    translator_of,
)
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.sign_test import sign_test
from core.models.generation.beam_search import BeamTree
from core.models.translation.beam_history import History, search_tree, turns
from core.models.translation.search_errors import (
    ROUNDING,
    Searched,
    beam_all,
    recorded_search,
    search_all,
)
from core.models.translation.seq2seq import END
from core.models.translation.translate import Beginning, beam, candidates, greedy, rescored
from core.text.grammar.pairs import MOST_WORDS
from core.words.numbers import format_share, signed
from pages.translation.translation_beam import LESSON
from pages.translation.translation_beam.figures import (
    draw_bars,
    draw_texts,
    hypotheses_table,
    lay_runs,
    lay_words,
    name_run,
    share_of,
)

WORDS = LESSON.words
EXAMPLE = "My mother is going to bring three cakes to the girls."
SWAPPED = "You know that your big dogs ran near the small window."
OWN = "His happy father has the old cars because we are bringing a hat to the doctor today."
EXAMPLES = (EXAMPLE, SWAPPED, OWN)
NONE, DOT = (TASKS[FRENCH].models[score] for score in ("none", "dot"))
TWO, FOUR = 2, 4  # widths of the story's beams
SHARED, LAST = 6, 10  # output words that both translations of the example share, and all of them
LONG, HELD_OUT = (
    tuple(range(18, 26)),
    400,
)  # words of the held-out sentences of the story, and how many they are
SHOWN_WIDTHS = (1, 2, 4, 8)
MANY = 40  # more translations than a beam of four adds
DRAWN = 3  # translations of the learner's own sentence

LABELS = {"french": FRENCH, "dutch": DUTCH, "dates": DATES}
TASK = Choice("task", "french", tuple(LABELS), {label: each for each, label in LABELS.items()})
SCORE = Choice("score", "none", ("none", *SCORES))
TYPED = Text("text_fr", EXAMPLE, 2000)
WIDTH = Slider("width", FOUR, 2, 8)
NARROW = Switch("narrow")
LAB = (TASK, SCORE, TYPED, WIDTH, NARROW, Slider("step", 1, 1, 60))
OWN_TEXT, OWN_WIDTH = Text("text_fr", OWN, 200), Slider("width", FOUR, 1, 8)
MEASURED = 200  # held-out inputs on which the lab measures a width


# The story: what each beat shows.


def show_greedy(settings: Settings) -> Part:
    """What greedy search writes, and a more probable translation that it misses."""
    boxes = []
    for row, (width, name) in enumerate(((1, "greedy"), (TWO, "beam"))):
        words, ln_p = best_text(settings.text_fr, width)
        boxes += lay_words(words, ln_p, SHARED, words.index(END), row, name, end_of(name), row > 0)
    values = {
        "first": [name_word(box) for box in boxes if len(box.path) == 1],
        "p": [share_of(box) for box in boxes if len(box.path) == 1],
        "total": [share_of(box) for box in boxes if box.ends],
    }
    return show(settings, boxes, values, ("width", "best"))


def show_why(settings: Settings) -> Part:
    """The most probable next words after each of the two first words."""
    panels, p, names, first = [], [], [], []
    for width, name, hue in ((1, "greedy", "blue"), (TWO, "beam", "vermillion")):
        words = best_text(settings.text_fr, width)[0][: SHARED + 1]
        share = next_probabilities(settings.text_fr, tuple(words))
        order = np.argsort(-share)[:FOUR]
        rows = [
            {
                "name": target_words()[i],
                "mark": f"{name}.{place}",
                "to": float(share[i]),
                "text": format_share(share[i]),
                "kind": "plain" if place else "best",
                "hue": hue,
            }
            for place, i in enumerate(order)
        ]
        panels.append((WORDS.label("panel.next", word=target_words()[words[-1]]), 1.0, rows))
        p.append([row["text"] for row in rows])
        names.append([row["name"] for row in rows])
        first.append(target_words()[words[-1]])
    return Part(
        "layer_bars", draw_bars(panels), {"p": p, "names": names, "first": first}, story_lab(settings)
    )


def ask_lead(settings: Settings) -> Part:
    """Two kept words and their four candidates; the answer keeps two of these."""
    boxes = lay_behind(settings, SHARED + 2, waiting=not settings.revealed)
    kept, offered = (
        [box for box in lay_behind(settings, SHARED + 2, waiting=waiting) if len(box.path) == 1 + waiting]
        for waiting in (False, True)
    )
    texts = [f"{target_words()[box.path[0]]} {name_word(box)}" for box in offered]
    best, second, *_ = sorted(offered, key=lambda box: -box.total)
    values = {
        "width": TWO,
        "first": [name_word(box) for box in kept],
        "p": [share_of(box) for box in kept],
        "texts": texts,
        **{
            name: say_product(box, texts[offered.index(box)])
            for name, box in (("best", best), ("second", second))
        },
        "revealed": settings.revealed,
    }
    ids = [f"row.{i + 1}" for i in range(len(offered))]
    key = ("width", "pruned") if settings.revealed else ("width", "candidate")
    part = show(settings, boxes, values, key, SHARED + 2)
    return replace(part, choices=ids, answer=ids[offered.index(best)])


def show_whole(settings: Settings) -> Part:
    """The search to the full stop, with the best translation that it found."""
    tree = tree_of(settings.text_fr, TWO)
    boxes = [
        replace(box, ends=end_of("right" if box.kind == BEST else "old"), strong=box.kind == BEST)
        if len(box.path) == LAST - SHARED and box.kind != FAINT
        else box
        for box in lay_behind(settings, LAST, best=True)
    ]
    last = [box for box in boxes if box.ends]
    values = {
        "totals": [share_of(box) for box in last],
        "scored": len(tree.nodes) - 1,
        "words": len(target_words()),
        "length": LAST,
        "width": TWO,
    }
    return show(settings, boxes, values, ("width", "pruned", "best"), LAST)


def ask_measure(settings: Settings) -> Part:
    """How many held-out translations are right with greedy search; the answer adds beams."""
    right = {width: int(recorded_search(NONE, width).right.sum()) for width in SHOWN_WIDTHS}
    rows = []
    for width in SHOWN_WIDTHS if settings.revealed else (1, FOUR):
        known = settings.revealed or width == 1
        rows.append(
            {
                "name": WORDS.label("bar.width", width=width),
                "mark": f"bar.{width}",
                "to": float(right[width] if known else HELD_OUT),
                "text": f"{right[width]}" if known else "?",
                "kind": "open" if not known else "best" if width in (1, FOUR) else "plain",
                "hue": "blue" if width == 1 else "vermillion",
            }
        )
    test = sign_test(recorded_search(NONE, FOUR).right, recorded_search(NONE, 1).right)
    gain = right[FOUR] - right[1]
    answer = "fewer" if gain < 0 else "more" if gain <= MANY else "many"
    values = {
        "right": right,
        "n": HELD_OUT,
        "only": test.one,
        "lost": test.other,
        "p": test.p,
        "width": FOUR,
        "widest": SHOWN_WIDTHS[-1],
        "many": MANY,
        "gain": gain,
    }
    data = draw_bars([(WORDS.label("panel.right", n=HELD_OUT), HELD_OUT, rows)])
    return Part("layer_bars", data, values, {}, ("fewer", "more", "many"), answer)


def show_likelier(settings: Settings) -> Part:
    """A beam finds a translation that is more probable than the greedy one, and wrong."""
    found = [best_text(settings.text_fr, width) for width in (TWO, 1)]
    names = [translator_of(NONE).target.decode(words) for words, _ in found]
    behind, boxes = lay_runs(names, [ln_p for _, ln_p in found], [end_of("wrong"), end_of("greedy_right")])
    last = [share_of(box, 1) for box in boxes if box.ends]
    values = {"total": last, "width": TWO}
    data = draw_texts(behind, boxes, name_run, ("width", "best"), number=partial(share_of, digits=1))
    return Part("text_tree", data, values, story_lab(settings))


def show_fault(settings: Settings) -> Part:
    """Wrong translations of two searches: whose fault they are."""
    panels, values, most = [], {}, 0
    for width in (1, FOUR):
        found = recorded_search(NONE, width)
        wrong, missed = int((~found.right).sum()), found.search_errors
        values[width] = {"wrong": wrong, "search": missed, "model": wrong - missed}
        most = max(most, wrong)
    for width, counts in values.items():
        rows = [
            {
                "name": WORDS.label(f"bar.{each}"),
                "mark": f"{each}.{width}",
                "to": float(counts[each]),
                "text": f"{counts[each]}",
                "kind": "best" if each == "search" else "plain",
                "hue": hue,
            }
            for each, hue in (("search", "vermillion"), ("model", "blue"))
        ]
        panels.append((WORDS.label("panel.wrong", width=width, n=counts["wrong"]), float(most), rows))
    values = {"greedy": values[1], "beam": values[FOUR], "width": FOUR, "n": HELD_OUT}
    return Part("layer_bars", draw_bars(panels), values, {})


def ask_attention(settings: Settings) -> Part:
    """How many translations a beam changes, without attention; the answer adds the same with attention."""
    changed = {name: int(recorded_search(name, FOUR).changed.sum()) for name in (NONE, DOT)}
    rows = []
    for name, each in ((NONE, "none"), (DOT, "attention")):
        known = settings.revealed or name == NONE
        rows.append(
            {
                "name": WORDS.label(f"bar.{each}"),
                "mark": f"bar.{each}",
                "to": float(changed[name] if known else HELD_OUT / 2),
                "text": f"{changed[name]}" if known else "?",
                "kind": "best" if known else "open",
                "hue": "vermillion" if name == NONE else "green",
            }
        )
    ids = ("0", "50", "100", "200")
    values = {
        "without": changed[NONE],
        "attention": changed[DOT],
        "n": HELD_OUT,
        "width": FOUR,
        "p": [
            f"{recorded_search(name, 1).mean_probability:.{digits}%}"
            for name, digits in ((NONE, 0), (DOT, 2))
        ],
        "right": int(recorded_search(DOT, 1).right.sum()),
    }
    data = draw_bars([(WORDS.label("panel.changed", n=HELD_OUT, width=FOUR), HELD_OUT / 2, rows)])
    nearest = min(ids, key=lambda each: abs(int(each) - changed[DOT]))
    return Part("layer_bars", data, values, {"score": "dot"}, ids, nearest)


def show_own(settings: Settings) -> Part:
    """The learner's sentence: the best translations that a beam ends with."""
    read, width = read_sentence(settings.text_fr), settings.width
    translator = translator_of(NONE)
    found = kept_texts(settings.text_fr, width)[:DRAWN]
    names = [translator.target.decode(words) for words, _ in found]
    pair = TASKS[FRENCH].reference(read)
    ends = [end_of("own", right=pair is not None and tuple(each) == pair.target) for each in names]
    behind, boxes = lay_runs(names, [ln_p for _, ln_p in found], ends)
    greedy_words, greedy_ln_p = best_text(settings.text_fr, 1)
    unknown = list(dict.fromkeys(word for word in read if word not in translator.source.ids))
    values = {
        "width": width,
        "same": list(names[0]) == translator.target.decode(greedy_words),
        "times": float(np.exp(abs(sum(found[0][1]) - sum(greedy_ln_p)))),
        "more": sum(found[0][1]) > sum(greedy_ln_p),
        "unknown": unknown[:3],
        "n_unknown": len(unknown),
        "n_read": len(read),
        "known": pair is not None,
        "right": pair is not None and tuple(names[0]) == pair.target,
        "drawn": len(names),
    }
    data = draw_texts(behind, boxes, name_run, ("width", "best"))
    return Part("text_tree", data, values, {"text_fr": settings.text_fr, "width": max(WIDTH.least, width)})


def show_answer(settings: Settings) -> Part:
    """For how many sentences a beam finds a more probable translation than greedy search."""
    greedy_found, found = (recorded_search(NONE, width) for width in (1, FOUR))
    change = found.log_probabilities - greedy_found.log_probabilities
    counts = {"more": int((change > ROUNDING).sum()), "less": int((change < -ROUNDING).sum())}
    counts["same"] = len(change) - sum(counts.values())
    rows = [
        {
            "name": WORDS.label(f"bar.{each}"),
            "mark": f"bar.{each}",
            "to": float(counts[each]),
            "text": f"{counts[each]}",
            "kind": "best" if each == "more" else "plain",
            "hue": hue,
        }
        for each, hue in (("more", "vermillion"), ("same", "ochre"), ("less", "blue"))
    ]
    data = draw_bars([(WORDS.label("panel.answer", n=HELD_OUT, width=FOUR), float(HELD_OUT), rows)])
    return Part("layer_bars", data, {**counts, "n": HELD_OUT, "width": FOUR}, {})


STORY = (
    look("greedy", show_greedy, text_fr=EXAMPLE),
    look("why", show_why, text_fr=EXAMPLE),
    ask("lead", ask_lead, text_fr=EXAMPLE),
    look("whole", show_whole, text_fr=EXAMPLE),
    ask("measure", ask_measure),
    look("likelier", show_likelier, text_fr=SWAPPED),
    look("fault", show_fault),
    ask("attention", ask_attention),
    do("own", show_own, OWN_TEXT, OWN_WIDTH),
    end("answer", show_answer),
)


def show(
    settings: Settings, boxes: Sequence[Box], values: dict, key: Sequence[str], step: int = LAST
) -> Part:
    """Return a picture of the example's partial translations, behind the words that they share."""
    behind = translator_of(NONE).target.decode(best_text(settings.text_fr, 1)[0][:SHARED])
    data = draw_texts(behind, boxes, name_word, key, SHARED + 1)
    return Part("text_tree", data, values, story_lab(settings, step=step))


def story_lab(settings: Settings, **more: object) -> dict:
    """Return the settings with which the lab searches as the story does."""
    return {"text_fr": settings.text_fr, "width": TWO, **more}


def lay_behind(settings: Settings, step: int, **how: bool) -> list[Box]:
    """Return the boxes of the example's search from the first word that is not shared until a step."""
    return lay_lattice(tree_of(settings.text_fr, TWO), step, FOUR, first=SHARED + 1, **how)


def target_words() -> tuple[str, ...]:
    """Return the output words of the story's translator, by id."""
    return translator_of(NONE).target.words


def name_word(box: Box) -> str:
    """Return the last word of a partial translation."""
    return WORDS.label("finished") if box.path[-1] == END else target_words()[box.path[-1]]


def say_product(box: Box, text: str) -> dict[str, str]:
    """Return a candidate's text, the probability of its last word, and that of all its words."""
    return {"text": text, "p": format_share(box.p), "total": format_share(float(np.exp(box.total)))}


def end_of(name: str, **values: object) -> tuple[str, ...]:
    """Return the lines behind a translation."""
    return tuple(line for line in WORDS.label(f"end.{name}", **values).split(" | ") if line)


def read_sentence(text: str) -> list[str]:
    """Return the words that the translator reads of a sentence, those of an example where it has none."""
    return (TASKS[FRENCH].read(text) or TASKS[FRENCH].read(OWN))[:MOST_WORDS]


def is_stored_text(text: str, *_) -> bool:
    """Return whether a sentence is one of the story's own, which everybody may share; what was typed is kept for nobody."""
    return text in EXAMPLES


@cached(60, 4, shared=is_stored_text)
def tree_of(text: str, width: int) -> BeamTree:
    """Return all that a beam looks at when the story's translator reads a sentence."""
    translator = translator_of(NONE)
    source = translator.source.encode(read_sentence(text))
    return search_tree(candidates(translator.model, source, width), width)


def kept_texts(text: str, width: int) -> list[tuple[list[int], list[float]]]:
    """Return the translations that a beam ends with, the best first: their words, <end> included, with ln p of each."""
    tree, found = tree_of(text, width), []
    deepest = max(node.depth for node in tree.nodes)
    for place in level_order(tree, deepest)[-1][:width]:
        nodes = [tree.nodes[each] for each in ancestry(tree, place)[-2::-1]]
        found.append(([node.token for node in nodes], [node.log_probability for node in nodes]))
    return found


def best_text(text: str, width: int) -> tuple[list[int], list[float]]:
    """Return the words of the best translation that a beam finds, and ln p of each."""
    return kept_texts(text, width)[0]


@torch.inference_mode()
def next_probabilities(text: str, words: Sequence[int]) -> np.ndarray:
    """Return p of each output word after some words, (V,)."""
    translator = translator_of(NONE)
    steps = rescored(translator.model, translator.source.encode(read_sentence(text)), [*words, END]).steps
    return steps.probabilities[0, -1].numpy()


# The lab: any search, step by step.


def lab() -> None:
    """The search as a tree, step by step, with each step's candidates; the hypotheses with their probabilities."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        task = TASKS[LABELS[LESSON.draw(TASK)]]
        score = LESSON.draw(SCORE) if len(task.models) > 1 else next(iter(task.models))
        sentence = choose_source_sentence(
            LESSON, task, notes, example=EXAMPLE if task.language == "fr" else ""
        )
        chosen = LESSON.draw(WIDTH)
        narrow = LESSON.draw(NARROW)
        with LESSON.options():
            pass
    name, width = task.models[score], 1 if narrow else chosen
    translator = translator_of(name)
    source = tuple(translator.source.encode(sentence.words))
    history, (alone, wide) = searched(name, source, width), (searched(name, source, k) for k in (1, chosen))
    greedy_best, beam_best = alone[-1][0], wide[-1][0]
    differ = beam_best.words != greedy_best.words

    with stage:
        question = WORDS.label("question", width=chosen)
        answers = [WORDS.label(f"question.{each}") for each in ("yes", "no")]
        about = f"{name}_{chosen}_{hash(sentence.words)}"
        if revealed := LESSON.ask(question, answers, answers[not differ], about):
            data = {"beam": traced(task.label, name, source, width), "live": False, "total": len(history)}
            LESSON.stepped_view("generation_tree", data, start=len(history))
            say_what_was_found(task, name, sentence, history, (greedy_best, beam_best), chosen)
            st.caption(WORDS.label("marks", unit=task.unit))
    if narrow:
        compare_widths(task, name, chosen)
    if revealed:
        LESSON.every_number(
            WORDS.label("table.hypotheses"), hypotheses_table, task, translator, source, history[-1]
        )
    LESSON.close_lab(
        code=[beam, candidates, greedy, rescored, search_tree, turns, beam_all, search_all, sign_test],
        parameters={"name": name, "words": list(sentence.words), "width": width},
        prompts={
            "attention": {"task": "french", "score": "additive"},
            "wide": {"width": 8},
            "dutch": {"task": "dutch"},
        },
    )


@cached(32, 8, shared=no_typed_words)
def looked_at(name: str, source: tuple[int, ...], width: int) -> History:
    """Return all that a beam looks at in each step, the best first."""
    return candidates(translator_of(name).model, source, width)


def searched(name: str, source: tuple[int, ...], width: int) -> History:
    """Return what a beam keeps after each step."""
    return [found[:width] for found in looked_at(name, source, width)]


@cached(32, 8, shared=no_typed_words)
def traced(label: str, name: str, source: tuple[int, ...], width: int) -> dict:
    """Return a search as the view steps through it; its score is ln p, which is shown once."""
    target = translator_of(name).target
    tree = search_tree(looked_at(name, source, width), width)
    trace = beam_trace(
        tree,
        target.words,
        lambda ids: TASKS[label].write(target.decode(ids)),
        max(n.depth for n in tree.nodes),
    )
    for step in trace["steps"]:
        step["level"] = [
            [parent, token, p, total, "", until, text.replace("␣", " ")]
            for parent, token, p, total, _, until, text in step["level"]
        ]
    return {**trace, "prompt": WORDS.label("start"), "head": WORDS.label("candidates.head")}


def say_what_was_found(
    task: Task, name: str, sentence: ChosenSentence, history: History, found: Sequence[Beginning], width: int
) -> None:
    """Say which translation is more probable, and how often the leader changed; then write the translations."""
    greedy_best, beam_best = found
    turned = [t + 1 for t in turns(history)]
    tree_kept = sum(map(len, history))
    LESSON.say(
        "says.search",
        {
            "width": width,
            "same": greedy_best.words == beam_best.words,
            "more": beam_best.log_probability > greedy_best.log_probability,
            "ln_p": [signed(each.log_probability, 3) for each in found],
            "one": max(map(len, history)) == 1,
            "turned": turned,
            "kept": tree_kept,
            "unit": task.unit,
        },
    )
    target = translator_of(name).target
    for key, each in (("greedy", greedy_best), ("beam", beam_best)):
        text = task.write(target.decode(each.words))
        st.text(WORDS.label(f"written.{key}", width=width, text=text, ln_p=signed(each.log_probability, 3)))
    if sentence.pair:
        st.text(WORDS.label("written.right", text=task.write(sentence.pair.target)))


@lru_cache(maxsize=64)
def quality_of(label: str, name: str, width: int) -> Searched:
    """Return how well a width does on held-out inputs."""
    return search_all(translator_of(name), held_out_pairs(label, seed=3, count=MEASURED), width)


def compare_widths(task: Task, name: str, width: int) -> None:
    """Compare a beam with keeping one partial translation, on held-out inputs."""
    many, one = (quality_of(task.label, name, k) for k in (width, 1))
    test = sign_test(many.right, one.right)
    values = {"n": MEASURED, "width": width, "only": test.one, "lost": test.other, "p": test.p}
    st.markdown(WORDS.markdown("says.narrow", **values))
    LESSON.compare("ln_p", float(many.log_probabilities.mean()), float(one.log_probabilities.mean()), ".3f")
    LESSON.compare("right", float(many.right.mean()), float(one.right.mean()), ".1%")
