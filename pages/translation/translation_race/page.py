"""Attention scores: what the story shows beat by beat, and the lab in which four translators read one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.frame import frame
from core.figures.translation.decoder_step import decoder_step, worked_score, worked_weight
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.translator_choice import (
    FRENCH,
    GENERATED,
    TASKS,
    ChosenSentence,
    choose_source_sentence,
    translator_of,
)
from core.lesson.every_number import Formula
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.sign_test import sign_test
from core.models.stored import load_card, load_json
from core.models.translation.seq2seq import (
    Seq2Seq,
    additive_scores,
    attention_weights,
    count_trained_numbers,
    dot_scores,
    general_scores,
)
from core.models.translation.translate import Translation, Translator, greedy, rescored
from core.models.translation.translation_race import (
    GreedyTranslation,
    attention_agreement,
    favourites,
    misalignment_difference,
    rare_words,
    recorded_scores,
    score_multiplications,
    translate_and_score,
    without_matrices,
    wrong_ones,
)
from core.text.tokenization.word_differences import compare_words, first_difference, mistakes
from core.words.numbers import format_share, signed
from pages.translation.shared.marked_translation import show_marked
from pages.translation.translation_race import LESSON
from pages.translation.translation_race.figures import (
    HUES,
    draw_bars,
    draw_grid,
    draw_score,
    heat_figure,
    loss_curves,
    worked_step,
)

WORDS = LESSON.words
MODELS = TASKS[FRENCH].models  # {score: name}
SCORES = ("dot", "general", "additive")  # from the simplest
EXAMPLE = "The king bought a green coat."
OWN = "Did I close this big window yesterday?"
EXAMPLES = (EXAMPLE, OWN)
GREEN, VERT = 4, 6  # places of an input and an output word of the example
S, T = 15, 16  # words of the sentence whose multiplications are counted
READ_AT_MOST = 12  # input words of a sentence typed in the story
USUAL, LONGER, RARE, JOINED = "usual", "longer", "rare", "joined"  # what is translated
ASKED = ("30", "60", "90")  # per cent of agreement that are offered

OWN_TEXT = Text("text_fr", OWN, 160)
OWN_WORD = Slider(
    "word", 1, 1, lambda settings: len(forced(settings.get("text_fr", OWN), "additive").words) - 1
)
LENGTH = 15  # words of the sentence on which the lab opens: one of the four gets it wrong
LAB = (
    Choice("source", GENERATED, (GENERATED, "typed")),
    Slider("length", LENGTH, 3, 25),
    Slider("seed", 1, 0, 9999),
    Text("text_fr", TASKS[FRENCH].example, 2000),
    Switch("broken"),
    Switch("worked"),
)
GOLD, BROKEN = Switch("gold"), Switch("broken")
NOBODY, SEVERAL = "nobody", "several"
Runs = Mapping[str, GreedyTranslation]  # by the model's score


# The story: what each beat shows.


def show_scores(settings: Settings) -> Part:
    """The scores of all input words at one output word, and the weights that softmax makes of them."""
    step, words = step_of(settings.text_fr, "dot", VERT), read_words(settings.text_fr)
    panels, low, high = [], float(step.scores.min()), float(step.scores.max())
    for name, values, least, most in (("score", step.scores, low, high), ("weight", step.weights, 0.0, 1.0)):
        rows = [
            {
                "name": word,
                "mark": f"{name}.{s}",
                "to": float(values[s]),
                "text": signed(float(values[s]), 1) if name == "score" else format_share(float(values[s])),
                "kind": "best" if s == values.argmax() else "plain",
                "hue": HUES["dot"],
            }
            for s, word in enumerate(words)
        ]
        panels.append((WORDS.label(f"panel.{name}"), least, most, rows))
    first, second = np.sort(step.scores)[::-1][:2]
    values = {
        "best": words[int(step.scores.argmax())],
        "score": signed(float(first), 1),
        "gap": signed(float(first - second), 1),
        "output": output_word(settings.text_fr, VERT),
        "so_far": " ".join(output_word(settings.text_fr, t) for t in range(VERT)),
    }
    return Part("layer_bars", draw_bars(panels), values, story_lab(settings))


def show_score(score: str, settings: Settings) -> Part:
    """One score as a machine, with its numbers at one output and one input word."""
    step, words = step_of(settings.text_fr, score, VERT), read_words(settings.text_fr)
    parameters = sum(p.numel() for p in translator_of(MODELS[score]).model.score.parameters())
    output = output_word(settings.text_fr, VERT)
    data = draw_score(score, step, GREEN, output, words[GREEN], parameters)
    values = {
        "parameters": parameters,
        "score": signed(float(step.scores[GREEN]), 1),
        "output": output,
        "word": words[GREEN],
        "H": len(step.state),
    }
    return Part("machine", data, values, story_lab(settings, worked=True))


def show_dot(settings: Settings) -> Part:
    """The dot product of two states."""
    return show_score("dot", settings)


def show_general(settings: Settings) -> Part:
    """A matrix before the dot product."""
    return show_score("general", settings)


def show_additive(settings: Settings) -> Part:
    """A small network with one hidden layer."""
    return show_score("additive", settings)


def ask_agree(settings: Settings) -> Part:
    """The weights under one score; the answer adds the others."""
    words, record = read_words(settings.text_fr), recorded_scores()
    weights = {score: step_of(settings.text_fr, score, VERT).weights for score in SCORES}
    scores = {
        score: signed(float(step_of(settings.text_fr, score, VERT).scores.max()), 0) for score in SCORES
    }
    share = record.agreed / record.words
    values = {
        "share": f"{share:.0%}",
        "n": record.words,
        "output": output_word(settings.text_fr, VERT),
        "scores": scores,
    }
    shown = {score: row if settings.revealed or score == "dot" else None for score, row in weights.items()}
    answer = min(ASKED, key=lambda each: abs(int(each) - 100 * share))
    return Part(
        "token_grid", draw_grid(words, values["output"], shown), values, story_lab(settings), ASKED, answer
    )


def show_cost(settings: Settings) -> Part:
    """How many multiplications the scores of a sentence take."""
    H = load_card(MODELS["dot"]).config["hidden"]
    counts = {score: score_multiplications(score, T, S, H) for score in SCORES}
    rows = [
        {
            "name": WORDS.label(f"score.{score}"),
            "mark": f"bar.{score}",
            "to": float(count),
            "text": f"{count:,}",
            "kind": "best" if score == "dot" else "plain",
            "hue": HUES[score],
        }
        for score, count in counts.items()
    ]
    most = 1.1 * max(counts.values())
    values = {"counts": counts, "times": counts["additive"] / counts["dot"], "S": S, "T": T, "H": H}
    return Part("layer_bars", draw_bars([(WORDS.label("panel.cost", S=S, T=T), 0.0, most, rows)]), values, {})


def ask_right(settings: Settings) -> Part:
    """How many held-out sentences each score gets right; the answer adds the model without attention."""
    right = {score: int(recorded_scores().right[score].sum()) for score in (*SCORES, "none")}
    n = len(recorded_scores().right["dot"])
    rows = []
    for score, count in right.items():
        known = settings.revealed or score != "none"
        rows.append(
            {
                "name": WORDS.label(f"score.{score}"),
                "mark": f"bar.{score}",
                "to": float(count if known else n),
                "text": f"{count:,}" if known else "?",
                "kind": "open" if not known else "best" if score == "none" else "plain",
                "hue": HUES[score],
            }
        )
    choices = ("all", "some", "many")
    answer = choices[(right["none"] < 0.95 * n) + (right["none"] < 0.85 * n)]
    card = load_card(MODELS["none"]).quality
    values = {
        "right": right,
        "n": n,
        "lost": n - right["none"],
        "long": f"{card['exact_match_22_to_25_words']:.0%}",
        "p": {f"{a}.{b}": compare_right(a, b).p for a, b in combinations(SCORES, 2)},
        "apart": {
            f"{a}.{b}": [compare_right(a, b).one, compare_right(a, b).other]
            for a, b in combinations(SCORES, 2)
        },
    }
    data = draw_bars([(WORDS.label("panel.right", n=n), 0.0, float(n), rows)])
    return Part("layer_bars", data, values, {}, choices, answer)


def ask_harder(settings: Settings) -> Part:
    """How many sentences with rare words each score gets right; the answer adds those of a new structure."""
    record, panels = recorded_scores(), []
    for test in (RARE, JOINED):
        known = settings.revealed or test == RARE
        panels.append(right_panel(test, count_right(record.harder[test]), known))
    right = {test: count_right(each) for test, each in record.harder.items()}
    n = len(record.harder[JOINED]["dot"])
    first = max(SCORES, key=right[JOINED].get)
    values = {
        "right": right,
        "n": n,
        "share": {score: count / n for score, count in right[JOINED].items()},
        "rare": len(rare_words()),
        "apart": {
            test: {f"{a}.{b}": sign_test(each[a], each[b]) for a, b in combinations(SCORES, 2)}
            for test, each in record.harder.items()
        },
        "error": {
            test: {score: float(wrong.sum() / record.aligned[test].sum()) for score, wrong in each.items()}
            for test, each in record.misaligned.items()
        },
        "gap": misalignment_difference(
            record.misaligned[USUAL]["additive"], record.misaligned[USUAL]["dot"], record.aligned[USUAL]
        ),
    }
    return Part("layer_bars", draw_bars(panels), values, {}, SCORES, first)


def count_right(by_score: Mapping[str, np.ndarray]) -> dict[str, int]:
    """Return how many sentences of a test each of the three scores gets right."""
    return {score: int(by_score[score].sum()) for score in SCORES}


def right_panel(test: str, right: Mapping[str, int], known: bool = True) -> tuple:
    """Return a panel of how many sentences of a test each score gets right; "?" until it is known."""
    n, best = len(tests_of()[test]["dot"]), max(right.values())
    rows = [
        {
            "name": WORDS.label(f"score.{score}"),
            "mark": f"{test}.{score}",
            "to": float(count if known else n),
            "text": f"{count:,}" if known else "?",
            "kind": "open" if not known else "best" if count == best else "plain",
            "hue": HUES[score],
        }
        for score, count in right.items()
    ]
    return WORDS.label(f"panel.{test}", n=n), 0.0, float(n), rows


def tests_of() -> dict[str, Mapping[str, np.ndarray]]:
    """Return which sentences each score gets right, by test: the held-out ones and the harder ones."""
    return {USUAL: recorded_scores().right, **recorded_scores().harder}


def show_trained(settings: Settings) -> Part:
    """How many sentences are right with and without what each score has learned."""
    broken = {score: recorded_scores().broken[score] for score in SCORES}
    n = len(broken["dot"])
    whole = {score: int(recorded_scores().right[score][:n].sum()) for score in SCORES}
    counts = {"with": whole, "without": {score: int(each.sum()) for score, each in broken.items()}}
    panels = []
    for name, each in counts.items():
        rows = [
            {
                "name": WORDS.label(f"score.{score}"),
                "mark": f"{name}.{score}",
                "to": float(count),
                "text": f"{count}",
                "kind": "best" if name == "without" else "plain",
                "hue": HUES[score],
            }
            for score, count in each.items()
        ]
        panels.append((WORDS.label(f"panel.{name}", n=n), 0.0, float(n), rows))
    values = {"n": n, "whole": counts["with"], "broken": counts["without"]}
    return Part("layer_bars", draw_bars(panels), values, {"broken": True})


def show_own(settings: Settings) -> Part:
    """The learner's sentence: the weights of three scores at one word of its translation."""
    words = read_words(settings.text_fr)[:READ_AT_MOST]
    weights = {
        score: forced(settings.text_fr, score).steps.weights[0, settings.word - 1].numpy() for score in SCORES
    }
    most = {score: words[int(row.argmax())] for score, row in weights.items()}
    unknown = [word for word in dict.fromkeys(words) if word not in translator_of(MODELS["dot"]).source.ids]
    values = {
        "most": most,
        "same": len({int(row.argmax()) for row in weights.values()}) == 1,
        "output": output_word(settings.text_fr, settings.word - 1),
        "place": settings.word,
        "unknown": unknown[:3],
        "n_unknown": len(unknown),
        "weakest": format_share(min(float(row.max()) for row in weights.values())),
    }
    lab = {"source": "typed", "text_fr": settings.text_fr}
    return Part("token_grid", draw_grid(words, values["output"], weights), values, lab)


