"""Sampling: the story's numbers are recomputed here; the lab shows what core computes and meets any prompt."""

import base64
import json
import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
import torch

from core.lesson import footer
from core.lesson.choices.language_model_choice import OWN, model_labels, tokens_read
from core.lesson.story import story_of, take_event
from core.models.generation.sampling import SamplingSettings, count_sampled_tokens, distribution, generate
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_text import count_text
from core.models.neural_language_model import read
from core.models.stored_language_models import decode_ids, encode, stored_language_model
from core.text.samples.shelf import sample as sample_of
from core.words.numbers import format_share
from pages.generation.sampling.page import RARE, SEED, SURE, UNSURE, WRITTEN
from pages.generation.shared.shown_tokens import name_token
from tests.lessons.lesson_page import (
    document,
    figure,
    guess,
    metrics,
    mounted,
    open_lesson,
    picture,
    prompts,
    question,
    said,
    said_in,
    sent,
    table_with,
)

# The story, on the byte-pair GPT. `oracle` is torch's own softmax of the network's logits, with cuts by sorting.


@pytest.fixture(scope="module")
def gpt():
    return stored_language_model("word_gpt")


def logits_after(gpt, text):
    ids = (gpt.start, *encode("word_gpt", text).ids)
    with torch.inference_mode():
        return gpt.network(torch.tensor([ids]), None)[0][0, -1].double()


def oracle(gpt, text, T=1.0, k=0, p=1.0):
    """Return the tokens, the most probable first, and their probabilities after the cut."""
    masses, order = torch.softmax(logits_after(gpt, text) / T, 0).sort(descending=True, stable=True)
    kept = k or len(masses)
    if p < 1:
        kept = int((masses.cumsum(0) < p).sum()) + 1
    left = torch.where(torch.arange(len(masses)) < kept, masses, 0)
    return order.tolist(), (left / left.sum()).numpy()


def rows(data, panel=0):
    return data["panels"][panel]["rows"]


def names(gpt, order):
    return [name_token(gpt.vocabulary[i]) for i in order]


def assert_bars(gpt, data, order, p, panel=0, shown=10):
    *bars, rest = rows(data, panel)
    assert [bar["token"] for bar in bars] == names(gpt, order[:shown])
    np.testing.assert_allclose([bar["p"] for bar in bars], p[:shown], atol=1e-9)
    assert rest["p"] == pytest.approx(p[shown:].sum(), abs=1e-9)


def test_the_ten_most_probable_tokens_have_a_bar_and_all_others_share_one(gpt):
    order, p = oracle(gpt, UNSURE)
    data, told = picture("sampling", "distribution"), said_in(document("sampling", "distribution"))
    assert_bars(gpt, data, order, p)
    assert names(gpt, order[:4]) == ["thee", "you", "to", "her"] and len(p) == 2048
    assert (
        "thee leads with 27%" in told and f"2,038 tokens share the last {format_share(p[10:].sum())}" in told
    )
    assert "31%" in told and data["panels"][0]["line"] is None


def test_the_random_number_of_the_seed_falls_on_you(gpt):
    order, p = oracle(gpt, UNSURE)
    u = float(np.random.default_rng(SEED).random())
    hit = order[int((np.cumsum(p) <= u).sum())]
    line = picture("sampling", "draw")["panels"][0]["line"]
    assert line["u"]["at"] == u and line["u"]["hit"] == str(hit)
    assert rows(picture("sampling", "draw"))[1]["key"] == str(hit)  # the mark that the words are tied to
    assert "u = 0.330" in line["u"]["text"] and "falls on you" in said_in(document("sampling", "draw"))
    np.testing.assert_allclose([each["to"] for each in line["segments"]][:10], np.cumsum(p)[:10], atol=1e-9)
    assert line["segments"][-1]["to"] == pytest.approx(1) and line["empty"] == ""


