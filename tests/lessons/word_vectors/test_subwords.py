"""fastText: the story's numbers are recomputed by plain loops; the lab shows what core computes, stored or trained."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from core.lesson import footer, training_job
from core.lesson import lesson as lesson_module
from core.lesson.training_job import Bench
from core.models.word_vectors.co_occurrence import mean_cosine
from core.models.word_vectors.fasttext import FastText, bucket, character_ngrams, ngram_contributions
from core.models.word_vectors.fit_subwords import fit_subwords, stored_subwords
from core.models.word_vectors.unseen_words import Misspelling, by_chance, unseen
from core.models.word_vectors.word_vectors import WordVectors
from core.text.tokenization.tokens import sentences, words
from pages.word_vectors.subwords.figures import (
    draw_word,
    misspelt_table,
    parts_table,
    sharing_figure,
    sharing_table,
)
from pages.word_vectors.subwords.page import ANSWERS, EXAMPLES, SHOWN_GRAMS
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    mounted,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
)
from tests.lessons.word_vectors.notebook_run import value_of
from tests.lessons.word_vectors.three_texts import SHORT, three_texts

LESSON = "subwords"
STORED = stored_subwords("subwords")
TEXTS = three_texts()
OPENED = {"misspelt": "true", "sharing": "true", "own_text": "true"}


@pytest.fixture(scope="module")
def short_training():
    cut = [words(each) for each in sentences(SHORT)]
    return fit_subwords(lambda progress: None, cut, FastText(8, 4, 5, 20, 0.05, buckets=100))


@pytest.fixture
def trained(short_training, monkeypatch):
    """A learner who has trained on the short text."""
    bench = Bench(result=short_training, settings="a text", number=1)
    for module in (training_job, lesson_module):
        monkeypatch.setattr(module, "bench_of", lambda lesson: bench)
    return short_training


def grams_of(word):
    """Return the n-grams of a word by a plain loop."""
    marked = f"<{word}>"
    return [marked[i : i + n] for n in range(3, 7) for i in range(len(marked) - n + 1)]


def by_hand(word):
    """Return the stored vector of a word from its rows, and every word's cosine with it."""
    model, V = STORED.fasttext, len(STORED.vectors)
    rows = [STORED.vectors.index[word]] if word in STORED.vectors.index else []
    rows += [V + bucket(gram, model.buckets) for gram in grams_of(word)]
    v = model.input_[rows].astype(float).mean(axis=0)
    X = STORED.vectors.vectors.astype(float)
    cosines = X @ v / np.linalg.norm(X, axis=1) / np.linalg.norm(v)
    found = dict(zip(STORED.vectors.words, cosines, strict=True))
    return v, {other: cosine for other, cosine in found.items() if other != word}


def nearest(word, k):
    cosines = by_hand(word)[1]
    return [(each, cosines[each]) for each in sorted(cosines, key=cosines.get, reverse=True)[:k]]


KNOWN_GRAMS = {gram for word in STORED.vectors.words for gram in grams_of(word)}


def chips(data):
    return [chip for row in data["rows"] for chip in row["chips"]]


def plain(html):
    return " ".join(re.sub(r"<[^>]+>", "", html).split())


# The story.


def test_word2vec_has_a_row_for_each_known_word_and_none_for_kittens():
    *known, missing = picture(LESSON, "table")["rows"]
    counts = dict(zip(STORED.fasttext.vocabulary_.types, STORED.fasttext.vocabulary_.counts, strict=True))
    for row in known:
        np.testing.assert_allclose(row["cells"], STORED.skipgram[row["name"]], atol=1e-4)
        assert row["note"] == f"seen {counts[row['name']]} times"
    assert missing["name"] == "kittens" and missing["cells"] == [] and missing["text"] == "no vector"
    assert "kittens" not in STORED.skipgram.index and "kittens" not in STORED.fasttext.vocabulary_
    told = said_in(document(LESSON, "table"))
    assert "its table has 369 vectors of 32 dimensions" in told and len(STORED.skipgram) == 369
    assert picture(LESSON, "table")["sum"] == "word2vec's table: these and 366 more known words"