def show_answer(settings: Settings) -> Part:
    """What each score gets right on the held-out sentences, with rare words, and of a new structure."""
    counts = {test: count_right(tests_of()[test]) for test in (USUAL, RARE, JOINED)}
    right = {score: float(each.mean()) for score, each in recorded_scores().right.items()}
    looking = [right[score] for score in SCORES]
    n = len(tests_of()[JOINED]["dot"])
    values = {
        "scores": 100 * (max(looking) - min(looking)),
        "attention": 100 * (min(looking) - right["none"]),
        "best": {test: max(each, key=each.get) for test, each in counts.items()},
        "joined": 100 * (max(counts[JOINED].values()) - min(counts[JOINED].values())) / n,
    }
    return Part(
        "layer_bars", draw_bars([right_panel(test, each) for test, each in counts.items()]), values, {}
    )


STORY = (
    look("scores", show_scores, text_fr=EXAMPLE),
    look("dot", show_dot, text_fr=EXAMPLE),
    look("general", show_general, text_fr=EXAMPLE),
    look("additive", show_additive, text_fr=EXAMPLE),
    ask("agree", ask_agree, text_fr=EXAMPLE),
    look("cost", show_cost),
    ask("right", ask_right),
    ask("harder", ask_harder),
    look("trained", show_trained),
    do("own", show_own, OWN_TEXT, OWN_WORD),
    end("answer", show_answer),
)


