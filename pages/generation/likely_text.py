"""The likeliest text: greedy and beam search run in circles and repeat themselves; what repeating does to p."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.degeneration import (
    bits_so_far_figure,
    likely_or_varied_figure,
    repetitions_figure,
)
from core.figures.generation.judged_texts import (
    circle,
    circles_begin,
    circles_counted,
    no_circle_drawn,
    repetitions_said,
    repetitions_table,
    texts_table,
    verdict,
    what_they_cost,
)
from core.figures.generation.sampling import shown
from core.figures.n_grams.ngram import bits
from core.figures.worked import signed
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.language_model_choice import (
    OWN,
    ChosenModel,
    choose_language_model,
    model_labels,
    say_what_changed,
    say_which_model,
)
from core.lesson.lesson import Lesson
from core.lesson.text_source import text_source
from core.models.generation.beam_search import beam_search, winning_paths
from core.models.generation.degeneration import (
    DRAWN,
    Cycle,
    Judged,
    distinct,
    drawn_beside,
    judge,
    pooled,
    repeated_cycle,
)
from core.models.generation.generation_tree import continuation_log_probabilities
from core.models.generation.passages import Passage, end_of, passage_of, passages_of
from core.models.generation.repetition import repetitions
from core.models.generation.scored_text import ScoredText, score_text
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney
from core.models.stored import load_card
from core.text.reading.documents import Document
from core.text.samples.shelf import plays
from pages.generation.shared.broken_context import break_context

LESSON = Lesson(
    __name__, title="The likeliest text", question="Why does the likeliest text repeat itself?", icon="repeat"
)
PLAYS, YOUR_TEXT = "plays, held out", "your text"
REAL = "the real text"
QUESTION = "Of which text is the model the least surprised?"
MOST = 6  # passages
LENGTHS = range(20, 201, 10)  # tokens to write
every_play = cache(plays)  # on the shelf; none when their package is missing
CIRCLE, REAL_PHRASE, TYPED = "greedy's circle", "the real text", "typed"
PHRASE, LONGEST = 12, 40  # tokens of a phrase from the real text, and of a circle that is drawn


def picture() -> Figure:
    """The bits that greedy and sampled text of an n-gram model have cost, token by token."""
    counted = few_sentences()
    model, prompt = kneser_ney(counted.counts, 3), counted.encode("the", end=False)
    ways = ("greedy", "sampled")
    drawn = drawn_beside(model, prompt, 20, [DRAWN[way] for way in ways], seed=1)
    texts = dict(zip(ways, drawn, strict=True))
    lines = {way: continuation_log_probabilities(model, prompt, tokens) for way, tokens in texts.items()}
    return small(bits_so_far_figure(lines, {way: repeated_cycle(tokens) for way, tokens in texts.items()}))


def page() -> None:
    """What each way to write has cost; why a phrase comes back; the texts; likely against varied."""
    LESSON.open(
        r"\text{bits so far} = -\sum_{i \le n} \log_2 p(y_i \mid y_1 \dots y_{i-1}) \qquad "
        r"\text{distinct-}2 = \frac{\text{different word pairs}}{\text{word pairs}}",
        "A few lines of a real text are given to the model, which goes on in several ways; how the real text goes on is "
        "scored by the same model. A **circle**: from some token to the end the same tokens come again and again, three "
        "times or more.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        whole = choose_language_model(LESSON, document, first="word_gpt")
        length = LESSON.slider("length", "Tokens to write", LENGTHS[0], LENGTHS[-1], 150, LENGTHS.step)
        sources = [PLAYS, YOUR_TEXT] if every_play() and whole.label not in OWN else [YOUR_TEXT]
        source = LESSON.select("source", "Passages from", sources)
        chosen = break_context(LESSON, whole, "It cannot know that it has said all this before.")
        with LESSON.more():
            count = LESSON.slider("count", "How many passages", 1, MOST, 3)
            width = LESSON.slider("width", "Width of the beam", 1, 8, 4)
            seed = LESSON.number("seed", "Seed", 0, 9999, 1)
        passages = passages_given(document, source, whole.label, count, length, whole)
        passage = choose_passage(passages)
    asked, writing = (chosen.label, document.digest), (length, width, seed)
    with stage:
        if passage is None:
            st.info(
                "Your text is too short to be cut into a beginning and what follows: give a few sentences."
            )
        elif revealed := ask_for_the_likeliest(texts := judged(*asked, passage, *writing, chosen), passage):
            draw_bits(texts)
        else:
            st.code(whole.decode(passage.prompt), language=None, wrap_lines=True)
        say_which_model(whole)
        if whole.label in OWN and passages:
            st.caption("This model was counted on this very text: the real text is no news to it.")

    if passage is not None and revealed:
        if chosen is not whole:
            (remembering,) = texts_drawn(whole.label, document.digest, passage.prompt, ("greedy",), 0, whole)
            when_circles_begin(repeated_cycle(remembering.tokens[:length]), greedy_of(texts).cycle, length)
        st.header("Why does it come back?", anchor=False)
        say_it_again(chosen, document, passage, texts)
        st.header("The texts", anchor=False)
        show_texts(chosen.decode(passage.prompt), texts)
        if together := LESSON.section("together", "Likely, or varied? All passages together"):
            every = [each for one in passages for each in judged(*asked, one, *writing, chosen)]
            with together:
                likely_or_varied(chosen, every, len(passages))
            LESSON.every_number("the texts", texts_table, every)
    prompt = whole.decode(passage.prompt) if passage else ""
    LESSON.closing(
        code=[drawn_beside, beam_search, winning_paths, repeated_cycle, repetitions, distinct, pooled],
        notebook=[
            *chosen.cells,
            "from core.models.generation.degeneration import repeated_cycle, written_in_every_way\n\n"
            f"prompt = read({prompt!r})\n"
            f"texts = written_in_every_way(model, prompt, {length}, width={width}, seed={seed})\n"
            "for way, tokens in texts.items():\n    print(way, repeated_cycle(tokens), repr(write(tokens)))",
        ],
        plot=(
            "from core.figures.generation.degeneration import bits_so_far_figure\n"
            "from core.models.generation.generation_tree import continuation_log_probabilities\n\n"
            "lines = {way: continuation_log_probabilities(model, prompt, tokens) for way, tokens in texts.items()}\n"
            "draw(bits_so_far_figure(lines, {way: repeated_cycle(tokens) for way, tokens in texts.items()}))"
        ),
        try_this=[
            (
                "An n-gram knows few contexts: greedy search must come back to one",
                {"model": "n-gram, characters", "length": 200},
            ),
            (
                "Byte pairs: which texts run in a circle, and what do they say?",
                {"model": "GPT, byte pairs", "length": 200},
            ),
            ("Your own text: is it less likely than what the model writes?", {"source": YOUR_TEXT}),
        ],
        sources=[
            "Ari Holtzman et al. (2020), The curious case of neural text degeneration.",
            "Jiwei Li et al. (2016), A diversity-promoting objective function for neural conversation models (distinct-n).",
            "Sean Welleck et al. (2020), Neural text generation with unlikelihood training, on repetition.",
        ],
    )


# What the model goes on from, and what it writes.


@cached(100, 10, False, shared=is_sample)
def passages_given(
    document: Document, source: str, label: str, count: int, length: int, _chosen: ChosenModel
) -> list[Passage]:
    """Return the passages; no stored model was trained on a play's last tenth."""
    if source == PLAYS:
        wanted = every_play()[:: max(1, len(every_play()) // MOST)][:count]
        ends = {play.title: end_of_play(label, play.title, _chosen) for play in wanted}
        return [passage_of(title, ids, 0, length, held_out=True) for title, ids in ends.items()]
    return passages_of(document.text, _chosen.encode, count, length)


@st.cache_resource(max_entries=100, show_spinner=False)
def end_of_play(label: str, title: str, _chosen: ChosenModel) -> tuple[int, ...]:
    """Return the end of a play as a model reads it."""
    play = next(each for each in every_play() if each.title == title)
    return _chosen.encode(end_of(play.text(), 0.05)).ids


def choose_passage(passages: Sequence[Passage]) -> Passage | None:
    """Draw the choice of one passage, where there are several, and return it."""
    names = [passage.source for passage in passages]
    name = LESSON.select("passage", "After which passage", names) if len(names) > 1 else names[:1]
    return next((passage for passage in passages if passage.source in name), None)


@cached(400, 50, "The model writes", shared=no_typed_words)
def judged(
    label: str, digest: str, passage: Passage, length: int, width: int, seed: int, _chosen: ChosenModel
) -> list[Judged]:
    """Return the real text and what the model writes in every way, with their circles and words."""
    torch.set_num_threads(1)
    about = label, digest, passage.prompt
    beam = beam_texts(*about, width, _chosen)[length]
    texts = (
        score_text(_chosen.model, passage.prompt, REAL, passage.real),
        *texts_drawn(*about, ("greedy",), 0, _chosen),
        score_text(_chosen.model, passage.prompt, f"beam of {width}", beam),
        *texts_drawn(*about, ("top-p 0.9", "sampled"), seed, _chosen),
    )
    return [judge(passage.source, text.first(length), _chosen.decode) for text in texts]


@cached(150, 30, "The model writes", shared=no_typed_words)
def texts_drawn(
    label: str, digest: str, prompt: tuple[int, ...], ways: tuple[str, ...], seed: int, _chosen: ChosenModel
) -> list[ScoredText]:
    """Return the longest texts that are drawn in some ways: a shorter one of the same luck is their beginning."""
    torch.set_num_threads(1)
    texts = drawn_beside(_chosen.model, prompt, LENGTHS[-1], [DRAWN[way] for way in ways], seed)
    return [score_text(_chosen.model, prompt, way, tokens) for way, tokens in zip(ways, texts, strict=True)]


@cached(150, 30, "The model writes", shared=no_typed_words)
def beam_texts(
    label: str, digest: str, prompt: tuple[int, ...], width: int, _chosen: ChosenModel
) -> dict[int, list[int]]:
    """Return what a beam search finds, {length: tokens}: the longest search looks at all that a shorter one does."""
    torch.set_num_threads(1)
    found = winning_paths(beam_search(_chosen.model, prompt, width, LENGTHS[-1]))
    return {length: found[length] for length in LENGTHS}


@cached(200, 50, "The model reads", shared=no_typed_words)
def said_again(label: str, digest: str, before: tuple[int, ...], phrase: tuple[int, ...], _model):
    """Return what the model says of a phrase the first six times."""
    torch.set_num_threads(1)
    return repetitions(_model, before, phrase)


# What is drawn and said.


def ask_for_the_likeliest(texts: Sequence[Judged], passage: Passage) -> bool:
    """Ask which text surprises the model least; return whether that may be shown."""
    likeliest, wrote = max(texts, key=lambda each: each.scored.mean).scored.tokens, {}
    for each in texts:  # two ways that wrote the same text are one answer
        wrote.setdefault(each.scored.tokens, []).append(each.way)
    about, names = f"{hash((passage, *wrote))}", {text: " and ".join(ways) for text, ways in wrote.items()}
    return LESSON.ask(QUESTION, list(names.values()), names[likeliest], about)


def draw_bits(texts: Sequence[Judged]) -> None:
    """Draw what each text has cost until each of its tokens, and say what it comes to."""
    figure = bits_so_far_figure(
        {each.way: each.scored.ln_p for each in texts}, {each.way: each.cycle for each in texts}
    )
    alt = "The bits that each text has cost until each of its tokens; a ring where a circle begins"
    LESSON.figure("bits", figure, alt)
    cost = {each.way: float(bits(each.scored.mean)) for each in texts}
    LESSON.set_values(**{"real" if way == REAL else way: f"{each:.2f}" for way, each in cost.items()})
    LESSON.caption(what_they_cost(REAL, cost, [each.way for each in texts if each.cycle]))
    ring = "A ring: from here on the text runs in a circle."
    st.caption(f"The flatter a line, the surer the model was of each token. {ring}")


def greedy_of(texts: Sequence[Judged]) -> Judged:
    """Return the text that greedy search wrote."""
    return next(each for each in texts if each.way == "greedy")


def when_circles_begin(whole: Cycle | None, broken: Cycle | None, length: int) -> None:
    """Compare how much greedy search writes before its circle, with all of its memory and with little."""
    begins = [cycle.start if cycle else length for cycle in (whole, broken)]
    LESSON.set_values(verdict=(said := circles_begin(whole, broken, length)))
    st.markdown(
        f"Tokens that greedy search writes before its circle begins, with all of its memory and with little ({length} "
        f"where it has none). {said}"
    )
    consequence("Tokens before the circle", *begins, "d")


def say_it_again(chosen: ChosenModel, document: Document, passage: Passage, texts: Sequence[Judged]) -> None:
    """Draw p of the tokens of one phrase, said again and again."""
    drawn = (greedy := greedy_of(texts)).cycle and greedy.cycle.length <= LONGEST
    which = LESSON.choose("phrase", "The phrase", [CIRCLE, REAL_PHRASE, TYPED])
    before, phrase = passage.prompt, passage.real[:PHRASE]
    if which == TYPED:
        prompt = chosen.encode(LESSON.text("again", "Say again and again", "I do not know. ", max_chars=100))
        say_what_changed(prompt)
        phrase = prompt.ids
    elif which == CIRCLE and drawn:
        start = greedy.cycle.start
        before = (*before, *greedy.scored.tokens[:start])
        phrase = greedy.scored.tokens[start : start + greedy.cycle.length]
    elif which == CIRCLE:
        st.caption(no_circle_drawn(greedy.cycle))
    if not phrase:
        st.info("Type a phrase of which the model knows a token.")
        return
    digest = "" if passage.held_out else document.digest
    found = said_again(chosen.label, digest, before, phrase, chosen.model)
    LESSON.set_values(again=repetitions_said(found), circle=circle(greedy.cycle))
    names = [shown(chosen.names[token]) for token in phrase]
    alt = f"p of a phrase's tokens each time it is said, from {found.means[0]:.3f} to {found.means[-1]:.3f}"
    LESSON.figure("again_figure", repetitions_figure(np.exp(found.ln_p), found.means, names), alt)
    st.text(f"The phrase: {shown(chosen.decode(phrase))}")
    st.markdown(repetitions_said(found))
    LESSON.every_number("the repetitions", lambda: repetitions_table(found, names))


def show_texts(prompt: str, texts: Sequence[Judged]) -> None:
    """Write the prompt, then each text with its numbers, two beside each other."""
    st.code(prompt or " ", language=None, wrap_lines=True)
    for start in range(0, len(texts), 2):
        for column, each in zip(st.columns(2), texts[start : start + 2], strict=False):
            different, pairs = each.pairs
            with column:
                st.markdown(f"**{each.way}** · ln p {signed(each.scored.mean)} a token")
                st.code(each.text or " ", language=None, wrap_lines=True)
                st.caption(f"{different} of {pairs} word pairs differ; {circle(each.cycle)}.")


def likely_or_varied(chosen: ChosenModel, every: Sequence[Judged], passages: int) -> None:
    """Say in numbers what was found, whichever way it went, and draw each way to write as a point."""
    ways = pooled(every)
    st.markdown(verdict(ways, REAL))
    st.markdown(circles_counted(ways, passages))
    means, varied = (
        {way: getattr(found, what) for way, found in ways.items()} for what in ("mean", "varied")
    )
    LESSON.set_values(real_varied=f"{varied[REAL]:.0%}", greedy_varied=f"{varied['greedy']:.0%}")
    alt = "Each way to write: how likely a token is, and how many of its word pairs differ"
    LESSON.figure("varied", likely_or_varied_figure(means, varied, usual(chosen)), alt)


def usual(chosen: ChosenModel) -> float | None:
    """Return a stored model's mean ln p of a held-out token, from its card; None for a model of the learner's text."""
    name = model_labels().get(chosen.label)
    quality = load_card(name).quality if name else {}
    nats = [value for measure, value in quality.items() if measure.startswith("nats per")]
    return -nats[0] if nats else None
