"""The translation lesson: its story's numbers, and a lab that shows what core computes and loses nothing typed."""

import base64
import json
import re
from datetime import date

import numpy as np
import pytest
import torch

from core.lesson.choices.translator_choice import (
    DATES,
    DUTCH,
    FRENCH,
    TASKS,
    ChosenSentence,
    held_out_pairs,
    translator_of,
)
from core.models.stored import load_card
from core.models.translation.broken_attention import with_late_attention, with_uniform_attention
from core.models.translation.seq2seq import Seq2Seq, Seq2SeqConfig
from core.models.translation.translate import greedy
from core.text.grammar.pairs import is_held_out, sentence_of
from core.text.samples.dates import write_date
from pages.translation.shared.attention_picture import gold_of, translated
from pages.translation.translation import LINE
from pages.translation.translation.page import MEASURED, exact_match
from tests.lessons.lesson_page import (
    document,
    frames,
    guess,
    metrics,
    mounted,
    open_lesson,
    picture,
    said,
    said_in,
    sent,
    table_with,
)

ADDITIVE = "translate_french_additive"
WORDS = "the old man sold two books .".split()

# The story. Its numbers are checked against the network's own parameters, run here word by word.

MODEL = translator_of(ADDITIVE)
READ = "the rich queen does not sell the white cars .".split()
WRITTEN = "la reine riche ne vend pas les voitures blanches .".split()


def step_by_hand(previous, state, states):
    """Return state, scores, weights, context and probabilities of one decoder step, from the parameters alone."""
    model = MODEL.model
    cell, score = model.decoder, model.score
    x = model.target_embedding.weight[previous]
    r, z, n = (x @ cell.weight_ih_l0.T + cell.bias_ih_l0).chunk(3)
    hr, hz, hn = (state @ cell.weight_hh_l0.T + cell.bias_hh_l0).chunk(3)
    reset, update = torch.sigmoid(r + hr), torch.sigmoid(z + hz)
    state = (1 - update) * torch.tanh(n + reset * hn) + update * state
    e = torch.stack([score.v_a @ torch.tanh(score.W_a @ state + score.U_a @ each) for each in states])
    a = torch.exp(e) / torch.exp(e).sum()
    c = sum(weight * each for weight, each in zip(a, states, strict=True))
    p = (model.W_s.weight @ torch.tanh(model.W_c.weight @ torch.cat((c, state)))).softmax(0)
    return state, e, a, c, p


@pytest.fixture(scope="module")
def by_hand():
    """Return the encoder's states and every decoder step of the story's sentence."""
    with torch.no_grad():
        encoded = MODEL.model.encode(torch.tensor([MODEL.source.encode(READ)]))
        state, previous, found = MODEL.model.first_state(encoded)[0], 1, []
        for word in [*WRITTEN, "<end>"]:
            found.append(step_by_hand(previous, state, encoded.states[0]))
            state, previous = found[-1][0], MODEL.target.ids[word]
            assert int(found[-1][-1].argmax()) == previous
    return encoded.states[0].numpy(), [[each.numpy() for each in step] for step in found]


def nodes(beat, revealed=False, /, **changes):
    return {node["key"]: node for node in picture("translation", beat, revealed, **changes)["nodes"]}


def lines(beat, revealed=False, /, **changes):
    """Return the lines of attention of a picture, {(input, output): (weight, hue)}."""
    arrows = picture("translation", beat, revealed, **changes)["arrows"]
    found = [(a["from"].split("."), a["to"].split("."), a) for a in arrows]
    return {
        (int(s[1]), int(t[1])): (a["weight"], a["hue"]) for s, t, a in found if (s[0], t[0]) == ("enc", "dec")
    }


def words(beat, revealed=False, /, **changes):
    return said_in(document("translation", beat, revealed, **changes))


def bold(beat, revealed=False, /, **changes):
    return re.search(r"<strong>(.*?)</strong>", document("translation", beat, revealed, **changes)["words"])[
        1
    ]


def test_the_story_s_sentence_was_held_out_and_its_translation_is_right():
    pair = TASKS[FRENCH].reference(TASKS[FRENCH].read(LINE))
    assert list(pair.source) == READ and list(pair.target) == WRITTEN
    assert is_held_out(pair.source)


