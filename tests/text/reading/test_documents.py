"""What a learner brings: every kind of file is read, and every bad one gets one sentence, quickly."""

import io
import random
import struct
import time
import unicodedata
import zipfile

import docx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from core.text.reading import extraction
from core.text.reading.documents import BYTES_AT_MOST, ENDINGS, TextError, read_document, read_pasted
from core.text.tokenization.tokens import words

STORY = "The old lighthouse keeper counted the ships. Nobody else did."


def pdf(text: str = STORY, pages: int = 1) -> bytes:
    """A PDF written by hand: one line of text a page."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (pages, b" ".join(b"%d 0 R" % (5 + n) for n in range(pages))),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    drawn = f"BT /F1 12 Tf 50 700 Td ({text}) Tj ET".encode("latin-1")
    objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
    objects += [page] * pages
    body, places = b"%PDF-1.4\n", b"0000000000 65535 f \n"
    for number, content in enumerate(objects, 1):
        places += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj%sendobj\n" % (number, content)
    size = len(objects) + 1
    end = b"xref\n0 %d\n%strailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF"
    return body + end % (size, places, size, len(body))


def locked_pdf(user_password: str) -> bytes:
    writer, saved = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf()))), io.BytesIO()
    writer.encrypt(user_password, "the owner's", algorithm="AES-256")
    writer.write(saved)
    return saved.getvalue()


def blank_pdf() -> bytes:
    writer, saved = PdfWriter(), io.BytesIO()
    writer.add_blank_page(600, 800)
    writer.write(saved)
    return saved.getvalue()


def word(*paragraphs: str) -> bytes:
    document, saved = docx.Document(), io.BytesIO()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    document.add_table(1, 1).cell(0, 0).text = "In a cell."
    document.save(saved)
    return saved.getvalue()


def archive(**parts: bytes) -> bytes:
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name.replace("__", "/"), content)
    return saved.getvalue()


def lying_bomb() -> bytes:
    """A Word document whose archive declares 1,000 bytes for a part that unpacks to 300 MB."""
    size = 300_000_000
    bomb = archive(**{"word__document.xml": b" " * size})
    return bomb.replace(struct.pack("<I", size), struct.pack("<I", 1000))


def xml_bomb() -> bytes:
    """A Word document that defines a word as ten of the word before, nine times over."""
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    document = docx.Document()
    saved, packed = io.BytesIO(), io.BytesIO()
    document.save(saved)
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(packed, "w") as new:
        for part in old.namelist():
            content = old.read(part)
            if part == "word/document.xml":
                content = content.replace(
                    b"<w:document", f'<!DOCTYPE b [<!ENTITY e0 "ha">{entities}]><w:document'.encode(), 1
                ).replace(b"<w:body>", b"<w:body><w:p><w:r><w:t>&e9;</w:t></w:r></w:p>")
            new.writestr(part, content)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("a.txt", STORY.encode(), STORY),
        ("A.TXT", f"{STORY}\r\nEnd.\rX".encode(), f"{STORY}\nEnd.\nX"),
        ("a.md", f"## A *story*\n\n{STORY}".encode(), f"A story\n\n{STORY}"),
        ("a.pdf", pdf(), STORY),
        ("a.pdf", locked_pdf(""), STORY),
        ("a.pdf", b"junk before it\n" + pdf(), STORY),
        ("a.docx", word(STORY, "Ещё и ещё."), f"{STORY}\n\nЕщё и ещё.\n\nIn a cell."),
        ("a.csv", f"n,said\n1,{STORY}\n2,Yes\n".encode(), f"{STORY}\n\nYes"),
    ],
    # a PDF's bytes differ from run to run, so its name may not be made of them
    ids=["txt", "windows and mac", "md", "pdf", "locked pdf", "pdf with junk", "docx", "csv"],
)
def test_each_kind_of_file_is_read(name, data, text):
    assert read_document(name, data).text.strip() == text


FRENCH = "L'été dernier, le garçon rêvait déjà de Noël à l'hôtel près de la forêt."
RUSSIAN = "Старик смотрел на реку и думал о том, как быстро проходит время."
GREEK = "Ο γέρος κοίταζε τη θάλασσα και σκεφτόταν πόσο γρήγορα περνά ο χρόνος."
CHINESE = "老人看着河流，想着时间过得真快。风在树林里轻轻地吹，孩子们回家了。"
JAPANESE = "老人は川を見ながら、時間がどれほど速く過ぎるかを考えていた。"
ARABIC = "نظر الرجل العجوز إلى النهر وفكر في سرعة مرور الوقت في المدينة."
MARKED = ("utf-8-sig", "utf-16", "utf-32", "utf-8", "utf-16-le", "utf-16-be")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(text, encoding) for text in (FRENCH, RUSSIAN, GREEK) for encoding in MARKED]
    + [(CHINESE, "utf-8"), (CHINESE, "utf-16"), (CHINESE, "gb18030"), (ARABIC, "cp1256"), (ARABIC, "utf-8")]
    + [(FRENCH, "latin-1"), (FRENCH, "cp1252"), (FRENCH, "mac_roman"), (FRENCH + " “d’oh” — €", "cp1252")]
    + [
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (GREEK, "cp1253"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
    ],
)
def test_the_encoding_is_recognised(text, encoding):
    assert read_document("a.txt", text.encode(encoding)).text == text


def test_a_mark_out_of_ascii_late_in_a_long_file_still_decides_the_encoding():
    assert read_document("a.txt", (STORY * 20_000 + FRENCH).encode("cp1252")).text.endswith(FRENCH)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_column_with_the_most_text_is_read_unless_one_is_chosen(sign):
    rows = [
        ["id", "title", "review"],
        ["1", "Fog", '"A slow, damp film; I liked it."'],
        ["2", "Sun", "Too bright."],
    ]
    data = "\n".join(sign.join(row) for row in rows).encode()
    read = read_document("a.csv", data)
    assert (read.columns, read.column) == (("title", "review"), "review")
    assert read.text == "A slow, damp film; I liked it.\n\nToo bright."
    assert read_document("a.csv", data, "title").text == "Fog\n\nSun"


def test_columns_without_or_with_the_same_name_can_be_told_apart():
    read = read_document("a.csv", b"x,x,\nred wine,blue sky,green tea\n")
    assert read.columns == ("x", "x (2)", "column 3")


BAD = {
    "empty": ("a.txt", b"", "empty"),
    "blank": ("a.txt", b" \n\t \r\n", "blank"),
    "only signs": ("a.txt", b"?! -- ...", "no words"),
    "one word": ("a.txt", b"word\n", "only one word"),
    "one endless word": ("a.txt", b"a" * 5_000_000, "only one word"),
    "too big": ("a.txt", b"a b " * (BYTES_AT_MOST // 4 + 1), "at most 10 MB"),
    "wrong type": ("a.exe", b"MZ", ".docx or .pdf"),
    "no ending": ("notes", b"some words", ".docx or .pdf"),
    "binary": ("a.txt", bytes(range(256)) * 50, "binary"),
    "mostly zero bytes": ("a.txt", bytes(10_000), "binary"),
    "random": ("a.txt", b"\x00" + random.Random(1).randbytes(50_000), "binary"),
    "picture": ("a.txt", b"\x89PNG\r\n\x1a\n", "PNG picture"),
    "PDF called text": ("a.txt", pdf(), "ending .pdf"),
    "Word called text": ("a.md", word(STORY), "ends in .docx"),
    "text called PDF": ("a.pdf", STORY.encode(), "not a PDF"),
    "text called Word": ("a.docx", STORY.encode(), "not a Word document"),
    "damaged UTF-16": ("a.txt", b"\xff\xfea\x00b\x00c", "damaged"),
    "broken PDF": ("a.pdf", b"%PDF-1.7\n" + bytes(1000), "damaged"),
    "half a PDF": ("a.pdf", pdf()[:200], "damaged"),
    "locked PDF": ("a.pdf", locked_pdf("secret"), "password"),
    "PDF of pictures": ("a.pdf", blank_pdf(), "no text layer"),
    "broken Word": ("a.docx", b"PK\x03\x04" + bytes(1000), "damaged"),
    "half a Word": ("a.docx", word(STORY)[:5000], "damaged"),
    "locked Word": ("a.docx", b"\xd0\xcf\x11\xe0" + bytes(1000), "password"),
    "archive": ("a.docx", archive(sheet=b"1"), "not a Word document"),
    "hollow Word": ("a.docx", archive(**{"word__document.xml": b"<a/>"}), "damaged"),
    "zip bomb": ("a.docx", archive(**{"word__document.xml": b" " * 300_000_000}), "more than 100 MB"),
    "many parts": (
        "a.docx",
        archive(**{f"word__{n}.xml": b"" for n in range(6000)}, **{"word__document.xml": b""}),
        "more than",
    ),
    "lying zip bomb": ("a.docx", lying_bomb(), "damaged"),
    "Word without text": ("a.docx", archive(**{"word__document.xml": b""}), "damaged"),
    "CSV of numbers": ("a.csv", b"a,b\n1,2\n3,4\n", "No column"),
    "CSV with names alone": ("a.csv", b"name,text\n", "No column"),
    "CSV of blanks": ("a.csv", b",,\n,,\n", "No column"),
    "CSV of commas": ("a.csv", b"," * 5_000_000, "No column"),
    "CSV of one word": ("a.csv", b"t\nword\n", "only one word"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_sentence_within_seconds(name):
    file, data, about = BAD[name]
    started = time.monotonic()
    with pytest.raises(TextError) as error:
        read_document(file, data)
    assert time.monotonic() - started < 10
    assert about in str(error.value)
    assert "\n" not in str(error.value)
    assert str(error.value).endswith(".")


def test_words_defined_by_words_without_end_are_not_spelt_out():
    started = time.monotonic()
    try:
        assert len(read_document("a.docx", xml_bomb()).text) < 1000
    except TextError as error:
        assert "damaged" in str(error)
    assert time.monotonic() - started < 10


def test_a_column_that_is_not_there_gets_a_sentence():
    with pytest.raises(TextError, match="no such column"):
        read_document("a.csv", b"t\ntwo words\n", "u")


def test_a_file_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(extraction, "SECONDS", -9.99)
    with pytest.raises(TextError, match="takes too long"):
        read_document("a.pdf", pdf())


def test_a_long_pdf_is_read_up_to_a_time_and_says_so(monkeypatch):
    monkeypatch.setattr(extraction, "SECONDS", 0.1)
    text, note = extraction.pdf_text(pdf(pages=2000))
    assert "Only the first" in note
    assert "of 2000 pages" in note
    assert text.startswith(STORY)


@pytest.mark.parametrize(
    ("ending", "line"),
    [("txt", line) for line in ("It was a dark and stormy night; the rain fell. ", "été ", "我们")]
    + [("md", line) for line in ("[](", "## ", "_a", "<a ")]
    + [("csv", line) for line in ("a,", '"a', "a b ")],
)
def test_a_single_line_of_five_megabytes_is_read_within_seconds(ending, line):
    started = time.process_time()
    data = (line * (5_000_000 // len(line.encode()))).encode()
    try:
        assert len(words(read_document(f"a.{ending}", data).text)) > 1
    except TextError:
        assert ending != "txt"
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("text", "about"), [("", "blank"), (" \n", "blank"), ("word", "only one"), ("a " * 5_300_000, "10 MB")]
)
def test_bad_pasted_text_gets_a_sentence(text, about):
    with pytest.raises(TextError, match=about):
        read_pasted(text)


def test_pasted_text_loses_what_cannot_be_written():
    assert read_pasted("zero\x00 width\ud800 line\r\nend").text == "zero width line\nend"


@given(st.binary(max_size=3000), st.sampled_from([*ENDINGS, "exe"]))
@settings(deadline=None, max_examples=300)
def test_any_bytes_give_a_text_or_a_sentence(data, ending):
    try:
        assert len(words(read_document(f"a.{ending}", data).text)) >= 2
    except TextError as error:
        assert str(error).endswith(".")


@given(st.text(max_size=300))
@settings(deadline=None)
def test_any_text_file_gives_its_words_back(text):
    try:
        read = read_document("a.txt", b"\xef\xbb\xbf" + text.encode("utf-8", "replace"))
    except TextError:
        assert len(words(text)) < 2 or any(unicodedata.category(sign) == "Cc" for sign in text)
    else:
        assert read.encoding == "utf-8"


@pytest.mark.parametrize("ending", ["pdf", "docx"])
@given(random=st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=6, suppress_health_check=list(HealthCheck))
def test_damaged_pdf_and_word_files_give_a_text_or_a_sentence(ending, random):
    data = bytearray(pdf() if ending == "pdf" else word(STORY))
    for _ in range(random.randint(1, 20)):
        data[random.randrange(8, len(data))] = random.randrange(256)
    try:
        read_document(f"a.{ending}", bytes(data))
    except TextError as error:
        assert str(error).endswith(".")
