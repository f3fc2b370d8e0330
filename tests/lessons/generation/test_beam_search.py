"""The beam lesson draws core's tree step by step, and compares with greedy and sampled texts truthfully."""

import json
from itertools import pairwise

import pytest

from core.figures.generation.sampling import shown
from core.figures.worked import signed
from core.lesson.choices.language_model_choice import OWN, model_labels, without_last_word
from core.models.generation.beam_search import beam_search
from core.models.generation.sampling import Settings, generate
from core.models.language_model import sequence_log_probability
from core.models.stored_language_models import encode, stored_language_model
from core.text.samples.shelf import plays, shelf
from core.text.tokenization.tokens import sentences
from pages.generation.beam_search import ASKED
from tests.lessons.lesson_page import (
    figure,
    guess,
    open_lesson,
    prompts,
    question,
    said,
    sent,
    table_with,
    views,
)
from tests.lessons.n_grams.three_texts import THREE

TEXT = "The cat sat. The dog sat. The cat ran. A dog ran to the cat and sat."
CHARACTERS = next(label for label, name in model_labels().items() if name == "char_feedforward")
NAME, PROMPT = model_labels()[CHARACTERS], "The king "
MODEL, IDS = stored_language_model(NAME), encode(NAME, PROMPT).ids
STOP = MODEL.vocabulary.index(".")


def open_with(text=TEXT, **query):
    return open_lesson("beam_search", text, **{"model": CHARACTERS, "typed": PROMPT, "length": 12, **query})


def test_a_step_shows_core_s_candidates_and_which_of_them_are_kept():
    app = open_with(width=3)
    level = [node for node in beam_search(MODEL, IDS, 3, 12, 1.0, STOP).nodes if node.depth == 5]
    level.sort(key=lambda node: (not node.kept, -node.score))
    every = table_with(app, "kept")
    table = every[every["step"] == 5]
    assert list(table["ln p"]) == pytest.approx([node.total for node in level])
    assert list(table["score"]) == pytest.approx([node.score for node in level])
    assert list(table["kept"]) == [node.kept for node in level]
    step = sent(app)["beam"]["steps"][4]
    rows = step["level"]
    assert [row[3] for row in rows] == [signed(node.total) for node in level][: len(rows)]
    assert [row[5] > 0 for row in rows] == [node.kept for node in level][: len(rows)]
    assert (step["candidates"], step["kept"]) == (len(level), sum(node.kept for node in level))


def test_the_path_in_the_picture_leads_to_the_best_text_at_the_last_step():
    app = open_with(width=3, end="its full length")
    found = beam_search(MODEL, IDS, 3, 12)
    steps = sent(app)["beam"]["steps"]
    depth, row = steps[-1]["best"]
    assert depth == len(steps) == 12
    path = []
    for step in reversed(steps):
        parent, token, *_ = step["level"][row]
        path.insert(0, token)
        row = parent
    assert path == [shown(MODEL.vocabulary[token]) for token in found.winning_path]
    total = found.nodes[found.best].total
    assert any(f"ln p = \N{MINUS SIGN}{-total:.3f}" in text.value for text in app.text)


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


TEXTS = {"the default": None, "a play": plays()[7].text(), "a short text": TEXT}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_without_a_length_penalty_no_text_is_longer_and_the_page_says_what_became_of_it(text):
    pages = [
        open_with(text, source="from your text", length=40, unfair=broken) for broken in ("false", "true")
    ]
    ids = encode(NAME, without_last_word(sentences(text or next(iter(shelf())).read().text)[0])).ids
    fair, unfair = (len(beam_search(MODEL, ids, 4, 40, a, STOP).winning_path) for a in (1.0, 0.0))
    assert [metric.value for metric in pages[1].metric] == [str(fair), str(unfair)]
    assert unfair <= fair
    assert (
        "the same length wins either way" if unfair == fair else f"{fair - unfair} tokens shorter"
    ) in said(pages[1])
    assert sent(pages[0])["beam"] != sent(pages[1])["beam"], "the scores in the picture"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"end": "its full length"}, "All texts have the same length here"),
        ({"penalty": 0}, "Your length penalty is 0 already"),
    ],
)
def test_where_no_penalty_can_change_nothing_the_page_says_so(settings, sentence):
    assert sentence in said(open_with(unfair="true", **settings))


