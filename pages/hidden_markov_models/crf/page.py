"""CRF: what its story shows of learned scores, of label bias and of held-out text, and its lab for any sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise, product

import numpy as np
import streamlit as st

from core.figures.tag_cards import draw_cards, draw_picture
from core.lesson.cached import cached, no_typed_words
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.hidden_markov_models.crf import (
    ConditionalRandomField,
    ScoredSentence,
    normalise_steps,
    score_sentence,
    weigh_tags,
    word_features,
)
from core.models.hidden_markov_models.crf_tagger import (
    CRF,
    MEMM,
    NAME,
    NO_NEIGHBOURS,
    NO_SUFFIX,
    VARIANTS,
    shared_crf,
)
from core.models.hidden_markov_models.crf_training import (
    KINDS,
    Fit,
    TaggedRows,
    count_observed,
    expect_paths,
    expect_steps,
    fit_crf,
    lay_out,
    list_features,
    loss_and_gradient,
)
from core.models.hidden_markov_models.forward import forward
from core.models.hidden_markov_models.tagger import tag_sentences
from core.models.hidden_markov_models.viterbi import viterbi
from core.models.stored import load_card, load_json
from core.text.reading.decoding import TextError
from core.text.reading.tagged import TaggedSentence, read_tagged
from core.text.samples.corpus_words import corpus_words
from core.words.numbers import percent
from pages.hidden_markov_models.crf import LESSON
from pages.hidden_markov_models.crf.figures import (
    BIASED,
    FREE,
    draw_counts,
    draw_errors,
    draw_lattice,
    draw_machine,
    draw_paths,
    draw_preferences,
    draw_sum,
    ends_of_sum,
    name_feature,
    preferences_figure,
    weights_table,
)
from pages.hidden_markov_models.hmm_counting import TEXT
from pages.hidden_markov_models.shared.hmm_choice import shared_model
from pages.hidden_markov_models.shared.hmm_take_away import list_sources
from pages.hidden_markov_models.shared.tagged_text import tagged_text_payload

WORDS = LESSON.words
NEW = "The blorfy wugs glimped quietly."
GLIMPED = 3  # its place in that sentence
SMALL = "old dogs walk"  # "walk" is a noun wherever the eight sentences have it
SMALL_KINDS = ("word", "suffix")
BACK = "They wanted to back the bill."
MINE = "I am well but the well is dry."
EXAMPLES = (NEW, BACK, MINE, SMALL)
WORDS_AT_MOST = 16
PATHS = 5  # drawn one by one
PREFERENCES = 4  # features drawn for one word
PENALTY = 1.0
SETTLED = 0.1  # a loss this near the smallest one has settled
ITERATIONS_AT_MOST = 14
TRAINED_WORDS_AT_MOST = 400
# The machine of two words: its states from top to bottom, and the steps that it allows.
MACHINE = ("r₁", "i", "b", "o", "r₂")
RIB, ROB = ("r₁", "i", "b"), ("r₂", "o", "b")
TIMES = {RIB: 3, ROB: 2}
MACHINE_PENALTY = 0.1
HMM = "hmm"

ITERATIONS = Slider("iterations", 0, 0, ITERATIONS_AT_MOST)
OWN = Text("mine", MINE, 200)
SENTENCE = Text("sentence", NEW, 300)
VARIANT = Choice("variant", CRF, VARIANTS)
TAGGED = Text("tagged", " | ".join(TEXT.splitlines()), 2000)
STEPWISE = Switch("stepwise")
LAB = (SENTENCE, VARIANT, TAGGED, STEPWISE)


# The story: what each beat shows.


def read_sentence(text: str, otherwise: str = MINE) -> list[str]:
    """Return a text's first words as the taggers read them; of a text without any, another sentence's.

    >>> read_sentence("Dogs bark."), read_sentence("   ", "A dog.")
    (['Dogs', 'bark', '.'], ['A', 'dog', '.'])
    """
    return corpus_words(text)[:WORDS_AT_MOST] or corpus_words(otherwise)


def unknown_places(crf: ConditionalRandomField, words: Sequence[str]) -> list[int]:
    """Return where a sentence has a word that the model has no weight for."""
    return [t for t in range(len(words)) if word_features(words, t)[0] not in crf.index]


def second_tag(crf: ConditionalRandomField, found: ScoredSentence, t: int) -> int:
    """Return the tag that would be next best at word t if the other words kept theirs."""
    path = found.viterbi.path

    def score(other: int) -> float:
        return found.score([other if place == t else tag for place, tag in enumerate(path)])

    return max((j for j in range(len(crf.states)) if j != path[t]), key=score)


def show_work(settings: Settings) -> Part:
    """The sentence that the hidden Markov model gets wrong in the lesson on tagging, and what decides its word here."""
    picture, values = show_both(read_sentence(BACK))
    return Part("tag_cards", picture, values, {"sentence": BACK})


def draw_unseen() -> list[dict]:
    """Return what the underline of a card means."""
    return [{"kind": "unseen", "text": WORDS.label("key.unseen"), "tag": "", "hue": "grey"}]


def show_sum(settings: Settings) -> Part:
    """The weights of a word's features added up for its tag and for the next best one."""
    crf = shared_crf()
    found = score_sentence(crf, corpus_words(NEW))
    deciding = crf.deciding(found.words, GLIMPED)
    tags = (found.viterbi.path[GLIMPED], second_tag(crf, found, GLIMPED))
    weights = [{feature: float(each[tag]) for feature, each in deciding.items()} for tag in tags]
    ends = ends_of_sum(weights)
    panels = [draw_sum(each, crf.states[tag], *ends) for each, tag in zip(weights, tags, strict=True)]
    values = {
        "word": found.words[GLIMPED],
        "tags": [crf.states[tag] for tag in tags],
        "sums": [sum(each.values()) for each in weights],
        "n": len(deciding),
        "suffixes": sum(feature.startswith("suffix") for feature in deciding),
    }
    return Part("layer_bars", {"panels": panels, "sum": ""}, values, {"sentence": NEW})


