"""The steps from averages to attention: numbers on the page are those of core, and the last are the network's own."""

import re

import pytest

from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.growing_attention import grow
from tests.lessons.lesson_page import open_lesson, table_with


def test_a_pair_s_scores_and_weights_are_core_s_in_every_step():
    app = open_lesson("growing_attention", typed="the king saw the queen", a=2, b=5, layer=2, head=3)
    table = table_with(app, "weight a to b")
    model = attentive_model("word_masked")
    steps = grow(model.network, model.read("the king saw the queen").ids, layer=1, head=2).steps
    assert table["weight a to b"].tolist() == pytest.approx(
        [s.trace.weights[1, 4].item() for s in steps], abs=1e-4
    )
    assert table["score a to b"][:3].tolist() == pytest.approx(table["score b to a"][:3].tolist())


FUNCTIONS = [
    "average_of_all",
    "dot_product_attention",
    "symmetric_attention",
    "query_key_value_attention",
    "scaled_dot_product_attention",
    "multi_head",
    "multi_head_attention",
]


@pytest.mark.parametrize(("step", "function"), list(enumerate(FUNCTIONS, start=1)))
def test_every_step_shows_a_picture_and_the_function_that_computed_it(step, function):
    app = open_lesson("growing_attention", step=step)
    assert not app.exception
    assert app.get("plotly_chart")
    shown = next(code.value for code in app.code if code.value.startswith("def "))
    assert shown.startswith(f"def {function}(")


@pytest.mark.parametrize("text", ["", "a", "\N{GRINNING FACE}", "word " * 300])
@pytest.mark.parametrize("name", ["growing_attention", "word_order"])
def test_any_text_is_read_or_asked_for(name, text):
    app = open_lesson(name, typed=text)
    assert not app.exception


def test_one_matrix_for_queries_and_keys_costs_the_trained_model_bits():
    app = open_lesson("growing_attention", one_matrix=True)
    whole, broken = (float(metric.value) for metric in app.metric[:2])
    assert broken > whole


def test_without_positions_the_masked_model_does_not_notice_a_shuffle_and_a_gpt_does():
    unmoved, moved = (
        next(
            m.value
            for m in open_lesson("word_order", model=model, no_positions=True).markdown
            if "outputs are" in m.value
        )
        for model in ("masked model, byte pairs", "GPT, byte pairs")
    )
    all_of_them = re.compile(r"##### (\d+) of \1 outputs")
    assert all_of_them.match(unmoved)
    assert not all_of_them.match(moved)


def test_positions_past_the_end_cost_bits_and_a_short_text_is_said_to_be_too_short():
    app = open_lesson("positions")
    said = [
        markdown.value for markdown in app.markdown if "bits per character on the first" in markdown.value
    ]
    assert len(said) == 3
    for sentence in said:
        inside, outside = (
            float(part.split()[0]) for part in (sentence.split(": ")[1], sentence.split("places, ")[1])
        )
        assert outside > inside


@pytest.mark.parametrize(
    ("name", "key", "ends"), [("attention_scaling", "keys", (2, 64)), ("positions", "t", (0, 511))]
)
def test_the_ends_of_every_control_work(name, key, ends):
    for end in ends:
        assert not open_lesson(name, **{key: end}).exception


def test_the_spread_on_the_page_is_the_root_of_d():
    app = open_lesson("attention_scaling", d=256)
    spread = float(next(metric.value for metric in app.metric if metric.label == "Spread of q · k"))
    assert spread == pytest.approx(16, rel=0.05)
