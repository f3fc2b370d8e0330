"""The board of all models: what it draws and says is what core counts and trains, on a sample and on an own text."""

from functools import cache

import numpy as np
import pytest

from core.lesson import lesson as lesson_module
from core.lesson import training_job
from core.lesson.training_job import Bench
from core.models.generation.character_split import hold_out, vocabulary_of
from core.models.generation.one_text import (
    NETWORKS,
    READ_AT_MOST,
    SEED,
    STEPS,
    BoardProgress,
    board_text,
    count_each,
    fit_networks,
    ngram_bits,
    recorded_boards,
    recorded_seeds,
)
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_counts import count_ngrams
from core.models.stored import sha256_of_text
from core.models.stored_language_models import CountedLanguageModel
from core.text.samples.shelf import sample
from pages.generation.one_text.page import LINE, board_on, read_sample
from tests.lessons.lesson_page import (
    document,
    figure,
    figures,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said_in,
    table_with,
)
from tests.lessons.lesson_page import (
    said as said_with_marks,
)


def said(app):
    """Return what a page says, without the marks of bold type."""
    return said_with_marks(app).replace("**", "")


SHORT = "the cat sat on the mat and the dog sat on the log\n" * 8 + "a bird sang to the dog and to the cat.\n"
TEXTS = {
    "micro-world": sample("micro-world").read().text,
    "Hamlet": sample("hamlet").read().text,
    "own": SHORT,
}
EVERY_TEXT = pytest.mark.parametrize("text", TEXTS)


@cache
def scores_of(text):
    read = TEXTS[text][:READ_AT_MOST]
    run = recorded_boards().get(sha256_of_text(read))
    return count_each(read) + (run.networks if run else ())


@cache
def opened(text, seen="false"):
    app = open_lesson("one_text", None if text == "Hamlet" else TEXTS[text], seen=seen)
    assert not app.exception
    return app


@cache
def opened_at(text, section):
    return open_lesson("one_text", None if text == "Hamlet" else TEXTS[text], **{section: "true"})


def best(scores, measure="held_out_bits"):
    return min(scores, key=lambda each: getattr(each, measure))


@pytest.fixture
def bench(monkeypatch):
    """What a learner has who trained on the short text for two steps."""
    trained = Bench(
        result=fit_networks(lambda _: True, SHORT, 2, 7),
        settings=(sha256_of_text(SHORT), "mine", 2, 7),
        number=1,
    )
    for module in (training_job, lesson_module):
        monkeypatch.setattr(module, "bench_of", lambda _name: trained)
    return trained


@EVERY_TEXT
def test_the_board_has_every_model_s_bits_in_the_course_s_order(text):
    bars = figure(opened(text))["data"][0]
    names = [*(f"{n}-gram" for n in range(1, 7)), *(NETWORKS if text != "own" else ())]
    assert bars["y"] == names
    assert bars["text"] == [f"{each.held_out_bits:.2f}" for each in scores_of(text)]


@EVERY_TEXT
def test_the_sentence_names_the_winner_and_the_best_of_the_other_kind(text):
    scores, shown = scores_of(text), said(opened(text))
    first = best(scores)
    assert (
        f"{first.name} predicts the held-out part best: {first.held_out_bits:.2f} bits per character."
        in shown
    )
    ngrams, networks = scores[:6], scores[6:]
    if not networks:
        assert "Press Train to add the networks." in shown
    else:
        kind, other = ("network", best(networks)) if first in ngrams else ("n-gram", best(ngrams))
        assert f"The best {kind}, {other.name}, needs {other.held_out_bits:.2f}." in shown


@EVERY_TEXT
def test_holding_nothing_out_shows_both_figures_of_the_model_that_wins_then(text):
    whole, app = opened(text), opened(text, "true")
    assert len(figure(whole)["data"]) == 1 and len(figure(app)["data"]) == 2
    scores, found = scores_of(text), metrics(app)
    seen, first = best(scores, "training_bits"), best(scores)
    assert found["on held-out text"] == f"{seen.held_out_bits:.2f}"
    assert found["on its training text"] == f"{seen.training_bits:.2f}"
    shown = said(app)
    assert f"wins with {seen.training_bits:.2f} bits per character" in shown
    assert ("It is also best on the held-out part" in shown) == (seen is first)
    most = max(scores, key=lambda each: round(each.held_out_bits, 2) - round(each.training_bits, 2))
    gap = round(most.held_out_bits, 2) - round(most.training_bits, 2)
    assert f"{most.training_bits:.2f} bits instead of {most.held_out_bits:.2f}, {gap:.2f} too few" in shown


