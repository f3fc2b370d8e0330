"""What is computed is shared by everybody, but for what the learner gave or typed: that stays in their session."""

import pytest
from streamlit.runtime.caching import clear_session_resource_cache

from pages.generation import sampling
from tests.lessons.lesson_page import open_lesson


@pytest.fixture
def written(monkeypatch):
    """Return the prompts after which the model has written, in order."""
    prompts, generate = [], sampling.generate

    def counted(model, ids, *rest):
        prompts.append(ids)
        return generate(model, ids, *rest)

    monkeypatch.setattr(sampling, "generate", counted)
    return prompts


def leave():
    """End the session: the runs of tests all have this one."""
    clear_session_resource_cache("test session id")


def test_after_the_lesson_s_own_example_the_model_writes_once_for_everybody(written):
    for _ in range(2):
        assert not open_lesson("sampling", seed="4321").exception
        leave()
    assert len(written) == 1


def test_after_what_a_learner_typed_the_model_writes_in_each_session_anew(written):
    for _ in range(2):
        app = open_lesson("sampling", seed="4322", typed="My secret is ")
        assert not app.exception
        app.run()
        leave()
    assert len(written) == 2
    assert written[0] == written[1]


def test_while_a_text_of_one_s_own_is_in_use_nothing_is_shared(written):
    text = "A text of my own, which nobody else shall see. It has two sentences."
    for _ in range(2):
        app = open_lesson("sampling", text, seed="4323")
        assert not app.exception
        app.run()
        leave()
    assert len(written) == 2
