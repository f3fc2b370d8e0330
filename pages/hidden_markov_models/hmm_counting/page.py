"""Training an HMM by counting: what its story shows beat by beat, and its lab on any tagged text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.hidden_markov_models.formulas import worked_estimate
from core.figures.hidden_markov_models.tables import format_table_probability, table_figure
from core.lesson.cached import cached
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import TaggedCounts, count_tagged, estimate
from core.models.hidden_markov_models.leave_one_out import held_out_log_probabilities
from core.models.hidden_markov_models.suffix_model import SuffixModel
from core.text.reading.decoding import TextError, decode_bytes
from core.text.reading.tagged import TaggedSentence, read_tagged
from core.text.samples.corpus_words import corpus_words
from core.words.plain import plain
from pages.hidden_markov_models.hmm_counting import EXAMPLES, LESSON, TEXT
from pages.hidden_markov_models.hmm_counting.figures import (
    HUES,
    count_rows,
    draw_chain,
    draw_emissions,
    draw_panel,
    draw_picture,
    draw_sentences,
    draw_shares,
    format_probability,
    mark_pairs,
)
from pages.hidden_markov_models.shared.given_tables import sentence_end, sentence_start
from pages.hidden_markov_models.shared.hmm_choice import keep_own_model, no_such_path, shared_counts
from pages.hidden_markov_models.shared.hmm_paths import show_paths
from pages.hidden_markov_models.shared.hmm_take_away import list_sources
from pages.hidden_markov_models.shared.unseen_words import unseen_words

WORDS = LESSON.words
CHARACTERS_AT_MOST = 100_000
DRAWN_AT_MOST = 24  # words of the emission table drawn as a picture; a longer one is a table that scrolls
TAGS_WITH_BOTH = 8  # tags, at most, whose counts and probabilities are written into one cell
FORMS = ("both", "counts", "probabilities")
SENTENCE = Text("sentence", EXAMPLES[1], 2000)
ALPHA = Slider("alpha", 0.1, 0.0, 2.0, 0.05)
BETA = Slider("beta", 0.0, 0.0, 2.0, 0.05)
RAW = Switch("raw")
SHOW = Choice("show", FORMS[0], FORMS)
LAB = (ALPHA, BETA, RAW, SHOW, SENTENCE)


# The story: what each beat shows.


@cache
def example_sentences() -> tuple[TaggedSentence, ...]:
    """Return the eight tagged sentences of the story."""
    return tuple(read_tagged(TEXT))


@cache
def example_counts() -> TaggedCounts:
    """Return what is counted in them."""
    return count_tagged(example_sentences())


@cache
def example_model(alpha: float) -> HiddenMarkovModel:
    """Return the model that the counts make with so much smoothing of the transitions."""
    return estimate(example_counts(), alpha, 0.0, unknown_words=SuffixModel())


def show_text(settings: Settings) -> Part:
    """The eight tagged sentences."""
    counts = example_counts()
    values = {"words": int(counts.tokens.sum()), "sentences": len(example_sentences())}
    return Part("tallies", draw_picture(draw_sentences(example_sentences())), values)


def show_steps(settings: Settings) -> Part:
    """Every step from one tag to another in the text, and the row of blocks that they make."""
    counts = example_counts()
    before, after = settings.before, settings.after
    i, j = counts.states.index(before), counts.states.index(after)
    found = draw_sentences(example_sentences(), mark_pairs(example_sentences(), before, after))
    panel = draw_panel(counts, i, zeros=False, now=(after,))
    return Part("tallies", draw_picture(found, [panel]), {"count": int(counts.transition[i, j])})


def show_divided(settings: Settings) -> Part:
    """What follows every tag: as counts, and once it is revealed divided by the row's sum."""
    counts = example_counts()
    i, j = (counts.states.index(tag) for tag in (settings.before, settings.after))
    form = "probabilities" if settings.revealed else "counts"
    panels = [
        draw_panel(counts, row, form=form, zeros=False, now=(settings.after,) if row == i else ())
        for row in count_rows(counts)
    ]
    count, row, column, total = (
        int(each)
        for each in (counts.transition[i, j], counts.tokens[i], counts.tokens[j], counts.tokens.sum())
    )
    values = {
        "count": count,
        "row": row,
        "column": column,
        "total": total,
        "p": format_probability(count / row),
    }
    choices = ("row", "column", "total")
    return Part("tallies", draw_picture(panels=panels), values, choices=choices, answer="row")


