"""Document vectors: search and lab agree with scikit-learn, on scenes, reviews, two plays and pasted documents."""

import re
from functools import cache

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from core.lesson.footer import NUMBERS
from core.models.documents.fit_paragraphs import fit_paragraphs, stored_paragraphs
from core.models.documents.held_out import wilson
from core.text.reading.labelled import read_lines
from core.text.samples.scenes import scenes
from core.text.tokenization.tokens import words
from pages.documents.document_vectors import page as document_vectors
from pages.documents.document_vectors.page import KINDS, OWN, QUERY, RARE, RIGHT, space_of
from pages.documents.shared.labelled_source import WORDS_AT_MOST
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    numbers,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
)

EVERY = pytest.mark.parametrize("which", ["reviews", "two plays", "pasted"])
NAME = "document_vectors"
OPENED = {"map": "true", "weights": "true", "quality": "true"}


# The story.


@cache
def peer_of_scenes(kind):
    """Return scikit-learn's vectors of the scenes and of the query, and the scenes' names."""
    make = TfidfVectorizer if kind == "tf-idf" else CountVectorizer
    model = make(analyzer=words)
    X = model.fit_transform([scene.text for scene in scenes()])
    return model, X, [scene.name for scene in scenes()]


def ranking(kind, query=QUERY):
    """Return (name, cosine) of all scenes, best first, by scikit-learn."""
    model, X, names = peer_of_scenes(kind)
    cosines = cosine_similarity(model.transform([query]), X)[0]
    order = np.argsort(-cosines, kind="stable")
    return [(names[i], cosines[i]) for i in order]


def rows_of(beat, *revealed, panel=0, **changes):
    rows = picture(NAME, beat, *revealed, **changes)["panels"][panel]["rows"]
    return [(row["name"], row["to"]) for row in rows]


def test_the_search_by_counts_misses_the_scene_as_scikit_learn_s_does():
    assert all(to == 0 for _, to in rows_of("search"))
    ranked = ranking("counts")
    assert rows_of("search", True)[:5] == [(name, pytest.approx(c)) for name, c in ranked[:5]]
    names = [name for name, _ in ranked]
    rank = names.index(RIGHT) + 1
    assert f"has rank {rank} of {len(names)}" in said_in(document(NAME, "search", True))
    assert document(NAME, "search", True)["ask"]["answer"] == "other"
    texts = {scene.name: words(scene.text) for scene in scenes()}
    assert not any(RARE in texts[name] for name in names[: rank - 1])


def test_the_terms_add_up_to_the_cosine_and_the_common_word_adds_most():
    terms = dict(rows_of("terms_of"))
    assert sum(terms.values()) == pytest.approx(ranking("counts")[0][1])
    assert max(terms, key=terms.get) == "the" and terms[RARE] == 0
    assert sum(dict(rows_of("answer")).values()) == pytest.approx(dict(ranking("tf-idf"))[RIGHT])


def test_the_idf_is_scikit_learn_s_and_the_weight_is_the_count_times_it():
    model, _, names = peer_of_scenes("tf-idf")
    for word, value in rows_of("idf"):
        assert value == pytest.approx(model.idf_[model.vocabulary_[word]])
    tokens = words(scenes()[names.index(RIGHT)].text)
    assert dict(rows_of("weight")) == {word: tokens.count(word) for word in ("a", "skull", "in", "the")}
    for word, value in rows_of("weight", panel=1):
        assert value == pytest.approx(tokens.count(word) * model.idf_[model.vocabulary_[word]])
    assert "graveyard" not in model.vocabulary_
    assert "graveyard is in no scene" in said_in(document(NAME, "idf"))


def test_the_search_by_tf_idf_finds_the_scene_as_scikit_learn_s_does():
    ranked = ranking("tf-idf")
    assert rows_of("found") == [(name, pytest.approx(c)) for name, c in ranked[:5]]
    assert ranked[0][0] == RIGHT
    assert rows_of("length") == rows_of("found")


