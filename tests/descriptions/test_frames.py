"""What is said of a step of an algorithm: its sentence and its numbers, found again without core.descriptions."""

import base64
import json
import re

import numpy as np
import pytest

from core.descriptions.document import describe_picture
from core.descriptions.frames import FRAMES
from core.words.language import speaking
from pages.gallery import examples, read
from tests.descriptions.top_cells import number

PATHS = {path.name.split(".")[0]: path for path in examples("steps")}
KINDS = sorted(PATHS)
each_kind = pytest.mark.parametrize("kind", KINDS)
NOT_SPANISH = re.compile(
    r"\b(the|of|with|and|number|largest|smallest|rows?|columns?|bars?|step|words?|target|weights?|layers?)\b",
    re.IGNORECASE,
)


def example(kind):
    return read(PATHS[kind])


def told(kind, start=None, **changes):
    """Return the description of a kind's example, at a step of it."""
    data = example(kind)
    return describe_picture("steps", data | ({} if start is None else {"start": start}) | changes)


def alone(picture, shared=None, **more):
    """Return the description of one step with a picture."""
    frame = {
        "name": "one",
        "picture": picture,
        "alt": "",
        "said": "",
        "notes": [],
        "formulas": [],
        "code": None,
    }
    return describe_picture("steps", {"frames": [frame | more], "total": 1, "shared": shared, "start": 0})


def floats(sent):
    return np.frombuffer(base64.b64decode(sent), "<f4")


def shares(sent):
    return np.frombuffer(base64.b64decode(sent), "<i2") / 32767


def column_tops(picture):
    return [max(column["values"]) for column in picture["columns"]]


def decoder_tops(picture, shared):
    states = shares(shared["states"]).reshape(len(shared["inputs"]), -1)
    vectors = [np.array(picture["weights"]) @ states, *shares(picture["last"]).reshape(2, -1)]
    return [
        max(picture["scores"]),
        max(picture["weights"]),
        max(map(max, vectors)),
        *column_tops(picture["outputs"]),
    ]


def lens_tops(picture, shared):
    width = len(shared["columns"])
    seen = [
        value
        for at, (word, value) in enumerate(zip(shared["words"], shared["values"], strict=True))
        if word is not None and at % width <= picture["layer"]
    ]
    return [max(seen), *column_tops(picture["chances"])]


def two_ways_tops(picture, shared):
    read, n = picture["read"], len(shared["words"])
    ahead, back = (shares(shared[way]).reshape(n, -1) for way in ("ahead", "back"))
    return [ahead[:read].max(), back[n - read :].max()]


def merging_tops(picture, _):
    return column_tops(picture["rivals"]) if picture["rivals"] else []


def masking_tops(picture, shared):
    if picture["reached"] < 3:
        return []
    p = [number(each["p"]) for each in shared["tokens"] if each["p"]]
    losses = [number(each["loss"].split()[-1]) for each in shared["tokens"] if each["loss"]]
    return [max(p), max(losses)] if picture["reached"] > 3 else [max(p)]


def surface_tops(picture, shared):
    return [max(shared["losses"][: picture["at"] + 1])] if picture["at"] else []


def unrolled_tops(picture, shared):
    return [max(number(each) for each in shared["norms"][-picture["reached"] :])]


# The largest number of each measure, in turn, from the data of a step alone.
TOPS = {
    "bars": lambda picture, _: column_tops(picture),
    "chances": lambda picture, _: [max(picture["p"])],
    "decoder": decoder_tops,
    "examples": lambda _, shared: [max(map(number, shared[each])) for each in ("probabilities", "losses")],
    "factors": lambda _, shared: [max(each for each in shared["bits"] if each is not None)],
    "lens": lens_tops,
    "masking": masking_tops,
    "matrices": lambda picture, _: [floats(panel["values"]).max() for panel in picture["panels"]],
    "merging": merging_tops,
    "shifted": lambda _, shared: [max(shared["losses"])],
    "sliding": lambda picture, _: [floats(picture["matrix"]["panels"][0]["values"]).max()],
    "surface": surface_tops,
    "twoWays": two_ways_tops,
    "unrolled": unrolled_tops,
    "window": lambda *_: [],
}


def in_text(text):
    """Return the number that stands in a text: alone, behind a word, or before the name of its column."""
    parts = [text.partition(" at ")[0], text.partition(" → ")[0], text.rpartition(" ")[2]]
    found = next(each for each in map(number, parts) if each is not None)
    return found / 100 if text.endswith("%") else found


