"""Learning in the context: what its story shows of one rule and of a thousand, and a lab for a learner's own examples."""

from __future__ import annotations

from functools import cache

import numpy as np
import torch

from core.lesson.settings import Choice, Settings, Slider, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.self_attention.ablation import without_heads
from core.models.transformers.in_context import (
    HEADS_OFF,
    INDUCTION,
    MEASURED,
    ONE_BACK_OFF,
    ORDERED,
    RANDOM,
    SHIFTED,
    answer,
    head_scores,
    induction_heads,
    measured_tasks,
    one_back,
    order_probabilities,
    recorded_curve,
    recorded_distance,
    recorded_heads,
    recorded_spread,
    recorded_training_bits,
    shift_labels,
    stored_learner,
    without_distances,
)
from core.models.transformers.rule_tasks import (
    KINDS,
    LABELS,
    SPELLED,
    WORDS,
    Example,
    count_rules,
    held_out_rules,
    predict_bayes,
)
from core.models.transformers.written_examples import Written, read_examples
from pages.transformers.in_context import LESSON
from pages.transformers.in_context.figures import (
    answers_table,
    costs_figure,
    draw_answers,
    draw_breaks,
    draw_curves,
    draw_head,
    draw_orders,
    draw_places,
    draw_random,
    order_figure,
    write_prompt,
)

SAY = LESSON.words
EXAMPLES = (
    "zap C, mol F, kal C, kop F, zuf H, mul H, maf",
    "zap C, mol F, kal C, maf",
    "kup B, zap B, mof A, kol",
    "zap A, zal B, mof A, mal",
    "zap C, mol F, kal C, zuf H, maf",
)
SHOWN = read_examples(EXAMPLES[0])  # the story's examples, under a held-out rule: the second letter decides
FEW = read_examples(EXAMPLES[4])  # four of them, where the order matters much
PLACE, WORD, TRUE = 1, SHOWN.word, "C"
CHANCE = 1 / KINDS
LOW, HALF, HIGH = "chance", "half", "same"  # what random labels leave
BAYES, BETWEEN, NEAREST = "bayes", "between", "nearest"  # where the model's curve runs
NOTHING = "intact"
CURVES = ("nearest", "bayes", "model")
LAST = 11  # examples before the last word of a measured sequence
BREAKS = (HEADS_OFF, ONE_BACK_OFF, SHIFTED)

COUNT = Slider("count", 3, 0, len(SHOWN.examples))
BREAK = Choice("broken", SHIFTED, BREAKS)
OWN = Text("mine", EXAMPLES[1], 200)
PROMPT = Text("prompt", EXAMPLES[1], 200)
BROKEN = Choice("piece", NOTHING, (NOTHING, *BREAKS))
LAB = (PROMPT, BROKEN)


# The story: what each beat shows.


def answers_of(examples: tuple[Example, ...], word: int, kind: str = NOTHING) -> dict[str, np.ndarray]:
    """Return the probabilities of a word's label by the model, maybe with one piece broken, and by Bayes."""
    network, shown = stored_learner(), examples
    if kind == HEADS_OFF:
        network = without_heads(network, induction_heads())
    elif kind == ONE_BACK_OFF:
        network = without_distances(network)
    elif kind == SHIFTED and examples:
        moved = shift_labels(np.array([[y for _, y in examples]]))[0].tolist()
        shown = tuple((x, y) for (x, _), y in zip(examples, moved, strict=True))
    return {
        "model": answer(network, shown, word).labels,
        "bayes": predict_bayes(examples, word).labels,
    }


def describe(found: dict[str, np.ndarray], examples: tuple[Example, ...], word: int) -> dict:
    """Return what the words may say of a prompt: the most probable label of each predictor, and how probable it is."""
    model, bayes = found["model"], found["bayes"]
    return {
        "n": len(examples),
        "word": WORDS[word],
        "label": LABELS[int(model.argmax())],
        "p": float(model.max()),
        "bayes_label": LABELS[int(bayes.argmax())],
        "bayes_p": float(bayes.max()),
        "bayes_same": float(bayes[int(model.argmax())]),
        "chance": CHANCE,
        "rules": count_rules(examples),
        "flat": bool(np.ptp(bayes) < 1e-9),
    }


