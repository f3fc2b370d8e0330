"""Edit distance: what its story shows of words and of typos, and its lab on any two words or sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.held_out import wilson
from core.models.tokens.edit_distance import (
    DELETE,
    INSERT,
    SAME,
    SUBSTITUTE,
    WAYS,
    Costs,
    Edit,
    EditTable,
    align_positions,
    count_alignments,
    count_cheapest,
    fill_table,
    trace_back,
)
from core.models.tokens.spelling import (
    Vocabulary,
    count_corrected,
    differing_positions,
    distances_to,
    draw_typos,
    rank_words,
    read_vocabulary,
)
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import characters, words
from core.words.language import SPANISH
from pages.tokens.edit_distance import LESSON
from pages.tokens.edit_distance.figures import (
    cells_table,
    count_lines,
    draw_alignment,
    draw_corrected,
    draw_nearest,
    draw_path,
    draw_table,
    draw_way,
    fill_cells,
    format_cost,
    kept_arrows,
    path_line,
    way_lines,
)

WORDS = LESSON.words
SHORT, LONG, SHIFTED = ("lamp", "plum"), ("kitten", "sitting"), ("tables", "stables")
SAID, HEARD = "meet me at the old oak", "meet at the cold oak tree"
EXAMPLES = (SAID, HEARD)
LETTERS, BY_WORDS = "letters", "words"  # what a token is
PLAY = "hamlet"
TYPOS, TYPO_FROM = 500, 4  # typos that are corrected, in words of at least so many letters
TYPO_KINDS = (INSERT, DELETE, SUBSTITUTE, "swap")
COMPARED = {"edits": distances_to, "places": differing_positions}
FEWER = "60"  # a wrong answer to choose from
NEAREST = 5  # words of the play
IN_STORY, IN_LAB, WORDS_AT_MOST = (
    12,
    120,
    16,
)  # letters of a word in the story, letters and tokens of a text in the lab

FIRST = Text("first", "saturday", IN_STORY, spoken={SPANISH: "miércoles"})
SECOND = Text("second", "sunday", IN_STORY, spoken={SPANISH: "viernes"})
SOURCE, TARGET = Text("source", SHORT[0], IN_LAB), Text("target", SHORT[1], IN_LAB)
UNIT = Choice("unit", LETTERS, (LETTERS, BY_WORDS))
REPLACING = Slider("replacing", 1, 1, 4)
DELETING, INSERTING = Slider("deleting", 1, 1, 4), Slider("inserting", 1, 1, 4)
PLACES = Switch("places")
LAB = (SOURCE, TARGET, UNIT, REPLACING, DELETING, INSERTING, PLACES)


# The story: what each beat shows.


def lab_of(pair: Sequence[str], **more: object) -> dict[str, object]:
    """Return the settings of the lab that show the same pair."""
    return {"source": pair[0], "target": pair[1], **more}


def describe(table: EditTable, edits: Sequence[Edit]) -> dict:
    """Return what the words may say of a pair: its distance, and how many edits there are of each kind."""
    kinds = Counter(edit.kind for edit in edits)
    m, n = len(table.source), len(table.target)
    return {
        "from_text": "".join(table.source),
        "to_text": "".join(table.target),
        "distance": format_cost(table.distance),
        "kinds": {kind: kinds[kind] for kind in (SAME, *WAYS)},
        "cells": (m + 1) * (n + 1),
        "alignments": count_alignments(m, n),
        "m": m,
        "n": n,
    }


def show_edits(settings: Settings) -> Part:
    """A cheapest alignment of two words, with the cost of each edit."""
    table = fill_table(*SHORT)
    edits = trace_back(table)
    return Part("token_grid", draw_alignment(*SHORT, edits), describe(table, edits), lab_of(SHORT))


def ask_shifted(settings: Settings) -> Part:
    """Two words place by place; the answer aligns them."""
    table = fill_table(*SHIFTED)
    edits, positions = trace_back(table), align_positions(*SHIFTED)
    differ = sum(edit.kind != SAME for edit in positions)
    values = describe(table, edits) | {"differ": differ}
    data = draw_alignment(*SHIFTED, edits) if settings.revealed else draw_alignment(*SHIFTED, positions, True)
    choices = ("1", "2", str(differ))
    lab = lab_of(SHIFTED, places=not settings.revealed)
    return Part("token_grid", data, values, lab, choices=choices, answer=format_cost(table.distance))


def show_beginnings(settings: Settings) -> Part:
    """The first row, the first column, and one cell: the distance of two beginnings."""
    table = fill_table(*SHORT)
    m, n = len(table.source), len(table.target)
    kinds = {(0, j): "filled" for j in range(n + 1)} | {(i, 0): "filled" for i in range(m + 1)}
    at = (1, 2)
    values = describe(table, trace_back(table)) | {
        "cell": format_cost(table.distances[at]),
        "before": SHORT[0][: at[0]],
        "after": SHORT[1][: at[1]],
    }
    return Part("score_table", draw_table(table, kinds | {at: "now"}), values, lab_of(SHORT))


def ask_cell(settings: Settings) -> Part:
    """The three ways into the last cell; the answer adds them up and keeps the cheapest."""
    table = fill_table(*SHORT)
    last = (len(table.source), len(table.target))
    ways = [table.candidates[*last, w] for w in range(len(WAYS))]
    kinds = fill_cells(table, last) | {last: "now"}
    kept = table.kept[last]
    arrows = [
        draw_way(table, *last, way, "kept" if settings.revealed and w == kept else "way")
        for w, way in enumerate(WAYS)
    ]
    hidden = () if settings.revealed else (last,)
    data = draw_table(table, kinds, arrows, way_lines(table, *last, settings.revealed), hidden)
    values = describe(table, trace_back(table)) | {"ways": [format_cost(way) for way in ways]}
    if settings.revealed:
        values["kept"] = WAYS[kept]
    choices = [str(k) for k in range(2, 6)]
    return Part("score_table", data, values, lab_of(SHORT), choices, format_cost(table.distance))


def show_back(settings: Settings) -> Part:
    """The filled table, and the kept ways followed back from the last cell."""
    table = fill_table(*SHORT)
    edits = trace_back(table)
    data = draw_path(table, edits, [path_line(table, edits)])
    values = describe(table, edits) | {"cheapest": count_cheapest(table)}
    return Part("score_table", data, values, lab_of(SHORT))


def show_count(settings: Settings) -> Part:
    """A larger table with the way that each cell keeps."""
    table = fill_table(*LONG)
    values = describe(table, trace_back(table))
    data = draw_table(table, fill_cells(table), kept_arrows(table), count_lines(values), operator="×")
    return Part("score_table", data, values, lab_of(LONG))


def show_costs(settings: Settings) -> Part:
    """The cheapest alignment where a substitution costs as much as the learner sets."""
    table = fill_table(*SHORT, Costs(substitute=settings.replacing))
    edits = trace_back(table)
    values = describe(table, edits) | {"cost": settings.replacing, "even": 2}
    lab = lab_of(SHORT, replacing=settings.replacing)
    return Part("token_grid", draw_alignment(*SHORT, edits), values, lab)


def ask_typos(settings: Settings) -> Part:
    """How many typos the nearest word corrects; the answer adds the same without insertions and deletions."""
    corrected = correct_typos()
    right = {way: sum(n for n, _ in kinds.values()) for way, kinds in corrected.items()}
    hidden = () if settings.revealed else ("places",)
    values = {"typos": TYPOS, "edits": right["edits"], "words": len(play_vocabulary().words)}
    values |= {"letters": TYPO_FROM}
    if settings.revealed:
        values |= {"positions": right["places"], "intervals": [wilson(n, TYPOS) for n in right.values()]}
    choices = sorted({str(right["places"]), str(right["edits"]), FEWER}, key=int)
    data = draw_corrected(corrected, hidden)
    return Part("layer_bars", data, values, choices=choices, answer=str(right["places"]))


def do_own(settings: Settings) -> Part:
    """The table of the learner's two words, with the cheapest alignment."""
    table = fill_table(*(characters(text)[:IN_STORY] for text in (settings.first, settings.second)))
    edits = trace_back(table)
    values = describe(table, edits) | {"cheapest": count_cheapest(table)}
    data = draw_path(table, edits)
    return Part("score_table", data, values, lab_of((settings.first, settings.second)))


