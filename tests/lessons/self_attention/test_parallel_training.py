"""Parallel training of GPTs: every number of the story by hand, and the lab's losses, computed both ways."""

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from core.models.self_attention.fit_peeking import Learner, PeekProgress, recorded_runs
from core.models.self_attention.parallel_training import in_one_pass, one_by_one
from core.models.self_attention.peeking import NO_MASK, NO_SHIFT, WAYS, peeking
from core.models.stored_language_models import encode, stored_language_model
from core.text.reading.documents import Document
from pages.self_attention.shared.peeking_bench import WORDS, verdict
from tests.lessons.lesson_page import (
    document,
    frames,
    go_to,
    guess,
    metrics,
    open_lesson,
    prompts,
    said,
    said_in,
    sent,
    table_with,
)
from tests.lessons.self_attention.three_texts import ON_THREE_TEXTS

LINE = "To be, or not"
OLD_WAYS = {
    "no mask": "no_mask",
    "0 instead of −∞": "zero",
    "mask after the softmax": "late",
    "x and y not shifted": "no_shift",
}


def open_with(text=f"{LINE}.", **query):
    return open_lesson("parallel_training", text, timeout=120, **query)


def examples(app):
    return table_with(app, "y, the target")


def read(name="char_gpt", text=LINE):
    model = stored_language_model(name)
    return model, torch.tensor([model.start, *encode(name, text).ids][:12])


# The story.


def words(beat, revealed=False, **changes):
    return said_in(document("parallel_training", beat, revealed, **changes))


def story_window():
    """Return the line's tokens, and ln p of each target, each computed from its prefix alone."""
    model = stored_language_model("char_gpt")
    ids = [model.start, *encode("char_gpt", "To be, or").ids]
    assert len(ids) == 10
    with torch.no_grad():
        logits = [model.network(torch.tensor([ids[:t]]))[0][0, -1] for t in range(1, len(ids))]
    ln_p = [float(each.log_softmax(-1)[target]) for each, target in zip(logits, ids[1:], strict=True)]
    return list("↵To␣be,␣or"), np.array(ln_p)


def kinds(data):
    return [[cell["kind"] for cell in row["cells"]] for row in data["rows"]]


def texts(data):
    return [[cell["text"] for cell in row["cells"] if cell["text"]] for row in data["rows"]]


def test_ten_tokens_are_nine_predictions_and_the_staircase_comes_after_the_guess():
    asked, answered = (document("parallel_training", "count", revealed) for revealed in (False, True))
    tokens, _ = story_window()
    assert texts(asked["picture"]["data"]) == [tokens, ["?"] * 10]
    assert answered["ask"]["answer"] == "9"
    assert [choice["id"] for choice in answered["ask"]["choices"]] == ["1", "9", "10"]
    assert texts(answered["picture"]["data"]) == [tokens[: t + 2] for t in range(9)]
    assert kinds(answered["picture"]["data"]) == [
        ["seen"] * (t + 1) + ["target"] + ["none"] * (8 - t) for t in range(9)
    ]
    assert "Row 6 reads To be and must predict “,”" in said_in(answered)


def test_each_target_is_the_next_token_of_the_line_and_with_the_bug_the_token_itself():
    tokens, _ = story_window()
    for beat, shift in (("shift", 1), ("bug", 0)):
        data = document("parallel_training", beat)["picture"]["data"]
        assert texts(data) == [tokens, tokens[shift : 9 + shift]]
        assert data["links"] == [[[0, t + shift], [1, t]] for t in range(9)]
        for (_, start), (_, end) in data["links"]:
            assert data["rows"][0]["cells"][start] | {"kind": ""} == data["rows"][1]["cells"][end] | {
                "kind": ""
            }


def test_one_pass_gives_the_losses_of_the_prefixes_read_by_themselves():
    _, ln_p = story_window()
    data = document("parallel_training", "alone")["picture"]["data"]
    assert [side["texts"] for side in data["sides"]] == [[f"{-each:.2f}" for each in ln_p]] * 2
    assert kinds(data)[5] == ["seen"] * 6 + ["target"] + ["hidden"] * 3
    assert [row["lit"] for row in data["rows"]].index(True) == 5
    assert "differ by less than 0.00001" in words("alone")


