"""The lesson on size counts what models have, and says of four small ones no more than four can tell."""

import numpy as np
import pytest

from core.figures.transformers.model_size import abbreviate_count
from core.models.stored import load_card
from core.models.stored_language_models import stored_language_model
from core.models.transformers.model_sizes import losses_on, sized_runs
from core.models.transformers.power_law import fit_power_law, floors_that_fit, loss_intervals
from core.models.transformers.published_shapes import NAMES, published_shapes
from core.models.transformers.transformer_size import (
    overtaken_at,
    parameter_parts,
    parameters,
    reading_operations,
    without_embeddings,
)
from pages.transformers.model_size.figures import in_bytes
from pages.transformers.model_size.page import MEASURED_ON, REACHES, STORY
from tests.lessons.lesson_page import (
    document,
    figures,
    metrics,
    numbers,
    open_lesson,
    picture,
    said,
    said_in,
    table_with,
)
from tests.lessons.n_grams.three_texts import PASTED

SHAPES = {each.name: each.shape for each in published_shapes()}


FOLDS = {"memory": "true", "training": "true", "law": "true", "runs": "true"}


def opened(text=PASTED, **query):
    app = open_lesson("model_size", text, **FOLDS, **query)
    assert not app.exception
    return app


@pytest.fixture(scope="module")
def first():
    return opened(below="Every number")


def bars(app):
    """Return the shares of the first picture, {part: (of numbers, of operations)}."""
    return {trace["name"]: trace["x"] for trace in figures(app)[0]["data"]}


def test_the_course_s_own_model_is_counted_as_it_is(first):
    network = stored_language_model("char_gpt").network
    count = sum(p.numel() for p in network.parameters())
    assert f"{NAMES['char_gpt']} learns {count:,} parameters" in said(first)
    assert "as many as the stored model has" in said(first)
    shown = [row["text"] for row in picture("model_size", "shape")["panels"][0]["rows"]]
    assert shown[-1] == f"{sum(p.numel() for p in network.parameters() if p.ndim == 1):,}"
    assert sum(int(text.replace(",", "")) for text in shown) == count
    assert f"The sum is {count:,} parameters" in said_in(document("model_size", "shape"))


def test_the_bars_are_the_shares_of_numbers_and_of_operations():
    app = opened(model="GPT-3", tokens="1024")
    shape = SHAPES["GPT-3"]
    N, work = parameters(shape), reading_operations(shape, 1024)
    shown = bars(app)
    assert shown["embedding"] == pytest.approx([50_257 * 12_288 / N, 0])
    scores = work["scores"] / sum(work.values())
    assert shown["scores"] == pytest.approx([0, scores])
    assert np.sum(list(shown.values()), axis=0) == pytest.approx([1, 1])
    assert f"take {scores:.0%} of the work. From T = {overtaken_at(shape):,} on" in said(app).replace(
        "**", ""
    )
    assert "Its makers say 175.0B" in said(app).replace("**", "")
    assert "half of the layers attend to nearby tokens only" in said(app)
    assert "nearby tokens" not in said(opened(model="GPT-2 XL"))


def test_memory_is_counted_in_the_bits_that_are_chosen_and_sharing_is_told():
    app = opened(model="Llama 3.1 8B", tokens="131072", bits="32 bits")
    a_token = 4 * 2 * 32 * 8 * 128  # bytes, twice (keys, values), layers, sets, numbers
    text = said(app).replace("**", "")
    assert f"In 32 bits its weights take {in_bytes(4 * parameters(SHAPES['Llama 3.1 8B']))}." in text
    assert (
        f"keeps {in_bytes(a_token)} of keys and values: 131,072 tokens keep {in_bytes(a_token * 131_072)}"
        in text
    )
    assert "Its 32 heads share 8 sets of keys and values, 4 heads each" in text
    assert "sets of keys and values" not in said(opened(bits="32 bits"))


def test_more_tokens_than_the_model_was_trained_to_read_are_called_arithmetic():
    assert "arithmetic only" in said(opened(tokens="512"))
    assert "arithmetic only" not in said(opened())


