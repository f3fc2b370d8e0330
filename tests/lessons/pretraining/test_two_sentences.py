"""Next-sentence prediction: the story and the lab show what the network computes of each pair, and what was measured."""

import numpy as np
import pytest
import torch
from scipy.stats import binomtest

from core.figures.pretraining.pairs_said import (
    balanced,
    breaks_said,
    called,
    drawn_said,
    kinds_said,
    probes_said,
    swapped_said,
    with_ends,
    words_said,
)
from core.lesson.text_source import sample_document
from core.models.documents.held_out import compare_shares, wilson
from core.models.pretraining.pair_measures import (
    ASKED,
    MAJORITY,
    OTHER_BOOK,
    SAME_BOOK,
    SWAPPED,
    TRUE,
    VECTORS,
    every_order,
    own_pairs,
)
from core.models.pretraining.sentence_pairs import STORED, stored_sentence_pairs
from core.models.stored import load_card
from pages.pretraining.two_sentences.page import (
    ADDED,
    FIRST,
    MEASURED,
    NUMBER,
    ORDERED,
    PAIRS,
    SECONDS,
    SEED,
    own_sentences,
)
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    table_with,
)
from tests.lessons.n_grams.three_texts import THREE

OWN = (
    "The river is deep and wide. A prophet came to the river, and the king gave him bread. Where did he go? "
    "He went over the water to the other side. The people of the town saw him there and were glad. "
)


@pytest.fixture(scope="module")
def model():
    return stored_sentence_pairs()


NAME = "two_sentences"
OPENED = {"looks": "true", "orders": "true", "kinds": "true", "probes": "true"}


def opened(*arguments, **query):
    return open_lesson(NAME, *arguments, **OPENED, **query)


# The story.


def p_by_torch(model, a, b):
    """P(is next) by the network's own forward pass on ids that are put together here."""
    cls, sep = (model.vocabulary.index(name) for name in ("[CLS]", "[SEP]"))
    one, other = (list(model.pairs.encode(each))[: model.longest] for each in (a, b))
    ids = [cls, *one, sep, *other, sep]
    segments = [0] * (len(one) + 2) + [1] * (len(other) + 1)
    with torch.inference_mode():
        h = model.network(torch.tensor([ids]), torch.tensor([segments]))
        c = torch.tanh(model.network.pool(h[0, 0]))
        return torch.sigmoid(model.network.next_output(c)).item()


def bars(beat, *revealed, panel=0, **changes):
    rows = picture(NAME, beat, *revealed, **changes)["panels"][panel]["rows"]
    return {row["mark"].split(".", 1)[1]: row["to"] for row in rows}


def test_the_candidates_have_the_network_s_probabilities_and_wait_for_the_guess(model):
    assert set(bars("candidates").values()) == {0}
    p = {key: p_by_torch(model, FIRST, second) for key, second in SECONDS.items()}
    assert bars("candidates", True) == pytest.approx(p, abs=1e-5)
    assert document(NAME, "candidates", True)["ask"]["answer"] == max(p, key=p.get) == "cup"
    assert max(p["cat"], p["ticket"]) < 0.05 < 0.8 < p["gate"]


def test_three_vectors_of_a_token_are_added(model):
    network, ids = model.network, model.read(FIRST, SECONDS["gate"]).ids
    parts = (
        network.encoder.token_embedding.weight[ids[ADDED]],
        network.segment_embedding.weight[0],
        network.encoder.position_embedding.weight[ADDED],
    )
    rows = picture(NAME, "added")["panels"][0]["rows"]
    numbers_of = [float(part[NUMBER]) for part in parts]
    assert [row["to"] - row["from"] for row in rows] == pytest.approx(
        [*numbers_of, sum(numbers_of)], abs=1e-5
    )


def test_a_swap_hardly_moves_the_probability(model):
    p, swapped = p_by_torch(model, FIRST, SECONDS["gate"]), p_by_torch(model, SECONDS["gate"], FIRST)
    told = said_in(document(NAME, "order", True))
    assert f"It is {swapped:.3f}." in told and abs(p - swapped) < 0.05
    assert document(NAME, "order", True)["ask"]["answer"] == "stays"
    quality = load_card(STORED).quality
    assert f"{quality['the next sentence: called next']:.0%} of them next" in told
    assert f"{quality['the two swapped: called next']:.0%}" in told
    assert binomtest(709, 719 + 709).pvalue > 0.05, "the two shares are too close to call"


