"""Comparing language models: the story's numbers by hand and their verdicts, and the lab on the learner's text."""

import numpy as np
import pytest

from core.models.generation.cut_context import with_short_context
from core.models.n_grams.ngram import kneser_ney
from core.models.stored_language_models import BITS, character_models, encode, stored_language_model
from core.text.samples.shelf import sample
from core.training.play_text import play_text
from pages.generation.language_models.figures import characters_read
from pages.generation.language_models.page import (
    COURSE,
    GERMAN,
    LAST,
    LINE,
    MEMORY,
    READ_TO,
    TALK,
    bits_at_end,
    end_of_play,
)
from pages.generation.shared.character_text import EXAMPLE
from tests.lessons.lesson_page import (
    document,
    figure,
    guess,
    mounted,
    open_lesson,
    picture,
    said,
    said_in,
    sent,
    table_with,
)

TEXT = "The cat sat. The dog sat. “Caf\u00e9,” he said.\nThe cat ran: a dog ran to the cat."


def open_with(text=TEXT, **query):
    return open_lesson("language_models", text, **query)


def surprised(text=TEXT, **query):
    """Return the lab with its coloured text opened."""
    return open_with(text, surprised="true", **query)


def shown(app):
    """Return what a page says, without the marks of bold type."""
    return said(app).replace("**", "")


def table_of(app):
    return table_with(app, "perplexity, held out")


def bits_of(name, text):
    ids = encode(name, text).ids
    return -stored_language_model(name).token_log_probabilities(ids) / np.log(2)


def test_the_table_has_every_character_model_with_its_card_s_measures_best_first():
    table, cards = table_of(open_with()), character_models()
    assert len(table) == len(cards)
    assert table["bits, held out"].tolist() == [card.quality[BITS] for card in cards]
    assert table["parameters"].tolist() == [card.quality["parameters"] for card in cards]
    assert table["bits, held out"].is_monotonic_increasing
    np.testing.assert_allclose(table["bits, held out"], table["nats, held out"] / np.log(2))
    np.testing.assert_allclose(table["perplexity, held out"], np.exp(table["nats, held out"]))


def test_bits_on_the_learner_s_text_are_what_the_model_gives_its_characters():
    table = table_of(open_with())
    for card, bits in zip(character_models(), table["bits, your text"], strict=True):
        assert bits == pytest.approx(bits_of(card.model, TEXT).mean())


@pytest.mark.parametrize("characters", [100, READ_TO[0], READ_TO[0] + 100, READ_TO[-1]])
def test_a_part_of_a_text_costs_what_it_costs_when_no_more_is_read(characters):
    """All choices up to the next of READ_TO share one reading; what is read as others, or not at all, is in it."""
    text = "\u201cCaf\u00e9\u2026\u201d 7 早 " + sample("hamlet").read().text[:5000]
    app = surprised(text, characters=characters, torn="true")
    read, table = encode("char_gpt", text[:characters]).text, table_of(app)
    assert "".join(sent(app)["characters"]).replace("↵", "\n") == read
    for row, card in enumerate(character_models()):
        assert table["bits, your text"][row] == pytest.approx(bits_of(card.model, read).mean(), abs=1e-5)
        torn = table[f"bits, last {MEMORY} characters"][row]
        assert torn == pytest.approx(cut_bits(card.model, read).mean(), abs=1e-5)


def test_byte_pairs_are_measured_a_character_and_on_the_learner_s_text_only():
    bars = figure(open_with())["data"]
    held_out, own = (dict(zip(trace["y"], trace["text"], strict=True)) for trace in bars)
    assert "GPT, byte pairs" not in held_out
    read = encode("char_gpt", TEXT).text
    assert own["GPT, byte pairs"] == f"{bits_of('word_gpt', read).sum() / len(read):.2f}"


def test_the_view_colours_the_characters_that_were_read():
    view = sent(surprised())
    read = encode("char_gpt", TEXT).text
    assert "".join(view["characters"]).replace("↵", "\n") == read
    assert view["breaks"].index(True) == read.index("\n")
    for card, model in zip(character_models(), view["models"], strict=True):
        np.testing.assert_allclose(model["bits"], bits_of(card.model, TEXT), atol=1e-4)


def test_what_cannot_be_read_is_said():
    assert "\u00e9 as e" in said(open_with())
    assert "Shown instead" in said(open_with("早上好"))


def cut_bits(name, text):
    ids = encode(name, text).ids
    return -with_short_context(stored_language_model(name), ids, MEMORY) / np.log(2)