def test_at_the_eighth_step_the_line_comes_from_cars_and_the_orders_differ(by_hand):
    shown, weights = nodes("whole"), by_hand[1][7][2]
    assert READ[int(weights.argmax())] == "cars" and weights.max() > 0.995
    assert bold("whole") == "more than 99%" and shown["enc.8"]["title"] == ">0.99"
    assert [shown[f"out.{t}"]["title"] for t in range(8)] == WRITTEN[:8] and "out.8" not in shown
    assert READ.index("white") < READ.index("cars") and WRITTEN.index("blanches") > WRITTEN.index("voitures")


def test_the_same_word_has_two_states(by_hand):
    a, b = by_hand[0][0], by_hand[0][6]
    cosine = float(a @ b / np.sqrt((a @ a) * (b @ b)))
    assert READ[0] == READ[6] == "the" and bold("encoder") == f"{cosine:.2f}" == "0.49"
    cells = [float(each["text"].replace("−", "-")) for each in nodes("encoder")["state.6"]["cells"]]
    np.testing.assert_allclose(cells, [*b[:2], *b[96:98]], atol=0.051)
    assert len(a) == 192


def test_the_backward_half_of_the_first_state_depends_on_the_last_words_and_the_forward_half_does_not():
    with torch.no_grad():
        own, other = (
            MODEL.model.encode(torch.tensor([MODEL.source.encode(each)])).states[0, 0].numpy()
            for each in (READ, [*READ[:8], "houses", "."])
        )
    np.testing.assert_allclose(own[:96], other[:96], atol=1e-6)
    assert np.abs(own[96:] - other[96:]).max() > 1e-4


def test_scores_and_weights_of_the_fourth_step_are_the_network_s(by_hand):
    _, e, a, _, _ = by_hand[1][3]
    shown = nodes("softmax")
    assert [bar["text"] for bar in shown["scores"]["bars"]] == [f"{value:.1f}" for value in e]
    assert [float(bar["text"]) for bar in shown["weights"]["bars"]] == pytest.approx(a.tolist(), abs=0.0051)
    assert bold("softmax") == "0.79" and "19.4" in words("softmax") and "sell 0.15" in words("softmax")
    assert np.exp(e[5] - e[4]) == pytest.approx(a[5] / a[4], rel=1e-4)


def test_the_context_is_the_weighted_mean_that_the_beat_adds_up(by_hand):
    states, steps = by_hand
    _, _, a, c, p = steps[3]
    total = sum(round(float(a[s]), 3) * round(float(states[s, 2]), 3) for s in (4, 5, 3))
    assert bold("context") == f"{c[2]:.3f}".replace("-", "−") and total == pytest.approx(c[2], abs=6e-4)
    assert sorted(a)[-4] < 0.005
    assert p.max() > 0.995 and MODEL.target.words[int(p.argmax())] == "ne"
    shown = nodes("context")
    assert [float(cell["text"].replace("−", "-")) for cell in shown["c"]["cells"]] == pytest.approx(
        c[2:4].tolist(), abs=6e-4
    )
    assert len(p) == 558 and "558" in words("context")


def test_both_words_of_the_negation_attend_to_not_and_does_leads_nowhere(by_hand):
    weights = [step[2] for step in by_hand[1]]
    assert READ[int(weights[3].argmax())] == READ[int(weights[5].argmax())] == "not"
    assert bold("pas", True) == f"{weights[5].max():.2f}" == "0.99"
    assert 3 not in {int(row.argmax()) for row in weights}
    assert not lines("pas") and not any(
        key.startswith("enc") and n["title"] for key, n in nodes("pas").items()
    )


def test_three_pairs_of_lines_cross_and_all_agree_with_the_reference(by_hand):
    chosen = [int(step[2].argmax()) for step in by_hand[1]][: len(WRITTEN)]
    crossed = [(t, u) for u in range(10) for t in range(u) if chosen[t] > chosen[u]]
    assert bold("cross") == str(len(crossed)) == "3"
    shown = lines("cross")
    assert set(shown) == {(s, t) for t, s in enumerate(chosen)}
    assert {t for (_, t), (_, hue) in shown.items() if hue == "pink"} == {t for pair in crossed for t in pair}
    links = TASKS[FRENCH].reference(READ).links
    assert all((t, s) in links for t, s in enumerate(chosen))