def story_lab(settings: Settings, **more: object) -> dict:
    """Return the settings with which the lab reads the story's sentence."""
    return {"source": "typed", "text_fr": settings.text_fr, **more}


def read_words(text: str) -> list[str]:
    """Return the words that the translators read of a sentence, those of an example where it has none."""
    return (TASKS[FRENCH].read(text) or TASKS[FRENCH].read(OWN))[:READ_AT_MOST]


def is_stored_text(text: str, *_) -> bool:
    """Return whether a sentence is one of the story's own, which everybody may share; what was typed is kept for nobody."""
    return text in EXAMPLES


@cached(40, 8, shared=is_stored_text)
def forced(text: str, score: str) -> Translation:
    """Return the steps in which a model writes the additive model's translation, so that all write the same words."""
    translator = translator_of(MODELS[score])
    source = translator.source.encode(read_words(text))
    words = greedy(translator_of(MODELS["additive"]).model, source, limit=40).words
    return rescored(translator.model, source, words)


def step_of(text: str, score: str, t: int):
    """Return the numbers of one step of a model."""
    return decoder_step(forced(text, score), t)


def output_word(text: str, t: int) -> str:
    """Return a word of the translation of a sentence."""
    return translator_of(MODELS["additive"]).target.words[forced(text, "additive").words[t]]


