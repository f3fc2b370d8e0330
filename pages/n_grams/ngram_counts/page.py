"""N-gram counts: what the story shows of Hamlet beat by beat, and the lab in which the counts of any text are walked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import streamlit as st

from core.figures.frame import frame
from core.lesson.cached import cached, is_sample
from core.lesson.choices.ngram_choice import (
    ORDER_AT_MOST,
    UNITS,
    choose_counts,
    choose_order,
    counts_of,
)
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import SAMPLE, Part, ask, do, end, look
from core.lesson.text_source import sample_document, sample_in_use, text_source
from core.models.n_grams.guesses import Guesses, guess_each, most_frequent_children
from core.models.n_grams.ngram_counts import NgramCounts, count_ngrams
from core.models.n_grams.ngram_text import (
    END,
    CountedNgram,
    CountedText,
    most_frequent,
    most_frequent_token,
    runs_of,
)
from core.models.n_grams.rarity import rarity, runs_over_ends, without_ends
from core.text.reading.documents import Document
from pages.n_grams.ngram_counts import LESSON
from pages.n_grams.ngram_counts.figures import (
    draw_bars,
    draw_line,
    draw_panel,
    draw_remembered,
    draw_windows,
    frequent_table,
    guesses_figure,
    name_token,
    rarity_figure,
    tell_apart,
    tree_columns,
    worked_run,
)
from pages.n_grams.shared.story_play import PLAY, play
from pages.n_grams.shared.typed_tokens import read_run, type_tokens

WORDS = LESSON.words
MY, GOOD_MY, MY_LORD, OWN = "my", "good my", "my lord", "i am"  # the story's contexts
LINE = "to be or not to be"  # over which the window slides
EXAMPLES = (LINE,)
HELD_OUT = 10  # every tenth different sentence

OWN_TEXT = Text("typed", OWN, 60)
PLAYS = Choice("play", PLAY, (PLAY, "macbeth", "othello"))

PATH = Text("words_path")
N = Slider("n", 3, 2, ORDER_AT_MOST)
UNIT = Choice("unit", UNITS[0], UNITS)
CROSSING = Switch("crossing")
LAB = (UNIT, N, PATH, CROSSING)

ROWS = 9  # tokens in a column of the tree, so that all of it is seen at once
LONG = 6  # tokens of the sentence that is shown first, at least, if there is one
WINDOW_AT_MOST = 40  # tokens of a sentence that the window slides over


# The story: what each beat shows.


def show_bars(settings: Settings) -> Part:
    """What follows "my" in the play, as counts."""
    return show_panels([draw_panel(play(), read(MY))], follow(MY), path=MY)


def show_window(settings: Settings) -> Part:
    """A window of two words slides over a line; beside each pair is its count in the play."""
    tokens = read(LINE)
    counts = [play().counts.count(pair) for pair in pairwise(tokens)]
    pair = (tokens[0], tokens[1])
    lit = [i for i, each in enumerate(pairwise(tokens)) if each == pair]
    data = draw_windows([play().name(token) for token in tokens], 2, counts, lit)
    values = {"pair": play().write(pair), "here": len(lit), "count": counts[0]}
    return Part("staircase", data, values, {"words_path": play().write(pair), "n": 3})


def show_shares(settings: Settings) -> Part:
    """The same bars as shares of all that follows, end to end on the line from 0 to 1."""
    panel = draw_panel(play(), read(MY), shares=True)
    panel["line"] = draw_line(panel["rows"])
    return show_panels([panel], follow(MY), stairs=True, path=MY)


def ask_longer(settings: Settings) -> Part:
    """What follows "my"; the answer draws what follows "good my" beside it."""
    lord = follow(MY)["token"]
    panels = [draw_panel(play(), read(each), shares=True, strong=lord, most=8) for each in (MY, GOOD_MY)]
    values = {"short": follow(MY), "long": follow(GOOD_MY), "context": GOOD_MY}
    choices = ("fewer", "same", "most")
    gain = follow(GOOD_MY)["p"] - follow(MY)["p"]
    answer = "most" if gain > 0.3 else "same" if gain > -0.1 else "fewer"
    drawn = panels if settings.revealed else panels[:1]
    return show_panels(drawn, values, path=GOOD_MY, choices=choices, answer=answer)


def show_ends(settings: Settings) -> Part:
    """How sentences begin, and how often one ends after "my lord"."""
    counted, start = play(), len(play().vocabulary)
    begins = draw_panel(counted, [start], shares=True, rest=False, prompt=WORDS.label("panel.start"))
    ends = draw_panel(counted, read(MY_LORD), shares=True, rest=False)
    sentences = counted.counts.count([counted.vocabulary[END]])
    values = {
        **follow(MY_LORD),
        "begins": counted.name(counted.counts.continuations([start])[0][0]),
        "sentences": sentences,
        "words": len(counted.training) - sentences,
        "tokens": len(counted.training),
    }
    return show_panels([begins, ends], values, path=MY_LORD)


def show_across(settings: Settings) -> Part:
    """What follows "my lord" where windows stop at the end of a sentence, and where they run across it."""
    counted, endless = play(), without_ends_of(sample_document(PLAY), UNITS[0])
    different, run = in_no_sentence(sample_document(PLAY), UNITS[0], 3)
    panels = [
        draw_panel(each, read(MY_LORD), strong=strong, note=WORDS.label(f"note.{name}"), rest=False)
        for each, name, strong in ((counted, "kept", None), (endless, "ignored", run.tokens[-1]))
    ]
    values = {
        "run": endless.write(run.tokens),
        "next": endless.name(run.tokens[-1]),
        "count": run.count,
        "place": [row["key"] for row in panels[1]["rows"]].index(str(run.tokens[-1])),
        "different": different,
        "every": int((endless.counts.counts[3] > 0).sum()),
    }
    return show_panels(panels, values, path=MY_LORD, crossing=True)


def show_rare(settings: Settings) -> Part:
    """How many different n-grams the play has, and how many of them only once."""
    found = rarity(play().counts)
    written = tell_apart(found.shares)
    values = {"single": written[0], "two": written[1], "three": written[2], "types": found.different[0]}
    values |= {"pairs": found.different[0] ** 2, "tokens": len(play().training)}
    return Part("figure", {"figure": rarity_figure(found).to_dict()}, values)


def ask_test(settings: Settings) -> Part:
    """Held-out words by the length of the context: guessed or not; the answer draws how many are right."""
    found = guesses_of(sample_document(PLAY), UNITS[0])[1]
    rights = [each.shares[0] for each in found]
    values = {
        "right": rights,
        "unseen": [each.shares[2] for each in found],
        "held": HELD_OUT,
        "revealed": settings.revealed,
    }
    figure = guesses_figure(found, hidden=not settings.revealed)
    choices = ("none", "one", "two", "four")
    answer = choices[int(np.argmax([rights[n] for n in (0, 1, 2, 4)]))]
    return Part("figure", {"figure": figure.to_dict()}, values, choices=choices, answer=answer)


def show_own(settings: Settings) -> Part:
    """What follows the learner's words in a play: after the last of them, and after all of them."""
    counted = counts_of(sample_document(settings.play), UNITS[0])
    values = {"title": WORDS.label(f"play.{settings.play}"), "typed": settings.typed, "unknown": ""}
    values |= {"total": 0, "types": 0, "first": "", "count": 0, "tied": False}
    lab = {SAMPLE: sample_document(settings.play).name}
    try:
        context = counted.read(settings.typed)[-(ORDER_AT_MOST - 1) :] or counted.read(OWN)
    except KeyError as error:
        title = WORDS.label("panel.after", context=settings.typed.strip())
        panel = draw_panel(counted, [counted.vocabulary[END]], prompt=title)
        return Part("next_token", draw_bars(panel), {**values, "unknown": error.args[0]}, lab)
    contexts = [context[-1:], context] if len(context) > 1 else [context]
    panels = [draw_panel(counted, each, rest=False) for each in contexts]
    pairs = counted.counts.continuations(context)
    if pairs:
        values |= {"total": sum(n for _, n in pairs), "types": len(pairs), "count": pairs[0][1]}
        values |= {
            "first": name_token(counted, pairs[0][0]),
            "tied": [n for _, n in pairs].count(pairs[0][1]) > 1,
        }
    values["typed"] = counted.write(context)
    return Part("next_token", draw_bars(*panels), values, {**lab, "words_path": values["typed"], "n": 5})