@cache
def small_rows() -> TaggedRows:
    """Return the eight tagged sentences of the lesson on counting, as the sums read them."""
    sentences = read_tagged(TEXT)
    states = tuple(dict.fromkeys(tag for sentence in sentences for _, tag in sentence))
    return lay_out(sentences, states, list_features(sentences, SMALL_KINDS))


@cache
def small_fit(iterations: int = 100) -> Fit:
    """Return what so many iterations make of the eight sentences."""
    return fit_crf(small_rows(), PENALTY, iterations)


def small_values(found: ScoredSentence) -> dict:
    """Return what the words may say of the small sentence's lattice."""
    n, K = found.viterbi.scores.shape
    return {
        "text": SMALL,
        "best": found.viterbi.log_probability,
        "log_z": found.log_partition,
        "share": found.share,
        "paths": K**n,
        "tags": found.tags,
        "K": K,
        "n": n,
        "sentences": len(small_rows().order),
    }


def show_lattice(settings: Settings) -> Part:
    """Viterbi's lattice with the scores of a model trained on eight sentences."""
    found = score_sentence(small_fit().crf, SMALL.split())
    return Part("trellis", draw_lattice(found), small_values(found), {"sentence": SMALL})


def list_paths(found: ScoredSentence) -> list[tuple[float, tuple[int, ...]]]:
    """Return every path of a short sentence with its probability, the largest first."""
    n, K = found.viterbi.scores.shape
    every = [(found.probability(path), path) for path in product(range(K), repeat=n)]
    return sorted(every, key=lambda each: -each[0])


def show_partition(settings: Settings) -> Part:
    """The most probable paths of the lattice, each with its share of the sum over all paths."""
    found = score_sentence(small_fit().crf, SMALL.split())
    shown = list_paths(found)[:PATHS]
    rest = 1 - sum(p for p, _ in shown)
    picture = draw_picture(draw_cards(found.words, found.tags), (), [draw_paths(found, shown, rest)])
    return Part(
        "tag_cards", picture, small_values(found) | {"rest": rest, "shown": PATHS}, {"sentence": SMALL}
    )


