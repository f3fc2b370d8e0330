"""The tree of texts: the story's numbers are recomputed here; in the lab every button does what it says."""

import re
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
import torch

from core.figures.token_label import label_token
from core.lesson.break_it import format_value
from core.lesson.choices.language_model_choice import OWN, model_labels, without_last_word
from core.models.generation.beam_search import beam_search
from core.models.generation.generation_tree import (
    GenerationTree,
    continuation_log_probabilities,
    read_tree,
    write_tree,
)
from core.models.generation.sampling import SamplingSettings, generate
from core.models.generation.short_memory import ShortMemory
from core.models.language_model import sequence_log_probability
from core.models.neural_language_model import read
from core.models.stored_language_models import decode_ids, encode, stored_language_model
from core.text.samples.shelf import plays, shelf
from core.text.tokenization.tokens import sentences
from core.words.numbers import plain_number, signed
from pages.generation.generation_tree import LESSON, page
from pages.generation.generation_tree.page import BEGINNINGS, MAIN, TOKENS_AT_MOST
from tests.lessons.lesson_page import (
    document,
    guess,
    open_lesson,
    picture,
    prompts,
    said,
    said_in,
    sent,
)

# The story. The oracle is torch's own softmax of the network, one token at a time.

GPT = stored_language_model("word_gpt")


def shares(ids):
    """Return p of the next token, (V,)."""
    return torch.softmax(torch.tensor(np.array(read(GPT, ids).logits), dtype=torch.float64), 0).numpy()


def best(ids, n=1):
    return np.argsort(-shares(ids), kind="stable")[:n].tolist()


def on_and_on(ids, n):
    """Return n tokens, each the most probable one after those before it."""
    ids, begun = list(ids), len(ids)
    for _ in range(n):
        ids.append(best(ids)[0])
    return ids[begun:]


def along(ids, tokens):
    return [float(shares([*ids, *tokens[:i]])[token]) for i, token in enumerate(tokens)]


def ids_of(text):
    return list(encode("word_gpt", text).ids)


def paths(data):
    """Return the texts of a picture, {its tokens: their probabilities}; tokens by the keys of nodes."""
    nodes = {node["key"]: node for node in data["nodes"]}
    parents = {node["parent"] for node in data["nodes"]}
    found = {}
    for key, node in nodes.items():
        if key in parents:
            continue
        tokens, p = [], []
        while node["parent"]:
            tokens.insert(0, node["key"].rpartition("/")[2])
            p.insert(0, node["p"])
            node = nodes[node["parent"]]
        found[tuple(int(each) if each.isdigit() else each for each in tokens)] = p
    return found


def assert_drawn(data, prompt, *texts):
    drawn = paths(data)
    for tokens in map(tuple, texts):
        assert tokens in drawn
        np.testing.assert_allclose(drawn[tokens], along(ids_of(prompt), tokens), rtol=1e-4)


def plain(html):
    return " ".join(re.sub(r"<[^>]+>", "", html).split())


def test_the_first_picture_has_a_greedy_and_two_sampled_texts_of_which_two_begin_with_the_same_token():
    data, ids = picture("generation_tree", "paths"), ids_of(MAIN)
    sampled = [[step.token for step in generate(GPT, ids, 6, SamplingSettings(), seed)] for seed in (53, 24)]
    texts = [on_and_on(ids, 6), *sampled]
    assert len(paths(data)) == 3
    assert_drawn(data, MAIN, *texts)
    assert [decode_ids("word_gpt", text) for text in texts] == [
        " not seen the world, and",
        " not cut off sleeping!",
        " said to them, Go,",
    ]
    assert texts[0][0] == texts[1][0] != texts[2][0]
    assert (
        "7.38·10¹⁹ texts" in said_in(document("generation_tree", "paths")) and f"{2048**6:.2e}" == "7.38e+19"
    )


