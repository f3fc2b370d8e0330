"""The story's numbers are recomputed here; the lab says what core measures, of recorded runs and of a learner's own."""

import json
import re

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

from core.lesson import lesson as lesson_module
from core.lesson import training_job
from core.lesson.training_job import Bench
from core.models.stored import load_card, sha256_of_text
from core.models.word_vectors.shoot_out import METHODS, ShootOutSettings, fit_each, load_recorded_run
from core.models.word_vectors.shoot_out_board import (
    Score,
    after_passes,
    analogies_by_kind,
    best_method,
    board_of_text,
    correlation_difference,
    known_pairs,
    level_with_best,
    measure_for,
    measure_loss_of_quality,
    named_by,
    nearest_each,
    rated_pairs,
    recorded_board,
    tuning,
)
from core.models.word_vectors.vector_tests import SimilarityScore, word_similarity
from core.text.samples.shelf import sample
from core.training.shoot_out_tuning import simlex_pairs
from pages.word_vectors.shoot_out.figures import (
    draw_board,
    label_columns,
    methods_table,
    rated_table,
    scores_figure,
    worked_method,
)
from pages.word_vectors.shoot_out.page import look_up
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    views,
)
from tests.lessons.word_vectors.notebook_run import value_of
from tests.lessons.word_vectors.three_texts import SHORT

LESSON = "shoot_out"
YOURS = {"corpus": "text"}
HAMLET = sample("hamlet").read().text


# The story. `oracle` has nothing of the lesson: cosines by numpy, ranks by scipy.


def cosines(method, pairs, part="whole"):
    vectors = next(each.vectors for each in load_recorded_run("mix")[part] if each.method == method)
    rows = {word: i for i, word in enumerate(vectors.words)}
    units = vectors.vectors.astype(float)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    return [float(units[rows[a]] @ units[rows[b]]) for a, b, _ in pairs]


@pytest.fixture(scope="module")
def pairs():
    return known_pairs(load_recorded_run("mix")["whole"][0].vectors)


@pytest.fixture(scope="module")
def rho(pairs):
    people = [rating for *_, rating in pairs]
    return {method: spearmanr(cosines(method, pairs), people).statistic for method in METHODS}


def bars(data, panel=0):
    """Return what a panel's bars say, by method."""
    return {row["name"]: row["text"] for row in data["panels"][panel]["rows"]}


def test_the_first_beat_counts_the_words_near_dog_and_two_are_in_every_list():
    data = picture(LESSON, 1)
    rows = {row["name"]: [word["text"] for word in row["words"]] for row in data["rows"]}
    assert rows == nearest_each(load_recorded_run("mix")["whole"], "dog", 5)
    every = [word for line in rows.values() for word in line]
    assert f"{len(set(every))} different words in {len(every)} places" in said_in(document(LESSON, 1))
    assert {word for word in every if every.count(word) == 5} == {"cat", "horse"}
    told = said_in(document(LESSON, 1)).translate({ord(quote): None for quote in "“”"})
    assert "only cat and horse are in every list" in told
    assert rows["GloVe"][0] == "knight" and "GloVe puts knight first" in told


def test_examples_are_tokens_times_passes_for_windows_and_cells_for_counts():
    tokens = sum(
        each["tokens"] for name, each in load_card(LESSON).corpus.items() if name != "The micro-world"
    )
    shown, words = bars(picture(LESSON, 2)), said_in(document(LESSON, 2))
    assert "read the text 10 times" in words and shown["PPMI-SVD"] == shown["GloVe"]
    assert 0.9 * 10 * tokens < float(shown["CBOW"]) * 1e6 <= 10 * tokens  # words left out are not read
    assert f"{tokens / 1e6:.1f} million" in said_in(document(LESSON, 1))
    assert f"{shown['PPMI-SVD']} million pairs" in words


