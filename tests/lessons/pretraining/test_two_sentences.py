"""Next-sentence prediction: the story and the lab show what the network computes of each pair, and what was measured."""

import numpy as np
import pytest
import torch

from core.figures.pretraining.pairs_said import (
    auc_with_ends,
    aucs_said,
    breaks_said,
    called,
    drawn_said,
    elsewhere_said,
    measured_auc,
    order_said,
    own_said,
    probes_said,
    words_said,
)
from core.lesson.text_source import sample_document
from core.models.documents.held_out import compare_shares, wilson
from core.models.pretraining.pair_measures import (
    ASKED,
    BOOKS,
    MAJORITY,
    MEASURABLE,
    NEW_PAIRS,
    NEW_SCRIPTS,
    STORIES,
    TEXTS,
    TRUE,
    VECTORS,
    OwnPairs,
    every_order,
    own_pairs,
)
from core.models.pretraining.pair_training import KINDS, OTHER_BOOK, SAME_BOOK, SWAPPED
from core.models.pretraining.sentence_pairs import STORED, stored_sentence_pairs
from core.models.stored import load_card
from core.training.pair_text import trained_pairs
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
    """p(is next) by the network's own forward pass on ids that are put together here."""
    cls, sep = (model.vocabulary.index(name) for name in ("[CLS]", "[SEP]"))
    one, other = list(model.pairs.encode(a))[-model.longest :], list(model.pairs.encode(b))[: model.longest]
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
    assert document(NAME, "candidates", True)["ask"]["answer"] == max(p, key=p.get) == "price"


def test_the_opening_pair_is_judged_rightly_with_a_clear_margin(model):
    p = {key: p_by_torch(model, FIRST, second) for key, second in SECONDS.items()}
    assert p.pop("price") > 0.75 > 0.35 > max(p.values())
    assert p_by_torch(model, SECONDS["price"], FIRST) < 0.25


def test_the_opening_pair_was_never_trained_on():
    card = load_card(STORED)
    told = trained_pairs(card.config["stories"], card.seed)
    assert (FIRST, SECONDS["price"]) not in told
    assert any(one.endswith("took an apple in her hand and asked for the price.") for one, _ in told)


def test_three_vectors_of_a_token_are_added(model):
    network, ids = model.network, model.read(FIRST, SECONDS["price"]).ids
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


def test_a_swap_lowers_the_probability_and_so_it_does_on_held_out_pairs(model):
    p, swapped = p_by_torch(model, FIRST, SECONDS["price"]), p_by_torch(model, SECONDS["price"], FIRST)
    told = said_in(document(NAME, "order", True))
    assert f"It is {swapped:.3f}." in told and p - swapped > 0.5
    assert document(NAME, "order", True)["ask"]["answer"] == "falls"
    quality = load_card(STORED).quality
    true, wrong = (quality[f"stories, {kind}: called next"] for kind in (TRUE, SWAPPED))
    assert f"calls {true:.0%} of them next, in the wrong order {wrong:.0%}" in told
    assert compare_shares((called(quality, TRUE), 800), (called(quality, SWAPPED), 800)) == 1
    share = load_card(STORED).config["pairs that do not follow"][SWAPPED]
    assert f"because {share:.0%} of its false training pairs were swapped" in told


def test_the_shares_called_next_and_the_aucs_are_the_card_s():
    quality = load_card(STORED).quality
    kinds = {"next": TRUE, "same_book": SAME_BOOK, "swapped_pair": SWAPPED, "other_book": OTHER_BOOK}
    assert bars("called") == pytest.approx(
        {key: quality[f"stories, {kind}: called next"] for key, kind in kinds.items()}
    )
    by_key = {"far": OTHER_BOOK, "near": SAME_BOOK, "order": SWAPPED}
    for place, by in enumerate(("", " by shared words")):
        expected = {key: quality[f"stories, {kind}: AUC{by}"] for key, kind in by_key.items()}
        assert bars("right", panel=place) == pytest.approx(expected)
    texts = {"stories": STORIES, "new_pairs": NEW_PAIRS, "new_stories": NEW_SCRIPTS, "books": BOOKS}
    for place, kind in enumerate((SAME_BOOK, SWAPPED)):
        expected = {key: quality[f"{text}, {kind}: AUC"] for key, text in texts.items()}
        assert bars("elsewhere", panel=place) == pytest.approx(expected)


