"""Part-of-speech tagging: what its story shows beat by beat, and its lab on any text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.hidden_markov_models.formulas import worked_share
from core.figures.hidden_markov_models.tables import confusion_figure
from core.figures.tag_cards import draw_bars, draw_cards, draw_picture, tag_row
from core.lesson.cached import cached, no_typed_words
from core.lesson.chosen_text import FROM_TEXT, type_text
from core.lesson.every_number import Formula
from core.lesson.live_values import note_words_field
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import is_first_sample, is_own, text_source
from core.lesson.try_this import TEXT
from core.models.hidden_markov_models.confusion import commonest_mistake
from core.models.hidden_markov_models.decoding import DecodedSentence, decode
from core.models.hidden_markov_models.suffix_model import SuffixModel
from core.models.hidden_markov_models.tagger import (
    most_frequent_tags,
    tag_sentences,
    viterbi_paths,
    without_endings,
)
from core.models.stored import load_card, load_json
from core.text.reading.documents import Document
from core.text.samples.corpus_words import corpus_words
from core.text.tokenization.tokens import sentences
from core.words.numbers import percent
from pages.hidden_markov_models.shared.hmm_choice import keep_sentence, shared_counts, shared_model
from pages.hidden_markov_models.shared.hmm_take_away import list_sources
from pages.hidden_markov_models.shared.tagged_text import tagged_text_payload
from pages.hidden_markov_models.shared.unseen_words import unseen_words
from pages.hidden_markov_models.tagging import LESSON
from pages.hidden_markov_models.tagging.figures import (
    PUNCTUATION,
    draw_key,
    format_probability,
    method_row,
    tag_name,
)
from pages.hidden_markov_models.viterbi import LESSON as VITERBI

WORDS = LESSON.words
PASSAGE = (
    "I saw her duck behind the light green plants. They wanted to back the bill, but the back door was shut. "
    "The raft floated down the river. He wound the clock and she dressed the wound. "
    "The glimping wugs snorped bravely past the zanderish blorfs. They work hard, and their work shows it."
)
EXAMPLES = (PASSAGE,)
WORK, SHORT, BACK = (
    "They work hard, and their work shows it.",
    "They work hard.",
    "They wanted to back the bill.",
)
NEW = "The blorfy wugs glimped quietly."
CHOSEN = 13  # of the passage: “back” in its second sentence, which gets a wrong tag
WORDS_AT_MOST = 16  # of a sentence typed in the story
LINES = 8  # sentences of the lab drawn at once
CHARACTERS_IN_A_LINE = 600
# As many words as a line holds, or as much of one word. Found one by one: textwrap cuts a text in one go, and all wait.
PIECE = re.compile(
    rf"\S(?:.{{0,{CHARACTERS_IN_A_LINE - 2}}}\S)?(?!\S)|\S{{{CHARACTERS_IN_A_LINE}}}", re.DOTALL
)
TYPED_AT_MOST = 5000
SOURCE = Choice("source", "typed", ("typed", "text"), {FROM_TEXT: "text"})
OWN = Text("typed", "We record the record.", 300)
USUAL, ENDLESS = Switch("usual"), Switch("endless")
LAB = (SOURCE, Text("typed", PASSAGE, TYPED_AT_MOST), USUAL, ENDLESS)
# What is taken out: (no neighbours, no endings) -> its id, which words.md knows, and the name of its accuracy on the card
PIECES = {
    (False, False): "none",
    (True, False): "neighbours",
    (False, True): "endings",
    (True, True): "both",
}
ACCURACIES = {
    "none": "accuracy",
    "neighbours": "accuracy_without_neighbours",
    "endings": "accuracy_without_endings",
    "both": "accuracy_of_most_frequent_tag",
}
OF = {"all": "", "words": "_on_words", "unseen": "_on_unseen_words", "sentences": "_on_sentences"}


# The story: what each beat shows.


def show_work(settings: Settings) -> Part:
    """A tagged sentence in which one word has two tags."""
    decoded = read_sentence(settings)
    words, tags = decoded.emissions.words, decoded.tags(decoded.viterbi.path)
    framed = [t for t, word in enumerate(words) if words.count(word) > 1]
    values = {"K": len(decoded.model.states), "word": words[framed[0]]}
    return Part("tag_cards", draw_picture(draw_cards(words, tags, framed), draw_key(tags)), values)


def show_alone(settings: Settings) -> Part:
    """Each word's most frequent tag, struck out where it is wrong, and the counts of two words."""
    decoded = read_sentence(settings)
    words, tags, usual = decoded.emissions.words, decoded.tags(decoded.viterbi.path), usual_tags(decoded)
    wrong = {t: usual[t] for t in range(len(words)) if usual[t] != tags[t]}
    named = [words[t] for t in wrong]
    panels = [draw_counts(word) for word in dict.fromkeys(named)]
    first = count_tags(named[0])
    values = {"word": named[0], "counts": first, "wrong": len(wrong)}
    cards = draw_cards(words, tags, struck=wrong)
    return Part("tag_cards", draw_picture(cards, draw_key(struck="key.wrong"), panels), values)


