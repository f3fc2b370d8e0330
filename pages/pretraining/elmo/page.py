"""ELMo: what its story shows beat by beat, and its lab on any sentence, any weights and any text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import streamlit as st
import torch

from core.figures.layer_bars import join_panels
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.documents.sign_test import SignTest
from core.models.pretraining.bidirectional_language_model import (
    BidirectionalLanguageModel,
    ReadBothWays,
    read_both_ways,
    read_one_way,
)
from core.models.pretraining.both_ways_surprise import BothWaysSurprise, bits_of, surprise_by
from core.models.pretraining.elmo import (
    BROWN_PERPLEXITIES,
    HMM_OF_AS_MANY,
    MIX,
    NOUN_VERB,
    SINGLE,
    STORED,
    TAGS,
    USUAL_TAG,
    Elmo,
    HeldOutAnswers,
    load_elmo,
)
from core.models.pretraining.layer_mix import LayerMix, mixed, standardise
from core.models.recurrent_language_model import lstm_step
from core.models.stored import load_card
from core.text.reading.documents import Document
from core.text.samples.corpus_words import corpus_words
from core.text.tokenization.tokens import sentences
from pages.pretraining.elmo import EXAMPLES, LESSON
from pages.pretraining.elmo.figures import (
    HUES,
    draw_bits,
    draw_errors,
    draw_mix,
    draw_streams,
    draw_weights,
    error_panel,
    name_reading,
    read_tags,
    sum_panel,
    table_held_out,
    table_parts,
    table_rows,
    weight_panel,
)

WORDS = LESSON.words
SENTENCE, TWICE = EXAMPLES
LEFT_ALONE = "mix→"
TIED = "tied"  # the answer where no layer is surely best
SURE = 0.05
WORDS_AT_MOST, STORY_WORDS_AT_MOST = 16, 10
SEARCHED, READ_AT_MOST, LONGEST = 20_000, 30, 40  # of a text: characters, sentences, words of a sentence
LARGEST = 1e9  # of a weight set by hand
READINGS = ("mix", "2", "2←", "2→", "1", "1←", "1→", "0", LEFT_ALONE)  # as the lab's chart has them
DOWNWARDS = ("2", "1", "0")  # the layers as the pictures have them: the top one first
TAGS_REACH, NOUN_VERB_REACH = 0.066, 0.22  # of the bars' scale

TASK = Choice("task", TAGS, (TAGS, NOUN_VERB), {"part-of-speech tags": TAGS})
TYPED = Text("typed", SENTENCE, 300)
OWN = Text("typed", "They work at work .", 120)
LEFT = Switch("left")
WEIGHTS = Text("weights", "", 60)
LAB = (TASK, TYPED, LEFT, WEIGHTS)


# The story: what each beat shows.


def show_machine(settings: Settings) -> Part:
    """Two streams through the sentence, and what the chosen word's vectors have read."""
    words = read_words(settings.typed)
    values = {"word": words[settings.at], "vectors": 1 + 2 * (len(SINGLE) - 1)}
    return Part("two_streams", draw_streams(words, "apart", at=settings.at), values)


def show_two_tags(settings: Settings) -> Part:
    """The tags that each layer alone gives every word; the word that occurs twice stands out."""
    words = read_words(settings.typed)
    h, mixes = layers_for_all(tuple(words)), elmo_mixes(TAGS)
    chosen = choose_repeated(words, h, mixes)
    tags = read_tags(h, mixes, chosen)
    first, last = chosen
    values = {
        "word": words[first],
        "first": first,
        "last": last,
        "low": [tags[0][t]["text"] for t in chosen],
        "high": [tags[1][t]["text"] for t in chosen],
        "p": tags[1][first]["p"],
        "p_low": tags[0][first]["p"],
    }
    return Part("two_streams", draw_streams(words, "joined", chosen, tags=tags), values)


