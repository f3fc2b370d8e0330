"""The logit lens: the story's numbers by forward passes of the network alone, and the lab shows what core reads out."""

import re

import numpy as np
import pytest
import torch
from scipy.stats import binomtest
from torch.nn import functional

from core.figures.machine import bare
from core.figures.self_attention.heads import names_of
from core.lesson.story import story_of, take_event
from core.models.self_attention.ablation import first_runs
from core.models.self_attention.attentive_models import BACK, attentive_model
from core.models.transformers.logit_lens import LensMeasures, lens_over, logit_lens, long_embeddings
from core.text.samples.shelf import sample
from core.training.word_text import texts
from pages.transformers.logit_lens import FULL, GOLD, LESSON, SENTENCE
from pages.transformers.logit_lens.page import MODEL, describe_places
from tests.lessons.lesson_page import (
    document,
    figures,
    frames,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
    try_prompt,
)
from tests.lessons.self_attention.three_texts import PASTED, TEXTS

WORDS = LESSON.words
NAMES = list(BACK)
EACH_MODEL = pytest.mark.parametrize("name", NAMES)


# The story: hooks on the network's blocks, without the module that reads the streams.


def read_by_hand(text):
    """Return the ids of a text and p of the next token after each layer and at each token, (L + 1, T, V)."""
    model = attentive_model("word_gpt")
    network, ids, streams = model.network, model.read(text).ids, []
    hooks = [
        block.register_forward_hook(lambda _, inputs, output: streams.append((inputs[0], output)))
        for block in network.blocks
    ]
    with torch.no_grad():
        network(ids[None])
        found = [
            streams[0][0],
            *(output[0] if isinstance(output, tuple) else output for _, output in streams),
        ]
        x = torch.stack([each.reshape(len(ids), -1) for each in found])
        p = functional.softmax(network.final_norm(x) @ network.token_embedding.weight.T, -1)
    for hook in hooks:
        hook.remove()
    return ids, x, p


def name(token):
    return bare(attentive_model("word_gpt").vocabulary[int(token)])


@pytest.fixture(scope="module")
def by_hand():
    return read_by_hand(SENTENCE)


def words(beat, revealed=False, **changes):
    return said_in(document("logit_lens", beat, revealed, **changes))


def nodes(beat, revealed=False, **changes):
    return {each["key"]: each for each in picture("logit_lens", beat, revealed, **changes)["nodes"]}


def rows(beat, revealed=False, panel=0):
    return picture("logit_lens", beat, revealed)["panels"][panel]["rows"]


def done(line):
    return re.sub("<[^>]*>", "", document("logit_lens", "own", line=line)["done"])


def test_only_after_the_last_layer_is_there_a_prediction_and_before_it_there_are_vectors(by_hand):
    _, x, p = by_hand
    drawn, top = nodes("whole"), p[-1, -1].topk(3)
    assert [each["name"] for each in drawn["read.4"]["bars"]] == [name(i) for i in top.indices]
    assert drawn["read.4"]["bars"][0]["share"] == pytest.approx(float(top.values[0]), abs=1e-3)
    assert "death with 64%" in words("whole") and f"{top.values[0]:.0%}" == "64%"
    for layer in range(4):
        told = [float(each["text"].replace("−", "-")) for each in drawn[f"vector.{layer}"]["cells"]]
        assert told == pytest.approx(x[layer, -1, :4].tolist(), abs=0.051)


def test_the_lens_normalizes_the_vector_and_compares_it_with_the_embeddings(by_hand):
    _, x, p = by_hand
    drawn = nodes("lens")
    network = attentive_model("word_gpt").network
    vector = x[1, -1]
    centred = (vector - vector.mean()) / vector.std(correction=0)
    copy = (network.final_norm.weight * centred + network.final_norm.bias).tolist()[:4]
    told = [float(each["text"].replace("−", "-")) for each in drawn["copy"]["cells"]]
    assert told == pytest.approx(copy, abs=0.051)
    bars = drawn["read.1"]["bars"]
    assert [each["name"] for each in bars] == [name(i) for i in p[1, -1].topk(3).indices]
    assert "After layer 1, you leads with 27%, not death." in words("lens")