@EVERY_TEXT
def test_every_number_of_the_table_is_core_s(text):
    table, scores = table_with(opened(text), "numbers kept"), scores_of(text)
    assert table["model"].tolist() == [each.name for each in scores]
    np.testing.assert_allclose(table["bits, held out"], [each.held_out_loss / np.log(2) for each in scores])
    np.testing.assert_allclose(table["bits, trained on"], [each.training_loss / np.log(2) for each in scores])
    assert table["numbers kept"].tolist() == [each.size for each in scores]


@EVERY_TEXT
def test_what_all_models_were_given_is_said(text):
    told, shown = board_text(TEXTS[text][:READ_AT_MOST]), said(opened_at(text, "fair"))
    assert f"Every model learns from the first {told.training:,} characters" in shown
    assert f"{told.held_out:,} held-out characters" in shown
    assert ("The text's first 200,000 characters are used." in shown) == (len(TEXTS[text]) > READ_AT_MOST)
    assert ("and never in training" in shown) == bool(told.new)
    assert ("small gaps mean little" in shown) == (told.measured < 1000)
    assert ("the same windows in the same order" in shown) == (text != "own")
    assert ("would measure memory" in shown) == bool(told.repeated)
    if told.repeated:
        assert (
            f"{told.repeated:,} of the last tenth's {told.lines:,} lines, of 20 characters or more," in shown
        )


@pytest.mark.parametrize("text", ["micro-world", "Hamlet"])
def test_a_recorded_run_is_said_to_be_one_with_its_settings(text):
    shown = said(opened(text))
    title = {"micro-world": "The micro-world", "Hamlet": sample("hamlet").title}[text]
    assert f"Networks: recorded beforehand on {title}, {STEPS} steps each, seed {SEED}" in shown


def test_the_recorded_run_stays_with_other_settings_and_an_edited_text_has_none():
    other = open_lesson("one_text", steps="100", seed="5")
    assert f"{STEPS} steps each, seed {SEED}" in said(other)
    edited = open_lesson("one_text", "x" + TEXTS["Hamlet"])
    assert "No network has been trained on this text yet: press Train." in said(edited)
    assert len(figure(edited)["data"][0]["y"]) == 6


def test_what_was_trained_here_stands_on_the_board_with_its_settings(bench):
    app = open_lesson("one_text", SHORT)
    bars = figure(app)["data"][0]
    assert bars["y"][6:] == list(NETWORKS)
    assert bars["text"][6:] == [f"{each.held_out_bits:.2f}" for each in bench.result]
    assert "Networks: trained here on mine, 2 steps each, seed 7" in said(app)
    assert "stopped" not in said(app)


def test_a_stopped_training_keeps_what_is_done_and_says_so(bench):
    bench.result = bench.result[:2]
    app = open_lesson("one_text", SHORT)
    assert figure(app)["data"][0]["y"][6:] == ["feed-forward", "RNN"]
    assert "You stopped the training: 2 of 5 networks had finished." in said(app)


def test_what_was_trained_on_one_text_is_not_drawn_for_another(bench):
    app = open_lesson("one_text", SHORT + "another end")
    assert len(figure(app)["data"][0]["y"]) == 6
    assert "The networks trained on mine are kept: choose that text to see them." in said(app)
    default = open_lesson("one_text")
    assert "recorded beforehand on Hamlet" in said(default)
    assert bench.settings[1] in said(default)


class Working:
    """A job in the pool that is half through."""

    done, place, attempts = False, 0, 1

    def __init__(self, scores):
        self.reports = [BoardProgress("RNN", 1, 2, 3.0, scores[:1])]

    def progress(self):
        return self.reports

    def stop(self):
        pass


@pytest.mark.parametrize("predict", ["false", "true"])
def test_the_board_fills_while_the_networks_train_unless_the_winner_is_to_be_predicted(bench, predict):
    bench.job, bench.job_settings = Working(bench.result), bench.settings
    app = open_lesson("one_text", SHORT, predict=predict)
    assert not app.exception
    if predict == "true":
        assert figures(app) == []
    else:
        assert figure(app)["data"][0]["y"][5:] == ["6-gram", "feed-forward"]
    progress = app.get("progress")[0].proto
    assert "RNN, network 2 of 5: step 1 of 2" in progress.text
    assert progress.value == 30  # one network and a half of five


