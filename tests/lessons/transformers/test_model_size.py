"""The lesson on size counts what models have, and says of four small ones no more than four can tell."""

import numpy as np
import pytest

from core.figures.transformers.model_size import in_bytes, in_words
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
from pages.transformers.model_size import MEASURED_ON
from tests.lessons.lesson_page import figures, metrics, numbers, open_lesson, said, table_with
from tests.lessons.n_grams.three_texts import PASTED

SHAPES = {each.name: each.shape for each in published_shapes()}


def opened(text=PASTED, **query):
    app = open_lesson("model_size", text, **query)
    assert not app.exception
    return app


@pytest.fixture(scope="module")
def first():
    return opened(below="Every number", beat="model_size.1")


def bars(app):
    """Return the shares of the first picture, {part: (of numbers, of operations)}."""
    return {trace["name"]: trace["x"] for trace in figures(app)[0]["data"]}


def test_the_course_s_own_model_is_counted_as_it_is(first):
    network = stored_language_model("char_gpt").network
    assert f"{NAMES['char_gpt']} learns {sum(p.numel() for p in network.parameters()):,} numbers" in said(
        first
    )
    assert "as many as the stored model has" in said(first)
    norms = sum(p.numel() for p in network.parameters() if p.ndim == 1)
    assert f"the other {norms:,} are in norms and biases" in said(first)


def test_the_bars_are_the_shares_of_numbers_and_of_operations():
    app = opened(model="GPT-3", tokens="1024")
    shape = SHAPES["GPT-3"]
    N, work = parameters(shape), reading_operations(shape, 1024)
    shown = bars(app)
    assert shown["embedding"] == pytest.approx([50_257 * 12_288 / N, 0])
    scores = work["scores"] / sum(work.values())
    assert shown["scores"] == pytest.approx([0, scores])
    assert np.sum(list(shown.values()), axis=0) == pytest.approx([1, 1])
    assert f"take {scores:.0%} of the work; from T = {overtaken_at(shape):,} on, over half" in said(app)
    assert "its makers say 175.0B" in said(app).replace("**", "")


def test_memory_is_counted_in_the_bits_that_are_chosen_and_sharing_is_told():
    app = opened(model="Llama 3.1 8B", tokens="131072", bits="32 bits")
    a_token = 4 * 2 * 32 * 8 * 128  # bytes, twice (keys, values), layers, sets, numbers
    text = said(app)
    assert f"In 32 bits its weights take {in_bytes(4 * parameters(SHAPES['Llama 3.1 8B']))}." in text
    assert (
        f"keeps {in_bytes(a_token)} of keys and values: 131,072 tokens {in_bytes(a_token * 131_072)}" in text
    )
    assert "Its 32 heads share 8 sets of keys and values, 4 heads each" in text
    assert "sets of keys and values" not in said(opened(bits="32 bits"))


def test_more_tokens_than_the_model_was_trained_to_read_are_called_arithmetic():
    assert "arithmetic only" in said(opened(tokens="512"))
    assert "arithmetic only" not in said(opened())


def test_training_is_six_n_d_and_a_model_of_unknown_data_is_said_to_be():
    text = said(opened(model="GPT-3"))
    assert f"= {in_words(6 * parameters(SHAPES['GPT-3']) * 300e9)} operations" in text
    assert "Its makers say 3.14·10²³" in text
    assert "How many tokens GPT-2 XL read is not known here" in said(opened(model="GPT-2 XL"))


@pytest.mark.parametrize(("count", "size"), [("without embeddings", without_embeddings), ("all", parameters)])
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


def test_without_the_largest_the_law_foretells_it_and_the_sentence_is_true():
    whole, broken = opened(), opened(left_out="true", beat="model_size.7")
    runs = sized_runs()
    sizes, losses = [without_embeddings(run.shape) for run in runs], [run.loss for run in runs]
    law = fit_power_law(sizes[:-1], losses[:-1])
    told = float(law([sizes[-1]])[0])
    assert f"the law foretells {told:.3f} nats; it has {losses[-1]:.3f}" in said(broken).replace("**", "")
    low, high = loss_intervals(np.stack([run.by_piece for run in runs]))[-1]
    where = "within" if low <= told <= high else "above" if told > high else "below"
    assert said(broken).count(f"What was foretold is {where} it") == 2, "on the page and in the tour"
    assert metrics(broken)["Exponent b, broken"] == f"{law.b:.3f}"
    assert numbers(figures(whole)[-2]) != numbers(figures(broken)[-2])


def test_what_four_points_leave_open_is_said_from_the_fits(first):
    runs = sized_runs()
    sizes, losses = [without_embeddings(run.shape) for run in runs], [run.loss for run in runs]
    intervals = loss_intervals(np.stack([run.by_piece for run in runs]))
    laws = floors_that_fit(sizes, losses, float(np.diff(intervals).min() / 2))
    if len(laws) > 1:
        assert f"any floor c from {laws[0].c:.2f} to {laws[-1].c:.2f}" in said(first)
    assert "4 models, one seed, one text" in said(first)


def test_the_learner_s_text_is_read_by_all_four(first):
    read, own = losses_on(PASTED[:MEASURED_ON])
    assert read == len(PASTED)
    listed = ", ".join(f"{loss:.3f}" for loss in own)
    assert f"{listed} nats a character" in said(first)
    assert "each larger one does better" in said(first) or "a larger one is not always better" in said(first)


def test_the_table_of_parts_adds_up_to_the_model(first):
    table = table_with(first, "share of numbers").set_index("part")
    assert table["numbers"].to_dict() == {**parameter_parts(SHAPES[NAMES["char_gpt"]]), "scores": 0}
    assert table["operations"].sum() == sum(reading_operations(SHAPES[NAMES["char_gpt"]], 256).values())


def test_losses_along_the_way_can_stand_against_operations():
    against = figures(opened(against="operations, 6 N D"))[-1]["data"]
    for trace, run in zip(against, sized_runs(), strict=True):
        assert trace["x"] == pytest.approx([6 * parameters(run.shape) * read for read, _ in run.along])
        assert trace["y"][-1] == pytest.approx(run.along[-1][1])


def test_until_the_guess_neither_shares_nor_the_crossing_are_shown():
    app = opened(predict="true")
    assert "over half" not in said(app).replace("over half of the work of reading", "")
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
    assert f"{model} learns {parameters(SHAPES[model]):,} numbers" in said(opened(model=model, tokens=tokens))
