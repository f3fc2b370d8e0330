"""Sentence probability: what the story shows of two sentences that sound the same, and the lab on any text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.figures.frame import frame
from core.figures.n_grams.ngram_worked import worked
from core.lesson.break_it import format_value
from core.lesson.cached import cached, is_sample
from core.lesson.choices.ngram_choice import (
    NO_SMOOTHING,
    ORDER_AT_MOST,
    SMOOTHINGS,
    UNITS,
    ChosenSmoothing,
    choose_counts,
    choose_order,
    choose_smoothing,
    counts_of,
)
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import sample_in_use, text_source
from core.models.language_model import Factors, bits, sequence_log_probability
from core.models.n_grams.held_out import unseen_share
from core.models.n_grams.ngram import NgramModel, discounted_level
from core.models.n_grams.ngram_text import UNKNOWN, CountedText
from core.models.n_grams.ngram_worked import explain
from core.models.n_grams.spliced import spliced
from core.text.reading.documents import Document
from pages.n_grams.ngram_probability import LESSON
from pages.n_grams.ngram_probability.figures import (
    bits_figure,
    draw_factors,
    draw_orders,
    draw_tree,
    factor_table,
    name_token,
    orders_figure,
    product_figure,
    shared_factors,
    write_odds,
)
from pages.n_grams.shared.story_play import PLAY, model_of, play
from pages.n_grams.shared.typed_tokens import say_unknown, type_tokens

WORDS = LESSON.words
SEEN, SCENE = "i have seen the king", "i have scene the king"
BACKWARDS, COPIED, GOOD = "king the seen have i", "the king is a thing", "my father is dead"
OWN = "the queen is my mother"
EXAMPLES = (SEEN, SCENE, BACKWARDS, COPIED, GOOD, OWN)
SMOOTHED = "Kneser-Ney"
DRAWN = 12  # tokens of the learner's sentence

OWN_TEXT = Text("typed", OWN, 70)
ORDER = Slider("n", 2, 1, ORDER_AT_MOST)
CONTEXT = Choice("context", "none", ("none", "one"))

UNIT = Choice("unit", UNITS[0], UNITS)
SENTENCE = Text("words_sentence", "", 1000)
SMOOTHING = Choice("smoothing", SMOOTHED, tuple(SMOOTHINGS))
RAW = Switch("raw")
LAB = (UNIT, SENTENCE, ORDER, SMOOTHING, RAW)

ASKED = 12  # tokens among which the least expected is guessed
TOKENS_SHOWN = 40
SAME = 1e-9  # logarithms nearer than this are equal but for rounding


# The story: what each beat shows.


def show_heard(settings: Settings) -> Part:
    """Two sentences that sound the same, as two paths."""
    data = draw_tree([names_of(SEEN), names_of(SCENE)])
    return Part("text_tree", data, {"one": SEEN, "other": SCENE}, link_lab(SEEN))


def show_factors(settings: Settings) -> Part:
    """A row for each word of the sentence: its counts and its probability."""
    counts = counts_along(SEEN)
    data = draw_factors([WORDS.label("token.start"), *names_of(SEEN)], counts)
    values = {
        "count": counts[1][0],
        "total": counts[1][1],
        "p": counts[1][0] / counts[1][1],
        "m": len(counts),
    }
    return Part("staircase", data, values, link_lab(SEEN, raw=True))


def show_product(settings: Settings) -> Part:
    """The product of the factors so far, after each word."""
    p = np.exp(score(SEEN).log_probabilities)
    values = {"first": write_odds(p[0]), "second": write_odds(p[0] * p[1]), "product": write_odds(np.prod(p))}
    figure = product_figure(names_of(SEEN), p)
    return Part("figure", {"figure": figure.to_dict()}, values, link_lab(SEEN, raw=True))


def show_bits(settings: Settings) -> Part:
    """The surprisal of each word, in bits."""
    ln_p = score(SEEN).log_probabilities
    least = int(np.argmin(ln_p))
    values = {
        "total": float(bits(ln_p).sum()),
        "least": names_of(SEEN)[least],
        "most": float(bits(ln_p).max()),
        "p": float(np.exp(ln_p[least])),
    }
    figure = bits_figure([(names_of(SEEN), ln_p)])
    return Part("figure", {"figure": figure.to_dict()}, values, link_lab(SEEN, raw=True))


def ask_zero(settings: Settings) -> Part:
    """The rows of the other sentence until the word that differs; the answer draws them all."""
    counts, names = counts_along(SCENE), names_of(SCENE)
    differs = next(i for i, pair in enumerate(zip(names, names_of(SEEN), strict=True)) if len(set(pair)) > 1)
    product = float(np.exp(score(SCENE).log_probability))
    said = WORDS.label("sum.zero") if settings.revealed else ""
    known = None if settings.revealed else differs
    data = draw_factors([WORDS.label("token.start"), *names], counts, known, said)
    values = {
        "word": names[differs],
        "before": names[differs - 1],
        "times": play().counts.count(play().read(names[differs])),
        "total": counts[differs][1],
        "good": GOOD,
        "revealed": settings.revealed,
    }
    answer = "zero" if product == 0 else "smaller"
    choices = ("same", "smaller", "zero")
    return Part("staircase", data, values, link_lab(SCENE, raw=True), choices, answer)


def show_smoothed(settings: Settings) -> Part:
    """The surprisal of each word of both sentences, with smoothing."""
    both = [score(each, SMOOTHED) for each in (SEEN, SCENE)]
    totals = [float(bits(each.log_probabilities).sum()) for each in both]
    texts = [
        (names_of(each), found.log_probabilities) for each, found in zip((SEEN, SCENE), both, strict=True)
    ]
    labels = [
        WORDS.label("legend.total", text=each, n=n) for each, n in zip((SEEN, SCENE), totals, strict=True)
    ]
    values = {
        "totals": totals,
        "more": totals[1] - totals[0],
        "times": float(np.exp(both[0].log_probability - both[1].log_probability)),
        "scene": float(bits(both[1].log_probabilities).max()),
    }
    return Part("figure", {"figure": bits_figure(texts, labels).to_dict()}, values, link_lab(SCENE))


def show_order(settings: Settings) -> Part:
    """The same words in two orders, with and without context."""
    n = 1 if settings.context == "none" else 2
    lines, totals = [], []
    for sentence in (SEEN, BACKWARDS):
        found = score(sentence, SMOOTHED, n)
        totals.append(float(bits(found.log_probabilities).sum()))
        name = WORDS.label("line.total", n=totals[-1])
        lines.append((name, found.tokens, names_of(sentence), found.log_probabilities))
    values = {"totals": totals, "times": 2 ** (totals[1] - totals[0])}
    return Part("two_orders", draw_orders(lines), values, link_lab(BACKWARDS, n=n))


def ask_longer(settings: Settings) -> Part:
    """The perplexity of a new sentence and of one of the play at n = 2; the answer draws it up to n = 5."""
    orders = range(2, ORDER_AT_MOST + 1)
    found = {
        name: [score(each, SMOOTHED, n).perplexity for n in orders]
        for name, each in (("new", SEEN), ("copied", COPIED))
    }
    values = {**found, "new_text": SEEN, "copied_text": COPIED, "revealed": settings.revealed}
    falling = [name for name, values in found.items() if (np.diff(values) < 0).all()]
    answer = "both" if len(falling) == 2 else (falling or ["none"])[0]
    figure = orders_figure(found, orders[0], hidden=not settings.revealed)
    return Part(
        *("figure", {"figure": figure.to_dict()}, values, link_lab(COPIED, n=ORDER_AT_MOST)),
        *(("new", "copied", "both"), answer),
    )


def show_own(settings: Settings) -> Part:
    """The surprisal of each word of the learner's sentence."""
    typed = settings.typed if play().encode(settings.typed) else OWN
    found = score(typed, SMOOTHED, settings.n)
    ln_p, unknown = found.log_probabilities, play().unknown(typed)
    names = [name_token(play(), token) for token in found.tokens]
    least = int(np.argmin(ln_p))
    values = {
        "m": len(names),
        "unknown": unknown,
        "strange": 2 * found.tokens.count(play().vocabulary[UNKNOWN]) >= len(names) - 1,
        "least": names[least],
        "bits": float(bits(ln_p)[least]),
        "total": float(bits(ln_p).sum()),
        "odds": WORDS.label("odds_bits", n=float(bits(ln_p).sum())),
        "perplexity": found.perplexity,
        "tied": int((ln_p <= ln_p[least] + SAME).sum()) > 1,
        "drawn": min(DRAWN, len(names)),
    }
    figure = bits_figure([(names[:DRAWN], ln_p[:DRAWN])])
    return Part("figure", {"figure": figure.to_dict()}, values, link_lab(typed, n=settings.n))