def show_gradient(settings: Settings) -> Part:
    """How often some features and steps hold in the eight sentences, and how often the model expects them."""
    rows, fit = small_rows(), small_fit(settings.iterations)
    crf = fit.crf
    observed, observed_steps = count_observed(rows)
    found = expect_paths(rows.held @ crf.weights, crf.transition, rows)
    expected = rows.held.T @ found.tags
    tag = {state: j for j, state in enumerate(rows.states)}
    pairs = (("suffix=s", "VERB"), ("suffix=s", "NOUN"), ("word=the", "DET"), ("word=walks", "VERB"))
    names = [WORDS.label("row.pair", feature=name_feature(feature), tag=state) for feature, state in pairs]
    at = [(crf.index[feature], tag[state]) for feature, state in pairs]
    counted = [observed[place] for place in at] + [observed_steps[tag["DET"], tag["NOUN"]]]
    meant = [expected[place] for place in at] + [found.steps[tag["DET"], tag["NOUN"]]]
    names.append(WORDS.label("row.step", one="DET", other="NOUN"))
    values = {
        "iterations": settings.iterations,
        "loss": fit.losses[-1],
        "first": fit.losses[0],
        "settled": fit.losses[-1] < small_fit().losses[-1] + SETTLED,
        "observed": counted[0],
        "expected": meant[0],
        "sentences": len(rows.order),
        "penalty": PENALTY,
    }
    return Part("layer_bars", draw_counts(names, counted, meant), values, {"sentence": SMALL})


@cache
def machine_fit(stepwise: bool) -> ConditionalRandomField:
    """Return the machine of two words, trained on both: whole sentences at once, or each step by itself."""
    text = [[(state[0], state) for state in word] for word, times in TIMES.items() for _ in range(times)]
    allowed = np.zeros((len(MACHINE), len(MACHINE)), bool)
    for word in TIMES:
        for one, other in pairwise(word):
            allowed[MACHINE.index(one), MACHINE.index(other)] = True
    rows = lay_out(text, MACHINE, list_features(text, SMALL_KINDS))
    return fit_crf(rows, MACHINE_PENALTY, 200, expect_steps if stepwise else expect_paths, allowed).crf


def read_machine(letters: str, stepwise: bool) -> ScoredSentence:
    """Return a word's letters as one of both models reads them."""
    return score_sentence(machine_fit(stepwise), list(letters), stepwise)


def count_misread(stepwise: bool) -> int:
    """Return how many of the training words get another word's states."""
    return sum(
        times
        for word, times in TIMES.items()
        if read_machine("".join(state[0] for state in word), stepwise).tags != word
    )


def local_steps(stepwise: bool) -> list[tuple[int, int, int, str]]:
    """Return the steps of the machine; of the model that normalises each by itself, with its probabilities for r o b."""
    crf, steps = machine_fit(stepwise), []
    scores = crf.scores(list("rob"))
    for word in TIMES:
        for t in range(1, len(word)):
            i, j = (MACHINE.index(state) for state in word[t - 1 : t + 1])
            leaving = crf.transition[i] + scores[t]
            p = float(np.exp(leaving[j] - np.logaddexp.reduce(leaving)))
            steps.append((t, i, j, f"{p:.2g}" if stepwise else ""))
    return steps


def ask_bias(settings: Settings) -> Part:
    """The machine of two words; the answer shows which word each model reads in r o b."""
    paths, steps = [], local_steps(False)
    biased, free = read_machine("rob", True), read_machine("rob", False)
    if settings.revealed:
        steps = local_steps(True)
        paths = [
            (name, found.viterbi.path, percent(found.share, 0))
            for name, found in ((BIASED, biased), (FREE, free))
        ]
    values = {"rib": TIMES[RIB], "rob": TIMES[ROB]}
    words = {RIB: "rib", ROB: "rob"}
    if settings.revealed:
        values |= {
            "memm": biased.share,
            "crf": free.share,
            "misread": count_misread(True),
            "misread_crf": count_misread(False),
            "all": sum(TIMES.values()),
        }
    data = draw_machine(MACHINE, "rob", steps, paths)
    return Part("trellis", data, values, {"stepwise": True}, ("rob", "rib", "equal"), words[biased.tags])


@cache
def quality() -> dict[str, float]:
    """Return what was measured on the held-out sentences."""
    return load_card(NAME).quality