def test_the_loss_of_a_row_is_minus_ln_of_the_probability_beside_it():
    tokens, ln_p = story_window()
    shown = document("parallel_training", "loss")
    side = shown["picture"]["data"]["sides"][0]
    np.testing.assert_allclose(side["bars"], np.exp(ln_p), atol=1e-4)
    assert tokens[6] == "," and side["texts"][5] == "0.0033"
    assert shown["picture"]["data"]["sum"] == "−ln 0.0033 = 5.71"
    assert ln_p[5] == pytest.approx(-5.71, abs=0.005)
    assert ln_p.argmax() == 6 and "in row 7 a “␣” is easy: 0.966" in said_in(shown)


def test_the_loss_of_the_line_is_the_mean_of_its_rows():
    _, ln_p = story_window()
    for beat in ("mean", "answer"):
        shown = document("parallel_training", beat)
        side = shown["picture"]["data"]["sides"][0]
        assert side["title"] == "loss, mean 1.86"
        np.testing.assert_allclose(side["bars"], ln_p / ln_p.min(), atol=1e-3)
        assert side["mark"] == pytest.approx(ln_p.mean() / ln_p.min(), abs=1e-3)
    assert -ln_p.mean() == pytest.approx(1.86, abs=0.005)
    assert document("parallel_training", "mean")["picture"]["data"]["sum"].endswith(") / 9 = 1.86")


def test_prefix_by_prefix_45_tokens_are_read_and_121_times_the_multiplications_are_made():
    data = document("parallel_training", "cost")["picture"]["data"]
    read = [row.count("seen") for row in kinds(data)]
    assert read == list(range(1, 10)) and sum(read) == 45
    assert data["sides"][0]["texts"] == [str(n) for n in read]
    assert "together 45" in words("cost")
    config = stored_language_model("char_gpt").network.config
    C, L, V = config.width, config.layers, config.vocabulary_size

    def by_hand(T):
        return T * L * 12 * C * C + L * 2 * T * T * C + T * C * V

    times = sum(map(by_hand, range(1, 257))) / by_hand(256)
    assert f"one pass takes {times:.0f} times fewer" in words("cost") and round(times) == 121


def test_without_a_mask_each_row_but_the_last_can_read_its_answer_and_the_losses_come_after_the_guess():
    asked, answered = (document("parallel_training", "peek", revealed) for revealed in (False, True))
    rows = kinds(asked["picture"]["data"])
    assert [row.index("leak") for row in rows[:-1]] == list(range(1, 9)) and rows[-1][9] == "target"
    assert all(row.count("seen") + row.count("leak") == 9 for row in rows)
    assert "5.40" not in str(asked) and "0.08" not in str(asked)
    runs = recorded_runs()[NO_MASK]
    last = runs[-1]
    assert answered["ask"]["answer"] == "training"
    assert last.peeking.training_loss < last.honest.training_loss
    assert last.peeking.honest_loss > last.honest.honest_loss
    told = said_in(answered)
    for loss in (
        last.peeking.training_loss,
        last.peeking.honest_loss,
        last.honest.honest_loss,
    ):
        assert f"{loss:.2f}" in told
    drawn = answered["picture"]["data"]["figure"]["data"]
    assert list(drawn[2]["y"]) == [each.peeking.honest_loss for each in runs]


def test_unmoved_targets_make_a_model_worse_than_before_its_training():
    first, *_, last = recorded_runs()[NO_SHIFT]
    assert last.peeking.training_loss < 0.005 and "falls to 0.00" in words("bug")
    assert f"a loss of {last.peeking.honest_loss:.2f}" in words("bug")
    assert f"the loss was {first.peeking.honest_loss:.2f}" in words("bug")
    assert last.peeking.honest_loss > 3 * first.peeking.honest_loss


