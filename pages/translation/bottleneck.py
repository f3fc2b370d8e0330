"""The bottleneck: accuracy against length, with attention and with one vector for the whole sentence."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.translation.bottleneck import (
    by_range,
    ends_said,
    length_figure,
    movement_figure,
    strip_figure,
    sureness_figure,
    worked_length,
)
from core.figures.worked import signed
from core.lesson.break_it import consequence
from core.lesson.cache import shared_lru_cache
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.translator_choice import FRENCH, SCORES, TASKS, name_unknown, translator_of
from core.lesson.lesson import Lesson
from core.models.stored import load_card
from core.models.translation.accuracy_by_length import (
    AT_ONCE,
    Growth,
    Measured,
    Measurement,
    Seen,
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
    last_state,
    mean_kept,
    movement,
    share_right,
    words_kept,
)
from core.models.translation.translate import Translator
from core.models.translation.translation_race import Run, beginnings, parting_row, run
from core.text.grammar.grammar import LONGEST, SHORTEST
from core.text.grammar.pairs import MOST_WORDS, Pair, sentence_of
from pages.translation.shared.marked_translation import LEGEND, show_side_by_side

LESSON = Lesson(
    __name__,
    title="The bottleneck",
    question="Why does a translator without attention fail on long sentences?",
    icon="funnel",
)
MODELS = TASKS[FRENCH].models
WHOLE, KEPT = "the whole sentence", "its words"
TITLES = {WHOLE: "equal to the reference", KEPT: "reference words in the output"}
ATTENDS, NOT, BROKEN = "with attention", "without attention", ", broken"
LEVELS = {"over 90%": 0.9, "50 to 90%": 0.5, "10 to 50%": 0.1, "under 10%": -1.0}
PIECES = (
    "the woman buys a red hat\nfor her clever sister\nand the old doctor is sending a letter\nto the kind teacher\n"
    "because he is ill"
)
LENGTHS = list(range(SHORTEST, LONGEST + 1))
EVERY, SHORT, PIECES_AT_MOST = 2, 5, 8  # every second number is lost; words of a short sentence; pieces read


def picture() -> Figure:
    """Exact match against length from two cards: with attention it stays, without it falls."""
    return small(length_figure({}, stored_shares(SCORES[0])))


def page() -> None:
    """Accuracy against length, measured live; where it goes wrong; the one vector; a sentence that grows."""
    LESSON.open(
        r"c_t = \bar h_{last} \ \text{(without attention: the same vector at every step)} \qquad "
        r"c_t = \sum_s a_{ts} \bar h_s \ \text{(with attention)}",
        "$c_t$: the context, what the decoder sees of the input while it writes word $t$; $\\bar h_{last}$: the encoder's "
        "last state; $\\bar h_s$: its state at input word $s$; $a_{ts}$: the attention weights. Both decoders begin in a "
        "state made from $\\bar h_{last}$.",
    )
    controls, stage = LESSON.stage()
    with controls:
        broken_why = "Every second number of the encoder's last state becomes 0, in both models."
        broken = LESSON.break_it("broken", "Break it: half of the vector is lost", broken_why)
        score, measurement = choose_measurement(broken)
        measure = LESSON.choose("measure", "Measure", [WHOLE, KEPT])
    with stage:
        (shortest, longest), share = max(stored_shares(score)[NOT][1].items())
        answer = next(level for level, least in LEVELS.items() if share > least)
        question = f"Sentences of {shortest} to {longest} words: what share does the model without attention get right?"
        if revealed := LESSON.ask(question, list(LEVELS), answer, f"{shortest}_{longest}"):
            measured = growing_measure(score, measurement, measure)
            bands = "Bands: what the models' cards say." if measure == WHOLE else ""
            st.caption(f"Points: sentences translated now, with 95% intervals that shrink with more. {bands}")
    if revealed:
        if broken:
            what_is_lost(measured)
        st.header("Where does it go wrong?", anchor=False)
        if pair := choose_failed(measured):
            show_both(score, pair)
            st.header("The one vector", anchor=False)
            show_vector(pair, measurement.seed)
        st.header("Make it longer, piece by piece", anchor=False)
        growing_sentence(score)
        LESSON.every_number(
            "accuracy by length",
            lambda: (pd.DataFrame(rows := length_rows(measured)), lambda r, c: worked_length(rows[r], c)),
        )
        LESSON.every_number("sentences", lambda: pd.DataFrame(sentence_rows(measured)))
    LESSON.closing(
        code=[attempts, share_right, words_kept, mean_kept, Narrowed, sureness, last_state, movement],
        notebook=[
            "from core.models.translation.accuracy_by_length import pairs_of\n"
            "from core.models.translation.bottleneck import attempts, share_right\n"
            "from core.models.translation.translate import stored_translator\n\n"
            f"models = {{{ATTENDS!r}: {MODELS[score]!r}, {NOT!r}: {MODELS['none']!r}}}",
            f"measured = {{name: (name == {ATTENDS!r}, {{}}) for name in models}}\n"
            f"for length in {list(measurement.lengths)}:\n"
            f"    pairs = pairs_of({measurement.seed}, 0, length)  # the first {AT_ONCE} of those on the page\n"
            "    for name, model in models.items():\n"
            "        right = [attempt.right for attempt in attempts(stored_translator(model), pairs)]\n"
            "        measured[name][1][length] = share_right(right)\nmeasured",
        ],
        plot="from core.figures.translation.bottleneck import length_figure\n\ndraw(length_figure(measured))",
        try_this=[
            ("From 3 to 12 words: where does the fall begin?", {"lengths": list(range(3, 13)), "count": 20}),
            ("Only the words, in any order: what is left at 25?", {"measure": KEPT, "lengths": [5, 15, 25]}),
            ("Lose half of the vector: which model does not care?", {"broken": True, "lengths": [5, 10]}),
        ],
        sources=[
            "Kyunghyun Cho et al. (2014), On the properties of neural machine translation: encoder-decoder approaches.",
            "Dzmitry Bahdanau, Kyunghyun Cho and Yoshua Bengio (2015), Neural machine translation by jointly learning to "
            "align and translate.",
            "Edwin Wilson (1927), Probable inference, the law of succession, and statistical inference (the interval).",
        ],
    )


def choose_measurement(broken: bool) -> tuple[str, Measurement]:
    """Draw the controls; return the score of the model with attention, and what is to be measured."""
    lengths = LESSON.several("lengths", "Lengths", LENGTHS, LENGTHS[2::5], width=330, help="“.” is a word.")
    count = LESSON.slider("count", "Sentences of each length", AT_ONCE, 200, 30, AT_ONCE)
    with LESSON.more():
        score = LESSON.select("score", "Attention score", SCORES)
        seed = LESSON.number("seed", "Seed", 0, 999, 1)
    if not lengths:
        st.info("Choose at least one length. Until then you see sentences of ten words.")
    models = {ATTENDS: (score, False), NOT: ("none", False)}
    if broken:
        models |= {ATTENDS + BROKEN: (score, True), NOT + BROKEN: ("none", True)}
    return score, Measurement(tuple(models.items()), tuple(sorted(lengths or [10])), count, int(seed))


def stored_shares(score: str) -> dict[str, tuple[bool, dict[tuple[int, int], float]]]:
    """Return the exact match by length that the cards of the two models tell."""
    models = {ATTENDS: MODELS[score], NOT: MODELS["none"]}
    return {name: (name == ATTENDS, by_range(load_card(model).quality)) for name, model in models.items()}


@cache
def measured_translator(score: str, broken: bool = False) -> Translator:
    """Return the translator of a score, or a copy that half of its vector does not reach."""
    whole = translator_of(MODELS[score])
    return replace(whole, model=Narrowed(whole.model, EVERY)) if broken else whole


@shared_lru_cache(4000)
def attempts_of(score: str, broken: bool, seed: int, number: int, length: int) -> tuple[Attempt, ...]:
    """Return what a model writes for the held-out pairs of one part."""
    return tuple(attempts(measured_translator(score, broken), pairs_of(seed, number, length)))


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
                LESSON.button("stop", "Stop", growth.turn, True, icon=":material/stop:")
            elif growth.stopped:
                LESSON.button("go_on", "Go on", growth.turn, False, icon=":material/play_arrow:")
            done, every = growth.done * AT_ONCE, len(measurement.parts) * AT_ONCE
            st.caption(f"{done:,} of {every:,} sentences measured.")

    panel()
    if running:
        st.caption("What stands below follows when all are measured, or when you stop.")
    return now


def draw(measured: Measured, score: str, measure: str) -> None:
    """Draw what was measured so far, beside the cards' figures, and say what the shortest and the longest give."""
    shares = {name: (shares_right if measure == WHOLE else shares_kept)(of) for name, of in measured.items()}
    LESSON.set_values(**{name.split()[0]: f"{of[max(of)].value:.0%}" for name, of in shares.items()})
    LESSON.set_values(many=len(measured[NOT][max(measured[NOT])]))
    lines = {name: (name.startswith(ATTENDS), each) for name, each in shares.items()}
    cards = stored_shares(score) if measure == WHOLE else None
    alt = f"{TITLES[measure].capitalize()}, a share, against the number of words, with 95% intervals"
    LESSON.figure("figure", length_figure(lines, cards, TITLES[measure]), alt)
    LESSON.caption(ends_said(shares, TITLES[measure]))


