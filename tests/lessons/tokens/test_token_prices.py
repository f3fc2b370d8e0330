"""Tokens are not fair: the story's numbers counted again, what merges make of it, and the lab."""

import regex

from core.models.tokens.gpt2_tokenizer import gpt2_pairs
from pages.tokens.token_prices import SENTENCES
from pages.tokens.token_prices.page import WINDOW, tokenizer_of
from tests.lessons.lesson_page import document, metrics, open_lesson, picture, said, said_in, sent, table_with

LESSON = "token_prices"


def count_tokens(language, name="gpt2"):
    return len(tokenizer_of(name).encode(SENTENCES[language]))


def rows_of(beat, *revealed):
    return [row["to"] for row in picture(LESSON, beat, *revealed)["panels"][0]["rows"]]


def test_hindi_has_more_than_ten_times_the_tokens_and_is_hidden_until_the_guess():
    tokens = {each: count_tokens(each) for each in SENTENCES}
    assert rows_of("hindi", True) == list(tokens.values())
    assert rows_of("hindi") == list(tokens.values())[:3]
    asked = document(LESSON, "hindi", True)
    assert asked["ask"]["answer"] == f"{tokens['hi']}" == f"{max(tokens.values())}"
    told = said_in(asked)
    assert f"{tokens['hi']} tokens" in told and f"{tokens['hi'] / tokens['en']:.1f} times" in told
    assert tokens["hi"] > 10 * tokens["en"]
    latin, others = list(tokens.values())[:5], list(tokens.values())[5:]
    assert max(latin) < min(others), "first languages in Latin letters, then other scripts"


def test_the_sentence_is_short_in_characters_and_long_in_bytes():
    told, panels = said_in(document(LESSON, "encoded")), picture(LESSON, "encoded")["panels"]
    characters = [len(regex.findall(r"\X", text)) for text in SENTENCES.values()]
    assert [row["to"] for row in panels[0]["rows"]] == characters
    assert [row["to"] for row in panels[1]["rows"]] == [len(text.encode()) for text in SENTENCES.values()]
    assert f"{characters[-1]} characters" in told and f"{len(SENTENCES['hi'].encode())} bytes" in told
    assert [len(sign.encode()) for sign in "aжλس人क"] == [1, 2, 2, 2, 3, 3]


def test_a_token_holds_less_of_hindi_than_a_sign():
    held = [len(text.encode()) / count_tokens(each) for each, text in SENTENCES.items()]
    rows = picture(LESSON, "held")["panels"][0]["rows"]
    assert [row["text"] for row in rows] == [f"{each:.1f}" for each in held]
    assert held[-1] < 3 and max(held) == held[0], "less than one sign, which has 3 bytes"


def test_the_text_that_merges_are_learned_from_decides_which_sentence_is_shorter():
    before, after = document(LESSON, "learned"), document(LESSON, "learned", True)
    counts = {name: [count_tokens(each, name) for each in ("en", "fr")] for name in ("english", "french")}
    panels = after["picture"]["data"]["panels"]
    assert [[row["to"] for row in panel["rows"]] for panel in panels] == list(counts.values())
    assert {row["text"] for row in before["picture"]["data"]["panels"][1]["rows"]} == {"?"}
    assert counts["english"][0] < counts["english"][1] and counts["french"][0] > counts["french"][1]
    assert after["ask"]["answer"] == "fr"
    assert f"with {counts['french'][1]} tokens against {counts['french'][0]}" in said_in(after)


def test_price_and_context_follow_from_the_tokens():
    en, hi, fr = (count_tokens(each) for each in ("en", "hi", "fr"))
    told = said_in(document(LESSON, "price"))
    assert f"{hi / en:.1f} times" in told and f"{fr / en:.1f} times" in told
    told = said_in(document(LESSON, "context"))
    assert f"{WINDOW // en} times" in told and f"only {WINDOW // hi} times" in told


def test_two_sentences_of_ones_own():
    done = document(LESSON, "own", other="Καλημέρα")["done"].replace("<strong>", "").replace("</strong>", "")
    assert f"and {len(gpt2_pairs().encode('Καλημέρα'))} tokens" in done and "63 and 16 bytes" in done


def test_the_lab_counts_any_two_sentences_and_shows_every_number():
    app = open_lesson(LESSON, first="a cat 🦜", other="<b>ñ</b>", below="numbers")
    assert not app.exception
    assert f"**{len(gpt2_pairs().encode('a cat 🦜'))} tokens**" in said(app)
    assert [row["total"] for row in sent(app, "token_rows")["rows"]][
        1
    ] == f"{len(gpt2_pairs().encode('<b>ñ</b>'))}"
    assert list(table_with(app, "premium")["tokens"]) == [count_tokens(each) for each in SENTENCES]


def test_without_merges_most_of_the_premium_is_gone():
    shown = metrics(open_lesson(LESSON, tokenizer="raw"))
    raw = len(SENTENCES["hi"].encode()) / len(SENTENCES["en"].encode())
    assert shown["without merges"] == f"{raw:.1f}" == "3.7"
    assert shown["with GPT-2's merges"] == f"{count_tokens('hi') / count_tokens('en'):.1f}" == "10.7"
