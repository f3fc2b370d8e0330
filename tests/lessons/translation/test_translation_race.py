"""Attention scores: the story's numbers are recomputed here; the lab shows what core computes for each translator."""

import json
import re
from itertools import combinations, islice
from math import comb

import numpy as np
import pytest
import torch

from core.lesson.choices.translator_choice import FRENCH, GENERATED, TASKS, held_out_pairs
from core.models.stored import load_card, load_json
from core.models.translation.seq2seq import END, count_trained_numbers
from core.models.translation.translate import greedy, rescored
from core.models.translation.translation_race import (
    RUNS,
    rare_words,
    score_multiplications,
    translate_and_score,
)
from core.text.grammar.english_french import english_french, french
from core.text.grammar.grammar import LONGEST
from core.text.grammar.harder_pairs import joined_pairs, rare_pairs
from core.text.grammar.pairs import is_held_out
from core.text.tokenization.word_differences import first_difference, mistakes
from core.training.translation import HARDER_PAIRS, HARDER_SEED, LONGER
from pages.translation.shared.marked_translation import marked
from pages.translation.translation_race.page import EXAMPLE, LENGTH, MODELS, SCORES, label_of, racer
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
    table_with,
)
from tests.lessons.lesson_page import views as sent_all

RECORD = json.loads(RUNS.read_text(encoding="utf-8"))
WORDS = TASKS[FRENCH].read(EXAMPLE)
VERT, GREEN = 6, 4  # places of an output and of an input word
SENTENCES = {
    "as it opens": {},
    "of the grammar": {"source": "typed", "text_fr": "The old cat eats the bread."},
    "not of the grammar": {"source": "typed", "text_fr": "To be or not to be, that is the question."},
}


# The story. The oracle is the three formulas, written out over the models' own states.


@torch.inference_mode()
def scores_by_hand(score):
    """Return the scores of all input words at the word "vert", from the states of one model."""
    translator = racer(score)
    made = translate_and_score(translator, WORDS).translation
    h, keys = (each.double().numpy() for each in (made.steps.state[0, VERT], made.encoded.states[0]))
    weights = {name: p.detach().double().numpy() for name, p in translator.model.score.named_parameters()}
    if score == "dot":
        return np.array([sum(a * b for a, b in zip(h, key, strict=True)) for key in keys])
    if score == "general":
        return np.array([h @ (weights["W_a"] @ key) for key in keys])
    return np.array([weights["v_a"] @ np.tanh(weights["W_a"] @ h + weights["U_a"] @ key) for key in keys])


def test_all_models_write_the_story_s_translation():
    right = TASKS[FRENCH].reference(WORDS).target
    assert all(translate_and_score(racer(score), WORDS).words == right for score in MODELS)
    assert (right[VERT], WORDS[GREEN]) == ("vert", "green")


@pytest.mark.parametrize("score", SCORES)
def test_each_machine_s_score_is_its_formula_s_and_its_parameters_are_counted(score):
    by_hand = scores_by_hand(score)
    view = picture("translation_race", score)
    titles = {node["key"]: node["title"] for node in view["nodes"]}
    assert titles["score"] == f"score {by_hand[GREEN]:.1f}"
    parameters = {"dot": 0, "general": 192 * 192, "additive": 2 * 192 * 192 + 192}[score]
    assert view["sum"] == f"{score}: {parameters:,} parameters to learn"
    matrices = [key for key in titles if key.endswith(".matrix")]
    assert len(matrices) == {"dot": 0, "general": 1, "additive": 2}[score]
    assert f"{parameters:,}" in said_in(document("translation_race", score))


def test_softmax_by_hand_makes_the_weights_of_the_first_picture():
    scores = scores_by_hand("dot")
    powers = np.exp(scores - scores.max())
    panels = picture("translation_race", "scores")["panels"]
    np.testing.assert_allclose([row["to"] for row in panels[0]["rows"]], scores, atol=1e-3)
    np.testing.assert_allclose([row["to"] for row in panels[1]["rows"]], powers / powers.sum(), atol=1e-5)
    assert scores.argmax() == GREEN
    first, second = np.sort(scores)[::-1][:2]
    assert f"by {first - second:.1f} or more" in said_in(document("translation_race", "scores"))


