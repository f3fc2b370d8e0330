"""ELMo: the layers of a bidirectional language model, mixed with learned weights for tagging and for sentiment."""

from __future__ import annotations

import numpy as np
import streamlit as st
import torch

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.pretraining.layer_mix import (
    NAMES,
    TASK_NAMES,
    accuracy_figure,
    bits_figure,
    held_out_table,
    mix_view,
    parts_table,
    rows_table,
    small_weights,
    weights_figure,
)
from core.figures.pretraining.layer_mix_said import (
    TIED,
    said_by_hand,
    said_of_held_out,
    said_of_left,
    said_of_mix,
    said_of_most,
    said_of_others,
    said_of_pieces,
    said_of_rating,
    said_of_samples,
    said_of_surprise,
    said_of_tags,
    said_of_weights,
    wanted,
)
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.chosen_text import type_words
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.pretraining.bidirectional_language_model import (
    BidirectionalLanguageModel,
    ReadBothWays,
    read_both_ways,
    read_one_way,
)
from core.models.pretraining.both_ways_surprise import BothWaysSurprise, bits_of, surprise_by
from core.models.pretraining.elmo import BY_PIECES, MIX, SENTIMENT, SINGLE, STORED, TAGS, Elmo, load_elmo
from core.models.pretraining.layer_mix import LayerMix, mixed, normalised
from core.models.recurrent_language_model import lstm_step
from core.models.stored import load_card
from core.text.reading.documents import Document
from core.text.samples.corpus_words import corpus_words
from core.text.tokenization.tokens import sentences

LESSON = Lesson(
    __name__,
    title="Layers, mixed for a task",
    question="Which layer of a language model does a task want?",
    icon="🥞",
)
SENTENCE = "The actors play well, but the play is a bore."
TASKS = {name: task for task, name in TASK_NAMES.items()}
WORDS_AT_MOST = 16
SEARCHED = 20_000  # characters of the learner's text
READ_AT_MOST = 30  # of its sentences
LARGEST = 1e9  # of a weight set by hand
LONGEST = 40  # words of a sentence of it
LEFT_ALONE = "mix→"


def picture() -> Figure:
    """The weights that the two tasks learned for the three layers."""
    return card(small_weights({task: mixes[MIX] for task, mixes in load_elmo().mixes.items()}))