def show_answer(settings: Settings) -> Part:
    """Both sentences as paths, with each word's probability and the products."""
    both = [np.exp(score(each, SMOOTHED).log_probabilities) for each in (SEEN, SCENE)]
    data = draw_tree([names_of(SEEN), names_of(SCENE)], both)
    odds = [write_odds(float(np.prod(p))) for p in both]
    least = names_of(SCENE)[int(np.argmin(both[1]))]
    return Part("text_tree", data, {"odds": odds, "least": least, "one": SEEN}, link_lab(SCENE))


STORY = (
    look("heard", show_heard),
    look("factors", show_factors),
    look("product", show_product),
    look("bits", show_bits),
    ask("zero", ask_zero),
    look("smoothed", show_smoothed),
    look("order", show_order, CONTEXT),
    ask("longer", ask_longer),
    do("own", show_own, OWN_TEXT, ORDER),
    end("answer", show_answer),
)


def score(sentence: str, smoothing: str = NO_SMOOTHING.name, n: int = 2) -> Factors:
    """Return the factors of a sentence under the story's model."""
    return sequence_log_probability(model_of(smoothing, n), play().encode(sentence))


def names_of(sentence: str) -> list[str]:
    """Return the tokens of a sentence as the story shows them, its end among them."""
    return [name_token(play(), token) for token in play().encode(sentence)]


