"""Two sentences: [CLS], [SEP] and segments, whether the second follows the first, and what the class vector holds."""

from __future__ import annotations

import numpy as np
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.pretraining.pairs_said import (
    FOLLOWS,
    NOT,
    breaks_said,
    called,
    drawn_said,
    kinds_said,
    looks_said,
    orders_said,
    own_said,
    pair_said,
    probes_said,
    swapped_said,
    verdict,
    words_said,
)
from core.figures.pretraining.sentence_pairs import (
    class_figure,
    class_vector_table,
    input_figure,
    input_table,
    kinds_figure,
    kinds_table,
    orders_figure,
    orders_table,
    probes_figure,
    probes_table,
)
from core.figures.self_attention.heads import names_of
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.chosen_text import FROM_TEXT, TYPED, found_sentences, text_is_new
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.pretraining.pair_measures import (
    ASKED,
    OTHER_BOOK,
    SAME_BOOK,
    SWAPPED,
    TRUE,
    OwnPairs,
    every_order,
    followers_found,
    linear_probe,
    own_pairs,
    pair_vectors,
    shared_word_counts,
)
from core.models.pretraining.pair_training import LEAST, joined, pair_losses
from core.models.pretraining.sentence_pairs import (
    STORED,
    PairNetwork,
    PairTrace,
    SentencePairs,
    pair_input,
    stored_sentence_pairs,
)
from core.models.stored import load_card
from core.text.reading.documents import Document

LESSON = Lesson(
    __name__,
    title="Two sentences",
    question="Does the second sentence follow the first?",
    icon="messages-square",
)
EXAMPLE = "an example"
EXAMPLES = {  # written for this course, in the tone of what the model has read
    "the king and his men": (
        "The king went up to the town with all his men.",
        "And when he came to the gate, the people went out to meet him.",
    ),
    "the king and a cup": (
        "The king went up to the town with all his men.",
        "The cup was of silver, and there were flowers cut round the edge of it.",
    ),
    "a question and its answer": (
        "Who is the man who is waiting at the door?",
        "It is your brother, my lord, and he has a letter for you.",
    ),
    "two of our own time": (
        "The train to the airport leaves every ten minutes.",
        "Please keep your ticket until the end of the journey.",
    ),
}
TYPED_AT_MOST = 300  # characters of a typed sentence
ORDERED, MEASURED, SEED = 7, 40, 3  # sentences in every order; sentences measured; which others are drawn


def picture() -> Figure:
    """The three rows of a pair and their sum."""
    model = stored_sentence_pairs()
    pair = model.read("The king went up.", "The people saw him.")
    return small(input_figure(model.trace(pair), names_of(model.names(pair.ids))))


