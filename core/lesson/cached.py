"""`cached`: keep a function's last results, either for all sessions or in the session that asked.

Whether a result is shared is decided by the decorator's argument `shared`, never by what the page drew before:

    @cached(16, 4, shared=is_sample)
    def found_sentences(document): ...      # samples for everybody, a learner's own text for them alone

    @cached(8, 0, shared=True)
    def drawn_scores(keys, seed): ...       # no argument can hold a learner's words

    @cached(100, 20, shared=lambda words, *_: words == EXAMPLE)
    def lattice_of(words, width): ...       # the lesson's example for everybody, typed words for one session

The default is private. A result may hold words, so each language has results of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache, partial, wraps
from inspect import signature
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.lesson.cache import ExpiringLRUCache, clear_when_evicting, shared_cache
from core.lesson.live_values import OWN_TEXT, words_typed
from core.models.documents.stored_classifiers import StoredClassifiers
from core.text.reading.documents import Document
from core.text.reading.labelled import LabelledDocuments
from core.words.language import language
from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
DIGESTED = (Document, LabelledDocuments, StoredClassifiers)
# A tuple is hashed by its repr: Streamlit would hash each number separately.
HASHES = {
    **dict.fromkeys(DIGESTED, lambda document: document.digest),
    tuple: repr,
}
VALUES = frozenset((str, bytes, int, float, bool, type(None), tuple))  # immutable types
WAITED_FOR = 2  # results of one function that Streamlit keeps for the sessions that wait for them
PRIVATE = "private_caches"  # in the session: {function: ExpiringLRUCache}


class Keepers(NamedTuple):
    """Functions that compute and keep: for all sessions with a spinner, for all without a page, for the session."""

    for_all: Callable
    without_page: Callable
    for_session: Callable


def is_sample(given: Document | LabelledDocuments | StoredClassifiers, *_, **__) -> bool:
    """Return whether the first argument is a text, or labelled documents, that ship with the course.

    A learner's own text is not, and neither are classifiers trained on it. For `shared=` of `cached`.
    """
    return not given.own


def no_typed_words(*_, **__) -> bool:
    """Return whether this run has met no words of the learner: no own text, no field drawn so far with typed words.

    For `shared=` of lessons whose functions do not yet say by their arguments whether they may be shared. It ignores the
    arguments and depends on what was drawn before the call, so replace it by a predicate of the arguments. Outside a
    script run it cannot know, so it returns False.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        return False
    return not words_typed() and not st.session_state.get(OWN_TEXT)


def cached(
    max_shared: int,
    max_private: int,
    *,
    shared: bool | Callable[..., bool] = False,
) -> Callable[[Callable], Callable]:
    """Return a decorator that keeps the last results of `compute(*arguments)`.

    `shared` is True, False, or a predicate called with the same arguments as the function. Where it is true, all
    sessions use one cache of `max_shared` results, which expire (see core/lesson/cache.py). Elsewhere each session has its
    own cache of `max_private` results, which ends with the session; a call outside a script run then computes and keeps
    nothing.

    The arguments must be hashable, or of a type that Streamlit can hash, and must determine the result. A parameter whose
    name begins with an underscore is not part of the key. Nothing may change a result: others hold the same object.
    """

    def decorate(compute: Callable) -> Callable:
        is_shared = shared if callable(shared) else lambda *_, **__: shared
        all_sessions, names = shared_cache(max_shared), tuple(signature(compute).parameters)

        @cache
        def keepers(spoken: str) -> Keepers:
            """Return what keeps the results in one language. Streamlit tells functions apart by their names."""

            @wraps(compute)
            def compute_once(*arguments, **named):
                """Compute, unless another session has stored the result while this one waited."""
                if (key := _key(names, arguments, named)) is None:
                    return compute(*arguments, **named)
                return all_sessions.get_or_compute((spoken, key), lambda: compute(*arguments, **named))

            @wraps(compute)
            def compute_alone(*arguments, **named):
                return compute(*arguments, **named)

            waiting = WORDS.label("computing")
            for function in (compute_once, compute_alone):
                function.__qualname__ += f".{spoken}"
            # When many sessions ask for one result, st.cache_resource lets one compute it and the others wait. Its own
            # look-up takes 0.3 ms, as long as most figures, and it keeps entries that nobody reads, and a lock for each
            # key for ever. So our LRU cache is asked first, and Streamlit's is emptied when that one is swept.
            keep_for_all = partial(st.cache_resource, max_entries=WAITED_FOR, hash_funcs=HASHES)
            found = Keepers(
                keep_for_all(show_spinner=waiting)(compute_once),
                keep_for_all(show_spinner=False)(compute_once),
                st.cache_resource(
                    scope="session", max_entries=max_private, show_spinner=waiting, hash_funcs=HASHES
                )(compute_alone),
            )
            clear_when_evicting(found.for_all.clear)
            clear_when_evicting(found.without_page.clear)
            return found

        @wraps(compute)
        def cached_compute(*arguments, **named):
            on_page = get_script_run_ctx(suppress_warning=True) is not None
            spoken = language()
            if is_shared(*arguments, **named):
                for_all, without_page, _ = keepers(spoken)
                recent, keeper = all_sessions, for_all if on_page else without_page
            elif not on_page:
                return compute(*arguments, **named)
            else:
                own = st.session_state.setdefault(PRIVATE, {})
                recent = own.setdefault(compute, ExpiringLRUCache(max_private))
                keeper = keepers(spoken).for_session
            if (key := _key(names, arguments, named)) is None:
                return keeper(*arguments, **named)

            def compute_new():
                value = keeper(*arguments, **named)
                if recent is not all_sessions:
                    keeper.clear(*arguments, **named)  # the session's own cache keeps it
                return value

            return recent.get_or_compute((spoken, key), compute_new)

        return cached_compute

    return decorate


def _key(names: tuple[str, ...], arguments: tuple, named: dict) -> tuple | None:
    """Return a cache key of names, types and values; None if an argument is not an immutable value.

    A frozen dataclass is an immutable value if all its fields are. Parameters that begin with an underscore are skipped,
    as in Streamlit.

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
    except TypeError:  # a field holds a list or an array
        return None
    return found


@cache
def _is_frozen(kind: type) -> bool:
    """Return whether a type is a frozen dataclass whose instances are compared by their values.

    >>> _is_frozen(Document), _is_frozen(list)
    (True, False)
    """
    return is_dataclass(kind) and kind.__dataclass_params__.frozen and kind.__dataclass_params__.eq
