"""Search: BM25 by loops, tf-idf by scikit-learn, fusion and measures by hand, and the claims of the lesson."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.feature_extraction.text import TfidfVectorizer

from core.lesson.choices.vector_sets import shared_vectors
from core.models.documents.bm25 import BM25, rarity, saturate
from core.models.documents.passage_reader import READER, answer_bits
from core.models.documents.ranking import fuse_ranks, mean_reciprocal_rank, ranks_of, recall_at
from core.models.documents.searches import BOTH, DENSE, TF_IDF, WAYS
from core.models.documents.searches import WORDS as BY_WORDS
from core.models.stored_language_models import encode, stored_language_model
from core.text.samples.library import GAPS, NAMES, OTHER, PASSAGES, QUERIES
from core.text.samples.library import NAME as BY_NAME
from core.text.tokenization.tokens import words
from pages.documents.search.page import bits_by_passage, lead_over, library, measured
from tests.lessons.lesson_page import document, metrics, open_lesson, picture, said, said_in

LESSON = "search"
TITLES = list(PASSAGES)
TEXTS = [words(text) for text in PASSAGES.values()]
small = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=1, max_size=5)


def bm25_by_hand(documents, query, k1=1.2, b=0.75, idf=True):
    """Return BM25's scores by loops over documents and words."""
    mean = sum(map(len, documents)) / len(documents)
    scores = []
    for document_ in documents:
        score = 0.0
        for word in query:
            df = sum(word in other for other in documents)
            if df:
                weight = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5)) if idf else 1.0
                if tf := document_.count(word):
                    score += weight * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(document_) / mean))
        scores.append(score)
    return scores


@pytest.mark.parametrize("settings", [{}, {"b": 0.0}, {"k1": 0.5}, {"idf": False}, {"k1": 0.0, "b": 1.0}])
@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.text)
def test_bm25_is_that_of_loops(query, settings):
    asked = words(query.text)
    ours = BM25(tuple(map(tuple, TEXTS)), **settings).scores(asked)
    assert ours == pytest.approx(bm25_by_hand(TEXTS, asked, **settings), abs=1e-9)


@given(small, st.lists(st.sampled_from("abcde"), min_size=1, max_size=3), st.floats(0, 3), st.floats(0, 1))
def test_bm25_is_that_of_loops_on_any_documents(documents, query, k1, b):
    ours = BM25(tuple(map(tuple, documents)), k1, b).scores(query)
    assert ours == pytest.approx(bm25_by_hand(documents, query, k1, b), abs=1e-9)


@given(st.integers(1, 50), st.floats(0.1, 4), st.floats(0, 3), st.floats(0, 1))
def test_one_more_occurrence_adds_less_each_time_and_never_passes_the_bound(tf, length, k1, b):
    one, two, three = (float(saturate(tf + more, length, k1, b)) for more in range(3))
    assert one <= two + 1e-12 and two - one >= three - two - 1e-9
    assert three <= k1 + 1 + 1e-9


def test_a_word_of_every_document_weighs_almost_nothing_and_never_less():
    weights = rarity(np.arange(1, 41), 40)
    assert (np.diff(weights) < 0).all()
    assert 0 < weights[-1] < 0.02


def test_tf_idf_is_scikit_learn_s():
    theirs = TfidfVectorizer(tokenizer=words, lowercase=False, token_pattern=None)
    rows = theirs.fit_transform(PASSAGES.values())
    for query in QUERIES:
        ours = library().scores(TF_IDF, words(query.text))
        assert ours == pytest.approx((rows @ theirs.transform([query.text]).T).toarray().ravel(), abs=1e-9)


def test_a_dense_vector_is_the_mean_of_the_words_vectors_weighted_by_their_idf():
    vectors, searched = shared_vectors("glove"), library()
    df = {word: sum(word in text for text in TEXTS) for word in ("animal", "doctor")}
    mean = sum(float(rarity(np.array(df[word]), 40)) * vectors[word].astype(float) for word in df)
    ours = searched.dense.embed(["animal", "doctor"])
    assert ours == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)
    assert np.linalg.norm(searched.dense.embedded, axis=1) == pytest.approx(np.ones(40), abs=1e-6)
    assert not searched.scores(DENSE, ["osvina", "tarn"]).any()


@given(st.lists(st.floats(0, 5), min_size=1, max_size=12))
def test_a_rank_counts_the_documents_that_are_at_least_as_good(scores):
    ranks = ranks_of(np.array(scores))
    for score, rank in zip(scores, ranks, strict=True):
        assert rank == (sum(other >= score for other in scores) if score else math.inf)


