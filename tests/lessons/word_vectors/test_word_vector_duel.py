"""The story's numbers are recomputed here by numpy and scipy; the lab counts shared neighbours and explains odd ones."""

import base64
import re

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes
from scipy.stats import spearmanr

from core.lesson.choices.vector_sets import shared_vectors
from core.models.word_vectors.shoot_out import load_recorded_run
from core.models.word_vectors.vector_agreement import agreement, shared_words
from pages.word_vectors.word_vector_duel.page import MAPPED, TELLING, turn_map
from tests.lessons.lesson_page import (
    document,
    figures,
    open_lesson,
    picture,
    said,
    said_in,
    table_with,
    views,
)

LESSON = "word_vector_duel"
SETS = ("glove", "skipgram")


# The story. The oracle sorts cosines of its own.


def cosines_of(vectors, words):
    rows = vectors.vectors[[vectors.words.index(word) for word in words]].astype(float)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows @ rows.T


@pytest.fixture(scope="module")
def both():
    """Return the words that both sets know, and a function of a set and a word: all others, the nearest first."""
    sets = {name: shared_vectors(name) for name in SETS}
    known = set(sets["skipgram"].words)
    words = [word for word in sets["glove"].words if word in known]
    units = {}
    for name, vectors in sets.items():
        rows = vectors.vectors[[vectors.index[word] for word in words]].astype(float)
        units[name] = rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def near(name, word):
        order = np.argsort(-units[name] @ units[name][words.index(word)])
        return [words[i] for i in order if words[i] != word]

    return words, near


def shared_by(near, word, k=10):
    return len({*near("glove", word)[:k]} & {*near("skipgram", word)[:k]})


def listed(data):
    return {row["key"]: [each["text"] for each in row["words"]] for row in data["rows"]}


def bold(name, revealed=False, **changes):
    return re.findall(r"<strong>(.*?)</strong>", document(LESSON, name, revealed, **changes)["words"])


def bars(data):
    return {row["mark"].removeprefix("row."): row for row in data["panels"][0]["rows"]}


def test_the_sets_share_seven_neighbours_of_red_and_all_are_colours(both):
    _, near = both
    data = picture(LESSON, "colours")
    assert listed(data) == {name: near(name, "red")[:10] for name in SETS}
    filled = {each["text"] for row in data["rows"] for each in row["words"] if each["level"] == 2}
    assert filled == {"yellow", "blue", "black", "purple", "white", "pink", "orange"}
    assert bold("colours") == [str(shared_by(near, "red"))] == ["7"]
    assert f"{len(both[0]):,} words that both know" in said_in(document(LESSON, "colours"))


def test_the_sets_share_no_neighbour_of_web_and_the_second_list_is_not_sent_before_the_answer(both):
    _, near = both
    before = document(LESSON, "apart")
    assert set(listed(before["picture"]["data"])["skipgram"]) == {"?"}
    assert not [
        word
        for word in near("skipgram", "web")[:10]
        if f"“{word}”" in str(before) or f">{word}<" in str(before)
    ]
    after = document(LESSON, "apart", True)
    assert listed(after["picture"]["data"]) == {name: near(name, "web")[:10] for name in SETS}
    assert after["ask"]["answer"] == str(shared_by(near, "web")) == "0" == bold("apart", True)[0]
    assert {"spider", "caterpillar", "moth"} <= {*near("skipgram", "web")[:4]} and near("glove", "web")[
        0
    ] == "internet"


def test_the_neighbours_of_water_are_near_in_the_other_set_too(both):
    words, near = both
    places = {name: {other: i for i, other in enumerate(near(name, "water"), 1)} for name in SETS}
    cards = {row["key"]: row["words"] for row in picture(LESSON, "ranks")["rows"]}
    ranks = []
    for name, other in (SETS, SETS[::-1]):
        for card in cards[name]:
            rank = places[other][card["text"]]
            assert card["note"] == f"rank {rank:,}" and card["level"] == int(rank <= 100)
            ranks.append(rank)
    assert shared_by(near, "water") == 0 and bold("ranks") == [f"{np.median(ranks):.0f}"]
    sentences = said_in(document(LESSON, "ranks"))
    assert (
        f"it has rank {places['glove']['moisture']}." in sentences
        and f"among {len(words):,} words" in sentences
    )
    web = [
        near(other, "web").index(word) + 1
        for name, other in (SETS, SETS[::-1])
        for word in near(name, "web")[:10]
    ]
    assert f"For web it was {np.median(web):,.0f}, and for random words it is about 6,400." in sentences
    assert abs(len(words) / 2 - 6400) < 50
    assert np.median(web) > 20 * np.median(ranks)  # so both do not mean the same by web