@pytest.mark.parametrize("text", [None, "play", TEXT], ids=["default", "play", "short"])
def test_tearing_the_context_away_costs_bits_and_changes_bars_and_colours(text):
    text = sample("hamlet").read().text[:3000] if text == "play" else text
    whole, app = surprised(text), surprised(text, torn="true")
    best = character_models()[int(table_of(app)["bits, your text"].argmin())].model
    read = "".join(sent(app)["characters"]).replace("↵", "\n")
    before, after = (float(metric.value) for metric in app.metric[:2])
    assert after == pytest.approx(cut_bits(best, read).mean(), abs=0.005)
    assert after > before
    assert len(figure(app)["data"]) == len(figure(whole)["data"]) + 1
    assert sent(app)["models"] != sent(whole)["models"]


def test_a_torn_context_is_compared_with_an_n_gram_of_equal_context_and_no_line_begins():
    app = open_with(torn="true")
    read = encode("char_gpt", TEXT).text
    ids = encode("char_ngram", TEXT).ids
    ngram = kneser_ney(stored_language_model("char_ngram").model.counts, MEMORY + 1)
    rest = ngram.token_log_probabilities(ids)[MEMORY:]
    np.testing.assert_allclose(cut_bits("char_ngram", read)[MEMORY:], -rest / np.log(2))
    torn = table_of(app)[f"bits, last {MEMORY} characters"]
    assert f"plain 4-gram and needs {cut_bits('char_ngram', read).mean():.2f}" in shown(app)
    assert (torn < np.log2(63)).all()  # better than chance: read after a line end some were worse


def test_the_page_says_from_the_cards_that_the_models_were_not_given_the_same():
    app, table = open_with(given="true"), table_of(open_with())
    assert "LSTM: 216,223 parameters, 1,000 steps, 4.1 million characters read" in said(app)
    assert "GRU: 911,295 parameters, 3,000 steps, 12.3 million characters read" in said(app)
    assert "compare these models, not kinds of network" in said(app)
    for card, steps, read in zip(
        character_models(), table["steps"], table["characters read in training"], strict=True
    ):
        fit = card.config.get("fit")
        assert (fit is None) == (card.model == "char_ngram")
        if fit:
            assert (steps, read) == (fit["steps"], characters_read(card))
            assert read == fit["steps"] * fit["batch"] * fit["window"]


def test_a_famous_line_is_said_to_cost_what_it_costs():
    app = open_with(source="typed", typed=EXAMPLE)
    table = table_of(app)
    harder = int((table["bits, your text"] > table["bits, held out"]).sum())
    assert f"costs {harder} of the {len(table)} character models more bits" in said(app)
    best = bits_of(character_models()[int(table["bits, your text"].argmin())].model, EXAMPLE)
    assert f"{best[:3].mean():.2f} bits each, and the rest {best[3:].mean():.2f}" in said(app)


def test_a_prediction_hides_bars_table_and_colours_until_it_is_guessed():
    app = surprised(predict="true")
    assert not app.get("plotly_chart")
    assert not mounted(app)
    assert not any("perplexity, held out" in each.value for each in app.dataframe)
    guess(app)
    assert len(app.get("plotly_chart")) == 1
    assert mounted(app)


@pytest.mark.parametrize("text", ["ab", "\n\n\n", "مرحبا", "👍🏽👍🏽", "<b>$a$ `c`", "x" * 9000])
def test_no_text_breaks_the_page(text):
    assert not open_with(text, characters="4000").exception


@pytest.mark.parametrize("line", ["", "a", "zzzzqqqqxxxx", EXAMPLE])
def test_no_typed_line_breaks_the_page(line):
    assert not open_with(source="typed", typed=line).exception


def test_the_notebook_prints_the_bits_on_the_page(notebook_cells, capsys):
    table = table_of(open_with())
    exec("\n".join(notebook_cells[1:]), {})
    printed = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]
    np.testing.assert_allclose(printed[len(table) :], table["bits, your text"])


def test_a_long_text_of_which_little_is_read_is_not_called_short():
    page = said(open_lesson("language_models", characters=100))
    assert "Your text is long: its first 100 characters are read." in page
    assert "Only 100 characters of it are read" in page
    assert "It is short" not in page


def test_the_n_gram_too_is_among_what_each_was_given():
    assert "n-gram: 2,159,624 counts, from one pass over the text" in said(open_with(None, given="true"))


def test_the_best_is_named_among_those_that_read_characters():
    """On the micro-world the byte pairs' bar is the shortest, and the sentence does not deny it."""
    app = open_with(None)
    own = {trace["name"]: dict(zip(trace["y"], trace["text"], strict=True)) for trace in figure(app)["data"]}
    bars = {label: float(bits) for label, bits in own["your text"].items()}
    assert min(bars, key=bars.get) == "GPT, byte pairs"
    best = min(bits for label, bits in bars.items() if label != "GPT, byte pairs")
    assert "Of the models that read characters, the GPT predicts held-out plays best, with 1.72" in shown(app)
    assert f"On your text it is also best, with {best:.2f}" in shown(app)