def test_only_glove_gained_more_than_a_standard_error_from_other_settings():
    changed = load_card(LESSON).config["tuned"]
    for method in METHODS:
        rows = [row for row in tuning() if row.method == method]
        usual = next(row for row in rows if row.usual)
        best = max(rows, key=lambda row: row.spearman)
        error = np.sqrt((1 + usual.spearman**2 / 2) / (usual.pairs - 3))
        assert (best.spearman - usual.spearman > error) == (method in changed) == (method == "GloVe")
        assert changed.get(method, best.settings) == best.settings
    told = re.sub("<.*?>", "", document(LESSON, 2)["measured"])
    found = {method: [row for row in tuning() if row.method == method] for method in METHODS}
    counts = [len(rows) for rows in found.values()]
    assert f"We tried {min(counts)} to {max(counts)} combinations" in told
    best = {method: max(row.spearman for row in rows) for method, rows in found.items()}
    others = [best[method] for method in METHODS if method != "GloVe"]
    assert f"{best['GloVe']:.2f} with the best" in told
    assert f"The other methods reach {min(others):.2f} to {max(others):.2f} there" in told
    assert best["GloVe"] < min(others)


def test_the_pairs_that_chose_the_settings_are_none_of_those_that_are_reported():
    reported = {frozenset(pair[:2]) for pair in rated_pairs()}
    assert len(simlex_pairs()) > 900
    assert not reported & {frozenset(pair[:2]) for pair in simlex_pairs()}


def test_each_rated_pair_is_a_point_at_the_rank_of_its_cosine(pairs, rho):
    points = {}
    for trace in picture(LESSON, 3)["figure"]["data"]:
        points |= dict(zip(trace["customdata"], zip(trace["x"], trace["y"], strict=True), strict=True))
    ranks = rankdata(cosines("CBOW", pairs)) / len(pairs)
    assert len(pairs) == 343 and ("tiger", "tiger") not in {pair[:2] for pair in rated_pairs()}
    for (one, other, rating), rank in list(zip(pairs, ranks, strict=True))[:40]:
        if (one, other) != ("money", "cash"):  # rated twice
            assert points[f"{one}, {other}"] == pytest.approx((rating, rank), abs=0.01)
    assert f"CBOW gets {rho['CBOW']:.2f}" in said_in(document(LESSON, 3))
    corner = picture(LESSON, 3)["figure"]["layout"]["annotations"][0]["text"]
    assert f"CBOW: Spearman's ρ = {rho['CBOW']:.2f}" in corner


def test_after_three_passes_counting_beats_all_others_on_the_same_pairs(pairs, rho):
    people = [rating for *_, rating in pairs]
    few = {each: spearmanr(some.cosines, people).statistic for each, some in after_passes()[3].items()}
    assert set(few) == {"CBOW", "skip-gram", "fastText"}
    for each, some in after_passes()[3].items():
        assert correlation_difference(np.array(cosines("PPMI-SVD", pairs)), some.cosines, people)[0] > 0, each
        assert bars(picture(LESSON, 4, True))[each] == f"{few[each]:.2f}"
    assert (
        correlation_difference(*(np.array(cosines(each, pairs)) for each in ("PPMI-SVD", "GloVe")), people)[0]
        > 0
    )
    before = bars(picture(LESSON, 4))
    assert [each for each, text in before.items() if text != "?"] == ["CBOW"]
    assert document(LESSON, 4, True)["ask"]["answer"] == "PPMI-SVD"
    assert f"{rho['PPMI-SVD']:.2f} and beats all others" in said_in(document(LESSON, 4, True))


def test_after_ten_passes_skip_gram_is_ahead_and_too_close_to_call(pairs, rho):
    people = [rating for *_, rating in pairs]
    ours = {method: np.array(cosines(method, pairs)) for method in METHODS}
    assert max(rho, key=rho.get) == "skip-gram"
    low, high = correlation_difference(ours["skip-gram"], ours["PPMI-SVD"], people)
    assert low <= 0 < high
    assert level_with_best(load_recorded_run("mix")["whole"], recorded_board("mix").scores["whole"]) == [
        "PPMI-SVD"
    ]
    for other in ("CBOW", "fastText", "GloVe"):
        assert correlation_difference(ours["skip-gram"], ours[other], people)[0] > 0, other
    gain = correlation_difference(ours["skip-gram"], after_passes()[3]["skip-gram"].cosines, people)
    assert gain[0] > 0
    assert bars(picture(LESSON, 5), 1) == {each: f"{value:.2f}" for each, value in rho.items()}
    assert f"to {rho['skip-gram']:.2f}, the highest value" in said_in(document(LESSON, 5))