def test_the_counts_add_up_to_a_hundred_words_and_their_mean_is_said(both):
    words, near = both
    counts = [shared_by(near, word) for word in words[:100]]
    rows = bars(picture(LESSON, "counts"))
    assert {int(name): row["to"] for name, row in rows.items()} == dict(enumerate(np.bincount(counts)))
    assert bold("counts") == [f"{np.mean(counts) / 10:.0%}"]
    sentences = said_in(document(LESSON, "counts"))
    assert f"{1000 / (len(words) - 1):.2f}%" in sentences and "3 of 10 is the most common count" in sentences
    rare = [shared_by(near, words[i]) for i in np.linspace(1000, len(words) - 1, 500).round().astype(int)]
    assert f"for rarer words {np.mean(rare) / 10:.0%}." in sentences
    assert np.mean(rare) < np.mean(counts) - 0.5
    last = bold("answer")[0]
    assert f"on {np.mean(counts):.1f} of 10 neighbours of the 100 most" in last
    assert f"on {np.mean(rare):.1f} of rarer words" in last
    rows = bars(picture(LESSON, "answer"))
    assert rows["rare"]["to"] == pytest.approx(np.mean(rare))
    assert rows["mean"]["to"] == pytest.approx(np.mean(counts))
    assert words[int(np.argmax(counts))] == "three" and max(counts) == 8


def places_of(name):
    vectors = shared_vectors(name)
    rows = np.array([vectors[word] for word in MAPPED], dtype=float)
    rows -= rows.mean(axis=0)
    U, S, _ = np.linalg.svd(rows, full_matrices=False)
    places = U[:, :2] * S[:2]
    return places / np.linalg.norm(places)


def test_the_maps_of_the_same_words_do_not_match_until_one_is_mirrored_and_turned():
    first, second = (
        np.array([[point["x"], point["y"]] for point in panel["points"]])
        for panel in picture(LESSON, "two_maps")["panels"]
    )
    for places, name in ((first, "glove"), (second, "skipgram")):
        assert np.allclose(np.abs(places), np.abs(places_of(name)), atol=2e-4)  # but for the axes' signs
    raw = np.corrcoef(first.ravel(), second.ravel())[0, 1]
    assert bold("two_maps") == [f"{raw:.2f}"] and raw < 0.3
    upside_down = np.corrcoef(first.ravel(), (second * [1, -1]).ravel())[0, 1]
    assert f"the correlation is {upside_down:.2f}." in said_in(document(LESSON, "two_maps"))
    assert upside_down > 0.9
    dog = MAPPED.index("dog")
    assert first[dog, 1] < 0 < second[dog, 1]
    turn, _ = orthogonal_procrustes(second, first)
    best = np.corrcoef(first.ravel(), (second @ turn).ravel())[0, 1]
    assert bold("overlay") == [f"{best:.2f}"] and np.linalg.det(turn) < 0  # so the mirror is needed
    order = [*range(3), *range(6, 9), *range(3, 6), *range(9, 12)]  # animals and countries change places
    other, _ = orthogonal_procrustes(second[order], first)
    exchanged = np.corrcoef(first.ravel(), (second[order] @ other).ravel())[0, 1]
    assert f"the best is even {exchanged:.2f}." in said_in(document(LESSON, "overlay")) and exchanged > best
    assert picture(LESSON, "overlay")["panels"][0]["title"] == f"correlation {raw:.2f}"
    done = document(LESSON, "overlay", angle="170", mirror="true")["done"]
    assert "The two maps fit" in done and "Mirrored and turned by 170°" in done
    tried = [
        np.corrcoef(first.ravel(), turn_map(second, angle, False).ravel())[0, 1] for angle in range(0, 360, 5)
    ]
    assert f"no angle gives more than {max(tried):.2f}" in document(LESSON, "overlay", angle="90")["done"]
    assert "Go on turning" in document(LESSON, "overlay", mirror="true")["done"]