def test_at_half_the_temperature_the_first_token_gains_and_perplexity_is_2_to_the_entropy_in_bits(gpt):
    asked, revealed = document("sampling", "colder"), document("sampling", "colder", True)
    order, cold = oracle(gpt, UNSURE, T=0.5)
    _, own = oracle(gpt, UNSURE)
    squared = own**2 / (own**2).sum()  # 1/T = 2
    np.testing.assert_allclose(cold, squared, rtol=1e-9)
    assert_bars(gpt, asked["picture"]["data"], order, own)
    assert all(row["before"] is None for row in rows(asked["picture"]["data"]))
    assert_bars(gpt, revealed["picture"]["data"], order, cold)
    np.testing.assert_allclose([row["before"] for row in rows(revealed["picture"]["data"])][:10], own[:10])
    assert revealed["ask"]["answer"] == "gains" and "answer" not in asked["ask"]
    perplexity = [2 ** -(p * np.log2(p)).sum() for p in (own, cold)]
    told = said_in(revealed)
    assert f"It falls from {perplexity[0]:.0f} to {perplexity[1]:.0f}" in told
    assert f"from 27% to {cold[0]:.0%}" in told and "now writes thee" in told
    assert "72%" not in json.dumps(asked)


def written_by(gpt, settings, length, seed=SEED, text=UNSURE):
    return [step.token for step in generate(gpt, encode("word_gpt", text).ids, length, settings, seed)]


def text_of(data, number=0):
    return "".join(piece["text"] for piece in data["texts"][number]["pieces"])


def test_greedy_takes_the_largest_logit_each_time_and_comes_back_to_one_word(gpt):
    data, ids = picture("sampling", "greedy"), list(encode("word_gpt", UNSURE).ids)
    written = []
    for _ in range(60):
        with torch.inference_mode():
            logits = gpt.network(torch.tensor([[gpt.start, *ids, *written]]), None)[0][0, -1]
        written.append(int(logits.argmax()))
    assert text_of(data) == decode_ids("word_gpt", written)
    again = [piece["text"] for piece in data["texts"][0]["pieces"] if piece["kind"] == "again"]
    assert again == ["man"] * 7
    assert "man comes 7 times in 60 tokens" in said_in(document("sampling", "greedy"))
    varied = [len(set(written_by(gpt, SamplingSettings(), 60, seed))) for seed in range(20)]
    assert len(set(written)) < min(varied)  # luck alone would not write so few different tokens


def test_a_high_temperature_feeds_the_tail_and_writes_rare_tokens(gpt):
    order, hot = oracle(gpt, UNSURE, T=1.5)
    data, told = picture("sampling", "hotter"), said_in(document("sampling", "hotter"))
    assert_bars(gpt, data, order, hot)
    assert hot[10:].sum() > 0.5 and "grow from 31% to 65%" in told
    for number, T in enumerate((1.5, 1.0)):
        written = written_by(gpt, SamplingSettings(T), WRITTEN)
        assert text_of(data, number) == decode_ids("word_gpt", written)
        ids = [gpt.start, *encode("word_gpt", UNSURE).ids, *written]
        with torch.inference_mode():
            p = torch.softmax(gpt.network(torch.tensor([ids]), None)[0][0].double(), 1)
        before = len(ids) - WRITTEN - 1
        rare = sum(float(p[before + i, token]) < RARE for i, token in enumerate(written))
        marked = [piece["text"] for piece in data["texts"][number]["pieces"] if piece["kind"] == "rare"]
        assert len(marked) == rare
        assert (
            f"{rare} of its 40 tokens are rare" in told if T > 1 else f"write only {rare} such tokens" in told
        )


def test_what_is_rare_at_one_temperature_is_written_more_often_at_a_higher_one_whatever_the_seed(gpt):
    def rare(T, seed):
        steps = generate(gpt, encode("word_gpt", UNSURE).ids, WRITTEN, SamplingSettings(T), seed)
        return sum(
            distribution(step.trace.logits, SamplingSettings()).probabilities[step.token] < RARE
            for step in steps
        )

    assert all(rare(1.5, seed) > rare(1.0, seed) for seed in range(12))


@pytest.mark.parametrize("k", [1, 10, 30])
def test_top_k_keeps_k_tokens_divided_by_their_sum(gpt, k):
    order, p = oracle(gpt, UNSURE, k=k)
    _, own = oracle(gpt, UNSURE)
    found = document("sampling", "keep_k", top_k=k)
    assert_bars(gpt, found["picture"]["data"], order, p)
    assert [row["cut"] for row in rows(found["picture"]["data"])] == [i >= k for i in range(10)] + [k <= 10]
    told = said_in(found)
    assert f"takes away {format_share(own[k:].sum())} of the probability" in told
    assert f"by its sum, {own[:k].sum():.2f}," in told and f"rises from 27% to {format_share(p[0])}" in told


