"""What the word-vector lessons' tests share."""

import pytest

from core.lesson import training_job
from core.lesson.choices import vector_sets
from core.lesson.training_job import Bench
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.training_progress import Progress
from pages.word_vectors.word_arithmetic import page as word_arithmetic


@pytest.fixture
def tiny_training(monkeypatch):
    """A learner who has trained on four words, so that every page meets a set far smaller than the stored ones."""
    model = SkipGram(dimension=4, epochs=3).fit([["the", "cat", "sat", "down"]] * 30)
    reports = [Progress(0, 1, 0, 1.0, 1.0, 1.0, model.vectors_)]
    bench = Bench(result=model, reports=reports, settings="a text", number=1)
    for module in (training_job, vector_sets, word_arithmetic):
        monkeypatch.setattr(module, "bench_of", lambda lesson: bench)
    return bench