def compare_models(model: str, of: str) -> dict:
    """Return by how much the whole model has more right than another, its interval, and which of the two is better."""
    name = f"crf_minus_{model}_on_{of}"
    low, high = (quality()[f"{name}_{end}"] for end in ("low", "high"))
    verdict = "better" if low > 0 else "worse" if high < 0 else "close"
    return {"difference": quality()[name], "low": low, "high": high, "verdict": verdict}


def show_measured(settings: Settings) -> Part:
    """What each model gets wrong on the held-out sentences of the tagging lesson."""
    models = (HMM, MEMM, CRF)
    panels = [draw_errors(of, models, quality()) for of in ("words", "unseen_words")]
    return Part("layer_bars", {"panels": panels, "sum": ""}, describe_quality())


def describe_quality() -> dict:
    """Return what the words may say of the measures on held-out text."""
    errors = {
        of: {model: 1 - quality()[f"{model}_on_{of}"] for model in (HMM, *VARIANTS)}
        for of in ("words", "unseen_words")
    }
    return {
        "errors": errors,
        "against": {model: compare_models(model, "words") for model in (HMM, MEMM, NO_SUFFIX, NO_NEIGHBOURS)},
        "against_unseen": {model: compare_models(model, "unseen_words") for model in (HMM, MEMM)},
        "words": quality()["words"],
        "unseen": quality()["unseen_words"],
        "sentences": load_card(NAME).corpus["held_out_sentences"],
        "training": load_card(NAME).corpus["training_sentences"],
        "iterations": load_card(NAME).config["iterations"],
        "falling": {
            model: 1 - losses[-1] / losses[-11] for model, losses in load_json(NAME, "losses").items()
        },
    }


def ask_suffix(settings: Settings) -> Part:
    """What two models get wrong of unseen words; the answer adds the model that was trained without suffixes."""
    models = (HMM, CRF, NO_SUFFIX) if settings.revealed else (HMM, CRF)
    panel = draw_errors("unseen_words", models, quality())
    wrong = 1 - quality()[f"{NO_SUFFIX}_on_unseen_words"]
    choices = {"about_15": 0.15, "about_25": 0.25, "about_40": 0.4, "about_60": 0.6}
    answer = min(choices, key=lambda name: abs(choices[name] - wrong))
    values = {"unseen": quality()["unseen_words"], "crf_unseen": 1 - quality()[f"{CRF}_on_unseen_words"]}
    if settings.revealed:
        values |= describe_quality()
    lab = {"variant": NO_SUFFIX} if settings.revealed else {}
    return Part("layer_bars", {"panels": [panel], "sum": ""}, values, lab, tuple(choices), answer)


def tag_both(words: Sequence[str], variant: str = CRF) -> tuple[ScoredSentence, list[str]]:
    """Return a sentence scored by a stored model, and the hidden Markov model's tags."""
    return score_sentence(shared_crf(variant), words, variant == MEMM), tag_sentences(
        shared_model("tagger"), [words]
    )[0]


def choose_word(crf: ConditionalRandomField, found: ScoredSentence, others: Sequence[str]) -> int:
    """Return the place of the word to look at: the first with two tags, else the first unknown one, else the longest."""
    differ = [t for t, (tag, other) in enumerate(zip(found.tags, others, strict=True)) if tag != other]
    unknown = unknown_places(crf, found.words)
    longest = max(range(len(found.words)), key=lambda t: len(found.words[t]))
    return (differ or unknown or [longest])[0]