def show_best_layer(settings: Settings) -> Part:
    """The error rate of each layer alone; until the answer only that of layer 0."""
    rates = error_rates(TAGS)
    best = min(SINGLE, key=rates.get)
    shown = {each: rates[each] for each in DOWNWARDS}
    hidden = () if settings.revealed else ("1", "2")
    known = {each: 0.0 if each in hidden else rate for each, rate in shown.items()}
    panel = error_panel(
        WORDS.label("panel.tags"),
        known,
        reading_names(DOWNWARDS),
        TAGS_REACH,
        (best,) if settings.revealed else (),
        hidden,
    )
    values = {"n": held_out(TAGS).n, "error": rates, **compared(TAGS, "1", "2")}
    return Part("layer_bars", join_panels(panel), values, choices=SINGLE, answer=best)


def show_sum(settings: Settings) -> Part:
    """The score of two tags for one word, layer by layer."""
    words, t = read_words(settings.typed), settings.at
    mix = elmo_mixes(TAGS)[MIX]
    a = mix.parts(layers_for_all(tuple(words)))[:, t]  # (L, K)
    z = mix.gamma * mix.s @ a + mix.b
    first, second = (mix.classes.index(tag) for tag in settings.tags)
    most = float(max(z[first], z[second]))
    least = -0.03 * most  # a first part may be below 0
    panels = [sum_panel(mix, a[:, k], k, HUES[mix.classes[k]], least, most) for k in (first, second)]
    for panel, tag in zip(panels, settings.tags, strict=True):
        panel["title"] = WORDS.label("sum.title", tag=tag, word=words[t])
    values = {
        "word": words[t],
        "tags": list(settings.tags),
        "z": [float(z[first]), float(z[second])],
        "gamma": mix.gamma,
        "s": mix.s.tolist(),
    }
    return Part("layer_bars", join_panels(*panels), values)


def show_weights(settings: Settings) -> Part:
    """The weights that tagging learned, beside the layers' own error rates."""
    elmo, rates = load_elmo(), error_rates(TAGS)
    s = elmo.mixes[TAGS][MIX].s
    names = reading_names(DOWNWARDS)
    shown = {each: rates[each] for each in DOWNWARDS}
    panels = [
        weight_panel(WORDS.label("panel.weights"), s, names),
        error_panel(WORDS.label("panel.alone"), shown, names, TAGS_REACH, ("1",)),
    ]
    again = elmo.again[TAGS]
    values = {
        "s": s.tolist(),
        "error": rates,
        "samples": len(again),
        "largest": int((again.argmax(axis=1) == s.argmax()).sum()),
        **compared(TAGS, MIX, "1"),
    }
    return Part("layer_bars", join_panels(*panels), values)


def show_directions(settings: Settings) -> Part:
    """The error rate of layer 1, and of each of its directions alone."""
    rates = error_rates(TAGS)
    order = ("1", "1←", "1→", "0")
    names = reading_names(order) | {"1": WORDS.label("row.joined")}
    panel = error_panel(
        WORDS.label("panel.tags"), {each: rates[each] for each in order}, names, TAGS_REACH, ("1",)
    )
    values = {"error": rates, **compared(TAGS, "1→", "0")}
    return Part("layer_bars", join_panels(panel), values, {"left": True})


def show_decided(settings: Settings) -> Part:
    """The error rate of each layer on words that can be noun and verb, and the weights that this task learned."""
    elmo, rates = load_elmo(), error_rates(NOUN_VERB)
    mix = elmo.mixes[NOUN_VERB][MIX]
    again = elmo.again[NOUN_VERB]
    usual = 1 - others(NOUN_VERB)["usual"]
    names = reading_names(DOWNWARDS) | {"usual": WORDS.label("other.usual")}
    shown = {each: rates[each] for each in DOWNWARDS} | {"usual": usual}
    panels = [
        error_panel(
            WORDS.label("panel.noun_or_verb"), shown, names, NOUN_VERB_REACH, ("1", "2"), faint=("usual",)
        ),
        weight_panel(WORDS.label("panel.weights"), mix.s, names),
    ]
    values = {
        "n": held_out(NOUN_VERB).n,
        "forms": len(elmo.forms),
        "error": rates,
        "usual": usual,
        "s": mix.s.tolist(),
        "s_tags": elmo.mixes[TAGS][MIX].s.tolist(),
        "samples": len(again),
        "low": again.min(axis=0).tolist(),
        "high": again.max(axis=0).tolist(),
        "tests": {f"{one}{other}": compared(NOUN_VERB, one, other) for one, other in ("10", "20", "12")},
    }
    return Part("layer_bars", join_panels(*panels), values, {"task": NOUN_VERB})