def show_emissions(settings: Settings) -> Part:
    """The words of two tags as blocks, with one word that both have."""
    counts = example_counts()
    panels = [draw_emissions(counts, tag, (settings.word,)) for tag in settings.tags]
    at = counts.vocabulary.index(settings.word)
    times = [int(counts.emission[counts.states.index(tag), at]) for tag in settings.tags]
    totals = [int(counts.tokens[counts.states.index(tag)]) for tag in settings.tags]
    chances = [format_probability(c / n) for c, n in zip(times, totals, strict=True)]
    first = counts.emission[counts.states.index(settings.tags[0])]
    top = int(first.argmax())
    values = {
        "chances": chances,
        "top": counts.vocabulary[top],
        "top_count": int(first[top]),
        "top_total": totals[0],
        "top_p": format_probability(first[top] / totals[0]),
    }
    return Part("tallies", draw_picture(panels=panels), values)


def show_smoothed(settings: Settings) -> Part:
    """An ordinary sentence with a step that was never counted, and what smoothing makes of it."""
    counts, model = example_counts(), example_model(settings.alpha)
    words = corpus_words(EXAMPLES[1])
    path = settings.path
    tags = [counts.states.index(tag) for tag in path]
    never = next(t for t, (i, j) in enumerate(pairwise(tags), 1) if not counts.transition[i, j])
    i, j = tags[never - 1], tags[never]
    panel = draw_panel(counts, i, settings.alpha, "probabilities", now=(path[never],))
    steps, after = np.append(counts.transition[i], counts.end[i]), np.exp(model.log_transition[i])
    most = int(counts.transition[i].argmax())
    values = {
        "before": path[never - 1],
        "after": path[never],
        "row": int(steps.sum()),
        "columns": steps.size,
        "p": format_probability(after[j]),
        "largest": counts.states[most],
        "largest_raw": format_probability(counts.transition[i, most] / steps.sum()),
        "largest_p": format_probability(after[most]),
        "product": draw_chain(model, words, path)["total"].rpartition(" = ")[2],
    }
    return Part("tallies", draw_picture(panels=[panel], chain=draw_chain(model, words, path, never)), values)


def show_unseen(settings: Settings) -> Part:
    """An unseen word, and the words of the text that share its ending: how often each tag had them."""
    counts, model = example_counts(), example_model(ALPHA.default)
    guess = model.guess(settings.word)
    step = guess.steps[-1]

    def kind_of(s: int, place: int) -> str:
        return "both" if example_sentences()[s][place][0].endswith(guess.suffix) else "faint"

    total = int(step.counts.sum())
    rows = {tag: int(step.counts[i]) for i, tag in enumerate(counts.states) if step.counts[i]}
    best = int(guess.tag_probabilities.argmax())
    panel = {
        "title": WORDS.label("panel.ending", word=settings.word, suffix=guess.suffix),
        "hue": "grey",
        "unit": True,
        "rows": [
            {
                "name": tag,
                "hue": HUES[tag],
                "count": count,
                "added": 0,
                "text": f"{count} / {total}",
                "p": format_probability(count / total),
                "kind": "now" if tag == counts.states[best] else "",
            }
            for tag, count in sorted(rows.items(), key=lambda pair: -pair[1])
        ],
    }
    values = {
        "suffix": guess.suffix,
        "tag": counts.states[best],
        "times": rows[counts.states[best]],
        "total": total,
        "p": format_probability(guess.tag_probabilities[best]),
        "weight": f"{model.unknown_words.weight:g}",
    }
    return Part("tallies", draw_picture(draw_sentences(example_sentences(), kind_of), [panel]), values)


