"""The documents of the static site: what is enumerated, how it is named, and that it is what the server answers."""

import json

import pytest

from core.lesson.classic_code import call, plotly_bundle, plotly_script, view_script
from core.lesson.settings import Choice, Settings, Slider, Switch
from core.lesson.story import ASK, Beat, look, story_of
from core.lesson.story_page import document_of
from core.site.documents import SETTINGS_AT_MOST, documents_of, enumerate_settings, name_of, values_of
from pages import LESSONS

ZIPF = next(lesson for lesson in LESSONS if lesson.name == "zipf")
SAMPLING = next(lesson for lesson in LESSONS if lesson.name == "sampling")


def beat_of(*controls) -> Beat:
    return look("beat", lambda settings: None, *controls)


def test_every_combination_of_two_controls_is_enumerated_once():
    states = enumerate_settings(beat_of(Choice("way", "a", ("a", "b")), Slider("k", 1, 1, 3)))
    assert [(each["way"], each["k"]) for each in states] == [(w, k) for w in "ab" for k in "123"]


def test_what_a_setting_may_be_can_depend_on_the_one_before():
    least = Slider("n", 1, 1, 3)
    states = enumerate_settings(beat_of(least, Slider("k", 1, 1, lambda settings: settings["n"])))
    assert [(each["n"], each["k"]) for each in states] == [(n, k) for n in "123" for k in "123" if k <= n]


def test_a_beat_with_too_many_settings_or_none_has_no_other_documents():
    assert enumerate_settings(beat_of(Slider("k", 0, 0, SETTINGS_AT_MOST))) == []
    assert enumerate_settings(beat_of()) == []


def test_a_slider_of_tenths_reaches_its_end_and_is_named_as_javascript_writes_numbers():
    values = list(values_of(Slider("p", 0.9, 0.1, 1.0, 0.1), Settings({})))
    assert len(values) == 10 and values[-1] == 1.0
    assert name_of("3", [Slider("p").write(each) for each in (0.1, 1.0)]) == "3_0.1_1"
    assert name_of("3", [Switch("on").write(True), "-2.50"]) == "3_true_-2.5"


def test_a_question_has_its_answer_in_a_document_of_its_own_and_not_in_the_first():
    documents = {each.name: each.document for each in documents_of("zipf", ZIPF.module)}
    asked = [n for n, beat in enumerate(story_of(ZIPF.module), 1) if beat.kind == ASK]
    assert asked
    for number in asked:
        assert "answer" not in documents[str(number)]["ask"]
        assert documents[f"{number}.answer"]["ask"]["answer"]


@pytest.mark.parametrize("lesson", [ZIPF, SAMPLING], ids=lambda lesson: lesson.name)
def test_a_document_of_the_site_says_and_draws_what_the_server_answers(lesson):
    for each in documents_of(lesson.name, lesson.module):
        number, revealed, changes = (each.document[name] for name in ("number", "revealed", "changes"))
        answered = json.loads(document_of(lesson.name, number, revealed, changes))
        ours = json.loads(call("", "", each.document).decode().partition(", ")[2].removesuffix(");\n"))
        for document in (answered, ours):
            document["picture"].pop("code", None)
            document["picture"]["data"].pop("plotly", None)
            document.pop("enumerated", None)
        assert ours == answered


def test_a_script_of_data_is_one_call_and_holds_no_line_that_ends_it():
    typed = "a\u2028b<!-- <script>"
    text = call("beats", "zipf/1", {"words": typed}).decode()
    assert text.count("\n") == 1 and "\u2028" not in text and "<" not in text
    assert json.loads(text.partition(", ")[2].removesuffix(");\n")) == {"words": typed}


def test_plotlys_bundle_is_the_smallest_that_draws_all_figures_and_of_the_servers_version():
    assert plotly_bundle([{"data": [{"type": "scatter"}, {"type": "bar"}]}]) == "basic"
    assert plotly_bundle([{"data": [{"type": "bar"}]}, {"data": [{"type": "heatmap"}]}]) == "cartesian"
    assert len(plotly_script("basic").content) < len(plotly_script("cartesian").content)


def test_a_views_script_hands_its_code_over_and_exports_nothing():
    text = view_script("lattice").content.decode()
    assert (
        text.startswith('attendSource.take("code/lattice"')
        and "\nexport " not in text
        and "import " not in text
    )
