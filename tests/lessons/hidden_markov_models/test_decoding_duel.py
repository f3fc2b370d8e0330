"""The duel: the story's numbers can be checked by hand; costs are core's; the button finds where a search really loses."""

import math
import re
from html import unescape
from itertools import product

import numpy as np
import pytest

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.search_loss import count_missed
from core.models.hidden_markov_models.tagger import load_tagger
from core.text.samples.corpus_words import corpus_words
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences
from tests.lessons.lesson_page import (
    document,
    figures,
    metrics,
    open_lesson,
    picture,
    prompts,
    said,
    said_in,
    try_prompt,
)

GARDEN = "Until the police arrest the drug dealers control the street ."
LINE = "How chance the roses there do fade so fast ?"

# The story. An oracle that knows only the tables: every path's probability, multiplied out, and two searches of its own.


def probability(model, words, path):
    emission = np.exp(model.emissions(words).log_emission)
    p = math.exp(model.log_initial[path[0]]) * emission[0, path[0]]
    for t in range(1, len(path)):
        p *= math.exp(model.log_transition[path[t - 1], path[t]]) * emission[t, path[t]]
    return p if model.log_end is None else p * math.exp(model.log_end[path[-1]])


def best_of_all(model, words):
    paths = product(range(len(model.states)), repeat=len(words))
    return max(paths, key=lambda path: probability(model, words, path))


def searched(model, words, width):
    """Return the states that a beam keeps at each word, and its path, by a search of our own that holds whole paths."""
    open_model = model.log_end
    emission, kept, alive = np.exp(model.emissions(words).log_emission), [], {}
    for t in range(len(words)):
        scored = {}
        for j in range(len(model.states)):
            ways = (
                [
                    (p * math.exp(model.log_transition[path[-1], j]) * emission[t, j], (*path, j))
                    for path, p in alive.items()
                ]
                if t
                else [(math.exp(model.log_initial[j]) * emission[0, j], (j,))]
            )
            scored[j] = max(ways, key=lambda way: way[0])
        best = sorted(scored, key=lambda j: -scored[j][0])[:width]
        kept.append(set(best))
        alive = {scored[j][1]: scored[j][0] for j in best}
    ends = {
        path: p * (math.exp(open_model[path[-1]]) if open_model is not None else 1)
        for path, p in alive.items()
    }
    return kept, max(ends, key=ends.get)


def path_of(data, name):
    """Return the names of the states of a path that is drawn."""
    path = next(each for each in data["paths"] if each["id"] == name)
    return [data["rows"][j]["name"] for j in path["nodes"]]


def names(model, path):
    return [model.states[j] for j in path]


def crossed(data):
    """Return for each word the names of the states that are crossed out, and of those that are crossed out boldly."""
    return [
        (
            {
                row["name"]
                for row, node in zip(data["rows"], column, strict=True)
                if node["kind"] in ("lost", "missed")
            },
            {row["name"] for row, node in zip(data["rows"], column, strict=True) if node["kind"] == "missed"},
        )
        for column in data["nodes"]
    ]


def test_greedy_search_leaves_the_garden_path_at_arrest_and_ends_with_a_twentieth_of_the_probability():
    model, words = load_tagger(), GARDEN.split()
    data = picture("decoding_duel", "garden")
    _, greedy = searched(model, words, 1)
    assert path_of(data, "greedy") == names(model, greedy)
    assert [
        w for w, a, b in zip(words, path_of(data, "viterbi"), path_of(data, "greedy"), strict=True) if a != b
    ] == [
        "arrest",
        "control",
    ]
    best = [model.states.index(state) for state in path_of(data, "viterbi")]
    share = probability(model, words, greedy) / probability(model, words, best)
    assert f"{share:.0%}" == "5%" and "only 5% as probable" in said_in(document("decoding_duel", "garden"))
    assert words[3] == "arrest"  # the mark that the word is tied to


def test_on_two_days_greedy_search_prunes_the_state_in_which_the_best_path_starts():
    asked, revealed = document("decoding_duel", "keep_one"), document("decoding_duel", "keep_one", True)
    data = asked["picture"]["data"]
    assert [[node["text"] for node in column] for column in data["nodes"]] == [
        ["0.18", "0.12"],
        ["0.018", "0.054"],
    ]
    assert [each["id"] for each in data["paths"]] == ["greedy"] and "0.0576" not in str(asked)
    assert crossed(data) == [({"cold"}, set()), ({"hot"}, set())]
    assert data["sum"].splitlines() == [
        "day 1, hot: 0.6 × 0.3 = 0.18",
        "day 1, cold: 0.4 × 0.3 = 0.12",
        "greedy: 0.6 × 0.3 × 0.5 × 0.6 = 0.054",
    ]
    model = ice_cream_diary()
    best = best_of_all(model, ["2", "1"])
    assert names(model, best) == ["cold", "cold"] == path_of(revealed["picture"]["data"], "viterbi")
    assert probability(model, ["2", "1"], best) == pytest.approx(0.0576)
    assert revealed["ask"]["answer"] == "cold" and crossed(revealed["picture"]["data"])[0] == (
        {"cold"},
        {"cold"},
    )