def test_every_kind_of_picture_is_described_and_has_an_example():
    kinds = json.loads((PATHS["bars"].parent / "schema.json").read_text(encoding="utf-8"))
    assert (
        set(kinds["$defs"]["picture"]["properties"]["kind"]["enum"]) == set(FRAMES) == set(KINDS) == set(TOPS)
    )


@each_kind
def test_the_step_and_its_sentence_are_told(kind):
    data = example(kind)
    for at, frame in enumerate(data["frames"]):
        found = told(kind, at)
        assert found.sentence.startswith(f"Step {at + 1} of {data['total']}: {frame['name']}. ")
        assert " ".join((frame["said"] or frame["alt"]).split()) in found.sentence
        assert not re.search(r"[{}]|None|\bnan\b", f"{found.sentence} {found.axes}"), found.sentence
        assert found.rows and all(found.columns) and all(row[0] for row in found.rows)
        assert {len(row) for row in found.rows} == {len(found.columns)}
        assert len(set(found.columns)) == len(found.columns)


@each_kind
def test_the_largest_number_of_each_measure_at_each_step_is_told(kind):
    data = example(kind)
    for at, frame in enumerate(data["frames"]):
        expected = TOPS[kind](frame["picture"], data["shared"])
        expected += column_tops(frame["below"]) if frame.get("below") else []
        found = told(kind, at)
        assert len(found.largest) == len(expected), frame["name"]
        for each, value in zip(found.largest, expected, strict=True):
            assert in_text(each.text) == pytest.approx(value, rel=5e-2, abs=6e-4), (frame["name"], each)
            several = f"{each.measure}: all {each.text}." in found.sentence
            assert several or f"{each.measure}: largest {each.text} ({each.row}" in found.sentence


@each_kind
def test_a_step_beyond_those_sent_is_the_last(kind):
    data = example(kind)
    last = len(data["frames"]) - 1
    assert told(kind, 99) == told(kind, last)
    assert told(kind, -1) == told(kind, 0)


def strings(found):
    """Yield all texts of some data, with the numbers that stand for names."""
    if isinstance(found, dict):
        for each in found.values():
            yield from strings(each)
    elif isinstance(found, list):
        for each in found:
            yield from strings(each)
    elif isinstance(found, str):
        yield " ".join(found.split())


@each_kind
def test_in_spanish_no_english_word_is_left_but_the_data_s(kind):
    with speaking("es"):
        found = told(kind)
    text = " | ".join((found.sentence, found.axes, *found.columns))
    for each in sorted(set(strings(example(kind))), key=len, reverse=True):
        if len(each) > 1:
            text = text.replace(each, "")
    assert found.sentence.startswith("Paso ")
    assert not NOT_SPANISH.findall(text), text


def test_a_bar_that_is_not_told_yet_is_not_compared():
    column = {"title": "p", "values": [0.9, 0.2], "texts": ["?", "0.20"]}
    found = alone({"kind": "bars", "rows": ["a", "b"], "marked": None, "columns": [column]})
    assert found.largest[0].text == "0.20" and "0.9" not in found.sentence
    assert found.rows == (("a", "?"), ("b", "0.20"))


def test_a_term_and_the_sum_up_to_it_are_two_columns_and_only_terms_are_compared():
    column = {
        "title": "ln p → sum",
        "values": [-1, -2, -1.5],
        "texts": ["−1", "−2 → −3", "−1.5 → −4.5"],
        "told": [
            {"title": "ln p", "texts": ["", "−2", "−1.5"], "runs": False},
            {"title": "sum so far", "texts": ["−1", "−3", "−4.5"], "runs": True},
        ],
    }
    picture = {"kind": "bars", "rows": ["the prior", "dull", "love"], "marked": -1, "columns": [column]}
    made = alone(picture)
    assert made.rows[1] == ("dull", "−2", "−3")
    assert "ln p: largest −1.5 (love), smallest −2 (dull)." in made.sentence
    assert "sum so far ends at −4.5." in made.sentence and len(made.largest) == 1


def test_what_a_later_step_shows_is_not_told():
    masking = told("masking", 0)
    assert masking.columns == ("Token", "Selected") and "<mask>" not in str(masking.rows)
    assert told("masking", 2).columns == ("Token", "Selected", "Shown to the model", "Predicted", "p")
    unrolled = told("unrolled", 0)
    assert [row[2] for row in unrolled.rows] == ["", "", "", "1.3"]
    lens = told("lens", 0)
    assert lens.columns == ("Row", "layer 0", "p of the next token after layer 0")
    ways = told("twoWays", 1)
    assert "HMM" not in ways.columns and "both" not in " ".join(ways.columns)
    assert [bool(row[1]) for row in ways.rows] == [True, True, *[False] * 5]
    assert [bool(row[3]) for row in ways.rows] == [*[False] * 5, True, True]
    assert len(told("surface", 3).rows) == 4


