"""Why likely text loops: the story's numbers are recomputed here; the lab's measures are those of the texts it shows."""

import numpy as np
import pytest

from core.figures.token_label import label_token
from core.models.generation.degeneration import distinct, repeated_cycle, written_in_every_way
from core.models.generation.generation_tree import continuation_log_probabilities
from core.models.generation.passages import CHARACTERS as LOOKED_AT
from core.models.generation.passages import PROMPT, end_of
from core.models.generation.short_memory import ShortMemory
from core.models.language_model import sequence_log_probability
from core.models.stored import load_card
from core.models.stored_language_models import decode_ids, encode, stored_language_model
from core.text.samples.shelf import plays
from core.text.tokenization.tokens import words
from core.training.loops import ring_of
from pages.generation.likely_text import LESSON
from pages.generation.likely_text.figures import say_costs
from pages.generation.likely_text.page import (
    LENGTH,
    ROUNDS,
    SEED,
)
from pages.generation.likely_text.page import (
    PROMPT as STORY_PROMPT,
)
from pages.generation.likely_text.page import (
    REAL as STORY_REAL,
)
from tests.lessons.lesson_page import (
    document,
    figure,
    guess,
    open_lesson,
    picture,
    prompts,
    question,
    said,
    said_in,
    table_with,
)

REAL = "real text"
TEXT = "The cat sat on the mat. The dog ran to the cat, and the cat ran away from the dog. " * 8
NAME = "char_ngram"
MODEL = stored_language_model(NAME)
NAMES = {
    "real": REAL,
    "greedy": "greedy search",
    "beam": "beam of 4",
    "top_p": "top-p 0.9",
    "sampled": "sampling",
}


def open_with(text=TEXT, **query):
    return open_lesson(
        "likely_text", text, **{"model": NAME, "length": 40, "count": 2, "together": "true", **query}
    )


def table_of(app):
    return table_with(app, "distinct-2")


def first_play():
    """Return the first passage's prompt and how the real text goes on, as ids."""
    play = plays()[0]
    ids = encode(NAME, end_of(play.text(), 0.05)).ids
    return play.title, ids[:PROMPT], list(ids[PROMPT : PROMPT + 40])


def test_each_text_is_scored_by_the_model_and_its_pairs_are_counted():
    table = table_of(open_with())
    title, prompt, real = first_play()
    every = {"real": real, **written_in_every_way(MODEL, prompt, 40)}
    rows = table[table["after"] == title].set_index("written by")
    assert list(rows.index) == [NAMES[way] for way in every]
    for way, tokens in every.items():
        ln_p = sequence_log_probability(MODEL, [*prompt, *tokens]).log_probabilities[len(prompt) :]
        assert rows.loc[NAMES[way], "ln p per token"] == pytest.approx(ln_p.mean(), abs=1e-6)
        pairs = distinct([words(decode_ids(NAME, tokens))], 2)
        assert (rows.loc[NAMES[way], "different pairs"], rows.loc[NAMES[way], "word pairs"]) == pairs


@pytest.mark.parametrize("name", ["word_gpt", "char_lstm"])
@pytest.mark.parametrize("forgets", [False, True])
def test_texts_of_any_length_are_those_written_for_that_length(name, forgets):
    """The page writes the longest once and shows their beginnings; after it, texts are of another length and luck."""
    whole = stored_language_model(name)
    prompt = encode(name, end_of(plays()[0].text(), 0.05)).ids[:PROMPT]
    for length, width, seed in ((200, 4, 1), (20, 4, 1), (60, 2, 7)):
        settings = {"model": name, "length": length, "width": width, "seed": seed, "forget": forgets}
        rows = table_of(open_with(count=1, **settings)).set_index("written by")
        model = ShortMemory(whole, 3) if forgets else whole
        for way, tokens in written_in_every_way(model, prompt, length, width, seed).items():
            label = f"beam of {width}" if way == "beam" else NAMES[way]
            assert rows.loc[label, "text"] == label_token(decode_ids(name, tokens))
            ln_p = continuation_log_probabilities(model, prompt, tokens)
            assert rows.loc[label, "ln p"] == pytest.approx(ln_p.sum(), abs=1e-3)