def test_a_beam_of_2_keeps_the_verb_that_greedy_search_drops():
    model, words = noun_verb_toy(), "fish can watch boats".split()
    data = picture("decoding_duel", "keep_two")
    kept, path = searched(model, words, 2)
    assert (
        path_of(data, "beam")
        == path_of(data, "viterbi")
        == names(model, best_of_all(model, words))
        == names(model, path)
    )
    assert [set(model.states) - pruned for pruned, _ in crossed(data)] == [
        {model.states[j] for j in each} for each in kept
    ]
    _, greedy = searched(model, words, 1)
    assert path_of(data, "greedy") == names(model, greedy)
    # NOUN, VERB, NOUN: 0.5 · 0.3 · 0.5 · 0.3 · 0.5 · 0.15; NOUN, VERB, VERB: the same with 0.2 · 0.18
    assert [node["text"] for node in data["nodes"][2]] == ["0.0017", "0.00081", "0"]
    told = said_in(document("decoding_duel", "keep_two"))
    assert "keeps only 8 of 12 states" in told and "At “watch” the largest score is NOUN" in told
    share = probability(model, words, greedy) / probability(model, words, path)
    assert data["paths"][2]["text"] == f"{share:.0%} of best" == "83% of best"


def test_the_beam_of_2_prunes_the_verb_of_shakespeare_s_line_and_the_question_does_not_show_it():
    model, words = load_tagger(), LINE.split()
    asked, revealed = document("decoding_duel", "third"), document("decoding_duel", "third", True)
    assert [each["id"] for each in asked["picture"]["data"]["paths"]] == ["beam"]
    assert not any(bold for _, bold in crossed(asked["picture"]["data"]))
    kept, path = searched(model, words, 2)
    data = revealed["picture"]["data"]
    assert path_of(data, "beam") == names(model, path)
    at = [
        t
        for t, (a, b) in enumerate(zip(path_of(data, "viterbi"), path_of(data, "beam"), strict=True))
        if a != b
    ]
    assert [words[t] for t in at] == ["chance"] == [revealed["ask"]["answer"]] and at == [1]
    assert crossed(data)[1][1] == {"VERB"} and {model.states[j] for j in kept[1]} == {"NOUN", "ADJ"}
    after = {
        state: math.exp(model.log_transition[model.states.index(state), model.states.index("DET")])
        for state in ("VERB", "NOUN")
    }
    told = said_in(revealed)
    assert (
        f"After a VERB, a DET is {after['VERB'] / after['NOUN']:.0f} times as probable as after a NOUN"
        in told
    )
    assert "the ranking is NOUN, ADJ and VERB. VERB has only 11% of the first score" in told
    best = [model.states.index(state) for state in path_of(data, "viterbi")]
    times = probability(model, words, best) / probability(model, words, path)
    assert f"{times:.2f} times as probable" in revealed["notes"]


def test_how_often_beams_miss_is_counted_on_every_sentence_of_the_play():
    read = [corpus_words(each) for each in sentences(sample("a-midsummer-night-s-dream").read().text)]
    read = [words for words in read if len(words) > 1]
    few, model = [words for words in read if len(words) < 30][:60], load_tagger()

    def missed(width):
        lost = 0
        for words in few:
            decoded = decode(model, words)
            p = probability(model, words, decoded.viterbi.path)
            lost += probability(model, words, searched(model, words, width)[1]) < p * (1 - 1e-9)
        return lost

    assert count_missed(model, few, (1, 2)).tolist() == [missed(1), missed(2)]
    data = picture("decoding_duel", "how_often")["figure"]["data"][0]
    assert data["x"] == [1, 2, 3, 4, 5] and list(data["text"]) == ["48.0%", "5.7%", "0.8%", "0.2%", "0%"]
    assert all(a > b for a, b in zip(data["y"], data["y"][1:], strict=False))
    told = said_in(document("decoding_duel", "how_often"))
    assert (
        f"all {len(read)} sentences" in told
        and "of 48% of them, a beam of 2 of 6%, a beam of 3 of 0.8%" in told
    )