def test_without_division_the_longest_scene_is_first():
    model = TfidfVectorizer(analyzer=words, norm=None)
    X = model.fit_transform([scene.text for scene in scenes()])
    products = (X @ model.transform([QUERY]).T).toarray()[:, 0]
    names = [scene.name for scene in scenes()]
    longest = names[int(np.argmax([len(words(scene.text)) for scene in scenes()]))]
    shown = rows_of("length", True)
    assert shown[0] == (longest, pytest.approx(products.max()))
    assert document(NAME, "length", True)["ask"]["answer"] == "longest"
    across = (X @ X.T).toarray()
    np.fill_diagonal(across, -1)
    assert f"only {len(set(across.argmax(axis=1)))} different scenes" in said_in(
        document(NAME, "length", True)
    )


@pytest.mark.parametrize(("kind", "name"), [("tf-idf", "tf-idf"), ("counts", "counts")])
def test_how_often_the_nearest_scene_is_of_the_same_play_is_scikit_learn_s(kind, name):
    _, X, _ = peer_of_scenes(kind)
    cosines = cosine_similarity(X)
    np.fill_diagonal(cosines, -1)
    play = np.array([scene.play for scene in scenes()])
    share = (play[cosines.argmax(axis=1)] == play).mean()
    assert dict(rows_of("plays"))[name] == pytest.approx(share, abs=0.003)


def test_the_limits_are_counts_of_scenes():
    for word, n in rows_of("limits"):
        assert n == sum(word in words(scene.text) for scene in scenes())


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (OWN, "First is <strong>Macbeth IV.1</strong>"),
        ("🦜 zzz", "No scene has a word of this query"),
        ("Wer reitet so spät", "First is"),
        ("skull zzz", "No scene has zzz"),
    ],
)
def test_an_own_query_gets_a_sentence_that_fits_it(query, told):
    assert told in document(NAME, "own", query=query)["done"]


# The lab.


@cache
def opened(which, **query):
    return open_on(NAME, which, **OPENED, **query)


@cache
def peer(which, kind="tf-idf"):
    make = TfidfVectorizer if kind == "tf-idf" else CountVectorizer
    model = make(analyzer=words)
    return model, model.fit_transform(documents()[which].texts)


def typed(app, which):
    key = f"{NAME}_sentence" if which == "reviews" else f"{NAME}_own_sentence"
    return " ".join(words(app.text_input(key=key).value)[:WORDS_AT_MOST])


@EVERY
@pytest.mark.parametrize("kind", ["tf-idf", "counts"])
def test_the_nearest_documents_are_scikit_learn_s(which, kind):
    app = opened(which, kind=kind)
    model, X = peer(which, kind)
    cosines = cosine_similarity(model.transform([typed(app, which)]), X)[0]
    shown = table_with(app, "cosine")
    assert shown["cosine"].to_numpy() == pytest.approx(np.sort(cosines)[::-1][:5], abs=1e-4)
    assert shown["cosine"].to_numpy() == pytest.approx(cosines[shown["document"] - 1], abs=1e-4)
    best = shown["document"][0] - 1
    assert shown["label"][0] == documents()[which].labels[best]
    assert f"Nearest to your text is document {best + 1}, {shown['label'][0]}, with a cosine" in said(app)
    same = sum(shown["label"] == shown["label"][0])
    assert f"Of the 5 nearest {same} {'is' if same == 1 else 'are'} {shown['label'][0]}." in said(app)


@EVERY
def test_the_bars_add_up_to_the_cosine(which):
    app = opened(which)
    terms = next(
        f for f in figures(app) if f["layout"]["xaxis"]["title"].get("text") == "added to the cosine"
    )
    total = sum(numbers({"x": terms["data"][0]["x"]}))
    assert total == pytest.approx(table_with(app, "cosine")["cosine"][0], abs=1e-4)
    assert f"is {total:.3f}." in said(app)