def show_answer(settings: Settings) -> Part:
    """How many words are guessed right by the length of the context: of what was counted, and of new sentences."""
    found = guesses_of(sample_document(PLAY), UNITS[0])
    counted, new = ([each.shares[0] for each in guesses] for guesses in found)
    values = {"counted": counted, "new": new, "held": HELD_OUT, "tokens": len(found[1][0].right)}
    return Part("figure", {"figure": draw_remembered(counted, new).to_dict()}, values)


STORY = (
    look("bars", show_bars),
    look("window", show_window),
    look("shares", show_shares),
    ask("longer", ask_longer),
    look("ends", show_ends),
    look("across", show_across),
    look("rare", show_rare),
    ask("test", ask_test),
    do("own", show_own, OWN_TEXT, PLAYS),
    end("answer", show_answer),
)


def read(context: str) -> list[int]:
    """Return the ids of some words of the play."""
    return play().read(context)


def follow(context: str) -> dict:
    """Return what the words may say of the most frequent token after a context."""
    pairs = play().counts.continuations(read(context))
    total = sum(count for _, count in pairs)
    token, count = pairs[0]
    second = play().name(pairs[1][0])
    return {"context": context, "token": token, "first": play().name(token), "second": second} | {
        "count": count,
        "total": total,
        "p": count / total,
    }