def page() -> None:
    """One pair from its three rows to P(is next); where [CLS] looks; every order; what was measured; what c holds."""
    torch.set_num_threads(1)
    k = load_card(STORED).config["weight of the next sentence"]
    LESSON.open(
        r"x_t = E[\text{token}_t] + S[\text{segment}_t] + P[t] \qquad c = \tanh(W_p h_1 + b_p) \qquad "
        r"P(\text{is next}) = \frac{1}{1 + e^{-(w c + b)}} \qquad L = L_{\text{masked}} + k L_{\text{next}}",
        "$x_t$: what enters the first layer at place $t$; $E$, $S$, $P$: the vectors of tokens, segments and positions, "
        "all learned; $h_1$: what the last layer gives at the place of [CLS], normalised; $c$: the class vector; $w$, $b$: "
        "one row of weights. BERT has a row for “is next” and one for “not next”: their difference is $w$. $L$: what "
        f"training makes small, the mean nats of a hidden token and $k$ times those of the answer; $k$ = {k:g}, 1 in BERT.",
    )
    model = stored_sentence_pairs()
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source("the-lighthouse")
        first, second = choose_pair(document)
        swapped = LESSON.break_it(
            "swapped", "Swap them", "The second sentence comes first: is the order seen?"
        )
        bare = LESSON.break_it("bare", "Break it: no [SEP]", "Nothing marks where a sentence ends.")
        one = LESSON.break_it(
            "one", "Break it: one segment", "Both sentences get the vector of the first segment."
        )
    whole = read(first, second, (0, 1), True)
    a, b = (second, first) if swapped else (first, second)
    trace = read(a, b, (0, 0) if one else (0, 1), not bare)
    names = names_of(model.names(trace.pair.ids))
    broken = swapped or bare or one
    with stage:
        alt = "Each token of the two sentences: the lengths of its token, segment and position vectors and of their sum"
        LESSON.figure("input", input_figure(trace, names), alt, wide=True)
        revealed = ask(trace, (first, second, swapped, bare, one))
        if revealed:
            LESSON.caption(plain(pair_said(trace)))
            LESSON.set_values(
                p=f"{trace.p_next:.3f}", verdict=verdict(trace.p_next), logit=f"{trace.logit:.2f}"
            )
        st.caption("In blue: how long each vector is. Lengths do not add up: the numbers in the vectors do.")
    say_cut(notes, model, first, second)
    LESSON.set_values(T=len(names), C=len(trace.c), longest=model.longest)
    if revealed and broken:
        consequence("P(is next)", whole.p_next, trace.p_next, ".3f", more_is_better=None)
        if np.isclose(whole.p_next, trace.p_next, atol=5e-4):
            st.markdown("To three decimals nothing changes here.")
        if bare or one:
            st.markdown(breaks_said(load_card(STORED).quality))
    LESSON.every_number("what is added", input_table, trace, names)

    if revealed:
        st.header("Where [CLS] looks", anchor=False)
        show_looks(trace, names)
        st.header("Every order of your sentences", anchor=False)
        show_orders(document)
    st.header("How often is it right?", anchor=False)
    show_kinds(document)
    st.header("What the class vector holds", anchor=False)
    show_probes(model, trace, revealed)
    LESSON.closing(
        code=[
            *(pair_input, PairNetwork, PairTrace, SentencePairs, pair_losses, joined),
            *(every_order, own_pairs, pair_vectors, shared_word_counts, linear_probe),
        ],
        notebook=[
            "from core.models.pretraining.sentence_pairs import stored_sentence_pairs\n\n"
            f"model = stored_sentence_pairs()\n"
            f"pair = model.read({a!r}, {b!r}, {(0, 0) if one else (0, 1)!r}, {not bare!r})\n"
            "trace = model.trace(pair)\nprint(trace.summed.shape, trace.c.shape, trace.p_next)",
        ],
        plot=(
            "from core.figures.pretraining.sentence_pairs import input_figure\n\n"
            "draw(input_figure(trace, [model.vocabulary[i] for i in pair.ids]))"
        ),
        try_this=[
            ("Another subject", {"source": EXAMPLE, "example": "the king and a cup", "swapped": False}),
            ("Swapped: seen?", {"source": EXAMPLE, "example": "the king and his men", "swapped": True}),
            ("One segment vector for both", {"source": EXAMPLE, "one": True}),
        ],
        sources=[
            "Jacob Devlin, Ming-Wei Chang, Kenton Lee and Kristina Toutanova (2019), BERT: Pre-training of Deep "
            "Bidirectional Transformers for Language Understanding.",
            "Yinhan Liu et al. (2019), RoBERTa: A Robustly Optimized BERT Pretraining Approach, 4.2: without the "
            "next-sentence loss their models did as well or better.",
            "Zhenzhong Lan et al. (2020), ALBERT: A Lite BERT for Self-supervised Learning of Language Representations, "
            "3.1 and 4.6: order instead of next or not.",
            "John Hewitt and Percy Liang (2019), Designing and Interpreting Probes with Control Tasks.",
        ],
    )