def test_kittens_has_22_n_grams_in_four_rows():
    data = picture(LESSON, "grams")
    assert [chip["text"] for chip in chips(data)] == grams_of("kittens")
    assert [row["name"] for row in data["rows"]] == [f"n = {n}" for n in (3, 4, 5, 6)]
    assert len(chips(data)) == 22 and "has 22 of them" in said_in(document(LESSON, "grams"))


def test_the_vector_of_kittens_is_the_mean_of_22_and_nearly_that_of_kitten():
    *grams, rest, mean, known = picture(LESSON, "mean")["rows"]
    v, cosines = by_hand("kittens")
    np.testing.assert_allclose(mean["cells"], v, atol=1e-4)
    names, z = STORED.fasttext.parts("kittens")
    assert [row["name"] for row in grams] == list(SHOWN_GRAMS)
    for row in grams:
        np.testing.assert_allclose(row["cells"], z[names.index(row["name"])], atol=1e-4)
    others = [i for i, name in enumerate(names) if name not in SHOWN_GRAMS]
    np.testing.assert_allclose(rest["cells"], z[others].mean(axis=0), atol=1e-4)
    np.testing.assert_allclose(known["cells"], by_hand("kitten")[0], atol=1e-4)
    assert known["text"] == f"cosine {cosines['kitten']:.2f}" == "cosine 0.96"
    assert "Their cosine is 0.96" in said_in(document(LESSON, "mean"))


def test_its_neighbours_are_young_animals_without_a_common_n_gram_as_those_of_kitten_are():
    unseen_panel, known_panel = picture(LESSON, "near")["panels"]
    for panel, word in ((unseen_panel, "kittens"), (known_panel, "kitten")):
        best = nearest(word, 5)
        assert [row["name"] for row in panel["rows"]] == [each for each, _ in best]
        np.testing.assert_allclose([row["to"] for row in panel["rows"]], [c for _, c in best], atol=1e-5)
    first, *young = [row["name"] for row in unseen_panel["rows"]]
    assert first == "kitten" and young == ["chick", "puppy", "foal", "calf"]
    assert not any(set(grams_of(each)) & set(grams_of("kittens")) for each in young)
    both = {row["name"] for row in known_panel["rows"]} & set(young)
    assert len(both) > len(young) / 2
    told = said_in(document(LESSON, "near"))
    assert "But next is chick, cosine 0.84, then puppy, foal and calf" in told


def test_the_terms_of_the_n_grams_add_up_and_those_of_kitten_bring_most():
    data = picture(LESSON, "carried")
    v, cosines = by_hand("kittens")
    other = by_hand("kitten")[0]
    names, z = STORED.fasttext.parts("kittens")
    terms = z @ other / len(names) / np.linalg.norm(v) / np.linalg.norm(other)
    assert terms.sum() == pytest.approx(cosines["kitten"])
    assert [chip["value"].replace("−", "-") for chip in chips(data)] == [
        f"{term:.2f}".replace("-0.00", "0.00") for term in terms
    ]
    common = [name in grams_of("kitten") for name in names]
    assert [chip["hue"] == "blue" for chip in chips(data)] == common
    assert [chip["kind"] == "new" for chip in chips(data)] == [name not in KNOWN_GRAMS for name in names]
    told = said_in(document(LESSON, "carried"))
    assert f"The {sum(common)} blue n-grams" in told and "The 14 blue" in told
    assert (
        f"They bring {terms[common].sum():.2f} of the {terms.sum():.2f}" in told
        and "0.89 of the 0.96" in told
    )
    new = [abs(term) for name, term in zip(names, terms, strict=True) if name not in KNOWN_GRAMS]
    assert new and max(new) < 0.02  # close to 0
    rows = [sum(terms[i] for i, name in enumerate(names) if len(name) == n) for n in (3, 4, 5, 6)]
    assert [row["total"] for row in data["rows"]] == [f"Σ {each:.2f}" for each in rows]


