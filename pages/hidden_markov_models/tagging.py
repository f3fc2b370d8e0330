"""Tag your text: parts of speech for any text, and how often the tagger is wrong, measured on held-out text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.hidden_markov_models.formulas import worked_share
from core.figures.hidden_markov_models.tables import confusion_figure
from core.figures.hidden_markov_models.tagged_text import tagged_text_payload
from core.figures.worked import how_often
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.chosen_text import FROM_TEXT, TYPED, choose_source, type_text
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.text_source import is_first_sample, is_own, text_source
from core.models.hidden_markov_models.confusion import commonest_mistake, share_right
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
from pages.hidden_markov_models.shared.hmm_choice import keep_sentence, shared_counts, shared_model
from pages.hidden_markov_models.shared.hmm_take_away import SOURCES, model_cell
from pages.hidden_markov_models.shared.unseen_words import unseen_words
from pages.hidden_markov_models.viterbi import LESSON as VITERBI

LESSON = Lesson(
    __name__,
    title="Tag your text",
    question="How well does a model of neighbours name the parts of speech?",
    icon="tags",
)
LINES = 8  # sentences drawn at once
CHARACTERS_IN_A_LINE = 600
# As many words as a line holds, or as much of one word. Found one by one: textwrap cuts a text in one go, and all wait.
PIECE = re.compile(
    rf"\S(?:.{{0,{CHARACTERS_IN_A_LINE - 2}}}\S)?(?!\S)|\S{{{CHARACTERS_IN_A_LINE}}}", re.DOTALL
)
TYPED_AT_MOST = 5000
PASSAGE = (
    "I saw her duck behind the light green plants. They wanted to back the bill, but the back door was shut. "
    "The raft floated down the river. He wound the clock and she dressed the wound. "
    "The glimping wugs snorped bravely past the zanderish blorfs. They work hard, and their work shows it."
)
# What is taken out: (no neighbours, no endings) -> the name of its accuracy on the card
ACCURACIES = {
    (False, False): "accuracy",
    (True, False): "accuracy_without_neighbours",
    (False, True): "accuracy_without_endings",
    (True, True): "accuracy_of_most_frequent_tag",
}
# What decides an unseen word's tag, likewise
DECIDES = {
    (False, False): "its ending and its neighbours decide",
    (True, False): "its ending decides",
    (False, True): "its neighbours decide",
    (True, True): "it gets the tag that words counted once have most often",
}
TAGS = (
    "NOUN noun · VERB verb · ADJ adjective · ADV adverb · PRON pronoun · DET determiner · ADP preposition · NUM numeral · "
    "CONJ conjunction · PRT particle (to, up) · . punctuation · X anything else"
)


def picture() -> Figure:
    """The stored tagger's confusion matrix on held-out text."""
    figure = confusion_figure(np.array(load_json("tagger", "confusion")), load_json("tagger", "states"))
    figure.data = figure.data[:1]  # too small for numbers
    return small(figure)


