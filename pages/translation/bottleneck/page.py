"""The seq2seq bottleneck: what the story shows beat by beat, and the lab that measures accuracy against length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.palette import BLUE, GREY, PINK
from core.figures.share_line import table_of_lengths
from core.figures.translation import column_labels
from core.lesson.cache import shared_lru_cache
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.translator_choice import FRENCH, SCORES, TASKS, name_unknown, translator_of
from core.lesson.settings import Choice, Settings, Slider, Switch
from core.lesson.story import Part, ask, do, end, look
from core.models.stored import load_card
from core.models.translation.accuracy_by_length import (
    AT_ONCE,
    AttemptedSentence,
    Growth,
    Measured,
    Measurement,
    failures,
    length_rows,
    pairs_of,
    sentence_rows,
    shares_kept,
    shares_right,
    sureness,
)
from core.models.translation.bottleneck import (
    Attempt,
    Narrowed,
    attempts,
    exact_match_interval,
    last_state,
    mean_kept,
    movement,
    words_kept,
)
from core.models.translation.translate import Translator
from core.models.translation.translation_race import (
    GreedyTranslation,
    encode_growing_text,
    parting_row,
    translate_and_score,
)
from core.text.grammar.grammar import LONGEST, SHORTEST
from core.text.grammar.pairs import MOST_WORDS, Pair, sentence_of
from core.words.numbers import percent, signed
from pages.translation.bottleneck import LESSON, LONG_SENTENCE, SHORT_SENTENCE
from pages.translation.bottleneck.figures import (
    ATTENDS,
    BROKEN,
    NOT,
    WRONG,
    bars_figure,
    by_range,
    draw_sentences,
    draw_seq2seq,
    draw_two,
    length_figure,
    movement_figure,
    strip_figure,
    sureness_figure,
    wrong_words,
)
from pages.translation.shared.marked_translation import show_side_by_side

WORDS = LESSON.words
MODELS = TASKS[FRENCH].models
NONE = "none"  # the score of the model without attention
WHOLE, KEPT = "whole", "kept"
LEVELS = {"over_90": 0.9, "over_50": 0.5, "over_10": 0.1, "under_10": -1.0}
PIECES = (
    "the woman buys a red hat\nfor her clever sister\nand the old doctor is sending a letter\nto the kind teacher\n"
    "because he is ill"
)
EXAMPLES = (PIECES,)
LENGTHS = list(range(SHORTEST, LONGEST + 1))
EVERY, FEW, PIECES_AT_MOST = 2, 5, 8  # every second number is lost; words of a short sentence; pieces read
SEED, PARTS = 1, {FEW: 12, LONGEST: 6}  # of the story's measurements: parts of 5 sentences, by length
TRACED, OF_EACH = (5, 10, 15, 20, 25), 2  # lengths at which words are left out, and parts of each
STEP = 1  # the step of the short sentence at which the attention is drawn

WORD_COUNT = Slider("word_count", 15, SHORTEST, LONGEST)
NUMBER = Slider("number", 1, 1, 20)
MEASURE = Choice("measure", WHOLE, (WHOLE, KEPT), {"the whole sentence": WHOLE, "its words": KEPT})
SCORE, HALF = Choice("score", SCORES[0], SCORES), Switch("broken")
LAB = (HALF, MEASURE, SCORE)


def say(key: str, **values: object) -> str:
    """Return a label of the lesson."""
    return WORDS.label(key, **values)


# The story: what each beat shows.


def show_fall(settings: Settings) -> Part:
    """How many sentences the model without attention gets right, by their length."""
    shares = card_shares(NONE)
    first, *_, last = shares.values()
    figure = bars_figure({say("name.without"): (PINK, shares)}, say("axis.words"), say("axis.whole"))
    values = {
        "first": percent(first),
        "last": percent(last, 0),
        "n": load_card(MODELS[NONE]).quality["held_out_pairs"],
    }
    return Part("figure", {"figure": figure.to_dict()}, values)


def show_vector(settings: Settings) -> Part:
    """The machine: an encoder, one vector, a decoder, on a short sentence."""
    words, seen = SHORT_SENTENCE.split(), translate(NONE, SHORT_SENTENCE)
    vector, _ = moved_by_each(tuple(words))
    data = draw_seq2seq(say, words, seen.attempt.output, vector)
    values = {"H": len(vector), "S": len(words), "written": sentence_of(seen.attempt.output, "fr")}
    return Part("machine", data, values)


def show_trace(settings: Settings) -> Part:
    """How far the vector moves when one word is left out, by the length of the sentence."""
    moved = mean_movement()
    shares = {str(length): share for length, share in moved.items()}
    figure = bars_figure({say("axis.movement"): (GREY, shares)}, say("axis.words"), say("axis.movement"), 0.6)
    values = {
        "short": percent(moved[FEW], 0),
        "long": percent(moved[LONGEST], 0),
        "few": FEW,
        "many": LONGEST,
        "H": load_card(MODELS[NONE]).config["hidden"],
        "n": AT_ONCE * OF_EACH,
    }
    return Part("figure", {"figure": figure.to_dict()}, values)


def show_lost(settings: Settings) -> Part:
    """A long sentence as the model without attention translates it; first without what it wrote."""
    seen = translate(NONE, LONG_SENTENCE)
    english, right = LONG_SENTENCE.split(), seen.attempt.pair.target
    rows = [("english", say("row.english"), english, [""] * len(english))]
    rows.append(("right", say("row.right"), right, [""] * len(right)))
    if settings.revealed:
        written, hues = wrong_words(seen.attempt.output, right)
        rows.append(("written", say("row.written"), written, hues))
    values = {"S": len(english), "shown": settings.revealed}
    if settings.revealed:
        long = measured_once(NONE, False, LONGEST)
        values |= {"n": len(long), "right": sum(each.right for each in long)}
        values["kept"] = percent(float(np.mean([each.kept for each in long])), 0)
    return Part("machine", draw_sentences(rows), values, {}, ("stops", "mixes", "nonsense"), "mixes")


def show_attention(settings: Settings) -> Part:
    """The same machine with attention: a vector for each word, and the weights of one step."""
    words, seen = SHORT_SENTENCE.split(), translate(SCORES[0], SHORT_SENTENCE)
    model = measured_translator(SCORES[0])
    weights = translate_and_score(model, words).weights[STEP]
    vector = last_state(model.model, model.source.encode(words))
    best = int(weights.argmax())
    data = draw_seq2seq(say, words, seen.attempt.output, vector, weights, STEP)
    values = {
        "S": len(words),
        "H": len(vector),
        "total": f"{len(words) * len(vector):,}",
        "word": seen.attempt.output[STEP],
        "best": words[best],
        "weight": f"{weights[best]:.2f}",
    }
    return Part("machine", data, values)


def show_both(settings: Settings) -> Part:
    """Both models by length; first only the one without attention."""
    without, attends = card_shares(NONE), card_shares(SCORES[0])
    groups = {say("name.without"): (PINK, without)}
    if settings.revealed:
        groups[say("name.attends")] = (BLUE, attends)
    figure = bars_figure(groups, say("axis.words"), say("axis.whole"))
    last = list(without.values())[-1]
    values = {
        "last": percent(last, 0),
        "right": percent(list(attends.values())[-1], 0) if settings.revealed else "",
        "shown": settings.revealed,
    }
    return Part("figure", {"figure": figure.to_dict()}, values, {}, ("same", "middle", "all"), "all")


def show_half(settings: Settings) -> Part:
    """Short sentences with half of the vector erased, in both models; first as they were."""
    kinds = (False, True) if settings.revealed else (False,)
    right = {
        (score, broken): sum(each.right for each in measured_once(score, broken, FEW))
        for score in (NONE, SCORES[0])
        for broken in kinds
    }
    n = PARTS[FEW] * AT_ONCE
    groups = {
        say("name.half" if broken else "name.full"): (
            PINK if broken else GREY,
            {
                say(f"name.{name}"): right[score, broken] / n
                for name, score in ((NOT, NONE), (ATTENDS, SCORES[0]))
            },
        )
        for broken in kinds
    }
    figure = bars_figure(groups, "", say("axis.whole"))
    values = {
        "n": n,
        "few": FEW,
        "before": right[NONE, False],
        "now": right.get((NONE, True), ""),
        "share": percent(right[NONE, True] / n, 0) if settings.revealed else "",
        "attends": right.get((SCORES[0], True), ""),
        "shown": settings.revealed,
    }
    return Part(
        "figure",
        {"figure": figure.to_dict()},
        values,
        {"broken": True},
        ("neither", "without", "both"),
        "without",
    )


def show_own(settings: Settings) -> Part:
    """A held-out sentence of a length and number that the learner chooses, by both models."""
    made = {
        name: attempts_of(score, False, settings.number, 0, settings.word_count)[0]
        for name, score in ((NOT, NONE), (ATTENDS, SCORES[0]))
    }
    pair = made[NOT].pair
    rows = [("english", say("row.english"), pair.source, [""] * len(pair.source))]
    for name, each in made.items():
        rows.append((name, say(f"name.{name}"), *wrong_words(each.output, pair.target)))
    values = {f"{name}_right": each.right for name, each in made.items()}
    values |= {"S": len(pair.source), "wrong": sum(hue == WRONG for hue in rows[1][3])}
    return Part("machine", draw_sentences(rows), values)


def show_answer(settings: Settings) -> Part:
    """Both models side by side: a vector, or a vector for each word, and what they get right."""
    H = load_card(MODELS[NONE]).config["hidden"]
    shares = {
        name: list(card_shares(score).values())[-1] for name, score in ((NOT, NONE), (ATTENDS, SCORES[0]))
    }
    right = {name: say("box.right", share=percent(share, 0)) for name, share in shares.items()}
    values = {
        "H": H,
        "S": LONGEST,
        "total": f"{LONGEST * H:,}",
        **{name: percent(each, 0) for name, each in shares.items()},
    }
    return Part("machine", draw_two(say, LONGEST, H, right), values)


STORY = (
    look("fall", show_fall),
    look("vector", show_vector),
    look("trace", show_trace),
    ask("lost", show_lost),
    look("attention", show_attention),
    ask("both", show_both),
    ask("half", show_half),
    do("own", show_own, WORD_COUNT, NUMBER),
    end("answer", show_answer),
)


def card_shares(score: str) -> dict[str, float]:
    """Return the exact match of a model's card by the range of lengths."""
    ranges = by_range(load_card(MODELS[score]).quality)
    return {say("range", first=first, last=last): share for (first, last), share in ranges.items()}


