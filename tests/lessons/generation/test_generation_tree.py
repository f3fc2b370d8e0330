"""The tree of texts: what is drawn is what core computes, and every button does what it says."""

from unittest.mock import patch

import numpy as np
import pytest

from core.figures.generation.sampling import shown
from core.figures.worked import plain_number, signed
from core.lesson.break_it import written
from core.lesson.choices.language_model_choice import OWN, model_labels, without_last_word
from core.models.generation.beam_search import beam_search
from core.models.generation.generation_tree import (
    GenerationTree,
    continuation_log_probabilities,
    read_tree,
    write_tree,
)
from core.models.generation.sampling import Settings, generate
from core.models.generation.short_memory import ShortMemory
from core.models.language_model import sequence_log_probability
from core.models.neural_language_model import read
from core.models.stored_language_models import decode, encode, stored_language_model
from core.text.samples.shelf import plays, shelf
from core.text.tokenization.tokens import sentences
from pages.generation import generation_tree
from pages.generation.generation_tree import TOKENS_AT_MOST
from tests.lessons.lesson_page import guess, open_lesson, prompts, said, sent

TEXT = "The cat sat. The dog sat. The cat ran. A dog ran to the cat and sat."
CHARACTERS = next(label for label, name in model_labels().items() if name == "char_feedforward")
NAME, PROMPT = model_labels()[CHARACTERS], "The king "
MODEL = stored_language_model(NAME)
V, IDS = len(MODEL.vocabulary), encode(NAME, PROMPT).ids


def open_with(text=TEXT, **query):
    return open_lesson("generation_tree", text, **{"model": CHARACTERS, "typed": PROMPT, **query})


def tree_of(app):
    return read_tree(app.text_input(key="generation_tree_tree").value, V)


def press(app, name):
    return app.button(key=f"generation_tree_{name}").click().run()


def act(app, **what):
    """Run the page as it runs when the view has reported an act: the page's callback comes first."""
    drawn, view = generation_tree.page, generation_tree.LESSON.__class__.view
    reported = []

    def report(lesson, name, payload, *args, on=None, **options):
        reported.append(on["act"])
        return view(lesson, name, payload, *args, on=on, **options)

    with patch.object(type(generation_tree.LESSON), "view", report):
        app.run()

    def page():
        reported[0]({"token": None, **what})
        drawn()

    with patch.object(generation_tree, "page", page):
        return app.run()


def greedy(ids, n):
    return [step.token for step in generate(MODEL, ids, n, Settings(0.0), 0)]


def test_the_first_tree_has_a_greedy_and_two_sampled_texts_with_their_ln_p():
    ends = [node["end"] for node in sent(open_with())["nodes"] if node["end"]]
    assert sorted(end[0] for end in ends) == ["greedy", "sampled", "sampled"]
    total = sequence_log_probability(MODEL, [*IDS, *greedy(IDS, 10)]).log_probabilities[len(IDS) :].sum()
    shown = next(end for end in ends if end[0] == "greedy")
    assert float(shown[1].removeprefix("ln p ").replace("\N{MINUS SIGN}", "-")) == pytest.approx(
        total, abs=6e-3
    )


def test_the_opened_distribution_is_the_model_s_after_that_path():
    line = write_tree(GenerationTree().grown(0, greedy(IDS, 3), "greedy")[0], V)
    app = open_with(tree=line, open=2)
    p = np.exp(read(MODEL, [*IDS, *greedy(IDS, 2)]).log_probabilities)
    rows = sent(app)["choices"]["rows"]
    assert [row["id"] for row in rows] == np.argsort(-p, kind="stable")[: len(rows)].tolist()
    np.testing.assert_allclose([row["p"] for row in rows], np.sort(p)[::-1][: len(rows)], rtol=1e-5)
    assert [row["id"] for row in rows if row["taken"]] == greedy(IDS, 3)[2:]


def test_forcing_another_token_branches_and_keeps_what_was_there():
    line = write_tree(GenerationTree().grown(0, greedy(IDS, 3), "greedy")[0], V)
    app = open_with(tree=line, open=1)
    app = act(app, kind="force", node=1, token=5)
    tree = tree_of(app)
    assert [tree.path(leaf) for leaf in tree.leaves] == [greedy(IDS, 3), [greedy(IDS, 1)[0], 5]]
    assert app.number_input(key="generation_tree_open").value == 4
    assert sent(app)["nodes"][4]["end"][0] == "forced"


