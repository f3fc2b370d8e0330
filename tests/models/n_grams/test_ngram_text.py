"""A text made ready for n-grams: sentences, held-out part, vocabulary, counts; and what is copied from it."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.generation.sampling import SamplingSettings, generate
from core.models.n_grams.circle import first_circle
from core.models.n_grams.longest_copy import longest_copy
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_text import END, UNKNOWN, count_text, hold_out_every, most_frequent, tokenized
from core.models.n_grams.rarity import runs_over_ends, without_ends
from core.models.n_grams.spliced import HALF, spliced
from core.text.samples.shelf import sample

# Jurafsky and Martin's three sentences, chapter 3; the counts are worked by hand there.
SAM = "I am Sam. Sam I am. I do not like green eggs and ham."
IDS = st.lists(st.integers(0, 3), max_size=30)


def test_every_sentence_is_a_text_of_its_own():
    counted = count_text(SAM, order=2)
    for run, count in {"<s> i": 2, "<s> sam": 1, "i am": 2, "sam </s>": 1, "am </s>": 1, "i do": 1}.items():
        assert counted.counts.count(counted.read(run)) == count, run
    assert counted.counts.count((counted.vocabulary[END], counted.vocabulary["sam"])) == 0


def test_no_token_is_lost_between_training_and_held_out():
    found = tokenized(SAM, "words")
    counted = count_text(SAM, order=2, hold_out=3)
    assert len(counted.training) + len(counted.held_out) == sum(map(len, found))
    assert [counted.vocabulary.types[i] for i in counted.training] == [*found[0], *found[1]]


def test_a_sentence_that_is_held_out_is_never_counted():
    counted = count_text("Yes. Nay. Yes. Well. Nay. Yes. Never. Well.", order=2, hold_out=2)
    assert counted.write(counted.held_out) == "<unk> </s> <unk> </s> <unk> </s>"  # nay, nay, never
    assert counted.write(counted.training) == "yes </s> yes </s> well </s> yes </s> well </s>"
    assert counted.repeated == 7 / 8


def test_rare_types_become_unknown_and_the_end_of_sentence_never_does():
    counted = count_text(SAM, order=2, min_count=2)
    assert set(counted.vocabulary.types) == {UNKNOWN, END, "i", "am", "sam"}
    assert END in count_text("Only one sentence here.", min_count=5).vocabulary


def test_a_token_outside_the_text_is_unknown():
    counted = count_text(SAM, order=2)
    assert counted.unknown("Sam likes zebras.") == ["likes", "zebras"]
    assert counted.write(counted.encode("Sam likes.")) == "sam <unk> </s>"
    with pytest.raises(KeyError, match="zebras"):
        counted.read("sam zebras")


@pytest.mark.parametrize("unit", ["words", "characters"])
@pytest.mark.parametrize(
    "text", [SAM, "مرحبا بالعالم. كيف الحال؟", "早上好。你好吗？", "👍🏽 good 👍🏽. 👍🏽"]
)
def test_what_is_written_can_be_read_again(unit, text):
    counted = count_text(text, unit, order=2)
    tokens = counted.training.tolist()
    assert counted.read(counted.write(tokens)) == tokens


def test_a_long_text_is_read_up_to_the_limit_and_says_so():
    counted = count_text("one two three four. " * 100, order=2, at_most=50)
    assert not counted.complete
    assert 50 <= len(counted.training) <= 55
    endless = count_text("word " * 1000, at_most=20)
    assert endless.write(endless.training) == "word " * 20 + END


@pytest.mark.parametrize("text", ["", "   ", "... !!!"])
def test_a_text_without_tokens_is_refused_with_a_sentence(text):
    with pytest.raises(ValueError, match="no words to count"):
        count_text(text)


@given(st.integers(0, 12), st.lists(st.integers(), max_size=30))
def test_holding_out_divides_the_items(n, items):
    held, training = hold_out_every(n, items)
    assert sorted(held + training) == sorted(items)
    different = len(set(items))
    assert len(set(held)) == (different // min(n, different) if n and different > 1 else 0)
    assert not set(held) & set(training)


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=40))
def test_the_most_frequent_bigrams_are_those_of_a_plain_count(tokens):
    counted = count_text("".join(tokens), "characters", order=2)
    expected = {}
    for pair in pairwise(["<s>", *tokens, END]):
        expected[pair] = expected.get(pair, 0) + 1
    runs = most_frequent(counted.counts, 2, 100)
    assert {tuple(map(counted.name, run.tokens)): run.count for run in runs} == expected
    assert [run.count for run in runs] == sorted(expected.values(), reverse=True)
    for run in runs:
        context = counted.name(run.tokens[0])
        assert run.context_count == sum(count for (first, _), count in expected.items() if first == context)


@given(IDS, IDS)
def test_the_longest_copy_is_that_of_trying_every_run(tokens, text):
    def stands(run):
        return any(text[i : i + len(run)] == run for i in range(len(text) - len(run) + 1))

    runs = [tokens[i:j] for i in range(len(tokens)) for j in range(i + 1, len(tokens) + 1)]
    longest = max((len(run) for run in runs if stands(run)), default=0)
    start, length = longest_copy(tokens, np.array(text, dtype=int))
    assert length == longest
    assert stands(tokens[start : start + length])


def test_a_copy_ends_where_its_sentence_ends():
    counted = count_text("I am Sam. Sam I am.", order=2)
    end = counted.vocabulary[END]
    _, across = longest_copy(counted.training.tolist(), counted.training)
    start, within = longest_copy(counted.training.tolist(), counted.training, end)
    assert (across, start, within) == (8, 0, 3)


def test_a_spliced_sentence_is_new_where_its_halves_meet():
    for unit in ("words", "characters"):
        counted = count_text(sample("the-lighthouse").read().text, unit, order=5)
        tokens = spliced(counted)
        joints = list(pairwise(tokens))
        assert [joint for joint in joints if counted.counts.count(joint) == 0] == [joints[HALF[unit] - 1]]
    for unsplit in ("One two three.", "one one"):
        counted = count_text(unsplit, order=3)
        assert spliced(counted) in (counted.training[:-1].tolist(), counted.training[:-1].tolist()[::-1])


def test_the_runs_over_ends_are_those_of_a_plain_look_for_them():
    counted = count_text(sample("two-banks").read().text, order=3)
    endless = without_ends(counted)
    sentences = [sentence.split() for sentence in counted.write(counted.training).split(END)]
    inside = {tuple(each[i : i + 3]) for each in sentences for i in range(len(each) - 2)}
    inside |= {("<s>",) * k + tuple(each[: 3 - k]) for each in sentences for k in (1, 2)}
    words = [word for sentence in sentences for word in sentence]
    every = {tuple(words[i : i + 3]) for i in range(len(words) - 2)}
    different, run = runs_over_ends(counted, endless, 3)
    assert different == len(every - inside)
    assert tuple(map(counted.name, run.tokens)) in every - inside


def test_text_written_without_chance_goes_round_once_its_context_is_back():
    model = kneser_ney(count_text(sample("two-banks").read().text, order=3).counts, 3, 0.75)
    tokens = [step.token for step in generate(model, [], 200, SamplingSettings(temperature=0), seed=1)]
    first, again = first_circle(model, [], tokens)
    assert tokens[first : first - again] == tokens[again:]
    assert first_circle(model, [], tokens[:again]) is None


def test_counts_of_a_higher_order_give_the_same_model():
    high, low = count_text(SAM, order=5), count_text(SAM, order=2)
    tokens = low.encode("Sam I do like ham.")
    one, other = (kneser_ney(each.counts, 2).token_log_probabilities(tokens) for each in (high, low))
    np.testing.assert_allclose(one, other)
