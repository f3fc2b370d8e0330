"""Text from n-grams: the story's draws are made again from a Counter; in the lab the text is the seed's on any text."""

import json
import re
from collections import Counter
from urllib.parse import unquote

import numpy as np
import pytest

from core.models.generation.sampling import SamplingSettings, generate
from core.models.n_grams.circle import first_circle
from core.models.n_grams.longest_copy import longest_copy
from core.models.n_grams.ngram import kneser_ney, maximum_likelihood
from core.models.n_grams.ngram_text import END, count_text, tokenized
from core.models.n_grams.written_text import write
from core.text.samples.shelf import sample
from pages.n_grams.ngram_generation.page import ASKED
from tests.lessons.lesson_page import (
    document,
    frames,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
)
from tests.lessons.n_grams.three_texts import SAM, THREE, numbers

NAME = "ngram_generation"


# The story. `draw` takes, of what follows a context, the most frequent first, the token that u falls on.


@pytest.fixture(scope="module")
def sentences():
    return tokenized(sample("hamlet").read().text, "words")


@pytest.fixture(scope="module")
def counted():
    return count_text(sample("hamlet").read().text, order=5)


def after(sentences, *context):
    n = len(context)
    padded = [["<s>"] * n + each for each in sentences]
    return Counter(
        each[i + n] for each in padded for i in range(len(each) - n) if tuple(each[i : i + n]) == context
    )


def text_of(data, place=0):
    text = data["texts"][place]
    return text["prompt"] + "".join(piece["text"] for piece in text["pieces"])


def marked(data):
    return [piece["text"].strip() for piece in data["texts"][0]["pieces"] if piece["kind"]]


def test_the_first_two_words_are_where_the_seed_s_numbers_fall(sentences):
    u = np.random.default_rng(16).random(2)
    for beat, context, number, token in (
        ("draw", ("my", "lord"), u[0], "i"),
        ("next", ("lord", "i"), u[1], "will"),
    ):
        follows = after(sentences, *context)
        line = picture(NAME, beat, beat == "next")["panels"][0]["line"]
        hit = next(each for each in line["segments"] if each["key"] == line["u"]["hit"])
        assert line["u"]["at"] == pytest.approx(number) and hit["from"] <= number < hit["to"]
        assert hit["token"] == token and hit["to"] - hit["from"] == pytest.approx(
            follows[token] / follows.total()
        )
        ahead = sum(count for _, count in follows.most_common() if count > follows[token])
        assert hit["from"] >= ahead / follows.total() - 1e-9
    assert "here 0.567" in said_in(document(NAME, "draw")) and "falls on will" in said_in(
        document(NAME, "next", True)
    )


def test_where_u_falls_is_not_drawn_before_the_guess():
    before = document(NAME, "next")
    assert before["picture"]["data"]["panels"][0]["line"]["u"] is None
    hues = {row["hue"] for row in before["picture"]["data"]["panels"][0]["rows"]}
    assert "vermillion" not in hues and not before["picture"]["data"]["texts"]
    assert document(NAME, "next", True)["ask"]["answer"] == "will"


def test_the_texts_are_what_core_writes_and_each_token_has_a_bar(counted):
    prompt = counted.encode("my lord", end=False)
    for beat, n, changes in (("text", 3, {}), ("none", 1, {}), ("copied", 5, {}), ("copied", 2, {"n": 2})):
        model = maximum_likelihood(counted.counts, n)
        tokens = [step.token for step in generate(model, prompt, 40, SamplingSettings(), 16)]
        assert text_of(picture(NAME, beat, **changes)) == counted.text([*prompt, *tokens])
    first = picture(NAME, "draw")["panels"][0]
    assert first["line"]["u"]["hit"] in {row["key"] for row in first["rows"]} - {"rest"}


def test_what_is_marked_is_the_longest_piece_that_a_sentence_has(sentences):
    copy, whole = marked(picture(NAME, "copied")), [" ".join(each[:-1]) for each in sentences]
    assert len(copy) == 37 and any(" ".join(copy) in each for each in whole)
    assert "37 of 39, are one run" in said_in(document(NAME, "copied"))
    assert "34 of 40 draws had only one token" in said_in(document(NAME, "copied"))


def test_the_longer_the_context_the_longer_the_copy_of_this_text_and_the_last_is_hidden(counted):
    bars = numbers(picture(NAME, "copy", True)["figure"]["data"][0]["y"])
    assert (np.diff(bars) >= 0).all() and bars.tolist() == [3, 3, 8, 16, 37]
    hidden = document(NAME, "copy")
    assert numbers(hidden["picture"]["data"]["figure"]["data"][0]["y"])[
        4
    ] == 0 and "37 of 39" not in json.dumps(hidden)
    assert document(NAME, "copy", True)["ask"]["answer"] == "all"


