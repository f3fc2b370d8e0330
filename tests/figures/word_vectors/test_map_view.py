"""What the browser's map is sent: core's own places, a training moment by moment."""

import base64

import numpy as np
import pytest

from core.figures.word_vectors.map_view import map_view, replay_view
from core.lesson.choices.vector_sets import shared_vectors
from core.models.word_vectors.projection import nearest, project
from core.models.word_vectors.training_progress import Progress
from core.models.word_vectors.word_vectors import WordVectors

WORDS = "king queen man woman paris rome dog cat".split()


def decoded(text):
    return np.frombuffer(base64.b64decode(text), "<f4")


def test_places_and_nearest_words_are_cores_and_the_theme_is_told_by_the_mark_too():
    some = shared_vectors("glove").subset(WORDS)
    chart, near = project(some.vectors), nearest(some.vectors, 3, "cosine")
    data = map_view(
        some.words,
        chart,
        "Words",
        near,
        chosen="king",
        neighbours=["queen"],
        theme_of=lambda word: "animals" if word in ("dog", "cat") else "people" if word == "man" else "",
    )
    assert np.allclose(decoded(data["places"]).reshape(-1, 2), chart.coordinates, atol=1e-5)
    rows = decoded(data["near"]).reshape(-1, 3)
    for i, word in enumerate(some.words):
        others = some.neighbours(word, 3)
        assert [some.words[int(row)] for row in rows[i]] == [each.word for each in others]
        assert decoded(data["nearness"]).reshape(-1, 3)[i] == pytest.approx(
            [each.similarity for each in others], abs=1e-5
        )
    assert (data["chosen"], data["neighbours"]) == (0, [1])
    looks = [(group["mark"], group["hue"]) for group in data["groups"]]
    assert len({mark for mark, _ in looks}) == len({hue for _, hue in looks}) == 3


def test_no_nearest_word_is_sent_unless_given():
    chart = project(shared_vectors("glove").subset(WORDS).vectors)
    data = map_view(WORDS, chart, "Words")
    assert data["k"] == 0 and not data["near"] and not data["nearness"]


def test_a_training_is_replayed_on_the_axes_of_its_end():
    random = np.random.default_rng(4)
    shots = [
        Progress(step, 20, 0, 1.0, 1.0, 0.0, WordVectors(WORDS, random.normal(size=(8, 5)).astype("f4")))
        for step in (0, 10, 20)
    ]
    data = replay_view(WORDS[:6], shots)
    assert data["frames"] == ["after 0 steps", "after 10 steps", "after 20 steps"]
    end = project(shots[-1].snapshot.subset(WORDS[:6]).vectors)
    places = decoded(data["places"]).reshape(3, -1, 2)
    for shot, there in zip(shots, places, strict=True):
        assert np.allclose(there, end.place(shot.snapshot.subset(WORDS[:6]).vectors), atol=1e-5)
    rows = decoded(data["near"]).reshape(3, 6, data["k"])
    first = shots[0].snapshot.subset(WORDS[:6])
    assert first.words[int(rows[0, 0, 0])] == first.neighbours(WORDS[0], 1)[0].word