@pytest.mark.parametrize("seen", ["false", "true"])
def test_until_the_guess_no_model_s_bits_are_shown_and_both_questions_have_their_own_answer(seen):
    app = open_lesson("one_text", predict="true", seen=seen)
    assert figures(app) == [] and not app.metric and len(app.dataframe) == 0
    assert [choice.replace("\\", "") for choice in question(app).options] == ["counting", *NETWORKS]
    winner = best(scores_of("Hamlet"), "training_bits" if seen == "true" else "held_out_bits")
    revealed = guess(app, winner.name if winner.name in NETWORKS else "counting")
    assert "Right." in said(revealed)
    assert figures(revealed)


def test_without_networks_the_question_is_which_n_gram():
    app = guess(open_lesson("one_text", SHORT, predict="true"), best(scores_of("own")).name)
    assert "Right." in said(app)


@pytest.mark.parametrize("against", ["training time", "numbers kept", "time", "size"])
def test_the_cost_of_the_best_network_is_held_against_the_best_n_gram_s(against):
    app, run = open_lesson("one_text", cost="true", against=against), scores_of("Hamlet")
    network, ngram = best(run[6:]), best(run[:6])
    gap = round(ngram.held_out_bits, 2) - round(network.held_out_bits, 2)
    assert (
        f"{network.name} needs {abs(gap):.2f} bits per character {'fewer' if gap > 0 else 'more'} than"
        in said(app)
    )
    if against in ("numbers kept", "size"):
        assert f"at {network.size / ngram.size:.2g} times the count of numbers kept" in said(app)
        points = {trace["name"]: trace["x"] for trace in figure(app, 1)["data"]}
        assert points[network.name] == [network.size]


@pytest.mark.parametrize("seen", ["false", "true"])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "too little to learn from"),
        ("It was late. The cat sat on the mat.", "give at least 200 characters"),
        ("x" * 5000, "All 5,000 characters of this text are the same one"),
    ],
)
def test_a_text_with_too_little_in_it_gets_a_sentence_and_the_page_ends_as_ever(text, sentence, seen):
    app = open_lesson("one_text", text, seen=seen)
    assert not app.exception
    assert sentence in said(app)
    assert not figures(app)
    assert {"The code that ran", "Take it away", "Sources"} <= {tab.label for tab in app.tabs}


@pytest.mark.parametrize("seen", ["false", "true"])
@pytest.mark.parametrize(
    "text", ["ab" * 100, "早上好。你好吗？" * 40, "مرحبا. كيف الحال؟ " * 20, "👍🏽 <b>$x$</b> `c` " * 20]
)
def test_no_text_breaks_the_page(text, seen):
    app = open_lesson("one_text", text, seen=seen)
    assert not app.exception
    assert "predicts the held-out part best" in said(app)


def test_kinds_of_characters_that_only_the_held_out_part_has_and_rare_ones_are_said():
    assert "1 kind of character occurs in the held-out part and never in training" in said(
        open_lesson("one_text", "ab" * 300 + "abz" * 10, fair="true")
    )
    assert "2 kinds of character occur in the held-out part and never in training" in said(
        open_lesson("one_text", "ab" * 300 + "abzy" * 10, fair="true")
    )
    script = "".join(chr(0x4E00 + i % 300) for i in range(900)) + "x" * 3000
    assert "7.8% of the text are characters too rare to be told apart" in said(
        open_lesson("one_text", script, fair="true")
    )


def test_the_notebook_counts_and_trains_the_same_scores(notebook_cells, monkeypatch, tmp_path, capsys):
    open_lesson("one_text", SHORT, steps="100")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_text.txt").write_text(SHORT, encoding="utf-8")
    ran = {}
    code = "\n".join(notebook_cells[1:])
    assert "steps = 100" in code or "steps, seed = 100" in code
    exec(code.replace("steps = 100", "steps = 1").replace("steps, seed = 100", "steps, seed = 1"), ran)
    expected = [*count_each(SHORT), *fit_networks(lambda _: True, SHORT, 1, SEED)]
    assert [each.held_out_bits for each in ran["scores"]] == [each.held_out_bits for each in expected]
    assert "GPT 1 of 1" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["micro-world", "Hamlet"])
def test_the_lab_counts_the_networks_that_are_better_than_the_best_n_gram(text):
    scores = scores_of(text)
    better = sum(each.held_out_bits < best(scores[:6]).held_out_bits for each in scores[6:])
    need = "needs" if better == 1 else "need"
    shown = said(opened(text))
    assert f"{better or 'None'} of the 5 networks {need} fewer bits than the best n-gram." in shown


