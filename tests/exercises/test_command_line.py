"""What the command line of core.exercises cannot do ends in a sentence, never in a traceback."""

import pytest

from core.exercises.__main__ import main


def refusal(capsys, *arguments):
    """Return how a command ended and what it said."""
    with pytest.raises(SystemExit) as ended:
        main(["viterbi", *map(str, arguments)])
    code = ended.value.code
    return (1, code) if isinstance(code, str) else (code, capsys.readouterr().err.splitlines()[-1])


@pytest.mark.parametrize(
    ("option", "written", "said"),
    [
        ("number", "-5", "from 0 to 100"),
        ("number", "1000000000", "from 0 to 100"),
        ("variants", "0", "from 1 to 500"),
        ("variants", "1000000000", "from 1 to 500"),
        ("variants", "9" * 5000, "from 1 to 500"),
        ("variants", "²", "from 1 to 500"),
        ("difficulty", "9", "invalid choice"),
        ("paper", "A9", "invalid choice"),
    ],
)
def test_a_value_that_no_sheet_can_have_is_refused_before_anything_is_made(capsys, option, written, said):
    code, sentence = refusal(capsys, f"--{option}={written}")
    assert code == 2
    assert said in sentence


def test_a_lesson_that_does_not_exist_is_refused(capsys):
    code, sentence = refusal(capsys, "../../etc/passwd")
    assert code == 2
    assert "invalid choice: '../../etc/passwd'" in sentence


@pytest.mark.parametrize("option", ["text", "sheet", "moodle"])
def test_a_file_that_cannot_be_read_or_written_is_a_sentence(capsys, tmp_path, option):
    gone = tmp_path / "gone" / "file"
    assert refusal(capsys, f"--{option}", gone) == (
        1,
        f"The file {gone} cannot be used: No such file or directory.",
    )
    assert refusal(capsys, f"--{option}", tmp_path) == (
        1,
        f"The file {tmp_path} cannot be used: Is a directory.",
    )


def test_a_text_that_is_not_utf_8_is_a_sentence(capsys, tmp_path):
    file = tmp_path / "words.txt"
    file.write_bytes(b"\xff\xfe caf\xe9")
    code, sentence = refusal(capsys, "--text", file)
    assert (code, sentence) == (
        1,
        f"The file {file} is not a text in UTF-8. Save it as UTF-8, then try again.",
    )


def test_markup_in_a_text_is_text_on_the_sheet(tmp_path):
    text, file = tmp_path / "words.txt", tmp_path / "sheet.html"
    text.write_text("<script>alert(1)</script> <b>cat</b> sat. " * 9, encoding="utf-8")
    main(["ngram_probability", "--text", str(text), "--sheet", str(file)])
    sheet = file.read_text(encoding="utf-8")
    assert "alert" in sheet
    assert "<script>alert" not in sheet
    assert "<b>cat" not in sheet


def test_markup_in_a_seed_is_text_on_the_sheet(tmp_path):
    file = tmp_path / "sheet.html"
    main(["viterbi", "--seed", "<script>alert(1)</script>", "--sheet", str(file)])
    assert "<script>alert" not in file.read_text(encoding="utf-8")
