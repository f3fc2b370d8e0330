"""Tokenization: the story's numbers are counted again; the lab says what core measures, on any text and sentence."""

import re
from collections import Counter
from functools import cache

import numpy as np
import pytest

from core.models.tokens.byte_pairs import learn_merges
from core.models.tokens.gpt2_tokenizer import gpt2_pairs
from core.text.tokenization.tokens import characters, words
from pages.tokens.text_as_tokens.page import LINE, NEW_WORDS, SIZES, SPEECH, play_text
from tests.lessons.lesson_page import (
    document,
    figure,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    table_with,
    views,
)
from tests.lessons.tokens.texts import EVERY_TEXT, PASTED, TEXTS

LESSON = "text_as_tokens"
OPENED = {"codes": "true", "strange_words": "true", "sizes": "true"}
SUBWORDS = "Subwords (byte pairs)"


@pytest.fixture(scope="module")
def ranked():
    """The words of the play, the most frequent first; of equal ones the one that comes first."""
    return [word for word, _ in Counter(words(play_text())).most_common()]


def story_rows(beat, *revealed, **changes):
    """Return the rows of a beat's picture: how many tokens it says it has, and its tokens."""
    return [(row["total"], row["tokens"]) for row in picture(LESSON, beat, *revealed, **changes)["rows"]]


def test_the_line_is_as_long_as_its_tokens_are_many():
    lengths = [len(characters(LINE)), len(learn_merges(play_text(), 1000).encode(LINE)), len(words(LINE))]
    assert [total for total, _ in story_rows("cut")] == list(map(str, lengths)) == ["41", "15", "8"]
    assert "makes 41 characters, 15 subwords or 8 words" in said_in(document(LESSON, "cut"))


def test_ids_are_places_by_frequency_and_one_hot_vectors_have_their_one_there(ranked):
    tokens = story_rows("ids")[1][1]
    assert [token[1] for token in tokens] == [ranked.index(word) + 1 for word in words(LINE)]
    drawn = picture(LESSON, "one_hot")["figure"]["data"]
    assert list(drawn[-1]["x"]) == [token[1] for token in tokens]
    told = said_in(document(LESSON, "one_hot"))
    assert f"{len(ranked):,} zeros, and a single 1" in told
    assert all(list(line["x"]) == [0, len(ranked)] for line in drawn[:-1])


def test_the_second_half_s_unknown_words_are_counted_and_hidden_until_the_guess():
    tokens = words(play_text())
    known, used = set(tokens[: len(tokens) // 2]), tokens[len(tokens) // 2 :]
    share = np.mean([token not in known for token in used])
    hidden = document(LESSON, "unknown")
    assert "14.2" not in str(hidden) and "0.142" not in str(hidden)
    shown = picture(LESSON, "unknown", True)["panels"][0]["rows"]
    assert shown[0]["to"] == pytest.approx(share) and shown[0]["text"] == f"{share:.1%}" == "14.2%"
    assert document(LESSON, "unknown", True)["ask"]["answer"] == "many"


@pytest.mark.parametrize("kept", SIZES)
def test_a_speech_keeps_the_most_frequent_words_alone(ranked, kept):
    k, tokens = int(kept), words(play_text())
    rows = story_rows("lost", kept=kept)
    stay = set(ranked[:k])
    assert [token[0] for token in rows[0][1]] == [word if word in stay else "<unk>" for word in words(SPEECH)]
    share = np.mean([token not in stay for token in tokens])
    told = document(LESSON, "lost", kept=kept)["done"]
    assert f"{share:.0%}" in told


def test_what_the_play_never_says_is_spelled_and_nothing_of_it_is_unknown():
    (_, as_words), (_, as_pairs) = story_rows("new")
    assert [token[3] for token in as_words] == [1, 1]
    assert not any(token[3] for token in as_pairs)
    assert bytes.fromhex("".join(token[2] for token in as_pairs)).decode() == NEW_WORDS
    assert "unhappiness" not in words(play_text())


def test_merges_shorten_the_play_from_its_bytes_to_its_subwords():
    drawn = picture(LESSON, "length")["figure"]["data"]
    text = play_text()
    pairs = learn_merges(text, 1000)
    assert (drawn[0]["x"][0], drawn[0]["y"][0]) == (256, len(text.encode()))
    assert drawn[0]["y"][-1] == len(pairs.encode(text)) == 59_647
    points = [(point["x"][0], point["y"][0]) for point in drawn[1:]]
    assert points[0] == (len(set(characters(text))), len(characters(text)))
    assert points[2] == (len(set(words(text))), len(words(text)))


def test_gpt_2_s_row_is_hidden_until_the_guess_and_then_its_own_tokenizer_s():
    assert story_rows("gpt2")[1] == ("?", [])
    total, tokens = story_rows("gpt2", True)[1]
    pairs = gpt2_pairs()
    assert [token[0].replace("␣", " ") for token in tokens] == pairs.names(pairs.encode(LINE))
    assert total == "10" == document(LESSON, "gpt2", True)["ask"]["answer"]
    assert "cut, into nob and ler" in said_in(document(LESSON, "gpt2", True))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a", "cuts your 1 character into <strong>1 token</strong>."),
        ("早上好", "a character here takes more than one token"),
        ("?!", "It has no words."),
        ("to be", "has all of its words"),
        ("Wer reitet so spät durch Nacht und Wind", "characters per token"),
        ("مرحبا", "has none of its words"),
    ],
)
def test_an_own_line_gets_a_sentence_that_fits_it(line, told):
    assert told in document(LESSON, "own", line=line)["done"]