def test_cells_that_are_not_known_yet_are_left_out_of_a_lens():
    chances = {
        "kind": "bars",
        "rows": ["c"],
        "marked": 0,
        "columns": [{"title": "p", "values": [1], "texts": ["1"]}],
    }
    shared = {"title": "", "rows": ["a", "b"], "columns": ["0", "1"], "words": ["c", None, "d", None]}
    shared |= {"values": [0.25, 0.0, 0.5, 0.0], "chosen": 1, "settled": [[1, 1]]}
    found = alone({"kind": "lens", "layer": 1, "chances": chances}, shared)
    assert found.rows[:2] == (
        ("a", "“c” 25.0%", "", ""),
        ("b", "“d” 50.0%", "layer 1", ""),
    )
    assert (
        "Probability: largest “d” 50.0% (b at layer 0), smallest “c” 25.0% (a at layer 0)." in found.sentence
    )


def test_heat_maps_with_the_same_rows_are_columns_of_one_table():
    panels = [
        {"title": "A", "values": [1, 0, 0, 2], "width": 2},
        {"title": "B", "values": [-1, 0.5, 3, 0], "width": 2},
    ]
    found = alone(
        {"kind": "matrices", "rows": ["x", "y"], "columns": ["u", "v"], "panels": panels, "write": True}
    )
    assert found.columns == ("Row", "A, u", "A, v", "B, u", "B, v")
    assert found.rows == (("x", "1", "0", "−1", "0.50"), ("y", "0", "2", "3", "0"))
    assert "A: largest 2 (y at v), smallest 0 (x at v and 1 more)." in found.sentence
    assert "B: largest 3 (y at u), smallest −1 (x at u)." in found.sentence


def test_heat_maps_with_rows_of_their_own_stand_below_each_other_and_share_what_all_steps_share():
    sent = base64.b64encode(np.array([0.25, 0.75, np.nan, 1], "<f4").tobytes()).decode()
    first = {"title": "A", "width": 2, "rows": ["x", "y"], "columns": ["u", "v"], "reach": 1}
    second = {"title": "B", "values": [0.5], "width": 1, "rows": ["z"], "columns": ["w"], "reach": 1}
    picture = {"kind": "matrices", "rows": ["z"], "columns": None, "panels": [first, second], "write": False}
    found = alone(picture, {"values": sent})
    assert found.columns == ("Row", "u", "v", "w")
    assert found.rows == (
        ("x (A)", "0.2500", "0.7500", ""),
        ("y (A)", "masked", "1.0000", ""),
        ("z (B)", "", "", "0.5000"),
    )
    assert "with 1 masked entry. A: largest" in found.sentence and not found.axes
    assert "A: largest 1.0000 (y at v), smallest 0.2500 (x at u)." in found.sentence


def test_a_heat_map_without_a_title_is_compared_by_what_its_numbers_are():
    panel = {
        "title": "",
        "measure": "Gradient",
        "values": [0.5, -1],
        "width": 2,
        "signed": True,
        "bounds": [],
    }
    picture = {"kind": "matrices", "rows": ["x"], "columns": ["a", "b"], "panels": [panel], "write": True}
    assert "Gradient: largest 0.50 (x at a), smallest −1 (x at b)." in alone(picture).sentence


def test_a_wide_heat_map_tells_each_row_s_largest_and_smallest_number():
    data = example("matrices")
    panel = data["frames"][0]["picture"]["panels"][0]
    values = floats(panel["values"]).reshape(-1, panel["width"])
    found = told("matrices", 0)
    assert len(found.columns) <= 24
    for row, numbers in zip(found.rows, values, strict=False):
        assert row[1].endswith(f" at number {numbers.argmax() + 1}")
        assert row[2].endswith(f" at number {numbers.argmin() + 1}")
        assert float(row[3]) == pytest.approx(np.linalg.norm(numbers), rel=1e-2)


def test_a_decoder_s_context_is_the_sum_of_the_weighted_states():
    data = example("decoder")
    picture, shared = data["frames"][1]["picture"], data["shared"]
    context = np.array(picture["weights"]) @ shares(shared["states"]).reshape(len(shared["inputs"]), -1)
    row = next(row for row in told("decoder", 1).rows if row[0] == "context c")
    assert row[3] == f"{context.max():.3f} at number {context.argmax() + 1}"
    assert row[4] == f"{context.min():.3f} at number {context.argmin() + 1}".replace("-", "−")


