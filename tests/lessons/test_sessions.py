"""A session runs in turn, sends what a run draws by the handful and in its order, and looks up what a field asks for."""

import asyncio
import gc
import time
import weakref
from threading import Event, Lock, Thread

import pytest
from streamlit import config
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.state import SafeSessionState, SessionState

from core.lesson import cache, sessions, streamlit_replacements
from core.lesson.cached import PRIVATE
from core.lesson.sessions import Turns
from tests import own_loop

DRAWN, OVER = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS


class Session(streamlit_replacements.BatchingAppSession):
    """A session without a page: what its loop handles is noted, with how often the loop was woken."""

    def __init__(self, loop):
        self._batch, self._batch_lock, self._event_loop = [], Lock(), loop
        self.handled, self.woken = [], 0

    def __del__(self):
        """Streamlit would shut it down; there is nothing to shut down."""

    def _call_soon_on_event_loop(self, callback):
        self.woken += 1
        super()._call_soon_on_event_loop(callback)

    def _handle_scriptrunner_event_on_event_loop(self, sender, event, forward_msg=None):
        self.handled.append((event, forward_msg))
        if forward_msg == "wrong":
            raise ValueError("wrong")


def test_a_session_whose_page_is_gone_keeps_its_words_and_no_results():
    session, state = Session(None), SessionState()
    session.id, session._session_state = "gone", state
    state["words"], state[PRIVATE] = "mine", {len: cache.ExpiringLRUCache(2)}
    for _ in range(2):
        session.clear_session_caches()
        assert (PRIVATE in state, state["words"]) == (False, "mine")


async def run_of(events, patience):
    """Return a session whose run, in a thread of its own, has told of these events, after so many seconds."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda *_: None)
    session = Session(loop)

    def run():
        for event, element in events:
            session._on_scriptrunner_event(None, event, **({"forward_msg": element} if element else {}))

    thread = Thread(target=run)
    thread.start()
    until = time.monotonic() + patience
    while len(session.handled) < len(events) and time.monotonic() < until:
        await asyncio.sleep(0.01)
    thread.join()
    return session


@pytest.mark.parametrize("elements", [["a"], [f"{n}" for n in range(200)]])
def test_what_a_run_draws_arrives_in_its_order_though_the_run_goes_on(elements):
    drawn = [(DRAWN, element) for element in elements]
    assert own_loop.run(run_of(drawn, 10)).handled == drawn


def test_the_loop_is_woken_once_for_a_handful(monkeypatch):
    monkeypatch.setattr(streamlit_replacements, "BATCH_SECONDS", 1)
    assert own_loop.run(run_of([(DRAWN, "a"), (DRAWN, "b"), (DRAWN, "c")], 10)).woken == 1


def test_the_end_of_a_run_waits_for_no_handful_and_comes_last(monkeypatch):
    monkeypatch.setattr(streamlit_replacements, "BATCH_SECONDS", 3600)
    events = [(DRAWN, "a"), (DRAWN, "b"), (OVER, None)]
    assert own_loop.run(run_of(events, 10)).handled == events


def test_an_element_that_goes_wrong_stops_no_other():
    events = [(DRAWN, "wrong"), (DRAWN, "b"), (OVER, None)]
    assert own_loop.run(run_of(events, 10)).handled == events


async def then_an_error():
    """Return what is handled where the server itself says that a run is over, and then what went wrong."""
    session = Session(asyncio.get_running_loop())
    session._on_scriptrunner_event(None, DRAWN, forward_msg="a")
    session._on_scriptrunner_event(None, OVER)
    session._call_soon_on_event_loop(lambda: session.handled.append("error"))
    await asyncio.sleep(0.1)
    return session.handled


def test_what_the_server_says_after_a_run_comes_after_it():
    assert own_loop.run(then_an_error()) == [(DRAWN, "a"), (OVER, None), "error"]


def test_what_is_looked_up_is_what_the_session_keeps():
    state = SafeSessionState(SessionState(), lambda: None)
    state["word"], state["nothing"] = "king", None
    looked_up = streamlit_replacements.LazySessionView(state)
    assert dict(looked_up) == state._state.filtered_state == {"word": "king", "nothing": None}
    assert len(looked_up) == 2
    assert "nothing" in looked_up
    assert "absent" not in looked_up
    with pytest.raises(KeyError):
        looked_up["absent"]


def test_minute_by_minute_pages_that_hold_one_another_go_and_what_nobody_asks_for(monkeypatch):
    class Page:
        """One of a session's, which the session holds and which holds it."""

    page = Page()
    page.session = page
    gone, page = weakref.ref(page), None
    kept = cache.ExpiringLRUCache(10)
    monkeypatch.setattr(cache, "_shared", [kept])
    kept.put("old", 1)
    kept._entries["old"] = 1, time.monotonic() - cache.IDLE_SECONDS - 1
    kept.put("new", 2)

    async def a_moment():
        giving_back = asyncio.create_task(sessions.trim_memory_periodically(every=0.01))
        await asyncio.sleep(0)
        before = gone() is None, "old" in kept
        for _ in range(500):
            await asyncio.sleep(0.01)
            if gone() is None and "old" not in kept:
                break
        giving_back.cancel()
        return before

    gc.disable()  # Python's own look may come in between
    try:
        assert own_loop.run(a_moment()) == (False, True)
    finally:
        gc.enable()
    assert gone() is None
    assert ("old" in kept, "new" in kept) == (False, True)


