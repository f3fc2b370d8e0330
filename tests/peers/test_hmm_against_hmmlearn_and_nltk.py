"""Same tables, same paths and probabilities as hmmlearn and nltk."""

import numpy as np
import pytest
from hmmlearn.hmm import CategoricalHMM
from nltk.probability import LidstoneProbDist
from nltk.tag.hmm import HiddenMarkovModelTagger

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm import HiddenMarkovModel, joint_log_probability
from core.models.hidden_markov_models.hmm_tables import (
    count_tagged,
    estimate,
    from_probabilities,
    ice_cream_diary,
)
from core.models.hidden_markov_models.speaking import sampled_sentences
from core.models.hidden_markov_models.tagger import tag_sentences


def random_model(seed: int, K: int = 5, V: int = 7) -> HiddenMarkovModel:
    """A model whose rows are drawn from Dirichlet distributions."""
    generator = np.random.default_rng(seed)
    tables = (generator.dirichlet(np.ones(size), rows) for size, rows in ((K, 1), (K, K), (V, K)))
    initial, transition, emission = tables
    states, words = [f"s{i}" for i in range(K)], [f"w{i}" for i in range(V)]
    return from_probabilities(states, words, initial[0], transition, emission)


def hmmlearn_of(model: HiddenMarkovModel) -> CategoricalHMM:
    """hmmlearn's model with the same tables."""
    peer = CategoricalHMM(n_components=len(model.states), n_features=len(model.vocabulary))
    peer.startprob_ = np.exp(model.log_initial)
    peer.transmat_ = np.exp(model.log_transition)
    peer.emissionprob_ = np.exp(model.log_emission)
    return peer


@pytest.mark.parametrize("model", [ice_cream_diary(), *map(random_model, range(8))])
def test_paths_and_probabilities_are_those_of_hmmlearn(model):
    peer, sentences = hmmlearn_of(model), sampled_sentences(model, 30, seed=1)
    for words in [next(sentences) for _ in range(10)]:
        symbols = np.array([[model.index[word]] for word in words])
        log_probability, path = peer.decode(symbols)
        decoded = decode(model, words)
        assert decoded.viterbi.log_probability == pytest.approx(log_probability)
        tables = (model.log_initial, model.log_transition, decoded.emissions.log_emission)
        theirs = joint_log_probability(path, *tables).sum()  # the same factors in another order can tie
        assert decoded.viterbi.path == tuple(path) or theirs == pytest.approx(log_probability, abs=1e-9)
        assert decoded.forward.log_probability == pytest.approx(peer.score(symbols))
        assert tag_sentences(model, [words]) == [list(decoded.tags(decoded.viterbi.path))]


def tagged_sentences(count: int) -> list[list[tuple[str, str]]]:
    """Sentences walked by a random model, with the states as tags."""
    generator = np.random.default_rng(4)
    sentences = []
    for length in generator.integers(1, 9, count):
        tags = generator.integers(0, 3, length)
        words = 2 * tags + generator.integers(0, 3, length)
        sentences.append([(f"w{word}", f"t{tag}") for word, tag in zip(words, tags, strict=True)])
    return sentences


def test_tables_counted_from_tagged_text_are_those_of_nltk():
    # nltk never counts the sentence's end, and adds gamma to its initial probabilities too.
    sentences = tagged_sentences(40)
    model = estimate(count_tagged(sentences), transition_alpha=0.1, emission_alpha=0.1, end=False)
    peer = HiddenMarkovModelTagger.train(
        sentences, estimator=lambda counts, bins: LidstoneProbDist(counts, 0.1, bins)
    )
    for sentence in sentences[:20]:
        words = [word for word, _ in sentence]
        decoded = decode(model, words)
        path = [model.states.index(tag) for _, tag in sentence]
        tables = (model.log_initial, model.log_transition, decoded.emissions.log_emission)
        joint = joint_log_probability(path, *tables).sum()
        assert joint / np.log(2) == pytest.approx(peer.log_probability(sentence))
        assert list(decoded.tags(decoded.viterbi.path)) == peer.best_path_simple(words)
        total = peer.log_probability([(word, None) for word in words])
        assert decoded.forward.log_probability / np.log(2) == pytest.approx(total, rel=1e-4)  # nltk: float32