def show_few(settings: Settings) -> Part:
    """The model's answer after so many examples, beside Bayes'."""
    examples = SHOWN.examples[: settings.count]
    found = answers_of(examples, WORD)
    true = LABELS.index(TRUE)
    values = describe(found, examples, WORD) | {
        "correct": TRUE,
        "p_true": float(found["model"][true]),
        "count": settings.count,
    }
    lab = {"prompt": ", ".join([*(f"{WORDS[x]} {LABELS[y]}" for x, y in examples), WORDS[WORD]])}
    return Part("layer_bars", draw_answers(examples, found, WORD), values, lab)


def show_places(settings: Settings) -> Part:
    """Which letter decides, by Bayes' rule, after so many examples."""
    examples = SHOWN.examples[: settings.count]
    belief = predict_bayes(examples, WORD)
    listed = held_out_rules()
    values = {
        "count": settings.count,
        "rules": count_rules(examples),
        "all": count_rules(()),
        "held": int(3 * listed.sum()),
        "second": float(belief.places[PLACE]),
    }
    return Part("layer_bars", draw_places(belief, examples, WORD), values)


def ask_curve(settings: Settings) -> Part:
    """The curves of Bayes and of the nearest example; the answer draws the model's."""
    names = CURVES if settings.revealed else CURVES[:2]
    curves = {name: recorded_curve(name) for name in names}
    values = {"tasks": MEASURED, "start": float(curves["bayes"].loss[0]), "last": LAST}
    values |= {"nearest": float(curves["nearest"].loss[-1]), "bayes": float(curves["bayes"].loss[-1])}
    if settings.revealed:
        values |= distance()
    data = {"figure": draw_curves(curves).to_dict()}
    return Part("figure", data, values, {}, (BAYES, BETWEEN, NEAREST), place_of_curve())


def distance() -> dict:
    """Return how far the model is from Bayes, in bits, with the interval, and how often both are right."""
    model, bayes, (above, margin) = recorded_curve("model"), recorded_curve("bayes"), recorded_distance()
    return {
        "above": above,
        "margin": margin,
        "model_bits": float(model.loss.mean()),
        "trained": recorded_training_bits(),
        "bayes_bits": float(bayes.loss.mean()),
        "right": float(model.accuracy[-1]),
        "bayes_right": float(bayes.accuracy[-1]),
        "widest": int((model.loss - bayes.loss).argmax()),
        "gap": float((model.loss - bayes.loss).max()),
        "right_3": float(model.accuracy[3]),
        "bayes_right_3": float(bayes.accuracy[3]),
    }


def place_of_curve() -> str:
    """Return which choice is right: the model's mean is within a fifth of the gap of Bayes, or of the nearest example."""
    nearest, bayes, model = (recorded_curve(name).loss.mean() for name in CURVES)
    share = (model - bayes) / (nearest - bayes)
    return BAYES if share < 0.2 else NEAREST if share > 0.8 else BETWEEN


@cache
def even_score() -> float:
    """Return the score of a head whose attention is uniform."""
    tasks = measured_tasks()
    letters = np.take_along_axis(SPELLED[tasks.words], tasks.places[:, None, None], axis=2)[..., 0]
    same = (letters[:, :-1] == letters[:, -1:]).sum(axis=1)
    return float(same[same > 0].mean() / (2 * LAST + 1))


def show_head(settings: Settings) -> Part:
    """Where the head with the highest score looks from the word that is asked for."""
    layer, head = induction_heads()[0]
    read = answer(stored_learner(), SHOWN.examples, WORD)
    weights = read.weights[layer, head]
    same = [2 * i + 1 for i, (x, _) in enumerate(SHOWN.examples) if WORDS[x][PLACE] == WORDS[WORD][PLACE]]
    values = {
        "layer": layer + 1,
        "head": head + 1,
        "weight": float(weights[same].sum()),
        "score": float(recorded_heads("score")[layer, head]),
        "word": WORDS[WORD],
        "letter": WORDS[WORD][PLACE],
        "labels": len(same),
        "heads": len(induction_heads()),
        "intact": float(recorded_curve("model").loss[-1]),
        **describe_carrier(),
        "tasks": MEASURED,
        "even": even_score(),
    }
    data = draw_head(SHOWN.examples, WORD, read, (layer, head), PLACE)
    return Part("attention_arrows", data, values, {"prompt": EXAMPLES[0]})


