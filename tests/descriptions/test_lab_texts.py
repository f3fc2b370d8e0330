"""What is said of the labs' texts: tags, surprisal, masked words, and the tree of n-gram counts."""

import math

import pytest

from core.descriptions.document import describe_picture
from core.words.language import speaking
from pages.gallery import examples, read
from tests.descriptions.top_cells import TOPS, number, tops

VIEWS = ("gaps", "ngram_tree", "surprise_text", "tagged_text")


def example(view):
    (path,) = examples(view)
    return read(path)


@pytest.mark.parametrize("view", ["gaps", "ngram_tree", "surprise_text"])
def test_the_largest_numbers_are_known_from_the_text(view):
    found = describe_picture(view, example(view))
    assert [each.text for each in found.largest] == tops(TOPS[view](example(view)))
    assert all(f"largest {each.text} ({each.row}" in found.sentence for each in found.largest)


# Masked words


def word(text, masks=0, *guesses):
    return {"word": text, "masks": masks, "guesses": list(guesses)}


def token(text, p, rank=1, hidden=False):
    return {"token": text, "p": p, "text": f"{p:.3f}", "hidden": hidden, "rank": rank}


def gap(at, said, *rows):
    return {"word": at, "said": said, "models": [{"name": "Masked model", "hue": "blue", "rows": list(rows)}]}


def gaps(words, *found, start=0):
    return describe_picture("gaps", {"words": words, "gaps": found, "start": start, "predicting": False})


def test_before_the_guess_a_masked_word_is_not_told():
    found = gaps([word("The"), word("␣king", 1), word("␣plays", 2), word(".")])
    assert found.sentence == "3 words and 1 punctuation mark, 2 of them hidden: The <mask> <mask> <mask>."
    assert found.rows[1] == ("2", "␣<mask>", "masked") and len(found.rows) == 4
    assert "king" not in repr(found) and "plays" not in repr(found)
    assert found.largest == ()


def test_at_a_gap_the_tokens_of_each_model_are_told_and_the_rank_of_the_masked_one():
    data = example("gaps")
    found = describe_picture("gaps", data)
    assert "And <mask> said to Saul" in found.sentence and "The gap hides “␣David”." in found.sentence
    assert "Causal model: the masked token ␣David has rank 402 and p = 0.0002." in found.sentence
    models = data["gaps"][0]["models"]
    listed = [(each["token"], model["name"], each["text"]) for model in models for each in model["rows"]]
    assert [row[:3] for row in found.rows] == listed
    own = [row[:2] for row in found.rows if row[-1] == "the masked token"]
    assert own == [("␣David", "Masked model"), ("␣David", "Causal model")]


def test_of_several_gaps_the_one_at_the_step_is_told_and_every_prediction():
    words = [word("A", 1, ["blue", "The"]), word("␣cat"), word("␣sat", 1, ["blue", "␣ran"])]
    found = gaps(
        words,
        gap(0, "Gap 1 of 2 hides “A”", token("The", 0.5), token("A", 0.25, 2, True)),
        gap(2, "Gap 2 of 2 hides “␣sat”", token("␣ran", 0.75), token("␣sat", 0.125, 2, True)),
        start=7,
    )
    assert "Gap 2 of 2 hides “␣sat”." in found.sentence and "Gap 1" not in found.sentence
    assert [row[0] for row in found.rows] == ["␣ran", "␣sat"]
    assert "Predictions: word 1, Masked model: The; word 3, Masked model: ␣ran." in found.sentence


def test_of_a_long_text_what_is_near_the_gap_is_told():
    words = [word(f"␣w{at}", int(at == 80)) for at in range(150)]
    found = gaps(words, gap(80, "The gap hides “␣w80”", token("␣w80", 0.5, 1, True)))
    assert "…w68 w69" in found.sentence and "w79 <mask> w81" in found.sentence and "w92…" in found.sentence
    assert gaps([]).sentence == "0 words, 0 of them hidden."


# Tagged text


def test_tags_that_differ_and_words_never_seen_are_told():
    data = example("tagged_text")
    words = [each for line in data["sentences"] for each in line]
    found = describe_picture("tagged_text", data)
    assert len(found.rows) == len(words)
    assert found.sentence.startswith(f"{len(words)} tagged words in {len(data['sentences'])} lines.")
    assert "Selected: word 1, I, tagged PRON." in found.sentence
    assert f"{sum(bool(each['differs']) for each in words)} words have another tag" in found.sentence
    assert "Never seen in training: glimping, wugs, snorped, zanderish and blorfs." in found.sentence
    for row, each in zip(found.rows, words, strict=True):
        assert row[:2] == (each["word"], each["tag"])
        assert (each["differs"] in row[3]) and ("otherwise" in row[3]) == bool(each["differs"])


def test_a_tagged_text_without_words_or_a_selected_one_is_told():
    empty = {"sentences": [], "chosen": 3, "colours": {}}
    assert describe_picture("tagged_text", empty).sentence == "0 tagged words in 0 lines."
    one = {"word": "go", "tag": "VERB", "unseen": False, "differs": ""}
    plain = {"sentences": [[one]], "chosen": -1, "colours": {}, "label": "Tags of the model"}
    found = describe_picture("tagged_text", plain)
    assert found.sentence == "Tags of the model. 1 tagged word in 1 line."
    assert found.columns == ("Word", "Tag") and found.rows == (("go", "VERB"),)


