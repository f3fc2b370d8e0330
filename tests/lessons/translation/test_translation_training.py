"""Training a translator: the recorded run of the story, and the lab: what is trained on, and what came of it."""

import random
from datetime import date

import numpy as np
import pytest
import torch

from core.lesson import training_job
from core.lesson.choices.translator_choice import DATES, FRENCH, TASKS, translator_of
from core.lesson.training_job import Bench
from core.models.stored import load_card
from core.models.translation.fit_translation import fit_translation
from core.models.translation.kept_translator import from_safetensors, to_safetensors
from core.models.translation.recorded_translator import pushes, recorded_training
from core.models.translation.seq2seq import Seq2Seq, Seq2SeqConfig
from core.models.translation.training_course import TranslationSettings, course
from core.models.translation.translate import greedy
from core.text.grammar.pairs import is_held_out
from core.text.samples.course_pairs import CoursePairs
from pages.translation.translation_training.figures import ALIGNED, CHARACTERS
from pages.translation.translation_training.page import OWN, Attempt, Material, french
from tests.lessons.lesson_page import (
    document,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
    views,
)

WATCHED = tuple("4 mars 1987")
SETTINGS = TranslationSettings("general", 32, 16, 3, 1)


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
        assert f"One of the pairs: **{len({t for t, _ in links})}** of its" in said(app)
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
    assert shown["Held-out pairs right"] == f"{trained.held_out['exact_match']:.1%}"
    assert shown["Alignment error"] == f"{trained.held_out['alignment_error']:.1%}"
    assert "general score" in said(app)
    assert "400 pairs, dates → ISO, 18 steps" in said(app)


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
    shown = said(open_with())
    assert f"from {found.loss[0]:.2f} to **{found.loss[1]:.2f}**" in shown
    assert f"half-way at step {found.sharpened}. From step {found.settled} the output" in shown
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
    word = {"uniform": "equal", "late": "shifted"}[broken]
    assert f"With {word} weights → " in said(now)
    before, after = (
        float(metrics(now)[each].strip("%")) for each in ("with its own weights", f"with {word} weights")
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
    assert "the replay shows where the model attends" in said(app)
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
        {"on": "french", "longest": "4"},
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


def test_the_notebook_trains_what_the_page_trained(monkeypatch, notebook_cells, trained, tmp_path, capsys):
    open_with()
    monkeypatch.chdir(tmp_path)
    exec("\n".join(notebook_cells[1:]), {})
    assert repr(trained.held_out) in capsys.readouterr().out


@pytest.mark.usefixtures("trained")
def test_a_switch_waits_for_a_model_and_a_file_of_pairs_has_a_notebook():
    assert "Train first" not in said(open_with(uniform="true"))
    assert "needs a file" in said(open_with(on=OWN))


# The story: the recorded run, against what can be counted or worked out by hand.

RUN = recorded_training()
GOLD = {0: [6], 1: [7], 2: [8], 3: [9], 5: [2, 3, 4], 6: [2, 3, 4], 8: [0], 9: [0]}  # of 8 may 1945, by hand
RUNS = (RUN.course, *RUN.seeds.values())


def beat_words(beat, *args, **changes):
    return said_in(document("translation_training", beat, *args, **changes))


def heat(data, trace=0):
    """Return the cells of a heat map, a row for each character of the output."""
    return np.reshape(numbers(data["figure"]["data"][trace]["z"]), (len(RUN.target), -1))


def test_the_watched_date_is_held_out_and_its_alignment_is_that_which_a_person_sees():
    assert is_held_out(tuple(RUN.source)) and date(1945, 5, 8).isoformat() == RUN.target
    cells = heat(picture("translation_training", "pair"))
    assert {t: np.flatnonzero(row).tolist() for t, row in enumerate(cells) if row.any()} == GOLD
    assert RUN.pairs == sum(not is_held_out(pair.source) for pair in CoursePairs("dates", 6000, 25, 1))


def test_before_training_no_weight_is_large_and_p_is_that_of_a_blind_guess():
    start = RUN.at(0)
    np.testing.assert_allclose(start.weights.sum(1), 1, atol=1e-3)
    assert start.weights.max() < 0.2 and f"{start.weights.max():.2f}" in beat_words("start")
    assert start.p.mean() == pytest.approx(1 / 15, abs=0.01)  # 10 digits, the dash and four special tokens


def test_the_loss_of_the_followed_character_is_minus_ln_p():
    moment = RUN.at(100)
    p = moment.p[2]
    assert RUN.target[2] == "4" and f"{-np.log(p):.2f}" == "1.86" and f"{p:.3f}" == "0.156"
    assert "1.86" in beat_words("loss")
    texts = [each["title"] for each in picture("translation_training", "loss")["nodes"]]
    assert "loss = 1.86" in texts and "p(4) = 0.156" in texts


def test_the_push_is_the_gradient_of_the_log_probability_by_the_scores():
    torch.manual_seed(1)
    model = Seq2Seq(Seq2SeqConfig(12, 9, 4, 6)).eval()
    source, previous = torch.tensor([[5, 6, 7, 8]]), torch.tensor([[1, 4]])
    encoded = model.encode(source)
    scores = torch.randn(1, 2, 4, requires_grad=True)

    def log_p(weights):
        made = model.decode(previous, model.first_state(encoded), encoded, weights)
        return made.logits.log_softmax(-1)[0, [0, 1], [4, 5]].sum()

    by_scores = torch.autograd.grad(log_p(scores.softmax(-1)), scores, retain_graph=True)[0][0]
    weights = scores.detach().softmax(-1).requires_grad_()
    gain = torch.autograd.grad(log_p(weights), weights)[0][0]
    np.testing.assert_allclose(pushes(weights.detach()[0].numpy(), gain.numpy()), by_scores, atol=1e-6)


def test_the_gradient_pushes_the_right_digit_up_and_its_rival_down():
    moment = RUN.at(100)
    assert moment.weights[2, 9] > moment.weights[2, 8] > moment.weights[2, :8].max()
    assert moment.push[2].argmax() == 8 and moment.push[2].argmin() == 9
    assert abs(moment.push[2].sum()) < 1e-3  # a push up is taken from the others
    words = beat_words("push", True)
    assert f"+{moment.push[2, 8]:.2f}" in words and f"{-moment.push[2, 9]:.2f}" in words
    before, after = (picture("translation_training", "push", shown)["panels"] for shown in (False, True))
    assert before[0] == after[0] and {row["to"] for row in before[1]["rows"]} == {0}
    assert {row["name"]: row["to"] for row in after[1]["rows"]} == pytest.approx(
        {RUN.source[s]: moment.push[2, s] for s in (6, 7, 8, 9)}
    )
    assert all(weight < 0.005 for weight in moment.weights[2, :6])  # the six inputs that are not drawn


def test_in_every_run_characters_are_guessed_before_they_are_aligned():
    for run in RUNS:
        at = {moment[0]: moment for moment in run}
        assert at[60][CHARACTERS] > at[60][ALIGNED] + 0.2
        assert at[60][ALIGNED] < 0.25 < 0.9 < min(at[200][ALIGNED], at[200][CHARACTERS])
    split = RUN.at(100).split
    assert split["aligned"] > split["others"] and split["interval"][0] > 0
    assert split["interval"][0] < split["aligned"] - split["others"] < split["interval"][1]
    assert f"{split['aligned']:.0%} of the aligned" in beat_words("order", True)
    assert RUN.moments[-1].aligned < max(moment.aligned for moment in RUN.moments)


def test_the_curves_are_not_sent_before_the_guess():
    before, after = (picture("translation_training", "order", shown)["figure"] for shown in (False, True))
    assert [trace["x"] for trace in before["data"]] == [[0], [0]]
    assert all(len(trace["x"]) > 10 for trace in after["data"])


@pytest.mark.parametrize("at", range(len(RUN.moments)))
def test_the_learner_is_told_whether_a_snapshot_is_the_first_with_the_right_date(at):
    moment = RUN.moments[at]
    told = document("translation_training", "replay", moment=at)["done"]
    earlier = any(each.written == RUN.target for each in RUN.moments[:at])
    assert ("is the first" in told) == (moment.written == RUN.target and not earlier)
    assert ("comes later" in told) == (moment.written != RUN.target and not earlier)
    assert f"{moment.aligned:.0%}" in told


def test_once_right_the_watched_date_stays_right():
    right = [moment.written == RUN.target for moment in RUN.moments]
    assert right == sorted(right)


def test_the_second_model_is_given_outputs_of_other_dates():
    kept = [pair for pair in CoursePairs("dates", 6000, 25, 1) if not is_held_out(pair.source)]
    outputs = ["".join(pair.target) for pair in kept]
    random.Random(1).shuffle(outputs)
    given = dict(zip(("".join(pair.source) for pair in kept), outputs, strict=True))
    assert len(RUN.mixed) == 5
    for source, other, right in RUN.mixed:
        assert given[source] == other != right


def test_without_the_link_alignment_stays_at_chance():
    assert max(moment[ALIGNED] for moment in RUN.shuffled) < 0.2
    assert RUN.shuffled[-1][ALIGNED] == pytest.approx(RUN.chance, abs=0.03)
    at = next(moment for moment in RUN.shuffled if moment[0] == 300)
    assert f"aligns {at[ALIGNED]:.0%} of" in beat_words("mixed", True)
    assert 0.3 < at[CHARACTERS] < 0.5  # it guesses
    assert list(RUN.shuffled[0]) == list(RUN.course[0])  # they begin with the same random numbers
    held_out = [pair for pair in CoursePairs("dates", 6000, 25, 1) if is_held_out(pair.source)][:500]
    hits = [
        len([s for t, s in pair.links if t == at]) / len(pair.source)
        for pair in held_out
        for at in {t for t, _ in pair.links}
    ]
    assert RUN.chance == pytest.approx(np.mean(hits), abs=1e-4)


def test_equal_weights_cost_the_trained_model_nearly_all_dates():
    assert RUN.uniform < 0.01 < 0.99 < RUN.moments[-1].right
    assert picture("translation_training", "equal")["figure"]["data"][0]["x"] == [
        RUN.moments[-1].right,
        RUN.uniform,
    ]


def test_in_french_adjective_and_noun_cross():
    made = french()
    weights = dict(zip(made.written, made.weights, strict=False))
    assert made.written == ["je", "vois", "le", "chat", "noir", "."]
    assert made.inputs[weights["noir"].argmax()] == "black" and made.inputs[weights["chat"].argmax()] == "cat"
    quality = load_card("translate_french_additive").quality
    assert f"{1 - quality['alignment_error']:.0%} of the words" in beat_words("french")
    assert translator_of("translate_french_additive").model.config.score == "additive"


def test_the_story_ends_with_the_first_and_the_last_weights():
    first, last = (heat(picture("translation_training", "answer"), trace) for trace in (0, 1))
    np.testing.assert_allclose(first, RUN.at(0).weights[:-1])
    digits = [t for t in GOLD if t not in (5, 8)]  # a leading 0 can be guessed
    assert all(last[t].argmax() in GOLD[t] and last[t].max() > 0.9 for t in digits)
    assert all(last[t].max() < 0.5 for t in (4, 7))  # the dashes