def done(**changes):
    return unescape(re.sub(r"<[^>]+>", "", document("decoding_duel", "own", False, **changes)["done"]))


@pytest.mark.parametrize(
    ("sentence", "width", "says"),
    [
        ("The horse raced past the barn fell .", 1, "prunes 1 state of the best path, at “past”."),
        ("The horse raced past the barn fell .", 2, "A beam of 2 keeps every state of the best path."),
        (GARDEN, 1, "prunes 2 states of the best path, the first at “arrest”."),
        ("Die alte Frau sieht den Hund .", 3, "never seen"),
        ("🦜 مرحبا", 12, "A beam of 12 keeps every state of the best path."),
        ("word " * 50, 1, "We read the first 14 words."),
        ("Yes", 1, "A beam of 1 keeps every state of the best path."),
        ("Call you me fair ? that fair again unsay .", 1, "The tagger has never seen “unsay” and"),
    ],
)
def test_a_sentence_of_one_s_own_is_searched_and_what_is_odd_in_it_is_said(sentence, width, says):
    assert says in done(tagger_sentence=sentence, width=width)


def test_the_bold_crosses_are_the_states_of_the_best_path_that_the_beam_pruned():
    data = picture("decoding_duel", "own", False, tagger_sentence=LINE, width=2)
    assert [bold for _, bold in crossed(data) if bold] == [{"VERB"}]
    wider = picture("decoding_duel", "own", False, tagger_sentence=LINE, width=3)
    assert not any(bold for _, bold in crossed(wider))


@pytest.mark.parametrize(("search", "count"), [("viterbi", 1308), ("beam", 228), ("greedy", 120)])
def test_a_search_s_products_are_its_lines(search, count):
    """K + (n - 1) w K with n = 10, K = 12: the first K products have no line, because nothing comes before them."""
    width = {"viterbi": 12, "beam": 2, "greedy": 1}[search]
    assert 12 + 9 * width * 12 == count
    drawn = document("decoding_duel", "costs", False, search=search)
    edges = drawn["picture"]["data"]["edges"]
    assert len(edges) == count - 12 == len({(e["t"], e["i"], e["j"]) for e in edges})
    told = said_in(drawn)
    assert f"Drawn here: {count:,}." in told and "1,308 products" in told


def test_with_equal_transitions_the_two_paths_are_one():
    apart, joined = (picture("decoding_duel", "equal", False, even=even) for even in ("false", "true"))
    assert path_of(apart, "greedy") != path_of(apart, "viterbi")
    assert path_of(joined, "greedy") == path_of(joined, "viterbi")
    assert not any(bold for _, bold in crossed(joined))
    model, words = noun_verb_toy(), "fish can watch boats".split()
    emission = np.exp(model.emissions(words).log_emission)  # every step, and the end, has 1 / 4
    best = math.exp(model.log_initial[0]) * emission[0, 0] * np.prod(emission[1:].max(axis=1)) / 4**4
    text = document("decoding_duel", "equal", False, even="true")["done"]
    assert f"{best:.3g}".replace("e-06", "·10⁻⁶") in text


def test_the_answer_names_the_words_at_which_greedy_search_pruned_the_best_path():
    data = picture("decoding_duel", "answer")
    bold = [word for word, (_, found) in zip(GARDEN.split(), crossed(data), strict=True) if found]
    assert bold == ["arrest", "control"]
    assert "Here that happened at arrest and control." in said_in(document("decoding_duel", "answer"))


def test_the_story_s_beats_open_the_lab_at_what_they_show():
    link = document("decoding_duel", "keep_one")["lab"]
    assert "decoding_duel_model=diary" in link and "decoding_duel_diary_sentence=2+1" in link
    assert "decoding_duel_width=1" in link
    assert "decoding_duel_even=true" in document("decoding_duel", "equal", False, even="true")["lab"]


# The lab.


def test_the_table_shows_what_each_search_found_and_cost():
    app = open_lesson("decoding_duel")
    decoded = decode(noun_verb_toy(), "they watch can fish".split(), 2)
    table = app.dataframe[0].value
    assert table["products"].tolist() == [
        decoded.viterbi.products,
        decoded.beam.products,
        decoded.greedy.products,
    ]
    assert table["ln p"].tolist() == pytest.approx(
        [decoded.viterbi.log_probability, decoded.beam.log_probability, decoded.greedy.log_probability]
    )
    assert table["nodes kept"].tolist() == [12, 8, 4]


@pytest.mark.parametrize("name", ["diary", "toy", "tagger"])
def test_the_button_finds_a_sentence_on_which_greedy_loses(name):
    app = open_lesson("decoding_duel", model=name)
    app = app.button(key="decoding_duel_find").click().run()
    table = app.dataframe[0].value
    assert table["ln p"][0] > table["ln p"][2] + 1e-9
    assert re.search(r"Found after \d+ sentences? of the model's words\.", said(app))