def show_neighbours(settings: Settings) -> Part:
    """A word's tag: transition times emission for each of two tags."""
    decoded = read_sentence(settings)
    panels, values = draw_factors(decoded, settings.place, settings.tags)
    words, tags = decoded.emissions.words, decoded.tags(decoded.viterbi.path)
    return Part("tag_cards", draw_picture(draw_cards(words, tags, [settings.place]), (), panels), values)


def show_path(settings: Settings) -> Part:
    """Every path through a short sentence that has a probability, with its share of it."""
    decoded = read_sentence(settings)
    words, paths = decoded.emissions.words, possible_paths(decoded)
    rows = [
        tag_row(decoded.tags(path), share, percent(share, 0 if share >= 0.01 else 1), i == 0, str(i))
        for i, (share, path) in enumerate(paths)
    ]
    panel = draw_bars(WORDS.label("panel.paths"), rows, 1)
    values = {"paths": len(paths), "share": paths[0][0], "all": len(decoded.model.states) ** len(words)}
    cards = draw_cards(words, decoded.tags(decoded.viterbi.path))
    return Part("tag_cards", draw_picture(cards, (), [panel]), values)


def show_unseen(settings: Settings) -> Part:
    """A sentence with words that training never saw, and what the ending of one of them suggests."""
    decoded = read_sentence(settings)
    words, tags = decoded.emissions.words, decoded.tags(decoded.viterbi.path)
    unseen = np.flatnonzero(decoded.emissions.unknown).tolist()
    guess, states = decoded.emissions.guesses[settings.place], decoded.model.states
    ranked = (-guess.tag_probabilities).argsort(kind="stable")[:4]
    rows = [
        tag_row([states[j]], float(p := guess.tag_probabilities[j]), percent(p, 0), i == 0)
        for i, j in enumerate(ranked)
    ]
    panel = draw_bars(WORDS.label("panel.ending", suffix=guess.suffix), rows, 1)
    best = int(ranked[0])
    before, tag, after = tags[settings.place - 1 : settings.place + 2]
    between = {
        each: model_probability(decoded, before, each) * model_probability(decoded, each, after)
        for each in (tag, states[best])
    }
    values = {
        "word": words[settings.place],
        "suffix": guess.suffix,
        "suggests": states[best],
        "p": guess.tag_probabilities[best],
        "tag": tag,
        "before": before,
        "after": after,
        "ending": guess.tag_probabilities[best] / guess.tag_probabilities[states.index(tag)],
        "neighbours": between[tag] / between[states[best]],
    }
    cards = draw_cards(words, tags, [settings.place], unseen=unseen)
    return Part("tag_cards", draw_picture(cards, draw_key(unseen="key.unseen"), [panel]), values)


def show_endings(settings: Settings) -> Part:
    """How many held-out tokens are right with endings and without: of all, and of those never seen."""
    panels = [compare_methods(of, ("none", "endings")) for of in ("all", "unseen")]
    return Part("tag_cards", draw_picture(panels=panels), describe_quality())