def test_clicking_a_token_opens_it_and_an_act_on_a_tree_that_is_gone_does_nothing():
    line = write_tree(GenerationTree().grown(0, greedy(IDS, 3), "greedy")[0], V)
    app = act(open_with(tree=line), kind="open", node=3)
    assert sent(app)["opened"] == 3
    assert not act(app, kind="open", node=300, time=2).exception
    assert sent(app)["opened"] == 3


def test_the_three_buttons_lengthen_the_opened_path_as_core_does():
    bare = open_with(tree=str(V), length=6, width=3)
    app = press(bare, "go_greedy")
    assert tree_of(app).path(6) == greedy(IDS, 6)
    app = press(press(app, "bare"), "go_sampled")
    assert tree_of(app).path(6) == [step.token for step in generate(MODEL, IDS, 6, Settings(), 3)]
    assert app.number_input(key="generation_tree_seed").value == 4
    app = press(press(app, "bare"), "go_beam")
    assert tree_of(app).path(6) == beam_search(MODEL, IDS, 3, 6).winning_path


def test_rewind_goes_back_and_cut_takes_the_branch_away():
    app = press(open_with(tree=str(V), length=4), "go_greedy")
    app = press(app, "rewind")
    assert app.number_input(key="generation_tree_open").value == 3
    assert len(tree_of(app)) == 5
    app = press(app, "cut")
    assert len(tree_of(app)) == 3
    assert press(app, "again").text_input(key="generation_tree_tree").value == ""


def test_what_the_learner_writes_is_forced_and_what_the_model_cannot_read_is_said():
    app = open_with(tree=str(V))
    app.text_input(key="generation_tree_own").set_value("he\U0001f44d").run()
    assert tree_of(app).path(2) == list(encode(NAME, "he").ids)
    assert "\U0001f44d" in said(app)
    assert app.text_input(key="generation_tree_own").value == ""


def test_a_tree_of_another_vocabulary_is_said_and_kept_in_its_field():
    app = open_with(tree="7_0g1.2.3")
    assert "another vocabulary" in said(app)
    assert app.text_input(key="generation_tree_tree").value == "7_0g1.2.3"
    assert "not a tree" in said(open_with(tree=f"{V}_0g1_<script>"))


def test_a_tree_too_large_to_draw_is_refused_and_the_old_one_stays():
    tree, _ = GenerationTree().grown(0, [1] * (TOKENS_AT_MOST - 5), "forced")
    app = press(open_with(tree=write_tree(tree, V), open=0, length=10), "go_greedy")
    assert "too large" in said(app)
    assert tree_of(app) == tree


def test_predicting_hides_the_choices_and_all_that_follows():
    line = write_tree(GenerationTree().grown(0, greedy(IDS, 4), "greedy")[0], V)
    app = open_with(tree=line, open=2, predict="true")
    assert sent(app)["choices"] is None
    assert len(sent(app)["nodes"]) == 3
    assert [len(each.value) for each in app.dataframe] == [2], "neither a later token nor the distribution"
    assert prompts(app)
    guess(app)
    assert sent(app)["choices"]
    assert len(sent(app)["nodes"]) == 5


def sampled_mean(writer, ids):
    """Return ln p of a token of six sampled texts, scored by the whole model."""
    texts = [[step.token for step in generate(writer, ids, 20, Settings(), seed)] for seed in range(1, 7)]
    scores = [sequence_log_probability(MODEL, [*ids, *text]).log_probabilities[len(ids) :] for text in texts]
    return np.mean(scores)