def test_a_difference_of_two_methods_is_that_of_a_plain_bootstrap():
    some = np.random.default_rng(0)
    people = some.normal(size=80)
    one, other = people + some.normal(size=80), people + 2 * some.normal(size=80)
    drawn = np.random.default_rng(1).integers(80, size=(1000, 80))
    gains = [spearmanr(one[i], people[i]).statistic - spearmanr(other[i], people[i]).statistic for i in drawn]
    assert correlation_difference(one, other, people) == pytest.approx(np.quantile(gains, (0.025, 0.975)))


def test_fasttext_wins_the_analogies_by_grammar_and_has_no_lead_on_meaning():
    kinds = analogies_by_kind()
    grammar, meaning = (
        {each: kinds[each][kind][0] / kinds[each][kind][1] for each in METHODS}
        for kind in ("grammar", "meaning")
    )
    assert sorted(grammar, key=grammar.get)[-1] == "fastText" and grammar["fastText"] > 1.5 * grammar["CBOW"]
    assert meaning["skip-gram"] == max(meaning.values()) > meaning["fastText"]
    quality = load_card(LESSON).quality
    for each in METHODS:  # what was stored twice is the same
        assert sum(right for right, _ in kinds[each].values()) == quality[f"whole, {each}: analogies right"]
        assert sum(asked for _, asked in kinds[each].values()) == quality[f"whole, {each}: analogies asked"]
    answer = document(LESSON, 6, True)
    assert f"We ask {kinds['fastText']['grammar'][1]:,} such analogies on grammar" in said_in(
        document(LESSON, 6)
    )
    assert answer["ask"]["answer"] == "fastText"
    assert f"solves {grammar['fastText']:.0%} of the grammar questions" in said_in(answer)
    for panel, shares in enumerate((grammar, meaning)):
        assert bars(picture(LESSON, 6, True), panel) == {each: f"{shares[each]:.0%}" for each in METHODS}
    assert set(bars(picture(LESSON, 6)).values()) == {"?"}


def test_from_a_tenth_fasttext_alone_puts_words_in_ing_near_king():
    near = nearest_each(load_recorded_run("mix")["tenth"], "king", 5)
    ending = {each: sum(word.endswith("ing") for word in line) for each, line in near.items()}
    assert ending.pop("fastText") == 5 and set(ending.values()) == {0}
    assert "5 words in -ing near “king”" in said_in(document(LESSON, 7))
    assert {"father", "henry"} <= set(near["PPMI-SVD"])


def test_on_a_tenth_counting_is_better_than_every_window_after_as_few_passes():
    run = load_recorded_run("mix")["tenth"]
    same = known_pairs(run[0].vectors)
    people = [rating for *_, rating in same]
    ours = {method: np.array(cosines(method, same, "tenth")) for method in METHODS}
    for other in ("CBOW", "skip-gram", "fastText", "GloVe"):
        assert correlation_difference(ours["PPMI-SVD"], ours[other], people)[0] > 0, other
    rho = {method: spearmanr(each, people).statistic for method, each in ours.items()}
    told = re.sub("<.*?>", "", document(LESSON, 7)["measured"])
    assert "The windows had 10 passes here too" in told
    assert f"it gets {rho['PPMI-SVD']:.2f} on the {len(same)} rated pairs" in told
    assert f"skip-gram {rho['skip-gram']:.2f}" in told
    config = load_card(LESSON).config
    assert config["tenth_times"] == {"mix": 1, "world": 4}


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("mother", "All five methods name “wife”, “daughter”, “husband” and “father”."),
        ("KING", "No word is in all five."),
        ("zzyzx", "No method has a vector for “zzyzx”"),
        ("🦜 مرحبا", "No method has a vector for"),
        ("two words", "No method has a vector for “two words”"),
    ],
)
def test_a_word_of_one_s_own_gets_a_sentence(word, words):
    done = document(LESSON, 8, word=word)["done"]
    assert words.replace("“", "").replace("”", "") in re.sub("<[^>]+>|[“”]", "", done)