def compare_right(one: str, other: str):
    """Return the sign test of two scores on the same held-out sentences."""
    return sign_test(recorded_scores().right[one], recorded_scores().right[other])


# The lab: four translators read one sentence.


def lab() -> None:
    """Four translations of a sentence; what each model costs and is worth; one score worked out."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        sentence = choose_source_sentence(LESSON, TASKS[FRENCH], notes, first=GENERATED, length=LENGTH)
        broken = LESSON.draw(BROKEN)
        with LESSON.options():
            gold = LESSON.draw(GOLD)
    reference = sentence.pair.target if sentence.pair else None
    runs = {score: ran(score, broken, sentence.words, reference) for score in MODELS}
    with stage:
        revealed = ask_who(runs, sentence, broken)
        if revealed:
            show_runs(runs, sentence, gold, broken)
    if broken:
        compare_matrices()
    if revealed:
        if results := LESSON.fold("results"):
            with results:
                show_results(runs, sentence, broken)
        if losses := LESSON.fold("losses"):
            with losses:
                show_losses()
        if worked := LESSON.fold("worked"):
            with worked:
                LESSON.steps(worked_frames(sentence.words, reference, broken))
        LESSON.every_number(WORDS.label("table.scores"), every_score, runs, sentence, broken)
    LESSON.close_lab(
        code=[
            *(
                translate_and_score,
                greedy,
                rescored,
                Seq2Seq.decode,
                dot_scores,
                general_scores,
                additive_scores,
            ),
            *(
                attention_weights,
                wrong_ones,
                compare_words,
                mistakes,
                sign_test,
                favourites,
                attention_agreement,
            ),
            *(score_multiplications, without_matrices),
        ],
        parameters={"words": list(sentence.words), "models": dict(MODELS)},
        prompts={
            "short": {"source": GENERATED, "length": 4, "seed": 1},
            "long": {"source": GENERATED, "length": 22, "seed": 3},
            "broken": {"source": GENERATED, "length": 10, "seed": 1, "broken": True},
        },
        credits=load_card(MODELS["additive"]).credits[:2],
    )


@cache
def racer(score: str, broken: bool = False) -> Translator:
    """Return the translator of a score, or a copy whose score has lost its learned matrices."""
    whole = translator_of(MODELS[score])
    return replace(whole, model=without_matrices(whole.model)) if broken else whole


@cached(64, 16, shared=no_typed_words)
def ran(
    score: str, broken: bool, words: tuple[str, ...], reference: tuple[str, ...] | None
) -> GreedyTranslation:
    """Return what a model makes of a sentence."""
    return translate_and_score(racer(score, broken), words, reference)


def label_of(score: str) -> str:
    """Return what a score is called on the page."""
    return WORDS.label(f"score.{score}")


def ask_who(runs: Runs, sentence: ChosenSentence, broken: bool) -> bool:
    """Ask which model gets the sentence wrong or, where the right translation is not known, which is least certain."""
    about = f"{hash(sentence.words)}_{broken}"
    labels = [label_of(score) for score in MODELS]
    more = [WORDS.label(f"choice.{each}") for each in (SEVERAL, NOBODY)]
    if sentence.pair:
        wrong = wrong_ones(runs, sentence.pair.target)
        answer = label_of(wrong[0]) if len(wrong) == 1 else more[not wrong]
        return LESSON.ask(WORDS.label("question.wrong"), [*labels, *more], answer, about)
    least = min(runs, key=lambda score: runs[score].translation.log_probability)
    return LESSON.ask(WORDS.label("question.least"), labels, label_of(least), about)


def show_runs(runs: Runs, sentence: ChosenSentence, gold: bool, broken: bool) -> None:
    """Draw every model's heat map, two beside each other, with its translation; say who is right."""
    wanted = sentence.pair.target if sentence.pair else runs["additive"].words
    say_who_is_right(runs, sentence)
    same = WORDS.label("marked.reference" if sentence.pair else "marked.additive")
    scores = list(runs)
    for pair in (scores[:2], scores[2:]):
        for column, score in zip(st.columns(2), pair, strict=True):
            made, lost = runs[score], broken and score in ("general", "additive")
            with column:
                title = label_of(score) + (WORDS.label("title.broken") if lost else "")
                st.markdown(f"**{title}**")
                outputs = [racer(score).target.words[i] for i in made.translation.words]
                links = sentence.links if gold and made.words == wanted and score != "none" else ()
                text = TASKS[FRENCH].write(made.words)
                alt = WORDS.label("alt.heat", score=label_of(score), attends=score != "none", text=text)
                LESSON.figure(f"heat_{score}", heat_figure(made.weights, outputs, sentence.words, links), alt)
                log_p = WORDS.label("ln_p", ln_p=signed(made.translation.log_probability, 3))
                show_marked(made.words, wanted, log_p, same)
    st.caption(WORDS.label("marks", pair=sentence.pair is not None))