def test_other_rows_of_the_grid_are_hidden_before_the_guess():
    asked, told = (picture("translation_race", "agree", each)["rows"] for each in (False, True))
    assert [row["cells"][GREEN]["text"] for row in asked] == ["1.00", "?", "?"]
    assert [row["cells"][GREEN]["text"] for row in told] == ["1.00", "1.00", "1.00"]
    largest = [f"{scores_by_hand(score).max():.0f}" for score in SCORES]
    assert "the largest scores are {}, {} and {}".format(*largest) in said_in(
        document("translation_race", "agree", True)
    )


def test_the_record_is_what_the_models_do():
    pairs = list(islice(english_french(2, held_out=True), 12))
    for score, translator in ((score, racer(score)) for score in MODELS):
        right = [translate_and_score(translator, pair.source).words == pair.target for pair in pairs]
        assert RECORD["right"][score][:12] == [int(each) for each in right]
        card = load_card(MODELS[score]).quality
        assert sum(RECORD["right"][score]) == round(card["exact_match"] * card["held_out_pairs"])
    for score in SCORES:
        right = [translate_and_score(racer(score, True), pair.source).words == pair.target for pair in pairs]
        assert RECORD["broken"][score][:12] == [int(each) for each in right]


def test_all_three_attend_most_to_the_same_word_nine_times_in_ten():
    pairs = list(islice(english_french(2, held_out=True), 40))
    same = total = 0
    for pair in pairs:
        most = []
        for score in SCORES:
            translator = racer(score)
            words = [*translator.target.encode(pair.target), END]
            steps = rescored(translator.model, translator.source.encode(pair.source), words).steps
            most.append(steps.weights[0, :-1].argmax(1).tolist())
        same += sum(len(set(each)) == 1 for each in zip(*most, strict=True))
        total += len(pair.target)
    assert abs(same / total - RECORD["agreed"] / RECORD["words"]) < 0.05
    told = said_in(document("translation_race", "agree", True))
    assert f"At {RECORD['agreed'] / RECORD['words']:.0%} of the {RECORD['words']:,} output words" in told


def test_by_hand_additive_takes_26_times_the_multiplications_of_dot():
    dot, additive = 16 * 15 * 192, (16 + 15) * 192 * 192 + 16 * 15 * 192
    rows = picture("translation_race", "cost")["panels"][0]["rows"]
    assert [rows[0]["text"], rows[2]["text"]] == [f"{dot:,}", f"{additive:,}"] == ["46,080", "1,188,864"]
    assert f"{additive / dot:.0f} times as expensive" in said_in(document("translation_race", "cost"))


def sign_p(one, other):
    """Return p of an exact sign test, summed by hand."""
    n, k = one + other, min(one, other)
    return min(1.0, 2 * sum(comb(n, i) for i in range(k + 1)) / 2**n) if n else 1.0


def split(one, other):
    """Return on how many sentences only the one, and only the other score is right."""
    a, b = (np.array(RECORD["right"][score]) for score in (one, other))
    return int((a > b).sum()), int((b > a).sum())


def test_the_verdicts_on_the_scores_are_those_of_sign_tests():
    assert sign_p(*split("additive", "dot")) > 0.05  # "too close to call"
    for better in ("additive", "dot"):  # "general is a little worse than both"
        one, other = split(better, "general")
        assert one > other and sign_p(one, other) < 0.05
    assert all(sign_p(*split(score, "none")) < 0.001 for score in SCORES)
    quality = load_card(MODELS["none"]).quality
    assert quality["exact_match_3_to_7_words"] > 0.99  # "nearly all"
    told = said_in(document("translation_race", "right", True))
    assert f"{sum(RECORD['right']['none'])}, so it fails on {1000 - sum(RECORD['right']['none'])}" in told
    assert f"only for {quality['exact_match_22_to_25_words']:.0%}" in told
    asked = json.dumps(document("translation_race", "right"))
    assert str(sum(RECORD["right"]["none"])) not in asked