def show_others(settings: Settings) -> Part:
    """ELMo's error rate beside those of two hidden Markov models on the same held-out words."""
    tags = error_rates(TAGS)[MIX]
    counted = {"hmm_same": 1 - load_card(STORED).quality[HMM_OF_AS_MANY], "hmm": 1 - others(TAGS)["hmm"]}
    names = {MIX: name_reading(MIX)} | {each: WORDS.label(f"others.{each}") for each in counted}
    panel = error_panel(
        WORDS.label("panel.tags"),
        {"hmm_same": counted["hmm_same"], MIX: tags, "hmm": counted["hmm"]},
        names,
        0.045,
        (MIX,),
        faint=("hmm",),
    )
    values = {
        "words": words_read(),
        "texts": load_card(STORED).config["mixes"][TAGS]["texts"],
        "sentences": load_card("tagger").corpus["training_sentences"],
        "tags": tags,
        **counted,
    }
    return Part("layer_bars", join_panels(panel), values)


def show_own(settings: Settings) -> Part:
    """The learner's own sentence, tagged by each layer alone."""
    every = corpus_words(settings.typed)
    words = every[:STORY_WORDS_AT_MOST] or corpus_words(OWN.default)
    h, mixes = load_elmo().layers(words), elmo_mixes(TAGS)
    chosen = choose_repeated(words, h, mixes)
    tags = read_tags(h, mixes, chosen)
    values = {
        "word": words[chosen[0]] if chosen else "",
        "times": len(chosen),
        "layer": first_apart(tags, chosen),
        "given": sorted({row[t]["text"] for row in tags[1:] for t in chosen}),
        "low": tags[0][chosen[0]]["text"] if chosen else "",
        "read": len(words),
        "cut": len(every) > STORY_WORDS_AT_MOST,
    }
    return Part("two_streams", draw_streams(words, "joined", chosen, tags=tags), values)


def show_answer(settings: Settings) -> Part:
    """Both tasks on one scale: how much a layer that has read the context is ahead of layer 0."""
    panels = [
        error_panel(
            WORDS.label(f"answer.{task}"),
            {each: error_rates(task)[each] for each in (MIX, *DOWNWARDS)},
            reading_names((MIX, *DOWNWARDS)),
            NOUN_VERB_REACH,
            best,
        )
        for task, best in ((TAGS, (MIX, "1")), (NOUN_VERB, (MIX, "1", "2")))
    ]
    return Part("layer_bars", join_panels(*panels), {"error": error_rates(TAGS)})


STORY = (
    look("machine", show_machine, typed="They play in the play .", at=1),
    look("two_tags", show_two_tags, typed="They play in the play ."),
    ask("best", show_best_layer),
    look("sum", show_sum, typed="They play in the play .", at=1, tags=("VERB", "NOUN")),
    look("graded", show_weights),
    look("directions", show_directions),
    look("decided", show_decided),
    look("others", show_others),
    do("own", show_own, OWN),
    end("answer", show_answer),
)


def read_words(typed: str) -> list[str]:
    """Return the tokens of a sentence of the story."""
    return corpus_words(typed)[:STORY_WORDS_AT_MOST]


def elmo_mixes(task: str) -> dict[str, LayerMix]:
    """Return a task's mixes by reading."""
    return load_elmo().mixes[task]


def held_out(task: str) -> HeldOutAnswers:
    """Return what each reading gets right of a task's held-out examples."""
    return load_elmo().held_out[task]


@cache
def layers_for_all(words: tuple[str, ...]) -> np.ndarray:
    """Return the normalised layers (3, 2, n, C) of a sentence of the story itself, never of a learner's."""
    return load_elmo().layers(words)