def test_the_loss_on_the_path_is_the_one_that_the_step_says():
    data = example("surface")
    for at, frame in enumerate(data["frames"]):
        found = told("surface", at)
        said = float(re.search(r"J = ([\d.]+\d)", frame["said"])[1])
        assert float(found.rows[at][3]) == said
    assert "J is lowest at (1.58, −1.82), where it is 173.95." in found.sentence
    assert f"it goes up to {floats(data['shared']['values']).max():.2f}." in found.sentence
    assert "largest 186.94 (start)" in found.sentence


def test_a_loss_that_falls_for_ever_is_lowest_at_the_map_s_edge():
    shared = example("surface")["shared"] | {"least": None, "lowest": None}
    found = told("surface", 0, shared=shared)
    assert f"J goes from {floats(shared['values']).min():.2f} at (" in found.sentence


def test_the_probabilities_end_to_end_hold_the_random_number_in_the_row_that_is_drawn():
    data = example("chances")
    for at, frame in enumerate(data["frames"]):
        found, u = told("chances", at), frame["picture"]["u"]
        row = found.rows[frame["picture"]["drawn"]]
        assert float(row[2]) - 1e-3 <= u <= float(row[3]) + 1e-3
        assert found.sentence.count(f"u = {u:.3f} falls into") == 1
        assert f"Highlighted: {row[0]}." in found.sentence
    first = told("chances", 0)
    assert all("other" not in each.row for each in first.largest)
    assert "The 355 other tokens together: 0.647." in first.sentence


def test_taggers_that_disagree_are_told_with_the_tag_of_each_and_of_many_words_the_first():
    def hears(n):
        tagger = {"needs": "ahead", "sure": ["0.9"] * n}
        taggers = [tagger | {"name": name, "tags": [tag] * n} for name, tag in (("HMM", "N"), ("RNN", "V"))]
        words = [f"w{at}" for at in range(n)]
        state = base64.b64encode(np.ones(n, "<i2").tobytes()).decode()
        shared = {"words": words, "ahead": state, "back": state, "units": 1, "rows": taggers}
        return alone({"kind": "twoWays", "read": n}, shared | {"differ": [True] * n}).sentence

    assert "The taggers disagree on w0: HMM N, RNN V." in hears(1)
    assert "w5" in hears(8) and "w6" not in hears(8) and hears(8).endswith("They disagree on 2 more words.")


def test_a_window_tells_its_context_and_the_token_that_comes_next():
    found = told("window", 1)
    assert "Context: <s> nay. Next token: answer." in found.sentence
    assert [row[2] for row in found.rows[:5]] == ["", "Context", "Context", "next token", ""]


def test_an_example_that_peeks_sees_later_tokens_too():
    shared = {"tokens": ["a", "b", "c", "d"], "probabilities": ["0.5"] * 3, "losses": ["0.69"] * 3}
    found = alone({"kind": "examples", "at": 0}, shared | {"peek": True})
    assert found.rows[0] == ("t = 1, target b", "a", "b", "c", "0.5", "0.69")
    assert (
        "After a, and with the later tokens c, the target is b: p(y) = 0.5, −ln p = 0.69." in found.sentence
    )
    plain = alone({"kind": "examples", "at": 0}, shared | {"peek": False})
    assert plain.columns == ("Example", "Context", "Target", "p(y)", "−ln p")


def test_a_factor_that_is_impossible_is_told_and_is_no_largest_number():
    shared = {
        "tokens": ["a", "b"],
        "bits": [3.0, None],
        "p": ["0.125", "0: impossible"],
        "ticks": [0, 1, 2, 3],
    }
    found = alone({"kind": "factors", "at": 1}, shared)
    assert found.rows == (("a", "3", "0.125"), ("b", "infinite", "0: impossible"))
    assert found.largest[0].text == "3" and "The model gives probability 0 to b." in found.sentence


def test_a_forgetful_model_sees_one_character():
    data = example("shifted")
    found = told("shifted", 2, shared=data["shared"] | {"forgetful": True})
    assert "At position 3, the model sees l, and its target is a." in found.sentence
    assert "At position 3, the model sees A␣l, and its target is a." in told("shifted", 2).sentence


def test_targets_that_are_still_to_be_guessed_have_neither_a_row_nor_a_mean():
    shared = {"x": [["a", 1]], "y": [["b", 2]], "losses": [0.5], "mean": None, "T": 3, "forgetful": False}
    found = alone({"kind": "shifted", "at": 0}, shared)
    assert found.rows == (("1", "a", "b", "0.500"),) and "mean" not in found.sentence


