"""The beam lesson draws core's tree step by step, and compares with greedy and sampled texts truthfully."""

import pytest

from core.lesson.choices.language_model_choice import OWN, model_labels
from core.models.generation.beam_search import beam_search
from core.models.generation.sampling import Settings, generate
from core.models.language_model import sequence_log_probability
from core.models.stored_language_models import encode, stored_language_model
from tests.lessons.lesson_page import figure, guess, open_lesson, sent, table_with, views

TEXT = "The cat sat. The dog sat. The cat ran. A dog ran to the cat and sat."
CHARACTERS = next(label for label, name in model_labels().items() if name == "char_feedforward")
NAME, PROMPT = model_labels()[CHARACTERS], "The king "
MODEL, IDS = stored_language_model(NAME), encode(NAME, PROMPT).ids
STOP = MODEL.vocabulary.index(".")


def open_with(text=TEXT, **query):
    return open_lesson("beam_search", text, **{"model": CHARACTERS, "typed": PROMPT, "length": 12, **query})


def test_a_step_shows_core_s_candidates_and_which_of_them_are_kept():
    app = open_with(width=3, step=5)
    level = [node for node in beam_search(MODEL, IDS, 3, 12, 1.0, STOP).nodes if node.depth == 5]
    level.sort(key=lambda node: (not node.kept, -node.score))
    table = table_with(app, "kept")
    assert list(table["ln p"]) == pytest.approx([node.total for node in level])
    assert list(table["score"]) == pytest.approx([node.score for node in level])
    assert list(table["kept"]) == [node.kept for node in level]
    rows = sent(app)["choices"]["rows"]
    assert [row["kept"] for row in rows] == [node.kept for node in level][: len(rows)]


def test_the_path_in_the_picture_leads_to_the_best_text_at_the_last_step():
    app = open_with(width=3, step=12, end="its full length")
    found = beam_search(MODEL, IDS, 3, 12)
    shown = [sent(app)["nodes"][i]["p"] for i in sent(app)["path"][1:]]
    assert len(shown) == 12
    total = found.nodes[found.best].total
    assert any(f"ln p = \N{MINUS SIGN}{-total:.2f}" in text.value for text in app.text)


def test_the_comparison_scores_each_text_by_its_own_ln_p():
    app = open_with(width=2, seed=7, end="its full length")
    table = table_with(app, "found by").set_index("found by")
    sampled = [step.token for step in generate(MODEL, IDS, 12, Settings(), 8)]
    ln_p = sequence_log_probability(MODEL, [*IDS, *sampled]).log_probabilities[len(IDS) :]
    assert table.loc["sampled, seed 8", "ln p"] == pytest.approx(ln_p.sum(), abs=1e-4)
    assert table.loc["sampled, seed 8", "ln p / tokens"] == pytest.approx(ln_p.mean(), abs=1e-5)
    assert set(table["tokens"]) == {12}
    assert len([node for node in views(app)[1]["nodes"] if node["end"]]) == len(set(table["text"]))


def test_a_text_that_ends_at_a_full_stop_is_compared_until_there():
    app = open_with(length=60, end="a full stop")
    table = table_with(app, "found by")
    for text, n in zip(table["text"], table["tokens"], strict=True):
        assert len(text) == n
        assert "." not in text[:-1]


def test_without_a_length_penalty_the_best_text_is_no_longer_than_with_it():
    app = open_with(length=40, width=4, unfair="true")
    fair, unfair = (beam_search(MODEL, IDS, 4, 40, a, STOP) for a in (1.0, 0.0))
    lengths = [len(tree.winning_path) for tree in (fair, unfair)]
    assert [metric.value for metric in app.metric] == [str(n) for n in lengths]
    assert lengths[1] <= lengths[0]


def test_the_widths_are_each_searched_and_greedy_s_loss_is_said():
    app = open_with(end="its full length")
    scores = [tree.nodes[tree.best].score for tree in (beam_search(MODEL, IDS, w, 12) for w in range(1, 9))]
    assert figure(app)["data"][0]["y"] == pytest.approx(scores, abs=1e-6)
    assert any(f"**{max(scores) - scores[0]:.3f}**" in each.value for each in app.markdown)


def test_predicting_shows_the_step_before_and_no_candidates_of_this_one():
    app = open_with(width=2, step=4, predict="true")
    assert max(node["x"] for node in sent(app)["nodes"]) == 3
    guess(app)
    assert max(node["x"] for node in sent(app)["nodes"]) == 4
    assert not open_with(width=1, step=1, predict="true").exception


@pytest.mark.parametrize(
    "settings",
    [
        {"width": 1, "length": 2},
        {"penalty": 2.0},
        {"penalty": 0.0},
        {"typed": ""},
        {"end": "the end of a sentence"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(settings):
    assert not open_with(**settings).exception


@pytest.mark.parametrize("text", ["one", "早上好。你好吗？", "مرحبا. كيف الحال؟", "👍🏽 <b>$a$ `c`"])
def test_no_text_breaks_the_page(text):
    for label in OWN:
        assert not open_with(text, model=label, source="from your text").exception