def test_the_figure_adds_up_bits_and_rings_a_loop_where_core_finds_one():
    app = open_with(length=200, count=1, texts="true")
    spec = figure(app)
    _, prompt, _ = first_play()
    greedy = written_in_every_way(MODEL, prompt, 200)["greedy"]
    cycle = repeated_cycle(greedy)
    line = next(trace for trace in spec["data"] if trace.get("name") == "greedy search")
    ln_p = sequence_log_probability(MODEL, [*prompt, *greedy]).log_probabilities[len(prompt) :]
    assert cycle, "a greedy n-gram of 200 tokens is in a circle"
    rings = [trace["x"][0] for trace in spec["data"] if trace["mode"] == "markers"]
    assert cycle.start in rings
    assert f"from token {cycle.start + 1} on the same {cycle.length} tokens" in said(app)
    assert len(line["y"]) == 201 or "bdata" in line["y"]
    assert ln_p.sum() == pytest.approx(
        table_of(app).set_index("written by").loc["greedy search", "ln p"], abs=1e-4
    )


def test_the_sentences_say_how_many_texts_end_in_a_circle():
    app = open_with(length=200)
    table = table_of(app)
    greedy = table[table["written by"] == "greedy search"]
    circles = int((greedy["loop"] != "no loop").sum())
    assert f"greedy search {circles}" in said(app)
    assert ("Greedy search does not loop here" in said(app)) == (circles == 0)


def test_the_card_s_held_out_score_stands_beside_the_texts():
    spec = figure(open_with(), -1)
    nats = load_card(NAME).quality["nats per character, held out"]
    assert spec["layout"]["shapes"][0]["x0"] == pytest.approx(-nats)


TEXTS = {"the default": None, "a play": plays()[7].text(), "a short text": TEXT}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("source", ["plays", "text"])
def test_a_short_memory_is_measured_by_where_greedy_s_circle_begins(text, source):
    pages = [open_with(text, length=150, count=1, source=source, forget=f) for f in ("false", "true")]
    tables = [table_of(app).set_index("written by") for app in pages]
    begins = [
        int(cycle.split()[2]) - 1 if cycle != "no loop" else 150
        for cycle in (table.loc["greedy search", "loop"] for table in tables)
    ]
    assert [metric.value for metric in pages[1].metric] == [str(begin) for begin in begins]
    word = "sooner" if begins[1] < begins[0] else "later" if begins[1] > begins[0] else "at the same token"
    closed = tuple(table.loc["greedy search", "loop"] != "no loop" for table in tables)
    sentence = {
        (True, True): f"the loop begins {word} here.",
        (True, False): "Only with its full context does greedy search loop here.",
        (False, True): "Only with a context of 3 tokens does greedy search loop here.",
        (False, False): "does greedy search loop in 150 tokens.",
    }
    assert sentence[closed] in said(pages[1])
    assert figure(pages[0])["data"] != figure(pages[1])["data"]


def test_a_broken_text_is_written_with_the_last_three_tokens_alone():
    app = open_with(length=150, count=1, forget="true")
    _, prompt, _ = first_play()
    tokens = written_in_every_way(ShortMemory(MODEL, 3), prompt, 150)["greedy"]
    text = table_of(app).set_index("written by").loc["greedy search", "text"]
    assert text == label_token(decode_ids(NAME, tokens))


def test_the_sentence_below_the_figure_has_the_mean_bits_of_a_token():
    app = open_with(count=1)
    bits = -table_of(app).set_index("written by")["ln p per token"] / np.log(2)
    assert (
        f"The real text costs {bits[REAL]:.2f} bits per token, {bits.idxmin()} the least, {bits.min():.2f}."
        in said(app)
    )


@pytest.mark.parametrize("real", [1.0, 3.0])
def test_the_cheapest_text_is_named_once_and_the_real_one_not_beside_itself(real):
    sentence = say_costs({"real": real, "greedy": 2.0}, [], 4)
    cheapest = "the least of all" if real < 2 else "greedy search the least, 2.00"
    assert sentence == f"The real text costs {real:.2f} bits per token, {cheapest}. No text loops."


def test_two_ways_that_wrote_the_same_text_are_both_the_cheapest_and_loops_are_counted():
    cost = {"real": 3.0, "greedy": 2.0, "beam": 2.0}
    said = say_costs(cost, ["greedy"], 1)
    assert "greedy search and beam of 1 the least, 2.00. One text loops: greedy search." in said
    assert say_costs(cost, ["greedy", "beam"], 1).endswith("These texts loop: greedy search and beam of 1.")