def say_who_is_right(runs: Runs, sentence: ChosenSentence) -> None:
    """Say who is right and where the first that is wrong goes wrong; or, without a reference, who is least certain."""
    if sentence.pair is None:
        order = sorted(runs, key=lambda score: -runs[score].translation.log_probability)
        ends = [
            {"score": label_of(s), "ln_p": signed(runs[s].translation.log_probability, 3)}
            for s in (order[0], order[-1])
        ]
        LESSON.say("says.certain", {"most": ends[0], "least": ends[1]})
        return
    reference = sentence.pair.target
    wrong = [
        {"score": label_of(score), "place": first_difference(runs[score].words, reference) + 1}
        for score in wrong_ones(runs, reference)
    ]
    LESSON.say("says.right", {"wrong": wrong, "right": len(runs) - len(wrong), "n": len(reference)})


def compare_matrices() -> None:
    """Compare each score with its learned matrices and without them, on held-out sentences."""
    record = recorded_scores()
    n = len(record.broken["dot"])
    st.markdown(WORDS.markdown("says.broken", n=n))
    for column, score in zip(st.columns(len(SCORES)), SCORES, strict=True):
        with column:
            LESSON.compare(
                score, float(record.right[score][:n].mean()), float(record.broken[score].mean()), ".1%"
            )