def test_the_month_of_the_date_is_told_by_its_third_letter():
    task = TASKS[DATES]
    made = translated(translator_of("dates"), task.read(task.example))
    row, inputs = made.weights[6], made.input_names
    assert "".join(made.written) == "1987-03-03" and inputs[int(row.argmax())] == "r"
    assert bold("dates") == f"{row.max():.0%}" == "90%"
    chosen = made.weights[:10].argmax(1)
    year, month, day = chosen[:4], chosen[5:7], chosen[8:]
    assert min(year) > max(month) and min(month) > max(day), (
        "the blocks stand from the last place to the first"
    )


def test_with_equal_weights_12_of_200_are_right_and_the_answer_is_not_sent_before():
    broken = with_uniform_attention(MODEL.model)
    pairs = held_out_pairs(FRENCH, 3, MEASURED)
    right = sum(
        MODEL.target.decode(greedy(broken, MODEL.source.encode(pair.source)).words) == list(pair.target)
        for pair in pairs
    )
    assert bold("equal", True) == str(right) == "12"
    assert "200 of 200" in words("equal") and exact_match(FRENCH, ADDITIVE) == 1
    written = MODEL.target.decode(greedy(broken, MODEL.source.encode(READ)).words)
    assert "La reine lave sa gare." in words("equal", True) and written == "la reine lave sa gare .".split()
    assert "gare" not in json.dumps(document("translation", "equal"))


def test_a_learner_s_own_sentence_is_read_and_what_is_said_of_it_is_so():
    line = "The girl never reads the big newspaper."
    made = translated(MODEL, TASKS[FRENCH].read(line))
    s = int(made.weights[2].argmax())
    done = document("translation", "own", line=line, word="3")["done"]
    assert f"“{made.outputs[2]}”" in done and f"“{made.inputs[s]}”" in done
    assert "The whole translation is right" in done
    assert lines("own", line=line, word="3")[s, 2][0] == pytest.approx(made.weights[2].max(), abs=1e-3)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("Heute war es sehr kalt.", "does not know heute, war, es and 2 more"),
        ("مرحبا بالعالم", "does not know"),
        ("the purple elephant sings", "cannot check"),
        ("?", "the only input word"),
        ("cat " * 30, "We read the first 14 words"),
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_strange_sentences_get_honest_words(line, wanted):
    done = document("translation", "own", line=line, word="1")["done"]
    assert wanted in done and "whole translation is right" not in done


def test_the_answer_counts_the_aligned_words_of_the_card_and_frames_the_reference():
    card = load_card(ADDITIVE).quality
    assert (
        card["held_out_pairs"] == 1000
        and "<strong>94%</strong>" in document("translation", "answer")["words"]
    )
    assert round(100 * (1 - card["alignment_error"])) == 94
    frames_ = [
        each for each in picture("translation", "answer")["figure"]["data"] if each.get("mode") == "lines"
    ]
    assert len(frames_) == len(TASKS[FRENCH].reference(READ).links)


# The lab.


def open_with(**query):
    return open_lesson("translation", **query)


def drawn(app):
    """Return what was sent to the view: its words, and its weights as a matrix."""
    data = sent(app)
    weights = np.frombuffer(base64.b64decode(data["heads"][0]["weights"]), "<f4")
    return data, weights.reshape(len(data["outputs"]), len(data["inputs"]))


def table(app):
    return table_with(app, "score e")


@pytest.mark.parametrize("score", ["additive", "dot", "general"])
def test_the_picture_and_the_table_are_core_s_scores_and_weights(score):
    app = open_with(text_fr=" ".join(WORDS), score=score)
    translator = translator_of(TASKS[FRENCH].models[score])
    steps = greedy(translator.model, translator.source.encode(WORDS)).steps
    data, weights = drawn(app)
    assert data["inputs"] == WORDS
    np.testing.assert_allclose(weights, steps.weights[0], atol=1e-6)
    np.testing.assert_allclose(table(app)["weight a"], steps.weights[0].flatten(), atol=1e-6)
    np.testing.assert_allclose(table(app)["score e"], steps.scores[0].flatten(), atol=1e-4)