def test_before_any_layer_all_tokens_but_one_get_themselves(by_hand):
    ids, _, p = by_hand
    says = p[0].argmax(-1)
    assert (says == ids).tolist() == [True, False, True, True, True, True]
    assert [name(says[0]), name(says[1]), name(says[-1])] == ["↵", "$", "to"] and float(p[0, -1].max()) > 0.99
    assert "So 5 of 6 tokens" in words("before", True)
    assert [row["name"] for row in rows("before", True)][1] == "Let → $"
    assert "layer.0" in nodes("before") and "$" not in str(picture("logit_lens", "before"))


def test_the_odd_token_wins_by_its_length_and_never_occurs_in_training(by_hand):
    ids, x, _ = by_hand
    model = attentive_model("word_gpt")
    E, dollar = model.network.token_embedding.weight.detach(), model.vocabulary.index("$")
    copy = model.network.final_norm(x[0, 1]).detach()
    drawn = nodes("long")
    for i, token in enumerate((int(ids[1]), dollar)):
        length, logit = float(E[token].norm()), float(E[token] @ copy)
        assert drawn["length"]["bars"][i]["text"] == f"{length:.1f}"
        assert drawn["logit"]["bars"][i]["text"] == f"{logit:.1f}"
        assert drawn["cosine"]["bars"][i]["text"] == f"{logit / (length * float(copy.norm())):.2f}"
    assert (
        pytest.approx(21.65, abs=0.01) == 11.54 * 6.699 * 0.2801
    )  # by hand, from the digits on screen and more
    assert "21.7 vs 20.2" in words("long")
    training = "".join(texts()[0])
    never = [i for i, token in enumerate(model.vocabulary) if len(token) == 1 and token not in training]
    assert dollar in never and len(never) > 40
    assert bool(long_embeddings(model.network)[never].all())
    assert int(long_embeddings(model.network).sum()) == 213


def test_the_answer_is_first_read_after_layer_3(by_hand):
    _, _, p = by_hand
    says = [name(each) for each in p[:, -1].argmax(-1)]
    assert says == ["to", "you", "you", "death", "death"]
    assert document("logit_lens", "known", True)["ask"]["answer"] == "3"
    shown, hidden = nodes("known", True), nodes("known")
    assert [shown[f"read.{layer}"]["bars"][0]["name"] for layer in range(5)] == says
    assert all(hidden[f"read.{layer}"]["title"] == "?" for layer in (1, 2, 3))
    assert "you" not in str(picture("logit_lens", "known"))
    assert "death leads with 22%" in words("known", True)


def test_the_rank_climbs_before_the_probability_does(by_hand):
    _, _, p = by_hand
    death = int(p[-1, -1].argmax())
    ranks = [int((p[layer, -1] >= p[layer, -1, death]).sum()) for layer in range(5)]
    assert ranks == [576, 694, 93, 1, 1] == list(picture("logit_lens", "rank")["figure"]["data"][0]["y"])
    assert "it is number 93, although its probability is only 0.1%" in words("rank")
    assert f"{float(p[2, -1, death]):.1%}" == "0.1%"


def test_in_the_grid_a_cell_is_blue_from_where_on_the_final_prediction_stays():
    _, _, p = read_by_hand(GOLD)
    says = p.argmax(-1)
    drawn = picture("logit_lens", "tokens")["rows"]
    for layer in range(1, 5):
        cells = drawn[layer - 1]["cells"]
        assert [each["text"] for each in cells] == [name(each) for each in says[layer, 1:]]
        final = (says[layer:] == says[-1]).all(0)[1:]
        assert [each["kind"] == "kept" for each in cells] == final.tolist()
    told = words("tokens")
    assert (
        "After silver, the lens reads and from layer 2 on." in told and "gold comes only with layer 4" in told
    )


def test_at_most_places_of_hamlet_the_prediction_is_settled_by_one_of_the_last_two_layers():
    model, text = attentive_model("word_gpt"), sample("hamlet").text()
    runs = first_runs(model, text[int(0.9 * len(text)) :], 1024)
    found = lens_over(model.network, runs)
    shares = [each / found.n for each in found.settled]
    assert found.n == 1022 and [f"{each:.0%}" for each in shares] == ["1%", "9%", "28%", "58%", "100%"]
    assert [row["text"] for row in rows("many", True)] == [f"{each:.0%}" for each in shares]
    assert [row["text"] for row in rows("many")] == ["?"] * 4 + ["100%"]
    assert 1 - shares[2] > 0.5, "the last two layers settle most"
    right, same, n = {3: [], 4: []}, 0, 0
    for ids in runs:
        read = logit_lens(model.network, ids)
        for layer, each in right.items():
            each += (read.says[layer, :-1] == ids[1:]).tolist()
        same, n = same + int((read.says[0, :-1] == ids[:-1]).sum()), n + len(ids) - 1
    assert same / n > 0.9, "before layer 1 it mostly repeats the token"
    one, other = (
        sum(a and not b for a, b in zip(*pair, strict=True))
        for pair in ((right[4], right[3]), (right[3], right[4]))
    )
    assert (one, other) == (72, 32) and binomtest(one, one + other).pvalue < 0.001
    assert "with it 27% of the predicted tokens are right, without it 23%" in words("many", True)
    assert document("logit_lens", "many", True)["ask"]["answer"] == "60"
    assert "at 28% of the places, after layer 3 at 58%" in words("answer")