def show_panels(
    panels: Sequence[dict],
    values: dict,
    stairs: bool = False,
    path: str = "",
    crossing: bool = False,
    choices: Sequence[str] = (),
    answer: str = "",
) -> Part:
    """Return a beat's charts; the lab then walks to `path`."""
    lab = {"words_path": path, "n": len(path.split()) + 1 if path != MY else 2, "crossing": crossing}
    return Part("next_token", draw_bars(*panels, stairs=stairs), values, lab, choices, answer)


@cached(2, 1, shared=is_sample)
def without_ends_of(document: Document, unit: str) -> CountedText:
    """Return the text counted as one endless sentence."""
    return without_ends(counts_of(document, unit))


@cached(16, 4, shared=is_sample)
def in_no_sentence(document: Document, unit: str, n: int) -> tuple[int, CountedNgram | None]:
    """Return `runs_over_ends` of the endless text."""
    return runs_over_ends(counts_of(document, unit), without_ends_of(document, unit), n)


@cached(4, 2, shared=is_sample)
def guesses_of(document: Document, unit: str) -> tuple[list[Guesses], list[Guesses]]:
    """Return the guesses by the length of the context, from 0: on the sentences that were counted, and on held-out ones."""
    counted = counts_of(document, unit, hold_out=HELD_OUT)
    texts = [tokens for tokens in (counted.training, counted.held_out) if len(tokens)]
    found = [[guess_each(counted.counts, text, n) for n in range(1, ORDER_AT_MOST + 1)] for text in texts]
    return found[0], found[1] if len(found) > 1 else []


# The lab.