@EVERY
@pytest.mark.parametrize("kind", ["tf-idf", "counts"])
def test_leaving_one_out_is_counted(which, kind):
    app = opened(which, kind=kind)
    _, X = peer(which, kind)
    y = np.array(documents()[which].labels)
    cosines = cosine_similarity(X)
    np.fill_diagonal(cosines, -1)
    best = cosines.max(axis=1, keepdims=True)
    ties = np.isclose(cosines, best) & (best > 0)
    same = (ties & (y == y[:, None])).sum(axis=1)
    least, most = (same == ties.sum(axis=1)).sum() - (best[:, 0] <= 0).sum(), (same > 0).sum()
    table = table_with(app, "documents that are nearest to some other")
    row = table[table["vectors"] == kind].iloc[0]
    assert least <= row["right"] <= most
    n, right = len(y), int(row["right"])
    low, high = wilson(right, n)
    assert f"{right:,} of {n:,} documents have their own label nearest: **{right / n:.1%}**" in said(app)
    assert f"95% interval {low:.1%} to {high:.1%}" in said(app)
    pairs = (y == y[:, None]).sum() - n
    assert f"With a random document it would be {pairs / (n * (n - 1)):.1%}" in said(app)


def test_the_verdict_counts_the_documents_on_which_only_one_kind_is_right():
    same = {kind: space_of(documents()["reviews"], kind, True).left_out.same for kind in KINDS}
    better, worse = [], []
    for kind in (each for each in KINDS if each != "tf-idf"):
        one, other = (same["tf-idf"] & ~same[kind]).sum(), (same[kind] & ~same["tf-idf"]).sum()
        if binomtest(int(one), int(one + other)).pvalue < 0.05:
            (better if one > other else worse).append(kind)
    assert 0 < len(better) + len(worse) < len(KINDS) - 1
    verdict = re.search(r"On these documents tf-idf is (.*?) \(sign test", said(opened("reviews")))[1]
    ups, _, downs = verdict.partition("worse than")
    listed = lambda text: [kind for kind in KINDS if kind in text]  # noqa: E731
    assert listed(ups.replace("mean of", "mean of")) == better and listed(downs) == worse


@EVERY
def test_a_verdict_is_given_on_every_kind_of_documents(which):
    shown = said(opened(which))
    assert ("sign test, p < 0.05" in shown) != ("is too close to call" in shown)


@EVERY
def test_one_weight_is_count_times_idf(which):
    app = opened(which)
    model, _ = peer(which)
    tokens = words(typed(app, which))
    idf = {w: model.idf_[model.vocabulary_[w]] for w in tokens if w in model.vocabulary_}
    weights = {w: tokens.count(w) * value for w, value in idf.items()}
    heaviest = max(weights.values())
    latex = next(each.value for each in app.latex if "tf-idf" in each.value)
    assert float(latex.split("= ")[-1].strip("$ \n")) == pytest.approx(heaviest, rel=1e-3)
    table = table_with(app, "idf")
    assert dict(zip(table["word"], table["weight"], strict=True)) == pytest.approx(weights)
    assert (table["divided by the length"] ** 2).sum() == pytest.approx(1)


@EVERY
@pytest.mark.parametrize("kind", ["tf-idf", "mean of GloVe"])
def test_without_division_the_consequence_is_measured(which, kind):
    whole, broken = opened(which, kind=kind), opened(which, kind=kind, undivided="true")
    column = "documents that are nearest to some other"
    rows = [table_with(app, column).set_index("vectors").loc[kind] for app in (whole, broken)]
    found = metrics(broken)
    name = "Nearest has the label"
    assert found[f"{name}, divided by length"] == f"{rows[0]['share']:.1%}"
    assert found[f"{name}, not divided"] == f"{rows[1]['share']:.1%}"
    assert f"Without it, {int(rows[1][column]):,} document" in said(broken)
    assert f"with it {int(rows[0][column]):,}." in said(broken)


def test_without_division_a_few_long_means_are_the_neighbours_of_all_reviews():
    table = table_with(opened("reviews", kind="mean of GloVe", undivided="true"), "95% from")
    row = table.set_index("vectors").loc["mean of GloVe"]
    assert row["documents that are nearest to some other"] < 10
    assert row["95% from"] < 0.5 < row["95% to"]  # no better than a coin


def test_until_the_guess_neither_neighbours_nor_terms_are_sent():
    app = open_on(NAME, "reviews", predict="true", below=NUMBERS, **OPENED)
    assert "Nearest to your text is" not in said(app)
    assert (sent(app, "map")["chosen"], sent(app, "map")["neighbours"]) == (None, [])
    assert all("cosine" not in each.value for each in app.dataframe)
    assert question(app).options == ["negative", "positive"]
    app = guess(app)
    assert len(sent(app, "map")["neighbours"]) == 5