def show_answer(settings: Settings) -> Part:
    """The same alignment over words: what was said and what a recognizer heard."""
    source, target = SAID.split(), HEARD.split()
    table = fill_table(source, target)
    edits = trace_back(table)
    values = describe(table, edits) | {"rate": table.distance / len(source)}
    data = draw_alignment(source, target, edits)
    return Part("token_grid", data, values, lab_of((SAID, HEARD), unit=BY_WORDS))


STORY = (
    look("edits", show_edits),
    ask("shifted", ask_shifted),
    look("beginnings", show_beginnings),
    ask("cell", ask_cell),
    look("back", show_back),
    look("count", show_count),
    look("costs", show_costs, REPLACING),
    ask("typos", ask_typos),
    do("own", do_own, FIRST, SECOND),
    end("answer", show_answer),
)


@cache
def play_vocabulary() -> Vocabulary:
    """Return the words of the play, the most frequent first."""
    counts = Counter(each for each in words(sample(PLAY).read().text) if each.isascii() and each.isalpha())
    return read_vocabulary([each for each, _ in counts.most_common()])


@cache
def correct_typos() -> dict[str, dict[str, tuple[int, int]]]:
    """Return how many typos of each kind the nearest word corrects, by each way of comparing, and of how many."""
    vocabulary = play_vocabulary()
    typos = draw_typos([each for each in vocabulary.words if len(each) >= TYPO_FROM], TYPOS)
    kinds = {kind: [typo for typo in typos if typo.kind == kind] for kind in TYPO_KINDS}
    return {
        name: {kind: (count_corrected(each, vocabulary, compare), len(each)) for kind, each in kinds.items()}
        for name, compare in COMPARED.items()
    }