def test_the_learner_s_sentence_is_read_with_the_probability_of_every_token():
    shown = document("parallel_training", "own", sentence="The cat sat on the mat.")
    model = stored_language_model("word_gpt")
    ids = [model.start, *encode("word_gpt", "The cat sat on the mat.").ids]
    losses = -model.token_log_probabilities(ids[1:])
    data = shown["picture"]["data"]
    assert data["sides"][0]["texts"] == [f"{each:.2f}" for each in losses]
    assert [row["lit"] for row in data["rows"]].index(True) == losses.argmax()
    assert "<strong>10</strong> predictions" in shown["done"]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("x", "One token makes <strong>1</strong> prediction"),
        ("Der alte König liebte seinen Sohn sehr", "The pass over the first 12 tokens makes"),
        ("مرحبا", "tokens makes"),
        ("🦜🦜", "tokens makes"),
        ("word " * 80, "The pass over the first 12 tokens makes <strong>11</strong>"),
    ],
)
def test_any_sentence_is_read_and_spoken_of(sentence, told):
    shown = document("parallel_training", "own", sentence=sentence)
    assert told in shown["done"]
    data = shown["picture"]["data"]
    assert len(data["rows"]) <= 11
    assert all(len(cell["text"]) <= 22 for row in data["rows"] for cell in row["cells"])


# The lab.


def test_every_prefix_is_an_example_with_the_model_s_own_probability_of_the_next_token():
    app = open_with(model="GPT, characters", sentence=LINE)
    model, ids = read()
    ln_p = model.token_log_probabilities(ids[1:].tolist())
    table = examples(app)
    np.testing.assert_allclose(table["p(y)"], np.exp(ln_p), rtol=1e-4)
    np.testing.assert_allclose(table["−ln p, one pass"], -ln_p, rtol=1e-4)
    assert list(table["y, the target"]) == ["T", "o", "␣", "b", "e", ",", "␣", "o", "r", "␣", "n"]
    assert table["x, the prefix"][2] == "↵ T o"


def test_the_two_ways_agree_and_read_so_many_tokens():
    app = open_with(model="GPT, characters", sentence=LINE)
    model, ids = read()
    shown, (one, alone) = metrics(app), (each(model.network, ids) for each in (in_one_pass, one_by_one))
    assert shown["Loss, one pass"] == shown["Loss, 11 passes"] == f"{one.mean:.4f}"
    assert shown["Tokens read"] == "11 / 66"
    config = model.network.config
    counted = [f"{each.multiplications(config) / 1e6:,.1f}" for each in (one, alone)]
    assert shown["Multiplications (millions)"] == " / ".join(counted)
    assert f"{alone.multiplications(config) / one.multiplications(config):.1f} times" in said(app)


def test_without_the_mask_they_do_not():
    app = open_with(model="GPT, characters", sentence=LINE, broken="true")
    model, ids = read()
    network = peeking(model.network, NO_MASK)
    apart = (in_one_pass(network, ids).losses - one_by_one(network, ids).losses).abs().max().item()
    shown = metrics(app)
    assert shown["difference without the mask"] == f"{apart:.6f}"
    assert float(shown["difference with the mask"]) < 1e-4 < 0.1 < apart


def test_the_picture_shows_the_same_numbers():
    app = open_with(model="GPT, characters", sentence=LINE, broken="true")
    shared, table = sent(app, "steps")["shared"], examples(app)
    assert shared["losses"] == [f"{loss:.2f}" for loss in table["−ln p, one pass"]]
    assert shared["tokens"][1:] == list(table["y, the target"])
    assert shared["peek"] is True
    assert [step["picture"]["at"] for step in frames(app)] == list(range(len(table)))


def test_stepping_adds_the_losses_up():
    app = open_with(model="GPT, characters", sentence=LINE)
    model, ids = read()
    one = in_one_pass(model.network, ids)
    last = frames(app)[-1]
    assert last["formulas"][1].endswith(f"= {one.mean:.4g}")
    assert last["name"] == "␣ is followed by n"
    for t, step in enumerate(frames(app)):
        assert f"= {float(one.losses[t]):.4g}" in step["formulas"][0]
        assert step["formulas"][1].count(" + ") == min(t + 1, len(one.losses) - 1)  # the last may be dots


def test_the_first_sentence_of_the_learner_s_text_is_read_when_none_is_typed():
    app = open_with("Thy name. Another sentence.", model="GPT, characters")
    assert list(examples(app)["y, the target"]) == list("Thy␣name.")


