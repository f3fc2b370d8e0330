"""Tables from counts: the counts are those of the text, whatever is typed or uploaded; smoothing is measured."""

import pytest

from core.models.hidden_markov_models.hmm_tables import count_tagged
from core.text.reading.tagged import read_tagged
from tests.lessons.lesson_page import figures, guess, metrics, open_lesson, said

CONLLU = b"# text = Dogs bark\n1\tDogs\tdog\tNOUN\t_\n2\tbark\tbark\tVERB\t_\n\n1\tBark\tbark\tVERB\t_\n"


def type_in(app, text):
    return app.text_area(key="hmm_counting_text").set_value(text).run()


def counts_of(app):
    table = app.dataframe[0].value
    return {(row["from"], row["to"]): row["count"] for _, row in table.iterrows()}


def test_the_counts_are_those_of_the_typed_text():
    text = "a/X b/Y\na/X a/X"
    shown, counts = counts_of(type_in(open_lesson("hmm_counting"), text)), count_tagged(read_tagged(text))
    assert shown["X", "Y"] == counts.transition[0, 1] == 1
    assert shown["⟨start⟩", "X"] == counts.initial[0] == 2


def test_an_uploaded_conllu_file_is_counted():
    app = open_lesson("hmm_counting")
    app = app.file_uploader(key="hmm_counting_file").upload("x.conllu", CONLLU, "text/plain").run()
    assert counts_of(app)["NOUN", "VERB"] == 1
    assert counts_of(app)["⟨start⟩", "VERB"] == 1


@pytest.mark.parametrize("text", ["", "no tags here", "a/", "🦜", "x" * 5000])
def test_text_without_tags_is_explained_and_kept(text):
    app = type_in(open_lesson("hmm_counting"), text)
    assert not app.exception
    assert app.warning
    assert app.text_area(key="hmm_counting_text").value == text


def test_binary_uploads_are_refused_in_a_sentence():
    app = open_lesson("hmm_counting")
    app = (
        app.file_uploader(key="hmm_counting_file").upload("x.txt", bytes(range(256)) * 4, "text/plain").run()
    )
    assert not app.exception
    assert app.warning


def test_without_smoothing_left_out_sentences_become_impossible():
    app = open_lesson("hmm_counting", raw="true")
    shown = [metric.value for metric in app.metric]
    assert shown[0] == "100%"
    assert float(shown[1].rstrip("%")) < 100


def test_a_tag_that_ends_every_sentence_needs_no_other_follower():
    app = type_in(open_lesson("hmm_counting", raw="true"), "a/X b/Y")
    assert not app.exception


def test_a_text_of_two_hundred_words_is_a_table_that_scrolls():
    text = "\n".join(f"word{i}/N runs/V" for i in range(200))
    assert not type_in(open_lesson("hmm_counting"), text).exception


TEXTS = [None, "a/X b/Y\nb/Y a/X\na/X a/X b/Y", "\n".join(f"word{i}/N runs/V slowly/ADV" for i in range(30))]


@pytest.mark.parametrize("text", TEXTS, ids=["example", "short", "many words"])
def test_without_smoothing_the_table_changes_and_no_more_sentences_are_possible(text):
    whole, broken = open_lesson("hmm_counting"), open_lesson("hmm_counting", raw="true")
    if text is not None:
        whole, broken = type_in(whole, text), type_in(broken, text)
    assert figures(whole)[0] != figures(broken)[0]
    shares = [float(value.rstrip("%")) for value in metrics(broken).values()]
    assert shares[1] <= shares[0]
    assert "impossible" in said(broken) or "Every one of" in said(broken)


def test_the_answer_waits_for_the_guess_and_the_closing_does_not():
    app = open_lesson("hmm_counting", predict="true")
    assert not figures(app) and not app.dataframe
    assert "The code that ran" in [tab.label for tab in app.tabs]
    assert figures(guess(app, "NOUN"))


def test_one_step_that_never_occurs_is_one():
    page = said(type_in(open_lesson("hmm_counting"), "a/X b/Y\nb/Y a/X\na/X a/X b/Y"))
    assert "1 of the 6 steps from a tag to a tag or to the end never occurs in these 7 words" in page
    assert "but α = 0.1 leaves it possible" in page
    assert "How each tag emits the 2 different words" in page
