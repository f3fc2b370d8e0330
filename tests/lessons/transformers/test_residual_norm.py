"""Residual connections and norms: the story's numbers by hand, and the lab shows what core computes and was measured."""

import re
from collections import Counter

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.figures.machine import bare
from core.lesson.story import story_of, take_event
from core.models.transformers.ablated_gpt import FORMS, WHOLE
from core.models.transformers.ablated_gpts import (
    Interval,
    Trainings,
    costs,
    stored_ablated_gpt,
    stored_trainings,
    text_loss,
)
from core.models.transformers.residual_stream import Stream, Write, cosine, read_stream, shares_of_logit
from core.training.play_text import play_text
from pages.transformers.residual_norm import LESSON, SENTENCE
from pages.transformers.residual_norm.figures import IDS, length_figure
from pages.transformers.residual_norm.page import (
    FORM_OF,
    LEFT_OUT,
    MODEL,
    PIECE,
    cut_costs,
    describe_logit,
    describe_stream,
    first_losses,
)
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    table_with,
    try_prompt,
)
from tests.lessons.self_attention.test_self_attention import PLAY, TEXT

WORDS = LESSON.words


# The story: forward passes by hooks on the network, without the module that follows the stream.


@pytest.fixture(scope="module")
def by_hand():
    return read_by_hand(WHOLE)


def read_by_hand(form, text=SENTENCE):
    """Return what each sublayer reads and adds at the last character, the streams between, and the logits."""
    model = stored_ablated_gpt(form)
    ids, reads, added, hooks = model.read(text).ids, [], [], []

    def keep(_, inputs, output):
        output = output[0] if isinstance(output, tuple) else output
        reads.append(inputs[0].reshape(-1, inputs[0].shape[-1])[-1])
        added.append(output.reshape(-1, output.shape[-1])[-1])

    for block in model.network.blocks:
        hooks += [part.register_forward_hook(keep) for part in (block.attention, block.feed_forward)]
    with torch.no_grad():
        logits = model.network(ids[None])[0][0, -1]
    for hook in hooks:
        hook.remove()
    network = model.network
    streams = [network.token_embedding.weight[ids[-1]] + network.position_embedding.weight[len(ids) - 1]]
    for each in added:
        streams.append(streams[-1] + each)
    return reads, added, streams, logits


def words(beat, revealed=False, **changes):
    return said_in(document("residual_norm", beat, revealed, **changes))


def nodes(beat, **changes):
    return {each["key"]: each for each in picture("residual_norm", beat, **changes)["nodes"]}


def rows(beat, revealed=False):
    panel = picture("residual_norm", beat, revealed)["panels"][0]
    return {row["mark"].removeprefix("row."): row for row in panel["rows"]}


def done(**changes):
    return re.sub("<[^>]*>", "", document("residual_norm", "own", **changes)["done"])


def next_of(form, text=SENTENCE):
    p = functional.softmax(read_by_hand(form, text)[3], dim=-1)
    order = p.argsort(descending=True).tolist()
    return [(bare(stored_ablated_gpt(form).vocabulary[i]), float(p[i])) for i in order]


def test_the_whole_model_completes_king_and_the_one_without_residuals_does_not():
    drawn = nodes("whole")
    for side, form in (("whole", WHOLE), ("other", FORM_OF["no_residual"])):
        found = next_of(form)[:3]
        assert [bar["name"] for bar in drawn[f"{side}.bars"]["bars"]] == [name for name, _ in found]
        assert [bar["share"] for bar in drawn[f"{side}.bars"]["bars"]] == pytest.approx(
            [p for _, p in found], abs=1e-3
        )
    assert "predicts g with 78%" in words("whole") and "a space 17%" in words("whole")
    assert "whole.plus.attention" in drawn and "other.plus.attention" not in drawn


