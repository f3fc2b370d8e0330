"""What a session holds is bounded and ends on time: a real server, and a page that is closed with nobody coming after it."""

import os
import random
import subprocess
import sys
import time
import urllib.request
from json import JSONDecodeError

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.testing.v1 import AppTest
from websockets.exceptions import ConnectionClosed

from core.lesson import sessions, streamlit_replacements
from core.lesson.lab_words import LAB_WORDS
from core.lesson.warmup import SWITCH
from tests import own_loop
from tests.benchmarks.student import Student, memory_mb
from tests.browser.conftest import ROOT, free_port, when_ready

SECONDS = 3  # for which a page that is gone may come back, here; two minutes in use
LARGEST = (10 << 20) - 1000  # with the form around it, as much as the server takes
LEFT_AT_MOST = 16  # megabytes, of the fifty that such a text takes
LINE = b"x" * 39 + b" " + b"y" * 39 + b"\n"


@pytest.fixture(scope="module")
def served():
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    process = subprocess.Popen(
        [*command, "--server.disconnectedSessionTTL", str(SECONDS)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        env={**os.environ, SWITCH: "off"},
    )
    yield process, when_ready(process, port, "ready")
    process.terminate()
    process.wait(10)


def held(url: str) -> int:
    """Return the bytes of files that the server holds, as it says itself."""
    said = urllib.request.urlopen(f"{url}/_stcore/metrics", timeout=60).read().decode()
    return sum(
        int(line.split()[-1]) for line in said.splitlines() if 'cache_type="UploadedFileManager"' in line
    )


class Noting(Student):
    """A student who notes the ids of the lists to choose from."""

    def note(self, element, fragment: str) -> None:
        if element.WhichOneof("type") == "selectbox":
            self.boxes.add(element.selectbox.id)
        super().note(element, fragment)


async def with_a_text(url: str, content: bytes) -> Student:
    student = Noting(url, random.Random(1))
    student.boxes = set()
    await student.open()
    await student.visit("zipf", "lab=true")
    await student.unfold("Change the text")
    run = await student.upload("Choose a file", "a.txt", content)
    assert LAB_WORDS.label("files.over", most=sessions.BYTES_AT_MOST >> 20) not in run.said
    return student


async def come_and_go(url: str, pid: int) -> int:
    """Open a page, give it a text of eight megabytes and close it; return the megabytes that the server then had."""
    student = await with_a_text(url, LINE * 105_000)
    assert held(url) == 8_400_000
    most = memory_mb(pid)
    await student.close()
    return most


def test_what_a_closed_page_held_goes_on_time_though_nobody_comes_after_it(served):
    process, url = served
    own_loop.run(come_and_go(url, process.pid))  # what the first text of all brings is no learner's
    time.sleep(2 * SECONDS)
    before = memory_mb(process.pid)

    most = own_loop.run(come_and_go(url, process.pid))
    assert most > before + LEFT_AT_MOST
    until = time.monotonic() + 30  # on a busy machine; by itself, SECONDS and one
    while (held(url) or memory_mb(process.pid) > before + LEFT_AT_MOST) and time.monotonic() < until:
        time.sleep(0.2)
    assert held(url) == 0
    assert memory_mb(process.pid) <= before + LEFT_AT_MOST


def test_a_page_that_comes_back_in_time_finds_its_text(served):
    _, url = served

    async def lose_the_network():
        student = await with_a_text(url, b"The cat sat on the mat, and the dog sat on the cat. " * 40)
        before = held(url)
        await student.socket.close()
        await student.connect(student.session)
        run = await student.run()
        assert held(url) == before
        await student.close()
        return run

    run = own_loop.run(lose_the_network())
    assert any("2,080 characters" in text for text in run.texts)


def test_files_above_the_quota_are_a_sentence_and_the_text_before_stays(served):
    _, url = served

    async def give_too_much():
        student = await with_a_text(url, LINE * 1_000)
        for _ in range(3):
            assert (await student.send("b.txt", bytes(LARGEST)))[1] == 204
        run = await student.upload("Choose a file", "c.txt", bytes(LARGEST))
        await student.close()
        return run

    run = own_loop.run(give_too_much())
    assert LAB_WORDS.label("files.over", most=sessions.BYTES_AT_MOST >> 20) in run.said
    assert any("80,000 characters" in text for text in run.texts)


def test_a_message_that_is_too_long_ends_its_session_and_no_other(served):
    process, url = served

    async def shout():
        loud, other = Student(url, random.Random(1)), Student(url, random.Random(2))
        await loud.open(), await other.open()
        with pytest.raises(ConnectionClosed) as ended:
            await loud.socket.send(bytes(26 << 20))
            while True:
                await loud.socket.recv()
        return ended.value.rcvd.code, (await other.visit("zipf")).errors

    assert own_loop.run(shout()) == (1009, 0)
    assert process.poll() is None


def test_values_of_wrong_types_end_their_session_with_a_sentence_and_it_answers_again(served):
    process, url = served

    async def send_nonsense():
        student = await with_a_text(url, LINE * 1_000)
        (sample,) = (each for each in student.boxes if each.endswith("text_source_sample"))
        student.state[sample] = {"string_array_value": {"data": ["a", "b"]}}
        await student.run()
        ended = await student.visit("word_map")  # what the last page sent is read, and kept for the next
        again = await student.visit("zipf", "lab=true")
        await student.close()
        return ended.said, again

    ended, again = own_loop.run(send_nonsense())
    assert ended == (LAB_WORDS.label("ended"),)
    assert not again.errors and not again.said
    assert again.texts and not any("80,000 characters" in text for text in again.texts)
    assert process.poll() is None


def test_a_session_whose_values_cannot_be_read_is_forgotten_all_the_same():
    state = SessionState()
    state._new_widget_state.set_from_value("a", 1)
    state._new_widget_state.set_widget_from_proto(WidgetState(id="b", json_value="["))
    state._new_widget_state.set_widget_metadata(
        WidgetMetadata("b", lambda value: value, lambda value: value, "json_value")
    )
    state["text"] = "words"
    with pytest.raises(JSONDecodeError):
        state.clear()
    streamlit_replacements.empty_state(state)
    assert (len(state), len(state._new_widget_state)) == (0, 0)


def test_a_file_that_was_not_kept_is_none_to_the_page():
    def page():
        import streamlit as st

        from core.lesson import sessions

        st.text(f"{sessions.upload('A file', key='file')}")

    shown = AppTest.from_function(page, default_timeout=60).run()
    shown = shown.file_uploader(key="file").upload("a.txt", b"", sessions.OVER_QUOTA).run()
    assert [warning.value for warning in shown.warning] == [
        LAB_WORDS.label("files.over", most=sessions.BYTES_AT_MOST >> 20)
    ]
    assert shown.text[0].value == "None"


def test_files_are_counted_by_session_and_a_field_s_new_file_takes_its_old_one_s_place():
    files = streamlit_replacements.UploadQuotaManager("/upload")

    def give(session, name, size):
        files.add_file(session, streamlit_replacements.UploadedFileRec(name, name, "text/plain", bytes(size)))
        return [record.type for record in files.get_files(session, [name])]

    assert give("one", "a", sessions.BYTES_AT_MOST - 1) == ["text/plain"]
    assert give("one", "b", 2) == [sessions.OVER_QUOTA]
    assert give("one", "c", 1) == ["text/plain"]
    assert give("one", "a", sessions.BYTES_AT_MOST - 1) == ["text/plain"]
    assert give("two", "b", 2) == ["text/plain"]
    for number in range(sessions.FILES_AT_MOST):
        give("three", str(number), 0)
    assert give("three", "one more", 0) == []