def test_a_beam_of_one_is_greedy_search_in_the_sentence_and_is_one_answer_with_it():
    """Both texts are scored apart, and float32 makes of the same text a little more or less."""
    settings = {"count": 1, "width": 1, "model": "char_gpt", "length": 60}
    assert "greedy search and beam of 1 the least" in said(open_with(**settings))
    asked = question(app := open_with(**settings, predict="true"))
    assert [each.replace("\\", "") for each in asked.options][:2] == [REAL, "greedy search and beam of 1"]
    assert "Right." in said(guess(app, "greedy search and beam of 1"))


def test_a_phrase_said_again_has_the_p_that_the_model_gives_it_after_itself():
    app = open_with(count=1, phrase="real", **{"return": "true"})
    _, prompt, real = first_play()
    phrase = real[:12]
    ln_p = sequence_log_probability(MODEL, [*prompt, *phrase * 6]).log_probabilities[len(prompt) :]
    table = table_with(app, "round")
    assert list(table["ln p"]) == pytest.approx(ln_p, abs=1e-6)
    means = np.exp(ln_p.reshape(6, 12).mean(axis=1))
    assert (
        f"p = {means[0]:.3f} in round 1, {means[1]:.3f} in round 2 and {means[5]:.3f} in the last round"
        in said(app)
    )
    assert "From round 2 on nothing changes, because this model does not look so far back." in said(app)


def test_greedy_s_loop_is_its_first_choice_each_time_and_it_goes_on_in_it():
    app = open_with(length=200, count=1, **{"return": "true"})
    assert table_with(app, "round")["first choice"].all()
    assert "so greedy search would write the phrase again" in said(app)


def test_a_typed_phrase_is_said_again_and_one_that_cannot_be_read_is_asked_for():
    app = open_with(count=1, phrase="typed", again="so so ", **{"return": "true"})
    assert list(table_with(app, "round")["token"][:6]) == list("so\u2423so\u2423")
    assert "Type a phrase" in said(
        open_with(count=1, phrase="typed", again="\U0001f44d", **{"return": "true"})
    )


def test_predicting_hides_the_figure_and_the_texts():
    app = open_with(predict="true")
    assert not app.get("plotly_chart")
    assert not app.dataframe
    assert prompts(app)
    shown_texts = [code for code in app.code if code.language == "plaintext"]
    assert len(shown_texts) == 1, "the passage"
    guess(app)
    assert app.get("plotly_chart")


def test_the_learner_s_own_text_is_real_text_too():
    app = open_with(source="text", count=1)
    table = table_of(app)
    real = table[table["written by"] == REAL]
    assert (real["tokens"] >= 2).all()
    shown = real["text"].iloc[0].replace("\u2423", " ")
    assert shown.strip() in TEXT
    assert "We counted this model on your text" in said(open_with(model="own_characters"))


def test_no_more_of_a_text_s_end_is_read_than_is_needed():
    assert len(end_of("a" * 10**6, 0.5)) == LOOKED_AT


@pytest.mark.parametrize("text", ["one", "早上好。你好吗？", "مرحبا. كيف الحال؟", "👍🏽 <b>$a$ `c`"])
@pytest.mark.parametrize("name", [NAME, "own_characters", "own_words"])
def test_no_text_breaks_the_page(text, name):
    assert not open_with(text, model=name, source="text", **{"return": "true", "texts": "true"}).exception


@pytest.mark.parametrize("settings", [{"length": 20, "width": 1}, {"count": 6}, {"width": 8}], ids=str)
def test_no_end_of_a_control_breaks_the_page(settings):
    app = open_with(**settings)
    assert not app.exception
    assert np.isfinite(table_of(app)["ln p"]).all()


@pytest.mark.parametrize("own", ["wordy " * 300, TEXT])
def test_the_way_nearest_to_the_real_text_is_found_in_the_numbers(own):
    app = open_with(own, source="text", count=1)
    means = table_of(app).set_index("written by")["ln p per token"]
    real = means.pop(REAL)
    assert f"**{(means - real).abs().idxmin()}** (" in said(app)


@pytest.mark.parametrize("own", ["x", "👍🏽"])
def test_a_text_too_short_for_a_passage_is_asked_to_be_longer(own):
    app = open_with(own, source="text")
    assert "too short" in said(app)
    assert prompts(app)


def test_an_older_address_opens_with_its_labels_as_they_were_then():
    old = {
        "source": "your text",
        "model": "n-gram, characters",
        "passage": "passage 2",
        "phrase": "the real text",
    }
    new = {"source": "text", "model": "char_ngram", "passage": "2", "phrase": "real"}
    one, other = (open_with(**{"return": "true", "count": 2, **query}) for query in (old, new))
    assert said(one) == said(other) and not one.exception
    assert "prompt" in said(one) or list(table_with(one, "round")["p"]) == list(
        table_with(other, "round")["p"]
    )