# The lab.


@cache
def opened(text, **query):
    app = open_lesson(LESSON, TEXTS[text], **OPENED, **query)
    assert not app.exception
    return app


@cache
def broken(text):
    return opened(text, few="true")


NAMES = {
    "Characters": "characters",
    SUBWORDS: "byte pairs",
    "Words": "words",
    "Bytes": "bytes",
    "GPT-2's subwords": "gpt2",
}


def rows(app, place=0):
    """Return the tokens of each row of a view: what is shown, id, bytes, whether it is unknown."""
    return {NAMES[row["name"]]: row["tokens"] for row in views(app)[place]["rows"]}


def passage(app):
    """Return the passage of a page, from the bytes of its characters."""
    return bytes.fromhex("".join(token[2] for token in rows(app)["characters"])).decode()


@EVERY_TEXT
def test_the_rows_are_the_passage_cut_by_core(text):
    app = opened(text)
    here, shown = passage(app), rows(app)
    assert here.strip() and here.split()[0] in TEXTS[text]
    assert [token[0].replace("␣", " ") for token in shown["characters"]] == characters(here)
    assert [token[0] for token in shown["words"]] == words(here)
    pairs = learn_merges(TEXTS[text], 1000)
    assert [token[1] for token in shown["byte pairs"]] == pairs.encode(here)
    assert bytes.fromhex("".join(token[2] for token in shown["byte pairs"])).decode() == here
    ranked = {word: i for i, (word, _) in enumerate(Counter(words(TEXTS[text])).most_common(), 1)}
    assert [token[1] for token in shown["words"]] == [ranked[word] for word in words(here)]
    assert not any(token[3] for row in shown.values() for token in row)


@EVERY_TEXT
def test_the_sentences_are_what_core_measures(text):
    app = opened(text)
    content, here = TEXTS[text], passage(app)
    pairs = learn_merges(content, 1000)
    lengths = [len(characters(here)), len(pairs.encode(here)), len(words(here))]
    N = [len(characters(content)), len(pairs.encode(content)), len(words(content))]
    held = [f"{N[0] / n:.1f}" for n in N]
    assert (
        f"The same passage is {lengths[0]} characters, {lengths[1]} subwords or {lengths[2]} words. The whole text "
        f"has {held[0]}, **{held[1]}** or {held[2]} characters per token." in said(app)
    )
    table = table_with(opened(text, below="Every number"), "characters per token")
    assert table["tokens"].tolist() == N
    assert table["types"].tolist() == [
        len(set(characters(content))),
        len(set(pairs.encode(content))),
        len(set(words(content))),
    ]
    assert table["vocabulary V"].tolist()[1] == 256 + len(pairs.merges)
    assert table["bits of an id"].tolist() == [int(np.ceil(np.log2(V))) for V in table["vocabulary V"]]