def show_breaks(settings: Settings) -> Part:
    """What is left with one piece broken."""
    whole, broken = recorded_curve("model"), recorded_curve(settings.broken)
    values = {
        "kind": settings.broken,
        "before": float(whole.loss[-1]),
        "after": float(broken.loss[-1]),
        "right": float(whole.accuracy[-1]),
        "left": float(broken.accuracy[-1]),
        "n": LAST,
        "uniform": float(np.log2(KINDS)),
        **describe_heads(),
    }
    return Part("layer_bars", draw_breaks(whole, broken), values, {"piece": settings.broken})


def describe_heads() -> dict:
    """Return how many induction heads there are, the bits without one alone, and the other head that costs most."""
    heads, costs = induction_heads(), recorded_heads("bits without")
    other = max((each for each in np.ndindex(costs.shape) if each not in heads), key=costs.__getitem__)
    layer, head = heads[0]
    return {
        "best_head": f"{layer + 1}.{head + 1}",
        "heads": len(heads),
        "alone": float(costs[layer, head]),
        "most_alone": max(float(costs[each]) for each in heads),
        "other_head": f"{other[0] + 1}.{other[1] + 1}",
        "other_bits": float(costs[other]),
        "least": INDUCTION,
    }


@cache
def describe_carrier() -> dict:
    """Return which head's removal costs most, the bits without it, and its weight from a label on the word before it."""
    costs = recorded_heads("bits without")
    layer, head = (int(each) for each in np.unravel_index(costs.argmax(), costs.shape))
    return {
        "carrier": f"{layer + 1}.{head + 1}",
        "without": float(costs[layer, head]),
        "carried": float(one_back(stored_learner())[layer, head]),
    }


def ask_random(settings: Settings) -> Part:
    """The accuracy with the rule's labels; the answer shows it with random ones."""
    right, random = (float(recorded_curve(name).accuracy[-1]) for name in ("model", RANDOM))
    values = {"right": right, "chance": CHANCE, "n": LAST}
    if settings.revealed:
        values |= {"left": random}
    share = (random - CHANCE) / (right - CHANCE)
    truth = LOW if share < 0.1 else HIGH if share > 0.9 else HALF
    data = draw_random(right, random, settings.revealed)
    return Part("layer_bars", data, values, {}, (HIGH, HALF, LOW), truth)


@cache
def story_orders() -> np.ndarray:
    """Return the probability of the story's label in every order of four examples."""
    torch.set_num_threads(1)
    return order_probabilities(stored_learner(), FEW.examples, WORD, LABELS.index(TRUE))


def show_orders(settings: Settings) -> Part:
    """The probability of the right label in every order of the same four examples."""
    found = story_orders()
    bayes = float(predict_bayes(FEW.examples, WORD).labels[LABELS.index(TRUE)])
    values = {
        "orders": len(found),
        "n": len(FEW.examples),
        "least": float(found.min()),
        "most": float(found.max()),
        "spread": recorded_spread(),
        "here": float(found.std()),
        "bayes": bayes,
        "sequences": ORDERED,
        "correct": TRUE,
        "prompt": write_prompt(FEW.examples, WORD),
    }
    return Part("figure", {"figure": draw_orders(found, bayes).to_dict()}, values, {"prompt": EXAMPLES[4]})


def read_own(text: str) -> tuple[Written, int]:
    """Return what a text holds, and the word that is asked for: without one, that of its last example, or the story's."""
    written = read_examples(text)
    last = written.examples[-1][0] if written.examples else WORD
    return written, last if written.word is None else written.word