def test_what_the_story_claims_of_the_aucs_holds():
    quality = load_card(STORED).quality
    for kind in KINDS:
        assert quality[f"stories, {kind}: AUC ahead of shared words, from"] > 0, "better than shared words"
        assert quality[f"stories, {kind}: AUC by shared words"] < quality[f"stories, {kind}: AUC"]
    assert quality[f"stories, {SWAPPED}: AUC by shared words"] == pytest.approx(0.5)
    assert measured_auc(quality, SAME_BOOK)[0] >= 0.75 and measured_auc(quality, SWAPPED)[0] >= 0.70
    for kind in (SAME_BOOK, SWAPPED):
        for text in (NEW_PAIRS, NEW_SCRIPTS, BOOKS):
            assert measured_auc(quality, kind, text)[2] < measured_auc(quality, kind)[1], (
                "clearly worse there"
            )
    for kind in (SAME_BOOK, SWAPPED):
        for text in (NEW_SCRIPTS, BOOKS):
            _, low, high = measured_auc(quality, kind, text)
            assert low <= 0.5 <= high, "at chance"
    assert quality["one segment for both: AUC lost, from"] > 0


def test_the_description_has_the_measured_aucs():
    card = load_card(STORED)
    near, order = (measured_auc(card.quality, kind)[0] for kind in (SAME_BOOK, SWAPPED))
    assert f"AUC within a story {near:.2f}, with the order swapped {order:.2f};" in card.description


def test_the_probes_are_the_card_s_and_beat_random_numbers():
    quality = load_card(STORED).quality
    n = int(quality["probed pairs"])
    asked = ("the first is from the Bible", "both are of one book", "the second sentence follows")
    for place, name in enumerate((VECTORS[0], "random numbers")):
        assert list(bars("held", panel=place).values()) == [quality[f"{each}: {name}"] for each in asked]
    c, majority, random = (
        {each: (round(n * quality[f"{each}: {name}"]), n) for each in asked}
        for name in (VECTORS[0], MAJORITY, "random numbers")
    )
    assert compare_shares(c[asked[2]], random[asked[2]]) == 1, "c tells whether the second follows"
    assert compare_shares(c[asked[0]], majority[asked[0]]) == 0, "of the Bible it is too close to call"
    told = said_in(document(NAME, "held"))
    assert f"{quality[f'{asked[0]}: {MAJORITY}']:.0%}, too close to call" in told


@pytest.mark.parametrize(
    ("one", "other"), [("x", "y"), ("🦜", "早上好"), ("word " * 60, "مرحبا"), (FIRST, FIRST)]
)
def test_any_two_sentences_get_a_verdict_that_fits(model, one, other):
    told = document(NAME, "own", one_sentence=one, next_sentence=other)["done"]
    p = p_by_torch(model, one[:120], other[:120])
    assert f"<strong>{p:.3f}</strong>" in told
    assert ("does not follow" in told) == (p <= 0.5)


# The lab.


def heat(app, place=0):
    return np.array(figures(app)[place]["data"][0]["z"], dtype=float)


def test_the_picture_has_the_lengths_of_the_three_rows_and_of_their_sum_and_the_sentence_has_p(model):
    app = opened()
    assert not app.exception
    trace = model.trace(model.read(*PAIRS["apple"]))
    rows = (trace.tokens + trace.segments + trace.positions, trace.positions, trace.segments, trace.tokens)
    np.testing.assert_allclose(heat(app), [each.norm(dim=1).numpy() for each in rows], atol=1e-3)
    assert f"p(is next) = {trace.p_next:.3f}" in said(app)
    follows = "the second follows the first" if trace.p_next > 0.5 else "the second does not follow the first"
    assert f"so the model predicts that {follows}" in said(app)
    table = table_with(app, "x, 1")
    np.testing.assert_allclose(table["x, 1"], table["E, 1"] + table["S, 1"] + table["P, 1"], atol=1e-5)
    assert table["token"].tolist()[0] == "[CLS]" and (table["token"] == "[SEP]").sum() == 2