def show_held_out(settings: Settings) -> Part:
    """Each sentence judged by the tables of the other seven, without smoothing."""
    sentences = example_sentences()
    possible = np.isfinite(held_out_log_probabilities(sentences, 0.0, 0.0))
    smoothed = np.isfinite(held_out_log_probabilities(sentences, settings.alpha, 0.0))
    notes = {
        s: (WORDS.label(f"note.{kind}"), kind)
        for s, kind in enumerate("good" if each else "bad" for each in possible)
    }
    lost = int(np.flatnonzero(~possible)[0])
    data = draw_sentences(sentences, lambda s, _: "" if possible[s] else "both", notes)
    values = {
        "possible": int(possible.sum()),
        "n": len(sentences),
        "smoothed": int(smoothed.sum()),
        "lost": " ".join(word for word, _ in sentences[lost]),
    }
    return Part("tallies", draw_picture(data), values)


def show_own(settings: Settings) -> Part:
    """The learner's smoothing: the row of the step that was never counted, and one that was counted often."""
    counts = example_counts()
    model = example_model(settings.alpha)
    verb, det = counts.states.index("VERB"), counts.states.index("DET")
    noun = counts.states.index("NOUN")
    panels = [draw_panel(counts, row, settings.alpha, "probabilities", now=("NOUN",)) for row in (verb, det)]
    values = {
        "rare": format_probability(np.exp(model.log_transition[verb, noun])),
        "often": format_probability(np.exp(model.log_transition[det, noun])),
        "raw": format_probability(counts.transition[det, noun] / counts.tokens[det]),
        "count": int(counts.transition[det, noun]),
        "row": int(counts.tokens[det]),
        "columns": len(counts.states) + 1,
        "alpha_text": f"{settings.alpha:g}",
    }
    return Part("tallies", draw_picture(panels=panels), values)


def show_corpus(settings: Settings) -> Part:
    """One row of the table from eight sentences, and the same row from a million words."""
    small, large = example_counts(), shared_counts()
    shares = []
    for counts in (small, large):
        row = dict(
            zip(
                (*counts.states, WORDS.label("end")),
                count_rows(counts)[counts.states.index("DET")],
                strict=True,
            )
        )
        total = sum(row.values())
        shares.append(
            {tag: float(count / total) for tag, count in row.items() if count / total >= settings.least}
        )
    words = [int(counts.tokens.sum()) for counts in (small, large)]
    names = ("panel.small", "panel.large")
    panels = [
        draw_shares(
            WORDS.label(name, n=n),
            HUES["DET"],
            dict(sorted(found.items(), key=lambda pair: -pair[1])),
            ("NOUN",),
        )
        for name, n, found in zip(names, words, shares, strict=True)
    ]
    values = {
        "words": words,
        "p": [format_probability(found["NOUN"]) for found in shares],
        "least_text": f"{100 * settings.least:g}%",
    }
    return Part("tallies", draw_picture(panels=panels), values)


STEP = {"before": "DET", "after": "NOUN"}
PATH = ("DET", "NOUN", "VERB", "NOUN")  # of the sentence that the story judges
STORY = (
    look("text", show_text),
    look("steps", show_steps, **STEP),
    ask("divided", show_divided, **STEP),
    look("emissions", show_emissions, tags=("NOUN", "VERB"), word="bark"),
    look("zero", show_smoothed, alpha=0.0, path=PATH),
    look("add_one", show_smoothed, alpha=1.0, path=PATH),
    do("own", show_own, ALPHA),
    look("held_out", show_held_out, alpha=0.1),
    look("unseen", show_unseen, word="runs"),
    end("answer", show_corpus, least=0.015),
)


# The lab: any tagged text.