def show_both(words: Sequence[str]) -> tuple[dict, dict]:
    """Return a sentence with the tags of both models and the features that decided one word, and what can be said of it."""
    crf = shared_crf()
    found, others = tag_both(words)
    t = choose_word(crf, found, others)
    differ = {i: other for i, (tag, other) in enumerate(zip(found.tags, others, strict=True)) if tag != other}
    other = crf.states.index(others[t]) if t in differ else second_tag(crf, found, t)
    weights = weigh_tags(crf, found.words, found.viterbi.path, t, other)
    unknown = unknown_places(crf, found.words)
    panels = []
    if any(weight > 0 for weight in weights.values()):
        panels = [draw_preferences(weights, found.words[t], found.tags[t], crf.states[other], PREFERENCES)]
    key = draw_unseen() if unknown else []
    if differ:
        key = [{"kind": "struck", "text": WORDS.label("key.hmm"), "tag": "", "hue": "grey"}, *key]
    cards = draw_cards(found.words, found.tags, [t], struck=differ, unseen=unknown)
    best = next(iter(weights))
    values = {
        "n": len(words),
        "differ": len(differ),
        "new": len(unknown),
        "word": found.words[t],
        "tag": found.tags[t],
        "other": crf.states[other],
        "feature": name_feature(max(weights, key=weights.__getitem__)),
        "positive": any(weight > 0 for weight in weights.values()),
        "strongest": name_feature(best),
    }
    return draw_picture(cards, key, panels), values


def do_own(settings: Settings) -> Part:
    """The learner's sentence tagged by both models, and the features that decided one word."""
    picture, values = show_both(read_sentence(settings.mine))
    return Part("tag_cards", picture, values, {"sentence": settings.mine})


def show_answer(settings: Settings) -> Part:
    """What each kind of feature is worth: errors without the neighbouring words, without suffixes, and with both."""
    panel = draw_errors("words", (HMM, NO_NEIGHBOURS, NO_SUFFIX, CRF), quality())
    return Part("layer_bars", {"panels": [panel], "sum": ""}, describe_quality(), {"variant": NO_NEIGHBOURS})


STORY = (
    look("work", show_work),
    look("sum", show_sum),
    look("lattice", show_lattice),
    look("partition", show_partition),
    look("gradient", show_gradient, ITERATIONS),
    ask("bias", ask_bias),
    look("measured", show_measured),
    ask("suffix", ask_suffix),
    do("own", do_own, OWN),
    end("answer", show_answer),
)


# The lab: any sentence by each stored model, and a model trained on the learner's own tagged sentences.


