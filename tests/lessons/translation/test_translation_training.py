"""Training a translator: what is trained on, what came of it, and what is said when a file cannot be read."""

import numpy as np
import pytest
import torch

from core.lesson import training_job
from core.lesson.choices.translator_choice import DATES, FRENCH, TASKS
from core.lesson.training_job import Bench
from core.models.translation.fit_translation import fit_translation
from core.models.translation.kept_translator import from_safetensors, to_safetensors
from core.models.translation.training_course import Settings, course, course_said
from core.models.translation.translate import greedy
from core.text.samples.course_pairs import CoursePairs
from pages.translation.translation_training import OWN, Attempt, Material
from tests.lessons.lesson_page import guess, metrics, open_lesson, question, said, sent, table_with, views

WATCHED = tuple("4 mars 1987")
SETTINGS = Settings("general", 32, 16, 3, 1)


def open_with(file=None, **query):
    app = open_lesson("translation_training", **query)
    if file is not None:
        app.file_uploader[0].upload(*file).run()
    return app


@pytest.fixture(scope="module")
def fitted():
    torch.set_num_threads(1)
    pairs = CoursePairs("dates", 400, 25, 1)
    result = fit_translation(lambda _: True, pairs, list(WATCHED), *vars(SETTINGS).values())
    return Attempt(Material(pairs, TASKS[DATES], "400 pairs, dates → ISO"), WATCHED, SETTINGS), result


@pytest.fixture
def trained(fitted, monkeypatch):
    attempt, result = fitted
    bench = Bench(result=result, reports=result.snapshots, settings=attempt, number=1)
    monkeypatch.setattr(training_job, "bench_of", lambda lesson: bench)
    return result


def test_before_training_the_gold_alignment_of_a_pair_is_shown_for_course_pairs():
    for label in (DATES, FRENCH):
        app = open_with(on=label)
        assert not app.exception
        assert "The model is not told this" in said(app)
        pair = CoursePairs(
            {DATES: "dates", FRENCH: "English–French"}[label], 1, 8 if label == FRENCH else 25, 1
        )
        links = next(iter(pair)).links
        assert f"One of the pairs: {len({t for t, _ in links})} of its" in said(app)
        assert len(app.get("plotly_chart")) == 1


@pytest.mark.usefixtures("trained")
def test_the_replay_holds_every_snapshot_s_own_weights(trained):
    replay = views(open_with())[0]
    assert replay["inputs"] == list(WATCHED)
    assert [shot["step"] for shot in replay["shots"]] == [shown.step for shown in trained.snapshots]
    assert replay["shots"][-1]["outputs"] == trained.snapshots[-1].output


def test_what_is_said_of_the_result_is_what_was_measured(trained):
    app = open_with()
    shown = metrics(app)
    assert shown["Right, of those held out"] == f"{trained.held_out['exact_match']:.1%}"
    assert shown["Alignment error"] == f"{trained.held_out['alignment_error']:.1%}"
    assert "general score" in said(app)


def test_the_learner_s_sentence_is_translated_by_the_model_just_trained(trained):
    app = open_with(typed_letters="3 mai 2020")
    translator = trained.translator()
    made = greedy(translator.model, translator.source.encode(list("3 mai 2020")))
    table = table_with(app, "weight a")
    np.testing.assert_allclose(table["weight a"], made.steps.weights.flatten(), rtol=1e-6)
    assert f"→ {''.join(translator.target.decode(made.words))}" in said(app)


def test_the_file_of_weights_is_the_model_just_trained(trained):
    kept = from_safetensors(to_safetensors(trained))
    assert all(
        np.array_equal(kept.model.state_dict()[name], array) for name, array in trained.weights.items()
    )


def test_what_is_said_of_the_course_of_the_training_is_read_from_its_snapshots(trained):
    found = course(trained.snapshots)
    assert course_said(found, "character") in said(open_with())
    last = trained.snapshots[-1]
    assert found.sharpness[1] == pytest.approx(np.mean([max(row) for row in last.weights]))
    assert all(shot.output == last.output for shot in trained.snapshots if shot.step >= found.settled)
    assert next(shot for shot in trained.snapshots if shot.step == found.settled).output == last.output


TYPED = {"as it opens": {}, "a date": {"typed_letters": "3 mai 2020"}, "no date": {"typed_letters": "to be?"}}