def lab() -> None:
    """The tables of a tagged text; what they make of a sentence; words it never saw; every transition."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        typed = text_field()
        alpha = LESSON.draw(ALPHA)
        with LESSON.options():
            beta = LESSON.draw(BETA)
            raw = LESSON.draw(RAW)
            file = upload_field()
        sentences = tagged_source(typed, file)
        counts = count_tagged(sentences)
        form = choose_form(len(counts.states))
    chosen = alpha, beta
    alpha, beta = (0.0, 0.0) if raw else chosen
    model = None
    with stage:
        common = counts.states[int(counts.tokens.argmax())]
        revealed = LESSON.ask(WORDS.label("question"), list(counts.states), common, str(hash(str(sentences))))
        try:
            model = estimate(counts, alpha, beta, unknown_words=SuffixModel())
        except ValueError as error:
            st.warning(plain(str(error)))
        if revealed and model:
            show_tables(counts, model, form, alpha)
    words = [counts.vocabulary[0]]
    if revealed and model:
        if raw:
            kept = [
                np.isfinite(held_out_log_probabilities(sentences, *pair)) for pair in (chosen, (0.0, 0.0))
            ]
            st.markdown(WORDS.markdown("compare.raw.about", n=len(kept[0])))
            LESSON.compare("raw", *(float(each.sum()) for each in kept), ".0f")
        every_transition(counts, model, alpha)
        if decoding := LESSON.fold("decode"):
            with decoding:
                typed = LESSON.draw(SENTENCE)
                words = corpus_words(typed) or words
                show_decoded(model, words)
        LESSON.button("keep", WORDS.label("keep"), keep_own_model, model)
    LESSON.close_lab(
        code=[count_tagged, estimate, held_out_log_probabilities],
        parameters={
            "text": slashed(sentences),
            "alpha": alpha,
            "beta": beta,
            "words": corpus_words(str(LESSON.get_state("sentence", SENTENCE.default))) or words,
        },
        prompts={
            "probabilities": {"show": "probabilities"},
            "raw": {"raw": True, "decode": True, "sentence": EXAMPLES[2]},
            "much": {"show": "probabilities", "alpha": 2.0, "beta": 2.0},
        },
        credits=list_sources(),
        files={WORDS.label("file.text"): ("tagged.txt", lambda: slashed(sentences).encode())},
    )


def show_decoded(model: HiddenMarkovModel, words: Sequence[str]) -> None:
    """Draw the best path of a sentence, and the words that the tagged text does not have."""
    decoded = decode(model, words)
    if no_such_path(decoded):
        return
    tags = decoded.tags(decoded.viterbi.path)
    alt = WORDS.label("alt.path", tags=tags[:20])
    show_paths(LESSON, decoded, {WORDS.label("path.best"): decoded.viterbi.path}, alt, name="path")
    st.subheader(WORDS.label("unseen.title"), anchor=False)
    unseen_words(LESSON, model, decoded.emissions.unseen)


@cached(0, 3)
def read(text: str) -> list[TaggedSentence]:
    """Return the sentences of a tagged text, read once."""
    return read_tagged(text)


def text_field() -> str:
    """Draw the field of a tagged text, which never goes into the address, and return the text."""
    options = {"persist_state": "session", "max_chars": CHARACTERS_AT_MOST, "height": 150}
    return LESSON.private_text("text", WORDS.label("field"), TEXT, **options)


def upload_field():
    """Draw the field for a tagged file and return the file, None where there is none."""
    types = ["txt", "conllu", "conll", "tsv"]
    return LESSON.upload("file", WORDS.label("upload"), type=types, max_upload_size=10)


def tagged_source(typed: str, file) -> list[TaggedSentence]:
    """Return the sentences of an uploaded file, or else of the typed text.

    What cannot be read is explained in a sentence; until it is mended the example stands in for it.
    """
    if file:
        st.text(WORDS.label("field.file", name=file.name))
    try:
        return read(decode_bytes(file.getvalue())[0] if file else typed)
    except TextError as error:
        st.warning(WORDS.markdown("field.fault", fault=str(error)))
        return read(TEXT)


def slashed(sentences: Sequence[TaggedSentence]) -> str:
    r"""Return tagged sentences as word/TAG, one a line.

    >>> slashed([[("dogs", "NOUN"), ("bark", "VERB")]])
    'dogs/NOUN bark/VERB\n'
    """
    return "".join(" ".join(f"{word}/{tag}" for word, tag in sentence) + "\n" for sentence in sentences)


def choose_form(tags: int) -> str:
    """Draw the choice of what the tables show, counts, probabilities or both, and return it."""
    forms = FORMS if tags <= TAGS_WITH_BOTH else FORMS[1:]
    return LESSON.draw(Choice("show", forms[0], forms))


def show_tables(counts: TaggedCounts, model: HiddenMarkovModel, form: str, alpha: float) -> None:
    """Draw the tables of a model with its end, and say between them what the first one shows."""
    states = list(counts.states)
    rows = np.vstack([np.append(counts.initial, 0), following_counts(counts)])
    probabilities = np.exp(np.vstack([np.append(model.log_initial, -np.inf), following_logs(model)]))
    st.caption(WORDS.label("table.transition", start=sentence_start(), end=sentence_end()))
    draw_table(
        "transition", rows, probabilities, [sentence_start(), *states], [*states, sentence_end()], form
    )
    steps = following_counts(counts)
    never = int((steps == 0).sum())
    words = int(counts.tokens.sum())
    LESSON.say("says.never", {"never": never, "steps": steps.size, "words": words, "alpha": f"{alpha:g}"})
    order = np.argsort(-counts.emission.sum(axis=0), kind="stable")
    names = [counts.vocabulary[column] for column in order]
    st.caption(WORDS.label("table.emission", n=len(names)))
    emission, chances = counts.emission[:, order], np.exp(model.log_emission[:, order])
    if len(names) <= DRAWN_AT_MOST:
        draw_table("emission", emission, chances, states, names, form)
    else:
        table = pd.DataFrame((chances if form == "probabilities" else emission).T, names, states)
        st.dataframe(table, height=260, alt=WORDS.label("alt.emission"))


def draw_table(
    name: str,
    counts: np.ndarray,
    probabilities: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    form: str,
) -> None:
    """Draw counts, the probabilities made of them, or each probability below its count."""
    written = {
        "counts": lambda count, p: f"{count:d}",
        "probabilities": lambda count, p: f"{p:.3g}",
        "both": lambda count, p: f"{count:d}<br>{format_table_probability(p)}",
    }[form]
    texts = [
        [written(*cell) for cell in zip(*row, strict=True)] for row in zip(counts, probabilities, strict=True)
    ]
    values = counts if form == "counts" else probabilities
    figure = table_figure(values, rows, columns, texts=texts, measure=WORDS.label(f"measure.{form}"))
    LESSON.figure(name, figure, WORDS.label(f"alt.{name}"), wide=len(columns) > TAGS_WITH_BOTH)


def following_counts(counts: TaggedCounts) -> np.ndarray:
    """Return what follows each tag, the end of the sentence last, shape (K, K + 1)."""
    return np.column_stack([counts.transition, counts.end])


def following_logs(model: HiddenMarkovModel) -> np.ndarray:
    """Return the logarithms of what follows each tag, the end of the sentence last, shape (K, K + 1)."""
    return np.column_stack([model.log_transition, model.log_end])


def every_transition(counts: TaggedCounts, model: HiddenMarkovModel, alpha: float) -> None:
    """Show each transition's count and probability, under "Every number"."""
    states = counts.states
    rows = [(sentence_start(), counts.initial, model.log_initial, states)]
    rows += [
        (state, row, logs, (*states, sentence_end()))
        for state, row, logs in zip(states, following_counts(counts), following_logs(model), strict=True)
    ]
    cells = [(before, after, row, logs, j) for before, row, logs, to in rows for j, after in enumerate(to)]
    names = {name: WORDS.label(f"column.{name}") for name in ("from", "to", "count", "probability")}
    table = pd.DataFrame(
        [
            dict(zip(names.values(), (before, after, int(row[j]), float(np.exp(logs[j]))), strict=True))
            for before, after, row, logs, j in cells
        ]
    )

    def formula(row: int, column: str) -> str | None:
        before, after, of, _, j = cells[row]
        return worked_estimate(before, after, of, j, alpha) if column == names["probability"] else None

    LESSON.every_number(WORDS.label("table.transitions"), lambda: (table, formula))