def lab() -> None:
    """A sentence by a stored model and by the hidden Markov model; what decides a word; an own model; label bias."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        words = read_sentence(LESSON.draw(SENTENCE, width=460), NEW)
        variant = LESSON.draw(VARIANT)
        LESSON.options()
    crf = shared_crf(variant)
    found, others = scored(tuple(words), variant)
    t = choose_place(len(words), choose_word(crf, found, others))
    other = second_tag(crf, found, t)
    with stage:
        question = WORDS.label("guess", word=found.words[t])
        choices = list(dict.fromkeys([found.tags[t], crf.states[other], "NOUN", "VERB", "ADJ"]))[:4]
        if LESSON.ask(question, sorted(choices), found.tags[t], f"{' '.join(words)} {variant} {t}"):
            show_tags(crf, found, others, t, other, variant)
    if variant != CRF:
        for of in ("words", "unseen_words"):
            LESSON.compare(of, quality()[f"{CRF}_on_{of}"], quality()[f"{variant}_on_{of}"], ".1%")
    if box := LESSON.fold("train"):
        with box:
            show_training(words)
    if box := LESSON.fold("bias"):
        with box:
            show_bias()
    LESSON.close_lab(
        code=[
            score_sentence,
            viterbi,
            forward,
            normalise_steps,
            word_features,
            weigh_tags,
            loss_and_gradient,
            expect_paths,
            expect_steps,
            fit_crf,
        ],
        parameters={"sentence": " ".join(words), "variant": variant},
        prompts={
            "suffix": {"sentence": NEW, "variant": NO_SUFFIX},
            "back": {"sentence": BACK},
            "train": {"sentence": SMALL, "train": True},
            "bias": {"bias": True, "stepwise": True},
        },
        credits=list_sources(),
    )


@cached(100, 20, shared=no_typed_words)
def scored(words: tuple[str, ...], variant: str) -> tuple[ScoredSentence, list[str]]:
    """Return a sentence as a stored model and the hidden Markov model tag it."""
    return tag_both(words, variant)


def choose_place(n: int, otherwise: int) -> int:
    """Return which of n words is looked at."""
    linked = LESSON.get_query("chosen")
    return min(int(linked) - 1, n - 1) if linked.isdecimal() and int(linked) else otherwise


def keep_place(place: int) -> None:
    """Look at the word that was chosen in the view."""
    LESSON.set_query("chosen", place + 1)


def show_tags(
    crf: ConditionalRandomField, found: ScoredSentence, others: list[str], t: int, other: int, variant: str
) -> None:
    """Show the tags of both models, and what decides the chosen word."""
    unknown = unknown_places(crf, found.words)
    unseen = [place in unknown for place in range(len(found.words))]
    data = tagged_text_payload([found.words], [found.tags], [unseen], [others], t)
    LESSON.view("tagged_text", data, on={"chosen": keep_place})
    weights = weigh_tags(crf, found.words, found.viterbi.path, t, other)
    values = {
        "n": len(found.words),
        "differ": sum(a != b for a, b in zip(found.tags, others, strict=True)),
        "word": found.words[t],
        "tag": found.tags[t],
        "other": crf.states[other],
        "lead": sum(weights.values()),
        "share": found.share,
        "log_z": found.log_partition,
        "best": found.viterbi.log_probability,
        "stepwise": variant == MEMM,
    }
    LESSON.say("says.tags", values)
    figure = preferences_figure(weights, found.tags[t], crf.states[other])
    LESSON.figure("weights", figure, WORDS.label("alt.weights", **values))
    LESSON.say("says.share", values)
    LESSON.every_number(WORDS.label("table.weights"), weights_table, crf, found.words, t)


def show_training(words: Sequence[str]) -> None:
    """Train both models on tagged sentences of the learner's, and tag the sentence with them."""
    typed = LESSON.draw(TAGGED)
    try:
        sentences = read_tagged("\n".join(typed.split("|")))
    except TextError as error:
        st.warning(str(error))
        return
    sentences = first_sentences(sentences)
    fits = {name: train_own(tuple(map(tuple, sentences)), name == MEMM) for name in (CRF, MEMM)}
    for name, fit in fits.items():
        found = score_sentence(fit.crf, words, name == MEMM)
        values = {
            "model": WORDS.label(f"model.{name}"),
            "sentences": len(sentences),
            "features": len(fit.crf.features),
            "first": fit.losses[0],
            "loss": fit.losses[-1],
            "iterations": len(fit.losses) - 1,
            "tagged": " ".join(f"{word}/{tag}" for word, tag in zip(found.words, found.tags, strict=True)),
        }
        LESSON.say("says.trained", values)


def first_sentences(sentences: list[TaggedSentence]) -> list[TaggedSentence]:
    """Return as many sentences as are trained on at once.

    >>> len(first_sentences([[("a", "X")] * 300, [("a", "X")] * 300]))
    1
    """
    kept, total = [], 0
    for sentence in sentences:
        total += len(sentence)
        if total > TRAINED_WORDS_AT_MOST and kept:
            break
        kept.append(sentence[:TRAINED_WORDS_AT_MOST])
    return kept


@cached(50, 10, shared=no_typed_words)
def train_own(sentences: tuple[tuple[tuple[str, str], ...], ...], stepwise: bool) -> Fit:
    """Return a model of the learner's sentences, with all kinds of features."""
    states = tuple(dict.fromkeys(tag for sentence in sentences for _, tag in sentence))
    rows = lay_out(sentences, states, list_features(sentences, KINDS))
    return fit_crf(rows, PENALTY, 100, expect_steps if stepwise else expect_paths)


def show_bias() -> None:
    """The machine of two words, normalised whole or each step by itself, and how many training words it misreads."""
    stepwise = LESSON.draw(STEPWISE)
    found = read_machine("rob", stepwise)
    name = BIASED if stepwise else FREE
    paths = [(name, found.viterbi.path, percent(found.share, 0))]
    LESSON.view("trellis", draw_machine(MACHINE, "rob", local_steps(stepwise), paths), "machine", height=420)
    word = "".join(state[0] for state in found.tags)
    LESSON.say("says.bias", {"stepwise": stepwise, "word": word, "share": found.share})
    right = {each: sum(TIMES.values()) - count_misread(each) for each in (False, True)}
    LESSON.compare("machine", right[False], right[True], "g")