class PageRun(streamlit_replacements.FairScriptRunner):
    """A run of a page that draws so many elements, in a list of what was drawn by all; or waits for an event."""

    def __init__(self, name, drawn, elements, waits_for=None):
        self.name, self.drawn, self.elements, self.waits_for = name, drawn, elements, waits_for
        self._session_id, self._session_state = name, {}

    def __del__(self):
        """There is nothing to shut down."""

    def run(self):
        self._script_thread = Thread(target=self._run_script, args=(None,))
        self._script_thread.start()


def draw(run, _rerun_data):
    if run.waits_for:
        run.waits_for.wait(10)
    for _ in range(run.elements):
        time.sleep(0.002)
        run.drawn.append(run.name)
        run._maybe_handle_execution_control_request()


@pytest.fixture
def one_turn(monkeypatch):
    turns = Turns(1)
    monkeypatch.setattr(streamlit_replacements, "RUN_SLOTS", turns)
    monkeypatch.setattr(ScriptRunner, "_run_script", draw)
    monkeypatch.setattr(ScriptRunner, "_maybe_handle_execution_control_request", lambda _: None)
    return turns


def end_of(*runs):
    for run in runs:
        run._script_thread.join(20)
    return [run.name for run in runs if run._script_thread.is_alive()]


def test_short_runs_end_one_after_another(one_turn, monkeypatch):
    monkeypatch.setattr(streamlit_replacements, "TIME_SLICE", 3600)
    drawn = []
    runs = [PageRun(name, drawn, 5) for name in "abc"]
    for run in runs:
        run.run()
    assert end_of(*runs) == []
    assert drawn == ["a"] * 5 + ["b"] * 5 + ["c"] * 5


def test_a_long_run_lets_a_short_one_pass(one_turn, monkeypatch):
    monkeypatch.setattr(streamlit_replacements, "TIME_SLICE", 0.01)
    drawn = []
    long, short = PageRun("long", drawn, 200), PageRun("short", drawn, 2)
    long.run()
    short.run()
    assert end_of(long, short) == []
    assert drawn.index("short") < 100
    assert drawn[-1] == "long"


def test_what_a_run_computes_may_be_what_the_next_waits_for(one_turn, monkeypatch):
    monkeypatch.setattr(streamlit_replacements, "TIME_SLICE", 0.01)
    done, drawn = Event(), []
    long, waiting = PageRun("long", drawn, 50), PageRun("waiting", drawn, 1, waits_for=done)
    long.run()
    waiting.run()
    Thread(target=lambda: (long._script_thread.join(9), done.set())).start()
    assert end_of(long, waiting) == []
    assert drawn == ["long"] * 50 + ["waiting"]


def test_a_run_that_goes_wrong_ends_its_session_and_its_turn(one_turn, monkeypatch):
    ended = []
    monkeypatch.setattr(ScriptRunner, "_run_script", lambda *_: 1 / 0)
    monkeypatch.setattr(PageRun, "_end_session", lambda run: ended.append(run.name))
    PageRun("a", [], 1)._run_script(None)
    assert ended == ["a"]
    assert one_turn.acquire(timeout=0)
    assert not one_turn.acquire(timeout=0)


def test_a_page_that_is_gone_may_come_back_for_two_minutes():
    assert config.get_option("server.disconnectedSessionTTL") == 120  # st.App gives it to TimedSessionStorage
