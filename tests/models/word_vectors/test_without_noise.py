"""Without noise words vectors turn the same way: on the default text, on a play and on a short pasted one."""

import pytest

from core.models.word_vectors.cbow import Cbow
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.without_noise import spread_after
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences, words
from tests.lessons.word_vectors.three_texts import SHORT

TEXTS = {"default": "micro-world", "play": "hamlet", "short": None}


@pytest.mark.parametrize("model", [SkipGram, Cbow])
@pytest.mark.parametrize("name", TEXTS)
def test_without_noise_two_words_come_closer_on_average(model, name):
    text = SHORT if TEXTS[name] is None else sample(TEXTS[name]).read().text
    cut = [words(sentence) for sentence in sentences(text[:12_000])]
    settings = model(window=4, min_count=2)
    whole, broken = spread_after(cut, settings, 5), spread_after(cut, settings, 0)
    assert broken.mean > whole.mean + 0.1 and broken.mean > 0.8
    assert whole.epochs == broken.epochs and len(whole.cosines) == whole.words * (whole.words - 1) // 2