def test_without_its_matrices_dot_stays_as_it_is_and_the_others_fall():
    told = said_in(document("translation_race", "trained"))
    whole = {score: sum(RECORD["right"][score][:200]) for score in SCORES}
    broken = {score: sum(RECORD["broken"][score]) for score in SCORES}
    assert whole["dot"] == broken["dot"] and max(broken["general"], broken["additive"]) < 10
    assert f"General falls from {whole['general']} to {broken['general']}" in told
    assert f"additive from {whole['additive']} to {broken['additive']}" in told


def split_harder(test, one, other):
    """Return on how many sentences of a harder test only the one, and only the other score is right."""
    a, b = (np.array(RECORD["harder"][test][score]) for score in (one, other))
    return int((a > b).sum()), int((b > a).sum())


def test_the_harder_record_is_what_the_models_do_and_what_their_cards_say():
    generated = {
        "longer": english_french(HARDER_SEED, lengths=LONGER),
        "rare": rare_pairs(french, HARDER_SEED, rare_words()),
        "joined": joined_pairs(french, HARDER_SEED),
    }
    first = {test: list(islice(pairs, 6)) for test, pairs in generated.items()}
    for score in MODELS:
        quality = load_card(MODELS[score]).quality
        for test, pairs in first.items():
            right = [translate_and_score(racer(score), pair.source).words == pair.target for pair in pairs]
            assert RECORD["harder"][test][score][:6] == [int(each) for each in right]
            assert len(RECORD["harder"][test][score]) == quality["harder_pairs"] == HARDER_PAIRS
            assert sum(RECORD["harder"][test][score]) == round(quality[f"exact_match_{test}"] * HARDER_PAIRS)
    for score in SCORES:
        for test, aligned in RECORD["aligned"].items():
            found = sum(RECORD["misaligned"][test][score]) / sum(aligned)
            name = "alignment_error" if test == "usual" else f"alignment_error_{test}"
            assert load_card(MODELS[score]).quality[name] == pytest.approx(found, abs=1e-4)


def test_on_rare_words_and_long_sentences_additive_is_better_than_both_others():
    for test in ("rare", "longer"):
        for other in ("dot", "general"):
            more, fewer = split_harder(test, "additive", other)
            assert more > fewer and sign_p(more, fewer) < 0.001
    assert sign_p(*split_harder("rare", "dot", "general")) < 0.001
    assert sign_p(*split_harder("longer", "dot", "general")) > 0.05  # "too close to call"
    asked = said_in(document("translation_race", "harder"))
    assert (
        f"Additive is better than both others, with {sum(RECORD['harder']['rare']['additive'])} right"
        in asked
    )


def test_on_joined_sentences_dot_is_better_than_both_and_all_three_fail_on_most():
    right = {score: sum(RECORD["harder"]["joined"][score]) for score in SCORES}
    for other in ("general", "additive"):
        more, fewer = split_harder("joined", "dot", other)
        assert more > fewer and sign_p(more, fewer) < 0.001
    assert sign_p(*split_harder("joined", "general", "additive")) > 0.05  # "level"
    assert max(right.values()) < HARDER_PAIRS / 2  # "all three fail on most"
    rare = {score: sum(RECORD["harder"]["rare"][score]) for score in SCORES}
    assert (min(rare, key=rare.get), max(rare, key=rare.get)) == ("general", "additive")
    answer = document("translation_race", "harder", True)
    assert answer["ask"]["answer"] == "dot"
    assert f"Dot gets {right['dot']} of {HARDER_PAIRS}, far more than general and additive" in said_in(answer)
    before = document("translation_race", "harder")
    assert "answer" not in before["ask"] and str(right["dot"]) not in json.dumps(before["picture"])
    assert [row["text"] for row in before["picture"]["data"]["panels"][1]["rows"]] == ["?"] * 3