@EVERY_TEXT
def test_half_a_text_s_vocabulary_lacks_what_the_page_says(text):
    tokens = words(TEXTS[text])
    known, used = set(tokens[: len(tokens) // 2]), tokens[len(tokens) // 2 :]
    share = np.mean([token not in known for token in used])
    sentence = said(opened(text)).split("A vocabulary from the first half of your text lacks **")[1]
    told = sentence.split("** of the words")[0]
    assert told == (f"{share:.1%}" if share == 0 or share > 0.0005 else "less than 0.1%")


@EVERY_TEXT
def test_the_most_frequent_words_alone_leave_as_much_unknown_as_they_do_not_cover(text):
    app, tokens = broken(text), words(TEXTS[text])
    ranked = Counter(tokens).most_common()
    k = min(100, len(ranked) // 2)
    share = 1 - sum(count for _, count in ranked[:k]) / len(tokens)
    assert metrics(app)["Unknown words of the text, most frequent kept"] == f"{share:.1%}"
    assert metrics(app)["Unknown words of the text, all words kept"] == "0.0%"
    kept = {word for word, _ in ranked[:k]}
    shown = rows(app)["words"]
    assert [bool(token[3]) for token in shown] == [word not in kept for word in words(passage(app))]
    assert all((token[1] == 0) == bool(token[3]) for token in shown)
    lost = sum(token[3] for token in shown)
    assert (f"**{lost}** became" in said(app)) if lost else ("loses nothing" in said(app))
    assert [token[3] for token in rows(app)["byte pairs"]] == [0] * len(rows(app)["byte pairs"])


@EVERY_TEXT
@pytest.mark.parametrize("way", ["characters", "byte pairs", "words"])
def test_the_codes_in_the_picture_are_the_ids(text, way):
    app = opened(text, way=way)
    codes = next(each for each in (figure(app, i) for i in range(2)) if each["data"][1]["type"] == "heatmap")
    tokens = rows(app)[way][:8]
    bits = np.array(codes["data"][1]["z"])
    assert [int("".join(map(str, row)), 2) for row in bits] == [token[1] for token in tokens]
    assert numbers(codes["data"][0]["x"]) == [token[1] for token in tokens]
    apart = {(bits[i] != bits[j]).sum() for i in range(len(bits)) for j in range(i)} - {0}
    span = f"{min(apart)} to {max(apart)}" if len(apart) > 1 else f"{min(apart)}"
    assert f"codes of these differ in {span} bit" in said(app)


@EVERY_TEXT
def test_the_two_codes_that_are_added_up_are_said_to_be_a_third_token_s(text):
    app = opened(text)
    latex = next(each.value for each in app.latex if "underset" in each.value)
    one, other, third = (int(code, 2) for code in re.findall(r"\}\{([01]+)\}", latex))
    assert one & other == 0 and one + other == third
    types = ["<unk>", *(word for word, _ in Counter(words(TEXTS[text])).most_common())]
    for i in (one, other, third):
        assert f"“{types[i]}”" in said(app)


@EVERY_TEXT
def test_what_nobody_wrote_is_unknown_as_words_and_never_as_byte_pairs(text):
    typed = "undreamable 🦜 早上好"
    shown = rows(opened(text), 1)
    seen = set(words(TEXTS[text]))
    lacking = sum(word not in seen for word in words(typed))
    assert sum(token[3] for token in shown["words"]) == lacking
    assert not any(token[3] for token in shown["byte pairs"])
    assert " ".join(token[0] for token in shown["bytes"]) == typed.encode().hex(" ")
    assert f"Unknown as words: {lacking} of {len(words(typed))}" in said(opened(text))


@EVERY_TEXT
def test_until_the_guess_no_byte_pair_of_the_passage_and_no_length_is_shown(text):
    app = open_lesson(LESSON, TEXTS[text], predict="true")
    assert set(rows(app)) == {"characters", "words"}
    assert "characters per token." not in said(app)
    held = len(characters(TEXTS[text])) / len(learn_merges(TEXTS[text], 1000).encode(TEXTS[text]))
    answer = ["fewer than 2", "2 to 3", "3 to 4", "4 or more"][min(3, max(0, int(held) - 1))]
    assert len(question(app).options) == 4
    assert "Right" in said(guess(app, answer))


def test_a_typed_sentence_is_cut_and_bound_to_the_address():
    app = opened("Hamlet", source="typed", typed="Naïve 🦜, 早上好!")
    assert passage(app) == "Naïve 🦜, 早上好!"
    known = [token[0] for token in rows(app)["words"] if not token[3]]
    assert known == []
    empty = open_lesson("text_as_tokens", PASTED, source="typed", typed="")
    assert not empty.exception
    assert "nothing to cut yet" in said(empty)


@pytest.mark.parametrize("text", ["", "... !!!", " \n "])
def test_a_text_without_words_is_answered_with_a_sentence(text):
    for few in ("false", "true"):
        app = open_lesson("text_as_tokens", text, few=few)
        assert not app.exception
        assert "This text has no words" in said(app)


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a b",
        "🦜 🎉",
        "早上好。你好吗？",
        "مرحبا بالعالم",
        "<b>x</b> $a$ `c` ![i](j)",
        "e\u0301 x",
    ],
)
@pytest.mark.parametrize(("few", "way"), [("false", "byte pairs"), ("true", "words")])
def test_no_text_breaks_the_page(text, few, way):
    assert not open_lesson(LESSON, text, few=few, way=way, below="Every number", **OPENED).exception


def test_a_move_sends_little():
    app = opened("Hamlet", few="true")
    sent = sum(len(each.proto.json) for each in app.get("bidi_component"))
    sent += sum(len(chart.proto.spec) for chart in app.get("plotly_chart"))
    assert sent < 60_000