def repeated_words(words: Sequence[str]) -> list[list[int]]:
    """Return the places of every word that occurs more than once, whatever its capitals, in order of its first.

    >>> repeated_words("A dog is a dog .".split()), repeated_words("a b , c , d".split())
    ([[0, 3], [1, 4]], [])
    """
    places: dict[str, list[int]] = {}
    for t, word in enumerate(words):
        if any(letter.isalnum() for letter in word):
            places.setdefault(word.lower(), []).append(t)
    return [each for each in places.values() if len(each) > 1]


def choose_repeated(words: Sequence[str], h: np.ndarray, mixes: Mapping[str, LayerMix]) -> list[int]:
    """Return the places of the repeated word that layers 1 and 2 tag most differently; [] where no word is repeated.

    How differently: the largest distance of two of its distributions over the tags.
    """
    p = np.stack([mixes[layer].tag_probabilities(h) for layer in SINGLE[1:]])  # (2, n, K)

    def distance(places: list[int]) -> float:
        return max(float(np.abs(p[:, a] - p[:, b]).sum()) for a in places for b in places)

    return max(repeated_words(words), key=distance, default=[])


def first_apart(tags: Sequence[Sequence[Mapping]], places: Sequence[int]) -> int:
    """Return the first layer that gives one word two tags, -1 where none does."""
    return next((j for j, row in enumerate(tags) if len({row[t]["text"] for t in places}) > 1), -1)


def reading_names(readings: Sequence[str]) -> dict[str, str]:
    """Return the names of readings by id."""
    return {each: name_reading(each) for each in readings}


def error_rates(task: str) -> dict[str, float]:
    """Return the share of held-out examples that each reading gets wrong."""
    found = held_out(task)
    return {reading: 1 - found.share(reading) for reading in found.right}


def compared(task: str, one: str, other: str) -> dict[str, object]:
    """Return on how many held-out examples only the one reading is right, and only the other, and p of a sign test."""
    test: SignTest = held_out(task).compared(one, other)
    return {"only_one": test.one, "only_other": test.other, "p": test.p}


def others(task: str) -> dict[str, float]:
    """Return what other models of the course, or the usual tag of each word, get right of the same held-out examples."""
    if task == NOUN_VERB:
        return {"usual": load_card(STORED).quality[USUAL_TAG]}
    quality = load_card("two_directions").quality
    return {"hmm": quality["HMM"], "gru": quality["both"]}


def words_read() -> int:
    """Return how many words the language model was trained on."""
    return sum(corpus["training words"] for corpus in load_card(STORED).corpus.values())


# The lab.


def lab() -> None:
    """A sentence layer by layer and averaged; error rates; the learned weights; the surprisal of both directions."""
    torch.set_num_threads(1)
    LESSON.open_lab(asks=True)
    elmo = load_elmo()
    controls, stage = LESSON.stage()
    with controls:
        task = LESSON.draw(TASK)
        words = take_words()
        broken = LESSON.draw(LEFT)
        mix = elmo.mixes[task][LEFT_ALONE if broken else MIX]
        with LESSON.options():
            s = choose_weights(mix)
    h = layers_of(tuple(words))
    with stage:
        revealed = ask_best(task)
        if revealed:
            show_sentence(elmo, task, words, h, broken, s)
    if revealed:
        if broken:
            whole, cut = (held_out(task).share(each) for each in (MIX, LEFT_ALONE))
            LESSON.compare("left", whole, cut, ".1%")
        if box := LESSON.fold("errors"):
            with box:
                show_held_out(elmo, task)
        if box := LESSON.fold("learning"):
            with box:
                show_learned(elmo, task)
    if box := LESSON.fold("surprise"):
        with box:
            show_surprise(elmo, words)
    LESSON.close_lab(
        code=[
            *(LayerMix, mixed, standardise, lstm_step, read_one_way, read_both_ways, ReadBothWays),
            *(BidirectionalLanguageModel, bits_of, BothWaysSurprise),
        ],
        parameters={"words": words, "task": task, "reading": LEFT_ALONE if broken else MIX},
        prompts={
            "twice": {"typed": TWICE},
            "word_alone": {"weights": "1 0 0"},
            "weighed": {"task": NOUN_VERB, "learning": True},
        },
        credits=load_card(STORED).credits,
    )