@lru_cache(maxsize=16)
def translate(score: str, text: str) -> AttemptedSentence:
    """Return what the model of a score makes of one of the story's sentences."""
    return sureness(measured_translator(score), TASKS[FRENCH].reference(text.split()))


@lru_cache(maxsize=16)
def measured_once(score: str, broken: bool, length: int) -> tuple[Attempt, ...]:
    """Return what a model writes for the story's held-out sentences of a length."""
    return tuple(each for k in range(PARTS[length]) for each in attempts_of(score, broken, SEED, k, length))


@lru_cache(maxsize=1)
def mean_movement() -> dict[int, float]:
    """Return by length how far the vector moves when a word is left out, the mean over words and sentences."""
    translator = measured_translator(NONE)
    return {
        length: float(
            np.mean(
                [
                    movement(translator.model, translator.source.encode(pair.source)).mean()
                    for k in range(OF_EACH)
                    for pair in pairs_of(SEED, k, length)
                ]
            )
        )
        for length in TRACED
    }


# The models, and what they write.


@cache
def measured_translator(score: str, broken: bool = False) -> Translator:
    """Return the translator of a score, or a copy that half of its vector does not reach."""
    whole = translator_of(MODELS[score])
    return replace(whole, model=Narrowed(whole.model, EVERY)) if broken else whole


