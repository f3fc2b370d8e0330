"""Labelled documents are read from lines, tables and archives, and what is wrong with them is a sentence."""

import csv
import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.reading.decoding import TextError
from core.text.reading.documents import BYTES_AT_MOST
from core.text.reading.labelled import (
    CHARACTERS_AT_MOST,
    DOCUMENTS_AT_MOST,
    read_labelled_file,
    read_lines,
    read_table,
)

ROWS = [("ham", f"see you at {n}") for n in range(6)] + [("spam", f"win {n} pounds") for n in range(6)]


def table(rows, delimiter=",", head=("label", "text")):
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter).writerows([*([head] if head else []), *rows])
    return written.getvalue()


def archive(files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return content.getvalue()


def pairs(read):
    return list(zip(read.labels, read.texts, strict=True))


def test_lines_of_label_tab_and_text_are_read_and_a_line_of_names_is_not_one():
    lines = "".join(f"{label}\t{text}\n" for label, text in ROWS)
    assert pairs(read_lines(lines)) == ROWS
    assert pairs(read_lines("label\ttext\n" + lines)) == ROWS
    assert read_lines(lines).own


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("head", [("label", "text"), ("v1", "v2"), None])
def test_tables_are_read_whatever_parts_their_columns_with_and_without_names(delimiter, head):
    name = "a.tsv" if delimiter == "\t" else "a.csv"
    read = read_labelled_file(name, table(ROWS, delimiter, head).encode())
    assert pairs(read) == ROWS
    assert (read.label_column, read.text_column) == (head or ("column 1", "column 2"))


def test_the_columns_that_look_like_it_are_found_among_others_and_can_be_named():
    rows = [
        (n, f"title {n} is long enough to be a text", "x" if n % 2 else "y", text)
        for n, (_, text) in enumerate(ROWS)
    ]
    written = table(rows, head=("id", "title", "mood", "message"))
    found = read_table("t.csv", written)
    assert (found.columns, found.label_column, found.text_column) == (
        ("id", "title", "mood", "message"),
        "mood",
        "message",
    )
    named = read_table("t.csv", written, "mood", "title")
    assert named.texts[0] == "title 0 is long enough to be a text"
    with pytest.raises(TextError, match="two columns"):
        read_table("t.csv", written, "mood", "mood")


def test_an_archive_s_folders_are_labels_and_what_is_hidden_is_no_document():
    files = {f"data/{label}/{n}.txt": text for n, (label, text) in enumerate(ROWS)}
    hidden = {
        "__MACOSX/data/ham/._0.txt": "x",
        "data/ham/.secret.txt": "x",
        "readme.txt": "x",
        "data/spam/a.png": "x",
    }
    assert pairs(read_labelled_file("d.zip", archive(files | hidden))) == ROWS


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "nothing to read"),
        ("no tab here\n" * 20, "No line has a tab"),
        ("ham\thello\n" * 20, "All 20 documents have the label “ham”"),
        ("ham\thello\nspam\twin\n" * 3, "This is 6 documents"),
        ("".join(f"l{n}\ttext {n}\n" for n in range(30)), "30 different labels: hardly two share one"),
        ("".join(f"l{n // 2}\ttext {n}\n" for n in range(60)), "at most 20"),
        ("a\tx\n" * 20 + "b\ty\n", "Only the label “a”"),
    ],
)
def test_what_cannot_be_learnt_from_is_said_in_a_sentence(text, sentence):
    with pytest.raises(TextError, match=sentence):
        read_lines(text)


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a.docx", b"x", "Files of this kind"),
        ("a.csv", b"", "empty"),
        ("a.csv", b"x" * (BYTES_AT_MOST + 1), "at most 10 MB"),
        ("a.csv", b"one\ntwo\nthree", "one column only"),
        (
            "a.csv",
            table([(f"id{n}", f"text {n}") for n in range(40)], head=("id", "text")).encode(),
            "No column",
        ),
        ("a.csv", table([(f"id{n}", f"text {n}") for n in range(40)]).encode(), "40 different labels"),
        ("a.csv", b"label,text\n", "No column"),
        ("a.zip", b"not an archive", "damaged"),
        ("a.zip", archive({"one.txt": "x"}), "no .txt file in a folder"),
        ("a.txt", b"\x89PNG\r\n", "PNG"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(name, data, sentence):
    with pytest.raises(TextError, match=sentence):
        read_labelled_file(name, data)


def test_an_archive_that_unpacks_to_gigabytes_is_not_opened():
    bomb = archive({f"a/{n}.txt": "0" * (6 << 20) for n in range(20)})
    assert len(bomb) < BYTES_AT_MOST
    with pytest.raises(TextError, match="more than 100 MB"):
        read_labelled_file("a.zip", bomb)


@pytest.mark.parametrize("lines", ["a\tx\n" * 500_000 + "b\ty\n" * 500_000, "a\tx\nb\ty\n" * 500_000])
def test_of_a_million_rows_some_are_drawn_whatever_their_order_and_it_is_said_how_many(lines):
    read = read_lines(lines)
    assert len(read.texts) == DOCUMENTS_AT_MOST
    assert 0.48 < read.labels.count("a") / DOCUMENTS_AT_MOST < 0.52
    assert "1,000,000 documents; 20,000 of them, drawn at random, were read" in read.notes[0]


def test_a_cell_of_ten_megabytes_is_read_up_to_its_bound_too():
    rows = [("ab"[n % 2], f"row {n}") for n in range(12)]
    read = read_labelled_file("a.csv", table([*rows, ("a", "word " * 1_900_000)]).encode())
    assert len(read.texts) == 13 and max(map(len, read.texts)) == CHARACTERS_AT_MOST


def test_ten_rows_are_enough_and_nine_are_not():
    rows = [("ab"[n % 2], f"row {n}") for n in range(10)]
    assert len(read_labelled_file("a.csv", table(rows).encode()).texts) == 10
    with pytest.raises(TextError, match="at least ten"):
        read_labelled_file("a.csv", table(rows[:9]).encode())


def test_documents_of_several_languages_are_read_and_it_is_said():
    rows = [("good", "I love the lid and it is red"), ("bad", "je déteste le couvercle qui est rouge")] * 8
    [note] = read_lines("".join(f"{label}\t{text}\n" for label, text in rows)).notes
    assert note.startswith("These seem to be of several languages: 50% English, 50% French.")
    scripts = [("good", "хорошая лампа"), ("bad", "ภาษาไทย"), ("good", "早上好")] * 5
    assert "Chinese" in read_lines("".join(f"{label}\t{text}\n" for label, text in scripts)).notes[-1]
    assert read_lines("".join(f"{label}\t{text}\n" for label, text in ROWS)).notes == ()


def test_a_line_of_ten_megabytes_is_read_up_to_its_bound_and_it_is_said():
    long = "word " * 2_000_000
    read = read_lines("a\tshort\nb\tshort\n" * 6 + f"a\t{long}")
    assert max(map(len, read.texts)) == CHARACTERS_AT_MOST
    assert "1 document" in read.notes[0]


def test_what_is_left_out_is_counted():
    read = read_lines("a\tx\nb\ty\n" * 6 + "no tab\n\t\nc\tonly one\na\t\n")
    assert len(read.texts) == 12
    assert [note.split(":")[0].split(".")[0] for note in read.notes] == [
        "1 line without a tab was left out",
        "Left out as without label or text",
        "Left out as the only one with its label",
    ]


def test_labels_and_texts_of_any_script_are_kept():
    rows = [("好", "早上好。"), ("سيئ", "مرحبا بالعالم"), ("😀", "🦜 🎉")] * 5
    assert pairs(read_lines("".join(f"{label}\t{text}\n" for label, text in rows))) == rows


@given(st.text(max_size=400), st.sampled_from(["a.csv", "a.tsv", "a.txt"]))
def test_no_text_raises_anything_but_a_sentence(text, name):
    try:
        read = read_labelled_file(name, text.encode("utf-8", "ignore"))
    except TextError as error:
        assert str(error).endswith(".")
    else:
        assert len(set(read.labels)) > 1