def page() -> None:
    """A sentence layer by layer and mixed; what each layer gets right; the learned weights; both directions' surprise."""
    torch.set_num_threads(1)
    LESSON.open(
        r"\text{ELMo}_t = \gamma \sum_{j=0}^{2} s_j h_{t,j} \qquad s = \operatorname{softmax}(u) \qquad "
        r"h_{t,j} = [\overrightarrow{h}_{t,j}; \overleftarrow{h}_{t,j}] \qquad z_t = W\,\text{ELMo}_t + b = "
        r"\gamma \sum_j s_j a_{t,j} + b, \quad a_{t,j} = W h_{t,j}",
        "$h_{t,0}$: word $t$, the sum of the rows of its pieces, the same in every sentence. $h_{t,1}, h_{t,2}$: the states "
        r"of the first and the second LSTM from the left ($\rightarrow$) and from the right ($\leftarrow$), each brought to "
        "mean 0 and variance 1. $s_j$: the weight of layer $j$; $\\gamma$, $u$, $W$ and $b$ are learned with the task. "
        "Tags: $p_t = \\operatorname{softmax}(z_t)$; sentiment: softmax of the mean of $z_t$ over the words.",
    )
    elmo = load_elmo()
    controls, stage = LESSON.stage()
    with controls:
        task = TASKS[LESSON.choose("task", "Task", list(TASKS))]
        words = type_words(LESSON, "typed", SENTENCE, WORDS_AT_MOST, width=300)
        broken = LESSON.break_it(
            "left", "Break it: from the left only", "The mix is learned without the states from the right."
        )
        mix = elmo.mixes[task][LEFT_ALONE if broken else MIX]
        s = choose_weights(mix)
    h = layers_of(tuple(words))
    with stage:
        revealed = ask_wanted(elmo, task)
        if revealed:
            show_sentence(elmo, task, words, h, broken, s)
    if revealed:
        st.header("Which layer does the task want?", anchor=False)
        show_held_out(elmo, task, broken)
    st.header("Read from the left, read from the right", anchor=False)
    show_surprise(elmo, words)
    LESSON.closing(
        code=[
            *(LayerMix, mixed, normalised, lstm_step, read_one_way, read_both_ways, ReadBothWays),
            *(BidirectionalLanguageModel, bits_of, BothWaysSurprise),
        ],
        notebook=[
            "from core.models.pretraining.elmo import load_elmo\n\n"
            f"words, task = {words!r}, {task!r}\n"
            "elmo = load_elmo()\n"
            "h = elmo.layers(words)  # (3, 2, n, C)",
            f"mix = elmo.mixes[task][{LEFT_ALONE if broken else MIX!r}]\n"
            "print(mix.s, mix.gamma)\n"
            "print(mix.tag_probabilities(h) if task == 'tags' else mix.sentence_probabilities(h))",
        ],
        plot="from core.figures.pretraining.layer_mix import small_weights\n\n"
        "draw(small_weights({task: mixes['mix'] for task, mixes in elmo.mixes.items()}))",
        try_this=[
            ("“Play” as a noun and as a verb: which layer can tell?", {"typed": "They play in the play."}),
            ("All the weight on layer 0: a word has one tag, wherever it stands", {"weights": "1 0 0"}),
            (
                "A film praised with a “not” in it: does any layer notice?",
                {"task": TASK_NAMES[SENTIMENT], "typed": "This film is not bad."},
            ),
        ],
        sources=[
            "Matthew Peters et al. (2018), Deep Contextualized Word Representations.",
            "Matthew Peters et al. (2018), Dissecting Contextual Word Embeddings: Architecture and Representation.",
            "Sepp Hochreiter and Jürgen Schmidhuber (1997), Long short-term memory.",
            *load_card(STORED).credits,
        ],
    )


# The sentence.


def choose_weights(mix: LayerMix) -> np.ndarray:
    """Draw the field of weights set by hand, and return them, s (3,); the learned ones where there are none."""
    with st.popover("Weights"):
        hint = "as learned: move a slider"
        typed = LESSON.text("weights", "s of layers 0, 1 and 2", max_chars=60, placeholder=hint)
        LESSON.button("learned", "As learned", LESSON.set_state, "weights", "", disabled=not typed.strip())
    if not typed.strip():
        return mix.s
    given = written_weights(typed)
    if given is None:
        st.info("Three numbers from 0 on are weights, such as 0.2 0.5 0.3. The learned ones are used.")
    return mix.s if given is None else given


def written_weights(typed: str) -> np.ndarray | None:
    """Return three written numbers, scaled to add up to one; None where they are no weights.

    >>> written_weights("1 1 2").tolist(), written_weights("0 0 0"), written_weights("a b")
    ([0.25, 0.25, 0.5], None, None)
    """
    try:
        found = np.array([float(each) for each in typed.split()])
    except ValueError:
        return None
    if len(found) != 3 or not (np.isfinite(found) & (found >= 0)).all() or not 0 < found.max() < LARGEST:
        return None
    return found / found.sum()


def take_weights(s: list[float]) -> None:
    """Keep the weights that were set in the view."""
    LESSON.set_state("weights", " ".join(f"{float(each):.3f}" for each in s[:3]))


@cached(64, 16, shared=no_typed_words)
def layers_of(words: tuple[str, ...]) -> np.ndarray:
    """Return the normalised layers (3, 2, n, C) of a sentence."""
    torch.set_num_threads(1)
    return load_elmo().layers(words)


def ask_wanted(elmo: Elmo, task: str) -> bool:
    """Ask which layer alone serves the task best on held-out data."""
    what = "tags the most held-out words right" if task == TAGS else "rates the most held-out sentences right"
    choices = [*(NAMES[each] for each in SINGLE), TIED]
    question = f"Which layer, alone, {what}? (Layer 0 knows no neighbours.)"
    return LESSON.ask(question, choices, wanted(elmo.held_out[task]), task)