def take_words() -> list[str]:
    """Draw the field for a sentence and return its first tokens; the example's if it has none."""
    words = corpus_words(LESSON.draw(TYPED, width=300))
    if not words:
        st.info(WORDS.label("empty"))
        words = corpus_words(SENTENCE)
    if len(words) > WORDS_AT_MOST:
        st.caption(WORDS.label("cut", read=WORDS_AT_MOST, n=len(words)))
    return words[:WORDS_AT_MOST]


def choose_weights(mix: LayerMix) -> np.ndarray:
    """Draw the field of weights set by hand, and return them, s (3,); the learned ones where there are none."""
    typed = LESSON.draw(WEIGHTS, placeholder=WORDS.label("weights.none"))
    LESSON.button(
        "learned", WORDS.label("weights.learned"), LESSON.set_state, "weights", "", disabled=not typed.strip()
    )
    if not typed.strip():
        return mix.s
    given = written_weights(typed)
    if given is None:
        st.info(WORDS.label("weights.wrong"))
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


def best_layer(task: str) -> str:
    """Return the layer that alone gets the most held-out examples right, TIED where another may be as good."""
    found = held_out(task)
    first, second = sorted(SINGLE, key=lambda each: -found.right[each])[:2]
    return first if found.compared(first, second).p < SURE else TIED


def ask_best(task: str) -> bool:
    """Ask which layer alone serves the task best on held-out data."""
    names = {each: name_reading(each) for each in SINGLE} | {TIED: WORDS.label("tied")}
    return LESSON.ask(WORDS.label(f"question.{task}"), list(names.values()), names[best_layer(task)], task)


def show_sentence(
    elmo: Elmo, task: str, words: list[str], h: np.ndarray, broken: bool, s: np.ndarray
) -> None:
    """Show the sentence by every layer and direction, with the average that the learner can move."""
    mixes, asked = elmo.mixes[task], elmo.asked(task, words)
    rows = ("0", "1→", "2→", LEFT_ALONE) if broken else (*SINGLE, MIX)
    mix, places = mixes[rows[-1]], np.flatnonzero(asked)
    label = WORDS.label("alt.lab", n=len(words))
    first = furthest(mixes, rows, h, places)
    board = draw_mix(words, h, mixes, broken, s, asked, first, label)
    LESSON.view("layer_mix", board, on={"mix": take_weights})
    kept, h = [words[t] for t in places], h[:, :, places]
    LESSON.say("says.tags", describe_tags(task, h, mixes, rows))
    if kept and not np.allclose(s, mix.s):
        st.markdown(WORDS.markdown("hand", **describe_by_hand(h, mix, s)))
    st.caption(WORDS.markdown("how"))
    LESSON.every_number(WORDS.label("table.rows"), table_rows, kept, h, {each: mixes[each] for each in mixes})
    LESSON.every_number(WORDS.label("table.parts"), table_parts, kept, h, mix)
    LESSON.every_number(WORDS.label("table.held_out"), table_held_out, elmo.held_out[task])


def furthest(mixes: Mapping[str, LayerMix], rows: Sequence[str], h: np.ndarray, places: np.ndarray) -> int:
    """Return the place, of those that a task asks about, where layer 0 and the third of `rows` are furthest apart."""
    if not len(places):
        return 0
    low, high = (mixes[rows[i]].tag_probabilities(h[:, :, places]) for i in (0, 2))
    return int(places[np.abs(low - high).sum(axis=1).argmax()])


def describe_tags(task: str, h: np.ndarray, mixes: Mapping[str, LayerMix], rows: Sequence[str]) -> dict:
    """Return how many tags of each layer alone differ from those of the average, the last of `rows`."""
    tags = {each: mixes[each].tag_probabilities(h).argmax(axis=1) for each in rows}
    counts = [int((tags[each] != tags[rows[-1]]).sum()) for each in rows[:-1]]
    return {"n": h.shape[2], "counts": counts, "names": [name_reading(each) for each in rows], "task": task}