def test_top_p_keeps_many_where_the_model_is_unsure_and_few_where_it_is_sure_and_top_k_as_many_at_both(gpt):
    data = picture("sampling", "keep_p")
    for panel, prompt in enumerate((UNSURE, SURE)):
        assert_bars(gpt, data, *oracle(gpt, prompt, p=0.9), panel)
        assert_bars(gpt, picture("sampling", "keep_p", rule="top_k"), *oracle(gpt, prompt, k=10), panel)
    kept = [int((oracle(gpt, prompt, p=0.9)[1] > 0).sum()) for prompt in (UNSURE, SURE)]
    assert kept == [51, 4]
    told = said_in(document("sampling", "keep_p"))
    assert "51 on the left, but only 4 on the right" in told and "always keeps 10" in told
    assert [panel["note"] for panel in data["panels"]] == ["keeps 51 tokens", "keeps 4 tokens"]
    _, sure = oracle(gpt, SURE)
    assert sure[:2].sum() > 0.85  # almost only two fit
    line = data["panels"][1]["line"]
    left = sum(each["to"] - each["from"] for each in line["segments"] if not each["cut"])
    assert left == pytest.approx(sure[:4].sum(), abs=1e-9) and line["cut"]["at"] == 0.9


def test_what_is_not_renormalized_ends_early_and_the_seed_s_number_falls_past_its_end(gpt):
    order, own = oracle(gpt, UNSURE)
    lost, whole = document("sampling", "lost"), document("sampling", "lost", renormalized=True)
    line = lost["picture"]["data"]["panels"][0]["line"]
    assert line["segments"][-1]["to"] == pytest.approx(own[:10].sum()) and line["empty"] == "no token"
    assert line["u"]["hit"] == "" and line["u"]["at"] > own[:10].sum()
    assert "That happens to 31% of all draws" in said_in(lost)
    line = whole["picture"]["data"]["panels"][0]["line"]
    hit = order[int((np.cumsum(own[:10]) / own[:10].sum() <= line["u"]["at"]).sum())]
    assert line["segments"][-1]["to"] == pytest.approx(1) and line["u"]["hit"] == str(hit)
    assert f"falls on {name_token(gpt.vocabulary[hit])}" in said_in(whole)


def test_the_learner_s_prompt_temperature_and_p_are_what_is_drawn_and_written(gpt):
    changes = {"typed": "Good night, good ", "temperature": 0.8, "top_p": 0.6}
    data = picture("sampling", "own", **changes)
    _, own = oracle(gpt, "Good night, good", T=0.8)
    kept = int((np.cumsum(own) < 0.6).sum()) + 1
    assert sum(row["p"] for row in rows(data)) == pytest.approx(1)
    assert rows(data)[0]["p"] == pytest.approx(own[0] / own[:kept].sum())
    written = written_by(gpt, SamplingSettings(0.8, 0, 0.6), WRITTEN, text="Good night, good")
    assert text_of(data) == decode_ids("word_gpt", written)
    assert f"is among {kept} of 2,048 tokens" in plain(document("sampling", "own", **changes)["done"])


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"temperature": 0}, "Only 1 token is left"),
        ({"top_p": 0.0}, "Only 1 token is left"),
        ({"temperature": 2}, "rare tokens"),
        ({"typed": "   ", "temperature": 1.2}, "of 2,048 tokens"),
        ({"typed": "Heute war es <b>kalt</b> 🦜 مرحبا"}, "of 2,048 tokens"),
    ],
)
def test_any_prompt_and_setting_is_drawn_and_its_sentence_reads_well(changes, says):
    found = document("sampling", "own", **changes)
    assert says in plain(found["done"]) and "<b>" not in found["done"]
    assert len(rows(found["picture"]["data"])) == 11


def plain(html):
    return " ".join(re.sub(r"<[^>]+>", "", html).split())


