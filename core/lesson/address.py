"""The address of a page, kept true: it opens no control on a value that is none, and it says what every control shows.

Streamlit binds a control to the address by itself. Here stands what it leaves open.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from streamlit.runtime.scriptrunner import get_script_run_ctx

if TYPE_CHECKING:
    from streamlit.runtime.state.session_state import SessionState


def finite(written: str) -> bool:
    """Return whether an address's value is a finite number.

    >>> finite("2.5"), finite("1e999"), finite("nan"), finite("")
    (True, False, False, False)
    """
    try:
        return math.isfinite(float(written))
    except ValueError:
        return False


def forget(key: str) -> None:
    """Take a value out of the address, so that no control begins with it."""
    if not written(key):
        return
    with get_script_run_ctx().session_state.query_params() as parameters:
        # st.query_params refuses what a control is bound to, and does not reach what controls begin with.
        parameters.remove_param(key)
        parameters.set_initial_query_params_from_current()


def forget_unless(key: str, sound: Callable[[str], bool]) -> None:
    """Take a value out of the address that its control could not show."""
    if not all(map(sound, written(key))):
        forget(key)


def written(key: str) -> list[str]:
    """Return what the address says under a key, none outside a page; st.query_params takes its time to say none."""
    return session_now().query_params.get_all(key) if get_script_run_ctx() else []


def session_now() -> SessionState:
    """Return what Streamlit keeps of this session: its controls, and what the address says."""
    return get_script_run_ctx().session_state._state


def tell(key: str, value: object) -> None:
    """Let the address say what a control shows that has just been drawn, unless it is the control's default.

    Streamlit writes down what a learner sets. What the page itself has put there it does not, in the run in which the
    control is new: a link would open on something else.
    """
    session = session_now()  # the control's own way to write its value is kept there only
    if session.query_params.has_param(key):
        return
    control = session.get_widget_metadata(session.get_widget_id_from_key(key))
    if value != control.deserializer(None):
        with get_script_run_ctx().session_state.query_params() as parameters:
            parameters.set_corrected_value(key, control.serializer(value), control.value_type)
