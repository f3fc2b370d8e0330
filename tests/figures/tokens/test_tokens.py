"""Pictures of tokens stand where the bytes are, write what core computed, and have room for their words."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.tokens.token_rows import byte_row, token_rows
from core.models.tokens.byte_pairs import PIECES, BytePairs, learn_merges
from core.models.tokens.codes import binary
from core.models.tokens.merge_steps import encode_steps, merge_steps, merges_made, tokens_by_merges
from core.models.tokens.three_ways import three_ways
from core.models.tokens.unknown_tokens import ALL_BYTES, OWN
from pages.tokens.byte_pairs.figures import (
    cut_after,
    merge_formulas,
    merges_table,
    merging_picture,
    tokens_figure,
    why_made,
)
from pages.tokens.text_as_tokens.figures import (
    codes_figure,
    cut_figure,
    starts,
    tokens_table,
    unknown_figure,
    ways_table,
)

TEXT = "The cat sat on the mat. The dog sat by the café, and naïve birds sang to the dog."
PAIRS = learn_merges(TEXT, 20)
WAYS = three_ways(TEXT, PAIRS)
PASSAGES = st.text(alphabet="the catsé早🦜,", max_size=30)


@given(PASSAGES)
def test_characters_and_byte_pairs_stand_side_by_side_without_a_gap(passage):
    for way in ("characters", "byte pairs"):
        tokens = WAYS[way].cut(passage)
        ends = np.cumsum([len(token.bytes) for token in tokens])
        assert starts(passage.encode(), tokens) == [0, *ends[:-1]][: len(tokens)]


@given(PASSAGES)
def test_words_stand_over_their_own_bytes(passage):
    tokens = WAYS["words"].cut(passage)
    for token, start in zip(tokens, starts(passage.encode(), tokens), strict=True):
        assert passage.encode()[start : start + len(token.bytes)] == token.bytes


def test_a_picture_of_cuts_has_a_row_for_each_way():
    cuts = {name: way.cut("the cat") for name, way in WAYS.items()}
    figure = cut_figure(cuts, "the cat")
    assert [len(trace.x) for trace in figure.data] == [len(tokens) for tokens in cuts.values()]
    assert figure.layout.yaxis.ticktext == list(WAYS)


def test_rows_for_the_browser_say_what_is_unknown_and_bytes_are_one_each():
    cuts = {"words": WAYS["words"].cut("the zebra 早")}
    tokens = token_rows(cuts, {"words": ""})["rows"][0]["tokens"]
    assert [(shown, unknown) for shown, _, _, unknown in tokens] == [("the", 0), ("zebra", 1), ("早", 1)]
    assert [token.text for token in byte_row(cuts["words"])][-3:] == ["e6", "97", "a9"]


@pytest.mark.parametrize("V", [2, 14, 5000])
def test_codes_are_drawn_as_they_are_and_their_titles_have_room_on_a_phone(V):
    tokens = [token for token in WAYS["words"].cut("the dog sat") if token.id < V]
    codes = binary([token.id for token in tokens], V)
    figure = codes_figure(tokens, codes, V)
    assert figure.data[0].x.tolist() == [token.id for token in tokens]
    assert "".join(figure.data[2].text) == "".join(map(str, codes.ravel()))
    assert all(len(title.text) <= 15 for title in figure.layout.annotations)


def test_a_chosen_size_stands_at_its_place_of_the_logarithmic_axis():
    figure = unknown_figure({OWN: np.array([1.0, 0.5, 0.2]), ALL_BYTES: np.zeros(1)}, k=2)
    assert figure.data[-1].x == [2, 2]
    assert figure.data[1].y.tolist() == [0, 0]


def test_the_picture_of_a_merge_is_the_passage_cut_by_so_many():
    passage = PIECES.findall("the cat sat")
    steps = [encode_steps(PAIRS, piece) for piece in passage]
    for k in range(len(PAIRS.merges) + 1):
        ids = [list(cut_after(each, k)) for each in steps]
        assert ids == [PAIRS.first(k).encode(piece) for piece in passage]
    step = merge_steps(TEXT, PAIRS, 0, 1, rivals=3)[0]
    drawn = merging_picture(PAIRS, steps, 1, step, "times")
    flat = [name for word in drawn["words"] for name in word]
    assert {flat[place] for place in drawn["fresh"]} <= {PAIRS.tokens[256].replace(" ", "␣")}
    assert drawn["rivals"]["columns"][0]["values"] == [count for _, count in step.rivals]
    assert merging_picture(PAIRS, steps, 0, None, "times")["rivals"] is None


def test_the_tokens_drawn_begin_with_the_bytes_and_end_with_all_merges():
    N = tokens_by_merges(PAIRS, TEXT)
    curve = tokens_figure({"own": N}, 3, at=5).data
    assert (curve[0].x[0], curve[0].y[0]) == (256, len(TEXT.encode()))
    assert (curve[0].x[-1], curve[0].y[-1]) == (256 + len(PAIRS.merges), len(PAIRS.encode(TEXT)))
    assert (curve[2].x, curve[2].y) == ([261], [N[5]])


def test_why_a_merge_is_made_names_at_most_three_that_came_later():
    pairs = BytePairs(tuple(pairwise(b"abcdef")))
    whys = [why_made(pairs, step) for step in encode_steps(pairs, "abcdef")]
    assert whys[0] == "merge 1: a + b. It was learned before 2, 3, 4, …."
    assert whys[1] == "merge 3: c + d. It was learned before 4, 5."
    assert whys[-1] == "No learned merge fits any more."


def test_every_formula_of_the_tables_ends_in_the_cell_s_number():
    N, made = tokens_by_merges(PAIRS, TEXT), merges_made(PAIRS, TEXT)
    for table, formula, columns in (
        (*merges_table(PAIRS, N, made), ["id", "counted", "tokens after"]),
        (*ways_table(WAYS, len(TEXT)), ["vocabulary V", "bits of an id"]),
        (*tokens_table(WAYS["words"], WAYS["words"].cut("the dog")), ["binary"]),
    ):
        for column in columns:
            for row, value in enumerate(table[column]):
                assert formula(row, column).endswith(f" {value}"), (column, row)
    step = merge_steps(TEXT, PAIRS, 3, 1, rivals=4)[0]
    assert merge_formulas(PAIRS, 3, step, N[3], made[3])[1].endswith(f"= {N[4]}")