def show_losses() -> None:
    """Draw the training losses that are kept beside the four models, and say where they ended."""
    losses = {score: load_json(name, "losses") for score, name in MODELS.items()}
    ends = {label_of(score): points[-1][1] for score, points in losses.items()}
    corpora = {str(load_card(name).corpus) for name in MODELS.values()}
    low, high = (each(ends, key=ends.get) for each in (min, max))
    values = {"same": len(corpora) == 1, "low": low, "high": high}
    values |= {"low_loss": f"{ends[low]:.2g}", "high_loss": f"{ends[high]:.2g}"}
    st.markdown(WORDS.markdown("says.losses", **values))
    LESSON.figure("loss_curves", loss_curves(losses), WORDS.label("alt.losses"))


def results(runs: Runs, sentence: ChosenSentence) -> pd.DataFrame:
    """Return one row a model: this sentence's result, the counts of its parts, and the quality its card tells."""
    rows = []
    for score, made in runs.items():
        model, card = racer(score).model, load_card(MODELS[score])
        shape = len(made.translation.words), len(sentence.words), model.config.hidden
        row = {
            "score": label_of(score),
            "differ": mistakes(made.words, sentence.pair.target) if sentence.pair else None,
            "own": made.translation.log_probability,
            "reference": made.log_probability_of_reference,
            "passes": card.config["epochs"],
            "parameters": count_trained_numbers(model),
            "multiplications": score_multiplications(score, *shape),
            "exact": card.quality["exact_match"],
            "alignment": card.quality.get("alignment_error"),
            "loss": card.quality["loss"],
        }
        rows.append({WORDS.label(f"column.{key}"): value for key, value in row.items()})
    return pd.DataFrame(rows)


def show_results(runs: Runs, sentence: ChosenSentence, broken: bool) -> None:
    """Show the table of results, what its columns are, and which scores differ on the held-out sentences."""
    n = load_card(MODELS["additive"]).quality["held_out_pairs"]
    st.caption(WORDS.label("results.caption", n=n, broken=broken))
    share = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        results(runs, sentence),
        hide_index=True,
        column_config={WORDS.label(f"column.{key}"): share for key in ("exact", "alignment")},
        alt=WORDS.label("alt.results"),
    )
    for one, other in combinations(MODELS, 2):
        test = compare_right(one, other)
        names = {"one": label_of(one), "other": label_of(other)}
        st.markdown(WORDS.markdown("says.pair", **names, only=test.one, lost=test.other, p=test.p, n=n))


@cached(32, 8, shared=no_typed_words)
def worked_frames(words: tuple[str, ...], reference: tuple[str, ...] | None, broken: bool) -> list[dict]:
    """Return a step for each output word: each score's formula with its numbers."""
    runs = {score: ran(score, broken, words, reference) for score in MODELS}
    context = runs["none"].translation.steps.context[0, 0].numpy()
    numbers = ", ".join(f"{x:.4f}" for x in context[:3])
    nothing = rf"c_t = \bar h_{{last}} = ({numbers}, \dots_{{({len(context)})}})"
    most = max(len(made.translation.words) for made in runs.values())
    return [
        frame(
            *(WORDS.label("worked.name", t=t + 1), None, "", ""),
            parts=[
                *(
                    worked_step(score, racer(score, broken), runs[score], words, t)
                    for score in MODELS
                    if score != "none"
                ),
                (label_of("none"), [nothing]),
            ],
        )
        for t in range(most)
    ]


def every_score(runs: Runs, sentence: ChosenSentence, broken: bool) -> tuple[pd.DataFrame, Formula]:
    """Return each score and weight of each model, and the formula of a cell."""
    cells, rows = [], []
    for score in MODELS:
        made = runs[score]
        if made.weights is None:
            continue
        scores = made.translation.steps.scores[0].numpy()
        for (t, s), weight in np.ndenumerate(made.weights):
            output = racer(score).target.words[made.translation.words[t]]
            cells.append((score, t, s))
            rows.append((score, t + 1, output, s + 1, sentence.words[s], float(scores[t, s]), float(weight)))
    columns = [WORDS.label(f"column.{each}") for each in ("model", "t", "output", "s", "input", "e", "a")]

    def formula(row: int, column: str) -> str | None:
        """Fill in the formula of a cell of the table."""
        score, t, s = cells[row]
        step = decoder_step(runs[score].translation, t)
        if column == columns[5]:
            return worked_score(racer(score, broken).model, step, s, t)
        return worked_weight(step, s, t) if column == columns[6] else None

    return pd.DataFrame(rows, columns=columns), formula
