"""Hidden Markov models: every search against all paths, and tables against what was counted."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.models.hidden_markov_models.decoding import decode, find_disagreement, underflow
from core.models.hidden_markov_models.forward import forward
from core.models.hidden_markov_models.hmm import joint_log_probability
from core.models.hidden_markov_models.hmm_tables import (
    count_tagged,
    estimate,
    from_probabilities,
    ice_cream_diary,
    noun_verb_toy,
)
from core.models.hidden_markov_models.searches import beam, greedy
from core.models.hidden_markov_models.speaking import sampled_sentences
from core.models.hidden_markov_models.suffix_model import SuffixModel
from core.models.hidden_markov_models.tagger import (
    load_tagger,
    most_frequent_tags,
    tag_sentences,
    viterbi_paths,
)
from core.models.hidden_markov_models.viterbi import check_column, viterbi, viterbi_of_products

TAGGED = [
    [("the", "DET"), ("dog", "NOUN"), ("walked", "VERB")],
    [("the", "DET"), ("walk", "NOUN"), ("ended", "VERB")],
    [("dogs", "NOUN"), ("walk", "VERB"), ("the", "DET"), ("dog", "NOUN")],
]


@st.composite
def small_tables(draw):
    """Log tables of a model with up to three states and a sentence of up to five words, noughts included."""
    K, n = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    weights = st.integers(0, 4).map(float)
    initial, transition, emission, end = (
        draw(arrays(float, shape, elements=weights)) for shape in ((K,), (K, K), (n, K), (K,))
    )
    tables = [table / max(table.sum(), 1) for table in (initial, transition, emission)]
    with np.errstate(divide="ignore"):
        return [*map(np.log, tables), np.log(end / 4) if draw(st.booleans()) else None]


def all_paths(tables):
    """The joint log-probability of every path, in alphabetical order of paths."""
    n, K = tables[2].shape
    return {path: joint_log_probability(path, *tables).sum() for path in product(range(K), repeat=n)}


@given(small_tables())
def test_viterbi_finds_the_most_probable_of_all_paths(tables):
    paths = all_paths(tables)
    lattice = viterbi(*tables)
    assert lattice.log_probability == pytest.approx(max(paths.values()))
    assert paths[lattice.path] == pytest.approx(lattice.log_probability)


@given(small_tables())
def test_forward_sums_all_paths(tables):
    assert forward(*tables).log_probability == pytest.approx(
        np.logaddexp.reduce(list(all_paths(tables).values()))
    )


@given(small_tables())
def test_products_and_logarithms_are_the_same_lattice(tables):
    raw = [None if table is None else np.exp(table) for table in tables]
    products = viterbi_of_products(*raw)
    assert np.exp(viterbi(*tables).scores) == pytest.approx(products.scores)
    initial, transition, emission, _ = raw
    alpha = [initial * emission[0]]
    for row in emission[1:]:
        alpha.append((alpha[-1] @ transition) * row)
    assert np.exp(forward(*tables).log_alpha) == pytest.approx(np.array(alpha))


@given(small_tables())
def test_a_beam_of_one_is_greedy_and_a_full_beam_is_viterbi(tables):
    K = tables[2].shape[1]
    narrow, wide = beam(*tables, width=1), beam(*tables, width=K)
    assert narrow.log_probability == greedy(*tables).log_probability
    if np.isfinite(narrow.log_probability):
        assert narrow.path == greedy(*tables).path
    assert wide.log_probability == pytest.approx(viterbi(*tables).log_probability)


@given(small_tables(), st.integers(1, 3))
def test_a_search_returns_the_joint_probability_of_its_own_path_and_never_beats_viterbi(tables, width):
    search = beam(*tables, width=width)
    assert joint_log_probability(search.path, *tables).sum() == pytest.approx(search.log_probability)
    assert search.log_probability <= viterbi(*tables).log_probability + 1e-9
    assert (search.kept.sum(axis=1) == min(width, tables[2].shape[1])).all()
    assert search.kept[np.arange(len(search.path)), search.path].all()


@given(small_tables())
def test_each_score_is_its_best_candidate_and_its_backpointer_the_first_that_gives_it(tables):
    lattice = viterbi(*tables)
    for t in range(1, len(lattice.scores)):
        for j in range(lattice.scores.shape[1]):
            candidates = lattice.candidates[t, :, j].tolist()
            assert lattice.scores[t, j] == max(candidates)
            assert lattice.backpointers[t, j] == candidates.index(max(candidates))


def test_the_diary_two_one_filled_in_by_hand():
    # hot: 0.6 * 0.3 = 0.18, cold: 0.4 * 0.3 = 0.12; then into cold 0.18 * 0.5 * 0.6 = 0.054 < 0.12 * 0.8 * 0.6
    decoded = decode(ice_cream_diary(), ["2", "1"])
    assert np.exp(decoded.viterbi.scores) == pytest.approx(np.array([[0.18, 0.12], [0.018, 0.0576]]))
    assert decoded.viterbi.backpointers.tolist() == [[-1, -1], [0, 1]]
    assert decoded.tags(decoded.viterbi.path) == ("cold", "cold")
    assert decoded.tags(decoded.greedy.path) == ("hot", "cold")
    assert decoded.posterior == pytest.approx(0.0576 / (0.018 + 0.0576 + 0.12 * 0.2 * 0.2 + 0.18 * 0.5 * 0.6))


def test_ties_go_to_the_state_listed_first_and_are_marked():
    same = np.log(np.full((2, 2), 0.5))
    lattice = viterbi(np.log([0.5, 0.5]), same, same)
    assert lattice.path == (0, 0)
    assert lattice.ties.tolist() == [[False, False], [True, True]]


def test_where_one_candidate_is_larger_there_is_no_tie():
    lattice = decode(ice_cream_diary(), ["2", "1"]).viterbi
    assert lattice.candidates[1, 0, 0] != lattice.candidates[1, 1, 0]
    assert lattice.ties.tolist() == [[False, False], [False, False]]


def test_a_lattice_of_products_in_logarithms_is_that_of_sums_until_it_underflows():
    model, words = ice_cream_diary(), ["1", "3"] * 60
    exact, raw = decode(model, words).viterbi, underflow(model, words, np.float32)
    shown = raw.in_logarithms
    alive = slice(0, raw.underflow - 5)  # the last numbers before nought have few digits left
    assert shown.scores[alive] == pytest.approx(exact.scores[alive], abs=1e-3)
    assert np.isneginf(shown.scores[raw.underflow :]).all()
    assert shown.path == raw.path


def test_a_long_sentence_underflows_as_products_and_not_as_logarithms():
    model, words = ice_cream_diary(), ["1", "3"] * 400
    raw = underflow(model, words)
    assert raw.underflow is not None and raw.log_probability == 0
    assert underflow(model, words, np.float32).underflow < raw.underflow
    assert np.isfinite(decode(model, words).viterbi.log_probability)


def test_counts_and_maximum_likelihood_of_a_small_text_by_hand():
    counts = count_tagged(TAGGED)
    assert counts.states == ("DET", "NOUN", "VERB")
    assert counts.initial.tolist() == [2, 1, 0]
    assert counts.transition.tolist() == [[0, 3, 0], [0, 0, 3], [1, 0, 0]]
    assert counts.end.tolist() == [0, 1, 2]
    model = estimate(counts)
    assert np.exp(model.log_transition[1]).tolist() == pytest.approx([0, 0, 3 / 4])
    assert np.exp(model.log_end) == pytest.approx([0, 1 / 4, 2 / 3])
    assert np.exp(model.log_emission[1, model.index["dog"]]) == pytest.approx(2 / 4)


@given(st.floats(0.01, 10), st.booleans())
def test_smoothed_rows_sum_to_one(alpha, end):
    model = estimate(count_tagged(TAGGED), alpha, alpha, end=end)
    outgoing = np.exp(model.log_transition).sum(axis=1) + (np.exp(model.log_end) if end else 0)
    assert outgoing == pytest.approx(np.ones(3))
    assert np.exp(model.log_emission).sum(axis=1) == pytest.approx(np.ones(3))


def test_a_state_that_nothing_follows_is_refused_without_smoothing_or_end():
    with pytest.raises(ValueError, match="nothing ever follows NOUN"):
        estimate(count_tagged([[("red", "ADJ"), ("dog", "NOUN")]]), end=False)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"initial": [0.5, 0.6]}, "initial probabilities sum to 1.1, not to 1: take away 0.1"),
        ({"transition": [[0.5, 0.5], [0.2, 0.7]]}, "transitions from cold sum to 0.9"),
        ({"emission": [[1.2, -0.2], [0.5, 0.5]]}, "emissions of hot contain 1.2"),
        ({"emission": [[np.nan, 1], [0.5, 0.5]]}, "a probability lies between 0 and 1"),
    ],
)
def test_a_table_that_is_no_probability_is_refused_with_a_sentence(change, sentence):
    tables = {"initial": [0.5, 0.5], "transition": np.eye(2), "emission": np.eye(2)} | change
    with pytest.raises(ValueError, match=sentence):
        from_probabilities(["hot", "cold"], ["1", "2"], **tables)


def test_the_search_for_a_disagreement_finds_one_where_viterbi_wins():
    model = noun_verb_toy()
    found = find_disagreement(model, sampled_sentences(model, 4, seed=0))
    assert found.decoded.viterbi.log_probability > found.decoded.greedy.log_probability
    assert find_disagreement(model, [["they", "swim"]]) is None


def test_a_full_beam_never_disagrees():
    model = ice_cream_diary()
    assert find_disagreement(model, sampled_sentences(model, 3, seed=0), width=2, search="beam") is None


def test_sampled_sentences_are_those_of_their_seed_and_length():
    first, again = (next(sampled_sentences(noun_verb_toy(), 7, seed=3)) for _ in range(2))
    assert first == again and len(first) == 7


def test_a_column_is_checked_to_one_per_cent_and_empty_cells_are_wrong():
    expected = np.array([0.5, 0.01, -np.inf])
    assert check_column(expected, [0.504, 0.0102, -np.inf]).tolist() == [True, False, True]
    assert check_column(expected, [None, None, None]).tolist() == [False] * 3


def test_an_empty_sentence_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="at least one word"):
        decode(ice_cream_diary(), [])


def test_an_unseen_word_is_guessed_from_the_longest_ending_ever_seen():
    model = estimate(count_tagged(TAGGED), unknown_words=SuffixModel(weight=1.0))
    emissions = model.emissions(["The", "cat", "talked"])
    assert emissions.readings == ("the", None, None)
    guess = emissions.guesses[2]
    assert guess.suffix == "alked"  # five letters at most
    assert guess.steps[-1].counts.tolist() == [0, 0, 1]
    bayes = guess.tag_probabilities * (1 / 10) / np.array([0.3, 0.4, 0.3])  # p(tag | ending) p(word) / p(tag)
    assert np.exp(guess.log_emission) == pytest.approx(bayes)
    assert model.states[int(guess.tag_probabilities.argmax())] == "VERB"


def test_many_endings_at_once_are_those_one_at_a_time():
    model = SuffixModel().fit(*(lambda c: (c.vocabulary, c.emission))(count_tagged(TAGGED)))
    words = ["talked", "Xyz", "well-walked", "7th", "", "dog"]
    assert model.log_emissions(words) == pytest.approx(np.array([model.guess(w).log_emission for w in words]))


def test_without_a_suffix_model_an_unseen_word_says_nothing():
    assert decode(ice_cream_diary(), ["9"]).emissions.log_emission.tolist() == [[-np.log(3)] * 2]


@given(small_tables(), st.data())
def test_paths_side_by_side_are_those_of_the_lattices(tables, data):
    log_initial, log_transition, log_emission, log_end = tables
    rows = st.lists(st.integers(0, len(log_emission) - 1), min_size=1, max_size=6)
    sentences = sorted(data.draw(st.lists(rows, min_size=1, max_size=4)), key=len, reverse=True)
    words = np.zeros((len(sentences[0]), len(sentences)), dtype=int)
    for column, sentence in enumerate(sentences):
        words[: len(sentence), column] = sentence
    lengths = np.array([len(sentence) for sentence in sentences])
    paths = viterbi_paths(log_initial, log_transition, log_emission, words, lengths, log_end)
    for column, sentence in enumerate(sentences):
        lattice = viterbi(log_initial, log_transition, log_emission[sentence], log_end)
        assert tuple(paths[: len(sentence), column]) == lattice.path


@pytest.fixture(scope="module")
def stored():
    return load_tagger()


def test_the_stored_tagger_tags_sentences_as_decode_does(stored):
    sentences = ["The old man the boats .".split(), [], "Walk !".split(), "Quibbly frobnicates".split()]
    one_by_one = [
        list((d := decode(stored, words)).tags(d.viterbi.path)) if words else [] for words in sentences
    ]
    assert tag_sentences(stored, sentences) == one_by_one


def test_the_stored_tagger_reads_walk_by_its_neighbours(stored):
    tags = tag_sentences(stored, ["They walk to school .".split(), "A walk is healthy .".split()])
    assert tags[0][1] == "VERB" and tags[1][1] == "NOUN"


def test_greedy_and_beam_lose_to_viterbi_on_some_sentence_of_the_taggers_own(stored):
    for search in ("greedy", "beam"):
        assert find_disagreement(stored, sampled_sentences(stored, 8, seed=0), width=2, search=search)


def test_the_most_frequent_tag_knows_no_neighbours():
    counts = count_tagged(TAGGED)
    assert most_frequent_tags(estimate(counts), counts, [["walk", "the", "cat"]]) == [["NOUN", "DET", "VERB"]]