# The story.


def words(beat, *args, **changes):
    return said_in(document("one_text", beat, *args, **changes))


def rows(beat, *args, panel=0, **changes):
    shown = picture("one_text", beat, *args, **changes)["panels"][panel]["rows"]
    return {row["name"]: row for row in shown}


def of(name):
    return [*count_each(read_sample(name)), *board_on(name).networks]


def test_the_parts_of_the_play_are_nine_tenths_and_the_first_4_000_characters_of_the_rest():
    text = TEXTS["Hamlet"][:READ_AT_MOST]
    cut = len(text) * 9 // 10
    shown = picture("one_text", "exam")
    assert [part["share"] for part in shown["strip"]] == pytest.approx(
        [cut / len(text), 4000 / len(text), 1 - (cut + 4000) / len(text)]
    )
    for panel, part in zip(shown["panels"], (text[:cut], text[cut : cut + 4200]), strict=True):
        assert all(line["text"] in part for line in panel["lines"])
    known = {line for line in text[:cut].split("\n") if len(line) >= 20}
    assert not {line["text"] for line in shown["panels"][1]["lines"]} & known
    assert "4,000 characters" in words("exam")
    last = [line for line in text[cut:].split("\n")[1:] if line.strip()]
    assert not known & set(last)
    assert f"memory: 0 of {len(last)} lines here" in str(document("one_text", "exam"))


def test_a_line_s_bars_are_the_bits_of_an_n_gram_asked_character_by_character():
    text = TEXTS["Hamlet"][:READ_AT_MOST]
    vocabulary = vocabulary_of(text)
    training, held_out = hold_out(text).encode(vocabulary)
    model = CountedLanguageModel(kneser_ney(count_ngrams(training, vocabulary.types, 6), 6), 0)
    place = hold_out(text).measured_on.index(LINE)
    expected = [
        -model.log_probabilities(held_out[place + t - 5 : place + t].tolist())[held_out[place + t]]
        / np.log(2)
        for t in range(len(LINE))
    ]
    shown = picture("one_text", "line")
    assert [each["loss"] for each in shown["columns"]] == pytest.approx(expected, abs=1e-6)
    assert shown["at"] == int(np.argmax(expected)) and shown["at"] - shown["first"] == 4
    assert f"on this line {np.mean(expected):.2f} bits" in words("line")


def test_the_bars_are_the_scores_and_counting_wins_on_the_play_in_every_run():
    scores = {each.name: each.held_out_bits for each in of("play")}
    counted, shown = rows("counting"), rows("best", True)
    assert {name: row["to"] for name, row in counted.items() if name in scores} == pytest.approx(
        {name: scores[name] for name in list(scores)[:6]}
    )
    assert min(scores, key=scores.get) == "6-gram" and shown["6-gram"]["kind"] == "best"
    network = min(NETWORKS, key=scores.get)
    gap = round(scores[network], 2) - round(scores["6-gram"], 2)
    assert f"needs {gap:.2f} bits per character more" in words("best", True)
    assert document("one_text", "best", True)["ask"]["answer"] == "counting"
    for run in recorded_seeds():
        assert min(each.held_out_bits for each in run.networks) > scores["6-gram"] + 0.1


def test_before_the_answer_no_network_s_bits_are_sent():
    hidden = [row for name, row in rows("best").items() if name in NETWORKS]
    assert len(hidden) == 5 and len({row["to"] for row in hidden}) == 1
    assert {(row["kind"], row["text"]) for row in hidden} == {("open", "?")}


def test_the_gain_of_the_longest_n_gram_is_too_close_to_call_and_of_the_one_before_it_is_not():
    text = read_sample("play")
    bits = {n: ngram_bits(text, n) for n in (4, 5, 6)}
    for longer, close in ((6, True), (5, False)):
        gain = bits[longer - 1] - bits[longer]
        reach = 1.96 * gain.std(ddof=1) / len(gain) ** 0.5
        assert (abs(gain.mean()) < reach) == close
    scores = {each.name: each.held_out_bits for each in of("play")}
    assert [bits[n].mean() for n in bits] == pytest.approx([scores[f"{n}-gram"] for n in bits])