def test_without_residuals_a_model_learns_little_more_than_which_characters_are_frequent():
    counts = Counter("".join(play_text().training))
    frequent = [bare(each) for each, _ in counts.most_common(5)]
    assert [name for name, _ in next_of(FORM_OF["no_residual"])[:5]] == frequent
    total = sum(counts.values())
    by_frequency = np.mean(
        [-np.log(counts[each] / total) for text in play_text().pieces for each in text[1:1025]]
    )
    losses = first_losses(stored_trainings())
    without, whole = (float(losses[form].mean()) for form in (FORM_OF["no_residual"], WHOLE))
    assert whole + 1.3 < without < by_frequency < without + 0.15
    measured = document("residual_norm", "costs", True)["measured"]
    assert f"how frequent each character is needs {by_frequency:.2f} nats" in measured
    small, large = (
        sum(each.numel() for each in stored_ablated_gpt(form).network.parameters())
        for form in (FORM_OF["no_feed_forward"], WHOLE)
    )
    assert f"has {small:,} parameters instead of {large:,}" in measured


def test_what_sublayers_add_and_how_long_the_stream_is_afterwards(by_hand):
    _, added, streams, _ = by_hand
    drawn = nodes("growth")
    for i, each in enumerate(streams):
        assert drawn[f"length.{i}"]["bars"][0]["text"] == f"{float(each.norm()):.1f}"
    lengths = [float(each.norm()) for each in added]
    assert [drawn[f"part.{i + 1}"]["note"] for i in range(8)] == [f"+ {each:.1f}" for each in lengths]
    assert int(np.argmax(lengths)) == 1 and drawn["part.2"]["state"] == "now"
    assert float(streams[8].norm()) < float(streams[2].norm())
    told = words("growth")
    assert "adds a vector of length 84" in told and "grows to 86" in told and "of length 11 to 49" in told


def test_the_sum_is_shorter_because_the_added_vector_points_against_the_stream(by_hand):
    _, added, streams, _ = by_hand
    stream, vector = streams[6], added[6]
    assert {key: row["text"] for key, row in rows("sum").items()} == {
        "stream": "83",
        "added": "49",
        "sum": "64",
    }
    assert f"{float(stream.norm()):.0f}" == "83" and f"{float(vector.norm()):.0f}" == "49"
    assert f"{float((stream + vector).norm()):.0f}" == "64"
    angle = float(functional.cosine_similarity(stream, vector, dim=0))
    right = float(stream.norm() ** 2 + vector.norm() ** 2) ** 0.5
    assert f"length 64; at a right angle it would have {right:.0f}." in words(
        "sum", True
    ) and f"{angle:.2f}".replace("-", "−") in words("sum", True)
    assert document("residual_norm", "sum", True)["ask"]["answer"] == "against"
    arrows = [
        each
        for each in picture("residual_norm", "sum", True)["figure"]["layout"]["annotations"]
        if each["showarrow"]
    ]
    drawn = [np.hypot(each["x"] - each["ax"], each["y"] - each["ay"]) for each in arrows]
    assert drawn == pytest.approx(
        [float(each.norm()) for each in (stream, vector, stream + vector)], rel=1e-4
    )


def test_the_shares_add_up_to_the_logit_above_the_mean_and_the_last_feed_forward_part_gives_most(by_hand):
    _, added, streams, logits = by_hand
    network = stored_ablated_gpt(WHOLE).network
    best = int(logits.argmax())
    drawn = rows("shares")
    assert drawn["logit"]["to"] == pytest.approx(float(logits[best] - logits.mean()), abs=1e-4)
    assert f"{float(logits[best] - logits.mean()):.2f}" == "8.93" and "8.93 above the mean logit" in words(
        "shares"
    )
    final, E = network.final_norm, network.token_embedding.weight
    spread = (streams[-1].var(correction=0) + final.eps).sqrt()
    for i, vector in ((3, added[1]), (9, added[7])):
        kept = final.weight * (vector - vector.mean()) / spread
        share = float(kept @ (E[best] - E.mean(0)))
        row = drawn[f"share.{i}"]
        assert row["to"] - row["from"] == pytest.approx(share, abs=1e-4)
    shares = {key: row["to"] - row["from"] for key, row in drawn.items() if key != "logit"}
    assert max(shares, key=shares.get) == "share.9" and "largest contribution, 3.12" in words("shares")


