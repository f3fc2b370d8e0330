"""Two directions: a sentence tagged by counting, from the left, and from both ends; then a document, classified so."""

from __future__ import annotations

from functools import cache

import streamlit as st

from core.figures.card import card
from core.figures.documents.two_directions import (
    NAMES,
    accuracy_figure,
    accuracy_table,
    error_figure,
    evidence_figure,
    evidence_of,
    evidence_table,
    luck_of,
    moved_figure,
    said_of_documents,
    sentence_frames,
    sentence_shared,
    tags_table,
)
from core.figures.figure import Figure
from core.figures.worked import percent, signed
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.chosen_text import type_words
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.documents.held_out import judge
from core.models.documents.recurrent_classifier import (
    Progress,
    RecurrentClassifier,
    fit_classifiers,
    load_review_classifiers,
)
from core.models.documents.recurrent_reader import Reading, RecurrentReader, read, states
from core.models.documents.recurrent_tagger import AHEAD, BOTH, DIRECTIONS, load_recurrent_tagger
from core.models.documents.sign_test import SignTest
from core.models.documents.three_taggers import (
    HMM,
    WAYS,
    TaggedThreeWays,
    moved,
    tag_three_ways,
    total_variation,
)
from core.models.documents.word_pieces import WordPieces
from core.models.hidden_markov_models.forward_backward import tag_posteriors
from core.models.recurrent_language_model import gru_step
from core.models.stored import load_card, load_json
from core.text.reading.labelled import LabelledDocuments
from pages.documents.shared.labelled_source import choose_class, labelled_source, split_of, type_document
from pages.hidden_markov_models.shared.hmm_choice import shared_model

LESSON = Lesson(
    __name__,
    title="Two directions",
    question="What does a network miss that reads from the left alone?",
    icon="move-horizontal",
)
SENTENCE = "We heard her play the piano."
WORDS_AT_MOST = 30


def picture() -> Figure:
    """The share of held-out nouns, verbs, adjectives and adverbs that each of the three tags wrong."""
    tags = load_json("two_directions", "shape")["tags"]
    return card(error_figure(load_json("two_directions", "confusion"), tags, ("NOUN", "VERB", "ADJ", "ADV")))