def test_the_class_vector_s_table_adds_up_to_p(model):
    app = opened(example="king")
    trace = model.trace(model.read(*PAIRS["king"]))
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
    a, b = PAIRS["apple"]
    whole, broken = model.trace(model.read(a, b)), model.trace(changed(model, a, b))
    shown = [value for label, value in metrics(app).items() if label.startswith("p(is next)")]
    assert shown == [f"{whole.p_next:.3f}", f"{broken.p_next:.3f}"]
    same = abs(whole.p_next - broken.p_next) < 5e-4
    assert ("nothing changes here" in said(app)) == same
    assert heat(app).shape == (4, len(broken.pair.ids))


def test_until_the_guess_nothing_that_holds_the_answer_is_sent(model):
    app = opened(predict="true")
    trace = model.trace(model.read(*PAIRS["apple"]))
    assert "p(is next) =" not in said(app)
    sent = [number for each in figures(app) for number in numbers(each)]
    assert f"{trace.p_next:.3f}" not in said(app)
    assert not any(abs(number - trace.p_next) < 1e-4 for number in sent if isinstance(number, float))
    guess(app, "it follows")
    assert ("Right." in said(app)) == (trace.p_next > 0.5)
    assert "p(is next) =" in said(app)


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
    pairs = own_pairs(model, sentences[:MEASURED], SEED)
    own = pairs.called_next
    n = min(MEASURED, len(sentences)) - 1
    assert f"In your text, the model calls {own[TRUE]} of {n} true pair" in said(app)
    assert f"{own[SWAPPED]} with the two swapped, and {own[SAME_BOOK]} with another" in said(app)
    assert ("we cannot measure it on this text" in said(app)) == (n < MEASURABLE)


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
    trace = model.trace(model.read("The cat is on the mat.", PAIRS["apple"][1]))
    assert f"p(is next) = {trace.p_next:.3f}" in said(app)
    assert not any("cat" in str(value) for value in app.query_params.values())


def test_the_measures_said_are_the_card_s(model):
    quality = load_card(STORED).quality
    app = opened()
    for kind in KINDS:
        for text in TEXTS:
            assert auc_with_ends(*measured_auc(quality, kind, text)) in said(app)
    assert f"with the two swapped {called(quality, SWAPPED):,}" in said(app)
    assert f"cost {quality['nats per hidden token, before']:.2f} nats per token before" in said(app)
    table = table_with(app, "read off")
    assert set(table["asked"]) == set(ASKED) and set(table["read off"]) == {*VECTORS, MAJORITY}
    table = table_with(app, "AUC")
    assert table["AUC"].tolist() == [quality[f"{text}, {kind}: AUC"] for text in TEXTS for kind in KINDS]


def invented(text=STORIES, auc=0.8, low=0.75, high=0.85, ahead=(0.1, 0.2)):
    """Return what a card would say of a text, the same for each kind."""
    quality = {f"{text}, pairs of each kind": 500, f"{text}, {TRUE}: called next": 0.8}
    for kind in KINDS:
        key = f"{text}, {kind}: AUC"
        quality |= {key: auc, f"{key}, from": low, f"{key}, to": high, f"{key} by shared words": 0.6}
        quality |= {
            f"{key} ahead of shared words, from": ahead[0],
            f"{key} ahead of shared words, to": ahead[1],
        }
        quality[f"{text}, {kind}: called next"] = 0.3
    return quality