def ask_sentences(settings: Settings) -> Part:
    """How many words are right; the answer is how many sentences are wholly right."""
    shown = ("words", "sentences") if settings.revealed else ("words",)
    panels = [compare_methods(of, ("both", "none")) for of in shown]
    share = quality("none", "sentences")
    choices = {"about_95": 0.95, "about_80": 0.8, "about_60": 0.6, "about_40": 0.4}
    answer = min(choices, key=lambda name: abs(choices[name] - share))
    picture = draw_picture(panels=panels)
    values = describe_quality() | {"revealed": settings.revealed}
    return Part("tag_cards", picture, values, choices=tuple(choices), answer=answer)


def ask_wrong(settings: Settings) -> Part:
    """A sentence with one wrong tag; the answer strikes it out and shows the factors that led to it."""
    decoded = read_sentence(settings)
    words, tags = decoded.emissions.words, list(decoded.tags(decoded.viterbi.path))
    panels, values = draw_factors(decoded, settings.place, settings.tags)
    word, (right, given) = words[settings.place], settings.tags
    if settings.revealed:
        corrected = [right if t == settings.place else tag for t, tag in enumerate(tags)]
        cards = draw_cards(words, corrected, struck={settings.place: given})
        picture = draw_picture(cards, draw_key(struck="key.mistake"), panels)
    else:
        picture = draw_picture(draw_cards(words, tags), draw_key(tags))
    counts = count_tags(word)
    values |= {"counts": counts, "total": sum(counts.values()), "revealed": settings.revealed}
    choices = [each for each, tag in zip(words, tags, strict=True) if tag not in (PUNCTUATION, "DET")][1:]
    return Part("tag_cards", picture, values, choices=choices, answer=word)


def show_own(settings: Settings) -> Part:
    """The learner's own sentence, with the tags that its words would have had alone."""
    decoded = read_sentence(settings)
    words, tags, usual = decoded.emissions.words, decoded.tags(decoded.viterbi.path), usual_tags(decoded)
    other = {t: usual[t] for t in range(len(words)) if usual[t] != tags[t]}
    unseen = np.flatnonzero(decoded.emissions.unknown).tolist()
    marks = {"struck": "key.alone"} if other else {}
    key = draw_key(tags, **marks, **({"unseen": "key.unseen"} if unseen else {}))
    values = {
        "n": len(words),
        "new": len(unseen),
        "other": len(other),
        "cut": len(corpus_words(settings.typed)) > WORDS_AT_MOST,
    }
    return Part("tag_cards", draw_picture(draw_cards(words, tags, struck=other, unseen=unseen), key), values)


def show_answer(settings: Settings) -> Part:
    """The three measures: words, words never seen, and whole sentences, each beside the baseline's."""
    panels = [compare_methods(of, ("both", "none")) for of in ("words", "unseen", "sentences")]
    return Part("tag_cards", draw_picture(panels=panels), describe_quality())


STORY = (
    look("work", show_work, typed=WORK),
    look("alone", show_alone, typed=WORK),
    look("neighbours", show_neighbours, typed=SHORT, place=1, tags=("VERB", "NOUN")),
    look("path", show_path, typed=SHORT),
    look("unseen", show_unseen, typed=NEW, place=1),
    look("endings", show_endings),
    ask("sentences", ask_sentences),
    ask("wrong", ask_wrong, typed=BACK, place=3, tags=("VERB", "ADV")),
    do("own", show_own, OWN),
    end("answer", show_answer),
)


def read_sentence(settings: Settings) -> DecodedSentence:
    """Return a beat's sentence, decoded; of what a learner typed, the first words."""
    words = corpus_words(settings.typed)[:WORDS_AT_MOST] or corpus_words(OWN.default)
    return decode(shared_model("tagger"), words)


def usual_tags(decoded: DecodedSentence) -> list[str]:
    """Return each word's most frequent tag; of an unseen word the most probable tag of its ending."""
    return most_frequent_tags(decoded.model, shared_counts(), [decoded.emissions.words], endings=True)[0]


