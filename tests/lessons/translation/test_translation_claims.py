"""What the translation lesson says is so: its break-its and prompts on three sentences, and what it says of a typed one."""

import base64

import numpy as np
import pytest

from core.lesson.choices.translator_choice import (
    CHARACTERS_AT_MOST,
    DATES,
    DUTCH,
    FRENCH,
    TASKS,
    translator_of,
)
from core.models.translation.alignment import crossings, heaviest
from core.models.translation.translate import translated
from core.models.translation.what_if import changes
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences
from pages.translation.translation import LESSON
from pages.translation.translation.page import exact_match
from tests.lessons.lesson_page import (
    frames,
    go_to,
    guess,
    metrics,
    open_lesson,
    prompts,
    question,
    said,
    sent,
    views,
)

PLAY = next(s for s in sentences(sample("hamlet").read().text) if 4 <= len(s) <= 8)
TEXTS = [TASKS[FRENCH].example, " ".join(PLAY), "The cat sleeps."]
BREAKS = ("uniform", "late")


def open_with(**query):
    return open_lesson("translation", **query)


def weights_of(view):
    weights = np.frombuffer(base64.b64decode(view["heads"][0]["weights"]), "<f4")
    return weights.reshape(len(view["outputs"]), len(view["inputs"]))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("switch", BREAKS)
def test_a_break_changes_the_picture_and_says_by_how_much(text, switch):
    whole, broken = open_with(text_fr=text), open_with(text_fr=text, **{switch: "true"})
    before, after = weights_of(sent(whole)), weights_of(sent(broken))
    moved = np.abs(before[0] - after[0]).max()
    assert moved > 0.05
    assert f"a weight changes by up to {moved:.3f}" in said(broken)
    count = changes(sent(whole)["outputs"], sent(broken)["outputs"])
    assert (f"{count} word{'s' * (count > 1)} of the output changed" if count else "is the same") in said(
        broken
    )
    shown = {name: float(value[:-1]) for name, value in metrics(broken).items() if value.endswith("%")}
    assert shown["Exact match, changed attention"] < shown["Exact match, own attention"]


def test_a_break_that_has_nothing_to_move_says_so():
    assert "There is one input word. It has all the weight" in said(open_with(text_fr="?", uniform="true"))


def test_a_break_costs_every_model_its_exact_matches():
    from core.models.translation.broken_attention import with_late_attention, with_uniform_attention

    for task, name in ((DUTCH, "translate_dutch"), (DATES, "dates"), (FRENCH, "translate_french_dot")):
        for broken in (with_uniform_attention, with_late_attention):
            assert exact_match(task, name, broken) < exact_match(task, name) / 4


def test_late_attention_looks_one_place_too_far_right():
    whole, broken = (weights_of(sent(open_with(text_fr=TEXTS[0], **more))) for more in ({}, {"late": "true"}))
    assert heaviest(broken)[1] == heaviest(whole)[1] + 1


def test_where_the_lines_of_the_white_cars_cross():
    view = sent(open_with(text_fr="the rich queen sold the white cars yesterday .", step="7"))
    crossed = {(view["outputs"][t], view["outputs"][u]) for t, u in crossings(weights_of(view))}
    assert ("voitures", "blanches") in crossed
    assert view["outputs"][6] == "voitures"


def test_the_dutch_verb_at_the_end_has_the_longest_line():
    view = sent(open_with(task=DUTCH, text_nl=TASKS[DUTCH].example, step="13"))
    lengths = [abs(t - s) for t, s in enumerate(heaviest(weights_of(view)))]
    assert view["outputs"][int(np.argmax(lengths))] == view["outputs"][12] == "gegeven"


def test_the_month_is_read_from_its_letters():
    view = sent(open_with(task=DATES, text_date=TASKS[DATES].example, step="6"))
    looked = [view["inputs"][heaviest(weights_of(view))[t]] for t in (5, 6)]
    assert set(looked) <= set("march")


def test_the_sentence_below_the_picture_is_made_from_the_weights():
    app = open_with(text_fr=TEXTS[0])
    weights, view, looks = weights_of(sent(app)), sent(app), frames(app)[3]["said"]
    s = int(weights[3].argmax())
    assert (
        f"To write “{view['outputs'][3]}” the model puts {weights[3, s]:.1%} of its weight on “{view['inputs'][s]}”"
        in looks
    )
    assert f"{len(crossings(weights))} pairs of lines cross" in looks
    assert 0.9995 < weights[0].max() < 1
    assert "puts more than 99.9% of its weight on “the”" in frames(app)[0]["said"]


def test_every_word_never_seen_is_named_with_its_script_and_with_what_the_model_makes_of_it():
    app = open_with(text_fr="the blorf loves مرحبا .")
    view = sent(app)
    written = [view["outputs"][t] for t, s in enumerate(heaviest(weights_of(view))) if s == 1]
    looks = f"attends to it most when it writes {', '.join(f'“{word}”' for word in written)}"
    assert (
        f"The model reads “blorf” as <unknown>. It {looks if written else 'never gives it the largest weight'}"
        in said(app)
    )
    assert "not on Arabic ones" in said(app)
    assert "reads “blorf”" not in said(open_with(text_fr="the cat loves the dog ."))


def test_until_the_guess_neither_this_step_s_weights_nor_later_ones_are_there():
    app = open_with(text_fr=TEXTS[0], predict="true")
    assert not views(app)
    assert prompts(app)
    for _ in range(3):
        app = guess(app)
    table = next(each.value for each in app.dataframe if "score e" in each.value)
    assert table["step"].max() == 3


def test_uniform_weights_are_all_alike_and_that_can_be_guessed():
    app = open_with(text_fr=TEXTS[0], predict="true", uniform="true")
    assert question(app).options[-1] == "all the same"
    assert "Right" in said(guess(app, "all the same"))


def test_a_sentence_typed_in_one_lesson_follows_to_the_next_and_into_its_address():
    app = open_with()
    app.text_input[0].set_value("The old man sleeps.").run()
    go_to(app, "translation_what_if").run()
    assert views(app)[0]["inputs"] == ["the", "old", "man", "sleeps", "."]
    assert app.query_params["translation_what_if_text_fr"] == "The old man sleeps."
    assert app.text_input(key="translation_what_if_forced").value == ""
    app.segmented_control(key="translation_what_if_task").set_value("dutch").run()
    assert views(app)[0]["inputs"] == ["the", "old", "man", "sleeps", "."]


def test_a_link_s_own_sentence_comes_before_the_one_that_was_typed():
    app = open_with()
    app.text_input[0].set_value("The old man sleeps.").run()
    app.query_params["translation_what_if_text_fr"] = "the cat sleeps ."
    go_to(app, "translation_what_if").run()
    assert views(app)[0]["inputs"] == ["the", "cat", "sleeps", "."]


def test_what_is_too_long_is_cut_and_that_is_said():
    app = open_with()
    pasted = "cat " * 1000
    app.text_input[0].set_value(pasted).run()
    assert f"This text has 4,000 characters. The first {CHARACTERS_AT_MOST:,} are kept" in said(app)
    assert "reads the first 60" in said(app)
    assert app.text_input[0].value == pasted[:CHARACTERS_AT_MOST]
    app.text_input[0].set_value("The cat sleeps.").run()
    assert "are kept here" not in said(app)


def test_the_picture_on_the_card_is_the_model_s_own():
    made = translated(translator_of(TASKS[FRENCH].models["additive"]), "the white cars arrive .".split())
    np.testing.assert_allclose(LESSON.picture().data[0].z, made.weights[: len(made.written)])