def test_dragging_p_in_the_picture_changes_the_beat_and_nothing_else_does():
    beat = story_of("pages.generation.sampling")[8]
    assert take_event(beat, "top_p", 0.4) == {"top_p": 0.4} and take_event(beat, "other", 1) == {}
    cut = picture("sampling", "own", top_p=0.4)["panels"][0]["line"]["cut"]
    assert cut == {"at": 0.4, "text": "p = 0.40", "drag": True}


def test_four_small_charts_answer_with_the_same_five_tokens(gpt):
    data = picture("sampling", "answer")
    four = [{"T": 0.5}, {"T": 1.5}, {"k": 3}, {"p": 0.5}]
    for panel, settings in enumerate(four):
        assert_bars(gpt, data, *oracle(gpt, UNSURE, **settings), panel, shown=5)
    assert [panel["prompt"] for panel in data["panels"]] == [
        "T = 0.5",
        "T = 1.5",
        "top-k, k = 3",
        "top-p, p = 0.5",
    ]


def test_a_token_keeps_its_hue_through_the_story():
    hues = {}
    for name in ("distribution", "draw", "greedy", "hotter", "keep_k", "keep_p", "lost", "answer"):
        for panel in picture("sampling", name)["panels"]:
            for row in panel["rows"]:
                if row["hue"]:
                    hues.setdefault(row["token"], set()).add((row["hue"], row["share"]))
    assert len(hues) == 10 and all(len(each) == 1 for each in hues.values())
    assert len(set.union(*hues.values())) == 10


@pytest.mark.parametrize(
    ("name", "settings"),
    [("hotter", SamplingSettings(1.5)), ("greedy", SamplingSettings(0.0)), ("own", SamplingSettings())],
)
def test_the_lab_that_a_beat_opens_writes_the_same_text(name, settings):
    fields = parse_qs(urlsplit(document("sampling", name)["lab"]).query)
    app = open_lesson(
        "sampling",
        **{key.removeprefix("sampling_"): values[0] for key, values in fields.items() if key != "lab"},
    )
    data = picture("sampling", name)
    assert app.code[0].value.startswith(data["texts"][0]["prompt"] + text_of(data))
    known = sent(app, "sampling")["settings"]
    assert known == {"temperature": settings.temperature, "top_k": 0, "top_p": 1.0}


# The lab.


TEXT = "The cat sat. The dog sat. The cat ran. A dog ran to the cat and sat."
WORDS = next(label for label, unit in OWN.items() if unit == "words")
CHARACTERS = next(label for label, name in model_labels().items() if name.startswith("char"))


def open_with(text=TEXT, **query):
    return open_lesson("sampling", text, **query)


def numbers_of(app):
    """Return the rows of the first new token in the table under "Every number"."""
    table = table_with(app, "cut by")
    return table[table["new token"] == 1].reset_index(drop=True)


def test_the_table_is_core_s_distribution_over_the_whole_vocabulary():
    app = open_with(model=CHARACTERS, typed="O, ", temperature="1.3", top_k="12", top_p="0.7", seed="5")
    name = model_labels()[CHARACTERS]
    model = stored_language_model(name)
    trace = distribution(read(model, encode(name, "O, ").ids).logits, SamplingSettings(1.3, 12, 0.7))
    table, order = numbers_of(app), trace.order
    assert len(table) == len(model.vocabulary)
    np.testing.assert_allclose(table["p"], trace.probabilities[order])
    np.testing.assert_allclose(table["z / T"], trace.scaled[order])
    assert list(table["cut by"]) == list(trace.cut_by[order])
    assert list(table["drawn of 500"]) == count_sampled_tokens(trace, 500, 5)[order].tolist()


def test_an_n_gram_of_the_learner_s_text_is_sampled_too():
    app = open_with(model=WORDS, typed="the", temperature="1", top_p="1")
    model = kneser_ney(count_text(TEXT, "words", order=5).counts, 3)
    p = np.exp(model.log_probabilities(count_text(TEXT, "words", order=5).encode("the", end=False)))
    np.testing.assert_allclose(numbers_of(app)["p"].sort_values(), np.sort(p))
    assert "ln p stands in" in said(app)