def test_a_blind_guess_has_its_line_and_a_text_that_is_worse_than_it_is_said_to_be():
    app = open_with(source="typed", typed="zzzzqqqqxxxx")
    line = figure(app)["layout"]["shapes"][0]
    assert line["x0"] == line["x1"] == pytest.approx(np.log2(63))
    assert "Even the best model does worse than a blind guess, 5.98 bits." in said(app)
    assert "worse than a blind guess" not in said(open_with(source="typed", typed=EXAMPLE))


@pytest.mark.parametrize("source", ["from your text", "text"])
def test_an_older_address_of_the_source_still_opens(source):
    assert "Your text costs" in said(open_with(source=source, characters=200))


# The story.


def words(beat, *args, **changes):
    return said_in(document("language_models", beat, *args, **changes))


def rows(beat, *args, panel=0, **changes):
    drawn = picture("language_models", beat, *args, **changes)["panels"][panel]["rows"]
    return {row["name"]: row for row in drawn}


def clearly_fewer(some, others):
    """Return whether some bits are fewer than others on the same characters: their mean difference's 95% interval."""
    difference = np.asarray(some) - np.asarray(others)
    return difference.mean() + 1.96 * difference.std(ddof=1) / len(difference) ** 0.5 < 0


def test_no_model_learned_from_what_the_story_reads():
    held_out, training = play_text().held_out, play_text().training
    for text in (LAST, LINE, TALK):
        assert sum(text in part for part in held_out) == 1
        assert not any(text in part for part in training)
    hamlet = next(part for part in held_out if LAST in part)
    read = "".join(stored_language_model("char_gpt").vocabulary[i] for i in end_of_play())
    assert all(line in hamlet for line in read.split("\n"))


def test_first_letters_cost_more_and_each_box_is_coloured_by_its_bits():
    bits = bits_of_by_hand("char_gpt", LAST)
    first = [i for i in range(len(LAST)) if LAST[i].isalpha() and (i == 0 or not LAST[i - 1].isalpha())]
    later = [i for i in range(len(LAST)) if LAST[i].isalpha() and i not in first]
    said_ = words("surprise")
    assert f"cost {bits[first].mean():.1f} bits on average, later letters {bits[later].mean():.1f}" in said_
    assert bits[first].mean() > 2 * bits[later].mean()
    (row,) = picture("language_models", "surprise")["rows"]
    assert [cell["share"] for cell in row["cells"]] == pytest.approx(np.minimum(1, bits / 10), abs=1e-3)


def bits_of_by_hand(name, text):
    """Return -log2 p of each character, predicted one at a time."""
    model, ids = stored_language_model(name), encode(name, text).ids
    return np.array([-model.log_probabilities(ids[:t])[ids[t]] / np.log(2) for t in range(len(ids))])


def test_the_score_is_the_mean_of_minus_log_2_p():
    bits = bits_of_by_hand("char_gpt", LINE)
    at = LINE.index("noble")
    assert f"on this line {bits.mean():.2f} bits per character" in words("score")
    assert f"= {bits[at]:.1f} bits, its surprisal" in words("score")
    assert picture("language_models", "score")["mean"]["at"] == pytest.approx(bits.mean(), abs=1e-3)


def test_the_race_s_bars_are_the_cards_and_the_gpt_wins():
    cards = {card.model: card.quality[BITS] for card in character_models()}
    drawn = rows("race", True)
    assert drawn["GPT"]["to"] == min(cards.values()) == cards["char_gpt"]
    assert sorted(cards, key=cards.get)[2] == "char_ngram"  # "comes third"
    assert drawn["GPT"]["kind"] == "best" and drawn["blind guess"]["to"] == pytest.approx(np.log2(63))
    assert f"among {2 ** cards['char_gpt']:.1f} equally likely" in words("race", True)
    assert all(row["text"] == "?" for name, row in rows("race").items() if name != "blind guess")
    end = {name: bits_at_end(name) for name in COURSE}
    assert all(clearly_fewer(end["char_gpt"], end[name]) for name in COURSE if name != "char_gpt")


def test_the_last_name_costs_the_n_gram_many_bits_and_the_gpt_none():
    for name, row in zip(
        ("char_gpt", "char_ngram"), picture("language_models", "memory")["rows"], strict=True
    ):
        bits = bits_of_by_hand(name, TALK)
        costs = [bits[f["from"] : f["to"] + 1].sum() for f in row["frames"]]
        assert [f["text"] for f in row["frames"]] == [f"{cost:.1f} bits" for cost in costs]
        assert [TALK[f["from"] : f["to"] + 1] for f in row["frames"][-2:]] == ["OTHELLO:", "DESDEMONA:"]
        assert (costs[-1] < 1) == (name == "char_gpt") and costs[0] > 8


