"""Tag your text: the tags on the page are the stored tagger's, its accuracy is the card's."""

import pytest

from core.models.hidden_markov_models.tagger import load_tagger, tag_sentences
from core.models.stored import load_card
from tests.lessons.lesson_page import open_lesson, sent


def shown(app):
    return sent(app)["sentences"]


def with_text(text, **query):
    app = open_lesson("tagging", **query)
    app.text_area(key="text_source_paste").set_value(text)
    return app.button(key="text_source_use").click().run()


def test_the_words_carry_the_tags_of_the_stored_tagger():
    app = with_text("The dogs bark. She watched her duck behind the barn.")
    for sentence in shown(app):
        words = [word["word"] for word in sentence]
        assert [word["tag"] for word in sentence] == tag_sentences(load_tagger(), [words])[0]


def test_accuracy_and_baseline_are_those_of_the_card():
    quality = load_card("tagger").quality
    values = [metric.value for metric in open_lesson("tagging").metric]
    assert f"{quality['accuracy']:.1%}" in values
    assert f"{quality['accuracy_of_most_frequent_tag']:.1%}" in values


def test_without_neighbours_words_get_their_most_frequent_tag():
    her = [word for line in shown(with_text("I saw her duck.", usual="true")) for word in line][2]
    assert (her["word"], her["tag"], her["differs"]) == ("her", "DET", "PRON")


def test_an_unseen_word_is_marked_and_explained():
    app = with_text("The blorfy dog sleeps.")
    assert shown(app)[0][1]["unseen"]
    assert any("blorfy" in text.value for text in app.text)


@pytest.mark.parametrize(
    "text", ["🦜", "مرحبا بالعالم", "word " * 30_000, "x" * 20_000, "<b>bold</b> ![i](http://h/i.png)"]
)
def test_any_text_is_tagged(text):
    app = with_text(text)
    assert not app.exception
    assert shown(app)
