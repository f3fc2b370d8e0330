"""The probability of a word's tag is that of all paths through it: every path counted, and hmmlearn's."""

from itertools import pairwise, product

import numpy as np
from hmmlearn.hmm import CategoricalHMM

from core.models.hidden_markov_models.forward_backward import tag_posteriors

RNG = np.random.default_rng(2)
INITIAL, STEPS = RNG.dirichlet(np.ones(3)), RNG.dirichlet(np.ones(3), 3)
EMITS = RNG.dirichlet(np.ones(4), 3)  # (K, V)
END = np.array([0.2, 0.5, 0.1])
WORDS = [0, 3, 1, 1, 2]


def test_the_posterior_of_a_tag_is_the_share_of_all_paths_through_it():
    shares = np.zeros((len(WORDS), 3))
    for path in product(range(3), repeat=len(WORDS)):
        p = INITIAL[path[0]] * END[path[-1]]
        p *= np.prod([STEPS[i, j] for i, j in pairwise(path)])
        p *= np.prod([EMITS[j, word] for j, word in zip(path, WORDS, strict=True)])
        shares[np.arange(len(WORDS)), path] += p
    shares /= shares.sum(axis=1, keepdims=True)
    found = tag_posteriors(np.log(INITIAL), np.log(STEPS), np.log(EMITS.T[WORDS]), np.log(END))
    np.testing.assert_allclose(found, shares, atol=1e-12)


def test_without_an_end_it_is_hmmlearn_s():
    model = CategoricalHMM(3)
    model.startprob_, model.transmat_, model.emissionprob_ = INITIAL, STEPS, EMITS
    found = tag_posteriors(np.log(INITIAL), np.log(STEPS), np.log(EMITS.T[WORDS]))
    np.testing.assert_allclose(found, model.predict_proba(np.array(WORDS)[:, None]), atol=1e-9)
