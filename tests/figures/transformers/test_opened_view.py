"""What the opened model's view is sent: each level's numbers are the model's, each cell's formula gives its number."""

import base64
import json
import re

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.figures.transformers.matrices import PARTS, code_line
from core.figures.transformers.opened_view import WINDOW, LabelledReading, closed_view, opened_view
from core.figures.transformers.place import LEVELS, placed
from core.figures.transformers.worked_cells import worked_cell
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.transformers.opened_gpt import open_gpt


@pytest.fixture(scope="module")
def reading():
    torch.manual_seed(0)
    network = GPT(GPTConfig(vocabulary_size=400, context=12, layers=2, heads=2, width=8)).eval()
    for parameter in network.parameters():
        parameter.data += 0.2 * torch.randn_like(parameter)
    ids = torch.tensor([3, 1, 4, 1, 5, 9])
    names = [f"t{i}" for i in ids.tolist()]
    return LabelledReading(network, open_gpt(network, ids), names, np.array([f"v{i}" for i in range(400)]))


def every_matrix(reading):
    for stage, parts in enumerate(reading.opened.stages):
        for part in parts:
            for matrix in PARTS[part].matrices:
                yield stage, part, matrix


def numbers_sent(data):
    if "values" in data:
        return np.frombuffer(base64.b64decode(data["values"]), "<f4")
    return np.frombuffer(base64.b64decode(data["shares"]), "<i2") / 32767 * data["rows"][0]["reach"]


def in_latex(text):
    """Return a number as the worked formulas write it."""
    plain = re.sub(r"\s*\\cdot 10\^\{(-?\d+)\}", r"e\1", text.strip())
    return -np.inf if plain == r"-\infty" else float(plain)


def test_the_formula_of_every_kind_of_cell_ends_in_that_cell_s_number(reading):
    for stage, part, matrix in every_matrix(reading):
        place = placed(f"cell.{stage}.{part}.{matrix.name}.2.5.3", reading.opened)
        assert (place.part, place.matrix) == (part, matrix.name)
        worked = worked_cell(reading.model, reading.opened, place)
        value = reading.tensor(place)[place.token, place.number]
        assert in_latex(worked.filled.split("=")[-1]) == pytest.approx(value, rel=2e-3, abs=1e-6), matrix
        if worked.one is not None:
            assert float(worked.one @ worked.other) == pytest.approx(value, abs=1e-5), matrix


@pytest.mark.parametrize("matrix", ["masked", "exponentials", "weights"])
def test_a_later_key_s_formula_says_that_it_is_hidden(reading, matrix):
    place = placed(f"cell.1.attention.{matrix}.1.2.5", reading.opened)
    assert r"\infty" in worked_cell(reading.model, reading.opened, place).filled


def test_a_matrix_and_the_numbers_around_a_cell_are_the_model_s(reading):
    for stage, part, matrix in every_matrix(reading):
        for level in ("matrix", "cell"):
            place = placed(f"{level}.{stage}.{part}.{matrix.name}.1.6.6", reading.opened)
            data, whole = opened_view(reading, place), reading.tensor(place)
            rows, first = len(data["rows"]), data["first"]
            top = data.get("firstRow", 0)
            part_of = whole[top : top + rows, first : first + data["rows"][0]["n"]]
            seen = np.where(np.isfinite(part_of), part_of, 0)
            sent = numbers_sent(data).reshape(seen.shape)
            np.testing.assert_allclose(sent, seen, atol=3e-5 * (np.abs(seen).max() + 1e-9))
            assert (top + data["row"], first + data["column"]) == (place.token, place.number)
            assert data["causal"] == bool(
                np.isneginf(whole).any() or (matrix.causal and not np.triu(whole, 1).any())
            )


def test_a_wide_matrix_is_sent_in_windows(reading):
    data = opened_view(reading, placed("matrix.3.output.logits.1.2.300", reading.opened))
    assert (data["first"], data["of"], data["rows"][0]["n"]) == (WINDOW, 400, WINDOW)
    assert data["columns"][data["column"]] == "v299"


def test_the_model_s_and_the_block_s_rows_are_the_lengths_of_vectors(reading):
    stages = reading.opened.stages
    data = opened_view(reading, placed("", reading.opened))
    sent = numbers_sent(data).reshape(len(data["rows"]), -1)
    np.testing.assert_allclose(sent[1:5].reshape(2, 2, -1), reading.opened.added(), rtol=1e-5)
    np.testing.assert_allclose(sent[0], stages[0]["embedding"].stream.norm(dim=-1), rtol=1e-5)
    assert (data["rows"][data["row"]]["place"]["stage"], data["column"]) == (2, 5), (
        "opens on the last block and token"
    )
    data = opened_view(reading, placed("block.1.add_1.after.1.4.1", reading.opened))
    sent = numbers_sent(data).reshape(6, -1)
    np.testing.assert_allclose(sent[data["row"]], stages[1]["add_1"].after.norm(dim=-1), rtol=1e-5)


def test_a_part_s_rows_are_one_token_s_numbers_and_stop_at_the_mask(reading):
    data = opened_view(reading, placed("part.1.attention.weights.2.3.1", reading.opened))
    starts = np.cumsum([0, *(row["n"] for row in data["rows"])])
    sent, at = numbers_sent(data), data["row"]
    weights = reading.opened.stages[1]["attention"].weights[1, 2]
    np.testing.assert_allclose(sent[starts[at] : starts[at + 1]], weights[:3], rtol=1e-5)


def test_the_chances_and_the_rest_are_the_whole_vocabulary(reading):
    found = opened_view(reading, placed("", reading.opened))["panel"]["chances"]
    p = reading.opened.stages[-1]["output"].probabilities[-1].numpy()
    assert [each["p"] for each in found["top"]] == pytest.approx(
        np.sort(p)[::-1][: len(found["top"])].tolist()
    )
    rest = 1 - sum(each["p"] for each in found["top"])
    assert found["rest"] == f"the other {400 - len(found['top'])}: {rest:.1%}"


def test_before_a_guess_no_number_is_sent(reading):
    data = closed_view(reading, placed("", reading.opened))
    assert not numbers_sent(data).any()
    assert data["panel"] == {}
    assert {row["reach"] for row in data["rows"]} == {1.0}


WORDS = st.sampled_from(
    ["", "model", "cell", "matrix", "x", "attention", "norm", "weights", "0", "2", "9", "77777777", "²"]
)


@given(st.lists(WORDS, max_size=9).map(".".join))
@settings(max_examples=40, deadline=None)
def test_any_address_opens_somewhere_and_its_place_is_found_again(reading, written):
    place = placed(written, reading.opened)
    assert place.level in LEVELS
    assert placed(place.written, reading.opened) == place
    json.dumps(opened_view(reading, place), allow_nan=False)


def test_every_matrix_shows_a_line_of_the_code_that_ran(reading):
    for _, _, matrix in every_matrix(reading):
        assert code_line(matrix.code).startswith(matrix.code[1])