@shared_lru_cache(4000)
def attempts_of(score: str, broken: bool, seed: int, number: int, length: int) -> tuple[Attempt, ...]:
    """Return what a model writes for the held-out pairs of one part."""
    return tuple(attempts(measured_translator(score, broken), pairs_of(seed, number, length)))


@cached(200, 20, shared=no_typed_words)
def sure_of(score: str, words: tuple[str, ...], _pair: Pair) -> AttemptedSentence:
    """Return what the model of a score writes for a pair, and how sure it is of each word."""
    return sureness(measured_translator(score), _pair)


@cached(200, 20, shared=no_typed_words)
def moved_by_each(words: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return the one vector of a sentence, and how far it moves when each word is left out."""
    model, ids = measured_translator(NONE).model, measured_translator(NONE).source.encode(words)
    return last_state(model, ids), movement(model, ids)


@cached(128, 32, shared=no_typed_words)
def ran(own: str, words: tuple[str, ...]) -> GreedyTranslation:
    """Return what the model of a score makes of a beginning."""
    return translate_and_score(measured_translator(own), words)


# The lab.


def lab() -> None:
    """Accuracy against length, measured live; where it goes wrong; the one vector; a sentence that grows."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        score, measurement = choose_measurement()
        measure = LESSON.draw(MEASURE)
    with stage:
        (shortest, longest), share = max(stored_shares(score)[NOT].items())
        answer = next(level for level, least in LEVELS.items() if share > least)
        levels = {level: WORDS.label(f"level.{level}") for level in LEVELS}
        question = WORDS.label("question", shortest=shortest, longest=longest)
        about = f"{shortest}_{longest}"
        if revealed := LESSON.ask(question, list(levels.values()), levels[answer], about):
            measured = growing_measure(score, measurement, measure)
            st.caption(WORDS.markdown("caption.measured", bands=measure == WHOLE))
    if revealed:
        if NOT + BROKEN in measured:
            show_loss(measured)
        if box := LESSON.fold("where"):
            with box:
                if pair := choose_failed(measured):
                    show_translations(score, pair)
                    st.subheader(WORDS.heading("one_vector"), anchor=False)
                    show_one_vector(pair, measurement.seed)
        if box := LESSON.fold("grow"):
            with box:
                growing_sentence(score)
        LESSON.every_number(WORDS.label("table.lengths"), length_table, measured)
        LESSON.every_number(WORDS.label("table.sentences"), lambda: named(sentence_rows(measured)))
    LESSON.close_lab(
        code=[
            attempts,
            exact_match_interval,
            words_kept,
            mean_kept,
            Narrowed,
            sureness,
            last_state,
            movement,
        ],
        parameters={"score": score, "lengths": list(measurement.lengths), "seed": measurement.seed},
        prompts={
            "begins": {"lengths": list(range(3, 13)), "count": 20},
            "kept": {"measure": KEPT, "lengths": [5, 15, 25]},
            "half": {"broken": True, "lengths": [5, 10]},
        },
    )


def choose_measurement() -> tuple[str, Measurement]:
    """Draw the controls; return the score of the model with attention, and what is to be measured."""
    help = WORDS.label("lengths.help")
    lengths = LESSON.several("lengths", WORDS.label("lengths"), LENGTHS, LENGTHS[2::5], width=330, help=help)
    count = LESSON.slider("count", WORDS.label("count"), AT_ONCE, 200, 30, AT_ONCE)
    with LESSON.options():
        score = LESSON.draw(SCORE)
        seed = LESSON.number("seed", WORDS.label("seed"), 0, 999, SEED)
        broken = LESSON.draw(HALF)
    if not lengths:
        st.info(WORDS.markdown("note.no_length"))
    models = {ATTENDS: (score, False), NOT: (NONE, False)}
    if broken:
        models |= {ATTENDS + BROKEN: (score, True), NOT + BROKEN: (NONE, True)}
    return score, Measurement(tuple(models.items()), tuple(sorted(lengths or [10])), count, int(seed))


def stored_shares(score: str) -> dict[str, dict[tuple[int, int], float]]:
    """Return the exact match by length that the cards of the two models tell."""
    models = {ATTENDS: MODELS[score], NOT: MODELS[NONE]}
    return {name: by_range(load_card(model).quality) for name, model in models.items()}


def growing_measure(score: str, measurement: Measurement, measure: str) -> Measured:
    """Measure and draw again and again what there is so far, with a button to stop; return what there is now."""
    growth = LESSON.get_state("growth")
    if growth is None or growth.measurement != measurement:
        LESSON.set_state("growth", growth := Growth(measurement, attempts_of))
    growth.recall(attempts_of.cache)  # or one part: the page comes at once, and the panel goes on
    running, now, page_runs = growth.growing, growth.measured(), True

    @st.fragment(run_every=0.4 if running else None)
    def panel() -> None:
        nonlocal page_runs
        if running and not page_runs:
            growth.grow()
        so_far, page_runs = now if page_runs else growth.measured(), False
        if running != growth.growing or bool(failures(now[NOT])) != bool(failures(so_far[NOT])):
            st.rerun()  # the whole page, with all that was measured: this fragment gains or loses its clock
        draw(so_far, score, measure)
        with st.container(horizontal=True, vertical_alignment="center"):
            if growth.growing:
                stop = WORDS.label("stop")
                LESSON.button("stop", stop, growth.turn, True, icon=":material/stop:")
            elif growth.stopped:
                go_on = WORDS.label("go_on")
                LESSON.button("go_on", go_on, growth.turn, False, icon=":material/play_arrow:")
            done, every = (f"{parts * AT_ONCE:,}" for parts in (growth.done, len(measurement.parts)))
            st.caption(WORDS.markdown("note.done", done=done, every=every))

    panel()
    if running:
        st.caption(WORDS.markdown("note.growing"))
    return now


def draw(measured: Measured, score: str, measure: str) -> None:
    """Draw what was measured so far, beside the cards' figures, and say what the shortest and the longest give."""
    shares = {name: (shares_right if measure == WHOLE else shares_kept)(of) for name, of in measured.items()}
    cards = stored_shares(score) if measure == WHOLE else None
    title = WORDS.label(f"axis.{measure}")
    LESSON.figure(
        "figure", length_figure(say, shares, cards, measure), WORDS.label("alt.figure", title=title)
    )
    lengths = sorted(shares[NOT])
    ends = list(dict.fromkeys((lengths[0], lengths[-1])))
    each = [
        (WORDS.label(f"name.{name}"), [f"{of[end].value:.0%}" for end in ends]) for name, of in shares.items()
    ]
    LESSON.caption(WORDS.markdown("says.ends", ends=ends, title=title, each=each))


def show_loss(measured: Measured) -> None:
    """Show, for the shortest length measured, what each model loses with half of the vector."""
    shares = {name: shares_right(by_length) for name, by_length in measured.items()}
    shortest = min(shares[NOT])
    st.markdown(WORDS.markdown("says.half", n=shares[NOT][shortest].n, words=shortest))
    for name in (ATTENDS, NOT):
        whole, broken = (shares[each][shortest].value for each in (name, name + BROKEN))
        LESSON.compare(name, whole, broken, ".0%")


def choose_failed(measured: Measured) -> Pair | None:
    """Draw the choice among the sentences that the model without attention got wrong; None when there are none yet."""
    failed, n = failures(measured[NOT]), sum(map(len, measured[NOT].values()))
    if not failed:
        st.info(WORDS.markdown("note.no_failure", n=n))
        return None
    label = WORDS.label("failed", wrong=len(failed), n=n)
    return failed[LESSON.number("failed", label, 1, len(failed)) - 1]


def show_translations(score: str, pair: Pair) -> None:
    """Write both models' translations with their mistakes marked, and how sure each was, word by word."""
    st.text(sentence_of(pair.source))
    steps, written = {}, {}
    for name, own in ((ATTENDS, score), (NOT, NONE)):
        seen = sure_of(own, (*pair.source, *pair.target), pair)
        steps[name] = (seen.words, seen.p)
        kept = WORDS.label("note.kept", share=f"{seen.attempt.kept:.0%}")
        written[WORDS.label(f"name.{name}")] = seen.attempt.output, kept
    show_side_by_side(written, pair.target, WORDS.label("note.same"))
    st.caption(WORDS.markdown("caption.marked"))
    drift = seen.attempt.drift  # of the model without attention
    alt = WORDS.label("alt.sureness", at=None if drift is None else drift + 1)
    LESSON.figure("sureness", sureness_figure(say, steps, drift), alt)


def show_one_vector(pair: Pair, seed: int) -> None:
    """Draw the one vector, count how many numbers carry how many words, and how far each word moves it."""
    short = pairs_of(seed, 0, FEW)[0].source
    (vector, moved), (_, moved_in_short) = moved_by_each(pair.source), moved_by_each(short)
    S, H = len(moved), len(vector)
    for column, name, n in zip(st.columns(2), (NOT, ATTENDS), (H, S * H), strict=True):
        column.metric(WORDS.label(f"metric.{name}"), f"{n:,}")
        column.caption(WORDS.markdown(f"caption.{name}", H=H, S=S, each=f"{H / S:.1f}"))
    LESSON.figure("strip", strip_figure(say, vector), WORDS.label("alt.strip", H=H))
    st.caption(WORDS.markdown("caption.strip", half=H // 2, next=H // 2 + 1, H=H))
    values = {"moved": percent(float(moved.mean()), 0), "S": S, "few": FEW, "text": " ".join(short)}
    values["in_short"] = percent(float(moved_in_short.mean()), 0)
    st.markdown(WORDS.markdown("says.moved", **values))
    LESSON.figure("movement", movement_figure(say, pair.source, moved), WORDS.label("alt.movement"))


def growing_sentence(score: str) -> None:
    """Draw the field for the pieces; translate every beginning with both models and show where they part."""
    text = LESSON.text_area("pieces", WORDS.label("pieces"), PIECES, max_chars=1500, height=140)
    if not text.strip():
        st.info(WORDS.markdown("note.no_piece"))
    sentences = encode_growing_text(text.strip() or PIECES, TASKS[FRENCH].read, PIECES_AT_MOST, MOST_WORDS)
    if len(sentences[-1]) == MOST_WORDS or len(text.split("\n")) > PIECES_AT_MOST:
        st.caption(WORDS.markdown("note.cut", words=MOST_WORDS, pieces=PIECES_AT_MOST))
    name_unknown(LESSON, "pieces", TASKS[FRENCH], sentences[-1])
    pairs = [tuple(ran(own, tuple(words)) for own in (score, NONE)) for words in sentences]
    rows = [parting_row(words, *pair) for words, pair in zip(sentences, pairs, strict=True)]
    table = pd.DataFrame(rows).rename(columns=column_labels(rows[0]))
    st.dataframe(table, hide_index=True, alt=WORDS.label("alt.pieces"))
    show_parting(sentences, pairs)
    if len(sentences[-1]) > LONGEST:
        st.caption(WORDS.markdown("note.longer", longest=LONGEST))


def show_parting(
    sentences: list[list[str]], pairs: list[tuple[GreedyTranslation, GreedyTranslation]]
) -> None:
    """Say with which piece the translations part, and write them beside each other with the difference marked."""
    parted = [i for i, (attends, without) in enumerate(pairs) if attends.words != without.words]
    shown = parted[0] if parted else len(pairs) - 1
    values = {"parted": bool(parted), "piece": shown + 1, "of": len(pairs), "words": len(sentences[shown])}
    st.text(WORDS.label("says.parting", **values))
    reference = TASKS[FRENCH].reference(sentences[shown])
    wanted = reference.target if reference else pairs[shown][0].words
    written = {
        WORDS.label(f"name.{name}"): (made.words, f"ln p = {signed(made.translation.log_probability)}")
        for name, made in zip((ATTENDS, NOT), pairs[shown], strict=True)
    }
    show_side_by_side(written, wanted, WORDS.label("note.same") if reference else "")
    st.caption(WORDS.markdown("caption.parting", known=reference is not None))


def named(rows: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """Return rows as a table with the models' and columns' names as they are shown."""
    return pd.DataFrame(with_names(rows)).rename(columns=column_labels(rows[0]))


def with_names(rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Return rows with the models' names as they are shown."""
    return [{**row, "model": WORDS.label(f"name.{row['model']}")} for row in rows]


def length_table(measured: Measured) -> tuple[pd.DataFrame, object]:
    """Return a row for each model and length with its formulas."""
    return table_of_lengths(with_names(length_rows(measured)))