# The pair: an example of ours, two typed sentences, or two of the learner's text.


def choose_pair(document: Document) -> tuple[str, str]:
    """Draw the choice of the two sentences and return them."""
    if text_is_new(LESSON, "source", "start"):
        LESSON.set_state("source", FROM_TEXT)
    source = LESSON.choose("source", "Sentences", [EXAMPLE, TYPED, FROM_TEXT])
    if source == EXAMPLE:
        return EXAMPLES[LESSON.select("example", "Example", list(EXAMPLES), width=230)]
    if source == TYPED:
        ours = EXAMPLES["the king and his men"]
        typed = [
            LESSON.private_text(name, label, default, max_chars=TYPED_AT_MOST, width=280)
            for name, label, default in zip(
                ("a", "b"), ("First sentence", "Second sentence"), ours, strict=True
            )
        ]
        return typed[0].strip(), typed[1].strip()
    found = [text for text, _ in own_sentences(document)]
    last = max(1, len(found) - 1)
    if int(LESSON.get_state("start", 1)) > last:
        LESSON.set_state("start", last)
    start = int(LESSON.number("start", f"First sentence, 1 to {last:,}", 1, last, 1, width=170))
    pair = [*found[start - 1 : start + 1], "", ""]
    return pair[0], pair[1]


@cached(16, 4, "Finding the sentences", shared=is_sample)
def own_sentences(document: Document) -> list[tuple[str, list[int]]]:
    """Return the sentences of the beginning of a text with their ids; short ones go together with the next."""
    model = stored_sentence_pairs()
    return joined(found_sentences(document), model.pairs, LEAST, model.longest)


@cached(24, 8, shared=no_typed_words)
def read(first: str, second: str, segments: tuple[int, int], separated: bool) -> PairTrace:
    """Return everything that reading two sentences computes."""
    torch.set_num_threads(1)
    model = stored_sentence_pairs()
    return model.trace(model.read(first, second, segments, separated))


def ask(trace: PairTrace, about: tuple) -> bool:
    """Ask what the model says of the pair, and return whether the answer may be shown."""
    question = "What does the model say of the second sentence?"
    return LESSON.ask(question, [FOLLOWS, NOT], verdict(trace.p_next), str(hash(about)))


def say_cut(notes, model: SentencePairs, first: str, second: str) -> None:
    """Say what of the two sentences is not read, and that an empty one leaves nothing but marks."""
    with notes:
        for name, sentence in (("first", first), ("second", second)):
            n = len(model.pairs.encode(sentence))
            if n > model.longest:
                st.caption(
                    f"Of the {name} sentence the first {model.longest} of {n:,} tokens are read, as in training."
                )
            if not n:
                st.info(f"The {name} sentence is empty: the model reads its marks alone.")


# What comes of it.


def show_looks(trace: PairTrace, names: list[str]) -> None:
    """Draw the attention of [CLS] in every head, and say where it goes."""
    alt = "The attention weights from [CLS] to every token, a row a head"
    LESSON.figure("class", class_figure(trace, names), alt)
    marks = sum(name in ("[CLS]", "[SEP]") for name in names)
    said = looks_said(trace.from_class, names, trace.pair.segments, marks)
    LESSON.set_values(looks=said)
    st.markdown(plain(said))


@cached(32, 8, "The model reads every order", shared=is_sample)
def orders_of(document: Document, start: int) -> tuple[list[str], np.ndarray]:
    """Return the sentences from `start` on, as far as they are read, and P(is next) of every ordered pair of them."""
    torch.set_num_threads(1)
    found, model = own_sentences(document)[start - 1 : start - 1 + ORDERED], stored_sentence_pairs()
    return [model.as_read(*each) for each in found], every_order(model, [ids for _, ids in found])