def test_the_first_fork_has_the_five_most_probable_tokens_and_all_others_as_one():
    data, p = picture("generation_tree", "fork"), shares(ids_of(MAIN))
    order = np.argsort(-p)[:5].tolist()
    shown_p = {node["key"].rpartition("/")[2]: node["p"] for node in data["nodes"] if node["depth"] == 1}
    assert list(shown_p) == [*map(str, order), "others"]
    np.testing.assert_allclose([*shown_p.values()], [*p[order], 1 - p[order].sum()], rtol=1e-4)
    said = said_in(document("generation_tree", "fork"))
    assert f"has only {p[order[0]]:.1%}" in said and f"with {p[order[1]]:.1%}" in said
    assert f"in {1 - p[order[0]]:.0%} of all cases" in said and "2,043 tokens, share 72%" in said


def test_a_text_s_probability_is_the_product_of_its_boxes():
    data, ids = picture("generation_tree", "product"), ids_of(MAIN)
    greedy = on_and_on(ids, 6)
    assert_drawn(
        data,
        MAIN,
        greedy,
        *[[*greedy[:i], best([*ids, *greedy[:i]], 3)[r]] for i in range(6) for r in (1, 2)],
    )
    p = along(ids, greedy)
    assert data["ends"][0]["lines"] == ["1 in", f"{1 / np.prod(p) / 1e6:.1f} million"]
    said = said_in(document("generation_tree", "product"))
    assert (
        f"{p[0]:.1%} · {p[1]:.1%} · {p[2]:.1%}" in said
        and f"once in {1 / np.prod(p) / 1e6:.1f} million" in said
    )


def test_forcing_the_second_token_leaves_none_of_the_next_five_and_is_not_sent_before_the_answer():
    ids = ids_of(MAIN)
    first, second = best(ids, 2)
    texts = [[first, *on_and_on([*ids, first], 5)], [second, *on_and_on([*ids, second], 5)]]
    asked, told = document("generation_tree", "forced"), document("generation_tree", "forced", True)
    assert_drawn(told["picture"]["data"], MAIN, *texts)
    assert (second, "open") in paths(asked["picture"]["data"]) and tuple(texts[1]) not in paths(
        asked["picture"]["data"]
    )
    assert sum(a == b for a, b in zip(*texts, strict=True)) == 0
    assert told["ask"]["answer"] == "none" and "0 of 5" in said_in(told)
    forced = [node for node in told["picture"]["data"]["nodes"] if node["kind"] == "forced"]
    assert [node["token"] for node in forced] == ["been"]


def test_after_sir_and_after_lady_the_model_writes_the_same_six_tokens_with_other_probabilities():
    ids = ids_of("Good night, good")
    order = best(ids, 4)
    sir, lady = order[1], order[3]
    assert [GPT.vocabulary[token] for token in (sir, lady)] == [" sir", " lady"]
    behind = on_and_on([*ids, sir], 6)
    assert behind == on_and_on([*ids, lady], 6)
    assert_drawn(
        picture("generation_tree", "same"), "Good night, good", [sir, *behind], [lady, *behind], order[:1]
    )
    said = said_in(document("generation_tree", "same"))
    comma = [along(ids, [token, behind[0]])[1] for token in (sir, lady)]
    assert f"has {comma[0]:.0%} after sir and {comma[1]:.0%} after lady" in said and "same 6 tokens" in said


def test_the_fourth_favourite_leads_to_a_text_19_times_as_probable_as_the_greedy_one():
    ids = ids_of(MAIN)
    texts = [[token, *on_and_on([*ids, token], 5)] for token in best(ids, 4)]
    p = [np.prod(along(ids, text)) for text in texts]
    data = picture("generation_tree", "likelier")
    assert_drawn(data, MAIN, *texts)
    assert np.argmax(p) == 3 and round(p[3] / p[0]) == 19
    assert [end["strong"] for end in data["ends"]] == [False, False, False, True]
    assert data["ends"][3]["lines"] == ["1 in", f"{1 / p[3] / 1000:.0f} thousand"]
    assert "done is 19 times" in said_in(document("generation_tree", "likelier"))


