"""What is said of the labs that look into models: each number with the name that the picture has for it."""

import numpy as np

from core.descriptions.document import describe_picture
from pages.transformers.feed_forward.figures import fired_text
from tests.lessons.lesson_page import open_lesson
from tests.lessons.test_described_labs import described


def heard(lesson, **query):
    """Return what is said of each picture of a lab."""
    return described(open_lesson(lesson, describe=True, **query))


def test_a_part_of_a_logit_is_a_contribution_and_each_token_s_length_says_whose_it_is():
    lengths, parts = heard("residual_norm")
    assert (
        "contribution to the logit" in parts["sentence"] and "Parts that add up to 8.93" in parts["sentence"]
    )
    others = [row for row in lengths["rows"] if row[0] == "other tokens"]
    assert len({row[3] for row in others}) > 5 and all(row[3] for row in others)


def test_a_text_laid_out_in_lines_is_told_token_by_token():
    names = ["↵", "␣He", "␣gave", "<b>", "␣them", "␣He", "␣bread"]
    drawn = fired_text(np.array([0, 1, 2.5, 0, 3, 9, 0.5]), names, 6, "activation of neuron 3")
    told = describe_picture("figure", {"figure": drawn.to_dict()})
    assert told.columns == ("Token", "activation of neuron 3")
    assert len(told.rows) == len(names) and told.rows[5] == ("6. ␣He", "9")
    assert "activation of neuron 3: largest 9 (6. ␣He)" in told.sentence
    (first,) = heard("feed_forward")[:1]
    assert "“To be, or not to”" in first["sentence"] and "activation of neuron 304" in first["columns"][1]


def test_what_rounding_leaves_of_a_restored_share_is_0_and_both_texts_are_told():
    told = heard("patching")[0]
    assert "⁻" not in told["sentence"] and not any("⁻" in cell for row in told["rows"] for cell in row)
    assert all(word in told["alt"] for word in ("A: “", "B: “", "bread", "stream"))


def test_scenes_in_an_order_are_told_with_their_captions_and_the_sentence_that_they_are_compared_with():
    told = heard("one_space")[0]
    assert "in the order of cosine u · v with the sentence “three green squares above" in told["sentence"]
    assert "largest 0.716 (1. scene 1, “three green squares above" in told["sentence"]
    assert told["columns"][1:3] == ["Caption", "cosine u · v"] and "Press" not in told["sentence"]
    assert all(row[1] for row in told["rows"])


def test_a_sentence_that_a_learner_typed_is_not_among_what_a_picture_is_sent():
    told = heard("one_space", whose="mine")[0]
    assert "with your sentence" in told["sentence"]


def test_whole_texts_are_compared_and_bars_of_one_kind_are_columns():
    texts, bars = heard("quantization")
    assert texts["sentence"].startswith("16 bits: “") and "4 bits: “" in texts["sentence"]
    first, second = (row[1] for row in texts["rows"])
    agreed = next(at for at, (one, two) in enumerate(zip(first, second, strict=False)) if one != two)
    assert f"in the first {agreed} character" in texts["sentence"]
    assert bars["columns"] == ["Bar", "Next character in 16 bits", "Next character in 4 bits"]


def test_a_sentence_or_use_of_a_map_is_told_whole_and_a_picture_is_named_once():
    drawn = heard("fine_tuning")[1]
    assert "Picture 6 of 6, step 120." in drawn["sentence"]
    assert all(len(row[0].split()) > 4 and row[0].endswith("”") for row in drawn["rows"])
    uses = heard("words_in_context")[0]
    assert "Picture 6 of 6, layer 4." in uses["sentence"]
    assert (
        "Cosine to the nearest use: largest 1.00 (use 12, “one old bear guards the”, and use 13"
        in uses["sentence"]
    )


def test_of_random_networks_the_norm_farthest_from_the_loss_is_told_for_each_cell():
    flow = heard("gradient_microscope")[0]
    assert "59 steps back from the loss it is" in flow["alt"]
    assert (
        "in the RNN, h curve (median; from" in flow["alt"]
        and "in the LSTM, c curve (median; from" in flow["alt"]
    )


def test_a_probability_is_told_in_one_way_and_a_token_in_quotation_marks():
    lens = heard("logit_lens")[0]
    assert "“␣death” 63.7%" in lens["sentence"] and "0.637" not in str(lens)
    assert "bold" not in lens["sentence"] and "“$” 0.7%" in lens["sentence"]
    assert any("97%" in cell for row in heard("patches")[1]["rows"] for cell in row)


def test_a_heat_map_is_named_once_and_a_small_weight_is_not_0():
    told = heard("encoder_decoder")[0]["sentence"]
    assert told.count("encoder, every word sees all") == 1
    assert "0.0000" not in told and "smallest less than 0.0001" in told


def test_a_window_of_words_tells_the_role_of_each():
    told = heard("word_vector_training")[0]
    assert told["columns"] == ["Word", "Role"] and len(told["rows"]) == 9
    assert told["sentence"].startswith(
        "“queen” is in the middle of 8 words, 4 before it (the, crown, made, the)"
    )
    assert dict(map(tuple, told["rows"]))["5. queen"] == "in the middle"


def test_what_is_not_edited_yet_is_told_and_punctuation_is_no_word():
    assert "Nothing is edited yet" in heard("edit_attention")[1]["alt"]
    assert heard("masked_words")[0]["sentence"].startswith(
        "20 words and 5 punctuation marks, 1 of them hidden"
    )