def test_training_is_six_n_d_and_a_model_of_unknown_data_is_said_to_be():
    text = said(opened(model="GPT-3")).replace("**", "")
    assert f"= {abbreviate_count(6 * parameters(SHAPES['GPT-3']) * 300e9)} operations" in text
    assert "Its makers say 3.14·10²³" in text
    assert "How many tokens GPT-2 XL read is not known here" in said(opened(model="GPT-2 XL"))


@pytest.mark.parametrize(
    ("count", "size"),
    [("without", without_embeddings), ("without embeddings", without_embeddings), ("all", parameters)],
)
def test_the_law_is_fitted_to_the_recorded_losses(count, size):
    app = opened(count=count)
    runs = sized_runs()
    sizes, losses = [size(run.shape) for run in runs], [run.loss for run in runs]
    law = fit_power_law(sizes, losses)
    assert f"loss = {law.a:.2f} · N^−{law.b:.3f}" in said(app)
    drawn = next(each for each in figures(app) if "a N⁻ᵇ, fitted" in str(each))
    points = next(trace for trace in drawn["data"] if "error_y" in trace)
    assert points["y"] == pytest.approx(losses)
    high = loss_intervals(np.stack([run.by_piece for run in runs]))[:, 1]
    assert points["error_y"]["array"] == pytest.approx((high - losses).tolist())


def test_without_the_largest_the_law_predicts_it_and_the_sentence_is_true():
    whole, broken = opened(), opened(left_out="true")
    runs = sized_runs()
    sizes, losses = [without_embeddings(run.shape) for run in runs], [run.loss for run in runs]
    law = fit_power_law(sizes[:-1], losses[:-1])
    told = float(law([sizes[-1]])[0])
    assert f"the law predicts {told:.3f} nats. It has {losses[-1]:.3f}" in said(broken).replace("**", "")
    low, high = loss_intervals(np.stack([run.by_piece for run in runs]))[-1]
    where = "within" if low <= told <= high else "above" if told > high else "below"
    assert f"The prediction is {where} this interval" in said(broken)
    assert metrics(broken)["Exponent b, without the largest"] == f"{law.b:.3f}"
    assert numbers(figures(whole)[-2]) != numbers(figures(broken)[-2])


def test_what_four_points_leave_open_is_said_from_the_fits(first):
    runs = sized_runs()
    sizes, losses = [without_embeddings(run.shape) for run in runs], [run.loss for run in runs]
    intervals = loss_intervals(np.stack([run.by_piece for run in runs]))
    laws = floors_that_fit(sizes, losses, float(np.diff(intervals).min() / 2))
    if len(laws) > 1:
        assert f"any c from {laws[0].c:.2f} to {laws[-1].c:.2f}" in said(first)
    assert "4 models with one seed on one text" in said(first)


def test_the_learner_s_text_is_read_by_all_four(first):
    read, own = losses_on(PASTED[:MEASURED_ON])
    assert read == len(PASTED)
    listed = ", ".join(f"{loss:.3f}" for loss in own)
    assert f"{listed} nats per character" in said(first)
    assert "Each larger model does better" in said(first) or "A larger model is not always better" in said(
        first
    )


def test_the_table_of_parts_adds_up_to_the_model(first):
    table = table_with(first, "share of parameters").set_index("part")
    counts = {**parameter_parts(SHAPES[NAMES["char_gpt"]]), "scores": 0}
    counts["attention output"] = counts.pop("attention's output")
    assert table["parameters"].to_dict() == counts
    assert table["operations"].sum() == sum(reading_operations(SHAPES[NAMES["char_gpt"]], 256).values())


def test_losses_along_the_way_can_stand_against_operations():
    assert figures(opened(against="operations, 6 N D")) == figures(opened(against="work"))
    against = figures(opened(against="work"))[-1]["data"]
    for trace, run in zip(against, sized_runs(), strict=True):
        assert trace["x"] == pytest.approx([6 * parameters(run.shape) * read for read, _ in run.along])
        assert trace["y"][-1] == pytest.approx(run.along[-1][1])


def test_until_the_guess_neither_shares_nor_the_crossing_are_shown():
    app = opened(predict="true")
    assert "they take over half" not in said(app)
    assert not any("scores" in str(each) for each in figures(app))