def what_is_lost(measured: Measured) -> None:
    """Show, for the shortest length measured, what each model loses with half of the vector."""
    shares = {name: shares_right(by_length) for name, by_length in measured.items()}
    shortest = min(shares[NOT])
    st.markdown(
        f"Every second number of the vector is now 0. {shares[NOT][shortest].n} sentences of {shortest} words, "
        f"{TITLES[WHOLE]}:"
    )
    for name in (ATTENDS, NOT):
        whole, broken = (shares[each][shortest].value for each in (name, name + BROKEN))
        consequence(f"Right, {name}", whole, broken, ".0%")


def choose_failed(measured: Measured) -> Pair | None:
    """Draw the choice among the sentences that the model without attention got wrong; None when there are none yet."""
    failed, n = failures(measured[NOT]), sum(map(len, measured[NOT].values()))
    if not failed:
        more = "Measure more, or longer ones."
        st.info(f"Without attention the model fails on none of these {n} sentences. {more}")
        return None
    if LESSON.get_state("failed", 1) > len(failed):
        LESSON.set_state("failed", len(failed))
    one = "The only one" if len(failed) == 1 else f"One of the {len(failed)}"
    label = f"{one} of {n} sentences that the model without attention got wrong"
    return failed[LESSON.number("failed", label, 1, len(failed)) - 1]