def test_gates_pay_in_every_run_and_the_order_behind_them_changes():
    runs = [board_on("play").run, *recorded_seeds()]
    found = [{each.name: each.held_out_bits for each in run.networks} for run in runs]
    assert len({run.seed for run in runs}) == 3 and {run.steps for run in runs} == {STEPS}
    assert min(each["RNN"] for each in found) > max(each["GRU"] for each in found) + 0.1
    assert len({tuple(sorted(("GRU", "LSTM", "GPT"), key=each.get)) for each in found}) > 1
    for lower, higher in (("GRU", "LSTM"), ("LSTM", "GPT")):
        assert max(each[lower] for each in found) > min(each[higher] for each in found)
    means = {name: np.mean([each[name] for each in found]) for name in NETWORKS}
    assert f"falls by {round(means['RNN'], 2) - round(means['GRU'], 2):.2f} bits" in words("runs")


def test_the_best_network_keeps_fewer_numbers_and_takes_far_longer():
    scores = {each.name: each for each in of("play")}
    times_fewer = scores["6-gram"].size / scores["GRU"].size
    assert times_fewer > 1 and f"{times_fewer:.1f} times fewer" in words("cost")
    assert scores["GRU"].seconds > 50 * scores["6-gram"].seconds
    assert "times as long" in words("cost", against="time")


def test_on_one_page_every_network_memorizes_and_the_best_of_them_is_the_worst_of_all():
    scores = {each.name: each for each in board_on("page").scores}
    seen = min(scores.values(), key=lambda each: each.training_loss)
    worst = max((scores[name] for name in NETWORKS), key=lambda each: each.held_out_loss)
    assert seen is worst and worst.held_out_bits > board_on("page").text.guessing_bits
    assert all(scores[name].training_bits < 0.1 for name in NETWORKS)
    assert f"needs {worst.held_out_bits:.2f} bits, more than a blind guess" in words("memory")
    for panel, measure in enumerate(("training_bits", "held_out_bits")):
        drawn = rows("memory", panel=panel)
        assert all(drawn[name]["to"] == getattr(scores[name], measure) for name in NETWORKS)


def test_most_of_the_micro_world_s_last_lines_were_in_training_and_cost_fewer_bits():
    text = TEXTS["micro-world"][:READ_AT_MOST]
    learned, exam = text[:180_000].splitlines(), text[180_000:184_000].splitlines()[1:-1]
    share = sum(len(line) for line in exam if line in learned) / sum(map(len, exam))
    assert f"word for word: {share:.0%} of the characters" in words("leak") and share > 0.75
    told = board_on("world").text
    assert board_on("play").text.repeated == 0 < told.lines / 2 < told.repeated
    last = text[180_000:].splitlines()[1:]
    assert (told.repeated, told.lines) == (sum(line in learned for line in last), len(last))
    assert told.held_out < 20_000 - told.repeated  # characters
    memory, bits = (ngram_bits(text, 6, repeated).mean() for repeated in (True, False))
    assert memory < bits - 0.1
    assert f"needs {memory:.2f} bits, on new lines {bits:.2f}" in words("leak")
    drawn = picture("one_text", "leak")["panels"][0]["lines"]
    assert [(each["text"], each["kind"] == "seen") for each in drawn] == [
        (line, line in learned) for line in exam[: len(drawn)]
    ]


@pytest.mark.parametrize("name", ["page", "play", "world"])
@pytest.mark.parametrize("seen", ["false", "true"])
def test_each_text_s_board_fills_the_bar_of_its_winner(name, seen):
    measure = "training_bits" if seen == "true" else "held_out_bits"
    winner = best(board_on(name).scores, measure)
    drawn = rows("boards", board=name, seen=seen)
    assert [each for each, row in drawn.items() if row["kind"] == "best"] == [winner.name]
    assert f"{getattr(winner, measure):.2f} bits" in words("boards", board=name, seen=seen)
    assert winner.name in document("one_text", "boards", board=name, seen=seen)["done"]


def test_counting_leads_on_the_page_and_the_play_and_gpt_in_the_micro_world():
    winners = {name: board_on(name).winner.name for name in ("page", "play", "world")}
    assert winners["page"] not in NETWORKS and winners["play"] not in NETWORKS
    assert winners["world"] == "GPT" and "GPT leads" in words("answer")
    filled = [
        row["mark"] for row in picture("one_text", "answer")["panels"][0]["rows"] if row["kind"] == "best"
    ]
    assert filled == [f"row.{name}.{winner}" for name, winner in winners.items()]


def test_a_beat_s_link_opens_the_lab_on_its_text():
    assert "text_source_sample=Hamlet" in document("one_text", "exam")["lab"]
    assert "one_text_seen=true" in document("one_text", "memory")["lab"]