def test_the_means_that_the_fold_names(counted):
    prompt, end = counted.encode("my lord", end=False), counted.vocabulary[END]
    for n, mean in ((1, 2), (3, 10), (5, 21)):
        model = maximum_likelihood(counted.counts, n)
        texts = [write(model, prompt, 40, seed) for seed in range(20)]
        found = [longest_copy(text, counted.training, end)[1] for text in texts]
        assert round(float(np.mean(found))) == mean


def test_without_chance_the_text_repeats_one_round(counted):
    data, told = picture(NAME, "loop"), said_in(document(NAME, "loop"))
    assert marked(data) == ["i", "have", "you"] and text_of(data).count("i have you") == 10
    assert "4 different tokens in 40, with chance it was 34" in told


def test_smoothing_writes_tokens_that_never_follow_their_two_words(sentences, counted):
    data, told = picture(NAME, "smoothed"), said_in(document(NAME, "smoothed"))
    model, prompt = kneser_ney(counted.counts, 3, 0.75), counted.encode("my lord", end=False)
    seen = after(sentences, "my", "lord")
    p = model.scores(prompt)
    mass = 1 - sum(p[counted.vocabulary[token]] for token in seen)
    row = next(row for row in data["panels"][0]["rows"] if row["key"] == "unseen")
    assert row["p"] == pytest.approx(mass) and sum(
        row["p"] for row in data["panels"][0]["rows"]
    ) == pytest.approx(1)
    place = int(re.search(r"mark:row\.(\d)|data-tie=\"row\.(\d)", document(NAME, "smoothed")["words"])[2])
    assert data["panels"][0]["rows"][place]["key"] == "unseen"
    assert f"{len(counted.vocabulary) - len(seen):,} tokens that never follow" in told
    words = [counted.name(step.token) for step in generate(model, prompt, 40, SamplingSettings(), 16)]
    runs = {
        tuple(each[i : i + 3])
        for each in (["<s>", "<s>", *each] for each in sentences)
        for i in range(len(each) - 2)
    }
    context, new = ["my", "lord"], 0
    for word in words:
        new += (*context, word) not in runs
        context = ["<s>", "<s>"] if word == END else [context[1], word]
    assert f"In this text {new} of 40 tokens" in told


def test_the_last_picture_has_the_first_draws(counted):
    data = picture(NAME, "answer")
    assert [row["cells"][2]["text"] for row in data["rows"]] == ["i", "will", "speak", "to", "him"]
    assert [cell["text"] for cell in data["rows"][2]["cells"][:2]] == ["i", "will"]


@pytest.mark.parametrize(
    ("typed", "n", "told"),
    [
        ("the king", 3, "The longest copy has"),
        ("lord good", 3, "never goes on after the last words"),
        ("the zebra", 3, "does not have zebra"),
        ("هل أنت", 2, "never goes on after the last words"),
        ("the zebra", 1, "Every draw had a choice."),
    ],
)
def test_own_beginnings_get_an_honest_sentence(typed, n, told):
    done = document(NAME, "own", typed=typed, n=n)["done"]
    assert told in re.sub(r"<[^>]+>", "", done).replace("\\", "")


def test_the_lab_opens_on_the_story_s_text(counted):
    link = unquote(document(NAME, "text")["lab"])
    assert {"ngram_generation_words_prompt=my+lord", "ngram_generation_seed=16"} <= set(link.split("&"))


# The lab.


def test_each_token_of_the_text_that_the_lab_opens_on_has_a_bar_of_its_own():
    assert all(step["picture"]["drawn"] < len(step["picture"]["ids"]) for step in frames(open_lesson(NAME)))


def test_the_generated_text_is_that_of_the_seed():
    app = open_lesson(NAME, SAM, n="2", seed="7", length="10", smoothing="none")
    counted = count_text(SAM, order=5)
    model = maximum_likelihood(counted.counts, 2)
    steps = generate(model, [], 10, SamplingSettings(), 7)
    shared = sent(app, "steps")["shared"]
    assert shared["before"] + "".join(shared["pieces"]) == counted.text(step.token for step in steps)


def test_an_unseen_beginning_has_no_next_token_without_smoothing():
    app = open_lesson(NAME, SAM, words_prompt="green Sam", n="3", smoothing="none")
    assert "there is nothing to draw from" in said(app)
    assert {"The code that ran", "Take it away", "Sources"} <= {each.label for each in app.tabs}
    app = open_lesson(NAME, SAM, words_prompt="green Sam", n="3", smoothing="Kneser-Ney")
    assert not app.warning


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_always_the_likeliest_keeps_the_model_s_own_probabilities(text):
    app = open_lesson(NAME, text, n="2", smoothing="Kneser-Ney", greedy=True, length="100")
    counted = count_text(text or sample("hamlet").read().text, order=5)
    model = kneser_ney(counted.counts, 2, 0.75)
    p = model.scores([])
    first = frames(app)[0]
    assert f"he likeliest is taken, “{counted.name(p.argmax())}”, p = {p.max():.3g}" in first["said"]
    assert first["picture"]["p"][0] == pytest.approx(p.max(), rel=1e-3)
    assert "u" not in first["picture"]
    assert table_with(app, "cumulative")["p"][0] == pytest.approx(p.max())