def test_unclean_lands_near_uncle_and_its_nearest_words_are_sent_only_with_the_answer():
    asked, revealed = document(LESSON, "misled"), document(LESSON, "misled", True)
    best = nearest("unclean", 5)
    assert revealed["ask"]["answer"] == "uncle" == best[0][0]
    assert asked["picture"]["data"]["sides"] == [] and "0.92" not in json.dumps(asked)
    (side,) = revealed["picture"]["data"]["sides"]
    assert [row["name"] for row in side["rows"]] == [each for each, _ in best]
    choices = [each["id"] for each in asked["ask"]["choices"]]
    cosines = by_hand("unclean")[1]
    assert max(choices, key=cosines.get) == "uncle" and set(choices) <= set(cosines)
    told = said_in(revealed)
    assert "cosine 0.92, followed by aunt, brother and son" in told
    common = set(grams_of("unclean")) & set(grams_of("uncle"))
    assert f"share {len(common)} n-grams" in told
    learned = sum(gram in KNOWN_GRAMS for gram in grams_of("unclean"))
    assert f"Of its {len(grams_of('unclean'))} n-grams, {learned} occur in known words" in said_in(asked)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("goddess", "nearest to empress, cosine 0.89"),
        ("King of Spain", "king is a known word."),
        ("", "goddess nearest to empress"),
        (" !!", "This text holds no word, so you see goddess."),
        ("🦜", "Its only n-gram is in no known word"),
        ("早上", "Its only n-gram"),
        ("xqz", "nothing has trained them"),
        ("مرحبا", "None of its"),
        ("Kätzchen", "n-grams"),
        ("a", "a is a known word."),
    ],
)
def test_any_word_is_cut_and_its_sentence_reads_well(typed, says):
    found = document(LESSON, "own", word=typed, no_ngrams=False)
    assert says in plain(found["done"]), plain(found["done"])
    data = found["picture"]["data"]
    word = (words(typed or EXAMPLES[0]) or [EXAMPLES[0]])[0]
    assert "".join(each["text"] for each in data["letters"]) == f"<{word}>"
    assert [row["name"] for row in data["sides"][0]["rows"]] == [each for each, _ in nearest(word, 5)]
    own = [word] if word in STORED.vectors.index else []
    assert [chip["text"] for chip in chips(data)] == own + grams_of(word)


@pytest.mark.parametrize("word", ["goddess", "king"])
def test_without_n_grams_only_word2vec_is_left(word):
    found = document(LESSON, "own", word=word, no_ngrams=True)
    data = found["picture"]["data"]
    assert data["rows"] == [] and [each["title"] for each in data["sides"]] == ["word2vec: nearest (cosine)"]
    if word == "king":
        assert "1 of its vectors" in plain(found["done"])
        assert [row["name"] for row in data["sides"][0]["rows"]] == [
            each.word for each in STORED.skipgram.neighbours("king", 5)
        ]
    else:
        assert "0 vectors for goddess" in plain(found["done"])
        assert data["sides"][0]["rows"] == [] and data["sides"][0]["empty"] == "no vector"