@pytest.mark.parametrize("text", ["x", "早上好", "", "\n", "word " * 2000])
def test_no_text_breaks_the_page(text):
    text_said = said(opened(text, left_out="true"))
    if text == "x":
        assert "On the one character read" in text_said
    if text in ("早上好", ""):
        assert "no character that these models read" in text_said


@pytest.mark.parametrize(
    ("model", "tokens"), [("Llama 3.1 405B", "1048576"), (NAMES["word_gpt"], "64"), ("GPT-2 small", "64")]
)
def test_every_kind_of_model_opens_at_an_end_of_t(model, tokens):
    assert f"{model} learns {parameters(SHAPES[model]):,} parameters" in said(
        opened(model=model, tokens=tokens)
    )


# The story, against counts by hand.


def rows_of(beat, *args, **changes):
    return {row["mark"]: row for row in picture("model_size", beat, *args, **changes)["panels"][0]["rows"]}


def test_two_thirds_of_gpt_3_are_in_its_feed_forward_layers():
    L, C, V = 96, 12_288, 50_257
    whole = V * C + 2048 * C + L * (12 * C * C + 13 * C) + 2 * C  # with biases and norms
    assert whole == parameters(SHAPES["GPT-3"])
    rows = rows_of("gpt3", True)
    assert rows["row.feed_forward"]["to"] == pytest.approx((8 * L * C * C + 5 * L * C) / whole)
    assert rows["row.attention"]["to"] == pytest.approx((4 * L * C * C + 4 * L * C) / whole)
    assert rows["row.embedding"]["to"] == pytest.approx(V * C / whole)
    assert all(row["to"] == 0 and row["text"] == "?" for row in rows_of("gpt3").values())
    answer = document("model_size", "gpt3", True)
    assert answer["ask"]["answer"] == "under" and "have 66% of all" in said_in(answer)
    small = 50_257 * 768 / parameters(SHAPES["GPT-2 small"])
    assert SHAPES["GPT-2 small"].vocabulary_size == V and rows["row.embedding"]["to"] < 0.01
    assert f"{small:.0%} of its parameters are in the embedding" in said_in(document("model_size", "gpt3"))
    rest = 1 - sum(row["to"] for row in rows.values())
    assert "174.6B" in answer["measured"] and round(100 * rest, 2) == 0.02
    assert abs(whole / 175.0e9 - 1) < 0.003


def test_the_embedding_s_share_falls_with_the_width():
    shares = [row["to"] for row in rows_of("width").values()]
    assert shares == sorted(shares, reverse=True)
    for name, share in zip(("GPT-2 small", "GPT-3"), (shares[0], shares[-1]), strict=True):
        assert share == pytest.approx(50_257 * SHAPES[name].width / parameters(SHAPES[name]))
    assert "grows 16 times, so a layer grows 256 times" in said_in(document("model_size", "width"))