def test_each_sublayer_reads_a_copy_of_similar_length(by_hand):
    reads, _, streams, _ = by_hand
    drawn = nodes("norms")
    assert [drawn[f"copy.{i}"]["bars"][0]["text"] for i in range(8)] == [
        f"{float(each.norm()):.1f}" for each in reads
    ]
    assert [drawn[f"stream.{i}"]["bars"][0]["text"] for i in range(8)] == [
        f"{float(each.norm()):.1f}" for each in streams[:8]
    ]
    assert "from 1.5 to 87" in words("norms") and "No copy is longer than 9.4" in words("norms")
    one, other = drawn["stream.4"], drawn["copy.4"]
    assert one["wide"][2] == other["wide"][2], "both kinds of bar have one scale"


def test_without_norms_the_trained_model_s_stream_explodes():
    network, ids = stored_ablated_gpt(WHOLE).network, stored_ablated_gpt(WHOLE).read(SENTENCE).ids
    x = network.token_embedding(ids) + network.position_embedding.weight[: len(ids)]
    with torch.no_grad():
        for block in network.blocks:
            x = x + block.attention(x[None])[0][0]
            x = x + block.feed_forward(x)
        p = functional.softmax(x[-1] @ network.token_embedding.weight.T, dim=-1)
    length = float(x[-1].norm())
    drawn = picture("residual_norm", "explosion")["figure"]["data"][0]["y"]
    assert drawn[-1] == pytest.approx(length, rel=0.01) and f"{length / 1e6:.0f} million" == "59 million"
    assert float(p.max()) > 0.999 and stored_ablated_gpt(WHOLE).vocabulary[int(p.argmax())] == "C"
    assert "59 million instead of 72" in words("explosion") and "certain that C comes next, not g" in words(
        "explosion"
    )


def test_post_norm_keeps_the_stream_short():
    network, ids = stored_ablated_gpt("post-norm").network, stored_ablated_gpt("post-norm").read(SENTENCE).ids
    x = network.token_embedding(ids) + network.position_embedding.weight[: len(ids)]
    with torch.no_grad():
        for block in network.blocks:
            x = block.norm_before_attention(x + block.attention(x[None])[0][0])
            x = block.norm_before_feed_forward(x + block.feed_forward(x))
    bars = nodes("places")["other.bars"]["bars"]
    assert bars[-1][
        "text"
    ] == f"{float(x[-1].norm()):.1f}" and "ends with length 10, with pre-norm with 72" in words("places")
    drawn = nodes("places")
    assert drawn["other.norm.attention"]["wide"][1] > drawn["other.plus.attention"]["wide"][1]
    assert drawn["whole.norm.attention"]["wide"][1] < drawn["whole.plus.attention"]["wide"][1]
    assert "whole.norm.final" in drawn and "other.norm.final" not in drawn
    runs = stored_trainings().losses
    post, pre = runs["post-norm"], runs[WHOLE]  # two seeds each
    assert min(each.mean() for each in post) > max(each.mean() for each in pre)
    assert f"loss: {pre[0].mean():.2f} instead of {post[0].mean():.2f} nats" in words("places")


