"""The server starts without any stored model: no module reads one while it is imported, and each fault is said once."""

import json
import logging
import subprocess
import sys

import pytest
from streamlit.testing.v1 import AppTest

from core.lesson import failure_log
from core.models.stored import StoredModelError, faults, stored_models
from core.training.published import PUBLISHED
from tests.browser.conftest import ROOT

# Every folder of stored models, and every recorded run, is missing: whoever opens a file of theirs is written down.
IMPORTS = """
import importlib, json, pkgutil, sys, traceback
sys.path.insert(0, "")
opened = set()

def lose(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and any(
        f"/assets/{folder}/" in arguments[0] for folder in ("models", "runs")
    ):
        ours = [each.filename for each in traceback.extract_stack() if "/pages/" in each.filename]
        opened.add((arguments[0].rpartition("/assets/")[2], ours[-1].rpartition("/pages/")[2] if ours else ""))
        raise FileNotFoundError(arguments[0])

sys.addaudithook(lose)
modules, stopped = ["app"], {}
import pages
modules += [each.name for each in pkgutil.walk_packages(pages.__path__, "pages.") if each.name[-9:] != ".notebook"]
for module in modules:
    try:
        importlib.import_module(module)
    except Exception as error:
        stopped[module] = str(error)
print(json.dumps([len(modules), sorted(opened), stopped]))
"""


def test_no_module_reads_a_stored_model_or_a_recorded_run_while_it_is_imported():
    ran = subprocess.run(
        [sys.executable, "-c", IMPORTS], cwd=ROOT, capture_output=True, text=True, check=True
    )
    modules, opened, stopped = json.loads(ran.stdout.splitlines()[-1])
    assert modules > 150
    assert (opened, stopped) == ([], {})


def test_a_folder_that_is_missing_is_reported_at_the_start_as_a_damaged_one_is(tmp_path):
    assert set(PUBLISHED) == set(stored_models())
    (said,) = faults(["tagger"], tmp_path)
    assert "“tagger”, whose file card.json is missing" in said
    assert len(faults(PUBLISHED, tmp_path)) == len(PUBLISHED)


@pytest.fixture
def written(monkeypatch):
    """Return the records that are logged, by a log that has logged nothing before."""
    records, keeper = [], logging.Handler()
    keeper.emit = records.append
    monkeypatch.setattr(failure_log.failures, "_models", set())
    for logger in (logging.getLogger("attend"), logging.getLogger("streamlit.error_util")):
        logger.addHandler(keeper)
    yield records
    for logger in (logging.getLogger("attend"), logging.getLogger("streamlit.error_util")):
        logger.removeHandler(keeper)


def test_a_damaged_model_is_one_line_however_many_pages_need_it(written, monkeypatch):
    from core.lesson import lesson

    def gone(*_):
        raise StoredModelError("tagger", "weights.safetensors", "damaged")

    monkeypatch.setattr(lesson, "story_place", gone)

    def page():
        from pages.hidden_markov_models import tagging, viterbi

        viterbi.LESSON.run()
        tagging.LESSON.run()

    for _ in range(2):
        shown = AppTest.from_function(page, default_timeout=60).run()
        assert [error.value for error in shown.error] == [
            str(StoredModelError("tagger", "weights.safetensors", "damaged"))
        ] * 2
    assert [(each.levelname, each.getMessage()) for each in written] == [
        ("WARNING", str(StoredModelError("tagger", "weights.safetensors", "damaged")))
    ]


@pytest.mark.long
def test_without_any_model_every_beat_is_told_or_says_what_is_missing():
    script = IMPORTS.replace(', "runs")', ",)") + BEATS
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    told, stopped = json.loads(ran.stdout.splitlines()[-1])
    assert told > 300
    assert stopped == {}


BEATS = """
from core.lesson.story import make_document, story_of
from pages import LESSONS
told, stopped = 0, {}
for lesson in LESSONS:
    for number, beat in enumerate(story_of(lesson.module), 1):
        try:
            make_document(lesson.name, lesson.module, number, beat.kind == "ask")
            told += 1
        except Exception as error:
            stopped[f"{lesson.name} {number}"] = f"{type(error).__name__}: {error}"
print(json.dumps([told, stopped]))
"""
