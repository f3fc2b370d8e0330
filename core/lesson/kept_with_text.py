"""What is computed from a text is kept: of a sample for everybody, of a learner's own words in their session alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache, wraps
from inspect import signature

import streamlit as st

from core.lesson.live_values import words_typed
from core.lesson.recent import Recent, of_everybody
from core.lesson.text_source import OWN, is_own
from core.models.documents.stored_classifiers import StoredClassifiers
from core.text.reading.documents import Document
from core.text.reading.labelled import LabelledDocuments

DIGESTED = (Document, LabelledDocuments, StoredClassifiers)
# A tuple is told from another by how it is written: Streamlit would look at each number.
HASHES = {
    **dict.fromkeys(DIGESTED, lambda document: document.digest),
    tuple: repr,
}
VALUES = frozenset((str, bytes, int, float, bool, type(None), tuple))  # what nothing can change from within
WAITED_FOR = 2  # results of one function, which others may be waiting for
RECENT = "kept_recent"  # {function: Recent} of a learner's own words, in their session


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
    """Return the decorator that keeps in the session what is `private` of the arguments, all else for everybody.

    Of a hall that asks for the same at once, Streamlit lets one compute and the others wait; what it keeps for everybody
    is for them. But it takes it a third of a millisecond to find what it keeps, as long as most figures take, and it
    keeps what nobody asks for any more, so what was used last is at hand.
    """

    def keep(compute: Callable) -> Callable:
        options = {"show_spinner": spinner, "hash_funcs": HASHES}
        recent, names = of_everybody(of_all), tuple(signature(compute).parameters)

        @wraps(compute)
        def once(*arguments, **named):
            """Compute what nobody else has while this run waited."""
            if (key := _key(names, arguments, named)) is None:
                return compute(*arguments, **named)
            return recent.ask(key, lambda: compute(*arguments, **named))

        shared = st.cache_resource(max_entries=WAITED_FOR, **options)(once)
        own = st.cache_resource(scope="session", max_entries=of_own, **options)(compute)

        @wraps(compute)
        def kept(*arguments, **named):
            is_private = private(*arguments, **named)
            keeper = own if is_private else shared
            if (key := _key(names, arguments, named)) is None:
                return keeper(*arguments, **named)
            near = recent
            if is_private:
                near = st.session_state.setdefault(RECENT, {}).setdefault(compute, Recent(of_own))
            return near.ask(key, lambda: keeper(*arguments, **named))

        return kept

    return keep


def _key(names: tuple[str, ...], arguments: tuple, named: dict) -> tuple | None:
    """Return what tells arguments from others, each with its type; None where one of them is no plain value.

    A frozen dataclass is a plain value if all that it holds is. As with Streamlit, a parameter whose name begins with an
    underscore does not count.

    >>> _key(("text", "k", "_model"), ("a", 1, object()), {}) == _key(("text", "k", "_model"), ("a", True), {})
    False
    >>> _key(("words",), (["a", "list"],), {}) is None
    True
    """
    key: list[object] = []
    for name, value in (*zip(names, arguments, strict=False), *sorted(named.items())):
        if name.startswith("_"):
            continue
        kind = type(value)
        if kind in VALUES:
            key += (name, kind, value)
        elif isinstance(value, DIGESTED):
            key += (name, kind, value.digest)
        elif _is_frozen(kind):
            key += (name, kind, value)
        else:
            return None
    found = tuple(key)
    try:
        hash(found)
    except TypeError:  # what holds a list or an array
        return None
    return found


@cache
def _is_frozen(kind: type) -> bool:
    """Return whether a type is a frozen dataclass whose instances are compared by their values.

    >>> _is_frozen(Document), _is_frozen(list)
    (True, False)
    """
    return is_dataclass(kind) and kind.__dataclass_params__.frozen and kind.__dataclass_params__.eq