def test_a_prediction_hides_the_triangle():
    app = open_with(predict="true", model="GPT, characters", sentence=LINE)
    assert not frames(app)
    assert len(app.dataframe) == 0
    assert "11 predictions" not in said(app)
    assert "Loss, 11 passes" not in metrics(app)
    assert prompts(app)
    guess(app, "11")
    assert "One pass over 11 tokens makes 11 predictions" in said(app)
    assert frames(app)


@pytest.mark.parametrize("text", ["x", "早上好", "مرحبا", "👍🏽", "<b>$a$ `c`", "word " * 80])
def test_no_text_breaks_the_page(text):
    for name in ("GPT, byte pairs", "GPT, characters"):
        app = open_with(text, model=name, sentence=text[:400], broken="true")
        assert sent(app, "steps")["shared"]["losses"] == [
            f"{loss:.2f}" for loss in examples(app)["−ln p, one pass"]
        ]


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_peek_can_be_chosen(way):
    app = open_with(way=way, steps="600", seed="9999", training="true")
    assert app.session_state["parallel_training_way"] == OLD_WAYS[way]
    last = recorded_runs()[way][-1]
    assert verdict(last) in said(app)
    shown = [each.value for each in app.metric if each.label == WORDS.label("bench.peeking")]
    assert shown == [f"{last.peeking.training_loss:.2f}", f"{last.peeking.honest_loss:.2f}"]


def test_the_verdict_shows_both_losses_and_what_both_write():
    def page(last):
        from pages.self_attention.parallel_training import LESSON
        from pages.self_attention.shared.peeking_bench import show_run

        show_run(LESSON, [last])

    last = PeekProgress(9, 9, 0.0, Learner(1.5, 1.6, "the cat\n"), Learner(0.01, 7.25, "qqq"))
    app = AppTest.from_function(page, args=(last,)).run()
    assert [each.value for each in app.metric] == ["1.50", "0.01", "1.60", "7.25"]
    assert [each.value for each in app.code] == ["the cat↵", "qqq"]


def test_the_verdict_says_the_direction_that_the_numbers_have():
    one, other = Learner(1.0, 2.0, ""), Learner(1.5, 1.9, "")
    assert "the lower loss, 1.00 against 1.50" in verdict(PeekProgress(1, 1, 0.0, other, one))
    assert "knows less: 2.00 against 1.90" in verdict(PeekProgress(1, 1, 0.0, other, one))
    assert "no lower loss, 1.50 against 1.00" in verdict(PeekProgress(1, 1, 0.0, one, other))
    assert "knows no less: 1.90 against 2.00" in verdict(PeekProgress(1, 1, 0.0, one, other))


def test_what_peeking_does_is_seen_before_anything_is_trained():
    app = open_with()
    assert "Recorded beforehand" in said(app)
    assert "has the lower loss, 0.08 against 1.33" in said(app)
    assert "it knows less: 5.40 against 1.22" in said(app)
    assert app.get("plotly_chart")


@ON_THREE_TEXTS
def test_without_the_mask_the_picture_shows_all_of_x_and_the_two_ways_part(text):
    whole, broken = (open_with(text), open_with(text, broken="true"))
    shared = [sent(app, "steps")["shared"] for app in (whole, broken)]
    assert [each["peek"] for each in shared] == [False, True]
    assert shared[0]["losses"] != shared[1]["losses"]
    shown = metrics(broken)
    apart = float(shown["difference without the mask"])
    assert float(shown["difference with the mask"]) < 1e-4 < 0.1 < apart
    assert "Without the mask one pass no longer gives" in said(broken)
    assert ", which is rounding." in said(whole)


def test_a_window_of_one_prediction_has_nothing_to_peek_at_and_that_is_said():
    app = open_with("x", model="GPT, characters", sentence="x", broken="true")
    assert "Here nothing changes" in said(app)


def test_a_pasted_text_takes_the_place_of_the_typed_sentence():
    app = open_with(None, model="GPT, characters", sentence=LINE)
    app.session_state["text_source_own"] = Document("mine", "Rain fell. It was late.")
    app = go_to(app, "parallel_training").run()
    assert list(examples(app)["y, the target"]) == list("Rain␣fell.")
