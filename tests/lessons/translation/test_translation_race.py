"""The race shows what core computes for each of the four translators, and marks what differs."""

import json
from itertools import combinations

import numpy as np
import pytest

from core.lesson.choices.translator_choice import FRENCH, GENERATED, TASKS, held_out_pairs
from core.models.documents import held_out
from core.models.stored import load_card, load_json
from core.models.translation.seq2seq import END, parameter_count
from core.models.translation.translate import greedy, rescored
from core.models.translation.translation_race import multiplications, run
from core.text.tokenization.word_differences import first_difference, mistakes
from pages.translation.shared.marked_translation import marked
from pages.translation.translation_race import (
    LENGTH,
    MODELS,
    WITH_ATTENTION,
    label_of,
    racer,
    right_of_held_out,
)
from tests.lessons.lesson_page import (
    figures,
    frames,
    guess,
    metrics,
    open_lesson,
    question,
    said,
    table_with,
)
from tests.lessons.lesson_page import views as sent_all

SENTENCES = {
    "as it opens": {},
    "of the grammar": {"source": "typed", "text_fr": "The old cat eats the bread."},
    "not of the grammar": {"source": "typed", "text_fr": "To be or not to be, that is the question."},
}


def open_with(**query):
    return open_lesson("translation_race", timeout=180, **query)


def heat_maps(app):
    return [chart for chart in figures(app) if chart["data"][0]["type"] == "heatmap"]


def test_each_heat_map_has_the_model_s_own_output_words_on_one_scale():
    app, pair = open_with(length="6", seed="4"), held_out_pairs(FRENCH, 4, 1, (6,))[0]
    for chart, score in zip(heat_maps(app), MODELS, strict=True):
        made = greedy(racer(score).model, racer(score).source.encode(pair.source))
        words = racer(score).target.words
        shown = [
            word.replace("&lt;", "<").replace("&gt;", ">") for word in chart["layout"]["yaxis"]["ticktext"]
        ]
        assert shown == [words[i] for i in made.words]
        assert (chart["data"][0]["zmin"], chart["data"][0]["zmax"]) == (0, 1)


def test_the_table_has_ln_p_sizes_and_the_cards_quality():
    table, pair = table_with(open_with(length="9"), "parameters"), held_out_pairs(FRENCH, 1, 1, (9,))[0]
    for row, (score, name) in zip(table.to_dict("records"), MODELS.items(), strict=True):
        translator, quality = racer(score), load_card(name).quality
        ids = translator.source.encode(pair.source)
        wanted = [*translator.target.encode(pair.target), END]
        made = greedy(translator.model, ids)
        assert row["score"] == label_of(score)
        assert row["ln p of its own"] == pytest.approx(made.log_probability)
        assert row["ln p of the reference"] == pytest.approx(
            rescored(translator.model, ids, wanted).log_probability
        )
        assert row["parameters"] == parameter_count(translator.model)
        assert (row["exact match"], row["loss"]) == (quality["exact_match"], quality["loss"])


def test_every_score_and_weight_is_in_the_table_and_rows_sum_to_one():
    table, pair = table_with(open_with(length="5"), "weight a"), held_out_pairs(FRENCH, 1, 1, (5,))[0]
    for score in WITH_ATTENTION:
        own = table[table["model"] == score]
        steps = run(racer(score), pair.source).translation.steps
        np.testing.assert_allclose(own["score e"], steps.scores[0].flatten(), rtol=1e-6)
        np.testing.assert_allclose(own.groupby("t")["weight a"].sum(), 1, rtol=1e-5)


def test_the_curves_are_the_losses_that_training_left_and_the_sentence_names_their_ends():
    app = open_with(length="4")
    chart = next(each for each in figures(app) if len(each["data"]) == len(MODELS))
    for trace, name in zip(chart["data"], MODELS.values(), strict=True):
        assert [list(point) for point in zip(trace["x"], trace["y"], strict=True)] == load_json(
            name, "losses"
        )
    ends = {score: load_json(name, "losses")[-1][1] for score, name in MODELS.items()}
    assert max(ends, key=ends.get) == "none"
    assert f"no attention {ends['none']:.2g}" in said(app)
    assert "All four learnt from the same sentences" in said(app)


def test_it_opens_on_a_sentence_that_one_of_the_four_gets_wrong_and_says_where():
    pair = held_out_pairs(FRENCH, 1, 1, (LENGTH,))[0]
    runs = {score: run(racer(score), pair.source) for score in MODELS}
    assert [score for score in MODELS if runs[score].words != pair.target] == ["none"]
    place = first_difference(runs["none"].words, pair.target) + 1
    expected = f"3 of 4 are right word for word; wrong: no attention (from output word {place} of"
    assert expected in said(open_with())


def test_four_words_are_no_task_for_anybody_and_twenty_two_are():
    app = open_with(source=GENERATED, length="4", seed="1")
    assert "All four translate this sentence exactly as the reference." in said(app)
    assert "wrong: no attention" in said(open_with(source=GENERATED, length="22", seed="3"))


def test_without_its_matrices_dot_stays_as_it_is_and_the_others_fall():
    shown = metrics(open_with(length="5", broken="true"))
    for score in WITH_ATTENTION:
        before, after = right_of_held_out(score, False).value, right_of_held_out(score, True).value
        assert (shown[f"Right, {score}, whole"], shown[f"Right, {score}, broken"]) == (
            f"{before:.1%}",
            f"{after:.1%}",
        )
        assert (before == after) if score == "dot" else (before > 0.9 > 0.1 > after)


