"""Tag your text: the tags on the page are the stored tagger's, its accuracy is the card's."""

import pytest

from core.models.hidden_markov_models.tagger import load_tagger, tag_sentences
from core.models.stored import load_card
from tests.lessons.lesson_page import go_to, metrics, open_lesson, said, sent


def shown(app):
    return sent(app)["sentences"]


def with_text(text, **query):
    app = open_lesson("tagging", **query)
    app.session_state["text_source_open"] = True
    app.run().text_area(key="text_source_paste").set_value(text)
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


def of_text(which, **query):
    """Return the page on its passage, on a play from line 200 on, or on a short pasted text."""
    if which == "play":
        app = open_lesson("tagging", **query, source="from your text", line="200")
        app.selectbox(key="text_source_sample").set_value("hamlet")
        return app.run()
    return (
        with_text("They can fish. The wugs blick.", **query)
        if which == "paste"
        else open_lesson("tagging", **query)
    )


def tags(app):
    return [word["tag"] for line in shown(app) for word in line]


@pytest.mark.parametrize("which", ["passage", "play", "paste"])
@pytest.mark.parametrize("broken", [{"usual": "true"}, {"endless": "true"}])
def test_what_is_taken_out_changes_as_many_tags_as_the_page_says(which, broken):
    whole, app = of_text(which), of_text(which, **broken)
    changed = sum(a != b for a, b in zip(tags(whole), tags(app), strict=True))
    assert sum(bool(word["differs"]) for line in shown(app) for word in line) == changed
    if changed:
        change = "changes its tag" if changed == 1 else "change their tag"
        assert f" {changed} of these {len(tags(app))} words and signs {change}" in said(app)
    else:
        assert "not one of these" in said(app)
    assert changed or which != "passage"


def test_no_neighbours_leaves_the_endings_and_no_endings_the_neighbours():
    quality = load_card("tagger").quality
    for broken, name in (("usual", "accuracy_without_neighbours"), ("endless", "accuracy_without_endings")):
        app = open_lesson("tagging", **{broken: "true"})
        assert metrics(app)["Held-out words right, broken"] == f"{quality[name]:.1%}"
    both = open_lesson("tagging", usual="true", endless="true")
    assert metrics(both)["Held-out words right, broken"] == f"{quality['accuracy_of_most_frequent_tag']:.1%}"


def test_a_pasted_text_is_read_at_once():
    assert shown(with_text("Quibbles quabble."))[0][0]["word"] == "Quibbles"


def test_a_sentence_of_an_own_text_opens_in_the_lattice_and_not_in_the_address():
    app = with_text("Zanderdam hides many secrets.")
    app = app.button(key="tagging_open").click().run()
    app = go_to(app, "viterbi")
    app.query_params["viterbi_model"] = "tagger"
    app = app.run()
    assert app.text_input(key="viterbi_tagger_own_sentence").value == "Zanderdam hides many secrets ."
    assert sent(app)["words"][0] == "Zanderdam"
    assert "Zanderdam" not in str(dict(app.query_params))
    app = app.button(key="viterbi_publish").click().run()
    assert sent(app)["words"][0] == "Zanderdam"
    assert "Zanderdam" in str(dict(app.query_params))


def test_one_word_is_not_said_to_be_words():
    assert "Of this one word, 0 were never seen" in said(open_lesson("tagging", typed="word"))
    assert "Without the neighbours this one word does not change its tag" in said(
        open_lesson("tagging", typed="word", usual="true")
    )


def test_a_word_that_shares_no_ending_is_not_said_to_end_in_none():
    page = said(with_text("早早"))
    assert "早: no rare word of the training text shares an ending with it" in page and "“none”" not in page


def test_the_tour_says_how_few_of_the_held_out_words_are_new():
    share = load_card("tagger").quality["share_of_unseen_words"]
    assert f"only {share:.1%} of them were never seen" in said(
        open_lesson("tagging", endless="true", beat="tagging.6")
    )
