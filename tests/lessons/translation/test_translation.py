"""The translation lesson shows what core computes, names what the model cannot read, and loses nothing typed."""

import base64
import json
from datetime import date

import numpy as np
import pytest

from core.lesson.choices.translator_choice import (
    DATES,
    DUTCH,
    FRENCH,
    TASKS,
    Sentence,
    held_out_pairs,
    translator_of,
)
from core.models.stored import load_card
from core.models.translation.broken_attention import with_late_attention, with_uniform_attention
from core.models.translation.seq2seq import Seq2Seq, Seq2SeqConfig
from core.models.translation.translate import greedy
from core.models.translation.what_if import WhatIf
from core.text.grammar.pairs import is_held_out, sentence_of
from core.text.samples.dates import written
from pages.translation.shared.attention_picture import gold_of, translated
from pages.translation.translation import MEASURED, exact_match, translation_cells
from pages.translation.translation_what_if import what_if_cells
from tests.lessons.lesson_page import frames, guess, metrics, mounted, open_lesson, said, sent, table_with

ADDITIVE = "translate_french_additive"
WORDS = "the old man sold two books .".split()


def open_with(**query):
    return open_lesson("translation", **query)


def drawn(app):
    """Return what was sent to the view: its words, and its weights as a matrix."""
    data = sent(app)
    weights = np.frombuffer(base64.b64decode(data["heads"][0]["weights"]), "<f4")
    return data, weights.reshape(len(data["outputs"]), len(data["inputs"]))


def table(app):
    return table_with(app, "score e")


@pytest.mark.parametrize("score", ["additive", "dot", "general"])
def test_the_picture_and_the_table_are_core_s_scores_and_weights(score):
    app = open_with(text_fr=" ".join(WORDS), score=score)
    translator = translator_of(TASKS[FRENCH].models[score])
    steps = greedy(translator.model, translator.source.encode(WORDS)).steps
    data, weights = drawn(app)
    assert data["inputs"] == WORDS
    np.testing.assert_allclose(weights, steps.weights[0], atol=1e-6)
    np.testing.assert_allclose(table(app)["weight a"], steps.weights[0].flatten(), atol=1e-6)
    np.testing.assert_allclose(table(app)["score e"], steps.scores[0].flatten(), atol=1e-4)


def test_a_step_fills_in_the_score_the_weight_and_the_probability():
    app = open_with(text_fr=" ".join(WORDS), input="2 old", dimension="5")
    translator = translator_of(ADDITIVE)
    made = greedy(translator.model, translator.source.encode(WORDS))
    step = frames(app)[2]
    score, weight, context, attentional, output = step["formulas"]
    np.testing.assert_allclose(step["picture"]["scores"], made.steps.scores[0, 2], atol=1e-5)
    np.testing.assert_allclose(step["picture"]["weights"], made.steps.weights[0, 2], atol=1e-6)
    assert step["picture"]["chosen"] == 1
    assert score.endswith(f"{float(made.steps.scores[0, 2, 1]):.4g}")
    assert f"{float(made.steps.weights[0, 2, 1]):.4g}".split("e")[0] in weight
    assert context.endswith(f"{float(made.steps.context[0, 2, 4]):.4g}")
    assert attentional.endswith(f"{float(made.steps.attentional[0, 2, 4]):.4g}")
    assert f"{float(made.steps.probabilities[0, 2, made.words[2]]):.4g}" in output


def test_a_word_never_seen_is_named_and_a_near_one_takes_its_place():
    app = open_with(text_fr="The old mann sold two boks.")
    assert "“mann”" in said(app)
    assert drawn(app)[0]["inputs"] == ["the", "old", "mann", "sold", "two", "boks", "."]
    near = next(button for button in app.button if button.label.endswith("→ man"))
    near.click().run()
    assert app.text_input[0].value == "The old man sold two boks."
    assert "“mann”" not in said(app)