def test_additive_aligns_worst_on_the_easy_sentences():
    aligned = np.array(RECORD["aligned"]["usual"])
    wrong = {score: np.array(RECORD["misaligned"]["usual"][score]) for score in SCORES}
    error = {score: each.sum() / aligned.sum() for score, each in wrong.items()}
    assert max(error, key=error.get) == "additive"
    drawn = np.random.default_rng(7).integers(len(aligned), size=(1000, len(aligned)))
    gaps = [(wrong["additive"] - wrong["dot"])[i].sum() / aligned[i].sum() for i in drawn]
    low, high = np.quantile(gaps, (0.025, 0.975))
    assert low > 0
    told = re.sub("<.*?>", "", document("translation_race", "harder", True)["measured"])
    assert f"for {error['additive']:.1%} of the words, and for {error['dot']:.1%} with dot" in told
    found = re.search(r"difference ([0-9.]+) to ([0-9.]+) percentage points", told)
    assert [float(each) / 100 for each in found.groups()] == pytest.approx([low, high], abs=1e-3)


def test_training_has_no_sentence_with_two_ands_and_the_joined_ones_are_no_longer_than_its_longest():
    trained = islice(english_french(1), 500)
    assert max(pair.source.count("and") for pair in trained) == 1
    joined = list(islice(joined_pairs(french, HARDER_SEED), 100))
    assert min(pair.source.count("and") for pair in joined) == 2
    assert max(len(pair.source) for pair in joined) <= LONGEST
    known = set(racer("dot").source.ids)
    assert all(known >= set(pair.source) and is_held_out(pair.source) for pair in joined)


def test_the_answer_s_difference_and_winners_are_those_of_the_shares():
    shares = {score: np.mean(RECORD["right"][score]) for score in MODELS}
    looking = [shares[score] for score in SCORES]
    largest, least = max(looking) - min(looking), min(looking) - shares["none"]
    made = document("translation_race", "answer")
    told = said_in(made)
    assert f"differ by {100 * largest:.1f} percentage points at most" in told
    assert f"at least {100 * least:.0f} percentage points" in made["measured"]
    assert "Additive is ahead on rare words, dot on a new structure" in told
    for panel, by_score in zip(
        picture("translation_race", "answer")["panels"],
        (RECORD["right"], RECORD["harder"]["rare"], RECORD["harder"]["joined"]),
        strict=True,
    ):
        assert [row["to"] for row in panel["rows"]] == [sum(by_score[score]) for score in SCORES]


@pytest.mark.parametrize(
    ("text", "word", "told"),
    [
        ("", 1, "The largest weight goes to ? under dot, to close under general and to this under additive"),
        ("", 8, "Output word 8 is fenêtre. All three scores give the largest weight to window"),
        ("cat", 1, "Output word 1"),
        ("🦜 مرحبا", 1, "have not learned “🦜”, “مرحبا”, so their weights there tell little"),
        ("1 " * 80, 99, "have not learned “1”"),
        ("<b>x</b> $y$", 2, "tell little"),
    ],
)
def test_strange_sentences_get_honest_ones(text, word, told):
    made = document("translation_race", "own", text_fr=text, word=str(word))
    assert told in re.sub("<.*?>", "", made["done"])
    for row in made["picture"]["data"]["rows"]:
        assert sum(cell["share"] for cell in row["cells"]) == pytest.approx(1, abs=0.02)


# The lab.


def open_lab(**query):
    return open_lesson("translation_race", timeout=180, lab="true", **query)


def heat_maps(app):
    return [chart for chart in figures(app) if chart["data"][0]["type"] == "heatmap"]


def test_each_heat_map_has_the_model_s_own_output_words_on_one_scale():
    app, pair = open_lab(length="6", seed="4"), held_out_pairs(FRENCH, 4, 1, (6,))[0]
    for chart, score in zip(heat_maps(app), MODELS, strict=True):
        made = greedy(racer(score).model, racer(score).source.encode(pair.source))
        words = racer(score).target.words
        shown = [
            word.replace("&lt;", "<").replace("&gt;", ">") for word in chart["layout"]["yaxis"]["ticktext"]
        ]
        assert shown == [words[i] for i in made.words]
        assert (chart["data"][0]["zmin"], chart["data"][0]["zmax"]) == (0, 1)