def test_the_answer_names_who_is_ahead_in_each_test(rho):
    words = said_in(document(LESSON, 9))
    assert f"skip-gram has the highest agreement with people, {rho['skip-gram']:.2f}" in words
    assert "too close to PPMI-SVD to call, and fastText solves the most analogies" in words


# The figures.


def row(method="GloVe", rho=0.5, pairs=50, right=3, asked=4, seconds=1.5):
    return Score(method, SimilarityScore(rho, pairs, 353 - pairs), right, asked, seconds, 7, 9)


def test_a_card_is_the_fuller_the_more_methods_name_its_word():
    near = {"CBOW": ["queen", "crown"], "GloVe": ["queen", "duke"], "fastText": ["queen", "duke"]}
    data = draw_board(near, "near king", ("en",), counted=True)
    drawn = [[(each["text"], each["level"], each["note"]) for each in line["words"]] for line in data["rows"]]
    assert drawn[0] == [("queen", 2, "3/3"), ("crown", 0, "1/3")]
    assert drawn[1] == drawn[2] == [("queen", 2, "3/3"), ("duke", 1, "2/3")]
    assert data["rows"][0]["words"][0]["lit"] == [3, 5] and [each["level"] for each in data["key"]] == [
        2,
        1,
        0,
    ]


def test_the_panels_hold_what_can_be_measured_and_intervals_end_where_they_should():
    rows = [row("CBOW", 0.3), row("GloVe", 0.6)]
    figure = scores_figure(rows)
    assert [title.text for title in figure.layout.annotations] == ["Spearman's ρ", "analogies solved"]
    reach = figure.data[0].error_x
    for place, each in enumerate(rows):
        low, high = each.interval
        assert reach["array"][place] == pytest.approx(high - each.similarity.spearman)
        assert reach["arrayminus"][place] == pytest.approx(each.similarity.spearman - low)
    few = scores_figure([row(pairs=4)])
    assert [title.text for title in few.layout.annotations] == ["analogies solved", "seconds"]
    none = scores_figure([row(pairs=4, asked=0)])
    assert [title.text for title in none.layout.annotations] == ["seconds"]
    assert list(none.data[0].x) == [1.5]


def test_what_was_before_stands_beside_in_grey():
    figure = scores_figure([row(rho=0.2)], [row(rho=0.6)])
    assert [trace.x for trace in figure.data] == [[0.6], [0.75], [0.2], [0.75]]
    assert figure.data[0].marker.color != figure.data[2].marker.color


def test_formulas_end_in_the_numbers_of_the_table():
    rows = [row(), row(pairs=3, asked=0)]
    table = methods_table(rows)
    assert worked_method(rows[0], "low").endswith(f"= {table['low'][0]:.4g}")
    assert worked_method(rows[0], "high").endswith(f"= {table['high'][0]:.4g}")
    assert worked_method(rows[0], "analogies").endswith("= 0.75")
    assert np.isnan(table["spearman"][1]) and np.isnan(table["analogies"][1])
    assert worked_method(rows[1], "low") is worked_method(rows[1], "analogies") is None
    named, ids = label_columns(table)
    assert ids["95% from"] == "low" and list(named.columns) == list(ids)


def test_spearman_can_be_computed_again_from_the_two_columns_of_ranks():
    vectors = recorded_board("mix").run["whole"][2].vectors
    table, formula = rated_table(vectors, rated_pairs())
    again = np.corrcoef(table["rank of the rating"], table["rank of the cosine"])[0, 1]
    assert again == pytest.approx(word_similarity(vectors, rated_pairs()).spearman)
    assert again == pytest.approx(spearmanr(table["people's rating"], table["cosine"]).statistic)
    assert formula(3, "word") is None and formula(3, "cosine").endswith(f"= {table['cosine'][3]:.4g}")


# The lab.


def after_training(monkeypatch, text, settings):
    """Let the learner have trained on a text."""
    run = fit_each(lambda now: None, text, settings)
    bench = Bench(result=run, settings=(sha256_of_text(text), "a text", settings), number=len(text))
    for module in (training_job, lesson_module):
        monkeypatch.setattr(module, "bench_of", lambda lesson: bench)
    return board_of_text(run)