def test_one_of_the_documents_is_not_its_own_neighbour():
    app = opened("reviews", asked="one of them", number=17)
    shown = table_with(app, "cosine")
    assert 17 not in set(shown["document"])
    assert "Nearest to document 17 is" in said(app)
    reviews = documents()["reviews"]
    assert f"Document 17, {reviews.labels[16]}: {reviews.texts[16][:200]}" in said(app)
    data = sent(app, "map")
    assert data["words"][data["chosen"]].startswith("17 ")
    assert len(data["words"]) == 1000  # no text is typed


def test_the_typed_text_stands_on_the_map_where_its_vector_falls():
    data = sent(opened("reviews"), "map")
    assert data["words"][-1] == "your text" and data["chosen"] == 1000
    assert len(data["words"]) == 1001 and len(data["neighbours"]) == 5


def test_a_text_of_unknown_words_has_no_neighbour():
    app = opened("reviews", sentence="xylophone zzz")
    assert "Nothing is near: your text has no word that is known here." in said(app)
    assert "“xylophone”, “zzz”" in said(app)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("undivided", ["false", "true"])
def test_documents_of_any_kind_leave_the_page_standing(kind, undivided):
    for lines in ("<b>\t$x$ `a`\n*i*\t![i](j)\n" * 6, "好\t早上\n坏\t!!!\n" * 6, "a\t...\nb\t...\n" * 6):
        app = open_on(NAME, "reviews", kind=kind, undivided=undivided, **OPENED)
        app.session_state["labelled_own"] = read_lines(lines)
        assert not app.run().exception


def test_a_rerun_sends_little():
    app = opened("reviews")
    assert len(str(sent(app, "map"))) < 60_000


@pytest.mark.parametrize("kind", ["PV-DM", "PV-DBOW"])
def test_the_nearest_by_paragraph_vectors_are_those_of_the_stored_ones(kind):
    app = opened("reviews", kind=kind)
    model = stored_paragraphs()[kind]
    x = model.infer(words(typed(app, "reviews")))
    cosines = cosine_similarity([x], model.documents_)[0]
    shown = table_with(app, "cosine")
    assert shown["document"].tolist() == (np.argsort(-cosines)[:5] + 1).tolist()
    assert shown["cosine"].to_numpy() == pytest.approx(np.sort(cosines)[::-1][:5], abs=1e-4)
    every = cosine_similarity(model.documents_)
    np.fill_diagonal(every, -2)
    y = np.array(documents()["reviews"].labels)
    right = int((y[every.argmax(axis=1)] == y).sum())
    assert f"With {kind}, {right:,} of 1,000 documents have their own label nearest" in said(app)
    assert "It is not a sum of words" in said(app)


def test_a_review_itself_is_looked_up_by_its_own_paragraph_vector():
    app = opened("reviews", kind="PV-DM", asked="one of them", number=17)
    units = stored_paragraphs()["PV-DM"].documents_
    cosines = cosine_similarity(units[[16]], units)[0]
    cosines[16] = -2
    assert table_with(app, "cosine")["document"][0] == cosines.argmax() + 1


def test_own_documents_are_shown_by_tf_idf_until_their_paragraph_vectors_are_trained(monkeypatch):
    app = opened("pasted", kind="PV-DBOW")
    assert "Train the paragraph vectors of your documents first" in said(app)
    assert table_with(app, "cosine").equals(table_with(opened("pasted"), "cosine"))
    trained = fit_paragraphs(lambda share: True, documents()["pasted"].texts, epochs=20)
    of = lambda given: trained if given.own else stored_paragraphs()  # noqa: E731
    monkeypatch.setattr(document_vectors, "paragraphs_of", of)
    app = open_on(NAME, "pasted", kind="PV-DBOW", **OPENED)
    assert "With PV-DBOW" in said(app)
    cosines = cosine_similarity(
        [trained["PV-DBOW"].infer(words(typed(app, "pasted")))], trained["PV-DBOW"].documents_
    )
    assert table_with(app, "cosine")["cosine"][0] == pytest.approx(cosines.max(), abs=1e-4)
