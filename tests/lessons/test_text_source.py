"""One text, chosen once: it stays across lessons, and bad input leaves it as it was."""

import pytest
from streamlit.testing.v1 import AppTest

from core.lesson import text_source
from core.lesson.text_source import OPEN, OWN
from core.text.reading.documents import Document
from tests.lessons.lesson_page import COURSE, go_to

MAP = "co_occurrence"
ARITHMETIC = "word_arithmetic"
NOVEL = b"The whale swam. The captain watched the whale. The sea was grey and the whale was white."


def go_to_lab(app, name):
    """Let the next run show a lesson's lab; of a lesson that is no story yet this is its page."""
    app.query_params["lab"] = "true"
    return go_to(app, name)


def word_map():
    return go_to_lab(AppTest.from_file(COURSE, default_timeout=60), MAP).run()


def line(app) -> str:
    return next(text.value for text in app.text if "characters" in text.value)


def with_popover(app):
    """Return the page with the popover open, in which the text is chosen."""
    app.session_state[OPEN] = True
    return app.run()


def upload(app, name, data):
    with_popover(app)
    return app.file_uploader(key="text_source_upload").upload(name, data, "application/octet-stream").run()


def test_the_micro_world_is_there_at_first():
    assert line(word_map()).startswith("The micro-world: ")


def test_a_pasted_text_is_used_and_counted_and_the_popover_closes():
    app = with_popover(word_map())
    app.text_area(key="text_source_paste").set_value("One two three two.").run()
    app.button(key="text_source_use").click().run()
    assert line(app) == "pasted text: 18 characters, 4 tokens, 3 types"
    assert not app.session_state[OPEN]


def test_one_type_is_not_said_to_be_many():
    app = with_popover(word_map())
    app.text_area(key="text_source_paste").set_value("no no").run()
    app.button(key="text_source_use").click().run()
    assert line(app) == "pasted text: 5 characters, 2 tokens, 1 type"


def test_a_sample_takes_the_place_of_the_learner_s_own_text():
    app = upload(word_map(), "whale.txt", NOVEL)
    app.selectbox(key="text_source_sample").select("hamlet").run()
    assert line(app).startswith("Hamlet: ")
    go_to_lab(app, ARITHMETIC).run()
    go_to_lab(app, MAP).run()
    assert line(app).startswith("Hamlet: ")


def test_an_upload_stays_across_lessons():
    app = upload(word_map(), "whale.txt", NOVEL)
    assert line(app).startswith("whale.txt: ")
    go_to_lab(app, ARITHMETIC).run()
    go_to_lab(app, MAP).run()
    assert line(app).startswith("whale.txt: ")
    assert app.session_state[OWN].text == NOVEL.decode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("blank.txt", b" \n "),
        ("binary.txt", bytes(range(256)) * 9),
        ("one.txt", b"word"),
        ("broken.pdf", b"%PDF-1.4 nothing"),
        ("broken.docx", b"PK nothing"),
        ("numbers.csv", b"a,b\n1,2\n"),
        ("_*[x](y)*_<b>.txt", b""),
    ],
)
def test_bad_input_is_one_sentence_and_the_text_before_stays(name, data):
    app = upload(word_map(), "whale.txt", NOVEL)
    app = upload(app, name, data)
    assert not app.exception
    assert len(app.warning) == 1
    assert "The text chosen before is still in use" in app.warning[0].value
    assert line(app).startswith("whale.txt: ")


def test_the_column_of_a_csv_can_be_chosen():
    table = b"name,review\nAnna,a good long film about whales\nBob,dull\n"
    app = upload(word_map(), "films.csv", table)
    column = app.selectbox(key="text_source_column")
    assert column.value == "review"
    column.select("name").run()
    assert app.session_state[OWN].text.split() == ["Anna", "Bob"]


def test_a_sample_s_title_stands_in_the_address_until_an_own_text_takes_its_place():
    app = go_to_lab(AppTest.from_file(COURSE, default_timeout=60), MAP)
    app.query_params["text_source_sample"] = "Macbeth"
    app.run()
    assert line(app).startswith("Macbeth: ")
    upload(app, "whale.txt", NOVEL)
    assert line(app).startswith("whale.txt: ")
    assert app.selectbox(key="text_source_sample").value == "micro-world"