def lines(app):
    """Return the words of each method's line on the board."""
    data = sent(app, "attend_word_board")
    return {row["name"]: [each["text"] for each in row["words"]] for row in data["rows"]}


@pytest.mark.parametrize("tenth", ["false", "true"])
@pytest.mark.parametrize("corpus", ["mix", "world"])
def test_the_recorded_board_is_what_core_measures(corpus, tenth):
    app = open_lesson(LESSON, tenth=tenth, two_maps="true", **(YOURS if corpus == "world" else {}))
    board, part = recorded_board(corpus), "tenth" if tenth == "true" else "whole"
    near = nearest_each(board.run[part], "king", 6)
    assert lines(app) == near
    counts = named_by(near)
    every = sum(count == 5 for count in counts.values())
    assert f"The methods name **{len(counts)}** different words near “king”." in said(app)
    assert f"All 5 methods name {every or 'none'} of them." in said(app)
    scores = board.scores[part]
    measure = measure_for(scores)
    first = best_method(scores, measure)
    if measure == "similarity":
        vectors = next(each.vectors for each in board.run[part] if each.method == first.method)
        found = word_similarity(vectors, rated_pairs()).spearman
        assert f"{first.method} agrees best with people: Spearman's ρ is **{found:.2f}**" in said(app)
    else:
        assert first.method in said(app)
    shown = {trace["name"] for trace in figures(app)[0]["data"] if "name" in trace}
    assert not shown  # the rows name themselves
    assert len([view for view in views(app) if "places" in view]) == 2


@pytest.mark.parametrize("old", [{"corpus": "six million words"}, {"corpus": "your text"}])
def test_an_address_with_an_old_label_still_opens(old):
    app = open_lesson(LESSON, **old)
    assert not app.exception
    assert ("recorded beforehand" in said(app) or "beforehand" in said(app)) == (old["corpus"] == "your text")


@pytest.mark.parametrize("corpus", ["mix", "world"])
def test_a_tenth_sets_the_mean_beside_that_on_the_whole(corpus):
    app = open_lesson(LESSON, tenth="true", **(YOURS if corpus == "world" else {}))
    board = recorded_board(corpus)
    loss = measure_loss_of_quality(board.before, board.scores["tenth"])
    found = list(metrics(app).values())
    form = ".2f" if loss.measure == "similarity" else ".0%"
    assert found == [f"{loss.before:{form}}", f"{loss.after:{form}}"]
    assert f"{loss.most} loses most, **" in said(app)


def test_a_tenth_costs_every_mean_something_on_both_recorded_corpora():
    for corpus in ("mix", "world"):
        loss = measure_loss_of_quality(recorded_board(corpus).before, recorded_board(corpus).scores["tenth"])
        assert loss.after < loss.before


def test_a_tenth_is_set_beside_the_whole_on_the_same_rated_pairs():
    board = recorded_board("mix")
    same = known_pairs(board.run["tenth"][0].vectors)
    lost = {}
    for whole, less in zip(board.run["whole"], board.run["tenth"], strict=True):
        found = [
            spearmanr([each.vectors.similarity(a, b) for a, b, _ in same], [r for *_, r in same]).statistic
            for each in (whole, less)
        ]
        lost[whole.method] = found[0] - found[1]
    shown = said(open_lesson(LESSON, tenth="true"))
    most, least = max(lost, key=lost.get), min(lost, key=lost.get)
    assert f"{most} loses most, **{lost[most]:.2f}**. {least} loses {lost[least]:.2f}." in shown
    assert f"on the {len(same)} rated pairs that the tenth knows" in shown


def test_on_the_micro_world_glove_alone_fails_the_analogies_as_the_prompt_says():
    solved = {each.method: each.solved for each in recorded_board("world").scores["whole"]}
    assert solved.pop("GloVe") < 0.3 and min(solved.values()) > 0.6