def test_a_step_fills_in_the_score_the_weight_and_the_probability():
    app = open_with(text_fr=" ".join(WORDS), input="2 old", dimension="5")
    translator = translator_of(ADDITIVE)
    made = greedy(translator.model, translator.source.encode(WORDS))
    step = frames(app)[2]
    score, weight, context, attentional, output = step["formulas"]
    np.testing.assert_allclose(step["picture"]["scores"], made.steps.scores[0, 2], atol=1e-5)
    np.testing.assert_allclose(step["picture"]["weights"], made.steps.weights[0, 2], atol=1e-6)
    assert step["picture"]["chosen"] == 1
    assert score.endswith(f"{float(made.steps.scores[0, 2, 1]):.4g}")
    assert f"{float(made.steps.weights[0, 2, 1]):.4g}".split("e")[0] in weight
    assert context.endswith(f"{float(made.steps.context[0, 2, 4]):.4g}")
    assert attentional.endswith(f"{float(made.steps.attentional[0, 2, 4]):.4g}")
    assert f"{float(made.steps.probabilities[0, 2, made.words[2]]):.4g}" in output


def test_a_word_never_seen_is_named_and_a_near_one_takes_its_place():
    app = open_with(text_fr="The old mann sold two boks.")
    assert "“mann”" in said(app)
    assert drawn(app)[0]["inputs"] == ["the", "old", "mann", "sold", "two", "boks", "."]
    near = next(button for button in app.button if button.label.endswith("→ man"))
    near.click().run()
    assert app.text_input[0].value == "The old man sold two boks."
    assert "“mann”" not in said(app)


def test_a_sentence_without_a_mark_is_given_one():
    assert drawn(open_with(text_fr="the old man sleeps"))[0]["inputs"][-1] == "."


def test_a_generated_sentence_was_held_out_and_brings_its_gold_alignment():
    translator = translator_of(ADDITIVE)
    pairs = {seed: held_out_pairs(FRENCH, seed, 1, (9,))[0] for seed in range(20)}
    right = {s: translated(translator, p.source).outputs[:-1] == list(p.target) for s, p in pairs.items()}
    seed = next(seed for seed in pairs if right[seed])
    app = open_with(source="generated", length="9", seed=str(seed))
    assert is_held_out(pairs[seed].source)
    data, _ = drawn(app)
    assert data["inputs"] == list(pairs[seed].source)
    assert {tuple(link) for link in data["gold"]} == pairs[seed].links
    assert "✓ Right" in said(app)


def test_gold_is_not_drawn_beside_another_translation_than_the_one_it_links():
    made = translated(translator_of(ADDITIVE), WORDS)
    pair = held_out_pairs(FRENCH, 4, 1, (7,))[0]
    assert not gold_of(TASKS[FRENCH], ChosenSentence(tuple(WORDS), pair), made)
    assert not gold_of(TASKS[FRENCH], ChosenSentence(tuple(WORDS)), made)


def test_a_typed_sentence_of_the_grammar_brings_its_gold_alignment():
    pairs = {seed: held_out_pairs(FRENCH, seed, 1, (9,))[0] for seed in range(20)}
    made = {seed: translated(translator_of(ADDITIVE), pair.source) for seed, pair in pairs.items()}
    seed = next(seed for seed, pair in pairs.items() if made[seed].outputs[:-1] == list(pair.target))
    app = open_with(text_fr=sentence_of(pairs[seed].source))
    assert {tuple(link) for link in drawn(app)[0]["gold"]} == pairs[seed].links
    assert "not known here" not in said(app)


def test_a_typed_sentence_that_the_grammar_does_not_say_has_no_gold_and_that_is_said():
    app = open_with(text_fr="The cat the dog.")
    assert not drawn(app)[0]["gold"]
    assert "its right translation is not known here" in said(app)


def test_a_date_typed_as_a_calendar_writes_it_has_its_gold_alignment():
    data, _ = drawn(open_with(task=DATES, text_date="4 mars 1987"))
    assert {tuple(link) for link in data["gold"]} == write_date(date(1987, 3, 4), "fr", 0).links
    assert not drawn(open_with(task=DATES, text_date="4 mars 1987 !"))[0]["gold"]


