"""Byte pairs: merges learned one by one, the tokens they save, the encoding of any word, and merges of another text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import streamlit as st

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.tokens.merging import (
    merge_formulas,
    merging_picture,
    named,
    tokens_figure,
    why_made,
)
from core.figures.tokens.token_rows import shown, token_rows
from core.figures.tokens.token_tables import merges_table
from core.figures.worked import how_often
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import Question
from core.lesson.text_source import notebook_text, text_source
from core.models.tokens.byte_pairs import PIECES, BytePairs, learn_merges, merge_in
from core.models.tokens.merge_steps import (
    EncodeStep,
    MergeStep,
    encode_steps,
    merge_all,
    merge_steps,
    merges_made,
    pair_counts,
    shared_length,
    tokens_by_merges,
    tokens_per_word,
)
from core.models.tokens.three_ways import Token
from core.text.reading.documents import Document
from core.text.samples.course_pairs import written_in
from core.text.samples.shelf import sample
from pages.tokens.shared.passage import (
    MERGES,
    READ_AT_MOST,
    choose_passage,
    counted,
    learned_pairs,
    read_part,
)

LESSON = Lesson(
    __name__,
    title="Byte pairs",
    question="How does a vocabulary grow out of bytes?",
    icon="puzzle",
)
STEPS, RIVALS, ASKED = 20, 6, 5  # merges that are stepped through, rivals shown with counts, merges asked for
FROM = (1, 11, 21, 51, 101, 201, 501, 901)
WORD, WORD_AT_MOST = "unhappiest", 40
PLAY, LANGUAGES = (
    "Macbeth",
    {"French": ("English–French", "fr", 1500), "Dutch": ("English–Dutch", "nl", 1500)},
)


@dataclass(frozen=True)
class Learned:
    """Merges and the learner's text: where they were learned, N_k, merges made, tokens a word, and its pieces."""

    where: str
    pairs: BytePairs
    N: np.ndarray
    made: np.ndarray
    per_word: float
    pieces: int


def picture() -> Figure:
    """The tokens of a short text by the vocabulary's size."""
    text = sample("the-lighthouse").read().text
    pairs = learn_merges(text, MERGES)
    return card(tokens_figure({"your text": tokens_by_merges(pairs, text)}, len(PIECES.findall(text))))