@pytest.mark.parametrize(("width", "length"), [(1, 12), (4, 12), (4, 40)])
def test_the_sentence_below_the_picture_compares_with_greedy_search(width, length):
    best, greedy = (beam_search(MODEL, IDS, w, length, 1.0, STOP) for w in (width, 1))
    scores = [tree.nodes[tree.best].score for tree in (best, greedy)]
    text = said(open_with(width=width, length=length))
    assert f"score {signed(scores[0], 3)}, greedy's {signed(scores[1], 3)}" in text
    assert ("the very text that greedy" in text) == (best.winning_path == greedy.winning_path)
    assert (", and a better one:" in text) == (scores[0] > scores[1])


def test_the_widths_are_each_searched_and_greedy_s_loss_is_said():
    app = open_with(end="its full length")
    scores = [tree.nodes[tree.best].score for tree in (beam_search(MODEL, IDS, w, 12) for w in range(1, 9))]
    assert figure(app)["data"][0]["y"] == pytest.approx(scores, abs=1e-6)
    assert f"**{max(scores) - scores[0]:.3f}**" in said(app)
    rose, fell = (sum(sign * (b - a) > 1e-5 for a, b in pairwise(scores)) for sign in (1, -1))
    times = ["once" if n == 1 else f"{n} times" for n in (rose, fell, 7 - rose - fell)]
    assert "rose {}, fell {} and stayed {}".format(*times) in said(app)
    missed = max(scores) - scores[0]
    greedy = (
        "already has the best" if missed < 5e-4 else f"misses the best of these scores by **{missed:.3f}**"
    )
    assert f"width 1, {greedy}" in said(app)


def steps_sent(app):
    return next((view["beam"]["steps"] for view in views(app) if "beam" in view), [])


def test_predicting_sends_no_step_before_its_best_candidate_was_guessed():
    app = open_with(width=2, predict="true")
    for guessed in range(ASKED):
        steps = steps_sent(app)
        assert len(steps) == guessed
        assert all(row[5] <= guessed for step in steps for row in step["level"]), "nothing of later steps"
        assert not app.dataframe, "neither the candidates nor the texts that were found"
        assert not any("ln p =" in each.value for each in app.text)
        assert prompts(app)
        assert f"Which candidate of step {guessed + 1} " in question(app).label
        guess(app)
    deepest = max(node.depth for node in beam_search(MODEL, IDS, 2, 12, 1.0, STOP).nodes)
    assert len(steps_sent(app)) == deepest > ASKED
    assert any("ln p =" in each.value for each in app.text)
    assert not open_with(width=1, length=2, predict="true").exception


def test_what_is_sent_of_the_longest_and_widest_search_is_within_its_bounds():
    app = open_with(
        width=8, length=60, end="its full length", typed="O, that this too too solid flesh would melt"
    )
    assert len(json.dumps(sent(app), ensure_ascii=False).encode()) < 60_000


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


def test_a_beam_of_one_has_one_candidate():
    step = sent(open_lesson("beam_search", width=1, length=4))["beam"]["steps"][0]
    assert (step["candidates"], step["kept"]) == (1, 1)


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
@pytest.mark.parametrize("unfair", ["false", "true"])
def test_the_sum_and_the_number_of_tokens_give_the_mean_beside_them(text, unfair):
    app = open_lesson("beam_search", text, unfair=unfair)
    line = next(each.value for each in app.text if each.value.startswith("ln p =")).replace(
        "\N{MINUS SIGN}", "-"
    )
    total, tokens, mean = (part.split(" ") for part in line.removeprefix("ln p = ").split(", "))
    assert float(total[0]) / int(tokens[0]) == pytest.approx(float(mean[0]), abs=6e-4)
    assert tokens[1] == ("token" if tokens[0] == "1" else "tokens")


def test_the_tour_says_of_greedy_search_what_the_page_says():
    app = open_with(wide="true", beat="beam_search.5")
    said_of_greedy = said(app).split("Greedy search, width 1, ")[1].split(". From one")[0].replace("*", "")
    assert f"Greedy search {said_of_greedy}. From one width to the next" in said(app)