def test_a_model_of_three_tokens_writes_the_same_after_king_and_queen_and_the_whole_model_does_not():
    prompt, forgetful = "The king and the", ShortMemory(GPT, 3)
    ids = ids_of(prompt)
    king, queen = best(ids, 2)
    seen = {}
    for context, model in (("three", forgetful), ("all", GPT)):
        texts = [
            [token, *(step.token for step in generate(model, [*ids, token], 6, SamplingSettings(0.0), 0))]
            for token in (king, queen)
        ]
        drawn = paths(picture("generation_tree", "forgets", context=context))
        for text in texts:
            ln_p = continuation_log_probabilities(model, ids, text)
            np.testing.assert_allclose(drawn[tuple(text)], np.exp(ln_p), rtol=1e-4)
        seen[context] = sum(a == b for a, b in zip(texts[0][1:], texts[1][1:], strict=True))
    assert seen["three"] == 6 and seen["all"] < 3
    for context, same in seen.items():
        assert f"{same} of 6" in said_in(document("generation_tree", "forgets", context=context))


def test_the_learner_s_beginning_forks_at_the_chosen_place():
    changes = {"typed": "Good night, my ", "place": 3}
    ids = ids_of("Good night, my")
    before = on_and_on(ids, 2)
    texts = [[*before, token, *on_and_on([*ids, *before, token], 3)] for token in best([*ids, *before], 4)]
    data = picture("generation_tree", "own", **changes)
    assert_drawn(data, "Good night, my", *texts)
    same = sum(a == b for a, b in zip(texts[0][3:], texts[1][3:], strict=True))
    done = plain(document("generation_tree", "own", **changes)["done"])
    assert f"changes {3 - same or 'none'} of the next 3 tokens" in done
    p = [np.prod(along(ids, text)) for text in texts]
    assert [end["strong"] for end in data["ends"]] == [i == int(np.argmax(p)) for i in range(4)]
    assert ("The greedy text is" in done) == (np.argmax(p) == 0)


@pytest.mark.parametrize("typed", ["", "   ", "Heute war es <b>kalt</b> 🦜 مرحبا", "a" * 200, "😀"])
@pytest.mark.parametrize("place", [1, 4])
def test_any_beginning_is_drawn_and_its_sentence_reads_well(typed, place):
    found = document("generation_tree", "own", typed=typed, place=place)
    assert "of the next" in plain(found["done"]) and "<b>" not in found["done"]
    assert len(found["picture"]["data"]["ends"]) == 4
    assert len(found["picture"]["data"]["nodes"][0]["token"]) <= 20


def test_the_answer_counts_forks_on_twenty_beginnings():
    same = []
    for prompt in BEGINNINGS:
        ids = ids_of(prompt)
        one, other = (on_and_on([*ids, token], 5) for token in best(ids, 2))
        same.append(sum(a == b for a, b in zip(one, other, strict=True)))
    assert (len(same), same.count(0), max(same)) == (20, 13, 2)
    said = said_in(document("generation_tree", "answer"))
    assert "after 20 beginnings: in 13 cases none of the next 5" in said and "other 7 at most 2 did" in said
    ids = ids_of(MAIN)
    greedy = on_and_on(ids, 6)
    forks = []
    for i in range(4):
        second = best([*ids, *greedy[:i]], 2)[1]
        forks.append([*greedy[:i], second, *on_and_on([*ids, *greedy[:i], second], 5 - i)])
    assert_drawn(picture("generation_tree", "answer"), MAIN, greedy, *forks)
    assert len({tuple(each) for each in (greedy, *forks)}) == 5 and all(
        fork[-1] != greedy[-1] for fork in forks
    )


def test_a_text_keeps_its_hue_through_the_story():
    hues = {}
    for name in ("paths", "fork", "product", "forced", "likelier"):
        for node in picture("generation_tree", name)["nodes"]:
            if node["hue"]:
                hues.setdefault(node["key"], set()).add((node["hue"], node["share"]))
    assert all(len(each) == 1 for each in hues.values())