def test_a_gradient_that_is_cut_says_where():
    shared = {"characters": list("abcd"), "target": "e", "norms": ["0.5", "2"], "ratios": ["× 0.25", "p − y"]}
    found = alone({"kind": "unrolled", "reached": 2}, shared | {"kept": 2, "cut": "cut"})
    assert "The gradient has come back to h₃." in found.sentence
    assert "The gradient is cut before h₃." in found.sentence
    assert found.rows[2] == ("h₃", "c", "0.5", "× 0.25") and found.rows[1] == ("h₂", "b", "", "")


def test_a_step_without_a_picture_lists_the_steps_and_tells_its_notes():
    frames = [
        {
            "name": name,
            "picture": None,
            "alt": "",
            "said": "",
            "notes": [note],
            "formulas": ["x"],
            "code": None,
        }
        for name, note in (("first", "p( a )"), ("second", "p( b | a )"))
    ]
    found = describe_picture("steps", {"frames": frames, "total": 5, "shared": None, "start": 1})
    assert found.sentence == "Step 2 of 5: second. p( b | a ). 1 formula follows."
    assert found.rows == (("1", "first", "p( a )."), ("2", "second", "p( b | a )."))


def test_a_remark_that_leads_to_a_formula_is_left_out_and_the_sentences_before_it_stay():
    found = alone(
        None,
        None,
        said="A",
        notes=["It has p = 99.5%. The largest weight:"],
        parts=[["More", ["x"]], ["So:", []]],
    )
    assert found.sentence == "Step 1 of 1: one. A. It has p = 99.5%. More. 1 formula follows."


def test_an_unknown_kind_of_picture_and_no_steps_at_all_are_no_error():
    assert alone({"kind": "new"}, said="So.").sentence == "Step 1 of 1: one. So."
    none = describe_picture("steps", {"frames": [], "total": 3, "shared": None, "start": 0})
    assert none.sentence == "No step is shown yet." and none.rows == ()


NO_BARS = {"kind": "bars", "rows": [], "marked": -1, "columns": []}
NO_MATRIX = {
    "kind": "matrices",
    "rows": [],
    "columns": [],
    "panels": [{"title": "", "values": "", "width": 0}],
    "write": True,
}
NOTHING = [
    (NO_BARS, None),
    (
        {"kind": "chances", "ids": [], "p": [], "drawn": 0, "place": 0},
        {"names": [], "before": "", "pieces": []},
    ),
    (
        {"kind": "decoder", "scores": [], "weights": [], "chosen": 0, "outputs": NO_BARS, "last": ""},
        {"inputs": [], "states": ""},
    ),
    ({"kind": "examples", "at": 0}, {"tokens": [], "probabilities": [], "losses": [], "peek": False}),
    ({"kind": "factors", "at": 0}, {"tokens": [], "bits": [], "p": [], "ticks": []}),
    (
        {"kind": "lens", "layer": 0, "chances": NO_BARS},
        {"title": "", "rows": [], "columns": [], "words": [], "values": [], "chosen": 0, "settled": []},
    ),
    ({"kind": "masking", "reached": 4}, {"tokens": []}),
    (NO_MATRIX, None),
    ({"kind": "merging", "words": [], "fresh": [], "rivals": None}, None),
    (
        {"kind": "shifted", "at": 0},
        {"x": [], "y": [], "losses": [], "mean": None, "T": 1, "forgetful": False},
    ),
    ({"kind": "sliding", "centre": 0, "around": [], "matrix": NO_MATRIX}, {"tokens": []}),
    (
        {"kind": "surface", "at": 0},
        {
            "values": base64.b64encode(np.zeros(4, "<f4").tobytes()).decode(),
            "side": 2,
            "levels": [],
            "reach": [[0, 0], [0, 0]],
            "names": ["a", "b"],
            "path": "",
            "losses": [],
            "lowest": None,
            "least": None,
        },
    ),
    (
        {"kind": "twoWays", "read": 0},
        {"words": [], "ahead": "", "back": "", "units": 1, "rows": [], "differ": []},
    ),
    (
        {"kind": "unrolled", "reached": 0},
        {"characters": [], "target": "", "norms": [], "ratios": [], "kept": 0, "cut": ""},
    ),
    ({"kind": "window", "place": 0}, {"tokens": [], "order": 1}),
]


@pytest.mark.parametrize("picture, shared", NOTHING, ids=[picture["kind"] for picture, _ in NOTHING])
def test_a_picture_of_nothing_is_told_without_an_error(picture, shared):
    assert alone(picture, shared).sentence.startswith("Step 1 of 1: one.")
    assert {each["kind"] for each, _ in NOTHING} == set(FRAMES)