def test_the_norms_cost_least_and_the_intervals_of_the_pieces_do_not_touch():
    losses = stored_trainings().losses
    found = {piece: losses[FORM_OF[piece]][0] - losses[WHOLE][0] for piece in rows("costs")}
    assert {piece: row["text"] for piece, row in rows("costs", True).items()} == {
        piece: f"+{each.mean():.2f}" for piece, each in found.items()
    }
    assert all(row["text"] == "?" for row in rows("costs").values())
    means = {piece: each.mean() for piece, each in found.items()}
    assert min(means, key=means.get) == "no_norm" == document("residual_norm", "costs", True)["ask"]["answer"]
    for piece in (
        "no_positions",
        "no_feed_forward",
        "no_residual",
    ):  # play by play, and beyond the luck of a seed
        difference = found[piece] - found["no_norm"]
        assert (
            difference.mean() > 5 * difference.std(ddof=1) / len(difference) ** 0.5
            and difference.mean() > 0.05
        )
    told = words("costs", True)
    assert "loss is 1.71 nats per character, without norms only 0.06 more" in told
    assert "length 0.2 instead of 7.6" in told
    assert len(losses[WHOLE][0]) == 38 and "38 plays" in words("costs")


def test_the_answer_has_each_cost_at_its_piece():
    drawn = nodes("answer")
    assert drawn["whole.feed-forward"]["title"].endswith("0.21") and drawn["whole.positions"][
        "title"
    ].endswith("0.15")
    assert (
        drawn["whole.norm.attention"]["title"].endswith("0.06")
        and drawn["whole.note.attention"]["title"] == "1.50"
    )
    assert "whole.note.feed-forward" not in drawn and drawn["whole.norm.feed-forward"]["title"] == "norm"
    losses = first_losses(stored_trainings())
    without, whole = (f"{losses[form].mean():.2f}" for form in (FORM_OF["no_residual"], WHOLE))
    assert f"the loss is {without} instead of {whole}" in words("answer")
    assert "cost 0.06 (the norms) to 0.21" in words("answer")


@pytest.mark.parametrize("left_out", LEFT_OUT)
@pytest.mark.parametrize(
    "line", ["I will not go to the kin", "x", "Heute war es sehr kalt.", "Good morrow, my lor"]
)
def test_any_line_is_read_by_both_models(line, left_out):
    told, drawn = done(line=line, left_out=left_out), nodes("own", line=line, left_out=left_out)
    form = FORM_OF[left_out]
    for side, each in (("whole", WHOLE), ("other", form)):
        assert drawn[f"{side}.bars"]["bars"][0]["name"] == next_of_any(each, line)
    (whole, n), (broken, _) = (text_loss(stored_ablated_gpt(each), line) for each in (WHOLE, form))
    assert f"the right model needs {broken:.2f} nats per character, the left one {whole:.2f}" in told
    assert ("better here" in told) == (f"{broken:.2f}" < f"{whole:.2f}")
    assert ("On this one character" in told) == (n == 1)


def next_of_any(form, text):
    model = stored_ablated_gpt(form)
    with torch.no_grad():
        logits = model.network(model.read(text).ids[None])[0][0, -1]
    return bare(model.vocabulary[int(logits.argmax())])


@pytest.mark.parametrize("line", ["مرحبا", "🦜", "早上好"])
def test_a_line_of_unknown_characters_is_said_to_be_replaced(line):
    assert "know none of your characters" in done(line=line)
    assert nodes("own", line=line)["whole.text"]["title"].endswith("morrow, my lor")


def test_the_pictures_of_the_story_report_nothing():
    assert all(take_event(beat, "pick", 3) == {} for beat in story_of("pages.transformers.residual_norm"))


# The lab.


def open_with(**query):
    return open_lesson("residual_norm", query.pop("own", TEXT), **{"typed": SENTENCE, **query})


def found(form, text=SENTENCE, place=-1):
    """Return a small GPT, its stream on a text and the most probable token after a place."""
    model = stored_ablated_gpt(form)
    stream = read_stream(model.network, model.read(text).ids)
    return model, stream, int(stream.logits[place].argmax())