def test_the_table_has_ln_p_sizes_and_the_cards_quality():
    app, pair = open_lab(length="9", results="true"), held_out_pairs(FRENCH, 1, 1, (9,))[0]
    for row, (score, name) in zip(
        table_with(app, "parameters").to_dict("records"), MODELS.items(), strict=True
    ):
        translator, quality = racer(score), load_card(name).quality
        ids = translator.source.encode(pair.source)
        wanted = [*translator.target.encode(pair.target), END]
        assert row["score"] == label_of(score)
        assert row["ln p of its own"] == pytest.approx(greedy(translator.model, ids).log_probability)
        assert row["ln p of the reference"] == pytest.approx(
            rescored(translator.model, ids, wanted).log_probability
        )
        assert row["parameters"] == count_trained_numbers(translator.model)
        assert (row["exact match"], row["loss"]) == (quality["exact_match"], quality["loss"])
    page = re.sub(r"\*", "", said(app))
    for one, other in combinations(MODELS, 2):
        a, b = split(one, other)
        assert (
            f"only {label_of(one)} is right on {a} of 1,000 sentences, only {label_of(other)} on {b}" in page
        )


def test_every_score_and_weight_is_in_the_table_and_rows_sum_to_one():
    table, pair = table_with(open_lab(length="5"), "weight a"), held_out_pairs(FRENCH, 1, 1, (5,))[0]
    for score in SCORES:
        own = table[table["model"] == score]
        steps = translate_and_score(racer(score), pair.source).translation.steps
        np.testing.assert_allclose(own["score e"], steps.scores[0].flatten(), rtol=1e-6)
        np.testing.assert_allclose(own.groupby("t")["weight a"].sum(), 1, rtol=1e-5)


def test_the_losses_keep_their_axes_and_their_legend_after_a_card_was_drawn():
    from pages.translation.translation_race import picture as card

    card()
    app = open_lab(length="4", losses="true")
    chart = next(each for each in figures(app) if len(each["data"]) == len(MODELS))
    for trace, (score, name) in zip(chart["data"], MODELS.items(), strict=True):
        points = [list(point) for point in zip(trace["x"], trace["y"], strict=True)]
        assert points == load_json(name, "losses") and trace["name"] == label_of(score)
    layout = chart["layout"]
    assert layout["yaxis"]["title"]["text"] == "loss" and layout["xaxis"]["title"]["text"] == "training step"
    assert layout["yaxis"].get("showticklabels", True) and layout.get("showlegend", True)
    assert layout["height"] >= 300
    ends = {score: load_json(name, "losses")[-1][1] for score, name in MODELS.items()}
    assert f"no attention the highest, {ends['none']:.2g}" in said(app)


def test_it_opens_on_a_sentence_that_one_of_the_four_gets_wrong_and_says_where():
    pair = held_out_pairs(FRENCH, 1, 1, (LENGTH,))[0]
    runs = {score: translate_and_score(racer(score), pair.source) for score in MODELS}
    assert [score for score in MODELS if runs[score].words != pair.target] == ["none"]
    place = first_difference(runs["none"].words, pair.target) + 1
    expected = f"3 of 4 are right word for word. Wrong: no attention, from output word {place} of"
    assert expected in said(open_lab()).replace("*", "")


def test_four_words_are_no_task_for_anybody_and_twenty_two_are():
    assert "All four translate this sentence right" in said(
        open_lab(source=GENERATED, length="4", seed="1")
    ).replace("*", "")
    assert "Wrong: no attention" in said(open_lab(source=GENERATED, length="22", seed="3"))


def test_taking_the_matrices_out_changes_two_heat_maps_and_shows_the_recorded_shares():
    whole, broken = (open_lab(length="5", **more) for more in ({}, {"broken": "true"}))
    for score, before, after in zip(MODELS, heat_maps(whole), heat_maps(broken), strict=True):
        loses = score in ("general", "additive")
        assert (before["data"][0]["z"] != after["data"][0]["z"]) == loses
        assert (f"**{score}, without its matrices**" in said(broken)) == loses
    assert "without its matrices**" not in said(whole)
    shown = metrics(broken)
    for score in SCORES:
        assert shown[f"{score}, as trained"] == f"{np.mean(RECORD['right'][score][:200]):.1%}"
        assert shown[f"{score}, with the identity"] == f"{np.mean(RECORD['broken'][score]):.1%}"