@pytest.mark.parametrize(
    "line", [SENTENCE, "silver", "x", "the king of", "Heute war es sehr kalt.", "مرحبا", "🦜 早上"]
)
def test_of_any_line_the_story_says_when_its_prediction_is_settled(line):
    _, _, p = read_by_hand(line)
    says = p[:, -1].argmax(-1)
    settled = next(layer for layer in range(5) if bool((says[layer:] == says[-1]).all()))
    told = done(line)
    assert f"predicts {name(says[-1])} with" in told
    assert ("Only the last layer" in told) == (settled == 4)
    assert (f"settled after layer {settled}" in told) == (0 < settled < 4)
    assert ("almost unknown to this model" in told) == (line in ("مرحبا", "🦜 早上"))
    drawn = nodes("own", line=line)
    assert [drawn[f"read.{layer}"]["bars"][0]["name"] for layer in range(5)] == [name(each) for each in says]


def test_a_long_line_is_cut_and_that_is_said():
    assert "The rest of your line is left out." in done("word " * 40)


def test_the_pictures_of_the_story_report_nothing():
    assert all(take_event(beat, "pick", 3) == {} for beat in story_of("pages.transformers.logit_lens"))


# The lab.


def open_with(text=None, **query):
    return open_lesson("logit_lens", text, **{"typed": GOLD, **query})


def reading(name, text, normed=True):
    model = attentive_model(name)
    return model, logit_lens(model.network, model.read(text, 64).ids, normed)


@EACH_MODEL
def test_each_step_writes_the_likeliest_token_of_its_layer_in_the_grid_and_in_the_sentence(name):
    app = open_with(typed="the king of the land", source="typed", model=name)
    assert not app.exception
    model, found = reading(name, "the king of the land")
    T, layers = len(found.ids), len(found.log_p)
    shared, first = sent(app, "attend_steps")["shared"], max(0, T - 13)
    named = names_of([model.vocabulary[i] for i in range(len(model.vocabulary))])
    expected = [named[i] for t in range(first, min(T, first + 12)) for i in found.says[:, t].tolist()]
    assert shared["words"] == expected
    p = found.log_p.max(-1).values.exp()[:, first : first + 12].T.flatten()
    np.testing.assert_allclose(shared["values"], p, rtol=1e-3)
    assert shared["chosen"] + first == T - 2
    for layer, each in enumerate(frames(app)):
        says = int(found.says[layer, T - 2])
        assert f"“{named[says]}”" in each["said"]
        assert each["picture"]["layer"] == layer
        chance = each["picture"]["chances"]
        bar = chance["columns"][0]["values"][chance["rows"].index(named[says])]
        assert bar == pytest.approx(float(found.log_p[layer, T - 2, says].exp()), rel=1e-4)
    assert len(frames(app)) == layers
    settled = found.settled[first : first + 12].tolist()
    assert shared["settled"] == [[r, c] for r, at in enumerate(settled) for c in range(at, layers)]


def test_the_table_holds_what_was_read_out_and_the_last_layer_is_the_model_s_prediction():
    app = open_with(source="typed", place=3)
    model, found = reading("word_gpt", GOLD)
    own = model.trace(found.ids).logits.softmax(-1)
    table = table_with(app, "rank of the final prediction")
    last = table[table["layer"] == len(found.log_p) - 1]
    np.testing.assert_allclose(last["p"], own.max(-1).values, rtol=1e-4)
    assert set(last["rank of the final prediction"]) == {1}
    second = table[table["layer"] == 2].reset_index(drop=True)
    for t, following in enumerate(found.ids[1:].tolist()):
        assert second["p of what comes"][t] == pytest.approx(float(found.log_p[2, t, following].exp()))
    assert np.isnan(second["p of what comes"].iloc[-1])


