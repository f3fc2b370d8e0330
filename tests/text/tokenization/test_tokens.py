"""Characters, words and sentences: in every script, complete, and in linear time."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.tokenization.tokens import characters, sentences, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don’t stop — it's l’heure!", ["don't", "stop", "it's", "l'heure"]),
        ("'quoted' words' end", ["quoted", "words", "end"]),
        ("mother-in-law snake_case", ["mother", "in", "law", "snake", "case"]),
        ("1,000.50 3rd 2.The end.", ["1,000.50", "3rd", "2", "the", "end"]),
        ("Élève ŒUVRE Straße", ["élève", "œuvre", "straße"]),
        ("Ὁ ἄνθρωπος", ["ὁ", "ἄνθρωπος"]),
        ("Съешь ещё", ["съешь", "ещё"]),
        ("مَرْحَبًا بِالعالَم", ["مَرْحَبًا", "بِالعالَم"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("می‌خواهم", ["می‌خواهم"]),
        ("我爱你。", ["我", "爱", "你"]),
        ("カフェで", ["カ", "フ", "ェ", "で"]),
        ("Python是语言", ["python", "是", "语", "言"]),
        ("hi👍🏽👩‍🚀🇫🇷🇮🇹ok", ["hi", "👍🏽", "👩‍🚀", "🇫🇷", "🇮🇹", "ok"]),
        ("❤️ ☕", ["❤️", "☕"]),
        ("soft\u00adhyphen", ["softhyphen"]),
        ("𑀓𑀸 𑒧𑒻𑒟𑒱𑒪𑒲", ["𑀓𑀸", "𑒧𑒻𑒟𑒱𑒪𑒲"]),  # Brahmi, Maithili: marks beyond U+FFFF
        ("ท่านกำลัง ไทย123", ["ท่", "า", "น", "กำ", "ลั", "ง", "ไ", "ท", "ย", "123"]),
        ("မြန်မာစာ။", ["မြ", "န်", "မာ", "စာ"]),
        ("ខ្ញុំស្រឡាញ់", ["ខ្ញុំ", "ស្រ", "ឡា", "ញ់"]),
        ("ພາສາລາວ", ["ພ", "າ", "ສ", "າ", "ລ", "າ", "ວ"]),
        ("m² ½ ① x_y", ["m²", "½", "①", "x", "y"]),
        ("", []),
        (" \n…—!? ", []),
    ],
)
def test_words_in_every_script(text, expected):
    assert words(text) == expected


def test_the_two_spellings_of_an_accented_letter_are_one_type():
    assert words(unicodedata.normalize("NFD", "café")) == words("café") == ["café"]


@pytest.mark.parametrize("cut", [words, characters])
def test_a_type_is_in_memory_once_in_however_many_sentences_it_occurs(cut):
    read = [cut(f"Коты и {count} 👩‍🚀") for count in range(100, 900)]
    assert len({id(token) for tokens in read for token in tokens}) == len(
        {token for tokens in read for token in tokens}
    )


def test_characters_keep_marks_and_emoji_together():
    assert characters("e\u0301👍🏽رًا🇬🇷") == ["é", "👍🏽", "رً", "ا", "🇬🇷"]
    assert characters("กำ𑀓𑀸ខ្ញុំ") == ["กำ", "𑀓𑀸", "ខ្ញុំ"]
    assert characters("မာ") == ["မာ"]


def test_the_ends_of_lines_are_two_characters_in_any_script():
    assert characters("a\r\n") == ["a", "\r", "\n"]
    assert characters("ก\r\n") == ["ก", "\r", "\n"]


@given(st.text())
def test_characters_leave_nothing_out(text):
    assert "".join(characters(text)) == unicodedata.normalize("NFC", text).replace("\u00ad", "")


@given(st.text())
def test_words_are_made_of_the_text_in_its_order(text):
    rest = iter(unicodedata.normalize("NFC", text).replace("\u00ad", "").lower().replace("’", "'"))
    assert all(character in rest for character in "".join(words(text)))


@given(st.text())
def test_sentences_leave_out_nothing_but_space(text):
    kept = unicodedata.normalize("NFC", text).replace("\u00ad", "")
    assert "".join("".join(sentences(text)).split()) == "".join(kept.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ('"Stop." She left. (Quietly.) Gone.', ['"Stop."', "She left.", "(Quietly.)", "Gone."]),
        (
            "Dr. Who met J. R. Smith. It was I. He left.",
            ["Dr. Who met J. R. Smith.", "It was I.", "He left."],
        ),
        ("It costs 3.50 e.g. here. Now", ["It costs 3.50 e.g. here.", "Now"]),
        ("“Why?” he asked… “Because.”", ["“Why?” he asked…", "“Because.”"]),
        ("A title\n\nthe text goes\non here.\n \nend", ["A title", "the text goes on here.", "end"]),
        ("ends here.\n\nsmall letters begin", ["ends here.", "small letters begin"]),
        ("他来了。「真的？」她问。", ["他来了。", "「真的？」", "她问。"]),
        ("كيف حالك؟ بخير.", ["كيف حالك؟", "بخير."]),
        ("ខ្ញុំទៅ។ គាត់មក។", ["ខ្ញុំទៅ។", "គាត់មក។"]),
        ("", []),
        (" \n \n ", []),
    ],
)
def test_sentences(text, expected):
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "line",
    [
        "word ",
        "x",
        "Stop. ",
        ".",
        "'",
        ".'",
        "。",
        "\n",
        "\n \n",
        "a\u0301",
        "\u0301",
        "👩‍",
        "1,",
        "It's a dog. ",
        "กำ",
        "ខ្ញុំ",
    ],
)
@pytest.mark.parametrize("cut", [words, sentences, characters])
def test_a_single_long_line_of_anything_takes_linear_time(cut, line):
    started = time.process_time()
    cut(line * (300_000 // len(line)))
    assert time.process_time() - started < 2
