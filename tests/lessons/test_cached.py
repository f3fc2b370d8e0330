"""Results are shared by all sessions or private to one, as the argument `shared` of the cache says."""

import pytest
from streamlit.runtime.caching import clear_session_resource_cache
from streamlit.testing.v1 import AppTest

from core.lesson import cache
from core.lesson.cached import PRIVATE, cached, is_sample, no_typed_words
from core.lesson.text_source import reading, samples
from core.text.reading.documents import Document, read_pasted
from pages.generation.sampling import page as sampling
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


CALLS = []  # (function, text, who asked) of what was computed, in order
EXAMPLE = "the lesson's example"


@cached(8, 8, shared=True)
def shared_by_all(text, asked):
    CALLS.append(("shared", text, asked))
    return f"{text} {asked}"


@cached(8, 8, shared=False)
def private(text, asked):
    CALLS.append(("private", text, asked))
    return f"{text} {asked}"


@cached(8, 8, shared=lambda text, *_: text == EXAMPLE)
def shared_by_text(text, asked):
    CALLS.append(("by text", text, asked))
    return f"{text} {asked}"


@cached(8, 8, shared=is_sample)
def of_document(document, asked):
    CALLS.append(("document", document.text, asked))
    return f"{document.text} {asked}"


@pytest.fixture(autouse=True)
def no_calls_yet():
    CALLS.clear()
    leave()


def page(functions, texts, asked):
    """Draw a field for words, then ask each function about each text."""
    from core.lesson.lesson import Lesson

    Lesson("pages.lesson").text("typed", "Text", "")
    for function in functions:
        for text in texts:
            function(text, asked)


def run_session(asked, field, functions, texts):
    """Return a session that has run the page twice, with these words in its field, and has ended."""
    app = AppTest.from_function(page, kwargs={"functions": functions, "texts": texts, "asked": asked})
    app.query_params["lesson_typed"] = field
    for _ in range(2):
        assert not app.run().exception
    leave()
    return app


@pytest.mark.parametrize("field", ["", "something typed"])
def test_whether_a_result_is_shared_depends_on_the_arguments_and_not_on_what_was_drawn(field):
    functions, texts = (shared_by_all, private, shared_by_text), (EXAMPLE, "my secret")
    for _ in range(2):
        run_session(f"beside {field!r}", field, functions, texts)
    counts = {
        name: [CALLS.count((name, text, f"beside {field!r}")) for text in texts]
        for name in ("shared", "private", "by text")
    }
    assert counts == {"shared": [1, 1], "private": [2, 2], "by text": [1, 2]}


def kept_for_all():
    return [value for each in cache._shared for value, _ in each._entries.values() if isinstance(value, str)]


def kept_in(app):
    caches = app.session_state[PRIVATE].values()
    return [value for each in caches for value, _ in each._entries.values()]


def test_a_result_of_typed_words_is_in_no_other_session_s_cache():
    functions, texts = (private, shared_by_text), (EXAMPLE, "my secret")
    first, second = (run_session(asked, "typed", functions, texts) for asked in ("one", "two"))
    assert "my secret one" in kept_in(first) and "my secret two" in kept_in(second)
    assert not [value for value in kept_in(first) if value.endswith("two")]
    assert not [value for value in kept_in(second) if value.endswith("one")]
    assert f"{EXAMPLE} one" in kept_for_all()
    assert not [value for value in kept_for_all() if "my secret" in value and value.endswith(("one", "two"))]


def test_outside_a_session_a_private_result_is_computed_and_not_kept(caplog):
    for _ in range(2):
        assert private("my secret", "outside") == "my secret outside"
        assert shared_by_text("my secret", "outside") == "my secret outside"
        assert of_document(Document("mine", "a text of my own"), "outside") == "a text of my own outside"
        assert no_typed_words() is False
    assert len(CALLS) == 6
    assert not caplog.records


def test_outside_a_session_a_shared_result_is_kept(caplog):
    for _ in range(2):
        shared_by_all("my number", "outside")
        shared_by_text(EXAMPLE, "outside")
        of_document(Document("sample", "a sample", own=False), "outside")
    assert len(CALLS) == 3
    assert not caplog.records


def test_a_result_is_private_by_default():
    @cached(8, 8)
    def by_default(text, asked):
        CALLS.append(("default", text, asked))

    for _ in range(2):
        run_session("once", "", (by_default,), (EXAMPLE,))
    assert len(CALLS) == 2


def test_samples_are_shared_and_texts_of_one_s_own_are_not():
    assert all(is_sample(sample.read()) for sample in samples().values())
    assert not is_sample(read_pasted("A text of my own."))


def test_a_text_of_one_s_own_is_counted_outside_a_session_too():
    assert reading(Document("mine", "one two two")).token_count == 3