def test_a_sentence_without_a_mark_is_given_one():
    assert drawn(open_with(text_fr="the old man sleeps"))[0]["inputs"][-1] == "."


def test_a_generated_sentence_was_held_out_and_brings_its_gold_alignment():
    translator = translator_of(ADDITIVE)
    pairs = {seed: held_out_pairs(FRENCH, seed, 1, (9,))[0] for seed in range(20)}
    right = {s: translated(translator, p.source).outputs[:-1] == list(p.target) for s, p in pairs.items()}
    seed = next(seed for seed in pairs if right[seed])
    app = open_with(source="generated", length="9", seed=str(seed))
    assert is_held_out(pairs[seed].source)
    data, _ = drawn(app)
    assert data["inputs"] == list(pairs[seed].source)
    assert {tuple(link) for link in data["gold"]} == pairs[seed].links
    assert "✓ Right" in said(app)


def test_gold_is_not_drawn_beside_another_translation_than_the_one_it_links():
    made = translated(translator_of(ADDITIVE), WORDS)
    pair = held_out_pairs(FRENCH, 4, 1, (7,))[0]
    assert not gold_of(TASKS[FRENCH], Sentence(tuple(WORDS), pair), made)
    assert not gold_of(TASKS[FRENCH], Sentence(tuple(WORDS)), made)


def test_a_typed_sentence_of_the_grammar_brings_its_gold_alignment():
    pairs = {seed: held_out_pairs(FRENCH, seed, 1, (9,))[0] for seed in range(20)}
    made = {seed: translated(translator_of(ADDITIVE), pair.source) for seed, pair in pairs.items()}
    seed = next(seed for seed, pair in pairs.items() if made[seed].outputs[:-1] == list(pair.target))
    app = open_with(text_fr=sentence_of(pairs[seed].source))
    assert {tuple(link) for link in drawn(app)[0]["gold"]} == pairs[seed].links
    assert "not known here" not in said(app)


def test_a_typed_sentence_that_the_grammar_does_not_say_has_no_gold_and_that_is_said():
    app = open_with(text_fr="The cat the dog.")
    assert not drawn(app)[0]["gold"]
    assert "its right translation is not known here" in said(app)


def test_a_date_typed_as_a_calendar_writes_it_has_its_gold_alignment():
    data, _ = drawn(open_with(task=DATES, text_date="4 mars 1987"))
    assert {tuple(link) for link in data["gold"]} == written(date(1987, 3, 4), "fr", 0).links
    assert not drawn(open_with(task=DATES, text_date="4 mars 1987 !"))[0]["gold"]


def test_the_notebook_s_cells_run(capsys):
    for cells in (
        translation_cells(ADDITIVE, WORDS),
        what_if_cells(ADDITIVE, WORDS, WhatIf(tuple(WORDS), ("elle",), {3: 2})),
    ):
        exec("\n".join(cells), {})
    assert "'elle'" in capsys.readouterr().out


@pytest.mark.parametrize(("task", "text"), [(DUTCH, "I know that the cat sleeps ."), (DATES, "4 mars 1987")])
def test_other_tasks_are_translated_too(task, text):
    key = "text_nl" if task == DUTCH else "text_date"
    app = open_with(task=task, **{key: text})
    made = translated(translator_of(TASKS[task].models["additive"]), TASKS[task].read(text))
    assert drawn(app)[0]["outputs"] == made.outputs
    assert ("1987-03-04" in said(app)) == (task == DATES)


@pytest.mark.parametrize("switch", ["uniform", "late"])
def test_breaking_attention_costs_measured_exact_matches(switch):
    app = open_with(**{switch: "true"})
    broken = {"uniform": with_uniform_attention, "late": with_late_attention}[switch]
    whole, now = (m.value for m in app.metric if m.label.startswith("Exact match,"))
    assert whole == f"{exact_match(FRENCH, ADDITIVE):.1%}"
    assert now == f"{exact_match(FRENCH, ADDITIVE, broken):.1%}"
    assert float(now[:-1]) < float(whole[:-1]) / 2
    assert str(MEASURED) in said(app)