def count_tags(word: str) -> dict[str, int]:
    """Return how often a word of the training text had each tag, the most frequent first."""
    counts, column = shared_counts(), shared_model("tagger").index[word]
    tagged = counts.emission[:, column]
    return {counts.states[j]: int(tagged[j]) for j in (-tagged).argsort(kind="stable") if tagged[j]}


def draw_counts(word: str) -> dict:
    """Return a panel of how often the training text has a word with each tag."""
    counts = count_tags(word)
    rows = [tag_row([tag], n, f"{n:,}", i == 0, f"{word}.{tag}") for i, (tag, n) in enumerate(counts.items())]
    return draw_bars(WORDS.label("panel.counts", word=word), rows)


def model_probability(decoded: DecodedSentence, before: str, after: str) -> float:
    """Return a transition probability of the model by the names of two tags."""
    states = decoded.model.states
    return float(np.exp(decoded.model.log_transition[states.index(before), states.index(after)]))


def draw_factors(decoded: DecodedSentence, place: int, tags: Sequence[str]) -> tuple[list[dict], dict]:
    """Return panels of transition, emission and their product for some tags of one word, and their values.

    The transition is from the tag that the word before has on the best path.
    """
    before = decoded.model.states[decoded.viterbi.path[place - 1]]
    transition = {tag: model_probability(decoded, before, tag) for tag in tags}
    emitted = np.exp(decoded.emissions.log_emission[place])
    emission = {tag: float(emitted[decoded.model.states.index(tag)]) for tag in tags}
    together = {tag: transition[tag] * emission[tag] for tag in tags}
    word = decoded.emissions.words[place]
    panels = []
    for name, factors in (("transition", transition), ("emission", emission), ("product", together)):
        largest = max(factors, key=factors.get)
        rows = [
            tag_row([tag], p, format_probability(p), tag == largest, f"{name}.{tag}")
            for tag, p in factors.items()
        ]
        panels.append(draw_bars(WORDS.label(f"panel.{name}", before=before, word=word), rows))
    return panels, {
        "word": word,
        "before": before,
        "transition": list(transition.values()),
        "emission": list(emission.values()),
        "together": list(together.values()),
    }


def possible_paths(decoded: DecodedSentence) -> list[tuple[float, tuple[int, ...]]]:
    """Return every path that has a probability above 0, with its share of that of all, the largest first."""
    columns = [np.flatnonzero(np.isfinite(row)).tolist() for row in decoded.emissions.log_emission]
    whole = decoded.forward.log_probability
    paths = [(float(np.exp(decoded.log_probability(path) - whole)), path) for path in product(*columns)]
    return sorted(paths, reverse=True)


@cache
def quality(piece: str, of: str = "all") -> float:
    """Return a share that was measured on held-out text: without a piece, of all tokens or of some."""
    return load_card("tagger").quality[f"{ACCURACIES[piece]}{OF[of]}"]


def compare_methods(of: str, pieces: Sequence[str]) -> dict:
    """Return a panel of one measure: the whole tagger beside what is left without a piece of it."""
    rows = [
        method_row(piece, share := quality(piece, of), percent(share, 1), piece == "none", f"{of}.{piece}")
        for piece in pieces
    ]
    return draw_bars(WORDS.label(f"panel.of.{of}"), rows, 1)


def describe_quality() -> dict:
    """Return what the words may say of the measures on held-out text."""
    corpus = load_card("tagger").corpus
    return {
        "right": {of: quality("none", of) for of in OF},
        "without_endings": {of: quality("endings", of) for of in OF},
        "baseline": {of: quality("both", of) for of in OF},
        "new": load_card("tagger").quality["share_of_unseen_words"],
        "tokens": corpus["held_out_tokens"],
        "held_out": corpus["held_out_sentences"],
        "length": corpus["held_out_tokens"] / corpus["held_out_sentences"],
    }


# The lab: any text.