@pytest.mark.parametrize("query", SENTENCES.values(), ids=SENTENCES)
def test_the_break_changes_the_heat_maps_of_the_scores_that_have_matrices_and_says_so(query):
    whole, broken = (open_with(**query, **more) for more in ({}, {"broken": "true"}))
    for score, before, after in zip(MODELS, heat_maps(whole), heat_maps(broken), strict=True):
        loses = score in ("general", "additive")
        assert (before["data"][0]["z"] != after["data"][0]["z"]) == loses
        assert (f"**{score}, broken**" in said(broken)) == loses
    assert "broken**" not in said(whole)


def test_a_typed_sentence_of_the_grammar_is_marked_against_its_right_translation():
    app = open_with(source="typed", text_fr="The old cat eats.")
    right = TASKS[FRENCH].reference("the old cat eats .".split()).target
    runs = {score: run(racer(score), "the old cat eats .".split(), right) for score in MODELS}
    table = table_with(app, "parameters")
    expected = [made.log_probability_of_reference for made in runs.values()]
    assert table["ln p of the reference"].tolist() == pytest.approx(expected)


def test_a_typed_sentence_that_the_grammar_does_not_say_is_marked_against_another_model():
    app = open_with(source="typed", text_fr="The cat the dog.")
    assert table_with(app, "parameters")["ln p of the reference"].isna().all()
    assert any("what differs from the additive" in caption.value for caption in app.caption)
    assert "Surest of its own translation" in said(app)


def test_a_prediction_hides_every_result_until_it_is_made_and_the_closing_stays():
    app = open_with(predict="true")
    assert not figures(app)
    assert not app.dataframe
    assert "no attention (from" not in said(app)
    assert "right word for word" not in said(app)
    assert {"The code that ran", "Take it away", "Sources"} <= {each.label for each in app.tabs}
    assert "no attention" in question(app).options
    guess(app, "no attention")
    assert len(heat_maps(app)) == len(MODELS)
    assert any(text.value.startswith("Right.") for text in app.text)


@pytest.mark.parametrize(
    "query",
    [
        {"source": "typed", "text_fr": ""},
        {"source": "typed", "text_fr": "👍 مرحبا <b>$x$ `a` ~~b~~"},
        {"source": "typed", "text_fr": "cat " * 300, "step": "60"},
        {"length": "3"},
        {"length": "25", "seed": "9999", "gold": "true", "step": "99"},
    ],
    ids=str,
)
def test_every_sentence_has_its_four_heat_maps(query):
    app = open_with(**query)
    assert not app.exception
    assert len(heat_maps(app)) == len(MODELS)


def test_marks_tell_what_is_missing_from_what_is_too_much():
    assert marked(["le", "chat"], ["le", "chat"]) == "le chat"
    assert marked(["le", "chat", "noir"], ["le", "chat"]) == "le chat :orange-background[**noir**]"
    assert mistakes([], ["le"]) == 1


@pytest.mark.parametrize("score", ["dot", "general", "additive"])
def test_multiplications_are_those_of_the_matrix_products(score):
    T, S, H = 3, 4, 5
    products = T * S * H + {"dot": 0, "general": S, "additive": S + T}[score] * H * H
    assert multiplications(score, T, S, H) == products


def test_a_single_model_that_is_right_is_spoken_of_as_one():
    assert "1 of 4 is right word for word" in said(open_lesson("translation_race", broken="true"))


def test_each_output_word_s_scores_are_worked_out():
    app, pair = open_with(length="6", worked="true"), held_out_pairs(FRENCH, 1, 1, (6,))[0]
    runs = {score: run(racer(score), pair.source) for score in MODELS}
    assert len(frames(app)) == max(len(made.translation.words) for made in runs.values())
    for t, step in enumerate(frames(app)):
        *with_attention, (last, _) = step["parts"]
        assert last == "no attention"
        for score, (note, formulas) in zip(WITH_ATTENTION, with_attention, strict=True):
            own = min(t, len(runs[score].translation.words) - 1)
            weights = np.array(runs[score].weights)[own]
            assert (
                f"looks most at input word {weights.argmax() + 1}, “{pair.source[weights.argmax()]}”" in note
            )
            assert note.startswith(f"{score}: output word {own + 1},")
            assert f"= {weights.max():.4g}," in formulas[1]


def test_the_longest_sentence_s_scores_are_sent_within_their_bounds():
    views = [json.dumps(view, ensure_ascii=False) for view in sent_all(open_with(length="25", worked="true"))]
    assert sum(len(view.encode()) for view in views) < 60_000


def test_the_tour_has_each_model_s_share_of_held_out_sentences_from_its_card():
    page = said(open_with(beat="translation_race.7"))
    cards = {label_of(score): load_card(name).quality for score, name in MODELS.items()}
    right = ", ".join(f"{label} {quality['exact_match']:.1%}" for label, quality in cards.items())
    (n,) = {quality["held_out_pairs"] for quality in cards.values()}
    assert f"Of {n:,} sentences that they have not seen they translate right: {right}." in page


def test_which_scores_lie_apart_on_the_held_out_sentences_is_said_from_wilson_s_intervals():
    cards = {label_of(score): load_card(name).quality for score, name in MODELS.items()}
    ends = {label: held_out.wilson(round(each["exact_match"] * 1000), 1000) for label, each in cards.items()}
    page = said(open_with())
    for low, high in ends.values():
        assert f"{low:.1%} to {high:.1%}" in page
    apart = [
        (one, other)
        for one, other in combinations([label for label in ends if label != "no attention"], 2)
        if ends[one][0] > ends[other][1] or ends[other][0] > ends[one][1]
    ]
    assert apart == [("additive", "general")] and "additive and general lie apart." in page
    assert all(ends["no attention"][1] < low for label, (low, _) in ends.items() if label != "no attention")
    assert "That of no attention lies below all the others." in page
    assert "additive and general lie apart." in said(open_with(beat="translation_race.7"))