def test_the_order_of_all_cosines_is_compared(both):
    words, _ = both
    upper = np.triu_indices(100, 1)
    found = [cosines_of(shared_vectors(name), words[:100])[upper] for name in SETS]
    sentences = said_in(document(LESSON, "cosines"))
    assert bold("cosines") == [f"{spearmanr(*found).statistic:.2f}"]
    assert f"{np.median(found[0]):.2f} in GloVe and {np.median(found[1]):.2f} in our" in sentences
    assert f"{np.mean(found[0] > found[1]):.0%} of the points" in sentences
    drawn = picture(LESSON, "cosines")["figure"]["data"]
    assert (
        len(drawn[0]["x"]) == 1000
        and all("·" in each for each in drawn[1]["text"])
        and len(drawn[1]["x"]) == 4
    )


def test_a_set_that_differs_in_its_dimensions_alone_shares_the_most_but_not_all():
    runs = {each.method: each.vectors for each in load_recorded_run("mix")["whole"]}
    sets = {
        **{name: shared_vectors(name) for name in SETS},
        "GloVe": runs["GloVe"],
        "skip-gram": runs["skip-gram"],
    }
    words = [word for word in sets["glove"].words if all(word in each.index for each in sets.values())]
    lists = {}
    for name, vectors in sets.items():
        cosines = cosines_of(vectors.subset(words), words)[:100]
        np.fill_diagonal(cosines, -9)
        lists[name] = np.argsort(-cosines, axis=1)[:, :10]

    def overlap(one, other):
        return np.mean([len({*a} & {*b}) / 10 for a, b in zip(lists[one], lists[other], strict=True)])

    rows = bars(picture(LESSON, "causes", True))
    expected = {
        "size": overlap("skip-gram", "skipgram"),
        "method": overlap("skip-gram", "GloVe"),
        "text": overlap("glove", "GloVe"),
        "both": overlap("glove", "skipgram"),
    }
    assert {name: row["to"] for name, row in rows.items()} == pytest.approx(expected, abs=1e-3)
    assert bold("causes", True) == [f"{expected['size']:.0%}"]
    assert abs(expected["text"] - expected["both"]) < 0.01, "GloVe twice shares no more"
    assert max(expected["method"], expected["text"]) < expected["both"] + 0.1  # not much more is left
    assert 0.65 < expected["size"] < 0.75  # about 3 of 10 change
    assert runs["skip-gram"].dimension == 50 and sets["skipgram"].dimension == 100
    before = bars(picture(LESSON, "causes"))["size"]
    assert before["text"] == "?" and before["to"] == 1.0
    assert f"{len(words):,} words" in document(LESSON, "causes", True)["measured"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("Tuesday", "The sets share <strong>"),
        ("happy", "The sets share one of 10 neighbours of “happy”: “glad”."),
        ("web", "The sets share none of 10 neighbours of “web”."),
        ("schneesturm", "Neither set has a vector for “schneesturm”"),
        ("🦜 مرحبا", "Neither set has a vector"),
        ("two words of text here", "Neither set has a vector"),
        ("euros", "our skip-gram does not have a vector for “euros”, so you still see “music”"),
        ("thou", "GloVe does not have a vector for “thou”"),
    ],
)
def test_a_learner_s_word_is_found_or_it_is_said_which_set_lacks_it(typed, told):
    assert told in document(LESSON, "lookup", own=typed)["done"]


def test_the_answer_s_bars_fall_from_three_to_web(both):
    words, near = both
    rows = bars(picture(LESSON, "answer"))
    counts = [shared_by(near, word) for word in TELLING]
    assert [rows[word]["to"] for word in TELLING] == counts
    assert rows["chance"]["to"] == pytest.approx(100 / (len(words) - 1), abs=1e-4)
    assert counts == sorted(counts, reverse=True) and counts[0] == 8 and counts[-1] == 0
    assert "8 neighbours of three, none of web." in said_in(document(LESSON, "answer"))


# The lab.


def test_it_counts_the_neighbours_both_sets_share():
    app = open_lesson(LESSON)
    expected = agreement(*shared_words(shared_vectors("glove"), shared_vectors("skipgram")), "king", 10)
    assert f"**{len(expected.shared)} of 10** neighbours are shared" in said(app)
    assert f"**{expected.mean:.0%}**" in said(app)


def test_the_first_neighbour_of_king_in_our_own_set_is_explained():
    app = open_lesson(LESSON)
    own = shared_vectors("skipgram")
    assert figures(app)[1]["data"][0]["y"][0] == "then"
    assert f"“then” (rank {own.index['then'] + 1} by frequency) is a function word" in said(app)
    really = [near.word for near in own.neighbours("king", 10)]
    lacking = [word for word in really if word not in shared_vectors("glove")]
    assert f"{len(lacking)} have no vector in the other set ({', '.join(lacking[:6])}, …)" in said(app)
    assert len(lacking) > 6