def test_the_table_and_the_figures_hold_what_core_computes_of_the_last_token():
    app = open_with(directions="true")
    model, stream, token = found(WHOLE)
    table = table_with(app, "contribution to the logit")
    np.testing.assert_allclose(
        table["contribution to the logit"], shares_of_logit(stream, model.network, -1, token), atol=1e-5
    )
    added = table["length added"].dropna()
    np.testing.assert_allclose(added, [write.added[-1].norm() for write in stream.writes], rtol=1e-5)
    cosines = [float(cosine(write.added[-1], write.before[-1])) for write in stream.writes]
    np.testing.assert_allclose(table["cosine with the stream"].dropna(), cosines, atol=1e-5)
    lengths, shares, directions = figures(app)[:3]
    np.testing.assert_allclose(numbers(lengths["data"][-1]["y"]), stream.lengths[:, -1], rtol=1e-5)
    assert numbers(shares["data"][0]["x"]) == pytest.approx(
        table["contribution to the logit"].tolist(), abs=1e-5
    )
    assert numbers(directions["data"][0]["x"]) == pytest.approx(cosines, abs=1e-5)
    total = float(stream.logits[-1, token] - stream.logits[-1].mean())
    assert f"is {total:.2f} above the mean logit" in said(app).replace("*", "")
    along, against = sum(each >= 0.1 for each in cosines), sum(each <= -0.1 for each in cosines)
    assert f"Of 8 sublayers, {along} add" in said(app)
    assert f"{against} against it" in said(app) and f"{8 - along - against} nearly at a right angle" in said(
        app
    )


@pytest.mark.parametrize("piece", LEFT_OUT)
def test_a_piece_left_out_is_read_by_the_model_that_was_trained_without_it_and_its_loss_is_shown(piece):
    form = FORM_OF[piece]
    app = open_with(own=PLAY, piece=piece, broken="true", step="5", trainings="true")
    _, stream, _ = found(form, place=4)
    added = table_with(app, "length added")["length added"].dropna()
    np.testing.assert_allclose(added, [write.added[4].norm() for write in stream.writes], rtol=1e-5)
    (whole, n), (broken, _) = (text_loss(stored_ablated_gpt(each), PLAY) for each in (WHOLE, form))
    assert list(metrics(app).values()) == [f"{whole:.3f}", f"{broken:.3f}"]
    assert f"the first {n:,} characters" in said(app)
    assert ("each output replaces the stream" in said(app)) == (piece == "no_residual")
    cost = costs(first_losses(stored_trainings()))[form]
    assert cost.low > 0 and "it is worse than with all pieces" in said(app)
    assert f"{cost.mean:+.3f}" in said(app) and f"{cost.low:+.3f} to {cost.high:+.3f}" in said(app)


def test_the_table_of_costs_is_that_of_the_recorded_losses_and_names_the_most_expensive():
    app = open_with(trainings="true")
    losses = stored_trainings().losses
    table = table_with(app, "trained so: more").set_index("form")
    names = {form: WORDS.label(f"form.{IDS[form]}") for form in FORMS}
    assert set(table.index) == set(names.values())
    for form, runs in losses.items():
        assert table["nats per character"][names[form]] == pytest.approx(runs[0].mean())
        assert table["trained so: more"][names[form]] == pytest.approx((runs[0] - losses[WHOLE][0]).mean())
    assert f"Trained with “{table['trained so: more'].idxmax()}”" in said(app)
    assert "the loss is larger in 5 of 5 cases" in said(app)


def test_until_the_guess_no_loss_is_shown():
    app = open_with(predict="true", trainings="true")
    drawn = len(figures(app))
    assert "nats per character" not in str(figures(app))
    assert len(question(app).options) == len(LEFT_OUT)
    guess(app)
    assert len(figures(app)) == drawn + 2


def test_a_larger_model_is_read_and_gives_way_to_the_one_trained_without_a_piece():
    app = open_with(model="word_gpt", step="1")
    assert "2,048 byte pairs" in said(app)
    app.toggle(key="residual_norm_broken").set_value(True).run()
    assert not app.exception
    assert "GPT, byte pairs was trained in one form only" in said(app)