def found_by_hand():
    """Return for each long known word whether it is found again without its middle letter."""
    found = {}
    for word in STORED.vectors.words:
        written = word[: len(word) // 2] + word[len(word) // 2 + 1 :]
        if len(word) >= 5 and written not in STORED.vectors.index:
            found[word] = nearest(written, 1)[0][0] == word
    return found


def test_misspelt_words_are_found_again_more_often_the_longer_they_are():
    found = found_by_hand()
    both, lengths = picture(LESSON, "misspelt")["panels"]
    assert [row["to"] for row in both["rows"]] == [pytest.approx(np.mean(list(found.values()))), 0]
    by_length = [[hit for word, hit in found.items() if min(len(word), 8) == n] for n in (5, 6, 7, 8)]
    np.testing.assert_allclose([row["to"] for row in lengths["rows"]], [np.mean(each) for each in by_length])
    assert [row["note"] for row in lengths["rows"]] == [f"of {len(each)} words" for each in by_length]
    told = said_in(document(LESSON, "misspelt"))
    assert "We took 254 known words" in told and "69% of the cases" in told and len(found) == 254
    assert "such as coutry for country" in told and found["country"]
    five, _, seven, _ = (np.mean(each) for each in by_length)
    pooled = (sum(by_length[0]) + sum(by_length[2])) / (len(by_length[0]) + len(by_length[2]))
    error = np.sqrt(pooled * (1 - pooled) * (1 / len(by_length[0]) + 1 / len(by_length[2])))
    assert (seven - five) / error > 3  # two proportions


def test_n_grams_that_share_a_bucket_are_counted_and_two_are_named():
    hashes = {gram: bucket(gram, 2**32) for gram in KNOWN_GRAMS}
    for row, size in zip(
        picture(LESSON, "shared")["panels"][0]["rows"], (1000, 10_000, 100_000, 2_000_000), strict=True
    ):
        places = [h % size for h in hashes.values()]
        counts = np.unique(places, return_counts=True)[1]
        assert row["to"] == pytest.approx(counts[counts > 1].sum() / len(places))
    told = said_in(document(LESSON, "shared"))
    assert f"has {len(KNOWN_GRAMS):,} n-grams" in told and "4,443" in told
    assert "38% of ours share with another, such as tte with tin" in told and "0.6%" in told
    assert hashes["tte"] % 10_000 == hashes["tin"] % 10_000 == 288
    assert picture(LESSON, "shared")["sum"].startswith("tte and tin are both in bucket 288")


def test_the_story_ends_with_five_unseen_words_and_their_nearest():
    rows = picture(LESSON, "answer")["panels"][0]["rows"]
    assert [row["name"] for row in rows] == list(ANSWERS)
    assert not set(ANSWERS) & set(STORED.vectors.words)
    for row in rows:
        ((word, cosine),) = nearest(row["name"], 1)
        assert row["note"] == f"nearest: {word}" and row["to"] == pytest.approx(cosine, abs=1e-5)
    found = [row["note"].removeprefix("nearest: ") for row in rows]
    assert found == ["kitten", "grandmother", "daughter", "strawberry", "uncle"]


# The lab.


@pytest.mark.parametrize("word", ["prinsess", "grandmothers", "blorptik", "princess"])
def test_the_neighbours_are_those_of_a_plain_loop(word):
    app, best = open_lesson(LESSON, word=word), nearest(word, 7)
    with_, without = sent(app, "word_pieces")["sides"]
    assert [row["name"] for row in with_["rows"]] == [each for each, _ in best]
    np.testing.assert_allclose([row["share"] for row in with_["rows"]], [c for _, c in best], atol=1e-5)
    assert f"nearest to “{best[0][0]}”, cosine **{best[0][1]:.2f}**" in said(app)
    if word in STORED.skipgram.index:
        expected = [each.word for each in STORED.skipgram.neighbours(word, 7)]
        assert [row["name"] for row in without["rows"]] == expected and "never seen" not in said(app)
    else:
        assert without["rows"] == [] and "word2vec has no vector for it" in said(app)


@pytest.mark.parametrize("word", ["prinsess", "princess"])
def test_the_parts_add_up_to_the_cosine(word):
    app = open_lesson(LESSON, word=word)
    data, ((other, cosine),) = sent(app, "word_pieces"), nearest(word, 1)
    assert [chip["text"] for chip in chips(data)] == [word] * (word in STORED.vectors.index) + grams_of(word)
    assert data["sum"] == f"Sum of all terms: cosine with {other} = {cosine:.2f}"
    table = table_with(app, "adds to the cosine")
    np.testing.assert_allclose(table["adds to the cosine"], ngram_contributions(STORED.fasttext, word, other))
    assert table["adds to the cosine"].sum() == pytest.approx(cosine, abs=1e-5)


def test_ngrams_that_were_never_learned_are_dashed_and_counted():
    app = open_lesson(LESSON, word="prinsess")
    new = [gram not in KNOWN_GRAMS for gram in grams_of("prinsess")]
    assert [chip["kind"] == "new" for chip in chips(sent(app, "word_pieces"))] == new
    assert f"{sum(new)} of the {len(new)} n-grams are in no known word" in said(app)


def test_a_long_row_of_n_grams_is_cut_and_says_how_many_are_left():
    data = draw_word("x" * 30, [f"{i:03}" for i in range(30)])
    assert len(data["rows"][0]["chips"]) == 24 and data["rows"][0]["more"] == "and 6 more"


@pytest.mark.parametrize("text", TEXTS)
def test_without_ngrams_no_misspelt_word_is_found_again_and_the_picture_changes(text):
    whole, app = (
        open_lesson(LESSON, TEXTS[text], word="prinsess", **query) for query in ({}, {"no_ngrams": "true"})
    )
    share = unseen(STORED.fasttext, STORED.vectors).again
    assert metrics(app) == {"with n-grams": f"{share:.0%}", "without n-grams": "0%"}
    assert share > 0.5 and "was never seen and has no vector without n-grams" in said(app)
    assert sent(app, "word_pieces") != sent(whole, "word_pieces") and sent(app, "word_pieces")["rows"] == []


def test_a_known_word_without_ngrams_has_word2vec_s_neighbours():
    (side,) = sent(open_lesson(LESSON, word="king", no_ngrams="true"), "word_pieces")["sides"]
    assert [row["name"] for row in side["rows"]] == [
        each.word for each in STORED.skipgram.neighbours("king", 7)
    ]


def test_misspelt_words_and_buckets_are_core_s():
    app, found = open_lesson(LESSON, word="prinsess", **OPENED), unseen(STORED.fasttext, STORED.vectors)
    right = sum(each.meant == each.nearest for each in found.misspelt)
    assert f"{right} of {len(found.misspelt)} misspelt words are nearest" in said(app)
    assert (
        f"{len(found.grams):,} n-grams are hashed to 10,000 buckets, and **{found.sharing(10_000):.0%}**"
        in said(app)
    )
    table = table_with(app, "share a bucket")
    assert table["share a bucket"].tolist() == [found.sharing(size) for size in table["buckets"]]
    gram, other = re.search(r"“(\S+)” of “prinsess” has one vector with “(\S+)”", said(app)).groups()
    assert bucket(gram, 10_000) == bucket(other, 10_000) and other != gram


def test_sections_stay_folded_until_they_are_opened(monkeypatch):
    monkeypatch.setattr(footer, "is_open", lambda tab: tab.open)
    assert not figures(open_lesson(LESSON)) and figures(open_lesson(LESSON, sharing="true"))


def test_whose_vectors_are_shown_is_said():
    assert "come from the micro-world" not in said(open_lesson(LESSON))
    shown = said(open_lesson(LESSON, TEXTS["short"]))
    types = dict.fromkeys(words(SHORT))
    known = sum(each in STORED.vectors.index for each in types)
    assert f"the micro-world, which has {known} of the {len(types)} types of your text" in shown


def test_a_training_takes_the_place_of_the_stored_vectors(trained):
    app = open_lesson(LESSON, word="mouses", **OPENED)
    assert f"vectors of {len(trained.vectors)} words. You trained them on a text." in said(app)
    assert f"nearest to “{trained.near('mouses', 1)[0].word}”" in said(app)
    assert "hashed to 100 buckets" in said(app)


def test_vectors_that_all_point_the_same_way_are_said_to(trained, monkeypatch):
    assert mean_cosine(trained.vectors) < 0.9 and "Train longer" not in said(open_lesson(LESSON))
    same = WordVectors(trained.vectors.words, 1 + trained.vectors.vectors / 100)
    bench = Bench(result=replace(trained, vectors=same), settings="a text", number=2)
    for module in (training_job, lesson_module):
        monkeypatch.setattr(module, "bench_of", lambda lesson: bench)
    shown = said(open_lesson(LESSON))
    assert f"Two words have cosine {mean_cosine(same):.2f} on average" in shown and "Train longer" in shown


def test_where_nothing_is_found_again_the_break_says_so(trained):
    found = unseen(trained.fasttext, trained.vectors)
    app = open_lesson(LESSON, no_ngrams="true")
    assert ("changes nothing here" in said(app)) == (found.again == 0)


def test_before_the_guess_the_nearest_is_nowhere():
    app = open_lesson(LESSON, word="prinsess", predict="true")
    assert "princess" in question(app).options and not mounted(app)
    assert "“princess”" not in said(app)
    assert "nearest to “princess”, cosine" in said(guess(app, "princess"))


@pytest.mark.parametrize(
    "word", ["", "🦜", "a", "早上", "two words", "<b>", "$x$", "x" * 30, "né", "don't", "'", "!!!", "مرحبا"]
)
@pytest.mark.parametrize("broken", ["false", "true"])
def test_no_word_breaks_the_page(word, broken):
    app = open_lesson(LESSON, word=word, no_ngrams=broken, **OPENED)
    assert not app.exception
    if not words(word):
        assert "you see “kittens”" in said(app)


@pytest.mark.parametrize("text", ["", "word", "🦜 🎉", "<b>x</b> $a$ `c`"])
def test_no_text_breaks_the_page(text):
    assert not open_lesson(LESSON, text, **OPENED).exception


def test_a_short_text_is_read_more_often():
    epochs = {
        name: open_lesson(LESSON, text, own_text="true").slider(key=f"{LESSON}_epochs").value
        for name, text in TEXTS.items()
    }
    assert epochs["default"] < epochs["play"] < epochs["short"] == 200


@pytest.mark.parametrize("old", ["2 to 4", "2_4"])
def test_an_older_address_still_chooses_its_lengths(old):
    app = open_lesson(LESSON, own_text="true", lengths=old)
    assert app.session_state[f"{LESSON}_lengths"] == "2_4"


def test_the_notebook_finds_the_page_s_neighbours(notebook_cells):
    open_lesson(LESSON)
    near = value_of([*notebook_cells[1:-1], "near"], {})
    assert [each.word for each in near] == [each.word for each in STORED.near("kittens", 7)]


def test_the_notebook_of_a_training_trains_the_same_model(trained, notebook_cells):
    open_lesson(LESSON)
    room = {}
    exec(notebook_cells[1], room)
    names = (
        "dimension",
        "window",
        "negatives",
        "epochs",
        "learning_rate",
        "min_count",
        "seed",
        "least",
        "most",
        "buckets",
    )
    assert room["train"] and all(room[name] == getattr(trained.fasttext, name) for name in names)


# The figures of the lab.


@pytest.mark.parametrize("word", ["prinsess", "king"])
def test_each_part_s_formula_ends_in_the_table_s_number(word):
    ((other, _),) = nearest(word, 1)
    shares = ngram_contributions(STORED.fasttext, word, other)
    table, formula = parts_table(STORED.fasttext, word, other, shares)
    for row in range(len(table)):
        assert formula(row, "part") is None
        assert f"{shares[row]:.4g}".split("e")[0] in formula(row, "adds to the cosine")
        is_gram = not (word == "king" and row == 0)
        assert bool(formula(row, "bucket")) == is_gram
        assert not is_gram or formula(row, "bucket").endswith(f"= {int(table['bucket'][row])}")
    assert table["part"].tolist() == ["king"] * (word == "king") + character_ngrams(word)


def test_what_chance_gives_is_drawn_and_worked():
    curve, dots = sharing_figure([10, 1000], [1.0, 0.1], 100, 10).data
    assert curve.y[-1] == pytest.approx(by_chance(100, 1000)) and list(dots.y) == [1.0, 0.1]
    table, formula = sharing_table([10, 1000], [1.0, 0.1], 100)
    assert formula(1, "at random").endswith(f"= {table['at random'][1]:.4g}")
    assert formula(1, "buckets") is None


def test_found_words_are_marked():
    table = misspelt_table([Misspelling("cat", "ct", "cat", 0.9), Misspelling("dog", "dg", "cat", 0.5)])
    assert table["found"].tolist() == [True, False]