def page() -> None:
    """The merges stepped one by one; the tokens they save; how a word is encoded; merges learned elsewhere."""
    LESSON.open(
        r"(l, r) = \arg\max_{(a,b)} c(a, b) \qquad N_k = N_{k-1} - \text{merges made}",
        "$c(a, b)$: how often the tokens $a$ and $b$ are neighbours in the text that is learned from; $(l, r)$: the pair "
        "that becomes a new token. $N_k$: the tokens after $k$ merges, $N_0$ its bytes. No merge crosses pieces: "
        "letters and digits or signs, with the space before them, or white space.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source("hamlet")
        passage = choose_passage(LESSON, document)
        first = LESSON.select_slider("from", "Step from merge", FROM, width=170) - 1
        broken = LESSON.break_it(
            "elsewhere",
            "Break it: learn on another text",
            "The merges then come from another language or author.",
        )
        where = LESSON.choose("where", "Learned on", [*LANGUAGES, PLAY]) if broken else ""
    whole, used = learned(document, "", where), learned(document, where, "")
    if not used.pairs.merges:
        stage.warning("No two bytes are neighbours twice within the pieces: there is nothing to merge.")
    else:
        show(document, passage, whole, used, first, stage)
    LESSON.closing(
        code=[
            *(
                learn_merges,
                merge_in,
                pair_counts,
                merge_steps,
                tokens_by_merges,
                merges_made,
                merge_all,
                encode_steps,
                tokens_per_word,
            ),
            BytePairs.steps,
            *([shared_length] if broken else []),
        ],
        notebook=notebook_cells(where),
        plot=(
            "from core.figures.tokens.merging import tokens_figure\n"
            "from core.models.tokens.byte_pairs import PIECES\n\n"
            'draw(tokens_figure({"your text": N}, len(PIECES.findall(text))))'
        ),
        try_this=[
            ("Hundreds of merges later: which pairs are merged now?", {"from": 201}),
            ("A word that nobody wrote: which pieces is it spelled in?", {"word": "unlighthouseable"}),
            (
                "French merges on Hamlet: how many tokens a word?",
                {"text:": "Hamlet", "elsewhere": True, "where": "French"},
            ),
        ],
        sources=[
            "Philip Gage (1994), A New Algorithm for Data Compression.",
            "Rico Sennrich, Barry Haddow and Alexandra Birch (2016), Neural Machine Translation of Rare Words with "
            "Subword Units.",
            "Alec Radford et al. (2019), Language Models are Unsupervised Multitask Learners, section 2.2, for bytes.",
        ],
    )


@st.cache_resource(show_spinner="Learning byte pairs elsewhere")
def learned_elsewhere(where: str) -> BytePairs:
    """Return the byte pairs of one of the other texts."""
    return learn_merges(text_elsewhere(where), MERGES)


@cache
def text_elsewhere(where: str) -> str:
    """Return one of the other texts."""
    return sample(PLAY.lower()).read().text if where == PLAY else written_in(*LANGUAGES[where])


@cached(16, 4, "Learning byte pairs", shared=is_sample)
def learned(document: Document, where: str, beside: str) -> Learned:
    """Return merges learned `where`, "" for the learner's text, as many as there are of those learned `beside` too."""
    pairs = learned_elsewhere(where) if where else learned_pairs(document)
    if where or beside:
        pairs, _ = shared_length(pairs, learned_elsewhere(beside) if beside else learned_pairs(document))
    text = read_part(document.text)
    N = tokens_by_merges(pairs, text)
    return Learned(where, pairs, N, -np.diff(N), tokens_per_word(pairs, text), len(PIECES.findall(text)))


@cached(32, 8, "Counting the pairs", shared=is_sample)
def steps_from(document: Document, where: str, merges: int, first: int) -> list[MergeStep]:
    """Return the merges from a number on, of so many, with the counts that each was chosen by."""
    pairs = (learned_elsewhere(where) if where else learned_pairs(document)).first(merges)
    text = text_elsewhere(where) if where else read_part(document.text)
    return merge_steps(text, pairs, first, STEPS, RIVALS)


def show(document: Document, passage: str, whole: Learned, used: Learned, first: int, stage) -> None:
    """Show the merges from the number `first` (from 0) on, and, once they are guessed, all that they do."""
    merges = len(used.pairs.merges)
    first = min(first, max(0, merges - STEPS))
    steps = steps_from(document, used.where, merges, first)
    cut = [encode_steps(used.pairs, piece) for piece in PIECES.findall(passage)]
    with stage:
        about = f"{document.digest[:16]}_{used.where}_{first}"
        total = len(steps) + 1
        reached = LESSON.ask_in_turn(total, partial(question_of, used.pairs, steps, first, about))
        frames = [frame_of(used, steps, first, place, cut) for place in range(reached)]
        LESSON.steps(frames, total, start=2)
    if reached < total:
        return
    tell_merges(used, steps[0], first)
    if used is not whole:
        show_elsewhere(whole, used)
    st.header("What does a merge save?", anchor=False)
    show_saved(whole, used, first)
    st.header("How is a word encoded?", anchor=False)
    show_encoding(used.pairs)
    LESSON.every_number("merges", merges_table, used.pairs, used.N, used.made)


def question_of(
    pairs: BytePairs, steps: Sequence[MergeStep], first: int, about: str, place: int
) -> Question | None:
    """Return the question before a step: which pair is merged, among rarer ones; nothing about later steps."""
    if not 0 < place <= ASKED:
        return None
    best, *others = steps[place - 1].rivals
    rarer = [pair for pair, count in others if count < best[1]][:3]
    if not rarer:
        return None
    answer, *wrong = (" and ".join(map(shown, pairs.names(pair))) for pair in (best[0], *rarer))
    choices = sorted({answer, *wrong})
    return Question(f"Which pair is merge {first + place:,}?", choices, answer, f"{about}_{place}")


def frame_of(
    used: Learned, steps: Sequence[MergeStep], first: int, place: int, cut: Sequence[Sequence[EncodeStep]]
) -> dict:
    """Return a step as it is shown: the passage before the merges at place 0, after one more merge at each next."""
    number, pairs = first + place, used.pairs
    step = steps[place - 1] if place else None
    drawn = merging_picture(pairs, cut, number, step, f"times in {used.where or 'your text'}")
    here = sum(map(len, drawn["words"]))
    N = counted(int(used.N[number]), "tokens")
    size = f"The passage is {counted(here, 'tokens')}, your text {N}; the vocabulary has {256 + number:,}."
    if step is None:
        name = f"after {counted(number, 'merges')}" if number else "only bytes"
        return frame(
            name, drawn, f"The passage {name}", f"{name[0].upper()}{name[1:]}: {size[0].lower()}{size[1:]}"
        )
    left, right = (shown(each) for each in pairs.names(step.pair))
    token = named(pairs, 255 + number)
    tied = len(step.rivals) > 1 and step.rivals[1][1] == step.count
    why = "no pair more often (of equals, the smaller ids)" if tied else "more often than any other pair"
    times = how_often(step.count) + (f" in {used.where}" if used.where else "")
    said = f"“{left}” and “{right}” are neighbours {times}, {why}: they become “{token}”."
    made = int(used.made[number - 1])
    return frame(
        f"merge {number:,}, {token}",
        drawn,
        f"The passage after merge {number:,}, and the counts of the pairs before it",
        said,
        [f"{size} The merge is made {how_often(made)} in your text."],
        merge_formulas(pairs, number - 1, step, int(used.N[number - 1]), made),
    )


def tell_merges(used: Learned, step: MergeStep, first: int) -> None:
    """Keep for the tour which pair is merged first here, how often it occurs, and the sizes."""
    pairs = used.pairs
    left, right = (shown(each) for each in pairs.names(step.pair))
    LESSON.set_values(
        left=left,
        right=right,
        token=named(pairs, 256 + first),
        count=how_often(step.count),
        bytes=f"{used.N[0]:,}",
        N=f"{used.N[-1]:,}",
        merges=counted(len(pairs.merges), "merges"),
        V=f"{len(pairs):,}",
        where=used.where or "your text",
        per_word=f"{used.per_word:.2f}",
    )


def show_elsewhere(whole: Learned, used: Learned) -> None:
    """Set the tokens a word of merges learned elsewhere beside those of the learner's own."""
    consequence("Tokens a word in your text", whole.per_word, used.per_word, ".2f", more_is_better=False)
    more = round(100 * (used.N[-1] / whole.N[-1] - 1))
    than = f"{abs(more)}% {'more' if more > 0 else 'fewer'} than" if more else "about as many as"
    unused = int((used.made == 0).sum())
    st.info(
        f"Both vocabularies have {len(used.pairs):,} tokens. Cut with the merges of {used.where} your text has "
        f"{counted(int(used.N[-1]), 'tokens')}, {than} the {whole.N[-1]:,} with its own merges. {unused:,} of "
        f"{counted(len(used.made), 'merges')} {'is' if unused == 1 else 'are'} never made in it."
    )


def show_saved(whole: Learned, used: Learned, first: int) -> None:
    """Draw the tokens of the text by the vocabulary's size, and say what the first and the last merges save."""
    curves = {"merges of your text": whole.N}
    if used is not whole:
        curves[f"merges of {used.where}"] = used.N
    merges = len(whole.pairs.merges)
    LESSON.figure(
        "saved",
        tokens_figure(curves, whole.pieces, min(first, merges) or None),
        f"Tokens of the text by the vocabulary's size: from {whole.N[0]:,} bytes to {whole.N[-1]:,} tokens",
    )
    half = merges // 2
    early, late = whole.N[0] - whole.N[half], whole.N[half] - whole.N[-1]
    saved = (
        f"The first {half:,} save {early:,}, the other {merges - half:,} save {late:,}." if half > 1 else ""
    )
    LESSON.caption(
        f"Of the text's {whole.N[0]:,} bytes {merges:,} {'merge makes' if merges == 1 else 'merges make'} "
        f"{counted(int(whole.N[-1]), 'tokens')}; a word with its space is {whole.per_word:.2f} on average. {saved}"
    )
    LESSON.set_values(saved=saved)
    if merges < MERGES and used is whole:
        st.caption(
            f"After {counted(merges, 'merges')} no pair occurs twice within the pieces: learning ends."
        )


def show_encoding(pairs: BytePairs) -> None:
    """Encode a word of the learner's, merge by merge."""
    typed = LESSON.text("word", "A word", WORD, max_chars=WORD_AT_MOST, width=300)[:WORD_AT_MOST]
    pieces = PIECES.findall(f" {typed.strip()}") if typed.strip() else PIECES.findall(f" {WORD}")
    steps = encode_steps(pairs, pieces[0])
    if len(pieces) > 1:
        st.caption(f"The first piece is encoded, “{plain(shown(pieces[0]))}”.")
    rows = {
        ("the bytes" if place == 0 else f"step {place}"): [
            Token(name, i, pairs.pieces[i]) for name, i in zip(pairs.names(step.ids), step.ids, strict=True)
        ]
        for place, step in enumerate(steps)
    }
    whys = {name: f"→ {why_made(pairs, step)}" for name, step in zip(rows, steps, strict=True)}
    end = rows[list(rows)[-1]]
    parts = " ".join(f"“{plain(shown(token.text))}”" for token in end)
    whole = plain(shown(pieces[0]))
    LESSON.caption(
        f"“{whole}” goes from {len(steps[0].ids)} bytes to {counted(len(end), 'tokens')}: {parts}. Of the merges that are "
        "possible the one learned earliest is made."
    )
    LESSON.set_values(
        piece=shown(pieces[0]), parts=parts.replace("\\", ""), pieces=counted(len(end), "tokens")
    )
    LESSON.view("token_rows", token_rows(rows, whys), "encoding")


def notebook_cells(where: str) -> list[str]:
    """Return the cells that learn the merges, of another text too, and measure them."""
    text = f"sample({PLAY.lower()!r}).read().text" if where == PLAY else f"written_in{LANGUAGES.get(where)}"
    other = (
        "from core.text.samples.course_pairs import written_in\nfrom core.text.samples.shelf import sample\n\n"
        f"other = learn_merges({text}, {MERGES})\npairs, other = shared_length(pairs, other)\n"
        "print(tokens_per_word(pairs, text), tokens_per_word(other, text))"
        if where
        else "print(tokens_per_word(pairs, text))"
    )
    return [
        "from core.models.tokens.byte_pairs import learn_merges\n"
        "from core.models.tokens.merge_steps import encode_steps, shared_length, tokens_by_merges, tokens_per_word\n"
        "from core.text.tokenization.tokens import normal\n" + notebook_text() + "\n"
        f"text = normal(text[:{READ_AT_MOST}])\npairs = learn_merges(text, {MERGES})\nprint(pairs.tokens[256:])",
        other,
        f'N = tokens_by_merges(pairs, text)\nfor step in encode_steps(pairs, " {WORD}"):\n'
        "    print(pairs.names(step.ids), step.made)",
    ]