def show_sentence(
    elmo: Elmo, task: str, words: list[str], h: np.ndarray, broken: bool, s: np.ndarray
) -> None:
    """Show the sentence by every layer and direction, with the mix that the learner can move, and say what is seen."""
    mixes = elmo.mixes[task]
    rows = ("0", "1→", "2→", LEFT_ALONE) if broken else (*SINGLE, MIX)
    mix = mixes[rows[-1]]
    label = f"{TASK_NAMES[task]} of {len(words)} words, a row a layer"
    first = furthest(mixes, rows, h)
    data = mix_view(words, h, mixes, broken, s, first, label)
    LESSON.view("layer_mix", data, on={"mix": take_weights})
    say = said_of_tags if task == TAGS else said_of_rating
    said = say(words, h, mixes, rows)
    LESSON.caption(plain(said))
    by_hand = said_by_hand(words, h, mix, s, task)
    if not np.allclose(s, mix.s):
        st.markdown(plain(by_hand))
    LESSON.set_values(seen=said, by_hand=by_hand, word=words[first], task=TASK_NAMES[task])
    bars = "under a tag, its probability" if task == TAGS else "under a number, how large it is in its row"
    st.caption(
        f"The bar: {bars}. → from the left, ← from the right; a row of one layer has a W of its own, learned for it alone. "
        "The sliders set s; W stays the one that was learned with the learned s, marked upright."
    )
    LESSON.every_number("what each row says", rows_table, words, h, {each: mixes[each] for each in mixes})
    LESSON.every_number("the parts a of the mix", parts_table, words, h, mix)


def furthest(mixes: dict[str, LayerMix], rows: tuple[str, ...], h: np.ndarray) -> int:
    """Return the place of the word on which layer 0 and the last layer alone are furthest apart."""
    low, high = (mixes[rows[i]].tag_probabilities(h) for i in (0, 2))
    return int(np.abs(low - high).sum(axis=1).argmax())


# What is held out, and the weights.


def show_held_out(elmo: Elmo, task: str, broken: bool) -> None:
    """Draw what each reading gets right, beside other models of the course, and the weights of both tasks."""
    held_out, settings = elmo.held_out[task], load_card(STORED).config["mixes"][task]
    readings = ["0", "1→", "1←", "1", "2→", "2←", "2", LEFT_ALONE, MIX]
    others = beside(task)
    left, right = st.columns(2)
    with left:
        alt = f"{TASK_NAMES[task]}: the share of {held_out.n:,} held-out examples that each layer and the mix get right"
        LESSON.figure("held_out", accuracy_figure(held_out, readings, others), alt)
    ends = {each: elmo.weight_ends(each) for each in elmo.mixes}
    with right:
        alt = "The weights that both tasks learned for layers 0, 1 and 2, with 95% intervals"
        LESSON.figure(
            "mixes", weights_figure({each: elmo.mixes[each][MIX] for each in elmo.mixes}, ends), alt
        )
    said, of_mix = said_of_held_out(task, held_out), said_of_mix(held_out)
    LESSON.caption(said)
    weights = [weighed(elmo, each, ends[each]) for each in elmo.mixes]
    st.markdown(f"{of_mix} {' '.join(weights)}")
    LESSON.set_values(held_out=said, of_mix=of_mix, weights_tags=weights[0], weights_sentiment=weights[1])
    learned = {each: elmo.mixes[each][MIX].learned for each in elmo.mixes}
    LESSON.set_values(learned_tags=f"{learned[TAGS]:,}", learned_sentiment=f"{learned[SENTIMENT]:,}")
    if broken:
        whole, cut = (held_out.share(each) for each in (MIX, LEFT_ALONE))
        consequence("Held-out examples right", whole, cut, ".1%")
        lost = said_of_left(held_out)
        st.markdown(lost)
        LESSON.set_values(from_left=lost)
    compared = said_of_others(held_out, others)
    if task == SENTIMENT:
        compared += f" {said_of_pieces(held_out, load_card(STORED).quality[BY_PIECES])}"
    LESSON.set_values(beside=compared)
    stored, what = load_card(STORED), "words in a sentence" if task == TAGS else "sentences about one film"
    learnt = f"from {settings['texts']:,} of their sentences" if task == TAGS else "from the same sentences"
    fit = stored.config["fit"]
    st.markdown(
        f"{compared} Here only the {learned[task]:,} numbers of a mix were learned for the task, {learnt}; the language "
        f"model stayed as it was. It is small, {stored.quality['parameters']:,} numbers fitted in {fit['steps']:,} steps of "
        f"at most {fit['batch']} sentences; that of Peters et al. read a billion words, and other weights could come of it. "
        f"Intervals and luck take examples as independent; {what} are not quite. The weights' intervals come of "
        f"{settings['drawn again']} samples of the same texts, drawn again with replacement, each fitted from other first "
        "numbers: what another language model, or another way to fit the mix, would give they leave out."
    )
    LESSON.every_number("held-out examples", held_out_table, held_out)