def lab() -> None:
    """A text's tags; one word of it looked up; the words never seen; what the tagger mistakes for what."""
    LESSON.open_lab(asks=True)
    model = shared_model("tagger")
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        text, private = choose_text(document)
        lines = text_lines(text)
        last = max(1, len(lines) - LINES + 1)
        start = LESSON.number("line", WORDS.label("line", n=len(lines)), 1, last)
        with LESSON.options():
            broken = (LESSON.draw(USUAL), LESSON.draw(ENDLESS))
    piece = PIECES[broken]
    shown = tagged_lines(tuple(lines[start - 1 : start - 1 + LINES]), broken)
    places = [(line, t) for line in shown for t in range(len(line.words))]
    with stage:
        if places:
            line, t = places[chosen := choose_place(len(places))]
            data = tagged_text_payload(
                *([getattr(each, name) for each in shown] for name in ("words", "tags", "unseen", "others")),
                chosen,
            )
            LESSON.view("tagged_text", data, on={"chosen": keep_place})
            LESSON.say("says.changed", describe_changes(shown, piece))
            st.text(WORDS.label("usage", **describe_usage(line, t, piece)))
            names = [f"{tag} {tag_name(tag)}" for tag in model.states]
            st.caption(" · ".join(names))
            if LESSON.button("open", WORDS.label("open")):
                keep_sentence("tagger", line.words, private)
                st.switch_page(VITERBI.streamlit_page, query_params={VITERBI.key("model"): "tagger"})
        else:
            st.warning(WORDS.label("no_word"))
    for column, of in zip(st.columns(len(OF)), OF, strict=True):
        column.metric(WORDS.label(f"metric.{of}"), f"{quality('none', of):.1%}")
    st.caption(WORDS.label("metric.caption", **describe_quality()))
    if any(broken):
        for of in OF:
            LESSON.compare(of, quality("none", of), quality(piece, of), ".1%")
    if places and (never := LESSON.fold("never_seen")):
        new = [each.words[place] for each, place in places if each.unseen[place]]
        if line.unseen[t]:
            new.insert(0, line.words[t])
        with never:
            if new and broken[1]:
                st.caption(WORDS.label("endings.out", decides=WORDS.label(f"decides.{piece}")))
            unseen_words(LESSON, model, {word: model.guess(word) for word in new})
    if mistakes := LESSON.fold("mistakes"):
        with mistakes:
            draw_mistakes()
    LESSON.close_lab(
        code=[tag_sentences, viterbi_paths, most_frequent_tags, SuffixModel, commonest_mistake],
        parameters={"words": list(line.words) if places else corpus_words(OWN.default)},
        prompts={
            "play": {"source": "text", TEXT: "Hamlet", "line": 200},
            "wrong": {"chosen": CHOSEN},
            "usual": {"usual": True},
            "endless": {"endless": True},
            "predict": {"predict": True, "mistakes": True},
        },
        credits=list_sources(),
    )


@dataclass(frozen=True)
class Line:
    """A tagged line: its words, their tags, what the whole tagger or the baseline says instead, which were never seen."""

    words: tuple[str, ...]
    tags: list[str]
    others: list[
        str
    ]  # beside the whole tagger: each word's most frequent tag; beside a broken one: the whole one's
    unseen: list[bool]
    readings: tuple[str | None, ...]  # the vocabulary's word that was looked up


def choose_text(document: Document) -> tuple[str, bool]:
    """Draw the choice between a typed passage and the learner's text; return the text, and whether it is private.

    A learner who has chosen a text, here or in another lesson, reads that one.
    """
    arrives = LESSON.get_state("source") is None and not LESSON.get_query("source")
    another = LESSON.get_state("read") not in (None, document.digest)
    if another or (arrives and not is_first_sample(document)):
        LESSON.set_state("source", "text")
    LESSON.set_state("read", document.digest)
    note_words_field(LESSON.key("source"))
    if LESSON.draw(SOURCE) == "text":
        return document.text, is_own(document)
    return type_text(LESSON, WORDS.label("passage"), PASSAGE, TYPED_AT_MOST), False


def choose_place(n: int) -> int:
    """Return which of n words is looked up, from 0."""
    linked = LESSON.get_query("chosen")
    return min(int(linked) if linked.isdecimal() else 0, n - 1)


def keep_place(place: int) -> None:
    """Look up the word that was chosen in the view."""
    LESSON.set_query("chosen", place or None)


