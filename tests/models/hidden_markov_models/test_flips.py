"""Where one probability flips the best path: solved, and the same as Viterbi finds on either side of every flip."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.hidden_markov_models.flips import best_paths
from core.models.hidden_markov_models.hmm import joint_log_probability
from core.models.hidden_markov_models.hmm_tables import from_probabilities, ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.viterbi import viterbi
from core.models.hidden_markov_models.what_if import cells_of, with_probability

MODELS = {"diary": ice_cream_diary(), "toy": noun_verb_toy()}
SENTENCES = {"diary": ["1", "2", "3"], "toy": "they watch can fish boats unseen".split()}


def tables_at(model, words, cell, p):
    changed = with_probability(model, *cell, float(p))
    return changed.log_initial, changed.log_transition, changed.emissions(words).log_emission, changed.log_end


def test_the_flip_is_a_fraction_and_not_a_step_of_a_grid():
    # 3 1 3 2 1: the best path that begins hot has .33 of the two constants, the one that begins cold .08: .08 / .33
    flips = [s.start for s in best_paths(ice_cream_diary(), "3 1 3 2 1".split(), "initial", 0, 0)[1:]]
    assert flips == [pytest.approx(0.08 / 0.33, abs=1e-12)]


def test_the_flip_of_two_days_by_hand():
    # 2 1: hot cold has p 0.3 * 0.5 * 0.6 = 0.09 p; cold cold 0.3 * 0.8 * 0.6 = 0.144 (1 - p)
    cold, hot = best_paths(ice_cream_diary(), ["2", "1"], "initial", 0, 0)
    assert (cold.path, hot.path) == ((1, 1), (0, 1))
    assert hot.start == pytest.approx(0.144 / (0.144 + 0.09), abs=1e-12)
    assert np.exp([cold.log_constant, hot.log_constant]) == pytest.approx([0.144, 0.09])
    assert (cold.own, cold.rest, hot.own, hot.rest) == (0, 1, 1, 0)


@settings(deadline=None)
@given(st.data())
def test_on_every_stretch_viterbi_finds_its_probability_whatever_the_value(data):
    name = data.draw(st.sampled_from(list(MODELS)))
    model = MODELS[name]
    words = data.draw(st.lists(st.sampled_from(SENTENCES[name]), min_size=1, max_size=7))
    cells = cells_of(model, words)
    cell = cells[data.draw(st.sampled_from(list(cells)))]
    p = data.draw(st.floats(0.001, 0.999))
    best = viterbi(*tables_at(model, words, cell, p))
    if not np.isfinite(best.log_probability):
        return
    stretch = next(s for s in best_paths(model, words, *cell) if s.start <= p <= s.end)
    assert stretch.log_probability(p) == pytest.approx(best.log_probability, abs=1e-9)
    assert joint_log_probability(stretch.path, *tables_at(model, words, cell, p)).sum() == pytest.approx(
        best.log_probability, abs=1e-9
    )


@pytest.mark.parametrize("cell", ["p(VERB | VERB)", "p(NOUN | VERB)", "p(they | VERB)", "p(fish | VERB)"])
def test_a_fine_grid_of_sixty_words_agrees(cell):
    model, words = noun_verb_toy(), "they watch can fish".split() * 15
    place = cells_of(model, words)[cell]
    stretches = best_paths(model, words, *place)
    assert len(stretches) > 1
    for before, after in pairwise(stretches):
        assert before.log_probability(after.start) == pytest.approx(
            after.log_probability(after.start), abs=1e-9
        )
        assert before.path != after.path
    for p in np.linspace(0.0005, 0.9995, 60):
        stretch = next(s for s in stretches if s.start <= p <= s.end)
        best = viterbi(*tables_at(model, words, place, p)).log_probability
        assert stretch.log_probability(p) == pytest.approx(best, abs=1e-8)


def test_a_row_that_is_all_one_thing_can_be_changed_too():
    model = from_probabilities(["a", "b"], ["x", "y"], [1, 0], [[0.5, 0.5], [0.5, 0.5]], [[1, 0], [0, 1]])
    (only,) = best_paths(model, ["x"], "initial", 0, 0)
    assert (only.path, only.own) == ((0,), 1)


def test_a_probability_in_a_row_of_one_is_not_offered():
    one = from_probabilities(["a"], ["x", "y"], [1], [[1]], [[0.5, 0.5]])
    assert list(cells_of(one, ["x"])) == ["p(x | a)"]
