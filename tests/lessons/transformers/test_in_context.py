"""Learning in the context: the story's numbers by listing every rule and by the network itself, and the lab."""

import re
from itertools import permutations

import numpy as np
import pytest
import torch

from core.models.stored import load_card
from core.models.transformers.in_context import (
    answer,
    induction_heads,
    recorded_curve,
    recorded_heads,
    stored_learner,
)
from core.models.transformers.rule_tasks import (
    KINDS,
    LABELS,
    WORDS,
    every_rule,
    is_held_out,
    predict_bayes,
)
from core.models.transformers.written_examples import read_examples
from pages.transformers.in_context.page import EXAMPLES, FEW, PLACE, SHOWN, TRUE, WORD
from tests.lessons.lesson_page import document, metrics, open_lesson, picture, said, said_in, sent, table_with

LESSON = "in_context"
PAIRS = [(WORDS[x], LABELS[y]) for x, y in SHOWN.examples]


def fitting(n):
    """Return the rules that make the first n examples of the story."""
    letters = ("zmk", "aou", "plf")
    return [
        (place, rule)
        for place, rule in every_rule()
        if all(LABELS[rule[letters[place].index(x[place])]] == y for x, y in PAIRS[:n])
    ]


def bars(panel):
    """Return the bars of a panel {name: length}."""
    return {row["name"]: row["to"] for row in panel["rows"]}


def test_the_story_s_rule_is_held_out_and_its_query_is_not_among_the_examples():
    (rule,) = {rule for place, rule in fitting(6) if place == PLACE}
    assert is_held_out(np.array(rule)) and WORDS[WORD] not in dict(PAIRS)
    assert LABELS[rule["aou".index(WORDS[WORD][PLACE])]] == TRUE


@pytest.mark.parametrize("count", range(7))
def test_the_bars_are_the_network_s_and_those_of_the_count_of_rules(count):
    model, bayes = picture(LESSON, "few", count=str(count))["panels"]
    left = fitting(count)
    for label, p in bars(bayes).items():
        if label in LABELS:
            place_label = [LABELS[rule["zmk aou plf".split()[a].index(WORDS[WORD][a])]] for a, rule in left]
            assert p == pytest.approx(place_label.count(label) / len(left))
    ids = [part for x, y in SHOWN.examples[:count] for part in (x, len(WORDS) + y)]
    expected = stored_learner()(torch.tensor([[*ids, WORD]]))[0][0, -1, len(WORDS) :].double().softmax(-1)
    for label, p in bars(model).items():
        if label in LABELS:
            assert p == pytest.approx(float(expected[LABELS.index(label)]), abs=1e-6)


@pytest.mark.parametrize("count", range(7))
def test_the_places_have_their_share_of_the_rules_that_fit(count):
    (panel,) = picture(LESSON, "places", count=str(count))["panels"]
    left = fitting(count)
    assert list(bars(panel).values()) == pytest.approx(
        [sum(a == place for a, _ in left) / len(left) for place in range(3)]
    )
    told = said_in(document(LESSON, "places", count=str(count)))
    assert "5,184 rules" in told and (count == 0 or f"{len(left):,} after {count} example" in told)


def test_three_examples_leave_thirteen_rules_and_the_model_names_the_right_label():
    assert len(fitting(3)) == 13
    model, bayes = picture(LESSON, "few")["panels"]
    assert max(bars(model), key=bars(model).get) == max(bars(bayes), key=bars(bayes).get) == TRUE
    assert bars(model)[TRUE] > 0.6 and bars(bayes)[TRUE] == pytest.approx(12 / 13)


def test_the_curve_is_hidden_until_the_guess_and_close_to_bayes():
    before, after = picture(LESSON, "curve"), picture(LESSON, "curve", True)
    assert len(before["figure"]["data"]) == 2 and len(after["figure"]["data"]) == 3
    asked = document(LESSON, "curve", True)
    assert asked["ask"]["answer"] == "bayes"
    above = recorded_curve("model").loss.mean() - recorded_curve("bayes").loss.mean()
    assert above == pytest.approx(load_card(LESSON).quality["bits above Bayes"], abs=1e-6)
    assert 0 < above < 0.1 and f"only {above:.2f} above the Bayes" in said_in(asked)
    assert recorded_curve("bayes").accuracy[-1] - recorded_curve("model").accuracy[-1] < 0.01
    assert str(round(above, 2)) not in said_in(document(LESSON, "curve"))


def test_the_head_looks_at_labels_after_words_with_the_letter():
    data = picture(LESSON, "head")
    layer, head = induction_heads()[0]
    weights = answer(stored_learner(), SHOWN.examples, WORD).weights[layer, head]
    assert [bar["value"] for bar in data["rows"][0]["bars"]] == pytest.approx(weights.tolist(), abs=1e-4)
    blue = [at for at, token in enumerate(data["tokens"]) if token["hue"] == "blue"]
    assert blue == [2 * at + 1 for at, (word, _) in enumerate(PAIRS) if word[PLACE] == WORDS[WORD][PLACE]]
    assert weights[blue].sum() > 0.9