@pytest.mark.parametrize(("task", "text"), [(DUTCH, "I know that the cat sleeps ."), (DATES, "4 mars 1987")])
def test_other_tasks_are_translated_too(task, text):
    key = "text_nl" if task == DUTCH else "text_date"
    app = open_with(task=task, **{key: text})
    made = translated(translator_of(TASKS[task].models["additive"]), TASKS[task].read(text))
    assert drawn(app)[0]["outputs"] == made.outputs
    assert ("1987-03-04" in said(app)) == (task == DATES)


@pytest.mark.parametrize("switch", ["uniform", "late"])
def test_breaking_attention_costs_measured_exact_matches(switch):
    app = open_with(**{switch: "true"})
    broken = {"uniform": with_uniform_attention, "late": with_late_attention}[switch]
    whole, now = (m.value for m in app.metric if m.label.startswith("Exact match,"))
    assert whole == f"{exact_match(FRENCH, ADDITIVE):.1%}"
    assert now == f"{exact_match(FRENCH, ADDITIVE, broken):.1%}"
    assert float(now[:-1]) < float(whole[:-1]) / 2
    assert str(MEASURED) in said(app)


def test_uniform_attention_weighs_every_input_alike():
    _, weights = drawn(open_with(text_fr=" ".join(WORDS), uniform="true"))
    np.testing.assert_allclose(weights, 1 / len(WORDS), atol=1e-6)


def test_breaking_a_model_leaves_the_one_that_all_sessions_share_as_it_is():
    model = Seq2Seq(Seq2SeqConfig(9, 9, 4, 4))
    score = model.score
    with_uniform_attention(model)
    with_late_attention(model)
    assert model.score is score


def test_the_quality_is_the_card_s():
    card = load_card(ADDITIVE).quality
    shown = metrics(open_with(quality="true"))
    assert shown == {
        "Exact match": f"{card['exact_match']:.1%}",
        "Alignment error": f"{card['alignment_error']:.1%}",
    }


def test_a_prediction_hides_the_row_and_all_that_follows():
    app = open_with(text_fr=" ".join(WORDS), predict="true")
    assert not frames(app)
    assert not any(proto.component_name.endswith("attend_attention") for proto in mounted(app))
    assert not any("score e" in each.value for each in app.dataframe)
    for steps in (1, 2):
        app = guess(app)
        assert len(drawn(app)[0]["outputs"]) == len(frames(app)) == steps
        assert "pairs cross" not in frames(app)[-1]["said"]


def test_all_steps_together_are_small():
    assert len(json.dumps(sent(open_with(), "steps"))) < 60_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "👍🏽",
        "مرحبا بالعالم",
        "<img src=x onerror=alert(1)> $x$ `y` [z](w)",
        "cat " * 400,
        "I",
        "?",
    ],
    ids=lambda text: ascii(text[:12]),
)
@pytest.mark.parametrize("task", [FRENCH, DATES])
def test_no_text_breaks_the_page_and_none_is_lost(task, text):
    app = open_with(task=task, **{"text_fr" if task == FRENCH else "text_date": text})
    assert not app.exception
    assert app.text_input[0].value == text
    if not text.strip():
        assert "Until then you see" in said(app)
    if len(text) > 400:
        assert "reads the first 60" in said(app)


@pytest.mark.parametrize(
    "settings",
    [
        {"source": "generated", "length": "3"},
        {"source": "generated", "length": "25", "seed": "9999", "step": "1"},
        {"source": "generated", "task": DATES, "seed": "0"},
        {"source": "generated", "task": DUTCH, "length": "25", "predict": "true"},
        {"dimension": "128", "step": "99"},
        {"input": "99 nothing"},
        {"uniform": "true", "late": "true"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(settings):
    assert not open_with(**settings).exception


def test_where_all_weights_are_alike_no_input_is_singled_out():
    page = frames(open_lesson("translation", uniform="true"))[0]["said"]
    assert "puts the same weight, 8%, on every input" in page
    assert "Of the heaviest lines" not in page


def test_of_a_date_characters_are_spoken_of_and_not_words():
    page = said(open_lesson("translation", task="dates → ISO"))
    assert "right to the last character" in page
    assert "right to the last word" not in page