# Surprisal


def surprise(text, *models):
    made = [{"name": name, "bits": bits, "mean": sum(bits) / max(1, len(bits))} for name, bits in models]
    return describe_picture(
        "surprise_text",
        {"characters": list(text), "breaks": [each == "↵" for each in text], "models": made, "full": 10.0},
    )


def test_the_most_surprising_character_is_told_with_what_is_before_it():
    found = surprise("so it", ("GPT", [1, 2, 0.5, 7, 3]), ("RNN", [2, 9, 1, 1, 1]))
    assert "Surprisal of GPT (bits): largest 7.00 (i after so), smallest 0.50 (␣ after so)." in found.sentence
    assert "Mean bits per character: GPT 2.70; RNN 2.80." in found.sentence
    assert "Probability of the first character, “s”: GPT 0.500; RNN 0.250." in found.sentence
    assert found.columns == ("Character", "GPT", "RNN") and found.rows[2] == ("3 ␣", "0.50", "1.00")


def test_the_first_character_s_probability_is_two_to_the_minus_bits():
    data = example("surprise_text")
    said = describe_picture("surprise_text", data).sentence
    for model in data["models"]:
        assert f"{model['name']} {math.pow(2, -model['bits'][0]):.3f}" in said
        assert f"{model['name']} {model['mean']:.2f}" in said


def test_of_a_long_text_the_bits_of_each_word_are_told():
    text = "so it goes↵" * 30
    found = surprise(text, ("GPT", [0.5] * 40 + [8.0] + [0.5] * (len(text) - 41)))
    assert found.columns == ("Word", "GPT") and len(found.rows) == 90
    assert found.rows[:3] == (("1 so", "1.50"), ("2 it", "1.50"), ("3 goes↵", "2.50"))
    cells = [number(row[1]) for row in found.rows]
    assert sum(cells) == pytest.approx(0.5 * (len(text) - 1) + 8)
    assert found.largest[0].text == f"{max(cells):.2f}" == "10.00"
    assert "a word with the sum of its bits" in found.sentence


def test_an_empty_text_has_no_largest_surprisal():
    found = surprise("", ("GPT", []))
    assert found.sentence.startswith("A text of 0 characters") and found.largest == () and found.rows == ()


# N-gram counts


def column(context, total, types, *children, rest=(0, 0)):
    listed = [
        {"id": at, "token": text, "count": count, "share": share} for at, text, count, share in children
    ]
    return {
        "context": context,
        "total": total,
        "types": types,
        "children": listed,
        "rest": {"types": rest[0], "count": rest[1]},
    }


def test_each_context_along_the_path_is_told_with_its_next_tokens():
    first = column("any token", 10, 5, (2, "i", 4, 0.4), (9, "<s>", 7, 0.0), rest=(3, 5))
    found = describe_picture(
        "ngram_tree", {"columns": [first, column("i", 4, 1, (5, "am", 4, 1.0))], "path": [2]}
    )
    assert found.sentence == (
        "A tree of n-gram counts with 2 columns; the path is “i”. Any token: 10 times, 5 types. "
        "After “i”: 4 times, 1 type. Count of the listed tokens, any token: largest 4 (i). "
        "Count, after “i”: largest 4 (am)."
    )
    assert found.rows == (
        ("i", "any token", "4", "40%", "on the path"),
        ("<s>", "any token", "7", "", ""),
        ("3 more", "any token", "5", "", ""),
        ("am", "after “i”", "4", "100%", ""),
    )


def test_a_path_of_several_tokens_is_told_token_by_token():
    data = {"columns": [column("any token", 1, 1, (2, "t", 1, 1.0)), column("t", 1, 1, (3, "h", 1, 1.0))]}
    said = describe_picture("ngram_tree", {**data, "path": [2, 3]}).sentence
    assert "the path is “t”, “h”." in said


def test_what_is_listed_and_what_is_left_make_the_context_s_count():
    data = example("ngram_tree")
    found = describe_picture("ngram_tree", data)
    for place, each in enumerate(data["columns"]):
        context = f"after “{each['context']}”" if place else each["context"]
        counts = [number(row[2]) for row in found.rows if row[1] == context and row[0] != "<s>"]
        assert sum(counts) == each["total"]
        assert f"{each['total']:,} times, {each['types']:,} types." in found.sentence


def test_a_context_that_nothing_follows_is_told():
    found = describe_picture("ngram_tree", {"columns": [column("zebra", 0, 0)], "path": []})
    assert "Zebra: 0 times, 0 types." in found.sentence and found.rows == () and found.largest == ()


@pytest.mark.parametrize("view", VIEWS)
def test_in_spanish_no_word_of_ours_is_english(view):
    found = describe_picture(view, example(view))
    with speaking("es"):
        spanish = describe_picture(view, example(view))
    assert len(spanish.rows) == len(found.rows) and len(spanish.columns) == len(found.columns)
    assert [each.text for each in spanish.largest] == [each.text for each in found.largest]
    heads = set(spanish.columns) & set(found.columns) - {"Token"}
    assert not {each for each in heads if each not in ("GPT", "GRU", "n-gram", "feed-forward", "LSTM", "RNN")}
    for english in ("largest", "smallest", "words", " is ", " are ", "Selected", "Count", "hidden:", "Mean "):
        assert english not in f"{spanish.sentence} {spanish.axes}", english