@pytest.mark.parametrize("first", ["skipgram", "our skip-gram"])
def test_a_set_beside_itself_agrees_with_itself_and_is_explained_once(first):
    app = open_lesson(LESSON, first=first)
    assert not app.exception
    assert "**10 of 10** neighbours are shared" in said(app) and said(app).count("is a function word") == 1
    table = table_with(app, "word in our skip-gram")
    near = shared_vectors("skipgram").neighbours("king", 10)
    assert table["word in our skip-gram"].tolist() == [each.word for each in near]


def test_chance_is_written_with_digits_however_small_it_is():
    assert "By chance it would be 0.0078%" in said(open_lesson(LESSON, k=1))


def test_where_no_neighbour_is_a_function_word_nothing_is_explained():
    assert "function word" not in said(open_lesson(LESSON, word="apple"))


def test_the_two_sets_mean_different_things_by_apple_and_agree_on_numbers():
    first, second = shared_words(shared_vectors("glove"), shared_vectors("skipgram"))
    shares = {word: len(agreement(first, second, word, 10).shared) for word in ("apple", "gay", "three")}
    assert shares["three"] >= 7 and max(shares["apple"], shares["gay"]) <= 3


def test_the_right_map_is_turned_to_lie_nearest_to_the_left_one():
    left, right = (
        np.frombuffer(base64.b64decode(data["places"]), "<f4").reshape(-1, 2) @ np.array(data["turn"])
        for data in views(open_lesson(LESSON, maps="true", source="four themes"))
        if "places" in data
    )
    assert np.allclose(orthogonal_procrustes(right, left)[0], np.eye(2), atol=1e-4)


def test_all_pairs_are_drawn_once_opened_and_their_rank_correlation_is_said():
    app = open_lesson(LESSON, pairs="true")
    found = agreement(*shared_words(shared_vectors("glove"), shared_vectors("skipgram")), "king", 10)
    assert f"4,950 pairs is **{found.correlation:.2f}**. We draw 1,000 of them." in said(app)
    assert len(figures(app)[2]["data"][0]["text"]) == 1000


def test_no_text_of_the_learner_is_named_until_the_maps_are_asked_for_it():
    assert "characters" not in said(open_lesson(LESSON))


def test_mean_overlap_by_a_plain_loop():
    first, second = shared_words(shared_vectors("glove"), shared_vectors("skipgram"))
    near = [
        np.argsort(-(each.units[:100] @ each.units.T - 9 * np.eye(100, len(each))), axis=1)[:, :10]
        for each in (first, second)
    ]
    overlap = np.mean([len({*one} & {*other}) / 10 for one, other in zip(*near, strict=True)])
    assert f"**{overlap:.0%}**" in said(open_lesson(LESSON))


@pytest.mark.usefixtures("tiny_training")
def test_a_set_that_shares_hardly_a_word_is_compared_or_a_sentence_says_why_not():
    app = open_lesson(LESSON, second="trained by you", word="cat", maps="true")
    assert not app.exception
    assert "neighbours are shared" in said(app) or "too few to compare" in said(app)
    assert "The code that ran" in {each.label for each in app.tabs}


def test_a_word_that_one_set_lacks_is_a_sentence_and_the_rest_of_the_page_stays():
    app = open_lesson(LESSON, word="blorb")
    assert "One of the two sets lacks it" in said(app) and not app.exception
    assert "The code that ran" in {each.label for each in app.tabs}


def test_the_notebook_gives_the_page_s_number(notebook_cells, capsys):
    app = open_lesson(LESSON)
    exec("\n".join(notebook_cells[1:]), {})
    first, second, *_ = capsys.readouterr().out.split("\n")
    assert f"**{len(first.split(','))} of 10** neighbours are shared" in said(app)
    assert f"**{float(second.split()[0]):.0%}**" in said(app)


def test_one_neighbour_is_spoken_of_as_one():
    sentences = said(open_lesson("word_vector_duel", k=1))
    assert "**0 of 1** neighbour is shared" in sentences
    assert (
        "The word that is nearest to “king” in the whole set, “babylon”, has no vector in the other set"
        in sentences
    )