def test_fused_ranks_and_measures_are_those_of_loops():
    for query in QUERIES:
        asked = words(query.text)
        both = library().scores(BOTH, asked)
        parts = [library().ranks(way, asked) for way in (BY_WORDS, DENSE)]
        assert both == pytest.approx([sum(1 / (60 + ranks[i]) for ranks in parts) for i in range(40)])
    assert fuse_ranks(np.array([np.inf])) == 0
    ranks = measured(BOTH)
    assert mean_reciprocal_rank(ranks) == pytest.approx(np.mean([1 / rank for rank in ranks]))
    assert recall_at(ranks, 3) == np.mean([rank <= 3 for rank in ranks])


def test_every_query_has_a_passage_that_answers_it_and_names_are_unknown_to_the_vectors():
    assert all(title in PASSAGES for query in QUERIES for title in query.answers)
    assert len(PASSAGES) == 40 and len(QUERIES) == 30
    vectors = shared_vectors("glove")
    for name in (
        "osvina",
        "tarn",
        "brelkin",
        "tarquille",
        "morvane",
        "pemberly",
        "zumbrel",
        "quennick",
        "dulwander",
    ):
        assert name not in vectors
    assert set(NAMES) == {query.answers[0] for query in QUERIES if query.kind == BY_NAME}


def test_the_parts_of_a_score_are_drawn_and_add_up():
    data = picture(LESSON, "words")
    (panel,) = data["panels"]
    total = library().scores(BY_WORDS, words("river of Egypt"))[TITLES.index("Nile")]
    assert sum(row["to"] for row in panel["rows"]) == pytest.approx(total)
    assert data["sum"].endswith(f"= {total:.2f}")
    assert picture(LESSON, "ranking")["panels"][0]["rows"][0]["name"] == "Nile"


def test_both_say_bank_equally_often_and_the_length_alone_tells_them_apart():
    counts = [TEXTS[TITLES.index(title)].count("bank") for title in ("Bank", "City guide")]
    assert counts == [2, 2]
    assert "worth 1.38 in both" in said_in(document(LESSON, "length", b="0.0"))
    assert "in the short one and" in said_in(document(LESSON, "length"))


def test_without_idf_small_words_outvote_the_name():
    asked = words("who plays the zumbrel")
    whole, broken = (bm25_by_hand(TEXTS, asked, idf=idf) for idf in (True, False))
    assert TITLES[int(np.argmax(whole))] == "Zumbrel"
    first = TITLES[int(np.argmax(broken))]
    found = document(LESSON, "unweighted", True)
    assert found["ask"]["answer"] == first != "Zumbrel"
    place = TITLES.index("Zumbrel")
    assert f"falls to rank {sum(score >= broken[place] for score in broken)}" in said_in(found)
    assert "only this query loses a rank" in said_in(found)
    assert "Bank has who 1 time and the 5 times" in said_in(document(LESSON, "unweighted"))
    assert mean_reciprocal_rank(measured(BY_WORDS)) > mean_reciprocal_rank(measured(BY_WORDS, idf=False))


def test_before_the_guess_the_ranking_is_the_one_with_idf():
    before, after = (document(LESSON, "unweighted", shown) for shown in (False, True))
    assert before["ask"]["choices"] == after["ask"]["choices"]
    rows = [each["picture"]["data"]["panels"][0]["rows"][0]["name"] for each in (before, after)]
    assert rows == ["Zumbrel", after["ask"]["answer"]]


def test_words_find_names_and_vectors_find_other_words_and_both_find_most():
    kinds = {
        (way, kind): np.mean(
            [rank == 1 for rank, query in zip(measured(way), QUERIES, strict=True) if query.kind == kind]
        )
        for way in WAYS
        for kind in (OTHER, BY_NAME)
    }
    assert kinds[BY_WORDS, BY_NAME] == 1 and kinds[DENSE, BY_NAME] < 0.3
    assert kinds[BY_WORDS, OTHER] < 0.3 and kinds[DENSE, OTHER] == 0.9
    means = {way: mean_reciprocal_rank(measured(way)) for way in WAYS}
    recalls = {way: recall_at(measured(way), 3) for way in WAYS}
    assert max(means, key=means.get) == max(recalls, key=recalls.get) == BOTH
    first = [rank == 1 for rank, query in zip(measured(BOTH), QUERIES, strict=True) if query.kind == BY_NAME]
    assert f"first for {sum(first)} of 10 names, and BM25 for 10" in document(LESSON, "both")["measured"]
    assert lead_over(BY_WORDS)[1] > 0 and lead_over(DENSE)[1] > 0
    assert f"both together {means[BOTH]:.2f}" in said_in(document(LESSON, "both"))
    assert f"first 3 for {recalls[BOTH]:.0%} of 30 queries" in said_in(document(LESSON, "answer"))