def show_own(text: str, kind: str = NOTHING) -> tuple[dict, dict, dict]:
    """Return the picture of a learner's prompt, what the words may say of it, and the probabilities."""
    written, word = read_own(text)
    found = answers_of(written.examples, word, kind)
    values = describe(found, written.examples, word) | {
        "unknown": list(written.unknown),
        "alone": list(written.alone),
        "asked": written.word is not None,
        "empty": not written.examples and written.word is None,
        "broken": kind != NOTHING,
    }
    return draw_answers(written.examples, found, word), values, found


def do_own(settings: Settings) -> Part:
    """The answer to the learner's examples."""
    data, values, _ = show_own(settings.mine)
    return Part("layer_bars", data, values, {"prompt": settings.mine})


def show_answer(settings: Settings) -> Part:
    """The curves of the model and of Bayes."""
    curves = {name: recorded_curve(name) for name in ("bayes", "model")}
    data = {"figure": draw_curves(curves).to_dict()}
    return Part("figure", data, distance())


STORY = (
    look("few", show_few, COUNT),
    look("places", show_places, COUNT),
    ask("curve", ask_curve),
    look("head", show_head),
    look("breaks", show_breaks, BREAK),
    ask("random", ask_random),
    look("orders", show_orders),
    do("own", do_own, OWN),
    end("answer", show_answer),
)


# The lab: any examples of the model's words.


def lab() -> None:
    """A learner's examples; the head's arrows; what a broken piece costs; all heads; every number."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        typed = LESSON.draw(PROMPT, width=520)
        with LESSON.options():
            kind = LESSON.draw(BROKEN)
    data, values, found = show_own(typed, kind)
    written, word = read_own(typed)
    truth = values["label"]
    with stage:
        if LESSON.ask(SAY.label("guess"), guesses(written, truth), truth, f"{typed}_{kind}"):
            LESSON.view("layer_bars", data, "answers", height=320)
            LESSON.say("says.found", values)
            if kind != NOTHING:
                whole, broken = (recorded_curve(name).loss[-1] for name in ("model", kind))
                LESSON.compare("broken", float(whole), float(broken), ".2f", more_is_better=False)
            LESSON.every_number(SAY.label("table.answers"), answers_table, found)
    if box := LESSON.fold("all_heads"):
        with box:
            intact = float(recorded_curve("model").loss[-1])
            LESSON.figure(
                "costs", costs_figure(recorded_heads("bits without"), intact), SAY.label("costs.alt")
            )
            LESSON.say("says.heads", describe_heads() | describe_carrier())
    if box := LESSON.fold("own_orders"):
        with box:
            show_own_orders(written, word, found["bayes"])
    LESSON.close_lab(
        code=[predict_bayes, answer, order_probabilities, head_scores, without_distances, shift_labels],
        parameters={"prompt": typed},
        prompts={
            "distractor": {"prompt": EXAMPLES[4]},
            "contradiction": {"prompt": EXAMPLES[3]},
            "shifted": {"prompt": EXAMPLES[0], "piece": SHIFTED},
        },
    )


def guesses(written: Written, truth: str) -> list[str]:
    """Return labels to choose from: those of the examples and two others, the model's among them.

    >>> guesses(read_examples("zap C, mol F, maf"), "C")
    ['A', 'B', 'C', 'F']
    """
    given = {LABELS[y] for _, y in written.examples} | {truth}
    others = [label for label in LABELS if label not in given][:2]
    return sorted({*given, *others})


def show_own_orders(written: Written, word: int, bayes: np.ndarray) -> None:
    """Show how the order of a learner's examples moves the model's most probable label."""
    label = int(bayes.argmax())
    found = order_probabilities(stored_learner(), written.examples, word, label)
    values = {
        "orders": len(found),
        "least": float(found.min()),
        "most": float(found.max()),
        "label": LABELS[label],
    }
    LESSON.figure(
        "order_bars", order_figure(found, float(bayes[label])), SAY.label("orders.own_alt", **values)
    )
    LESSON.say("says.orders", values)
