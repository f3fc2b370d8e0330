"""What is computed from a text is kept: of a sample for everybody, of a learner's own words in their session alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import streamlit as st

from core.lesson.live_values import words_typed
from core.lesson.text_source import OWN, is_own
from core.models.documents.stored_classifiers import StoredClassifiers
from core.text.reading.documents import Document
from core.text.reading.labelled import LabelledDocuments

# A tuple is told from another by how it is written: Streamlit would look at each number.
HASHES = {
    **dict.fromkeys((Document, LabelledDocuments, StoredClassifiers), lambda document: document.digest),
    tuple: repr,
}


def kept_with_text(of_samples: int, of_own: int, spinner: str | bool) -> Callable[[Callable], Callable]:
    """Return the decorator that keeps what `compute(document, *settings)` returned last, for so many settings.

    The document is a text, labelled documents, or what is stored of some. The settings are hashable and nothing changes
    what was returned: all sessions share it.
    """
    return _kept(of_samples, of_own, spinner, lambda document, *_: _is_private(document))


def kept_with_words(of_all: int, of_own: int, spinner: str | bool = False) -> Callable[[Callable], Callable]:
    """Return the decorator that keeps what `compute(*arguments)` returned last, for so many arguments.

    While the page reads nothing but samples and the lesson's own examples, everybody shares it; once the learner gave a
    text or typed in a field that is drawn before, it stays in their session. The arguments are hashable and determine
    what is returned, which nothing changes.
    """
    return _kept(of_all, of_own, spinner, lambda *_, **__: words_typed() or bool(st.session_state.get(OWN)))


def _is_private(document: Document | LabelledDocuments | StoredClassifiers) -> bool:
    return is_own(document) if isinstance(document, Document) else document.own


def _kept(of_all: int, of_own: int, spinner: str | bool, private: Callable[..., bool]) -> Callable:
    """Return the decorator that keeps in the session what is `private` of the arguments, all else for everybody."""

    def keep(compute: Callable) -> Callable:
        # Of a hall that asks for the same at once, Streamlit lets one compute and the others wait.
        options = {"show_spinner": spinner, "hash_funcs": HASHES}
        shared = st.cache_resource(max_entries=of_all, **options)(compute)
        own = st.cache_resource(scope="session", max_entries=of_own, **options)(compute)

        @wraps(compute)
        def kept(*arguments, **named):
            return (own if private(*arguments, **named) else shared)(*arguments, **named)

        return kept

    return keep