def test_a_typed_sentence_of_the_grammar_is_marked_against_its_right_translation():
    app = open_lab(source="typed", text_fr="The old cat eats.", results="true")
    right = TASKS[FRENCH].reference("the old cat eats .".split()).target
    runs = {score: translate_and_score(racer(score), "the old cat eats .".split(), right) for score in MODELS}
    expected = [made.log_probability_of_reference for made in runs.values()]
    assert table_with(app, "parameters")["ln p of the reference"].tolist() == pytest.approx(expected)


def test_a_typed_sentence_that_the_grammar_does_not_have_is_marked_against_another_model():
    app = open_lab(source="typed", text_fr="The cat the dog.", results="true")
    assert table_with(app, "parameters")["ln p of the reference"].isna().all()
    assert any("what differs from the additive" in caption.value for caption in app.caption)
    assert "Most certain of its own translation" in said(app)


def test_a_prediction_hides_every_result_until_it_is_made_and_the_footer_stays():
    app = open_lab(predict="true")
    assert not figures(app) and not app.dataframe
    assert "right word for word" not in said(app)
    assert "no attention" in question(app).options
    guess(app, "no attention")
    assert len(heat_maps(app)) == len(MODELS)
    assert any(text.value.startswith("Right.") for text in app.text)


@pytest.mark.parametrize(
    "query",
    [
        {"source": "typed", "text_fr": ""},
        {"source": "typed", "text_fr": "👍 مرحبا <b>$x$ `a` ~~b~~"},
        {"source": "typed", "text_fr": "cat " * 300, "step": "60"},
        {"length": "3"},
        {"length": "25", "seed": "9999", "gold": "true", "step": "99"},
    ],
    ids=ascii,
)
def test_every_sentence_has_its_four_heat_maps(query):
    app = open_lab(**query)
    assert not app.exception
    assert len(heat_maps(app)) == len(MODELS)


def test_marks_tell_what_is_missing_from_what_is_too_much():
    assert marked(["le", "chat"], ["le", "chat"]) == "le chat"
    assert marked(["le", "chat", "noir"], ["le", "chat"]) == "le chat :orange-background[**noir**]"
    assert mistakes([], ["le"]) == 1


@pytest.mark.parametrize("score", SCORES)
def test_multiplications_are_those_of_the_matrix_products(score):
    T, S, H = 3, 4, 5
    products = T * S * H + {"dot": 0, "general": S, "additive": S + T}[score] * H * H
    assert score_multiplications(score, T, S, H) == products


def test_a_single_model_that_is_right_is_spoken_of_as_one():
    assert "1 of 4 is right word for word" in said(open_lab(broken="true")).replace("*", "")


def test_each_output_word_s_scores_are_worked_out():
    app, pair = open_lab(length="6", worked="true"), held_out_pairs(FRENCH, 1, 1, (6,))[0]
    runs = {score: translate_and_score(racer(score), pair.source) for score in MODELS}
    looking = [score for score in MODELS if score != "none"]
    assert len(frames(app)) == max(len(made.translation.words) for made in runs.values())
    for t, step in enumerate(frames(app)):
        *with_attention, (last, _) = step["parts"]
        assert last == "no attention"
        for score, (note, formulas) in zip(looking, with_attention, strict=True):
            own = min(t, len(runs[score].translation.words) - 1)
            weights = np.array(runs[score].weights)[own]
            most = weights.argmax()
            assert f"attends most to input word {most + 1}, “{pair.source[most]}”" in note
            assert note.startswith(f"{score}: output word {own + 1},")
            assert f"= {weights.max():.4g}," in formulas[1]


def test_the_longest_sentence_s_scores_are_sent_within_their_bounds():
    views = [json.dumps(view, ensure_ascii=False) for view in sent_all(open_lab(length="25", worked="true"))]
    assert sum(len(view.encode()) for view in views) < 60_000