def test_uniform_attention_weighs_every_input_alike():
    _, weights = drawn(open_with(text_fr=" ".join(WORDS), uniform="true"))
    np.testing.assert_allclose(weights, 1 / len(WORDS), atol=1e-6)


def test_breaking_a_model_leaves_the_one_that_all_sessions_share_as_it_is():
    model = Seq2Seq(Seq2SeqConfig(9, 9, 4, 4))
    score = model.score
    with_uniform_attention(model)
    with_late_attention(model)
    assert model.score is score


def test_the_quality_is_the_card_s():
    card = load_card(ADDITIVE).quality
    shown = metrics(open_with())
    assert shown == {
        "Exact match": f"{card['exact_match']:.1%}",
        "Alignment error": f"{card['alignment_error']:.1%}",
    }


def test_a_prediction_hides_the_row_and_all_that_follows():
    app = open_with(text_fr=" ".join(WORDS), predict="true")
    assert not frames(app)
    assert not any(proto.component_name.endswith("attend_attention") for proto in mounted(app))
    assert not any("score e" in each.value for each in app.dataframe)
    for steps in (1, 2):
        app = guess(app)
        assert len(drawn(app)[0]["outputs"]) == len(frames(app)) == steps
        assert "pairs cross" not in frames(app)[-1]["said"]


def test_all_steps_together_are_small():
    assert len(json.dumps(sent(open_with(), "steps"))) < 60_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "👍🏽",
        "مرحبا بالعالم",
        "<img src=x onerror=alert(1)> $x$ `y` [z](w)",
        "cat " * 400,
        "I",
        "?",
    ],
    ids=lambda text: ascii(text[:12]),
)
@pytest.mark.parametrize("task", [FRENCH, DATES])
def test_no_text_breaks_the_page_and_none_is_lost(task, text):
    app = open_with(task=task, **{"text_fr" if task == FRENCH else "text_date": text})
    assert not app.exception
    assert app.text_input[0].value == text
    if not text.strip():
        assert "Until then you see" in said(app)
    if len(text) > 400:
        assert "reads the first 60" in said(app)


@pytest.mark.parametrize(
    "settings",
    [
        {"source": "generated", "length": "3"},
        {"source": "generated", "length": "25", "seed": "9999", "step": "1"},
        {"source": "generated", "task": DATES, "seed": "0"},
        {"source": "generated", "task": DUTCH, "length": "25", "predict": "true"},
        {"dimension": "128", "step": "99"},
        {"input": "99 nothing"},
        {"uniform": "true", "late": "true"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(settings):
    assert not open_with(**settings).exception


def test_where_all_weights_are_alike_no_input_is_singled_out():
    page = frames(open_lesson("translation", uniform="true"))[0]["said"]
    assert "puts the same weight, 8%, on every input" in page
    assert "Of the heaviest lines" not in page


def test_of_a_date_characters_are_spoken_of_and_not_words():
    page = said(open_lesson("translation", task="dates → ISO"))
    assert "right to the last character" in page
    assert "right to the last word" not in page


@pytest.mark.parametrize(
    ("text", "share"),
    [(TASKS[FRENCH].example, "more than 99%"), ("The old man sold two books.", "99%")],
)
def test_the_tour_rounds_no_weight_and_no_probability_to_all(text, share):
    rows = table(open_with(text_fr=text))
    top = float(rows[rows["step"] == 1]["weight a"].max())
    assert (top >= 0.995) == share.startswith("more"), "a share that would be rounded to 100%"
    assert f"it put {share} of its weight on" in said(open_with(text_fr=text, beat="translation.1"))
    assert f"gets {top:.2%} at step 1" in said(open_with(text_fr=text, beat="translation.3"))
    assert " gets 1." not in said(open_with(text_fr=text, beat="translation.4"))