def page() -> None:
    """A sentence tagged three ways; the rest cut off; who is right how often; a document classified both ways."""
    LESSON.open(
        r"\overrightarrow{h}_t = \operatorname{GRU}(x_t, \overrightarrow{h}_{t-1}) \qquad "
        r"\overleftarrow{h}_t = \operatorname{GRU}(x_t, \overleftarrow{h}_{t+1}) \qquad "
        r"p_t = \operatorname{softmax}(W [\overrightarrow{h}_t; \overleftarrow{h}_t] + b) \qquad "
        r"D(p, q) = \tfrac{1}{2} \sum_k |p_k - q_k|",
        "$x_t$: word $t$, the sum of the rows of its pieces: itself, its last letters, its shape. "
        r"$\overrightarrow{h}_t$: the state from the left, which has read words 1 to $t$; $\overleftarrow{h}_t$: that from "
        r"the right, which has read $n$ down to $t$. $p_t$: a probability for each of 12 tags. The network from the left "
        r"alone has $\overrightarrow{h}_t$ only, with twice the units. $D$: how far two distributions are apart.",
    )
    controls, stage = LESSON.stage()
    with controls:
        words = type_words(LESSON, "tagged", SENTENCE, WORDS_AT_MOST, width=520)
        cut = LESSON.break_it(
            "cut",
            "Break it: cut off what comes after a word",
            "The three taggers read the sentence up to that word only. What of their tags changes?",
        )
        whole = tagged(tuple(words))
        kept = choose_kept(len(words)) if cut else len(words)
    with stage:
        seen = ask_furthest(whole)
        if seen:
            show_sentence(whole)
    if seen and cut and kept < len(words):
        show_cut(whole, tagged(tuple(words[:kept])))
    if seen:
        LESSON.every_number("the tags", tags_table, whole)
    st.header("Who is right how often?", anchor=False)
    show_accuracy()
    st.header("And a label for a whole document?", anchor=False)
    show_documents()
    LESSON.closing(
        code=[
            *(states, gru_step, read, Reading, RecurrentReader, WordPieces, tag_posteriors, tag_three_ways),
            *(total_variation, moved, fit_classifiers),
        ],
        notebook=[
            "from core.models.documents.recurrent_tagger import AHEAD, BOTH, load_recurrent_tagger\n"
            "from core.models.documents.three_taggers import moved, tag_three_ways\n"
            "from core.models.hidden_markov_models.tagger import load_tagger\n\n"
            f"words = {words!r}\n"
            "hmm, networks = load_tagger(), {name: load_recurrent_tagger(name) for name in (AHEAD, BOTH)}\n"
            "whole = tag_three_ways(hmm, networks, words)\n"
            "print(whole.tags, whole.apart)",
            f"moved(whole, tag_three_ways(hmm, networks, words[:{max(1, min(kept, len(words) - 1))}]))",
        ],
        plot="from core.figures.documents.two_directions import moved_figure\n\n"
        "draw(moved_figure(words, {name: whole.apart for name in ('HMM', 'forward', 'both')}))",
        try_this=[
            ("Cut the sentence off: whose tags stay as they were?", {"cut": True}),
            (
                "A first word that only the rest can tell: who looks ahead?",
                {"tagged": "Cook the rice in cold water."},
            ),
            (
                "“The old train the young” leads even readers astray: which of the three?",
                {"tagged": "The old train the young every day."},
            ),
            ("Invented words: do their endings do?", {"tagged": "The glimping wugs snorped loudly."}),
        ],
        sources=[
            "Mike Schuster and Kuldip Paliwal (1997), Bidirectional recurrent neural networks.",
            "Barbara Plank, Anders Søgaard and Yoav Goldberg (2016), Multilingual part-of-speech tagging with "
            "bidirectional long short-term memory models and auxiliary loss.",
            "Kyunghyun Cho et al. (2014), Learning phrase representations using RNN encoder-decoder.",
            "Lawrence Rabiner (1989), A tutorial on hidden Markov models.",
            "Brown corpus, W. N. Francis and H. Kucera (1964); tags of Petrov, Das and McDonald (2012).",
        ],
    )


@cache
def networks() -> dict:
    """Return the two stored taggers; every session shares them and nothing changes them."""
    return {name: load_recurrent_tagger(name) for name in DIRECTIONS}


@cached(64, 16, shared=no_typed_words)
def tagged(words: tuple[str, ...]) -> TaggedThreeWays:
    """Return a sentence tagged in three ways."""
    return tag_three_ways(shared_model("tagger"), networks(), words)