def counts_along(sentence: str) -> list[tuple[int, int]]:
    """Return, for each token of a sentence, c(hw) and c(h) with one token of context."""
    tokens, model = play().encode(sentence), model_of(NO_SMOOTHING.name, 2)
    steps = [explain(model, tokens[:i], token) for i, token in enumerate(tokens)]
    return [(int(step.count), int(step.context_count)) for step in steps]


def link_lab(sentence: str, n: int = ORDER.default, raw: bool = False) -> dict:
    """Return the settings of the lab that show a sentence."""
    return {"words_sentence": sentence, "n": n, "raw": raw}


# The lab.


def lab() -> None:
    """A sentence's factors as bars; one of them worked out from its counts; what is left without smoothing."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        document = text_source(PLAY)
        counted = choose_counts(LESSON, document, remarks)
        sentence, typed = choose_sentence(counted)
        order = choose_order(LESSON)
        chosen = choose_smoothing(LESSON)
        raw = LESSON.draw(RAW)
        LESSON.options()
    tokens = counted.encode(sentence)
    smoothing = NO_SMOOTHING if raw else chosen
    model = smoothing.fit(counted.counts, order)
    factors = sequence_log_probability(model, tokens)
    drawn = min(len(tokens), TOKENS_SHOWN)
    with stage:
        if revealed := ask_least_expected(counted, factors, f"{order}_{chosen.name}_{raw}"):
            names = [counted.name(token) for token in tokens[:drawn]]
            LESSON.steps(bar_frames(drawn), shared=shared_factors(names, factors.log_probabilities[:drawn]))
            say_least(counted, factors, order)
            show_measures(factors)
            if not typed and sentence != SEEN:
                st.caption(WORDS.label("says.spliced"))
            elif not unseen_share(counted.counts, tokens, min(order, ORDER_AT_MOST)) and order > 2:
                st.caption(WORDS.label("says.copied", n=order))
    with remarks:
        say_unknown(counted, sentence, WORDS.label("scored"))
        if len(tokens) > TOKENS_SHOWN:
            st.caption(WORDS.label("says.long", n=len(tokens), drawn=TOKENS_SHOWN))
    if raw and revealed:
        smoothed = sequence_log_probability(chosen.fit(counted.counts, order), tokens)
        compare_smoothing(counted, smoothed, factors, order)
    if revealed:
        if box := LESSON.fold("worked"):
            with box:
                about = document, counted.unit, smoothing.name, tuple(smoothing.arguments.items())
                LESSON.steps(worked_frames(*about, order, tuple(tokens[:drawn])), name="worked_steps")
        LESSON.every_number(WORDS.label("table"), factor_table, counted, model, factors)
    LESSON.close_lab(
        code=[
            *(sequence_log_probability, NgramModel.token_log_probabilities, NgramModel.token_scores),
            *(SMOOTHINGS[smoothing.name].fit, discounted_level, explain, spliced),
        ],
        parameters={
            "sample": sample_in_use(),
            "unit": counted.unit,
            "sentence": sentence,
            "n": order,
            "method": SMOOTHINGS[smoothing.name].fit.__name__,
            "arguments": dict(smoothing.arguments),
        },
        prompts={
            "raw": {"raw": True, "n": 5},
            "order": {"n": 1},
            "letters": {"unit": "characters", "n": 4},
        },
    )


def choose_sentence(counted: CountedText) -> tuple[str, str]:
    """Draw the field for a sentence, in the address as `<lesson>_<unit>_sentence`; return the sentence and what was typed.

    An empty field has the story's sentence where the text has its words, else the halves of two of its sentences.
    """
    example = SEEN
    if counted.unit != UNITS[0] or counted.unknown(SEEN):
        between = "" if counted.unit == "characters" else " "
        example = between.join(counted.vocabulary.decode(spliced(counted)))
    label, hint = WORDS.label("sentence"), WORDS.label("sentence.help")
    typed = type_tokens(LESSON, counted, "sentence", label, example, hint, at_most=1000, width=300)
    typed = typed if counted.encode(typed) else ""
    return typed or example, typed


def ask_least_expected(counted: CountedText, factors: Factors, about: str) -> bool:
    """Ask for the token with the smallest factor, if it is among the first; return whether it may be shown."""
    least = int(np.argmin(factors.log_probabilities))
    if least >= ASKED:
        return True
    p, asked = factors.log_probabilities, factors.tokens[:ASKED]
    names = [counted.name(token) for i, token in enumerate(asked) if i == least or p[i] > p[least]]
    answer = counted.name(factors.tokens[least])
    return LESSON.ask(WORDS.label("question"), list(dict.fromkeys(names)), answer, f"{list(asked)}_{about}")


def show_measures(factors: Factors) -> None:
    """Show the sentence's ln p, its perplexity, and the product as it comes out of the machine."""
    measures = {
        "ln_p": format_value(factors.log_probability, ",.2f"),
        "perplexity": format_value(factors.perplexity, ",.1f"),
        "product": f"{np.prod(np.exp(factors.log_probabilities)):.3g}",
    }
    for column, (name, value) in zip(st.columns(3), measures.items(), strict=True):
        column.metric(WORDS.label(f"measure.{name}"), value)


