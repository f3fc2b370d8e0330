"""Sentences a second of tagging with the stored tagger, against nltk's HMM tagger and hmmlearn's decode.

All three hold the same tables and tag the same sentences, walked by the model itself. nltk is given the words; so
is `tag_sentences`. hmmlearn is given the words' numbers, and, since its decode takes logarithms of the whole
emission table for each sentence, is also timed with a table of no more than the benchmark's own words.
`python -m tests.benchmarks.bench_tagger`
"""

from __future__ import annotations

import time
from itertools import islice

import numpy as np
from hmmlearn.hmm import CategoricalHMM
from nltk.probability import DictionaryProbDist
from nltk.tag.hmm import HiddenMarkovModelTagger

from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.speaking import sampled_sentences
from core.models.hidden_markov_models.tagger import load_tagger, tag_sentences

SENTENCES = 4000
WORDS = 20


def seconds(work, repeats: int = 3) -> float:
    """Return the shortest processor time of some repeats."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def without_end(model: HiddenMarkovModel) -> HiddenMarkovModel:
    """Return the model as its peers can hold it: transitions that sum to one, no end."""
    transition = np.exp(model.log_transition)
    log_transition = np.log(transition / transition.sum(axis=1, keepdims=True))
    return HiddenMarkovModel(
        model.states, model.vocabulary, model.log_initial, log_transition, model.log_emission
    )


def only(model: HiddenMarkovModel, words: list[str]) -> HiddenMarkovModel:
    """Return the model with no more than these words, a last one standing for the rest."""
    columns = [model.index[word] for word in words]
    kept = np.exp(model.log_emission[:, columns])
    with np.errstate(divide="ignore"):
        log_emission = np.log(np.column_stack([kept, np.maximum(0, 1 - kept.sum(axis=1))]))
    return HiddenMarkovModel(
        model.states, (*words, ""), model.log_initial, model.log_transition, log_emission
    )


def hmmlearn_of(model: HiddenMarkovModel) -> CategoricalHMM:
    """Return hmmlearn's model with the same tables."""
    peer = CategoricalHMM(n_components=len(model.states), n_features=len(model.vocabulary))
    peer.startprob_, peer.transmat_ = np.exp(model.log_initial), np.exp(model.log_transition)
    peer.emissionprob_ = np.exp(model.log_emission)
    return peer


def nltk_of(model: HiddenMarkovModel) -> HiddenMarkovModelTagger:
    """Return nltk's tagger with the same tables."""

    def rows(table, names):
        chances = (DictionaryProbDist(dict(zip(names, np.exp(row), strict=True))) for row in table)
        return dict(zip(model.states, chances, strict=True))

    initial = DictionaryProbDist(dict(zip(model.states, np.exp(model.log_initial), strict=True)))
    transitions = rows(model.log_transition, model.states)
    outputs = rows(model.log_emission, model.vocabulary)
    return HiddenMarkovModelTagger(model.vocabulary, model.states, transitions, outputs, initial)


def main() -> None:
    """Time all three, check that they agree, print sentences a second and the ratios."""
    model = without_end(load_tagger())
    sentences = list(islice(sampled_sentences(model, WORDS, seed=1), SENTENCES))
    ours = seconds(lambda: tag_sentences(model, sentences)) / SENTENCES
    tags = tag_sentences(model, sentences)
    print(f"{SENTENCES} sentences of {WORDS} words, {len(model.states)} tags, {len(model.vocabulary)} words")
    print(f"{'tag_sentences':<46} {1 / ours:>9,.0f} sentences/s")

    few = sentences[:40]
    peer = nltk_of(model)
    peer.tag(few[0])  # fills its cache
    theirs = seconds(lambda: [peer.tag(words) for words in few], 1) / len(few)
    agree = sum([tag for _, tag in peer.tag(words)] == row for words, row in zip(few, tags, strict=False))
    report(
        "nltk HiddenMarkovModelTagger.tag", theirs, ours, f"{agree} of {len(few)} paths the same (float32)"
    )

    vocabulary = sorted({word for words in sentences for word in words})
    for name, table, some in (
        ("hmmlearn decode, whole emission table", model, sentences[:40]),
        ("hmmlearn decode, only the sentences' words", only(model, vocabulary), sentences[:500]),
    ):
        peer = hmmlearn_of(table)
        symbols = np.array([[table.index[word]] for words in some for word in words])
        lengths = [len(words) for words in some]
        theirs = seconds(lambda: peer.decode(symbols, lengths), 1) / len(some)  # noqa: B023
        path = [model.states[state] for state in peer.decode(symbols, lengths)[1]]
        same = sum(a == b for a, b in zip(path, (tag for row in tags for tag in row), strict=False))
        report(name, theirs, ours, f"{same} of {len(path)} tags the same")

    hardest = small_symbols()
    report(*hardest)


def small_symbols() -> tuple[str, float, float, str]:
    """Time hmmlearn where it is fastest: a model of a hundred words, so that little but Viterbi is left."""
    generator = np.random.default_rng(2)
    initial, transition, emission = (
        np.log(generator.dirichlet(np.ones(size), rows)) for size, rows in ((12, 1), (12, 12), (100, 12))
    )
    names = tuple(f"w{i}" for i in range(100))
    model = HiddenMarkovModel(tuple(f"s{i}" for i in range(12)), names, initial[0], transition, emission)
    sentences = list(islice(sampled_sentences(model, WORDS, seed=1), SENTENCES))
    peer = hmmlearn_of(model)
    symbols = np.array([[model.index[word]] for words in sentences for word in words])
    lengths = [WORDS] * SENTENCES
    theirs = seconds(lambda: peer.decode(symbols, lengths)) / SENTENCES
    ours = seconds(lambda: tag_sentences(model, sentences)) / SENTENCES
    tags = [model.states.index(tag) for row in tag_sentences(model, sentences) for tag in row]
    same = int((peer.decode(symbols, lengths)[1] == tags).sum())
    return "hmmlearn decode, a model of 100 words", theirs, ours, f"{same} of {len(tags)} tags the same"


def report(name: str, theirs: float, ours: float, note: str) -> None:
    """Print one peer's speed and how many times faster `tag_sentences` is."""
    print(f"{name:<46} {1 / theirs:>9,.0f} sentences/s   tag_sentences is {theirs / ours:,.1f}x   {note}")


if __name__ == "__main__":
    main()