def test_the_shares_called_next_and_right_are_the_card_s():
    quality = load_card(STORED).quality
    kinds = {"next": TRUE, "same_book": SAME_BOOK, "other_book": OTHER_BOOK}
    assert bars("called") == pytest.approx(
        {key: quality[f"{kind}: called next"] for key, kind in kinds.items()}
    )
    for key, kind in (("far", OTHER_BOOK), ("near", SAME_BOOK)):
        for name, by in (("model", ""), ("words", " by shared words")):
            right = (quality[f"{TRUE}: called next{by}"] + 1 - quality[f"{kind}: called next{by}"]) / 2
            assert bars("right")[f"{key}_{name}"] == pytest.approx(right)
    for place, name in enumerate((VECTORS[0], "random numbers")):
        asked = ("the first is from the Bible", "both are of one book", "the second sentence follows")
        assert list(bars("held", panel=place).values()) == [quality[f"{each}: {name}"] for each in asked]
    follows = [
        round(800 * quality[f"the second sentence follows: {name}"])
        for name in (VECTORS[0], "random numbers")
    ]
    assert compare_shares((follows[0], 800), (follows[1], 800)) == 0, "too close to call"


@pytest.mark.parametrize(
    ("one", "other"), [("x", "y"), ("🦜", "早上好"), ("word " * 60, "مرحبا"), (FIRST, FIRST)]
)
def test_any_two_sentences_get_a_verdict_that_fits(model, one, other):
    told = document(NAME, "own", one_sentence=one, next_sentence=other)["done"]
    p = p_by_torch(model, one[:120], other)
    assert f"<strong>{p:.3f}</strong>" in told
    assert ("does not follow" in told) == (p <= 0.5)


# The lab.


def heat(app, place=0):
    return np.array(figures(app)[place]["data"][0]["z"], dtype=float)


def test_the_picture_has_the_lengths_of_the_three_rows_and_of_their_sum_and_the_sentence_has_p(model):
    app = opened()
    assert not app.exception
    trace = model.trace(model.read(*PAIRS["king"]))
    rows = (trace.tokens + trace.segments + trace.positions, trace.positions, trace.segments, trace.tokens)
    np.testing.assert_allclose(heat(app), [each.norm(dim=1).numpy() for each in rows], atol=1e-3)
    assert f"P(is next) = {trace.p_next:.3f}" in said(app)
    follows = "the second follows the first" if trace.p_next > 0.5 else "the second does not follow the first"
    assert f"so the model says that {follows}" in said(app)
    table = table_with(app, "x, 1")
    np.testing.assert_allclose(table["x, 1"], table["E, 1"] + table["S, 1"] + table["P, 1"], atol=1e-5)
    assert table["token"].tolist()[0] == "[CLS]" and (table["token"] == "[SEP]").sum() == 2


def test_the_class_vector_s_table_adds_up_to_p(model):
    app = opened(example="cup")
    trace = model.trace(model.read(*PAIRS["cup"]))
    table = table_with(app, "w times c")
    logit = table["w times c"].sum() + model.network.next_output.bias.item()
    assert 1 / (1 + np.exp(-logit)) == pytest.approx(trace.p_next, abs=1e-5)


@pytest.mark.parametrize(
    "switch, changed",
    [
        ({"swapped": "true"}, lambda model, a, b: model.read(b, a)),
        ({"bare": "true"}, lambda model, a, b: model.read(a, b, separated=False)),
        ({"one": "true"}, lambda model, a, b: model.read(a, b, segments=(0, 0))),
        (
            {"one": "true", "bare": "true"},
            lambda model, a, b: model.read(a, b, segments=(0, 0), separated=False),
        ),
    ],
    ids=[
        "swapped",
        "bare",
        "one",
        "one, bare",
    ],  # of a function str says its address, another in each process
)
def test_each_switch_changes_the_input_and_the_consequence_is_measured(model, switch, changed):
    app = opened(**switch)
    a, b = PAIRS["king"]
    whole, broken = model.trace(model.read(a, b)), model.trace(changed(model, a, b))
    shown = [value for label, value in metrics(app).items() if label.startswith("p(is next)")]
    assert shown == [f"{whole.p_next:.3f}", f"{broken.p_next:.3f}"]
    same = abs(whole.p_next - broken.p_next) < 5e-4
    assert ("nothing changes here" in said(app)) == same
    assert heat(app).shape == (4, len(broken.pair.ids))