def test_of_several_likeliest_the_first_is_taken_and_the_page_says_so():
    app = open_lesson(NAME, "Der Hund bellt. Die Katze schläft.", n="2", smoothing="none", greedy=True)
    told = "he first of the likeliest is taken, “der”, p = 0.5. It has rank 1 of 2"
    assert told in frames(app)[0]["said"]


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_without_chance_the_text_goes_in_circles(text):
    settings = {"n": "2", "length": "100"}
    drawn, greedy = open_lesson(NAME, text, **settings), open_lesson(NAME, text, greedy=True, **settings)
    counted = count_text(text or sample("hamlet").read().text, order=5)
    model = maximum_likelihood(counted.counts, 2)
    tokens = [step.token for step in generate(model, [], 100, SamplingSettings(temperature=0), seed=1)]
    first, again = first_circle(model, [], tokens)
    assert f"from there on “{counted.write(tokens[first:again])}” is repeated" in said(greedy)
    shown = metrics(greedy)
    assert int(shown["drawn at random"]) > int(shown["most probable"]) == len(set(tokens))
    assert frames(drawn) != frames(greedy)


def test_where_no_context_comes_back_the_page_says_so():
    assert "no loop is closed" in said(open_lesson(NAME, greedy=True, n="5", length="5"))


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
@pytest.mark.parametrize("smoothing", ["none", "Kneser-Ney"])
def test_each_step_shows_what_its_token_was_drawn_from(text, smoothing):
    app = open_lesson(NAME, text, n="3", seed="7", length="12", smoothing=smoothing)
    counted = count_text(text or sample("hamlet").read().text, order=5)
    fit = maximum_likelihood if smoothing == "none" else lambda counts, n: kneser_ney(counts, n, 0.75)
    model = fit(counted.counts, 3)
    shared = sent(app, "steps")["shared"]
    tokens = []
    for step, shown in zip(generate(model, [], 12, SamplingSettings(), 7), frames(app), strict=True):
        p, drawn = step.trace.probabilities, shown["picture"]
        can = int((p > 0).sum())
        order = step.trace.order[: len(drawn["ids"])]
        assert [shared["names"][i] for i in drawn["ids"]] == [counted.name(token) for token in order]
        assert drawn["p"] == pytest.approx(p[order].tolist(), rel=1e-3)
        assert drawn.get("others", 0) == can - len(order)
        assert sum(drawn["p"]) + drawn.get("rest", 0) == pytest.approx(1, abs=1e-3)
        assert drawn["u"] == pytest.approx(step.u, abs=1e-5)
        assert f"It has rank {step.trace.rank[step.token]} of {can:,} " in shown["said"]
        tokens.append(step.token)
    assert shared["before"] + "".join(shared["pieces"]) == counted.text(tokens)


def test_the_longest_text_is_sent_within_its_bounds():
    app = open_lesson(NAME, smoothing="Kneser-Ney", length="100")
    assert len(json.dumps(sent(app, "steps"), ensure_ascii=False).encode()) < 60_000


def test_a_copy_is_counted_within_a_sentence_and_without_its_end(counted):
    app, end = open_lesson(NAME), counted.vocabulary[END]
    shown = re.findall(r"n = (\d): longest copy (\d+) of (\d+) tokens", said(app))
    sentences = counted.write(counted.training).split(END)
    assert len(shown) == 5
    for n, length, words in shown:
        model = maximum_likelihood(counted.counts, int(n))
        tokens = [step.token for step in generate(model, [], 30, SamplingSettings(), 35)]
        start, found = longest_copy(tokens, counted.training, end)
        assert (int(length), int(words)) == (found, sum(token != end for token in tokens))
        copy = counted.write(tokens[start : start + found])
        assert any(f" {copy} " in f" {sentence.strip()} " for sentence in sentences)


def test_no_token_is_sent_before_it_was_guessed():
    app = open_lesson(NAME, SAM, predict="true", n="2", seed="7")
    for guessed in range(ASKED):
        assert len(frames(app)) == guessed
        assert not app.dataframe and not app.get("plotly_chart")
        assert not any("longest copy" in caption.value for caption in app.caption)
        if guessed:
            assert len(sent(app, "steps")["shared"]["pieces"]) == guessed
        options = question(app).options
        assert options == sorted(options)
        guess(app)
    assert len(frames(app)) == 30
    assert any("longest copy" in caption.value for caption in app.caption)


def test_where_chance_is_taken_out_no_random_numbers_are_spoken_of():
    assert "the same random numbers at every n" in said(open_lesson(NAME, SAM))
    assert "always the most probable token at every n" in said(open_lesson(NAME, SAM, greedy="true"))