# The story. The oracle: the network's own probabilities, one token at a time.

GPT = stored_language_model("word_gpt")


def ids_of(text):
    return list(encode("word_gpt", text).ids)


def most_probable(model, ids, n):
    """Return n tokens, each the most probable one after those before it."""
    ids, begun = list(ids), len(ids)
    for _ in range(n):
        ids.append(int(np.argmax(model.log_probabilities(ids))))
    return ids[begun:]


@pytest.fixture(scope="module")
def greedy():
    return most_probable(GPT, ids_of(STORY_PROMPT), LENGTH)


def p_after(tokens, at):
    """Return p of all tokens behind the first `at` ones of a text after the story's prompt, (V,)."""
    return np.exp(GPT.log_probabilities([*ids_of(STORY_PROMPT), *tokens[:at]]))


def bits_of(tokens):
    prompt = ids_of(STORY_PROMPT)
    ln_p = sequence_log_probability(GPT, [*prompt, *tokens]).log_probabilities[len(prompt) :]
    return -ln_p / np.log(2)


def test_the_story_s_passage_is_the_end_of_hamlet_that_the_model_was_not_trained_on():
    play = next(play for play in plays() if play.title == "Hamlet")
    ids = encode("word_gpt", end_of(play.text(), 0.05)).ids
    assert tuple(ids_of(STORY_PROMPT)) == ids[:PROMPT]
    assert tuple(ids_of(STORY_REAL)) == ids[PROMPT : PROMPT + LENGTH]


def test_the_ring_holds_the_tokens_that_come_ten_times(greedy):
    ring = picture("likely_text", "loop")["rings"][0]
    assert [greedy[4 + i] for i in range(14)] * 10 == greedy[4 : 4 + 140]
    assert [greedy[3 + i] for i in range(14)] != [greedy[17 + i] for i in range(14)]
    assert [step["token"] for step in ring["steps"]] == [
        *["will", "not", "be", "a", "man", ".", "¶", "¶", "B", "…IR", "…ON", ":", "¶", "I"]
    ]
    assert ring["enter"] == "… Not a whit, sir, I" and "goes round 10 times" in said_in(
        document("likely_text", "loop")
    )


def test_greedy_search_surprises_least_and_the_answer_is_not_sent_before(greedy):
    asked, told = document("likely_text", "surprise"), document("likely_text", "surprise", True)
    texts = asked["picture"]["data"]["texts"]
    assert not any(text["note"] or any(piece["shade"] for piece in text["pieces"]) for text in texts)
    rng = np.random.default_rng(SEED)
    sampled, before = [], ids_of(STORY_PROMPT)
    for u in rng.random(LENGTH)[:70]:
        p = np.exp(GPT.log_probabilities([*before, *sampled]))
        order = np.argsort(-p, kind="stable")
        sampled.append(int(order[np.searchsorted(np.cumsum(p[order]), u, side="right")]))
    means = [bits_of(text[:70]).mean() for text in (ids_of(STORY_REAL), greedy, sampled)]
    assert [text["note"] for text in told["picture"]["data"]["texts"]] == [
        f"{mean:.1f} bits per token (first 70 tokens)" for mean in means
    ]
    assert told["ask"]["answer"] == "greedy" and means[1] == min(means)
    assert "has only 1.7 bits per token, against 4.7 for Shakespeare" in said_in(told)


def test_a_round_costs_less_at_the_end_and_much_less_than_shakespeare(greedy):
    cost = bits_of(greedy)
    first, last = cost[4:18].sum(), cost[4 + 9 * 14 : 4 + 10 * 14].sum()
    said = said_in(document("likely_text", "curve"))
    assert f"costs {first:.0f} bits" in said and f"only {last:.0f} bits" in said and last < first
    assert f"Shakespeare spends {14 * bits_of(ids_of(STORY_REAL)).mean():.0f} bits" in said


def test_the_first_round_has_the_favourites_and_the_second_choices(greedy):
    steps = picture("likely_text", "first")["rings"][0]["steps"]
    for i, step in enumerate(steps):
        p = p_after(greedy, 4 + i + 1)
        first, second = np.argsort(-p, kind="stable")[:2]
        assert first == greedy[4 + i + 1] and step["p"] == pytest.approx(p[first], rel=1e-3)
        assert (step["exit"] is None) == (p[second] < 0.01)
        if step["exit"]:
            assert step["exit"]["p"] == pytest.approx(p[second], rel=1e-3)
    weakest = min(steps, key=lambda step: step["p"])
    assert weakest["token"] == "a" and weakest["text"] == "4.1%" and weakest["exit"]["text"] == "3.1%"
    assert "man with only 4.1%" in said_in(document("likely_text", "first"))