def show_orders(document: Document) -> None:
    """Draw every ordered pair of some sentences of the learner's text, and say how many followers are found."""
    found = own_sentences(document)
    start = min(int(LESSON.get_state("start", 1)), max(1, len(found) - ORDERED + 1))
    shown = found[start - 1 : start - 1 + ORDERED]
    if len(shown) < 3:
        st.info(f"Your text has fewer than three sentences of {LEAST} tokens: there is no order to choose.")
        return
    (lines, p), longest = orders_of(document, start), stored_sentence_pairs().longest
    left, right = st.columns([3, 2], gap="medium")
    with left:
        alt = "P(is next) of every ordered pair of the sentences; those that follow in the text are framed"
        LESSON.figure("orders", orders_figure(p), alt)
    with right:
        for number, line in enumerate(lines, 1):
            st.text(f"{number}  {line}")
        st.caption(f"Of a sentence that ends in […] only these first {longest} tokens are read.")
    said = orders_said(p, followers_found(p))
    LESSON.caption(said)
    LESSON.set_values(orders=said, ordered=len(shown))
    LESSON.every_number("every order", orders_table, p)


@cached(16, 4, "The model reads the pairs of your text", shared=is_sample)
def measured(document: Document) -> OwnPairs | None:
    """Return what the model says of the pairs of the first sentences of a text."""
    torch.set_num_threads(1)
    ids = [each for _, each in own_sentences(document)[:MEASURED]]
    return own_pairs(stored_sentence_pairs(), ids, SEED)


def show_kinds(document: Document) -> None:
    """Draw how many pairs are called next by where the second sentence is from, held out and in the learner's text."""
    quality, config = load_card(STORED).quality, load_card(STORED).config
    n, own = int(quality["pairs of each kind, held out"]), measured(document)
    kinds = (TRUE, SWAPPED, SAME_BOOK, OTHER_BOOK)
    model = {kind: called(quality, kind) for kind in kinds}
    by_words = {kind: called(quality, kind, " by shared words") for kind in kinds}
    of_own, own_n = (own.called_next, len(own.true)) if own else (None, 0)
    alt = "Share of pairs called next, by where the second sentence is from, with 95% intervals"
    LESSON.figure("kinds", kinds_figure(model, by_words, n, of_own, own_n), alt)
    said = kinds_said(quality)
    LESSON.caption(said)
    st.markdown(f"{words_said(quality)} {drawn_said(config)} {swapped_said(quality)}")
    LESSON.set_values(drawn=drawn_said(config), breaks=breaks_said(quality))
    if of_own:
        st.markdown(own_said(of_own, own_n))
    LESSON.set_values(kinds=said, by_words=words_said(quality), swaps=swapped_said(quality))
    before, after = (quality[f"nats per hidden token, {when}"] for when in ("before", "after"))
    told = f"Its {quality['hidden tokens']:,} gaps in held-out pairs cost {before:.2f} nats a token before this training"
    st.caption(
        f"{told} and {after:.2f} after it. An interval takes the pairs as independent; those of one book are not quite."
    )
    LESSON.every_number("pairs called next", kinds_table, model, by_words, n, of_own, own_n)


def show_probes(model: SentencePairs, trace: PairTrace, revealed: bool) -> None:
    """Draw what lines through the class vector tell of unseen pairs."""
    quality = load_card(STORED).quality
    alt = "How often a linear probe is right, by question and by the vector it reads, with 95% intervals"
    LESSON.figure("probes", probes_figure(ASKED, quality), alt)
    said = probes_said(ASKED, quality)
    LESSON.caption(said)
    LESSON.set_values(probes=said, probed=int(quality["probed pairs"]))
    st.markdown(
        "A probe is a logistic regression from the vector to the answer, fitted to pairs of some held-out books and tested "
        "on those of others. That it can be read off the vector does not say that the network uses it."
    )
    LESSON.every_number("probes", probes_table, ASKED, quality)
    if revealed:
        LESSON.every_number("the class vector of this pair", class_vector_table, trace, model)
