"""What is computed from a text is kept: of a sample for everybody, of a learner's own text in their session alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import streamlit as st

from core.lesson.text_source import is_own
from core.text.reading.documents import Document
from core.text.reading.labelled import LabelledDocuments


def kept_with_text(of_samples: int, of_own: int, spinner: str) -> Callable[[Callable], Callable]:
    """Return the decorator that keeps what `compute(document, *settings)` returned last, for so many settings.

    The document is a text, or labelled documents. The settings are hashable and nothing changes what was returned: all
    sessions share it.
    """

    def keep(compute: Callable) -> Callable:
        # Of a hall that asks for the same at once, Streamlit lets one compute and the others wait.
        digests = dict.fromkeys((Document, LabelledDocuments), lambda document: document.digest)
        options = {"show_spinner": spinner, "hash_funcs": digests}
        shared = st.cache_resource(max_entries=of_samples, **options)(compute)
        own = st.cache_resource(scope="session", max_entries=of_own, **options)(compute)

        @wraps(compute)
        def kept(document: Document | LabelledDocuments, *settings):
            private = document.own if isinstance(document, LabelledDocuments) else is_own(document)
            return (own if private else shared)(document, *settings)

        return kept

    return keep