def choose_kept(n: int) -> int:
    """Draw the choice of how many of the n words are kept, at first half of them, and return it."""
    if n < 2:
        st.info("There is nothing after the only word. Type a longer sentence.")
    if n < 3:
        return 1
    return LESSON.slider("kept", "Words that are kept", 1, n - 1, (n + 1) // 2)


def ask_furthest(whole: TaggedThreeWays) -> bool:
    """Ask where the two networks are furthest apart, if there are words to choose from."""
    order = list(dict.fromkeys(whole.words[t] for t in (-whole.apart).argsort(kind="stable")))
    if len(order) < 2:
        return True
    choices = sorted([order[0], *order[1 :: max(1, len(order) // 3)][:3]], key=whole.words.index)
    question = "At which word are the two networks, from the left and from both ends, furthest apart?"
    return LESSON.ask(question, choices, order[0], " ".join(whole.words))


def show_sentence(whole: TaggedThreeWays) -> None:
    """Step through the sentence from both ends, and say where the two networks are furthest apart."""
    frames = sentence_frames(whole)
    LESSON.steps(frames, start=len(frames), shared=sentence_shared(whole))
    t, n = int(whole.apart.argmax()), len(whole.words)
    left, both = (f"{whole.tags[way][t]} {whole.sure(way)[t]:.2f}" for way in (AHEAD, BOTH))
    differ = sum(a != b for a, b in zip(whole.tags[AHEAD], whole.tags[BOTH], strict=True))
    tags = f"give {differ} of {n} words another tag" if differ else "agree on every tag"
    furthest = (
        f"The two networks {tags}; they are furthest apart at “{whole.words[t]}”: {left} from the left, {both} from "
        f"both ends."
    )
    LESSON.caption(plain(furthest))
    new = [word for word, unseen in zip(whole.words, whole.unseen, strict=True) if unseen]
    if new:
        st.text(f"Never seen in training: {', '.join(dict.fromkeys(new))}.")
    st.caption(
        "Thick edge: the three do not agree. Under each tag stands its probability, by the HMM given the whole sentence. "
        f"The states are those of the network from both ends, 16 of {whole.readings[BOTH].ahead.shape[1]} numbers each, "
        "blue above 0, orange below."
    )
    size = "1 word" if n == 1 else f"{n} words and signs"
    LESSON.set_values(n=size, furthest=whole.words[t], left=left, both=both)


def show_cut(whole: TaggedThreeWays, cut: TaggedThreeWays) -> None:
    """Say whose probabilities move when the rest of the sentence is cut off, and draw how far."""
    found, k = moved(whole, cut), len(cut.words)
    st.header("Who had looked ahead?", anchor=False)
    LESSON.figure(
        "moved",
        moved_figure(cut.words, found),
        f"Moved by cutting: {', '.join(f'{NAMES[way]} up to {found[way].max():.3f}' for way in WAYS)}",
    )
    t = int(found[BOTH].argmax())
    tag = whole.tags[BOTH][t]
    place = whole.states.index(tag)
    consequence(
        f"p({tag}) of “{plain(cut.words[t])}” by both directions",
        float(whole.p[BOTH][t, place]),
        float(cut.p[BOTH][t, place]),
        ".2f",
        more_is_better=None,
    )
    words = "that word" if k == 1 else f"those {k} words"
    said = (
        f"Cut off after “{cut.words[-1]}”, the probabilities of {words} move by at most {found[AHEAD].max():.2f} from the "
        f"left, {found[BOTH].max():.2f} from both ends and {found[HMM].max():.2f} by the HMM."
    )
    LESSON.caption(plain(said))
    LESSON.set_values(
        moved_left=f"{found[AHEAD].max():.2f}",
        moved_both=f"{found[BOTH].max():.2f}",
        moved_hmm=f"{found[HMM].max():.2f}",
        kept_to=cut.words[-1],
    )
    st.markdown(
        "The state from the left has not read what comes later, so nothing that comes later can move it. The HMM looks "
        "ahead too: its probabilities are given the whole sentence, and its tags are those of the likeliest path through it."
        + " Here what comes later hardly moves anyone: cut elsewhere."
        * all(found[way].max() < 0.005 for way in WAYS)
    )


def show_accuracy() -> None:
    """Set the three side by side on the sentences that none of them was trained on."""
    stored = load_card("two_directions")
    quality = stored.quality
    confusion, tags = load_json("two_directions", "confusion"), load_json("two_directions", "shape")["tags"]
    right = {way: quality[way] for way in WAYS}
    best = max(WAYS, key=right.get)
    if not LESSON.ask("Which tags the most held-out words right?", list(NAMES.values()), NAMES[best]):
        return
    LESSON.figure(
        "accuracy",
        accuracy_figure(confusion, tags),
        "Held-out words tagged right, by their true tag, by each of the three",
    )
    unseen = {way: quality[f"{way}, unseen words"] for way in WAYS}
    LESSON.caption(
        f"Of {stored.corpus['held_out_tokens']:,} held-out words the HMM tags {right[HMM]:.1%} right, the network from the "
        f"left {right[AHEAD]:.1%}, that from both ends {right[BOTH]:.1%}; of words never seen {unseen[HMM]:.1%}, "
        f"{unseen[AHEAD]:.1%} and {unseen[BOTH]:.1%}."
    )
    lines = []
    for one, other, alone, others in load_json("two_directions", "alone"):
        luck = percent(SignTest(alone, others).p, 0)
        lines.append(f"{NAMES[one]} beats {NAMES[other]} on {alone:,} and loses on {others:,} ({luck})")
    st.markdown(
        f"Word by word: {'; '.join(lines)}. In brackets: in how many cases luck would split them at least so unevenly, were "
        "both equally good."
    )
    st.markdown(
        f"All three were trained on the same {stored.corpus['training_sentences']:,} sentences. What each sees of a word: "
        "the HMM the word, or if it was never seen its shape and up to 5 last letters; the networks the word in lower case "
        "if it was said three times or more, always its last 1 to 4 letters, and its shape."
    )
    for name, way in (("hmm", HMM), ("ahead", AHEAD), ("two", BOTH)):
        LESSON.set_values(**{f"right_{name}": f"{right[way]:.1%}", f"unseen_{name}": f"{unseen[way]:.1%}"})
    LESSON.every_number("held-out words by tag", accuracy_table, confusion, tags)


def show_documents() -> None:
    """Read a document from both ends, and show what each state says for a class after each word."""
    documents = labelled_source(LESSON)
    _, tokens = type_document(LESSON, documents)
    c = choose_class(LESSON, documents)
    found = trained_on(documents)
    if found is None:
        st.info("Press Train: two networks learn from your documents. It takes a minute or so.")
        return
    name = documents.classes[c]
    reading = found[BOTH].read(tokens)
    ahead, back, b = evidence_of(reading, c)
    p = reading.class_probabilities[c]
    LESSON.figure(
        "evidence",
        evidence_figure(tokens, ahead, back, name),
        f"What the states from the left and from the right say for {name}, after each word",
    )
    left, right, rest, total = (signed(z, plus="+") for z in (ahead[-1], back[0], b, ahead[-1] + back[0] + b))
    LESSON.caption(
        plain(
            f"Read to the end, the state from the left says {left} for “{name}”, that from the right {right}; with b, "
            f"{rest}, that makes {total}: p = {p:.2f}."
        )
    )
    y = split_of(documents)[1].y
    judged = {way: judge(each.posteriors, y) for way, each in found.items()}
    st.markdown(said_of_documents(judged[AHEAD], judged[BOTH]))
    LESSON.set_values(
        docs=f"{len(y):,}", docs_left=f"{judged[AHEAD].right:,}", docs_both=f"{judged[BOTH].right:,}"
    )
    LESSON.set_values(docs_luck=luck_of(judged[AHEAD], judged[BOTH]))
    LESSON.every_number("the document", evidence_table, tokens, ahead, back)


def trained_on(documents: LabelledDocuments) -> dict[str, RecurrentClassifier] | None:
    """Return the classifiers: of the reviews as they are stored, of a learner's own once they are trained."""
    if not documents.own:
        return review_classifiers(documents.texts, split_of(documents)[2])
    bench = LESSON.train(
        fit_classifiers, (documents.texts, documents.labels), documents.digest, watch_classifiers
    )
    return bench.result if bench.settings == documents.digest else None


@cache
def review_classifiers(texts: tuple[str, ...], held: tuple[int, ...]) -> dict[str, RecurrentClassifier]:
    """Return the stored classifiers of the reviews."""
    return load_review_classifiers([texts[i] for i in held])


def watch_classifiers(reports: list[Progress]) -> None:
    """Draw how far the training is."""
    if not reports:
        st.progress(0.0, "Cutting the documents into words")
        return
    now = reports[-1]
    share = (now.step / now.steps + (now.network == BOTH)) / 2
    st.progress(share, f"{NAMES[now.network]}: step {now.step:,} of {now.steps:,}, loss {now.loss:.3f}")