def logits_of(app):
    """Return the logits that the view was sent, (places, V)."""
    data = sent(app, "sampling")
    values = np.frombuffer(base64.b64decode(data["logits"]), "<f8" if data["exact"] else "<f4")
    return values.reshape(len(data["said"]), -1)


def test_the_view_has_every_step_s_own_logits_and_the_seed_s_numbers():
    app = open_with(model=CHARACTERS, typed="", seed="9")
    name = model_labels()[CHARACTERS]
    model = stored_language_model(name)
    steps = list(generate(model, (), 40, SamplingSettings(), seed=9))
    np.testing.assert_array_equal(logits_of(app), [step.trace.logits for step in steps])
    np.testing.assert_array_equal(logits_of(app)[0], read(model, ()).logits)
    assert sent(app, "sampling")["uniforms"] == np.random.default_rng(9).random(500).tolist()
    assert "The prompt is empty" in said(app)


def test_what_an_n_gram_says_is_sent_to_the_last_digit():
    app = open_with(model=WORDS, typed="the")
    model = kneser_ney(count_text(TEXT, "words", order=5).counts, 3)
    ids = count_text(TEXT, "words", order=5).encode("the", end=False)
    np.testing.assert_array_equal(logits_of(app)[0], read(model, ids).logits)


def test_all_steps_together_are_small():
    app = open_lesson("sampling", model=CHARACTERS)
    assert len(json.dumps(sent(app, "sampling"))) < 60_000
    assert len(sent(app, "sampling")["said"]) == 40
    assert table_with(app, "cut by")["new token"].max() == 40


def test_what_a_model_cannot_read_is_said():
    app = open_with(model=CHARACTERS, typed="caf\u00e9 \U0001f44d \u0645")
    assert not app.exception
    assert "\u00e9 as e" in said(app)
    assert "\U0001f44d" in said(app)
    assert "unk" in said(open_with(model=WORDS, typed="zebra"))


def test_a_prompt_longer_than_the_context_is_said():
    app = open_with(model=WORDS, typed="the cat sat the dog")
    assert "looks back at the last 2 of them" in said(app)


def test_how_much_a_window_holds_is_what_the_network_is_given():
    class Network:
        context = 8

        def read(self, context):
            raise NotImplementedError

    # The start token stands before the prompt; past the window its later half is read.
    assert [tokens_read(Network(), n) for n in (1, 7, 8, 11, 12)] == [1, 7, 5, 8, 5]