@pytest.mark.parametrize("number", [1, 5, ROUNDS])
def test_the_speaker_s_first_letter_becomes_more_probable_and_the_i_does_not(greedy, number):
    start = 4 + 14 * (number - 1)
    p = {name: p_after(greedy, start + at)[greedy[start + at]] for name, at in (("B", 8), ("I", 13))}
    beat = document("likely_text", "rounds", round=str(number))
    steps = beat["picture"]["data"]["rings"][0]["steps"]
    assert steps[7]["p"] == pytest.approx(p["B"], rel=1e-3) and steps[8]["kind"] == "strong"
    assert steps[12]["p"] == pytest.approx(p["I"], rel=1e-3) and p["I"] == pytest.approx(0.15, abs=0.006)
    assert {1: "only 6.6%", 5: "it has 73%", ROUNDS: "it has 78%"}[number] in said_in(beat)


def test_with_three_tokens_every_play_s_text_ends_in_one_of_the_two_rings_drawn():
    short, found = ShortMemory(GPT, 3), []
    for play in plays():
        prompt = encode("word_gpt", end_of(play.text(), 0.05)).ids[:PROMPT]
        tokens = most_probable(short, prompt, LENGTH)
        found.append(ring_of(tokens, repeated_cycle(tokens)))
    rings = picture("likely_text", "memory")["rings"]
    counts = sorted((found.count(ring) for ring in set(found)), reverse=True)
    assert [int(ring["middle"]) for ring in rings] == counts and sum(counts) == len(plays())
    lengths = {len(ring): found.count(ring) for ring in set(found)}
    assert {len(ring["steps"]): int(ring["middle"]) for ring in rings} == lengths
    assert [step["kind"] for step in rings[0]["steps"][:4]] == ["seen"] * 3 + ["next"]
    assert "all 38 texts" in said_in(document("likely_text", "memory"))


def test_the_counts_are_those_of_the_card():
    quality = load_card("word_gpt").quality
    said = said_in(document("likely_text", "counts"))
    assert (quality["loops, greedy"], quality["loops, beam"], quality["loops, texts"]) == (25, 29, 38)
    assert quality["loops, real"] == quality["loops, sampled"] == quality["loops, top_p"] == 0
    assert "Greedy search loops 25 times" in said and "loops 29 times" in said
    traces = picture("likely_text", "counts")["figure"]["data"]
    filled = [sum(colour.startswith("#") for colour in trace["marker"]["color"]) for trace in traces]
    assert filled == [25, 29, 0, 0, 0] and {len(trace["x"]) for trace in traces} == {38}


@pytest.mark.parametrize(
    "typed", ["Once upon a time", "Why do you", "I am", "🦜", "Heute war es kalt", "x" * 100]
)
@pytest.mark.parametrize("way", ["greedy", "sampled"])
def test_a_learner_s_beginning_loops_or_does_not(typed, way):
    beat = document("likely_text", "own", typed=typed, way=way)
    if way == "greedy":
        loop = repeated_cycle(most_probable(GPT, ids_of(typed), LENGTH))
        assert ("no loop" in beat["done"]) == (loop is None)
        rings = beat["picture"]["data"]["rings"]
        assert len(rings) == (loop is not None and loop.length <= 20)
        assert ("too long for a ring" in beat["done"]) == (loop is not None and loop.length > 20)
        if rings:
            assert (
                len(rings[0]["steps"]) == loop.length and f"<strong>{int(loop.times)} times" in beat["done"]
            )
    assert beat["picture"]["data"]["texts"][0]["pieces"][0]["text"].strip() == typed


def test_every_arrow_of_the_last_round_beats_its_exit_and_sampling_hardly_goes_round(greedy):
    steps = picture("likely_text", "answer")["rings"][0]["steps"]
    assert all(step["exit"] is None or step["exit"]["p"] < step["p"] for step in steps)
    start = 4 + 14 * (ROUNDS - 1)
    p = [p_after(greedy, start + i)[greedy[start + i]] for i in range(1, 15)]
    assert f"a chance of {1e6 * np.prod(p):.1f} in a million" in said_in(document("likely_text", "answer"))
    assert LESSON.words.title == "Why likely text loops"