def test_the_answer_says_where_the_model_is_farthest_from_bayes():
    gaps = recorded_curve("model").loss - recorded_curve("bayes").loss
    assert (
        f"at most {gaps.max():.2f}, after {gaps.argmax()} examples" in document(LESSON, "answer")["measured"]
    )


@pytest.mark.parametrize("kind", ["shifted", "heads_off", "distances"])
def test_each_break_costs_bits(kind):
    bits, right = picture(LESSON, "breaks", broken=kind)["panels"]
    whole, broken = recorded_curve("model"), recorded_curve(kind)
    assert list(bars(bits).values()) == pytest.approx([whole.loss[-1], broken.loss[0]])
    assert list(bars(right).values()) == pytest.approx([whole.accuracy[-1], broken.accuracy[0]])
    assert broken.loss[0] > whole.loss[-1] + 1
    confident = "confident and wrong" in said_in(document(LESSON, "breaks", broken=kind))
    assert confident == (broken.loss[0] > np.log2(KINDS))


def test_the_other_head_costs_more_than_all_induction_heads():
    costs = recorded_heads("bits without")
    told = said_in(document(LESSON, "breaks", broken="heads_off"))
    assert np.unravel_index(costs.argmax(), costs.shape) not in induction_heads()
    assert costs.max() > recorded_curve("heads_off").loss[0] and f"it is {costs.max():.2f}" in told
    heads = induction_heads()
    assert min(layer for layer, _ in heads) > np.unravel_index(costs.argmax(), costs.shape)[0]


def test_after_eleven_examples_both_get_more_than_98_percent_right():
    assert min(recorded_curve(name).accuracy[-1] for name in ("model", "bayes")) > 0.98


def test_random_labels_leave_chance():
    before, after = picture(LESSON, "random"), picture(LESSON, "random", True)
    assert before["panels"][0]["rows"][1]["text"] == "?" and before["panels"][0]["rows"][1]["to"] == 0
    assert after["panels"][0]["rows"][1]["to"] == pytest.approx(1 / KINDS, abs=0.03)
    assert document(LESSON, "random", True)["ask"]["answer"] == "chance"


def test_the_order_moves_the_model_and_not_bayes():
    label = LABELS.index(TRUE)
    told = said_in(document(LESSON, "orders"))
    orders = list(permutations(FEW.examples))
    assert f"{len(orders)} orders" in told
    bayes = {round(float(predict_bayes(order, WORD).labels[label]), 12) for order in orders}
    assert len(bayes) == 1
    found = [answer(stored_learner(), order, WORD).labels[label] for order in orders]
    assert f"{min(found):.0%} to {max(found):.0%}" in told and max(found) - min(found) > 0.4
    counted, line = picture(LESSON, "orders")["figure"]["data"]
    assert sum(counted["y"]) == len(orders) == 24 and line["x"][0] == pytest.approx(bayes.pop())


@pytest.mark.parametrize(
    "text, told",
    [
        ("zap C, mol F, kal C, maf", "The model gives C"),
        ("zap → C; dog B; maf", "does not know dog."),
        ("zap A, zap B, mof", "No rule makes these examples"),
        ("maf", "Bayes finds no hint"),
        ("zap C", "No word at the end asks for a label"),
        ("zap kof A maf", "We left out zap, which has no label"),
        ("Heute war es sehr kalt", "does not know Heute, war, es, sehr or kalt"),
        ("12 ?!", "We found no example and no word"),
    ],
)
def test_examples_of_ones_own(text, told):
    done = re.sub("<[^>]+>", "", document(LESSON, "own", mine=text)["done"])
    assert told in done


def test_what_is_read_of_a_text():
    found = read_examples("ZAP c mol:F, Z, kal")
    assert found.examples == ((WORDS.index("zap"), 2), (WORDS.index("mol"), 5)) and found.unknown == ("Z",)
    assert WORDS[found.word] == "kal" and read_examples("").word is None
    assert len(read_examples("zap A " * 30).examples) == 11


def test_the_lab_shows_the_answer_and_every_number():
    app = open_lesson(LESSON, prompt=EXAMPLES[1], below="numbers")
    assert not app.exception
    assert "**" in said(app) and "13 rules fit" in said(app)
    table = table_with(app, "transformer")
    found = read_examples(EXAMPLES[1])
    assert table["transformer"].tolist() == pytest.approx(
        answer(stored_learner(), found.examples, found.word).labels.tolist()
    )
    assert len(sent(app, "layer_bars")["panels"]) == 2


def test_the_lab_s_break_it_measures_what_a_shift_costs():
    app = open_lesson(LESSON, prompt=EXAMPLES[0], piece="shifted")
    assert metrics(app)["intact"] == f"{recorded_curve('model').loss[-1]:.2f}"
    assert metrics(app)["with the piece broken"] == f"{recorded_curve('shifted').loss[0]:.2f}"


def test_no_examples_have_one_order():
    app = open_lesson(LESSON, prompt="zap", own_orders="true")
    assert not app.exception
    assert "There is only one order" in said(app)