@pytest.mark.parametrize(
    "settings",
    [
        {"temperature": "0.0"},
        {"temperature": "1000.0", "top_p": "1.0"},
        {"top_k": "1"},
        {"top_p": "0.0"},
        {"source": "from your text"},
        {"broken": "true", "top_p": "0.5"},
        {"predict": "true"},
        {"every": "true"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(settings):
    assert not open_with(model=WORDS, typed="the", **settings).exception


@pytest.mark.parametrize("text", [None, "play", TEXT], ids=["default", "play", "short"])
def test_cutting_without_renormalising_loses_the_mass_that_was_cut_everywhere_on_the_page(text):
    text = sample_of("hamlet").read().text[:20_000] if text == "play" else text
    settings = {"model": WORDS, "typed": "the", "temperature": "1.0", "top_p": "0.5"}
    whole, app = open_with(text, **settings), open_with(text, **settings, broken="true")
    table = numbers_of(app)
    kept = table["softmax"][table["cut by"] == ""].sum()
    assert 0.5 <= kept < 1
    assert table["p"].sum() == pytest.approx(kept)
    assert table["cumulative"].max() == pytest.approx(kept)
    assert metrics(app) == {"renormalized": "1.0000", "not renormalized": f"{kept:.4f}"}
    lost = (np.random.default_rng(1).random(500) >= kept).sum()
    assert f"**{lost}** fall past the end" in said(app)
    assert table["drawn of 500"].sum() == 500 - lost
    assert sent(app, "sampling")["renormalise"] is False
    assert sent(whole, "sampling")["renormalise"] is True
    assert f"only {kept:.1%}" in sent(app, "sampling")["said"][0]


def test_nothing_is_lost_where_nothing_is_cut():
    assert "Nothing is cut now" in said(open_with(model=WORDS, typed="the", broken="true"))


def test_it_opens_at_a_temperature_of_one_with_nothing_cut_as_bars_of_the_model_s_own_probabilities():
    app = open_with(model=CHARACTERS, typed="O, ")
    assert sent(app, "sampling")["settings"] == {"temperature": 1.0, "top_k": 0, "top_p": 1.0}
    np.testing.assert_allclose(numbers_of(app)["p"], numbers_of(app)["softmax"])


def test_a_prediction_hides_all_that_gives_the_token_away():
    app = open_with(model=WORDS, typed="the", predict="true")
    assert not mounted(app)
    assert not app.dataframe
    assert "the" in {code.value.strip() for code in app.code}
    assert "**Five settings, one prompt, one seed**" not in {section.label for section in app.expander}
    assert prompts(app)
    (bars,) = figure(app)["data"]
    app = guess(app)
    assert len(sent(app, "sampling")["said"]) == 1
    assert bars["text"] == [f"{p:.2g}" for p in numbers_of(app)["p"][:16]]
    assert len(sent(guess(app), "sampling")["said"]) == 2
    assert "**Five settings, one prompt, one seed**" in {section.label for section in app.expander}


def test_a_number_that_falls_on_no_token_is_an_answer_where_nothing_is_renormalised():
    app = open_with(model=WORDS, typed="the", top_k="1", broken="true", predict="true")
    assert "no token" in question(app).options


@pytest.mark.parametrize("text", ["one", "早上好。你好吗？", "مرحبا. كيف الحال؟", "👍🏽 <b>$a$ `c`"])
def test_no_text_breaks_the_page(text):
    assert not open_with(text, model=WORDS, source="from your text").exception


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"top_k": 1}, "It is the only one left of 63 tokens."),
        ({"top_k": 1, "broken": "true"}, "with only 16.3% in all."),
        ({"top_k": 2, "broken": "true"}, "The 2 tokens left have 32.5% together."),
        ({}, "The first 5 of the 63 tokens have"),
        ({"top_k": 9}, "The first 5 of the 9 tokens left have"),
    ],
    ids=str,
)
def test_what_is_left_is_said_in_words_that_fit_how_much_is_left(settings, sentence):
    app = open_lesson("sampling", model=CHARACTERS, typed="My lord, I will not ", **settings)
    assert sentence in sent(app, "sampling")["said"][0]


def test_the_byte_pair_model_opens_first_after_i_love_with_its_text_above_the_bars():
    app = open_lesson("sampling")
    assert numbers_of(app)["token"][0] == "␣thee"
    assert app.code[0].value.startswith("I love")
    assert len(sent(app, "sampling")["said"]) == 9 and len(json.dumps(sent(app, "sampling"))) < 160_000


def test_the_text_in_use_can_be_changed_only_where_it_is_used(monkeypatch):
    monkeypatch.setattr(footer, "is_open", lambda tab: tab.open)  # sections stay folded, as on the page

    def offers(**query):
        return any(" types" in text.value for text in open_lesson("sampling", **query).text)

    assert not offers() and not offers(model="char_gpt")
    assert offers(model="own_words") and offers(source="text") and offers(every="true")


def test_a_space_at_the_end_of_a_prompt_of_byte_pairs_is_explained():
    assert "ends with a space" in said(open_lesson("sampling", typed="I love "))
    assert "ends with a space" not in said(open_lesson("sampling", typed="I love"))
    assert "ends with a space" not in said(open_lesson("sampling", model="char_gpt", typed="I love "))


@pytest.mark.parametrize("old", ["GPT, characters", "n-gram of your text, words"])
def test_an_older_address_s_model_is_found_by_its_label(old):
    new = {"GPT, characters": "char_gpt", "n-gram of your text, words": "own_words"}[old]
    one, other = (open_with(model=each, typed="the") for each in (old, new))
    assert sent(one, "sampling")["logits"] == sent(other, "sampling")["logits"]


def test_perplexity_is_2_to_the_entropy_in_the_sentence_below_the_bars():
    app = open_lesson("sampling")
    p = numbers_of(app)["p"].to_numpy()
    perplexity = 2 ** -(p * np.log2(p)).sum()
    assert (
        f"Perplexity {perplexity:.1f}: like choosing among {perplexity:.1f}"
        in sent(app, "sampling")["said"][0]
    )