def show_both(score: str, pair: Pair) -> None:
    """Write both models' translations with their mistakes marked, and how sure each was, word by word."""
    st.text(sentence_of(pair.source))
    steps, written = {}, {}
    for name, own in ((ATTENDS, score), (NOT, "none")):
        seen = sure_of(own, (*pair.source, *pair.target), pair)
        steps[name] = (own != "none", seen.words, seen.p)
        written[name] = seen.attempt.output, f"{seen.attempt.kept:.0%} of the reference's words kept"
    show_side_by_side(written, pair.target)
    st.caption(LEGEND)
    drift = seen.attempt.drift  # of the model without attention
    where = "it does not go wrong" if drift is None else f"it first goes wrong at word {drift + 1}"
    alt = f"How probable each model found each word it wrote; without attention {where}"
    LESSON.figure("sureness", sureness_figure(steps, drift), alt)


@cached(200, 20, shared=no_typed_words)
def sure_of(score: str, words: tuple[str, ...], _pair: Pair) -> Seen:
    """Return what the model of a score writes for a pair, and how sure it is of each word."""
    return sureness(measured_translator(score), _pair)


@cached(200, 20, shared=no_typed_words)
def moved_by_each(words: tuple[str, ...]) -> tuple:
    """Return the one vector of a sentence, and how far it moves when each word is left out."""
    model, ids = measured_translator("none").model, measured_translator("none").source.encode(words)
    return last_state(model, ids), movement(model, ids)