@pytest.mark.parametrize("power", range(10, 21))
def test_the_learner_is_told_whether_this_t_is_the_first_with_more_than_half(power):
    layers, C, T = 32, 4096, 2**power
    M = layers * (2 * C * C + 2 * C * 1024 + 3 * C * 14_336) + 128_256 * C
    scores = 2 * layers * C * T * (T + 1)
    share = scores / (scores + 2 * T * M)
    rows = rows_of("work", power=power)
    assert rows["row.scores"]["to"] == pytest.approx(share)
    assert rows["row.matrices"]["to"] == pytest.approx(1 - share)
    told = document("model_size", "work", power=power)["done"]
    half = 4 * layers * C * (T // 2) * (T // 2 + 1) / 2
    earlier = half > T * M  # of half as many tokens
    assert ("Yes" in told) == (share > 0.5 and not earlier)
    assert ("needs a longer text" in told) == (share <= 0.5)
    assert ("already enough" in told) == earlier
    assert f"{share:.0%} of the" in told.replace("<strong>", "").replace("</strong>", "")


def test_the_cache_of_the_longest_text_is_larger_than_the_weights():
    rows = rows_of("cache")
    a_token = 2 * 2 * 32 * 1024  # bytes, keys and values, layers, 8 sets of 128
    assert rows["row.weights"]["to"] == 2 * parameters(SHAPES["Llama 3.1 8B"])
    assert [rows[f"row.cache.{T}"]["to"] for T in REACHES] == [a_token * T for T in REACHES]
    assert rows["row.cache.131072"]["to"] > rows["row.weights"]["to"] > rows["row.cache.32768"]["to"]
    assert f"KV cache: {in_bytes(a_token)} per token" in said_in(document("model_size", "cache"))


def test_training_gpt_3_takes_what_its_makers_say():
    operations = 6 * 174_604_259_328 * 300e9
    words = said_in(document("model_size", "training"))
    assert (
        f"that is {abbreviate_count(operations)} operations, 996 million times" in words
        and operations == pytest.approx(3.14e23, rel=0.01)
    )
    assert "has 174.6 billion parameters" in words
    assert operations in picture("model_size", "training")["figure"]["data"][0]["x"]


def test_the_fourth_model_is_hidden_until_it_is_asked_and_worse_than_the_law_of_three():
    runs = sized_runs()
    sizes, losses = [without_embeddings(run.shape) for run in runs], [run.loss for run in runs]
    slope, height = np.polyfit(np.log(sizes[:3]), np.log(losses[:3]), 1)
    told = np.exp(height + slope * np.log(sizes[3]))
    low = loss_intervals(np.stack([run.by_piece for run in runs]))[3][0]
    assert told < low < losses[3]  # so the answer is: above
    before, after = (
        picture("model_size", "largest", revealed)["figure"]["data"] for revealed in (False, True)
    )
    drawn = [next(trace for trace in each if "error_y" in trace) for each in (before, after)]
    assert [len(trace["y"]) for trace in drawn] == [3, 4]
    answer = document("model_size", "largest", True)
    assert answer["ask"]["answer"] == "above"
    assert f"reaches {losses[3]:.2f} nats per character, worse than the predicted {told:.2f}" in said_in(
        answer
    )
    gains = [
        1 - (losses[i + 1] / losses[i]) ** (np.log(10) / np.log(sizes[i + 1] / sizes[i])) for i in range(3)
    ]
    assert gains == sorted(gains, reverse=True)  # so the three points bend, and the fourth bends on
    assert f"took off {gains[0]:.0%} at first, but {gains[2]:.0%} here" in said_in(answer)
    assert f"took off {gains[0]:.0%} at first and {gains[2]:.0%} at last" in said_in(
        document("model_size", "answer")
    )
    ten = 1 - 10**slope
    assert f"take {ten:.0%} off the loss" in said_in(document("model_size", "line"))


def test_the_line_misses_two_of_the_three_points_it_was_fitted_to():
    runs = sized_runs()[:3]
    sizes, losses = [without_embeddings(run.shape) for run in runs], [run.loss for run in runs]
    intervals = loss_intervals(np.stack([run.by_piece for run in runs]))
    misses = [
        not low <= told <= high
        for told, (low, high) in zip(fit_power_law(sizes, losses)(sizes), intervals, strict=True)
    ]
    measured = document("model_size", "line")["measured"]
    assert sum(misses) == 2 and "misses the intervals of two of the three" in measured
    assert f"{np.exp(-losses[0]):.0%} from the smallest model and {np.exp(-losses[2]):.0%}" in measured


def test_all_four_read_the_same_characters_and_had_more_to_read():
    runs, card = sized_runs(), load_card("model_sizes")
    (read,) = {run.along[-1][0] for run in runs}
    (corpus,) = card.corpus.values()
    assert read < corpus["training characters"] and "not searched" in card.config["note"]
    assert [run.shape.layers for run in runs] == [2, 2, 2, 3]
    answer = document("model_size", "largest", True)
    each = read / without_embeddings(runs[-1].shape)
    assert f"All four read {abbreviate_count(read)} characters, for this one only {each:.0f} per" in said_in(
        answer
    )


def test_the_story_ends_with_every_part_of_gpt_3():
    assert len(STORY) == 9
    assert sum(row["to"] for row in rows_of("answer").values()) == pytest.approx(174.604259328)