def test_until_the_guess_nothing_that_holds_the_answer_is_sent(model):
    app = opened(predict="true")
    trace = model.trace(model.read(*PAIRS["king"]))
    assert "P(is next) =" not in said(app)
    sent = [number for each in figures(app) for number in numbers(each)]
    assert f"{trace.p_next:.3f}" not in said(app)
    assert not any(abs(number - trace.p_next) < 1e-4 for number in sent if isinstance(number, float))
    guess(app, "it follows")
    assert ("Right." in said(app)) == (trace.p_next > 0.5)
    assert "P(is next) =" in said(app)


def test_the_question_has_two_answers():
    assert question(opened(predict="true")).options == ["it follows", "it does not"]


@pytest.mark.parametrize("text", THREE)
def test_every_order_is_the_model_s_own_and_the_followers_are_counted(model, text):
    app = opened(THREE[text])
    assert not app.exception
    sentences = own_ids(app)
    if len(sentences) < 3:
        assert "fewer than three sentences" in said(app)
        return
    p = every_order(model, sentences[:ORDERED])
    found = sum(int(np.nanargmax(row) == i + 1) for i, row in enumerate(p[:-1]))
    assert f"For {found} of {len(p) - 1} sentence" in said(app)
    low, high = wilson(found, len(p) - 1)
    assert f"(95% interval {low:.0%} to {high:.0%})" in said(app).replace("less than ", "")
    own = own_pairs(model, sentences[:MEASURED], SEED).called_next
    n = min(MEASURED, len(sentences)) - 1
    assert f"In your text: {own[TRUE]} of {n} true pair" in said(app)
    assert f"{own[SWAPPED]} with the two swapped, and {own[SAME_BOOK]} with another" in said(app)


def own_ids(app):
    document = (
        app.session_state["text_source_own"]
        if "text_source_own" in app.session_state
        else sample_document("the-lighthouse")
    )
    return [ids for _, ids in own_sentences.__wrapped__(document)]


def test_the_learner_s_own_sentences_are_read_and_never_stand_in_the_address(model):
    app = opened(source="typed")
    key = "two_sentences_a"
    app.text_input(key=key).set_value("The cat is on the mat.").run()
    assert not app.exception
    trace = model.trace(model.read("The cat is on the mat.", PAIRS["king"][1]))
    assert f"P(is next) = {trace.p_next:.3f}" in said(app)
    assert not any("cat" in str(value) for value in app.query_params.values())


def test_the_measures_said_are_the_card_s(model):
    quality = load_card(STORED).quality
    app = opened()
    n = int(quality["pairs of each kind, held out"])
    for kind in (SAME_BOOK, OTHER_BOOK):
        right = round((quality[f"{TRUE}: called next"] + 1 - quality[f"{kind}: called next"]) * n)
        assert balanced(quality, kind) == (right, 2 * n)
        assert with_ends(right, 2 * n) in said(app)
    assert f"with the two swapped {called(quality, SWAPPED):,}" in said(app)
    assert f"cost {quality['nats per hidden token, before']:.2f} nats per token before" in said(app)
    table = table_with(app, "read off")
    assert set(table["asked"]) == set(ASKED) and set(table["read off"]) == {*VECTORS, MAJORITY}


def test_the_model_is_said_to_beat_shared_words_only_where_the_intervals_are_apart():
    quality = {"pairs of each kind, held out": 500}
    for kind, model_calls, words_call in ((TRUE, 0.8, 0.8), (OTHER_BOOK, 0.1, 0.6), (SAME_BOOK, 0.7, 0.2)):
        quality |= {
            f"{kind}: called next": model_calls,
            f"{kind}: called next by shared words": words_call,
        }
    far, near = words_said(quality).split(";")
    assert "60.0%" in far and far.endswith("less than the model")
    assert "80.0%" in near and near.endswith("more than the model.")
    same = quality | {f"{SAME_BOOK}: called next by shared words": 0.7}
    assert words_said(same).endswith("too close to call.")