def test_another_word_has_other_neighbours_and_a_click_looks_it_up():
    near = nearest_each(recorded_board("mix").run["whole"], "france", 6)
    assert lines(open_lesson(LESSON, word="france")) == near
    app = open_lesson(LESSON)
    kept = app.session_state["shoot_out_near"]
    assert kept == [word for line in lines(app).values() for word in line] and callable(look_up)


@pytest.mark.parametrize("word", ["zzyzx", "🦜", "<b>", "$x$", "two words", "早上", "x" * 60])
def test_a_word_without_a_vector_gets_a_sentence(word):
    app = open_lesson(LESSON, word=word)
    assert not app.exception
    assert "No method has a vector for" in said(app) and "Until then you see “king”." in said(app)


def test_a_text_that_was_not_trained_says_so_and_offers_to():
    app = open_lesson(LESSON, HAMLET, **YOURS)
    assert not app.exception
    assert "We have no vectors of this text yet. Press Train." in said(app)
    assert "train" in " ".join(button.key for button in app.button if button.key)


@pytest.mark.parametrize("tenth", ["false", "true"])
@pytest.mark.parametrize("text", ["play", "short"])
def test_what_was_trained_here_is_on_the_board(monkeypatch, text, tenth):
    text = HAMLET if text == "play" else SHORT
    board = after_training(monkeypatch, text, ShootOutSettings(dimension=8, window=2, min_count=2, epochs=1))
    app = open_lesson(LESSON, text, tenth=tenth, **YOURS)
    assert not app.exception
    part = board.part(tenth == "true")
    assert list(lines(app)) == list(METHODS)
    vectors = board.run[part][0].vectors
    word = "king" if "king" in vectors else re.search("Until then you see “(.*?)”", said(app))[1]
    assert lines(app) == nearest_each(board.run[part], word, 6)
    assert "Trained here on a text: 8 dimensions, window 2, seed 1, 1 pass of each window" in said(app)
    first = best_method(board.scores[part], measure_for(board.scores[part]))
    assert any(
        f"{first.method} {does}" in said(app) for does in ("agrees best", "solves the most", "is the fastest")
    )
    if text == SHORT:
        assert ("so you see the whole text" in said(app)) == (tenth == "true" and part == "whole")


def test_a_training_that_was_stopped_says_how_far_it_came(monkeypatch):
    settings = ShootOutSettings(dimension=4, epochs=1)
    run = fit_each(lambda now: now.method != "CBOW", SHORT, settings)
    bench = Bench(result=run, settings=(sha256_of_text(SHORT), "a text", settings), number=2)
    for module in (training_job, lesson_module):
        monkeypatch.setattr(module, "bench_of", lambda lesson: bench)
    for tenth in ("false", "true"):
        app = open_lesson(LESSON, SHORT, tenth=tenth, **YOURS)
        assert not app.exception
        assert "You stopped it: 1 of 5 methods finished." in said(app)


def test_before_the_guess_the_scores_are_nowhere():
    app = open_lesson(LESSON, predict="true")
    assert [each.replace("\\", "") for each in question(app).options] == sorted(METHODS)
    first = best_method(recorded_board("mix").scores["whole"], "similarity")
    hidden = f"{first.similarity.spearman:.3f}"
    everything = said(app) + json.dumps(figures(app)) + json.dumps(views(app))
    assert hidden not in everything and "agrees best with people: Spearman" not in everything
    assert "agrees best with people: Spearman" in said(guess(app))


@pytest.mark.parametrize("text", ["", "word", "🦜 🎉", "<b>x</b> $a$ `c`"])
def test_no_text_breaks_the_page(text):
    assert not open_lesson(LESSON, text, **YOURS).exception


def test_the_notebook_makes_the_page_s_board(notebook_cells):
    open_lesson(LESSON)
    room = {}
    value_of([*notebook_cells[1:], "board"], room)
    assert room["board"].scores["whole"] == recorded_board("mix").scores["whole"]


def test_the_notebook_of_an_own_text_trains_with_the_page_s_settings(notebook_cells):
    open_lesson(LESSON, SHORT, dimension="6", **YOURS)
    cells = "\n".join(notebook_cells)
    assert re.search(r"^dimension\D*6\b", cells, re.M) and "own = True" in cells