def say_least(counted: CountedText, factors: Factors, order: int) -> None:
    """Say which token is the least expected, or how many are impossible and what that does to the product."""
    p = np.exp(factors.log_probabilities)
    if impossible := int((p == 0).sum()):
        return LESSON.say("says.impossible", {"zeros": impossible, "m": len(p), "n": order})
    least = int(np.argmin(p))
    after = counted.counts.look_back(factors.tokens[:least], order - 1)
    values = {
        "m": len(p),
        "context": counted.write(after) if after else "",
        "token": counted.name(factors.tokens[least]),
        "p": float(p[least]),
        "tied": bool((np.delete(p, least) <= p[least] * (1 + SAME)).any()),
    }
    return LESSON.say("says.least", values)


def compare_smoothing(counted: CountedText, smoothed: Factors, raw: Factors, order: int) -> None:
    """Show the sentence's perplexity with the smoothing and without, and say why they differ."""
    LESSON.compare("raw", smoothed.perplexity, raw.perplexity, ",.1f", more_is_better=False)
    if not unseen_share(counted.counts, raw.tokens, order):
        gained = np.subtract(smoothed.log_probabilities, raw.log_probabilities)
        up, down = int((gained > SAME).sum()), int((gained < -SAME).sum())
        st.markdown(WORDS.markdown("says.all_seen", n=order, up=up, down=down, m=len(gained)))


def bar_frames(drawn: int) -> list[dict]:
    """Return a step for each factor: its bar is marked."""
    alt = WORDS.label("alt.factors", n=drawn)
    names = [WORDS.label("step", i=i + 1) for i in range(drawn)]
    return [frame(name, {"kind": "factors", "at": i}, alt, "") for i, name in enumerate(names)]


@cached(24, 6, shared=is_sample)
def worked_frames(
    document: Document, unit: str, smoothing: str, arguments: tuple, n: int, tokens: Sequence[int]
) -> list[dict]:
    """Return a step for each factor: how it comes from the counts."""
    counted = counts_of(document, unit)
    model = ChosenSmoothing(smoothing, dict(arguments)).fit(counted.counts, n)
    frames = []
    for i, token in enumerate(tokens):
        h = counted.counts.look_back(tokens[:i], n - 1)
        note = f"p( {counted.name(token)}{f' | {counted.write(h)}' if h else ''} )"
        formula = worked(counted, model, list(tokens[:i]), token)
        frames.append(frame(WORDS.label("step", i=i + 1), None, "", "", [note], [formula]))
    return frames