def test_what_is_said_of_kinds_and_probes_follows_the_numbers():
    quality = {"pairs of each kind, held out": 500, f"{TRUE}: called next": 0.8}
    far = {f"{OTHER_BOOK}: called next": 0.1, f"{SAME_BOOK}: called next": 0.6}
    assert "25.0 percentage points less" in kinds_said(quality | far)
    near = {f"{OTHER_BOOK}: called next": 0.5, f"{SAME_BOOK}: called next": 0.51}
    assert "too close to call" in kinds_said(quality | near)
    easier = {f"{OTHER_BOOK}: called next": 0.5, f"{SAME_BOOK}: called next": 0.1}
    assert kinds_said(quality | easier).endswith("20.0 percentage points more.")
    probes = {"probed pairs": 400, f"a: {VECTORS[0]}": 0.9, f"a: {MAJORITY}": 0.5, f"a: {VECTORS[-1]}": 0.4}
    probes |= {f"b: {VECTORS[0]}": 0.62, f"b: {MAJORITY}": 0.5, f"b: {VECTORS[-1]}": 0.6}
    assert "tells something about 1 of 2 questions (a)" in probes_said(["a", "b"], probes)
    assert "About 1 question it is too close to call (b)" in probes_said(["a", "b"], probes)


@pytest.mark.parametrize(
    "swapped, verdict",
    [(0.3, "50.0 percentage points fewer"), (0.79, "too close to call"), (0.95, "the wrong one")],
)
def test_whether_the_order_is_seen_follows_the_intervals(swapped, verdict):
    quality = {"pairs of each kind, held out": 500, f"{TRUE}: called next": 0.8}
    assert verdict in swapped_said(quality | {f"{SWAPPED}: called next": swapped})


def test_what_breaking_the_input_costs_is_the_card_s_and_said_with_its_break(model):
    quality = load_card(STORED).quality
    app = opened(bare="true")
    n = int(quality["pairs of each kind, broken"])
    true, far = (quality[f"no [SEP], {kind}: called next"] for kind in (TRUE, OTHER_BOOK))
    assert f"with no [SEP]: {with_ends(round((true + 1 - far) * n), 2 * n)}" in said(app)
    assert breaks_said(quality) in said(app) and breaks_said(quality) not in said(opened())


def test_the_formula_weighs_the_losses_as_the_recipe_does():
    weight = load_card(STORED).config["weight of the next sentence"]
    assert f"$k$ = {weight:g} here, 1 in BERT" in said(opened())


@pytest.mark.parametrize(
    "drawn, trained", [(0.0, "in none of the false pairs"), (0.25, "in 25% of the false pairs")]
)
def test_what_the_network_and_the_count_of_words_were_shown_is_said(drawn, trained):
    told = drawn_said({"drawn from the same book": drawn})
    assert trained in told and "where 50% of the false ones are" in told
    assert drawn_said(load_card(STORED).config) in said(opened())


def test_of_a_long_sentence_only_what_is_read_is_shown(model):
    long = "The king went up to the town with all his men and " * 9 + "they sang."
    app = opened(f"{long} {OWN}")
    ids = model.pairs.encode(long)[: model.longest]
    assert f"{model.pairs.decode(ids)} […]" in said(app) and "they sang" not in said(app)


@pytest.mark.parametrize(
    "text, query",
    [
        (None, {"example": "two of our own time", "one": "true", "bare": "true", "swapped": "true"}),
        ("", {"source": "from your text"}),
        ("Go.", {"source": "from your text"}),
        ("早上好 مرحبا 👍🏽 <b>$a$ `c`</b> " * 30, {"source": "from your text", "start": "9"}),
        (OWN, {"source": "from your text", "start": "2"}),
        ("word " * 900, {}),
    ],
    ids=str,
)
def test_no_text_and_no_end_of_a_control_breaks_the_page(text, query):
    app = opened(text, **query)
    assert not app.exception