def lab() -> None:
    """The tree of a text's n-grams, walked; how its counts come about; how rare long n-grams are; a test."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        document = text_source(PLAY)
        whole = choose_counts(LESSON, document, remarks)
        n = choose_order(LESSON, N.default, least=N.least)
        example = example_path(whole)
        typed = type_tokens(
            LESSON, whole, "path", WORDS.label("path"), whole.write(example), WORDS.label("path.help")
        )
        crossing = LESSON.draw(CROSSING)
        LESSON.options()
    with remarks:
        path = read_run(whole, typed, example, whole.write(example))[:n]
    counted = without_ends_of(document, whole.unit) if crossing else whole
    tree = tree_columns(counted, path, n, ROWS)
    with stage:
        if revealed := ask_next(tree, f"{path}_{counted.unit}_{crossing}_{len(counted.training)}"):
            LESSON.view("ngram_tree", tree, "tree", on={"walk": partial(walk, whole)})
            say_next(tree, crossing)
            if best := next((child for child in tree["columns"][-1]["children"] if child["share"]), None):
                st.latex(worked_run(counted, [*path[: n - 1], best["id"]]))  # the p of that sentence
    if crossing:
        say_across(n, document, whole, counted)
    if box := LESSON.fold("window"):
        with box:
            slide_window(n, whole, counted, revealed)
    if box := LESSON.fold("rarity"):
        with box:
            draw_rarity(n, counted)
    if revealed and (box := LESSON.fold("test")):
        with box:
            draw_test(document, whole.unit)
    if revealed:
        LESSON.every_number(WORDS.label("table", n=n), frequent_table, n, counted)
    LESSON.close_lab(
        code=[
            *(count_ngrams, NgramCounts.continuations, rarity, most_frequent, runs_of),
            *((without_ends, runs_over_ends) if crossing else ()),
            *(guess_each, most_frequent_children),
        ],
        parameters={
            "sample": sample_in_use(),
            "unit": whole.unit,
            "context": counted.write(path),
            "crossing": crossing,
        },
        prompts={
            "begin": {"unit": "words", "words_path": "<s>"},
            "letters": {"unit": "characters", "characters_path": "th"},
            "across": {"crossing": True},
        },
    )


def example_path(counted: CountedText) -> list[int]:
    """Return the path that the lab opens with: the story's where the text has its words, else the most frequent token."""
    try:
        path = counted.read(MY_LORD) if counted.unit == UNITS[0] else []
    except KeyError:
        path = []
    return path if counted.counts.continuations(path) and path else [most_frequent_token(counted)]


def walk(counted: CountedText, path: list[int]) -> None:
    """Write the path that was clicked in the tree into the field."""
    known = [token for token in path if token <= len(counted.vocabulary)]
    LESSON.set_state(f"{counted.unit}_path", counted.write(known))


def ask_next(tree: dict, about: str) -> bool:
    """Ask for the most frequent token after the path, among rarer ones; return whether the tree may be shown."""
    children = tree["columns"][-1]["children"]
    rarer = [child["token"] for child in children if child["count"] < children[0]["count"] and child["share"]]
    if not rarer:
        return True
    question = WORDS.label("question", place=len(tree["columns"]) - 1)
    answer = children[0]["token"]
    return LESSON.ask(question, sorted([answer, *rarer[:3]]), answer, about)


def say_next(tree: dict, crossing: bool) -> None:
    """Say which token comes most often after the path, and how often."""
    last = tree["columns"][-1]
    values = {"context": last["context"] if len(tree["columns"]) > 1 else "", "crossing": crossing}
    if not last["total"]:
        return LESSON.say("says.nothing", values)
    first, *others = (child for child in last["children"] if child["share"])
    tied = any(child["count"] == first["count"] for child in others)
    counts = {"count": first["count"], "total": last["total"], "p": first["share"]}
    return LESSON.say("says.next", {**values, "first": first["token"], "tied": tied, **counts})