def test_the_button_searches_the_learner_s_text():
    app = open_lesson("decoding_duel", model="tagger")
    app.segmented_control(key="decoding_duel_where").set_value("text")
    app = app.button(key="decoding_duel_find").click().run()
    assert not app.exception
    found = app.text_input(key="decoding_duel_tagger_sentence").value.split()
    decoded = decode(load_tagger(), found)
    assert decoded.viterbi.log_probability > decoded.greedy.log_probability


def test_a_beam_of_all_states_never_loses_and_the_page_says_so():
    app = open_lesson("decoding_duel", model="diary", width="2", loser="beam")
    app = app.button(key="decoding_duel_find").click().run()
    assert any("never does" in caption.value for caption in app.caption)


def test_with_equal_transitions_greedy_is_never_wrong():
    app = open_lesson("decoding_duel", even="true", widths="true")
    assert metrics(app)["with equal ones"] == "0%" != metrics(app)["with its transitions"]


@pytest.mark.parametrize("sentence", ["they", "", "🦜 " * 200])
def test_any_sentence_is_decoded(sentence):
    assert not open_lesson("decoding_duel", toy_sentence=sentence).exception


def test_the_garden_path_is_one_for_greedy_only():
    decoded = decode(load_tagger(), GARDEN.split(), 1)
    best, chosen = decoded.tags(decoded.viterbi.path), decoded.tags(decoded.greedy.path)
    assert (best[3], best[7]) == ("VERB", "VERB") and (chosen[3], chosen[7]) == ("NOUN", "NOUN")
    app = open_lesson("decoding_duel", model="tagger", tagger_sentence=GARDEN, width="1")
    assert "Greedy calls “arrest” NOUN" in said(app) and "**21 times** as probable" in said(app)


@pytest.mark.parametrize(
    ("model", "sentence"), [("toy", "they watch can fish"), ("diary", "2 1"), ("tagger", "I saw her duck .")]
)
def test_with_equal_transitions_the_picture_changes_and_greedy_finds_the_best(model, sentence):
    query = {"model": model, f"{model}_sentence": sentence, "widths": "true"}
    whole, equal = open_lesson("decoding_duel", **query), open_lesson("decoding_duel", even="true", **query)
    assert figures(whole)[0] != figures(equal)[0]
    assert "Greedy finds a best path" in said(equal) and "Greedy calls" in said(whole)
    shown = metrics(equal)
    assert shown["with equal ones"] == "0%" != shown["with its transitions"]


def test_a_sentence_found_in_an_own_text_stays_out_of_the_address():
    text = "Zanderdam sleeps. I saw her duck. Until the police arrest the drug dealers control the street."
    app = open_lesson("decoding_duel", text, model="tagger", where="text", tagger_sentence="We walk .")
    app = app.button(key="decoding_duel_find").click().run()
    found = app.text_input(key="decoding_duel_tagger_own_sentence").value
    assert found == "I saw her duck ."
    assert "duck" not in str(dict(app.query_params))
    app = app.button(key="decoding_duel_publish").click().run()
    assert app.text_input(key="decoding_duel_tagger_sentence").value == "I saw her duck ."
    assert "duck" in str(dict(app.query_params))


def test_an_old_address_that_searches_the_own_text_still_does():
    app = open_lesson("decoding_duel", model="tagger", where="your text")
    assert app.segmented_control(key="decoding_duel_where").value == "text"


def test_the_answer_is_nowhere_before_the_guess_and_the_closing_always_is():
    app = open_lesson("decoding_duel", predict="true")
    assert "Greedy" not in said(app).replace("Greedy search keeps one", "")
    assert not [table for table in app.dataframe if "search" in table.value]
    assert "The code that ran" in [tab.label for tab in app.tabs]


def test_a_beam_wider_than_the_next_model_has_states_is_brought_back_to_its_width():
    app = open_lesson("decoding_duel", model="tagger", width=8)
    app.segmented_control(key="decoding_duel_model").set_value("toy").run()
    assert not app.exception
    assert app.slider(key="decoding_duel_width").value == 3
    assert app.query_params["decoding_duel_width"] == "3"


def test_every_prompt_opens_what_it_speaks_of():
    app = open_lesson("decoding_duel")
    assert len(prompts(app)) == 3
    diary = try_prompt(app, "decoding_duel", 1).run()
    assert diary.text_input(key="decoding_duel_diary_sentence").value == "2 1"
    assert "Greedy calls “2” hot" in said(diary)