TEXTS = {"the default": None, "a play": plays()[7].text(), "a short text": TEXT}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_a_forgetful_model_writes_is_less_likely_to_the_one_that_sees_all(text):
    """It read a false beginning of a line, and was scored by itself: breaking "improved" ln p by 0.70."""
    whole, broken = (
        open_with(text, source="from your text", sentence=2, forget=f) for f in ("false", "true")
    )
    read_text = text or next(iter(shelf())).read().text
    ids = encode(NAME, without_last_word(sentences(read_text)[1])).ids
    means = [sampled_mean(model, ids) for model in (MODEL, ShortMemory(MODEL, 3))]
    assert [metric.value for metric in broken.metric] == [written(mean, ".3f") for mean in means]
    assert means[1] < means[0] - 0.3
    assert "**less likely** there" in said(broken)
    assert sent(broken)["nodes"] != sent(whole)["nodes"]


def test_the_ends_of_a_broken_tree_also_say_ln_p_under_the_whole_model():
    tokens = greedy(IDS, 6)
    app = open_with(tree=write_tree(GenerationTree().grown(0, tokens, "greedy")[0], V), forget="true")
    broken, whole = (
        continuation_log_probabilities(model, IDS, tokens).sum() for model in (ShortMemory(MODEL, 3), MODEL)
    )
    assert sent(app)["nodes"][6]["end"][1] == f"ln p {signed(broken)}, seeing all {signed(whole)}"


def test_a_model_that_looks_no_further_back_loses_nothing_and_the_page_says_so():
    app = open_with(model="n-gram of your text, words", forget="true")
    assert "at the last 2 tokens only: nothing is taken" in said(app)
    assert "**as likely** there" in said(app)


def test_the_sentence_below_the_tree_compares_the_likeliest_with_the_least_likely():
    drawn = [(Settings(0.0), 0), (Settings(), 1), (Settings(), 2)]
    texts = [[step.token for step in generate(MODEL, IDS, 10, *how)] for how in drawn]
    totals = [
        sequence_log_probability(MODEL, [*IDS, *text]).log_probabilities[len(IDS) :].sum() for text in texts
    ]
    sentence = (
        f"the likeliest, ln p {signed(max(totals))}: {plain_number(np.exp(max(totals) - min(totals)))} times"
    )
    assert sentence in said(open_with())


def test_every_model_with_these_tokens_scores_the_texts():
    app = open_with(tree=write_tree(GenerationTree().grown(0, greedy(IDS, 4), "greedy")[0], V), every="true")
    table = next(each.value for each in app.dataframe if "text" in each.value and CHARACTERS in each.value)
    ln_p = sequence_log_probability(MODEL, [*IDS, *greedy(IDS, 4)]).log_probabilities[len(IDS) :]
    assert table[CHARACTERS][0] == pytest.approx(ln_p.mean(), abs=1e-5)
    assert set(table.columns) - {"text"} == {
        label for label, name in model_labels().items() if name.startswith("char")
    }


@pytest.mark.parametrize("text", ["one", "早上好。你好吗？", "مرحبا. كيف الحال؟", "👍🏽 <b>$a$ `c`"])
@pytest.mark.parametrize("label", list(OWN))
def test_no_text_breaks_the_page(text, label):
    assert not open_with(text, model=label, source="from your text").exception


@pytest.mark.parametrize(
    "settings", [{"length": 60}, {"typed": ""}, {"open": 399}, {"width": 8}, {"temperature": 0.1}], ids=str
)
def test_no_end_of_a_control_breaks_the_page(settings):
    app = open_with(**settings)
    assert not app.exception
    assert not press(app, "go_sampled").exception


@pytest.mark.parametrize("prompt", [PROMPT, "It was"])
def test_the_tour_says_what_greedy_search_writes_after_the_likeliest_token_and_after_the_second(prompt):
    ids = encode(NAME, prompt).ids
    path = [*ids, *greedy(ids, 3)]
    app = open_with(typed=prompt, open=3, beat="generation_tree.4")
    first, second = np.argsort(-read(MODEL, path).logits)[:2].tolist()
    texts = [shown(decode(NAME, [token, *greedy([*path, token], 10)])) for token in (first, second)]
    assert (
        f"likeliest token here is “{shown(MODEL.vocabulary[first])}”, and with it greedy search writes"
        in said(app)
    )
    assert f"writes “{texts[0]}”. With the second, “{shown(MODEL.vocabulary[second])}”" in said(app)
    assert f"it writes “{texts[1]}”." in said(app)