@pytest.mark.parametrize(
    "ahead, verdict",
    [((0.1, 0.2), "the model is better"), ((-0.1, 0.1), "too close to call"), ((-0.2, -0.1), "is worse")],
)
def test_the_model_is_better_than_shared_words_only_where_the_difference_excludes_0(ahead, verdict):
    assert words_said(invented(ahead=ahead)).count(verdict) == 3


@pytest.mark.parametrize(
    "low, high, verdict",
    [(0.6, 0.7, "sees the order"), (0.45, 0.55, "too close to call"), (0.3, 0.4, "the wrong order")],
)
def test_whether_the_order_is_seen_follows_the_interval(low, high, verdict):
    assert verdict in order_said(invented(low=low, high=high))


def test_what_is_said_of_the_aucs_names_each_kind_with_its_interval():
    quality = invented() | invented(NEW_SCRIPTS, 0.66, 0.6, 0.7) | invented(BOOKS, 0.55, 0.5, 0.6)
    quality |= invented(NEW_PAIRS, 0.7, 0.6, 0.8)
    assert aucs_said(quality).count("0.80 (95% CI 0.75 to 0.85)") == 3
    told = elsewhere_said(quality)
    assert told.count("0.66 (95% CI 0.60 to 0.70)") == told.count("0.55 (95% CI 0.50 to 0.60)") == 3


def test_of_a_short_own_text_no_auc_is_said_and_of_a_longer_one_whether_it_differs_from_chance():
    p = np.linspace(0.05, 0.95, MEASURABLE)
    assert "we cannot measure it" in own_said(OwnPairs(p[1:], p[1:], p[1:]), 1)
    told = own_said(OwnPairs(p, p - 1, p[::-1]), 1)
    assert "1.00 (95% CI 1.00 to 1.00) against the swapped order." in told
    assert "against its other sentences (too close to chance to call)" in told


def test_what_is_said_of_probes_follows_the_numbers():
    a, b, *_ = ASKED
    probes = {"probed pairs": 400}
    for asked, right in ((a, (0.9, 0.5, 0.4)), (b, (0.62, 0.5, 0.6))):
        names = (VECTORS[0], MAJORITY, VECTORS[-1])
        probes |= {f"{asked}: {name}": share for name, share in zip(names, right, strict=True)}
    assert f"holds something about 1 of 2 questions ({a})" in probes_said([a, b], probes)
    assert f"About 1 question it is too close to call ({b})" in probes_said([a, b], probes)


def test_what_breaking_the_input_costs_is_the_card_s_and_said_with_its_break(model):
    quality = load_card(STORED).quality
    app = opened(bare="true")
    assert f"{quality['no [SEP]: AUC']:.2f} without [SEP] (" in said(app)
    assert breaks_said(quality) in said(app) and breaks_said(quality) not in said(opened())
    made = {key: value for key, value in quality.items() if "lost" not in key}
    lost = {
        f"{name}: AUC lost, {end}": 0.1
        for name in ("no [SEP]", "one segment for both")
        for end in ("from", "to")
    }
    assert breaks_said(made | lost).count("worse") == 2
    unmoved = {key: -0.1 if key.endswith("from") else 0.1 for key in lost}
    assert breaks_said(made | unmoved).count("too close to call") == 2


def test_the_formula_weighs_the_losses_as_the_recipe_does():
    weight = load_card(STORED).config["weight of the next sentence"]
    assert f"$k$ = {weight:g} here, 1 in BERT" in said(opened())


def test_what_the_network_was_shown_is_said():
    told = drawn_said({"pairs that do not follow": {OTHER_BOOK: 0.5, SAME_BOOK: 0.3, SWAPPED: 0.2}})
    assert "50% take the second sentence from another" in told
    assert "30% from the same one, and 20% are swapped" in told
    assert drawn_said(load_card(STORED).config) in said(opened())


def test_of_a_long_pair_is_said_what_is_read():
    long = "The king went up to the town with all his men and " * 3 + "they sang."
    app = opened(f"{long} {long}", source="from your text")
    assert "Of the first sentence the model reads only the last 24 of" in said(app)
    assert "Of the second sentence the model reads only the first 24 of" in said(app)


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