def weighed(elmo: Elmo, task: str, ends: np.ndarray) -> str:
    """Say which weights a task learned, how they came out of samples drawn again, and what they do not say."""
    s, held_out = elmo.mixes[task][MIX].s, elmo.held_out[task]
    said = (
        said_of_weights(task, s, ends),
        said_of_samples(elmo.again[task]),
        said_of_most(s, ends, held_out),
    )
    return " ".join(filter(None, said))


def beside(task: str) -> dict[str, float]:
    """Return what other models of the course get right of the same held-out examples."""
    if task == TAGS:
        quality = load_card("two_directions").quality
        return {"hidden Markov model": quality["HMM"], "GRU, both directions": quality["both"]}
    quality = load_card("classify_movies").quality
    return {name: quality[name] for name in ("naive Bayes", "logistic regression")}


# Both directions as language models.


def show_surprise(elmo: Elmo, words: list[str]) -> None:
    """Draw each direction's bits on the sentence, and say both perplexities on the learner's text."""
    bits = bits_of(read_sentence(tuple(words)))
    LESSON.figure("bits", bits_figure(words, bits), "Bits of every word from the left and from the right")
    apart = bits[0] - bits[1]
    t = int(np.abs(apart).argmax())
    left, right = (f"{each:.1f}" for each in bits[:, t])
    LESSON.caption(
        plain(
            f"“{words[t]}” is where the two differ most: {left} bits after what stands before it, {right} after what stands "
            "behind it, read backwards."
        )
    )
    LESSON.set_values(differs=words[t], bits_left=left, bits_right=right)
    unlisted = [word for word, number in zip(words, elmo.model.numbers(words), strict=True) if not number]
    if unlisted:
        named = ", ".join(dict.fromkeys(unlisted))
        st.text(
            f"Not on the list of {len(elmo.model.words):,} words that are guessed, so each is “other word”: {named}."
        )
    found = surprise_of_text(text_source())
    said = said_of_surprise(found) if found else "The text has no sentence to read."
    st.markdown(said)
    quality = load_card(STORED).quality
    name = "Brown corpus"
    told = (
        f"On held-out sentences of the {name} the perplexity is {quality[f'perplexity from the left, {name}']:.0f} from the "
        f"left and {quality[f'perplexity from the right, {name}']:.0f} from the right; by the words' frequency alone it is "
        f"{quality[f'perplexity by frequency, {name}']:.0f}."
    )
    st.markdown(told)
    LESSON.set_values(of_text=said, of_corpus=told)


@cached(64, 16, shared=no_typed_words)
def read_sentence(words: tuple[str, ...]) -> ReadBothWays:
    """Return a sentence read from both ends."""
    torch.set_num_threads(1)
    return load_elmo().model.read(words)


@cached(32, 8, "Reading from both ends", shared=is_sample)
def surprise_of_text(document: Document) -> BothWaysSurprise | None:
    """Return how surprised both directions are by the first sentences of a text; None where it has no word."""
    torch.set_num_threads(1)
    cut = (corpus_words(each)[:LONGEST] for each in sentences(document.text[:SEARCHED])[:READ_AT_MOST])
    kept = [words for words in cut if words]
    return surprise_by(load_elmo().model, kept) if kept else None