def test_a_file_left_for_a_sample_can_be_used_again():
    app = upload(word_map(), "whale.txt", NOVEL)
    app.button(key="text_source_back").click().run()
    assert line(app).startswith("The micro-world: ")
    app.button(key="text_source_again").click().run()
    assert line(app).startswith("whale.txt: ")


def test_the_sentence_goes_when_the_bad_file_goes():
    app = upload(word_map(), "blank.txt", b" ")
    assert len(app.warning) == 1
    app.file_uploader(key="text_source_upload").set_value([]).run()
    assert not app.warning


def test_what_was_read_is_shown_as_plain_text_only():
    app = upload(word_map(), "<b>.txt", "![a](b) <img src=x> déjà vu".encode("cp1252"))
    assert "![a](b) <img src=x> déjà vu" in [code.value for code in app.code]
    assert "Encoding of the file: cp1252" in [text.value for text in app.text]
    assert not any("<img" in markdown.value for markdown in app.markdown)


def test_two_sessions_share_what_is_read_in_a_sample_and_nothing_of_their_own():
    first, second = upload(word_map(), "whale.txt", NOVEL), word_map()
    assert line(second).startswith("The micro-world: ")
    assert OWN not in second.session_state
    assert line(first).startswith("whale.txt: ")


def test_a_very_long_name_is_cut():
    assert line(upload(word_map(), "x" * 200 + ".txt", NOVEL)).startswith("x" * 40 + "…: ")


def test_a_lesson_may_open_on_a_sample_of_its_own_until_the_learner_chooses_one():
    app = word_map()
    go_to_lab(app, "ngram_counts").run()
    assert line(app).startswith("Hamlet: ")
    go_to_lab(app, MAP).run()
    assert line(app).startswith("The micro-world: ")
    app.selectbox(key="text_source_sample").select("macbeth").run()
    go_to_lab(app, "ngram_counts").run()
    assert line(app).startswith("Macbeth: ")
    app.selectbox(key="text_source_sample").select("micro-world").run()
    assert line(app).startswith("The micro-world: ")
    go_to_lab(
        app, "viterbi"
    ).run()  # a page that reads no text: the browser drops the sample from the address
    app.query_params.clear()
    go_to_lab(app, "ngram_counts").run()
    assert line(app).startswith("The micro-world: ")


def test_a_link_chooses_the_sample_wherever_the_lesson_opens():
    app = go_to_lab(AppTest.from_file(COURSE, default_timeout=60), "ngram_counts")
    app.query_params["text_source_sample"] = "The micro-world"
    app.run()
    assert line(app).startswith("The micro-world: ")
    app.run()
    assert line(app).startswith("The micro-world: ")


def test_an_own_text_is_in_use_wherever_the_lesson_opens():
    app = upload(word_map(), "whale.txt", NOVEL)
    go_to_lab(app, "ngram_counts").run()
    assert line(app).startswith("whale.txt: ")


GONE = "it is not here now"


def gone(app) -> list[str]:
    return [each.value for each in app.info if GONE in each.value]


def test_the_address_says_that_an_own_text_is_in_use_but_nothing_of_it():
    app = upload(word_map(), "whale.txt", NOVEL)
    assert app.query_params["own_text"] == "yes"
    assert "whale" not in str(dict(app.query_params))
    assert not gone(app)


def test_an_own_text_that_is_not_here_any_more_is_said_until_another_is_chosen():
    later = go_to_lab(AppTest.from_file(COURSE, default_timeout=60), MAP)
    later.query_params["own_text"] = "yes"
    later.run()
    assert "“The micro-world”" in gone(later)[0].replace("\\", "")
    with_popover(later).button(key="text_source_back").click().run()
    assert not gone(later)
    assert "own_text" not in later.query_params
    assert not gone(upload(later, "whale.txt", NOVEL))


def test_with_a_sample_the_sign_leaves_the_address():
    app = upload(word_map(), "whale.txt", NOVEL)
    app.selectbox(key="text_source_sample").select("hamlet").run()
    assert "own_text" not in app.query_params
    assert not gone(app)


def test_what_only_counts_the_words_of_a_text_keeps_none_of_them():
    """A million types are a hundred megabytes."""
    read = text_source._read(Document("test", "one two two"))
    assert (read.token_count, read.type_count) == (3, 2)
    assert not {"tokens", "types"} & set(vars(read))
    assert read.types == [("two", 2), ("one", 1)]