def show_vector(pair: Pair, seed: int) -> None:
    """Draw the one vector, count how many numbers carry how many words, and how far each word moves it."""
    short = pairs_of(seed, 0, SHORT)[0].source
    (vector, moved), (_, moved_in_short) = moved_by_each(pair.source), moved_by_each(short)
    S, H = len(moved), len(vector)
    left, right = st.columns(2)
    left.metric(f"Numbers the decoder can look at, {NOT}", f"{H:,}")
    left.caption(f"One vector of {H}: {H / S:.1f} numbers for each of {S} words.")
    right.metric(f"Numbers the decoder can look at, {ATTENDS}", f"{S * H:,}")
    right.caption(f"A vector of {H} for each of {S} words: it grows with the sentence.")
    LESSON.figure("strip", strip_figure(vector), f"The {H} numbers of the encoder's last state, from −1 to 1")
    st.caption(
        f"Blue: above 0; orange: below. Numbers 1 to {H // 2}: the reader from left to right, which has just read the "
        f"last word. {H // 2 + 1} to {H}: the reader from right to left, which has just read the first."
    )
    st.markdown(
        f"How far does the vector move when a word is left out? By {moved.mean():.0%} of its length here, the mean over "
        f"{S} words; by {moved_in_short.mean():.0%} in a sentence of {SHORT}, “{' '.join(short)}”."
    )
    alt = "How far the vector moves when each input word is left out, as a share of its length"
    LESSON.figure("movement", movement_figure(pair.source, moved), alt)


@cached(128, 32, shared=no_typed_words)
def ran(own: str, words: tuple[str, ...]) -> Run:
    """Return what the model of a score makes of a beginning."""
    return run(measured_translator(own), words)


def growing_sentence(score: str) -> None:
    """Draw the field for the pieces; translate every beginning with both models and show where they part."""
    text = LESSON.text_area("pieces", "Your sentence, one piece a line", PIECES, max_chars=1500, height=140)
    if not text.strip():
        st.info("Write a piece. Until then you see ours.")
    sentences = beginnings(text.strip() or PIECES, TASKS[FRENCH].read, PIECES_AT_MOST, MOST_WORDS)
    if len(sentences[-1]) == MOST_WORDS or len(text.split("\n")) > PIECES_AT_MOST:
        st.caption(f"At most {MOST_WORDS} words in {PIECES_AT_MOST} pieces are read.")
    name_unknown(LESSON, "pieces", TASKS[FRENCH], sentences[-1])
    pairs = [tuple(ran(own, tuple(words)) for own in (score, "none")) for words in sentences]
    rows = [parting_row(words, *pair) for words, pair in zip(sentences, pairs, strict=True)]
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt="Each beginning, with both translations")
    show_parting(sentences, pairs)
    if len(sentences[-1]) > LONGEST:
        st.caption(f"No sentence in training was longer than {LONGEST} words: new ground for both models.")


def show_parting(sentences: list[list[str]], pairs: list[tuple[Run, Run]]) -> None:
    """Say with which piece the translations part, and write them beside each other with the difference marked."""
    parted = [i for i, (attends, without) in enumerate(pairs) if attends.words != without.words]
    shown = parted[0] if parted else len(pairs) - 1
    st.text(
        f"The two part first with piece {shown + 1} of {len(pairs)}, at a length of {len(sentences[shown])} words:"
        if parted
        else "The two agree on all of it. Add a piece."
    )
    reference = TASKS[FRENCH].reference(sentences[shown])
    wanted = reference.target if reference else pairs[shown][0].words
    written = {
        name: (made.words, f"ln p = {signed(made.translation.log_probability)}")
        for name, made in zip((ATTENDS, NOT), pairs[shown], strict=True)
    }
    show_side_by_side(written, wanted, "✓ as the reference" if reference else "")
    st.caption(
        "The grammar says this sentence too, so its right translation is known: marked is what differs from it."
        if reference
        else "The grammar does not say this sentence, so its right translation is not known: marked is what differs "
        "from the model with attention, which is not always right either."
    )
