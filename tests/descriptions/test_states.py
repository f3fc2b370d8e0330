"""What is said of a recurrent network's units along a text, and of layers and their weighted average."""

import json
import re
import subprocess

import numpy as np
import pytest

from core.descriptions.document import describe_picture
from core.figures.packed import packed
from core.lesson.browser_view import VIEWS
from core.words.language import speaking
from pages.gallery import examples, read
from tests.descriptions.test_descriptions import largest_in
from tests.descriptions.top_cells import VALUES, number

ENGLISH = re.compile(
    r"\b(heat|unit|characters?|layer|weights?|the|of|and|after|largest|smallest|probability|predictions?)\b"
)
VALUES_OF = np.float32([[0.9, 0.8, -0.1, 0.7], [-0.9, 0.2, -0.6, 0.125]])


def read_text(values=VALUES_OF, **fields):
    """Return a text of four characters and two units, of which the first is looked at after the second character."""
    return {
        "name": "h",
        "characters": ["a", "␣", "b", "a"],
        "rows": [{"unit": 7, "label": "7, inside a word"}, {"unit": 3, "label": "3"}],
        "values": packed(values),
        "reach": 1.0,
        "signed": True,
        "next": [[["a", 0.5]], [["b", 0.75], ["c", 0.0001]], [], []],
        "unit": 7,
        "step": 1,
    } | fields


def test_the_largest_numbers_of_an_example_are_those_of_its_data():
    data = read(examples("hidden_state")[0])
    said = largest_in(describe_picture("hidden_state", data).sentence)
    assert list(map(number, said)) == pytest.approx(VALUES["hidden_state"](data), abs=6e-4)


def test_a_hidden_state_tells_the_unit_the_step_and_after_what_it_is_high():
    told = describe_picture("hidden_state", read_text())
    assert told.sentence == (
        "A heat map of h for 2 units after each of 4 characters: a ba. "
        "h of unit 7: largest 0.900 (1. a), smallest −0.100 (3. b). "
        "h of all units: largest 0.900 (1. a at unit 7 (inside a word)), smallest −0.900 (1. a at unit 3). "
        "Highlighted: 2. ␣, unit 7 (inside a word). After step 2, h of unit 7 is 0.800. "
        "It is above 0.50 after “a␣”, “a”. Most probable next characters: b 0.750, c 0.0001."
    )
    assert told.columns == ("Character", "unit 7 (inside a word)", "unit 3")
    assert told.rows[3] == ("4. a", "0.700", "0.125")
    other = describe_picture("hidden_state", read_text(unit=3)).sentence
    assert "It is below −0.50 after “a”, “b”." in other


def test_before_the_guess_no_next_character_is_told():
    data = read(examples("hidden_state")[0])
    assert "Most probable next" in describe_picture("hidden_state", data).sentence
    assert "next" not in describe_picture("hidden_state", data | {"next": []}).sentence


def test_a_hidden_state_of_nothing_is_described():
    empty = read_text(np.zeros((2, 0), np.float32), characters=[], next=[], step=0)
    assert describe_picture("hidden_state", empty).rows == ()
    none = read_text(np.zeros((0, 4), np.float32), rows=[])
    assert len(describe_picture("hidden_state", none).rows) == 4


def test_a_wide_hidden_state_keeps_the_unit_that_is_looked_at():
    values = np.arange(120, dtype=np.float32).reshape(30, 4) / 120
    rows = [{"unit": at, "label": str(at)} for at in range(30)]
    told = describe_picture("hidden_state", read_text(values, rows=rows, unit=29))
    assert len(told.columns) == 24 and told.columns[-1] == "unit 29" and told.rows[3][-1] == "0.992"


def mixed_in_the_browser(data):
    """Return what the view itself computes: the place, the score and the probability of each word's tag."""
    code = f"""
        import {{ likeliest }} from {json.dumps((VIEWS / "layer_mix" / "compute.js").as_uri())};
        const {{ parts, s, gamma, b }} = {json.dumps(data)};
        console.log(JSON.stringify(parts.map((word) => likeliest(word, s, gamma, b))));
    """
    command = ["node", "--input-type=module", "--eval", code]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


@pytest.mark.parametrize("s", [None, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.1, 0.8, 0.1]])
def test_the_weighted_average_is_what_the_view_computes(s):
    data = read(examples("layer_mix")[0])
    data = data | {"s": s or data["s"], "asked": [True] * len(data["words"])}
    told, found = describe_picture("layer_mix", data), mixed_in_the_browser(data)
    for row, each in zip(told.rows, found, strict=False):
        tag, share = row[1].split(" ", 1)
        assert tag == data["classes"][each["k"]]
        assert share == ("more than 99%" if each["p"] > 0.995 else f"{each['p']:.0%}")
    at = data["first"]
    assert f"= {found[at]['z']:.2f}, p = {found[at]['p']:.2f}.".replace("-", "−") in told.sentence
    most = max(range(len(found)), key=lambda t: found[t]["p"])
    assert told.largest[0].row == told.rows[most][0]
    assert ("The learned weights are" in told.sentence) == (s is not None)


def test_a_mix_says_which_layer_predicts_another_tag():
    data = read(examples("layer_mix")[0])
    told = describe_picture("layer_mix", data)
    assert told.sentence.startswith("Predictions of each layer for 2 of 6 words: They plan a new plan .")
    assert "The prediction differs from ELMo in layer 1 → (2. plan) and layer 0 (2. plan)." in told.sentence
    assert "Weights: layer 0 0.34, layer 1 0.19, layer 2 0.46." in told.sentence
    assert told.rows[1][-1] == "NOUN 84%" and told.rows[0][1:] == ("",) * 8
    assert told.rows[-1] == ("weight", "", "0.46", "", "", "0.19", "", "", "0.34")
    none = data | {
        "asked": [False] * 6,
        "rows": [each | {"cells": [["", 0, "grey"]] * 6} for each in data["rows"]],
    }
    said = describe_picture("layer_mix", none).sentence
    assert "0 of 6 words" in said and "Each layer predicts the same" in said and "Highlighted" not in said


def test_a_mix_of_no_words_is_described():
    data = read(examples("layer_mix")[0])
    rows = [each | {"cells": []} for each in data["rows"]]
    told = describe_picture(
        "layer_mix", data | {"words": [], "asked": [], "parts": [], "rows": rows, "first": 0}
    )
    assert [row[0] for row in told.rows] == ["weight"]


@pytest.mark.parametrize("view", ["hidden_state", "layer_mix"])
def test_in_spanish_no_english_is_left(view):
    data = read(examples(view)[0])
    rows = [each | {"name": "capa", "label": f"{each.get('unit')}, vocal"} for each in data["rows"]]
    data = data | {"rows": rows, "labels": {"name": "ELMo", "weight": "peso"}}
    data |= {
        "characters": ["y"] * len(data.get("characters", ())),
        "words": ["y"] * len(data.get("words", ())),
    }
    with speaking("es"):
        told = describe_picture(view, data)
    assert not ENGLISH.search(" ".join((told.sentence, told.axes, *told.columns)))
