"""What Streamlit's own binding of controls to the URL query leaves open.

Invalid values are removed before a control reads them, and values that the page itself set are written into the query.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from streamlit.runtime.scriptrunner import get_script_run_ctx

if TYPE_CHECKING:
    from streamlit.runtime.state.session_state import SessionState


def finite(written: str) -> bool:
    """Return whether a query value is a finite number.

    >>> finite("2.5"), finite("1e999"), finite("nan"), finite("")
    (True, False, False, False)
    """
    try:
        return math.isfinite(float(written))
    except ValueError:
        return False


def forget(key: str) -> None:
    """Remove a query parameter, so that no control starts with its value."""
    if not query_values(key):
        return
    with get_script_run_ctx().session_state.query_params() as parameters:
        # st.query_params refuses to remove a bound parameter, and does not change the values that controls start with.
        parameters.remove_param(key)
        parameters.set_initial_query_params_from_current()


def forget_unless(key: str, is_valid: Callable[[str], bool]) -> None:
    """Remove a query parameter unless all its values are valid for its control."""
    if not all(map(is_valid, query_values(key))):
        forget(key)


def query_values(key: str) -> list[str]:
    """Return the values of a query parameter; [] outside a script run. Faster than st.query_params."""
    return session_now().query_params.get_all(key) if get_script_run_ctx() else []


def session_now() -> SessionState:
    """Return Streamlit's internal state of this session, with its widgets and the query."""
    return get_script_run_ctx().session_state._state


def was_drawn(key: str) -> bool:
    """Return whether a control of this key was on the page in the last run."""
    session = session_now()
    return session.get_widget_id_from_key(key) in session._old_state


def write_query(key: str, value: object) -> None:
    """Write the value of a control that was just drawn into the query, unless it is there or is the control's default.

    Streamlit writes what the learner sets. It does not write what the page set, in the run that first draws the control, so
    a copied link would open with another value. Nor does it notice when a run that wrote another parameter brought back the
    older value of a control that the learner turned meanwhile.
    """
    session = session_now()  # only here are the control's serializer and deserializer
    control = session.get_widget_metadata(session.get_widget_id_from_key(key))
    if session.query_params.has_param(key):
        written = value is None or is_written(session, key, control.serializer(value), control.value_type)
    else:
        written = value == control.deserializer(None)
    if not written:
        with get_script_run_ctx().session_state.query_params() as parameters:
            parameters.set_corrected_value(key, control.serializer(value), control.value_type)


def is_written(session: SessionState, key: str, serialized: object, value_type: str) -> bool:
    """Return whether the query has a control's value. A list of one value is written as that value; "1.0" is 1."""
    values = list(serialized) if isinstance(serialized, list | tuple) else [serialized]
    matches = session.query_params.stored_param_matches_corrected_value
    if matches(key, serialized, value_type) or (len(values) == 1 and matches(key, values[0], value_type)):
        return True
    written = session.query_params.get_all(key)
    numbers = all(isinstance(each, int | float) for each in values) and all(map(finite, written))
    return numbers and list(map(float, written)) == list(map(float, values))