@pytest.mark.parametrize("beat", ["paths", "likelier", "answer", "same"])
def test_the_lab_that_a_beat_opens_shows_the_same_texts(beat):
    found = document("generation_tree", beat)
    fields = {
        key.removeprefix("generation_tree_"): values[0]
        for key, values in parse_qs(urlsplit(found["lab"]).query).items()
        if key != "lab"
    }
    nodes = sent(open_lesson("generation_tree", **fields))["nodes"]
    drawn = [
        (node["depth"], node["p"])
        for node in found["picture"]["data"]["nodes"]
        if node["kind"] in ("plain", "forced")
    ]
    known = sorted((node["x"], node["p"]) for node in nodes[1:])
    np.testing.assert_allclose(known, sorted(drawn), rtol=1e-4)


# The lab.


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
    drawn, view = page.lab, LESSON.__class__.view
    reported = []

    def report(lesson, name, payload, *args, on=None, **options):
        reported.append(on["act"])
        return view(lesson, name, payload, *args, on=on, **options)

    with patch.object(type(LESSON), "view", report):
        app.run()

    def lab():
        reported[0]({"token": None, **what})
        drawn()

    with patch.object(page, "lab", lab):
        return app.run()


def greedy(ids, n):
    return [step.token for step in generate(MODEL, ids, n, SamplingSettings(0.0), 0)]


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
    assert tree_of(app).path(6) == [step.token for step in generate(MODEL, IDS, 6, SamplingSettings(), 3)]
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
    tables = [each.value for each in app.dataframe if "text" not in each.value]
    assert [len(table) for table in tables] == [2], "neither a later token nor the distribution"
    assert prompts(app)
    guess(app)
    assert sent(app)["choices"]
    assert len(sent(app)["nodes"]) == 5


def sampled_mean(writer, ids):
    """Return ln p of a token of six sampled texts, scored by the whole model."""
    texts = [
        [step.token for step in generate(writer, ids, 20, SamplingSettings(), seed)] for seed in range(1, 7)
    ]
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
    assert [metric.value for metric in broken.metric] == [format_value(mean, ".3f") for mean in means]
    assert means[1] < means[0] - 0.3
    assert "are **less probable**" in said(broken)
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
    assert "looks back at the last 2 tokens only, so it loses nothing" in said(app)
    assert "**as probable**" in said(app)


def test_the_sentence_below_the_tree_compares_the_likeliest_with_the_least_likely():
    drawn = [(SamplingSettings(0.0), 0), (SamplingSettings(), 1), (SamplingSettings(), 2)]
    texts = [[step.token for step in generate(MODEL, IDS, 10, *how)] for how in drawn]
    totals = [
        sequence_log_probability(MODEL, [*IDS, *text]).log_probabilities[len(IDS) :].sum() for text in texts
    ]
    sentence = (
        f"the most probable, with ln p {signed(max(totals))}. "
        f"It is {plain_number(np.exp(max(totals) - min(totals)))} times"
    )
    assert sentence in said(open_with()).replace("\n", " ")


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


def test_an_older_address_s_tree_of_characters_opens_with_the_model_that_it_left_out():
    line = write_tree(GenerationTree().grown(0, greedy(IDS, 3), "greedy")[0], V)
    app = open_lesson("generation_tree", tree=line)
    assert "another vocabulary" not in said(app)
    assert [node["token"] for node in sent(app)["nodes"][1:]] == [
        label_token(MODEL.vocabulary[i]) for i in greedy(IDS, 3)
    ]


@pytest.mark.parametrize("old", ["GPT, characters", "n-gram of your text, words"])
def test_an_older_address_s_model_is_found_by_its_label(old):
    new = {"GPT, characters": "char_gpt", "n-gram of your text, words": "own_words"}[old]
    one, other = (open_with(model=each) for each in (old, new))
    assert sent(one)["nodes"] == sent(other)["nodes"]