@pytest.mark.usefixtures("trained")
@pytest.mark.parametrize("broken", ["uniform", "late"])
@pytest.mark.parametrize("query", TYPED.values(), ids=TYPED)
def test_a_break_changes_the_picture_of_the_learner_s_sentence_and_is_measured(query, broken):
    whole, now = open_with(**query), open_with(**query, **{broken: "true"})
    drawn = [sent(app, "attention")["heads"][0]["weights"] for app in (whole, now)]
    assert drawn[0] != drawn[1]
    assert "Measured just now on 100 held-out pairs" in said(now)
    assert "Broken → " in said(now)
    before, after = (
        float(metrics(now)[f"Translated right, {each}"].strip("%")) for each in ("whole", "broken")
    )
    assert after <= before


@pytest.mark.usefixtures("trained")
def test_without_weights_of_its_own_every_input_weighs_the_same():
    table = table_with(open_with(uniform="true", typed_letters="3 mai 2020"), "weight a")
    np.testing.assert_allclose(table["weight a"], 1 / len("3 mai 2020"), rtol=1e-5)


def test_a_guess_comes_before_the_answer_which_is_not_in_the_replay_either(trained):
    app = open_with(predict="true")
    assert [view["inputs"] for view in views(app)] == [list(WATCHED)]  # the replay of another sentence
    assert not any("weight a" in each.value for each in app.dataframe)
    assert {"The code that ran", "Take it away", "Sources"} <= {each.label for each in app.tabs}
    words = [option.split(" ", 1)[1] for option in question(app).options]
    translator = trained.translator()
    made = greedy(translator.model, translator.source.encode([" " if w == "␣" else w for w in words]))
    guess(app, question(app).options[int(made.steps.weights[0, 0].argmax())])
    assert any(text.value.startswith("Right.") for text in app.text)
    assert len(views(app)) == 2


@pytest.mark.usefixtures("trained")
def test_the_sentence_that_was_watched_is_not_asked_about_for_the_replay_shows_it():
    app = open_with(predict="true", typed_letters="".join(WATCHED))
    assert "the replay shows where the model looks" in said(app)
    assert len(views(app)) == 2


@pytest.mark.parametrize("typed", ["👍🏽", "مرحبا", "a" * 900, "   ", "<b>$a$ `c`"])
@pytest.mark.usefixtures("trained")
def test_every_sentence_is_translated_somehow(typed):
    app = open_with(typed_letters=typed, watched_letters=typed)
    assert not app.exception
    assert sent(app, "attention")["inputs"]


def test_pairs_of_one_s_own_are_read_and_shown():
    app = open_with(("my.tsv", b"the cat\tle chat\nthe dog\tle chien\n", "text/plain"), on=OWN)
    assert not app.exception
    table = app.dataframe[0].value
    assert list(table["output"]) == ["le chat", "le chien"]
    assert app.button(key="translation_training_train")


def test_characters_may_be_the_units():
    app = open_with(("my.csv", b"3 may,03-05\n4 may,04-05\n", "text/csv"), on=OWN, unit="characters")
    assert list(app.dataframe[0].value["inputs S"]) == [5, 5]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "This file is empty"),
        (b"one\tun\ntwo\n", "Line 2 has no second column"),
        (b"\x89PNG\r\n\x1a\n", "PNG picture"),
        (b"a\tb\tc\n", "Columns after the second were not read"),
        (b"a\tb\n" * 20_001, "the first 20,000 were read"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(data, complaint):
    app = open_with(("my.tsv", data, "text/plain"), on=OWN)
    assert not app.exception
    assert complaint in said(app)


@pytest.mark.parametrize(
    "settings",
    [
        {"on": FRENCH, "longest": "25", "pairs": "20000"},
        {"on": "English → Dutch", "longest": "4"},
        {"hidden_dates": "16", "epochs": "1", "score": "dot"},
        {"uniform": "true"},
        {"on": OWN},
    ],
    ids=str,
)
def test_at_every_end_of_a_control_there_is_something_to_see_and_the_page_goes_on_to_its_end(settings):
    app = open_with(**settings)
    assert not app.exception
    assert len(app.get("plotly_chart")) == (settings.get("on") != OWN)
    assert {"The code that ran", "Take it away", "Sources"} <= {each.label for each in app.tabs}
