"""What we replace in Streamlit is there under the names that we know, and the running server uses what we put there."""

import json
import os
import subprocess
import sys

import pytest
from streamlit.runtime.app_session import AppSession

from core.lesson import streamlit_replacements
from core.lesson.streamlit_replacements import RELIED_ON, REPLACEMENTS, check_names, parameters_of
from core.lesson.warmup import SWITCH
from tests.browser.conftest import ROOT

# A server in a process of its own, with one page open, says what it works with.
SERVER = """
import json, os
from starlette.testclient import TestClient
from streamlit.components.v2.bidi_component.main import BidiComponentMixin
from streamlit.proto.BackMsg_pb2 import BackMsg
import app

def used():
    runtime = app.app._runtime
    session = runtime._session_mgr.list_active_sessions()[0].session
    runner = session._scriptrunner
    while runner is None:  # it comes with the run
        runner = session._scriptrunner
    for each in (
        runtime.uploaded_file_mgr, runtime._session_mgr._session_storage, runner, session,
        runner._session_state.filtered_state,
    ):
        yield type(each).__name__
    yield BidiComponentMixin._build_bidi_identity_kwargs.__name__

asked = BackMsg()
asked.rerun_script.page_name, asked.rerun_script.query_string = "zipf", "lab=true"
with TestClient(app.app, base_url="http://localhost") as client:
    with client.websocket_connect("/_stcore/stream", subprotocols=["streamlit"]) as page:
        page.send_bytes(asked.SerializeToString())
        print("used", json.dumps(list(used())), flush=True)
        os._exit(0)
"""


def test_every_name_is_there_and_takes_what_we_know_also_once_ours_is_in_its_place():
    assert check_names() == []
    streamlit_replacements.replace_all()
    assert check_names() == []


def test_at_most_six_names_are_replaced_and_each_says_why():
    assert len(REPLACEMENTS) <= 6
    assert all(each.reason.endswith(".") for each in REPLACEMENTS)


def test_a_server_that_runs_works_with_each_of_them():
    done = subprocess.run(
        [sys.executable, "-c", SERVER],
        cwd=ROOT,
        env={**os.environ, SWITCH: "off"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    used = next((line for line in done.stdout.splitlines() if line.startswith("used ")), "used []")
    names = [getattr(getattr(each.put, "fget", each.put), "__name__", "") for each in REPLACEMENTS]
    assert json.loads(used.removeprefix("used ")) == names, done.stderr[-2000:]


@pytest.mark.parametrize("owner, name, expected", RELIED_ON)
def test_a_private_method_that_we_rely_on_takes_what_we_know(owner, name, expected):
    assert parameters_of(getattr(owner, name)) == expected


def test_a_name_that_is_gone_or_takes_something_else_stops_the_start_with_a_sentence(monkeypatch):
    monkeypatch.delattr(AppSession, "_call_soon_on_event_loop")
    monkeypatch.setattr(AppSession, "_on_scriptrunner_event", lambda self, sender: None)
    with pytest.raises(RuntimeError) as stopped:
        streamlit_replacements.replace_all()
    said = str(stopped.value)
    assert "AppSession._call_soon_on_event_loop should take (self, callback), but is gone." in said
    assert "AppSession._on_scriptrunner_event should take" in said
    assert "but takes (self, sender)." in said