def test_with_three_characters_counting_beats_every_network():
    short = {name: bits_at_end(name, MEMORY) for name in COURSE}
    assert all(clearly_fewer(short["char_ngram"], short[name]) for name in COURSE if name != "char_ngram")
    ngram = kneser_ney(stored_language_model("char_ngram").model.counts, MEMORY + 1)
    ids = encode("char_ngram", "").ids + end_of_play()
    rest = -ngram.token_log_probabilities(ids)[MEMORY:] / np.log(2)
    np.testing.assert_allclose(short["char_ngram"][MEMORY:], rest)
    drawn = rows("short", True)
    assert drawn["n-gram"]["kind"] == "best" and drawn["GPT"]["kind"] == "plain"
    assert f"{short['char_ngram'].mean():.2f} bits" in words("short", True)


def test_at_six_characters_the_two_are_too_close_to_call_and_then_the_gpt_leads():
    gpt, ngram = ({k: bits_at_end(name, k) for k in (6, None)} for name in ("char_gpt", "char_ngram"))
    assert not clearly_fewer(gpt[6], ngram[6]) and not clearly_fewer(ngram[6], gpt[6])
    np.testing.assert_allclose(ngram[6].mean(), ngram[None].mean(), atol=0.005)
    assert clearly_fewer(gpt[None], ngram[None])
    lines = picture("language_models", "reach")["figure"]["data"]
    assert {line["name"]: line["y"][-1] for line in lines} == pytest.approx(
        {"n-gram": ngram[None].mean(), "GPT": gpt[None].mean()}
    )
    assert f"falls to {gpt[None].mean():.2f} bits" in words("reach")


def test_the_models_were_not_given_the_same():
    read = {card.model: characters_read(card) for card in character_models()}
    assert read["char_gpt"] == 7000 * 16 * 256 and read["char_lstm"] == 1000 * 64 * 64
    assert "7 times fewer" in words("fair")
    assert rows("fair", panel=1)["n-gram"]["text"] == "4.3"
    assert rows("fair")["GPT"]["note"] == "1.8 M parameters"


def test_on_german_the_gpt_is_worst_and_the_rnn_best():
    found = {name: bits_of(name, encode(name, GERMAN).text) for name in COURSE}
    assert all(clearly_fewer(found[name], found["char_gpt"]) for name in COURSE if name != "char_gpt")
    assert all(clearly_fewer(found["char_rnn"], found[name]) for name in COURSE if name != "char_rnn")
    over = found["char_gpt"] - np.log2(63)
    assert over.mean() > 0 and not clearly_fewer(-over, 0 * over)
    assert document("language_models", "german", True)["ask"]["answer"] == "GPT"
    assert f"needs {found['char_gpt'].mean():.2f} bits, even more" in words("german", True)
    sizes = {card.model: card.quality["parameters"] for card in character_models()}
    assert min(sizes, key=sizes.get) == "char_rnn"


@pytest.mark.parametrize(
    "line", ["My lord, I love you", "Es war einmal", "zzzzqqqqxxxx", "早上好", "a", "😀😀", "aa"]
)
def test_the_rows_of_an_own_line_are_sorted_and_a_sentence_fits_them(line):
    shown_ = document("language_models", "own", line=line)
    drawn, read = shown_["picture"]["data"]["rows"], encode("char_gpt", line).text
    means = [np.mean([cell["share"] for cell in row["cells"]]) for row in drawn]
    notes = [float(row["note"].split()[0]) for row in drawn]
    assert notes == sorted(notes) and drawn[0]["best"] and not any(row["best"] for row in drawn[1:])
    assert len(means) == len(COURSE)
    done = shown_["done"]
    if len(read) < 2:
        assert "here they found fewer" in done
    elif notes[0] > np.log2(63):
        assert "Every model does worse" in done
    else:
        assert f"<strong>{notes[0]:.2f}</strong>" in done
        assert ("the GPT is best" in done) == (drawn[0]["name"] == "GPT")


def test_the_answer_has_another_winner_in_each_race():
    drawn = picture("language_models", "answer")["panels"][0]["rows"]
    assert [row["name"] for row in drawn if row["kind"] == "best"] == ["GPT", "n-gram", "RNN"]
    values = {"plays": rows("race", True), "cut": rows("short", True), "german": rows("german", True)}
    for row in drawn:
        race = row["mark"].split(".")[0]
        assert row["to"] == values[race][row["name"]]["to"]