def say_across(n: int, document: Document, whole: CountedText, endless: CountedText) -> None:
    """Say how many n-grams the endless text has that stand in no sentence, and show it beside the text with ends."""
    different, frequent = in_no_sentence(document, whole.unit, n)
    values = {"different": different, "every": int((endless.counts.counts[n] > 0).sum()), "n": n}
    values |= {"run": endless.write(frequent.tokens), "count": frequent.count} if frequent else {}
    st.markdown(WORDS.markdown("says.across" if frequent else "says.none_across", **values))
    # With its ends a text has none of these: all its n-grams are those of its sentences.
    LESSON.compare("across", 0, different, ",d", False)


def slide_window(n: int, whole: CountedText, counted: CountedText, revealed: bool) -> None:
    """Step a window of n tokens over a sentence, and say how often the n-gram in it has been counted.

    What is counted in the whole text may be what is still to be guessed: it is said once that is `revealed`.
    """
    number, before, sentence = choose_sentence(n, whole, counted)
    padded = [len(counted.vocabulary)] * (n - 1 - len(before)) + before + sentence
    windows = [padded[place - n + 1 : place + 1] for place in range(n - 1, len(padded))]
    frames = []
    for i, window in enumerate(windows):
        values = {
            "run": counted.write(window),
            "here": windows[: i + 1].count(window),
            "n": n,
            "number": number,
        }
        values["all"] = counted.counts.count(window) if revealed else None
        drawn = {"kind": "window", "place": n - 1 + i}
        name, alt, said = (WORDS.label(f"slide.{each}", **values) for each in ("name", "alt", "said"))
        frames.append(frame(name, drawn, alt, said))
    LESSON.steps(frames, shared={"tokens": [counted.name(token) for token in padded], "order": n})


def choose_sentence(n: int, whole: CountedText, counted: CountedText) -> tuple[int, list[int], list[int]]:
    """Draw the choice of a sentence; return its number, what the window sees before it, and its first tokens.

    Where sentences have no ends, each is one token shorter, and the window begins on the tokens of the one before.
    """
    ends = np.flatnonzero(whole.training == whole.vocabulary[END]) + 1
    long = np.flatnonzero(np.diff(ends, prepend=0) > LONG)  # a play's first sentence is its title
    first = int(long[0]) + 1 if len(long) else 1
    number = LESSON.number("sentence", WORDS.label("sentence", n=len(ends)), 1, len(ends), first)
    start, stop = (0, *ends)[number - 1 : number + 1]
    if counted is whole:
        return number, [], whole.training[start:stop][:WINDOW_AT_MOST].tolist()
    start, stop = start - number + 1, stop - number
    before = counted.training[max(0, start - n + 1) : start]
    return number, before.tolist(), counted.training[start:stop][:WINDOW_AT_MOST].tolist()


def draw_rarity(n: int, counted: CountedText) -> None:
    """Draw how many different n-grams of each length there are, and say what share of them occurs only once."""
    found = rarity(counted.counts)
    shares = tell_apart(found.shares)
    rises = all(shorter < longer for shorter, longer in pairwise(found.shares))
    values = {"n": n, "different": found.different[n - 1], "once": shares[n - 1], "rises": rises}
    LESSON.figure("rarity_figure", rarity_figure(found, 340), WORDS.label("alt.rarity", **values))
    st.markdown(WORDS.markdown("says.rarity", shares=list(enumerate(shares, 1)), **values))


def draw_test(document: Document, unit: str) -> None:
    """Draw how many tokens of held-out sentences are guessed right, by the length of the context."""
    found = guesses_of(document, unit)[1]
    if not found:
        st.info(WORDS.label("test.none"))
        return
    rights = [each.shares[0] for each in found]
    values = {"tokens": len(found[0].right), "best": int(np.argmax(rights)), "right": max(rights)}
    values["tied"] = sum(right == max(rights) for right in rights) > 1
    LESSON.figure("test_figure", guesses_figure(found, unit, height=360), WORDS.label("alt.test", **values))
    st.markdown(WORDS.markdown("says.test", **values))