# The lab: two words or sentences; the table, the alignment, the nearest words, every number.


def lab() -> None:
    """The table and the alignment of two texts; what is lost without insertions and deletions; the nearest words."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        source_text, target_text = LESSON.draw(SOURCE, width=260), LESSON.draw(TARGET, width=260)
        unit = LESSON.draw(UNIT)
        places = LESSON.draw(PLACES)
        with LESSON.options():
            costs = Costs(LESSON.draw(DELETING), LESSON.draw(INSERTING), LESSON.draw(REPLACING))
    source, target = (
        read_tokens(text or setting.default, unit)
        for text, setting in ((source_text, SOURCE), (target_text, TARGET))
    )
    table = fill_table(source, target, costs)
    edits = trace_back(table)
    positions = align_positions(source, target, costs)
    broken = sum(edit.cost for edit in positions)
    with stage:
        about = f"{unit}_{' '.join(source)}_{' '.join(target)}_{costs}"
        truth = format_cost(table.distance)
        if LESSON.ask(WORDS.label("guess"), guesses(table), truth, about):
            LESSON.view(
                "token_grid", draw_alignment(source, target, positions if places else edits), "aligned"
            )
            cheapest = count_cheapest(table)
            LESSON.say("says.distance", describe(table, edits) | {"cheapest": cheapest, "places": places})
            if places:
                LESSON.compare("places", table.distance, broken, "g", more_is_better=False)
            else:
                LESSON.view("score_table", draw_path(table, edits), "filled")
            LESSON.every_number(WORDS.label("table.cells"), cells_table, table)
    if box := LESSON.fold("nearest"):
        with box:
            show_nearest(source_text or SOURCE.default)
    LESSON.close_lab(
        code=[fill_table, trace_back, count_cheapest, align_positions, distances_to, count_corrected],
        parameters={
            "source": list(source),
            "target": list(target),
            "costs": [costs.delete, costs.insert, costs.substitute],
        },
        prompts={
            "shifted": lab_of(SHIFTED, places=True),
            "speech": lab_of((SAID, HEARD), unit=BY_WORDS),
            "dear": lab_of(SHORT, replacing=3),
        },
    )


def read_tokens(text: str, unit: str) -> tuple[str, ...]:
    """Return a text's first letters, or words, as tokens.

    >>> read_tokens(" a cat ", "letters"), read_tokens("A cat.", "words")
    (('a', ' ', 'c', 'a', 't'), ('A', 'cat.'))
    """
    tokens = text.split() if unit == BY_WORDS else characters(text.strip())
    return tuple(tokens[:WORDS_AT_MOST])


def guesses(table: EditTable) -> list[str]:
    """Return costs to choose from, the right one among them.

    >>> guesses(fill_table("a", "b"))
    ['0', '1', '2', '3']
    """
    least = max(0, table.distance - 1)
    return [format_cost(least + k) for k in range(4)]


def show_nearest(typed: str) -> None:
    """Show the play's words nearest to what was typed, and how many of the drawn typos the nearest word corrects."""
    vocabulary = play_vocabulary()
    first = next((each for each in words(typed) if each.isascii()), SOURCE.default)[:IN_STORY]
    found = {}
    for way, compare in COMPARED.items():
        distances = compare(first, vocabulary)
        found[way] = [(vocabulary.words[v], int(distances[v])) for v in rank_words(distances, NEAREST)]
    values = {"typed": first, "nearest": found["edits"][0][0], "other": found["places"][0][0]}
    LESSON.figure("near", draw_nearest(found), WORDS.label("nearest.alt", **values))
    LESSON.say("says.nearest", values)
    right = {way: sum(n for n, _ in kinds.values()) / TYPOS for way, kinds in correct_typos().items()}
    LESSON.compare("typos", right["edits"], right["places"], ".0%")