@cached(32, 2, shared=no_typed_words)
def text_lines(text: str) -> list[str]:
    """Return the sentences of a text; those longer than a line in pieces.

    Lines without a word or a sign are left out.
    """
    return [line for sentence in sentences(text) for line in pieces(sentence) if line.strip()]


def pieces(sentence: str) -> list[str]:
    """Return a sentence, cut at spaces where it is longer than a line, and where a word is.

    >>> [len(piece) for piece in pieces("word " * 200 + "x" * 700)]
    [599, 399, 600, 100]
    """
    if len(sentence) <= CHARACTERS_IN_A_LINE:
        return [sentence]
    return [" ".join(piece[0].split()) for piece in PIECE.finditer(sentence)]


@cached(100, 20, shared=no_typed_words)
def tagged_lines(lines: tuple[str, ...], broken: tuple[bool, bool]) -> list[Line]:
    """Return some lines tagged by the stored tagger, `broken` as (no neighbours, no endings)."""
    model, counts, (alone, endless) = shared_model("tagger"), shared_counts(), broken
    cut = [words for words in map(corpus_words, lines) if words]
    whole = tag_sentences(model, cut)
    if alone:
        tags = most_frequent_tags(model, counts, cut, endings=not endless)
    elif endless:
        tags = tag_sentences(without_endings(model), cut)
    else:
        tags = whole
    others = whole if any(broken) else most_frequent_tags(model, counts, cut, endings=True)
    seen = [model.emissions(words) for words in cut]
    return [
        Line(tuple(words), given, other, emissions.unknown.tolist(), emissions.readings)
        for words, given, other, emissions in zip(cut, tags, others, seen, strict=True)
    ]


def describe_changes(lines: Sequence[Line], piece: str) -> dict:
    """Return how many words there are, how many were never seen, and how many tags differ from the other tagger's."""
    pairs = [pair for line in lines for pair in zip(line.tags, line.others, strict=True)]
    return {
        "n": len(pairs),
        "new": sum(sum(line.unseen) for line in lines),
        "differ": sum(tag != other for tag, other in pairs),
        "piece": piece,
        "without": WORDS.label(f"without.{piece}"),
    }


def describe_usage(line: Line, place: int, piece: str) -> Mapping[str, object]:
    """Return a word, its tag here, and how often it had each tag in the training text; none for an unseen word."""
    reading = line.readings[place]
    counts = {} if reading is None else count_tags(reading)
    decides = WORDS.label(f"decides.{piece}")
    return {"word": line.words[place], "tag": line.tags[place], "counts": counts, "decides": decides}


def draw_mistakes() -> None:
    """Draw the confusion matrix on held-out text; before it the question what ADJ is mistaken for."""
    confusion, states = np.array(load_json("tagger", "confusion")), load_json("tagger", "states")
    mistaken = commonest_mistake(confusion, states, "ADJ")
    if LESSON.ask(WORDS.label("question"), ["NOUN", "VERB", "ADV", "DET"], mistaken):
        alt = WORDS.label("alt.confusion", share=quality("none"))
        LESSON.figure("confusion", confusion_figure(confusion, states), alt)
        st.caption(WORDS.label("caption.confusion", mistaken=mistaken))
        LESSON.every_number(WORDS.label("table"), list_confusion, confusion, states)


def list_confusion(confusion: np.ndarray, states: Sequence[str]) -> tuple[pd.DataFrame, Formula]:
    """Return each entry of the confusion matrix that is not 0."""
    cells = [(i, j) for i in range(len(states)) for j in range(len(states)) if confusion[i, j]]
    true, given, words, share = (
        WORDS.label(f"column.{name}") for name in ("true", "given", "words", "share")
    )
    table = pd.DataFrame(
        [
            {
                true: states[i],
                given: states[j],
                words: int(confusion[i, j]),
                share: confusion[i, j] / confusion[i].sum(),
            }
            for i, j in cells
        ]
    )

    def formula(row: int, column: str) -> str | None:
        return worked_share(confusion, states, *cells[row]) if column == share else None

    return table, formula
