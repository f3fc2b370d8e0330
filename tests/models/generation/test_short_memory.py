"""Texts that are written side by side, and by a model that forgets, are those that are written one by one."""

import numpy as np
import pytest

from core.models.generation.degeneration import DRAWN, drawn_beside
from core.models.generation.generation_tree import continuation_log_probabilities
from core.models.generation.sampling import generate
from core.models.generation.short_memory import KNOWN, ShortMemory, after_some
from core.models.neural_language_model import read, read_on
from core.models.stored_language_models import stored_language_model

NAMES = ["char_gpt", "char_lstm", "char_ngram"]
PROMPT = [20, 7, 31, 4]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("forgets", [False, True])
def test_texts_drawn_side_by_side_are_those_drawn_alone(name, forgets):
    model = stored_language_model(name)
    model = ShortMemory(model, 6) if forgets else model
    alone = [[step.token for step in generate(model, PROMPT, 12, how, seed=3)] for how in DRAWN.values()]
    assert drawn_beside(model, PROMPT, 12, [*DRAWN.values()], seed=3) == alone
    assert len({tuple(text) for text in alone}) > 1


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_forgets_reads_several_texts_together_and_each_by_its_last_tokens(name):
    whole = stored_language_model(name)
    model = ShortMemory(whole, 3)
    texts = [[5, 9, 20, 7, 31], [8, 8, 30, 2, 11]]
    together = read_on(model, [read(model, text) for text in texts], [12, 13])
    for reading, text, token in zip(together, texts, [12, 13], strict=True):
        assert reading.context == (*text, token)
        assert np.allclose(reading.log_probabilities, after_some(whole, [*text[-2:], token]), atol=1e-5)
        assert np.allclose(
            reading.then(4).log_probabilities, after_some(whole, [text[-1], token, 4]), atol=1e-5
        )


@pytest.mark.parametrize("name", NAMES)
def test_its_score_of_a_text_is_the_one_of_each_token_after_the_last_three(name):
    model, text = ShortMemory(stored_language_model(name), 3), [5, 9, 20, 7, 31, 8, 2]
    for length in range(1, len(text) + 1):
        each = [model.log_probabilities(text[:i])[text[i]] for i in range(length)]
        assert np.allclose(continuation_log_probabilities(model, [], text[:length]), each, atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_seen_again_is_known_and_no_more_of_it_is_kept_than_is_said(name):
    whole = stored_language_model(name)
    model = ShortMemory(whole, 2)
    luck = np.random.default_rng(1)
    for _ in range(4 * KNOWN):
        seen = tuple(luck.integers(0, 20, 2).tolist())
        if seen in model.known or luck.random() < 0.05:
            assert np.allclose(model.after([seen])[0], after_some(whole, seen), atol=1e-5)
        else:
            model.after([seen])
        assert len(model.known) <= KNOWN + 1
