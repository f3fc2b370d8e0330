"""What is said of pictures that only labs show: trees, sampling, an opened model, a training run."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from core.descriptions.document import describe_picture
from core.figures.packed import packed
from core.figures.transformers.opened_view import LabelledReading, closed_view, opened_view
from core.figures.transformers.place import placed
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.transformers.opened_gpt import open_gpt
from core.words.language import speaking
from pages.gallery import examples, read
from tests.descriptions.top_cells import VALUES, number

VIEWS = ("generation_tree", "opened_model", "sampling", "training_replay")
EXAMPLES = [(view, path) for view in VIEWS for path in examples(view)]
LARGEST = re.compile(r": (?:largest (.*?) \(|all ([^:;]{1,20}?)\.(?= |$))")
ENGLISH = re.compile(
    r"\b(the|of|is|are|with|largest|smallest|row|column|step|selected|kept|tokens? are|loss|rank|note|text)\b",
    re.IGNORECASE,
)


def example(view, name="example.json"):
    return json.loads((Path("assets/views") / view / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("view, path", EXAMPLES, ids=[f"{view}/{path.name}" for view, path in EXAMPLES])
def test_the_largest_numbers_of_an_example_are_those_of_its_data(view, path):
    data = read(path)
    told = describe_picture(view, data)
    said = [one or other for one, other in LARGEST.findall(told.sentence)]
    known = VALUES[view](data)
    assert len(said) >= len(known) > 0
    for text, value in zip(said, known, strict=False):
        assert number(text) == pytest.approx(value, rel=2e-2, abs=6e-3)
    assert set(said) <= {cell for row in told.rows for cell in row}
    assert len(told.columns) <= 24


# A tree


def node(parent, token, p=None, end=None, kind="greedy"):
    written = "" if p is None else f"{p:.2f}"
    kind = "prompt" if p is None else kind
    about = {"x": 0, "y": 0, "about": ""}
    return {"parent": parent, "token": token, "p": p, "chance": written, "kind": kind, "end": end, **about}


def tree(*nodes, opened=0, choices=None, **more):
    return {
        "nodes": [node(-1, "prompt"), *nodes],
        "path": [0],
        "opened": opened,
        "choices": choices,
        "gap": 12,
        **more,
    }


def test_a_tree_names_the_context_of_each_token_and_its_best_text():
    data = tree(
        node(0, "the", 0.5),
        node(1, "cat", 0.4, ["greedy", "ln p −1.61", "−0.80 per token"]),
        node(1, "dog", 0.1, ["forced", "ln p −3.00", "−1.50 per token"], "forced"),
        opened=2,
    )
    told = describe_picture("generation_tree", data)
    assert told.rows[2] == ("dog", "the", "0.10", "forced", "−3.00", "forced, ln p −3.00, −1.50 per token")
    assert "A tree of 3 tokens after the prompt, with 2 texts." in told.sentence
    assert "ln p of a text: largest −1.61 (the cat), smallest −3.00 (the dog)." in told.sentence
    assert "Selected: the text the cat." in told.sentence


def test_candidates_are_told_only_where_they_are_sent():
    rows = [
        {"id": 1, "token": "a", "p": 0.5, "numbers": ["0.50"], "taken": True, "kept": True},
        {"id": 2, "token": "b", "p": 0.3, "numbers": ["0.30"], "taken": False, "kept": True},
    ]
    choices = {"title": "After “x”", "head": "each with its p", "rows": rows, "rest": "4 more: 0.20"}
    told = describe_picture("generation_tree", tree(node(0, "a", 0.5), choices=choices))
    said = "After “x”, each with its p: “a” 0.50 (in the tree); “b” 0.30. Not listed: 4 more: 0.20."
    assert told.sentence.endswith(said)
    assert [row[0] for row in told.rows] == ["a", "b"] and told.rows[1][-1] == "candidate"
    closed = describe_picture("generation_tree", tree(node(0, "a", 0.5)))
    assert "0.30" not in str(closed) and len(closed.rows) == 1


def test_a_bare_tree_is_the_prompt():
    told = describe_picture("generation_tree", tree(opened=None))
    assert told.sentence == "The tree is only the prompt." and told.rows == (("prompt",),)


def test_pieces_that_do_not_branch_are_compared_by_their_log_probability():
    pieces = (node(0, "ab", 0.25), node(0, "cd", 0.5))
    pieces[0]["chance"], pieces[1]["chance"] = "ln p −2.77", "ln p −1.39"
    told = describe_picture("generation_tree", tree(*pieces, most=460))
    assert "ln p: largest −1.39 (cd), smallest −2.77 (ab)." in told.sentence
    assert "2 pieces of text" in told.sentence


def test_a_beam_is_told_at_its_step_and_of_no_later_one():
    data = example("generation_tree", "beam.example.json")
    told = describe_picture("generation_tree", data)
    assert told.sentence.startswith("Step 4 of 6 of a beam search: 16 candidates, 4 kept.")
    assert "The best text is “that”, with score −0.760." in told.sentence
    assert "6 more candidates, pruned, are not listed." in told.sentence
    notes = {row[0]: row[-1] for row in told.rows}
    assert (notes["th"], notes["I␣"], notes["to"]) == ("kept", "kept once, not followed", "pruned")
    assert max(int(row[1]) for row in told.rows) == 4 and "that␣" not in notes
    assert describe_picture("generation_tree", {**data, "start": 99}).sentence.startswith("Step 6 of 6")
    assert describe_picture("generation_tree", {**data, "start": 0}).sentence.startswith("Step 1 of 6")
    guessed = {**data, "predicting": True, "beam": {**data["beam"], "steps": data["beam"]["steps"][:2]}}
    assert describe_picture("generation_tree", guessed).sentence.startswith("Step 2 of 6")
    empty = describe_picture("generation_tree", {**data, "beam": {"steps": [], "rows": 7}})
    assert empty.sentence == "No step of the beam search is shown yet."


# Sampling


def sampling(logits, *, uniforms=(0.1, 0.95), **more):
    logits = np.atleast_2d(logits)
    settings = {"temperature": 1.0, "top_k": 0, "top_p": 1.0} | more.pop("settings", {})
    return {
        "tokens": [f"t{i}" for i in range(logits.shape[1])],
        "logits": packed(logits, "<f8"),
        "exact": True,
        "said": [f"Sentence {i + 1}." for i in range(len(logits))],
        "total": 3,
        "uniforms": list(uniforms),
        "settings": settings,
        "temperatures": [0, 1],
        "renormalise": True,
        "labels": {"own": "the model's own", "now": "with your settings"},
        "start": 0,
        "predicting": False,
        "address": "x",
    } | more


HALVES = np.log([0.5, 0.3, 0.2])


def test_a_distribution_is_cut_and_drawn_from_as_its_settings_say():
    told = describe_picture("sampling", sampling(HALVES, settings={"top_k": 2}))
    assert told.rows[0] == ("t0", "1", "−0.6931", "−0.6931", "0.5", "", "0.625", "0.625", "1")
    assert told.rows[2][-4:] == ("top-k", "0", "1", "0")
    assert "p: largest 0.625 (t0), smallest 0.375 (t1)." in told.sentence
    assert "2 of 3 tokens are kept. The tail, which is cut, has mass 0.2000." in told.sentence
    assert "u = 0.1000 draws “t0”." in told.sentence and "Step 1 of 3" in told.sentence
    assert "A grey bar is the model's own." in told.axes
    whole = describe_picture("sampling", sampling(HALVES))
    assert "No token is cut." in whole.sentence and "grey" not in whole.axes


def test_what_is_lost_when_nothing_is_renormalized_draws_no_token():
    data = sampling(HALVES, uniforms=(0.9, 0.1), settings={"top_k": 2}, renormalise=False)
    told = describe_picture("sampling", data)
    assert "The sum of all p is 0.8000." in told.sentence and "u = 0.9000 draws no token." in told.sentence
    assert told.rows[0][-1] == "1" and told.rows[1][-1] == "0"


def test_a_temperature_of_0_and_one_without_end_are_told():
    told = describe_picture("sampling", sampling(HALVES, settings={"temperature": 0}))
    assert "T = 0 (greedy)" in told.sentence and told.rows[0][6] == "1" and told.rows[1][3] == "−∞"
    told = describe_picture("sampling", sampling(HALVES, settings={"temperature": None}))
    assert told.rows[0][5] == "0.3333" and told.rows[0][6] == "0.3333"


def test_of_a_large_vocabulary_the_most_probable_tokens_are_told_and_the_token_drawn():
    told = describe_picture("sampling", sampling(np.linspace(0, -1, 300), uniforms=(0.9999,)))
    names = [row[0] for row in told.rows]
    assert names[:2] == ["t0", "t1"] and names[-2:] == ["t299", "the other 235 tokens"]
    assert "smallest" not in told.sentence and "draws “t299”" in told.sentence


def test_after_a_guess_the_newest_distribution_is_told_and_none_is_told_before():
    logits = np.stack([HALVES, HALVES[::-1]])
    assert "Step 1 of 3" in describe_picture("sampling", sampling(logits)).sentence
    told = describe_picture("sampling", sampling(logits, predicting=True))
    assert "Step 2 of 3" in told.sentence and told.rows[0][0] == "t2" and "Sentence 2." in told.sentence
    none = describe_picture("sampling", sampling(np.zeros((0, 3))))
    assert none.sentence == "No distribution is shown yet." and not none.rows


# An opened model


@pytest.fixture(scope="module")
def reading():
    torch.manual_seed(0)
    network = GPT(GPTConfig(vocabulary_size=40, context=8, layers=2, heads=2, width=64)).eval()
    names = ["↵", "the", "␣cat", "␣sat"]
    return LabelledReading(
        network, open_gpt(network, torch.tensor([0, 1, 2, 3])), names, np.array([f"w{i}" for i in range(40)])
    )


def opened(reading, at):
    return describe_picture("opened_model", opened_view(reading, placed(at, reading.opened)))


def test_the_parts_of_a_model_are_compared_by_the_length_of_what_they_add(reading):
    told, added = opened(reading, ""), reading.opened.added().numpy()
    assert told.columns == ("Row", "↵", "the", "␣cat", "␣sat") and len(told.rows) == 7
    assert told.largest[0].measure == "Length of what is added"
    assert number(told.largest[0].text) == pytest.approx(added.max(), rel=5e-3)
    block, part, token = np.unravel_index(added.argmax(), added.shape)
    name = f"Block {block + 1}, + {('attention', 'feed-forward')[part]} at {reading.names[token]}"
    assert told.largest[0].row == name
    p = reading.opened.stages[-1]["output"].probabilities[3]
    assert f"The next token after “␣sat”: “w{int(p.argmax())}” {float(p.max()):.1%};" in told.sentence
    assert told.sentence.startswith("7 parts of the model for 4 tokens.") and "@" not in told.sentence
    assert "at ␣sat, length" in told.sentence and not re.search(
        r":[^.:]*:[^.;]*:", told.sentence.split("Selected")[1][:60]
    )


def test_before_the_guess_no_number_is_told(reading):
    told = describe_picture("opened_model", closed_view(reading, placed("", reading.opened)))
    assert told.sentence.endswith("No number is told before your guess.") and not told.largest
    assert {cell for row in told.rows for cell in row[1:]} == {"?"} and not re.search(r"\d\.\d", str(told))


def test_what_the_mask_hides_has_no_number(reading):
    told = opened(reading, "matrix.1.attention.weights.1.3.2")
    assert told.rows[1][3:] == ("masked", "masked") and "masked" not in told.rows[3]
    weights = reading.opened.stages[1]["attention"].weights[0]
    assert f"Selected: 3 ␣cat, 2 the: {float(weights[2, 1]):.5f}." in told.sentence
    hidden = opened(reading, "cell.1.attention.masked.1.2.4")
    assert "Selected: 2 the, 4 ␣sat: masked." in hidden.sentence


def test_of_many_columns_each_row_is_told_by_its_ends_and_the_selected_number(reading):
    told = opened(reading, "matrix.1.feed_forward.woken.1.2.200")
    woken = reading.opened.stages[1]["feed_forward"].woken[:, 192:].numpy()
    assert told.columns[-1] == "number 200" and "64 columns, from column 193 of 256" in told.sentence
    for row, values in zip(told.rows, woken, strict=True):
        assert row[1] == "64" and row[3] == f"number {values.argmax() + 193}"
        assert number(row[2]) == pytest.approx(values.max(), rel=5e-3)
        assert number(row[4]) == pytest.approx(values.min(), rel=5e-3)
        assert number(row[6]) == pytest.approx(values[7], rel=5e-3)


def test_one_number_is_the_sum_of_the_products_that_are_told(reading):
    told = opened(reading, "cell.2.feed_forward.written.1.3.12")
    found = re.search(r"a sum of 256 products: (\S+) above 0, (\S+) below", told.sentence)
    value = float(reading.opened.stages[2]["feed_forward"].written[2, 11])
    assert number(found[1]) + number(found[2]) == pytest.approx(value, abs=2e-4)
    assert "around row 3, column 12" in told.sentence


def test_where_a_part_is_left_out_the_next_tokens_are_told_with_their_p_in_the_whole_model(reading):
    whole = np.full((4, 40), 1 / 40)
    broken = LabelledReading(reading.model, reading.opened, reading.names, reading.vocabulary, whole)
    told = opened(broken, "")
    p = reading.opened.stages[-1]["output"].probabilities[3]
    assert f"“w{int(p.argmax())}” {float(p.max()):.1%} (2.5% in the whole model);" in told.sentence


def test_an_empty_table_is_told(reading):
    data = opened_view(reading, placed("", reading.opened))
    assert describe_picture("opened_model", {**data, "rows": [], "values": "", "columns": []}).sentence


# A training run


def test_a_training_run_is_told_at_its_last_snapshot():
    data = example("training_replay")
    told = describe_picture("training_replay", data)
    bits = data["heldOut"][-1] / np.log(2)
    start = f"The last of 4 snapshots of a training run, at step 30 of 30: training loss {data['loss'][-1]:.3f} nats"
    assert told.sentence.startswith(start) and f"= {bits:.3f} bits per character." in told.sentence
    assert "p after the␣: largest 0.249 (c), smallest 0.022 (g)." in told.sentence  # the rest is no character
    assert "Held-out loss: largest 3.206 (step 30), smallest 1.706 (step 3)." in told.sentence
    assert "Of its words, 25% are words of the text." in told.sentence
    assert [row[0] for row in told.rows] == ["0", "3", "13", "30"]
    assert [row[-1] for row in told.rows] == [f"{each[-1]:.3f}" for each in data["expected"]]


def test_a_training_run_of_one_snapshot_or_none_is_told():
    data = example("training_replay")
    lists = ("steps", "loss", "heldOut", "samples", "known", "expected")
    one = {
        **data,
        **{each: data[each][:1] for each in lists},
        "baseline": None,
        "known": [None],
        "prompt": "",
    }
    told = describe_picture("training_replay", one)
    assert "The last of 1 snapshot " in told.sentence
    assert "p of the first character: largest 0.077 (d)," in told.sentence  # the rest has 0.389
    none = describe_picture("training_replay", {**data, **{each: [] for each in lists}})
    assert none.sentence == "No snapshot of the training run is shown yet."


# In Spanish


@pytest.mark.parametrize("view, path", EXAMPLES, ids=[f"{view}/{path.name}" for view, path in EXAMPLES])
def test_in_spanish_no_word_of_ours_is_english(view, path):
    data = read(path)
    for each in ("said", "labels"):  # words that the page sends in its own language
        if each in data:
            data[each] = {"own": "x", "now": "y"} if each == "labels" else ["x."] * len(data[each])
    if data.get("choices"):
        data["choices"].update(title="Tras x", head="p", rest="51")
    for node in data.get("nodes", ()):
        node["end"] = node["end"] and ["x", node["end"][1], ""]
    if view == "opened_model":
        data["panel"] = {}
        data["rows"] = [{**row, "label": f"fila {at}", "group": ""} for at, row in enumerate(data["rows"])]
        data["columns"] = [f"c{at}" for at, _ in enumerate(data["columns"])]
    if view == "training_replay":
        data["samples"] = ["una casa"] * len(data["samples"])
        data["prompt"] = "la "
        data["tokens"][-1] = "resto"
        data["baseline"]["name"] = "mejor n-grama"
    with speaking("es"):
        told = describe_picture(view, data)
    said = " ".join((told.sentence, told.axes, *told.columns, *(row[-1] for row in told.rows)))
    assert not ENGLISH.findall(said), said