@EACH_MODEL
def test_a_text_s_places_are_counted_as_core_counts_them(name):
    app = open_with(TEXTS["play"], model=name, places="true")
    model = attentive_model(name)
    measured = lens_over(model.network, first_runs(model, TEXTS["play"], 256))
    drawn = next(each for each in figures(app) if "share of the places" in str(each["layout"]))
    assert drawn["data"][0]["text"] == [f"{n:,}" for n in measured.settled]
    assert drawn["data"][1]["text"] == [f"{n:,}" for n in measured.right]
    late = measured.settled[-1] - measured.settled[-2]
    assert f"at **{late:,}** of {measured.n:,} places" in said(app)


@pytest.mark.parametrize("text", [None, PASTED], ids=["default", "pasted"])
def test_without_the_final_norm_the_reading_and_its_bits_are_core_s(text):
    app = open_with(text, no_norm="true")
    read = app.session_state["text_source_own"].text if text else TEXTS["default"]
    whole, without = metrics(app).values()
    assert whole != without
    if read:
        model = attentive_model("word_gpt")
        broken = lens_over(model.network, first_runs(model, read, 256), normed=False)
        assert without == f"{broken.bits[-1]:.2f}"
        assert f"reads the model's prediction at {broken.settled[-1]:,} of {broken.n:,} places" in said(app)


def test_before_the_guesses_no_later_layer_is_sent_and_no_answer_is_marked():
    app = open_with(predict="true", source="typed")
    _, found = reading("word_gpt", GOLD)
    layers = len(found.log_p)
    assert len(frames(app)) == 1
    shared = sent(app, "attend_steps")["shared"]
    assert all(word is None for i, word in enumerate(shared["words"]) if i % layers)
    assert shared["settled"] == []
    assert not any("rank of the final prediction" in table.value for table in app.dataframe)
    assert frames(app)[0]["picture"]["chances"]["marked"] is None
    place = len(found.ids) - 2
    for layer in range(1, layers):
        same = int(found.says[layer, place]) == int(found.says[layer - 1, place])
        options = question(app).options
        app = guess(app, options[0] if same else options[1])
        assert "Right" in said(app)
    assert len(frames(app)) == layers
    assert sent(app, "attend_steps")["shared"]["settled"]


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "x", "place": 9},
        {"typed": "\n\n", "no_norm": "true"},
        {"typed": "早上好 مرحبا 👍🏽 <b>$a$ `c`</b>"},
        {"typed": "word " * 390, "place": 64},
        {"document": "a", "source": "from your text"},
        {"document": "", "source": "from your text"},
    ],
    ids=str,
)
@EACH_MODEL
def test_no_text_and_no_end_of_a_control_breaks_the_page(name, query):
    query = dict(query)
    app = open_with(query.pop("document", PASTED), model=name, growth="true", places="true", **query)
    assert not app.exception
    assert torch.isfinite(torch.tensor(sent(app, "attend_steps")["shared"]["values"])).all()


def test_a_shown_place_of_a_longer_text_becomes_the_last_of_a_shorter_one():
    app = open_with(source="typed", typed="the king of the land", place=5)
    app.text_input(key="logit_lens_typed").set_value("O").run()
    assert not app.exception
    assert "Your text ends here" in said(app)
    assert sent(app, "attend_steps")["shared"]["chosen"] == app.session_state["logit_lens_place"] - 1


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_all_that_it_names(number):
    app = try_prompt(open_with(typed=FULL), "logit_lens", number).run()
    assert not app.exception
    assert "silver" in str(sent(app, "attend_steps")["shared"]["rows"])
    assert bool(metrics(app)) == (number == 3)


@pytest.mark.parametrize("old", MODEL.was)
def test_an_old_address_with_a_label_still_opens(old):
    assert open_with(model=old).session_state["logit_lens_model"] == MODEL.was[old]


def test_of_a_short_text_the_lab_concludes_nothing():
    short = LensMeasures(1, [0, 0, 1], [0, 0, 1], [1.0] * 3, [1.0] * 3)
    told = WORDS.label("says.places", **describe_places(short))
    assert "only 1 place whose next token is known: too few" in told and "at **1** of 1 place" in told
    many = LensMeasures(100, [0, 50, 98], [1, 2, 3], [1.0] * 3, [1.0] * 3)
    told = WORDS.label("says.places", **describe_places(many))
    assert "too few" not in told and "At 2 the last reading is not the model's prediction" in told
