"""Circles are found where they are and nowhere else; distinct-n counts what is different."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.generation.degeneration import Cycle, distinct, ngrams, repeated_cycle, written_in_every_way
from core.models.generation.repetition import repetitions
from core.models.generation.sampling import SamplingSettings, generate
from core.models.generation.short_memory import ShortMemory
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_text import count_text
from core.models.stored_language_models import stored_language_model

TOKENS = st.lists(st.integers(0, 2), max_size=25)


def by_definition(tokens, times):
    """Return every (start, length) from which a run of tokens repeats to the end, at least `times` whole times."""
    n = len(tokens)
    return [
        (start, length)
        for start in range(n)
        for length in range(1, (n - start) // times + 1)
        if all(tokens[i] == tokens[i + length] for i in range(start, n - length))
    ]


@given(TOKENS, st.integers(2, 4))
def test_the_circle_found_is_the_first_that_there_is(tokens, times):
    found, all_of_them = repeated_cycle(tokens, times), by_definition(tokens, times)
    if not all_of_them:
        assert found is None
        return
    start, length = min(all_of_them)
    assert found == Cycle(start, length, (len(tokens) - start) / length)


def test_once_is_no_circle():
    with pytest.raises(ValueError, match="at least 2"):
        repeated_cycle([1, 1], times=1)


@given(TOKENS, st.integers(1, 3))
def test_there_are_never_more_different_runs_than_runs(tokens, n):
    different, all_of_them = distinct([tokens], n)
    assert different <= all_of_them == max(0, len(tokens) - n + 1) == len(ngrams(tokens, n))


def test_no_run_crosses_from_one_text_to_the_next():
    assert distinct([[1, 2], [2, 1]], 2) == (2, 2)
    assert distinct([[1, 2, 2, 1]], 2) == (3, 3)


def test_a_greedy_n_gram_runs_in_a_circle_and_a_real_text_does_not():
    counted = count_text("the cat saw the dog and the dog saw the cat and ran", order=2)
    model = kneser_ney(counted.counts, 2)
    greedy = [
        step.token for step in generate(model, counted.encode("the"), 40, SamplingSettings(0.0), seed=1)
    ]
    assert repeated_cycle(greedy)
    assert repeated_cycle(counted.encode("the cat saw the dog and ran")) is None


def test_every_way_writes_as_many_tokens_as_asked_and_greedy_is_a_beam_of_one():
    counted = count_text("the cat saw the dog and the dog saw the cat and ran", order=2)
    texts = written_in_every_way(kneser_ney(counted.counts, 2), counted.encode("the"), 12, width=1)
    assert {len(tokens) for tokens in texts.values()} == {12}
    assert texts["greedy"] == texts["beam"]


@pytest.mark.parametrize("name", ["char_gpt", "char_lstm", "char_ngram"])
@pytest.mark.parametrize("forgets", [False, True])
def test_a_phrase_said_again_is_judged_as_when_it_is_read_token_by_token(name, forgets):
    whole = stored_language_model(name)
    model = ShortMemory(whole, 3) if forgets else whole
    prompt, phrase = [20, 7, 31, 4], [5, 9, 20, 7, 31, 8, 2]
    found = repetitions(model, prompt, phrase, times=3)
    for r in range(3):
        for i, token in enumerate(phrase):
            ln_p = model.log_probabilities([*prompt, *phrase * r, *phrase[:i]])
            assert found.ln_p[r, i] == pytest.approx(ln_p[token], abs=1e-4)
            assert found.likeliest[r, i] == (ln_p.argmax() == token)
