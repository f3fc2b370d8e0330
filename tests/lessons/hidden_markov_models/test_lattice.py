"""The lattice view's payload: every number is the lattice's, in JSON, whatever the window."""

import json

import numpy as np
import pytest

from core.models.hidden_markov_models.decoding import decode, underflow
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary, noun_verb_toy
from core.words.language import speaking
from pages.hidden_markov_models.viterbi.figures import FIGURES, lattice_payload, window_starts

MODEL = noun_verb_toy()
WORDS = "we can can fish boats they sink".split()


def payload(words=WORDS, first=0, width=60, model=MODEL):
    return lattice_payload(decode(model, words), underflow(model, words), first, width)


def same(sent, computed) -> bool:
    """The numbers sent are those computed, to the figures sent; None stands for what is not finite."""
    sent = np.array(sent, dtype=float)  # None becomes nan
    return np.array_equal(np.isnan(sent), ~np.isfinite(computed)) and np.allclose(
        sent[~np.isnan(sent)], computed[np.isfinite(computed)], rtol=10**-FIGURES * 10
    )


def test_it_is_json_and_small():
    assert len(json.dumps(payload(), allow_nan=False)) < 20_000


def test_scores_candidates_and_tables_are_those_computed():
    decoded, raw = decode(MODEL, WORDS), underflow(MODEL, WORDS)
    for table, lattice in ((payload()["log"], decoded.viterbi), (payload()["raw"], raw)):
        assert same(table["scores"], lattice.scores)
        assert table["candidates"][0] is None
        assert same(table["candidates"][1:], lattice.candidates[1:])
        assert table["backpointers"] == lattice.backpointers.tolist()
        assert same(table["final"], lattice.final)


def test_each_candidate_sent_is_the_product_of_the_numbers_sent():
    table = payload()["raw"]
    for t in range(1, len(WORDS)):
        for i, before in enumerate(table["scores"][t - 1]):
            for j, emission in enumerate(table["emission"][t]):
                product = before * table["transition"][i][j] * emission
                assert table["candidates"][t][i][j] == pytest.approx(product, rel=1e-4)


def test_every_cell_is_compared_and_kept_once_in_order_and_then_traced_back():
    sent = payload()
    kinds = [kind for kind, *_ in sent["steps"]]
    n, K = len(WORDS), 3
    assert (
        kinds == ["initialise"] * K + ["compare", "keep"] * (n - 1) * K + ["terminate"] + ["trace back"] * n
    )
    back = [(t, j) for kind, t, j in sent["steps"] if kind == "trace back"]
    assert back == list(reversed(list(enumerate(sent["log"]["path"]))))


def test_windows_cover_a_long_sentence_and_share_their_border():
    words = [WORDS[i % 7] for i in range(25)]
    starts = window_starts(25, 10)
    windows = [payload(words, first, 10) for first in starts]
    assert [window["first"] for window in windows] == [0, 9, 18]
    whole = payload(words)["log"]
    for window in windows:
        part = slice(window["first"], window["first"] + len(window["words"]))
        assert window["words"] == words[part]
        assert window["log"]["scores"] == whole["scores"][part]
        assert window["log"]["candidates"][1:] == whole["candidates"][part][1:]
        assert window["paths"][0]["path"] == whole["path"][part]
    assert windows[1]["log"]["candidates"][0] is not None
    assert windows[1]["log"]["final"] is None and windows[2]["log"]["final"] is not None
    assert "terminate" not in [kind for kind, *_ in windows[1]["steps"]]
    assert windows[1]["steps"][0] == ["compare", 1, 0]


def test_one_word_is_a_lattice_too():
    sent = payload(["fish"])
    assert [kind for kind, *_ in sent["steps"]] == ["initialise"] * 3 + ["terminate", "trace back"]
    assert sent["windows"] == [0]


def test_the_three_paths_say_what_they_cost():
    viterbi, beam, greedy = payload()["paths"]
    assert (viterbi["name"], beam["name"], greedy["name"]) == ("Viterbi", "beam of 2", "greedy")
    assert (viterbi["nodes"], beam["nodes"], greedy["nodes"]) == (21, 14, 7)
    assert (viterbi["products"], beam["products"], greedy["products"]) == (3 + 6 * 9, 3 + 6 * 6, 3 + 6 * 3)
    assert viterbi["log_probability"] >= beam["log_probability"] >= greedy["log_probability"]


def test_underflow_is_placed_in_its_window():
    words, model = ["1", "3"] * 400, ice_cream_diary()
    dead = underflow(model, words).underflow
    assert payload(words, 0, 60, model)["raw"]["underflow"] == dead
    assert payload(words, dead - 5, 60, model)["raw"]["underflow"] == 5
    assert payload(words, dead + 5, 60, model)["raw"]["underflow"] == 0


def test_an_unseen_word_says_so():
    assert payload(["quibbly", "Fish"])["notes"][0] == "never seen: equally likely in every state"
    assert payload(["Fish"])["notes"] == ["read as “fish”"]
    with speaking("es"):
        assert payload(["Fish", "quibbly"])["unseen"] == [False, True]


def test_a_search_keeps_its_id_in_another_language():
    english = payload()["paths"]
    with speaking("es"):
        spanish = payload()["paths"]
    assert (
        [path["id"] for path in english] == [path["id"] for path in spanish] == ["viterbi", "beam", "greedy"]
    )
    assert [path["name"] for path in english] != [path["name"] for path in spanish]