def test_the_doctor_is_near_the_words_that_the_story_names():
    vectors = shared_vectors("glove")
    typical = np.median([vectors.similarity("doctor", word) for word in ("stone", "planet", "flute", "ice")])
    assert vectors.similarity("doctor", "sick") > typical + 0.1
    assert min(vectors.similarity("animal", word) for word in ("dogs", "pet")) > 0.5
    found = document(LESSON, "dense")
    assert "rank 1" in said_in(found)
    assert document(LESSON, "gap")["picture"]["data"]["panels"][0]["rows"][-1]["name"] == "Veterinarian"


def test_the_reader_s_bits_are_those_of_its_tokens_one_by_one():
    gap = GAPS[0]
    before = encode(READER, f"{PASSAGES[gap.title]} {gap.prompt}").ids
    whole = encode(READER, f"{PASSAGES[gap.title]} {gap.prompt} {gap.answer}").ids
    model = stored_language_model(READER)
    bits = -sum(model.log_probabilities(whole[:i])[whole[i]] for i in range(len(before), len(whole)))
    assert answer_bits(PASSAGES[gap.title], gap.prompt, gap.answer) == pytest.approx(
        bits / math.log(2), abs=1e-3
    )
    assert whole[: len(before)] == before


def test_the_right_passage_helps_the_small_reader_a_little():
    bits = bits_by_passage()
    better = sum(right < other for right, other in zip(bits["right"], bits["other"], strict=True))
    assert better >= 9
    assert np.mean(bits["right"]) < np.mean(bits["other"]) - 1
    found = said_in(document(LESSON, "reader"))
    assert f"better in {better} of {len(GAPS)}" in found
    likely = sum(2**-each > 0.01 for each in bits["right"])
    assert likely == 1 and f"only {likely} of {len(GAPS)} answers gets more than 1% probability" in found


def test_no_passage_and_no_idf_are_too_close_to_call_and_tf_idf_has_bm25_s_mean():
    bits = bits_by_passage()
    helped = sum(right < none for right, none in zip(bits["right"], bits["none"], strict=True))
    assert binomtest(helped, len(GAPS)).pvalue > 0.05
    changed = sum(a != b for a, b in zip(measured(BY_WORDS), measured(BY_WORDS, idf=False), strict=True))
    assert changed > 0 and binomtest(changed, changed).pvalue > 0.05  # even if all of them fall
    assert mean_reciprocal_rank(measured(TF_IDF)) == pytest.approx(mean_reciprocal_rank(measured(BY_WORDS)))


@pytest.mark.parametrize("query", ["", "?!", "qwertz", "Wie finden Schiffe nach Norden", "the " * 40, "🙂"])
def test_any_query_is_answered_by_a_sentence(query):
    found = document(LESSON, "own", query=query)
    assert query.strip() == "" or found["done"]
    if query == "qwertz":
        assert "Nothing was found" in found["done"] and "a vector for 0 of 1 word" in found["done"]


def test_a_long_passage_is_quoted_by_its_beginning():
    quoted = re.search("“(.*?)”", document(LESSON, "own", query="river bank bridge")["done"])[1]
    assert PASSAGES["City guide"].startswith(quoted.removesuffix(" …")) and len(quoted) <= 200


def test_the_lab_searches_the_learner_s_own_documents():
    app = open_lesson(LESSON, query="purple cow")
    app.session_state["search_documents"] = "A purple cow eats.\n\nThe cow sleeps.\nNothing here."
    app.run()
    assert not app.exception
    assert "2 of 3 passages" in said(app) and "1. A purple cow eats." in said(app)
    app = open_lesson(LESSON, query="who plays the zumbrel", no_idf="true", measured="true")
    assert not app.exception
    whole, broken = metrics(app).values()
    assert float(whole) > float(broken)
    for way in WAYS:
        assert not open_lesson(LESSON, query="qwertz", way=way).exception