def describe_by_hand(h: np.ndarray, learned: LayerMix, s: np.ndarray) -> dict:
    """Return how many tags other weights s than the learned ones change."""
    with np.errstate(divide="ignore"):
        mine = learned.with_weights(np.log(s))
    changed = mine.scores(h).argmax(axis=1) != learned.scores(h).argmax(axis=1)
    return {"s": s.tolist(), "n": h.shape[2], "changed": int(changed.sum())}


def show_held_out(elmo: Elmo, task: str) -> None:
    """Draw the error rates of all readings, those of other models, and say what follows."""
    found, rates, beside = elmo.held_out[task], error_rates(task), others(task)
    LESSON.figure("held_out", draw_errors(found, READINGS, beside), WORDS.label("alt.held_out", n=found.n))
    card = load_card(STORED)
    values = {
        "n": found.n,
        "error": rates,
        "mix": compared(task, MIX, "1"),
        "left": compared(task, MIX, LEFT_ALONE),
        "others": {name: 1 - share for name, share in beside.items()},
        "forms": len(elmo.forms),
        "learned": elmo.mixes[task][MIX].learned,
        "texts": card.config["mixes"][task]["texts"],
        "parameters": card.quality["parameters"],
        "words": words_read(),
    }
    LESSON.say(f"held_out.{task}", values)
    st.markdown(WORDS.markdown(f"measured.{task}", **values))


def show_learned(elmo: Elmo, task: str) -> None:
    """Draw the learned weights of the task with those of all bootstrap samples."""
    s, again = elmo.mixes[task][MIX].s, elmo.again[task]
    LESSON.figure("again", draw_weights(s, again), WORDS.label("alt.weights", n=len(again)))
    low, high = again.min(axis=0).tolist(), again.max(axis=0).tolist()
    values = {"s": s.tolist(), "n": len(again), "low": low, "high": high}
    LESSON.say(f"weights.{task}", values)
    st.markdown(WORDS.markdown("weights.how", **values))


def show_surprise(elmo: Elmo, words: list[str]) -> None:
    """Draw each direction's surprisal on the sentence, and say both perplexities on the learner's text."""
    bits = bits_of(read_sentence(tuple(words)))
    LESSON.figure("bits", draw_bits(words, bits), WORDS.label("alt.bits"))
    t = int(np.abs(bits[0] - bits[1]).argmax())
    LESSON.say("surprise.sentence", {"word": words[t], "bits": bits[:, t].tolist()})
    unlisted = [word for word, number in zip(words, elmo.model.numbers(words), strict=True) if not number]
    if unlisted:
        named = list(dict.fromkeys(unlisted))
        st.markdown(WORDS.markdown("surprise.unlisted", listed=len(elmo.model.words), words=named))
    key, values = describe_surprise(surprise_of_text(text_source()))
    st.markdown(WORDS.markdown(key, **values))
    quality = load_card(STORED).quality
    perplexity = [quality[each] for each in BROWN_PERPLEXITIES]
    st.markdown(WORDS.markdown("surprise.corpus", perplexity=perplexity))


def describe_surprise(found: BothWaysSurprise | None) -> tuple[str, dict]:
    """Return the words on both perplexities of a text, and on which direction has the lower one."""
    if found is None:
        return "surprise.none", {}
    low, high = found.interval or (None, None)
    verdict = "few" if low is None else "right" if low > 0 else "left" if high < 0 else "close"
    values = {
        "n": found.bits.shape[1],
        "perplexity": list(found.perplexities),
        "difference": found.difference,
        "low": low,
        "high": high,
        "verdict": verdict,
    }
    return "surprise.text", values


@cached(64, 16, shared=no_typed_words)
def read_sentence(words: tuple[str, ...]) -> ReadBothWays:
    """Return a sentence read from both ends."""
    torch.set_num_threads(1)
    return load_elmo().model.read(words)


@cached(32, 8, shared=is_sample)
def surprise_of_text(document: Document) -> BothWaysSurprise | None:
    """Return the surprisal in both directions of the first sentences of a text; None where it has no word."""
    torch.set_num_threads(1)
    cut = (corpus_words(each)[:LONGEST] for each in sentences(document.text[:SEARCHED])[:READ_AT_MOST])
    kept = [words for words in cut if words]
    return surprise_by(load_elmo().model, kept) if kept else None