def page() -> None:
    """A text's tags; one word of it looked up; the words never seen; what the tagger mistakes for what."""
    model, quality = shared_model("tagger"), load_card("tagger").quality
    LESSON.open(
        r"\text{tags} = \operatorname*{argmax}_{q_1 \dots q_n}\; \pi_{q_1} b_{q_1}(o_1) \prod_{t=2}^{n} "
        r"a_{q_{t-1} q_t}\, b_{q_t}(o_t) \qquad \text{accuracy} = \frac{\text{words tagged right}}{\text{words}}",
        "$q_t$: the tag of word $o_t$, one of 12; a punctuation sign is a word with a tag of its own. The tables were "
        "counted in nine tenths of the Brown corpus; accuracy is measured on the tenth that was held out.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        text, private = chosen_text(document)
        lines = text_lines(text)
        last = max(1, len(lines) - LINES + 1)
        start = LESSON.number("line", f"First line shown, of {len(lines):,}", 1, last)
        alone = LESSON.break_it(
            "usual",
            "Break it: no neighbours, each word its most frequent tag",
            "A word's tag in most of its occurrences in Brown, whatever stands beside it; of an unseen word, the likeliest "
            "tag of its ending.",
        )
        endless = LESSON.break_it(
            "endless",
            "Break it: no endings, an unseen word says nothing",
            "Every tag emits an unseen word equally often: with neighbours, they alone decide. Without them it gets the "
            "tag that words counted once have most often.",
        )
        broken = (alone, endless)
    shown = tagged_lines(tuple(lines[start - 1 : start - 1 + LINES]), broken)
    places = [(line, t) for line in shown for t in range(len(line.words))]
    tell_tags(shown, len(model.states))
    with stage:
        if not places:
            st.warning("There is no word in this text to tag. Choose another text.")
        else:
            linked = LESSON.get_query("chosen")
            chosen = min(int(linked) if linked.isdecimal() else 0, len(places) - 1)
            line, t = places[chosen]
            LESSON.view(
                "tagged_text",
                tagged_text_payload(
                    [each.words for each in shown],
                    [each.tags for each in shown],
                    [each.unseen for each in shown],
                    [each.others for each in shown],
                    chosen,
                ),
                on={"chosen": choose_word},
            )
            LESSON.caption(changed(shown, broken))
            st.text(f"{line.words[t]}: {line.tags[t]} here. {usage(line, t, broken)}")
            st.caption(TAGS)
            if LESSON.button("open", "Open the chosen word's line in the lattice"):
                keep_sentence("tagger", line.words, private)
                st.switch_page(VITERBI.streamlit_page, query_params={VITERBI.key("model"): "tagger"})
    right, usual = st.columns(2)
    right.metric("Right, of held-out words", f"{quality['accuracy']:.1%}")
    usual.metric("Without neighbours and endings", f"{quality['accuracy_of_most_frequent_tag']:.1%}")
    st.caption(
        f"{load_card('tagger').corpus['held_out_tokens']:,} words and signs of Brown that were not counted."
    )
    LESSON.set_values(
        accuracy=f"{quality['accuracy']:.1%}",
        usual=f"{quality['accuracy_of_most_frequent_tag']:.1%}",
        held=f"{load_card('tagger').corpus['held_out_tokens']:,}",
        new=f"{quality['share_of_unseen_words']:.1%}",
    )
    if any(broken):
        name = ACCURACIES[broken]
        LESSON.set_values(all_broken=f"{quality[name]:.1%}")
        consequence("Held-out words right", quality["accuracy"], quality[name], ".1%")
        of_unseen = f"{name}_on_unseen_words"
        consequence("Unseen words right", quality["accuracy_on_unseen_words"], quality[of_unseen], ".1%")
    if places:
        st.header("Words it never saw", anchor=False)
        new = [each.words[place] for each, place in places if each.unseen[place]]
        if line.unseen[t]:
            new.insert(0, line.words[t])
        if new and endless:
            st.caption(
                f"The endings are taken out: what one says here of a word is not used; {DECIDES[broken]}."
            )
        unseen_words(LESSON, model, {word: model.guess(word) for word in new})

    st.header("What does it mistake for what?", anchor=False)
    confusion, states = np.array(load_json("tagger", "confusion")), load_json("tagger", "states")
    question = "What does it most often mistake an adjective (ADJ) for?"
    mistaken = commonest_mistake(confusion, states, "ADJ")
    LESSON.set_values(mistaken=mistaken)
    if LESSON.ask(question, ["NOUN", "VERB", "ADV", "DET"], mistaken):
        LESSON.figure(
            "confusion",
            confusion_figure(confusion, states),
            f"Confusion matrix on held-out text; {share_right(confusion):.1%} of the words lie on the diagonal",
        )
        LESSON.every_number("confusion matrix", every_confusion, confusion, states)
    words = list(line.words) if places else ["Dogs", "bark"]
    LESSON.closing(
        code=[tag_sentences, viterbi_paths, most_frequent_tags, SuffixModel, commonest_mistake],
        notebook=[
            model_cell("tagger"),
            "from core.models.hidden_markov_models.tagger import tag_sentences\n\n"
            f"words = {words!r}\nlist(zip(words, tag_sentences(model, [words])[0]))",
        ],
        plot=(
            "import numpy as np\n\n"
            "from core.figures.hidden_markov_models.tables import confusion_figure\n"
            "from core.models.stored import load_json\n\n"
            'draw(confusion_figure(np.array(load_json("tagger", "confusion")), model.states))'
        ),
        try_this=[
            (
                "A play: where do the neighbours overrule a word's usual tag?",
                {"source": FROM_TEXT, "text:": "Hamlet", "line": 200},
            ),
            ("No neighbours: how much worse is it, and on which words?", {"usual": True}),
            ("Invented words without their endings: who decides now?", {"endless": True}),
            ("Guess its commonest mistake first", {"predict": True}),
        ],
        sources=SOURCES,
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


def chosen_text(document: Document) -> tuple[str, bool]:
    """Draw the choice between a typed passage and the learner's text; return the text, and whether it is private.

    A learner who has chosen a text, here or in another lesson, reads that one.
    """
    if LESSON.get_state("read") not in (None, document.digest):
        LESSON.set_state("source", FROM_TEXT)
    LESSON.set_state("read", document.digest)
    first = TYPED if is_first_sample(document) else FROM_TEXT
    if choose_source(LESSON, "Text", first) == FROM_TEXT:
        return document.text, is_own(document)
    return type_text(LESSON, "A passage", PASSAGE, TYPED_AT_MOST), False


def choose_word(place: int) -> None:
    """Look up the word that was chosen in the view."""
    LESSON.set_query("chosen", place or None)


@cached(32, 2, "Reading the text", shared=no_typed_words)
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


def tell_tags(lines: Sequence[Line], tags: int) -> None:
    """Keep for the tour what is shown, how many tags differ beside the other way of tagging, and what was never seen."""
    pairs = [pair for line in lines for pair in zip(line.tags, line.others, strict=True)]
    new = [word for line in lines for word, unseen in zip(line.words, line.unseen, strict=True) if unseen]
    listed = ", ".join(f"“{word}”" for word in list(dict.fromkeys(new))[:3])
    LESSON.set_values(
        shown="one word or sign" if len(pairs) == 1 else f"{len(pairs)} words and signs",
        differ=how_often(sum(tag != other for tag, other in pairs)),
        unseen=len(new),
        such=f"Here: {listed}{', …' if len(set(new)) > 3 else ''}." if new else "Here there is none.",
        tags=tags,
    )


def changed(lines: Sequence[Line], broken: tuple[bool, bool]) -> str:
    """Say how many words were never seen, and on how many the neighbours, or what was taken out, change the tag."""
    n, unseen = sum(len(line.words) for line in lines), sum(sum(line.unseen) for line in lines)
    pairs = [pair for line in lines for pair in zip(line.tags, line.others, strict=True)]
    differ = sum(tag != other for tag, other in pairs)
    if not any(broken):
        what = f"on {differ} the neighbours overrule the tag that the word has by itself (≠)"
        these = "Of this one word" if n == 1 else f"Of these {n} words and signs"
        return (
            f"{these}, {unseen} {'was' if unseen == 1 else 'were'} never seen in training (wavy), and {what}."
        )
    names = {
        (True, False): "the neighbours",
        (False, True): "the endings",
        (True, True): "neighbours and endings",
    }
    if not differ:
        which = "this one word does not change" if n == 1 else f"not one of these {n} words and signs changes"
        return f"Without {names[broken]} {which} its tag: choose another text."
    change = "changes its tag" if differ == 1 else "change their tag"
    which = "this one word" if n == 1 else f"{differ} of these {n} words and signs"
    return f"Without {names[broken]} {which} {change} (≠)."


def usage(line: Line, place: int, broken: tuple[bool, bool]) -> str:
    """Return how often the word at a place had each tag in the training text, as a sentence."""
    reading, counts = line.readings[place], shared_counts()
    if reading is None:
        return f"It never occurs in the training text: {DECIDES[broken]}."
    tagged = counts.emission[:, shared_model("tagger").index[reading]]
    ranked = [j for j in (-tagged).argsort(kind="stable") if tagged[j]]
    listed = ", ".join(f"{how_often(int(tagged[j]))} {counts.states[j]}" for j in ranked)
    return f"In the training text: {listed}."


def every_confusion(confusion: np.ndarray, states: Sequence[str]) -> tuple[pd.DataFrame, Formula]:
    """Return each cell of the confusion matrix that is not empty."""
    cells = [(i, j) for i in range(len(states)) for j in range(len(states)) if confusion[i, j]]
    table = pd.DataFrame(
        [
            {
                "true": states[i],
                "given": states[j],
                "words": int(confusion[i, j]),
                "share of the true tag": confusion[i, j] / confusion[i].sum(),
            }
            for i, j in cells
        ]
    )

    def formula(row: int, column: str) -> str | None:
        return worked_share(confusion, states, *cells[row]) if column.startswith("share") else None

    return table, formula