@pytest.mark.parametrize("old", [*PIECE.was, *MODEL.was])
def test_an_old_address_with_a_label_still_opens(old):
    if old in PIECE.was:
        app = open_with(piece=old, broken="true")
        assert app.session_state["residual_norm_piece"] == PIECE.was[old] and metrics(app)
    else:
        assert open_with(model=old).session_state["residual_norm_model"] == MODEL.was[old]


@pytest.mark.parametrize(
    "query",
    [
        {"typed": "", "broken": "true", "piece": "post_norm"},
        {"typed": "\n\n", "step": "99"},
        {"typed": "早上好 مرحبا 👍🏽 <b>$a$ `c`</b>", "broken": "true", "piece": "no_norm"},
        {"typed": "word " * 390, "model": "word_gpt"},
        {"own": "", "source": "from your text"},
        {"own": "早上好", "broken": "true", "source": "from your text"},
    ],
    ids=str,
)
def test_no_text_and_no_end_of_a_control_breaks_the_lab(query):
    app = open_with(directions="true", norms="true", trainings="true", **query)
    assert not app.exception
    if query.get("own"):
        assert "no character that these models know" in said(app)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_all_that_it_names(number):
    app = try_prompt(open_with(), "residual_norm", number).run()
    assert not app.exception
    if number == 3:
        assert "2,048 byte pairs" in said(app)
    else:
        assert metrics(app)


def stream_of(added, before):
    """Return a stream of one token to which two sublayers add."""
    writes, x = [], torch.tensor([before])
    for part, vector in zip(("attention 1", "feed-forward 1"), added, strict=True):
        after = x + torch.tensor([vector])
        writes.append(Write(part, x, torch.tensor([vector]), after))
        x = after
    return Stream(torch.tensor([before]), tuple(writes), (), torch.zeros(0), x, x)


def test_the_stream_s_growth_and_the_longest_vector_are_named():
    stream = stream_of([[3.0, 0.0], [0.0, -4.0]], [3.0, 0.0])
    told = WORDS.label("says.stream", **describe_stream(stream, 0, "a", True))
    assert "grows from 3.00 to **7.21**" in told and told.endswith(
        "Feed-forward 1 adds the longest vector (4.00)."
    )


def test_a_share_that_rounds_to_0_is_not_said_to_lower_the_logit():
    def told(shares):
        return WORDS.label("says.logit", **describe_logit(("token", "norm's offset"), shares, "a"))

    assert told([-0.004, 3.0]).endswith("No part lowers it by 0.01 or more.")
    assert told([-0.4, 3.0]).endswith("Token embedding lowers it most (−0.40).")


def test_a_vector_of_length_0_has_no_place_on_the_logarithmic_axis():
    figure = length_figure(stream_of([[0.0, 0.0], [1.0, 0.0]], [1.0, 0.0]), 0, ["a"])
    assert [trace.y for trace in figure.data] == [[None, 1.0], [1.0, 1.0, 2.0]]


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [(0.1, 0.2, "worse"), (-0.2, -0.1, "better"), (-0.1, 0.1, "too close to call")],
)
def test_a_verdict_is_worse_better_or_too_close_to_call(low, high, told):
    cost = Interval((low + high) / 2, 0.01, low, high)
    verdict = "worse" if cost.low > 0 else "better" if cost.high < 0 else "close"
    assert told in WORDS.label(
        "says.cost", form="x", cost=cost.mean, verdict=verdict, low=low, high=high, plays=2
    )


def test_a_cut_costs_more_only_where_its_losses_are_larger():
    losses = {WHOLE: [np.array([1.0, 2.0])], "no norm": [np.array([2.0, 3.5])]}
    found = cut_costs(Trainings({}, losses, {"no norm": np.array([2.0, 3.0])}, 25, 1024))
    assert (
        found["no norm"].mean
        == 1.0
        < costs(first_losses(Trainings({}, losses, {}, 25, 1024)))["no norm"].mean
    )
