"""Tables from counts: count a tagged text and divide; then decode a sentence with the tables that come out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.hidden_markov_models.formulas import worked_estimate
from core.figures.hidden_markov_models.tables import probability, table_figure
from core.figures.worked import how_often
from core.lesson.break_it import consequence
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import TaggedCounts, count_tagged, estimate
from core.models.hidden_markov_models.leave_one_out import held_out_log_probabilities
from core.models.hidden_markov_models.suffix_model import SuffixModel
from core.text.reading.decoding import TextError
from core.text.reading.decoding import decode as decode_bytes
from core.text.reading.tagged import TaggedSentence, read_tagged
from core.text.samples.corpus_words import corpus_words
from pages.hidden_markov_models.shared.given_tables import END, START
from pages.hidden_markov_models.shared.hmm_choice import keep_own_model, no_such_path
from pages.hidden_markov_models.shared.hmm_paths import show_paths
from pages.hidden_markov_models.shared.hmm_take_away import SOURCES
from pages.hidden_markov_models.shared.unseen_words import unseen_words

LESSON = Lesson(
    __name__,
    title="Tables from counts",
    question="Where do the probabilities come from?",
    icon="calculator",
)
EXAMPLE = """the/DET dog/NOUN barks/VERB
the/DET old/ADJ dog/NOUN walks/VERB
a/DET walk/NOUN helps/VERB the/DET old/ADJ man/NOUN
the/DET man/NOUN walks/VERB the/DET dog/NOUN
dogs/NOUN bark/VERB
she/PRON walks/VERB a/DET small/ADJ dog/NOUN
the/DET bark/NOUN helps/VERB
she/PRON helps/VERB the/DET man/NOUN"""
CHARACTERS_AT_MOST = 100_000
DRAWN_AT_MOST = 24  # words of the emission table drawn as a picture; a longer one is a table that scrolls
TAGS_WITH_BOTH = 8  # tags, at most, whose counts and probabilities are written into one cell


def picture() -> Figure:
    """The transitions counted in three tagged sentences."""
    tagged = "the/DET dog/NOUN barks/VERB", "dogs/NOUN bark/VERB", "the/DET old/ADJ dog/NOUN walks/VERB"
    counts = count_tagged([[tuple(pair.split("/")) for pair in line.split()] for line in tagged])
    return card(table_figure(counts.transition, counts.states, counts.states, "d"))


def page() -> None:
    """The tables of a tagged text; what they make of a sentence; what smoothing is for; every transition."""
    LESSON.open(
        r"a_{ij} = \frac{c(i, j) + \alpha}{\sum_{j'} \left( c(i, j') + \alpha \right)} \qquad "
        r"b_i(w) = \frac{c(i, w) + \beta}{\sum_{w'} \left( c(i, w') + \beta \right)}",
        "$c(i, j)$: how often tag $j$ follows tag $i$ (the end of a sentence counts as one more $j$). $c(i, w)$: how often "
        "word $w$ is tagged $i$. $\\alpha$ (`transition_alpha`) and $\\beta$ (`emission_alpha`) are added to every count.",
    )
    controls, stage = LESSON.stage()
    with controls:
        sentences = tagged_source()
        counts = count_tagged(sentences)
        form = choose_form(len(counts.states))
        chosen = (
            LESSON.slider("alpha", "α, added to every transition", 0.0, 2.0, 0.1, 0.05),
            LESSON.slider("beta", "β, added to every emission", 0.0, 2.0, 0.0, 0.05),
        )
        broken = LESSON.break_it(
            "raw", "Break it: no smoothing", "α = β = 0: what was never counted is impossible."
        )
    alpha, beta = (0.0, 0.0) if broken else chosen
    words, tags = int(counts.tokens.sum()), len(counts.states)
    LESSON.set_values(
        words=f"{words:,} {'word' if words == 1 else 'words'}",
        tags=f"{tags} different {'tag' if tags == 1 else 'tags'}",
    )
    model = None
    with stage:
        common = counts.states[int(counts.tokens.argmax())]
        question = "Which tag is most frequent in this text?"
        revealed = LESSON.ask(question, list(counts.states), common, str(hash(str(sentences))))
        try:
            model = estimate(counts, alpha, beta, unknown_words=SuffixModel())
        except ValueError as error:
            st.warning(str(error))
        if revealed and model:
            show_tables(counts, model, form, alpha)
            tell_counts(counts, model, alpha)
    if revealed and model:
        st.header("What can these tables do?", anchor=False)
        typed = LESSON.text("sentence", "A sentence to tag", "the bark helps dogs", max_chars=2000)
        words = corpus_words(typed) or [counts.vocabulary[0]]
        decoded = decode(model, words)
        pairs = list(zip(words, decoded.tags(decoded.viterbi.path), strict=True))
        LESSON.set_values(tagged=slashed([pairs[:12]]).strip() + (" …" if len(pairs) > 12 else ""))
        if not no_such_path(decoded):
            alt = "The best path: " + " ".join(decoded.tags(decoded.viterbi.path)[:20])
            show_paths(LESSON, decoded, {"best path": decoded.viterbi.path}, alt, name="path")
            st.header("Words it never saw", anchor=False)
            unseen_words(LESSON, model, decoded.emissions.unseen)
        LESSON.button("keep", "Use this model in the other lessons, as “yours”", keep_own_model, model)
        if broken:
            possible = [
                np.isfinite(held_out_log_probabilities(sentences, *pair)).mean() for pair in (chosen, (0, 0))
            ]
            consequence("Left-out sentences the others make possible", *map(float, possible), ".0%")
        every_transition(counts, model, alpha)
    LESSON.closing(
        code=[count_tagged, estimate, held_out_log_probabilities],
        notebook=notebook(alpha, beta),
        files={"Tagged text": ("tagged.txt", lambda: slashed(sentences).encode())},
        plot=(
            "from core.figures.hidden_markov_models.paths import paths_figure\n\n"
            'draw(paths_figure(decoded.emissions.words, model.states, {"Viterbi": decoded.viterbi.path}))'
        ),
        try_this=[
            ("See the counts become probabilities", {"show": "probabilities"}),
            (
                "No smoothing: which sentences does it call impossible?",
                {"raw": True, "sentence": "old dogs she helps"},
            ),
            (
                "Much smoothing: do the tables still say anything?",
                {"show": "probabilities", "alpha": 2.0, "beta": 2.0},
            ),
        ],
        sources=SOURCES,
    )


def notebook(alpha: float, beta: float) -> list[str]:
    """Return the cells that count the tagged text beside the notebook and decode a sentence."""
    typed = LESSON.get_state("sentence", "the bark helps dogs")
    return [
        "from core.text.reading.tagged import read_tagged\n\n"
        'sentences = read_tagged(open("tagged.txt", encoding="utf-8").read())  # the file beside this button',
        "from core.models.hidden_markov_models.hmm_tables import count_tagged, estimate\n"
        "from core.models.hidden_markov_models.suffix_model import SuffixModel\n\n"
        f"model = estimate(count_tagged(sentences), {alpha}, {beta}, unknown_words=SuffixModel())",
        "from core.models.hidden_markov_models.decoding import decode\n\n"
        f"decoded = decode(model, {corpus_words(typed) or ['dogs']!r})\ndecoded.tags(decoded.viterbi.path)",
    ]


@st.cache_data(scope="session", max_entries=3, show_spinner="Reading the tagged text")
def read(text: str) -> list[TaggedSentence]:
    """Return the sentences of a tagged text, read once."""
    return read_tagged(text)


def tagged_source() -> list[TaggedSentence]:
    """Draw the field and the upload of a tagged text and return its sentences.

    What cannot be read is explained in a sentence; until it is mended the example stands in for it.
    """
    typed = LESSON.private_text(
        "text",
        "A sentence a line: word/TAG",
        EXAMPLE,
        persist_state="session",
        max_chars=CHARACTERS_AT_MOST,
        height=68,
    )
    with st.popover("Upload tagged text", icon=":material/upload:"):
        types = ["txt", "conllu", "conll", "tsv"]
        file = LESSON.upload("file", "A file of word/TAG or CoNLL-U", type=types, max_upload_size=10)
    if file:
        st.text(f"Counted: {file.name}. Remove the file to count the field again.")
    try:
        return read(decode_bytes(file.getvalue())[0] if file else typed)
    except TextError as error:
        st.warning(f"{plain(str(error))} Until then the example is used.")
        return read(EXAMPLE)


def slashed(sentences: Sequence[TaggedSentence]) -> str:
    r"""Return tagged sentences as word/TAG, one a line.

    >>> slashed([[("dogs", "NOUN"), ("bark", "VERB")]])
    'dogs/NOUN bark/VERB\n'
    """
    return "".join(" ".join(f"{word}/{tag}" for word, tag in sentence) + "\n" for sentence in sentences)


def never_followed(counts: TaggedCounts, alpha: float) -> str:
    """Say how many steps from tag to tag or to the end never occurred, and what that makes of them."""
    steps = following_counts(counts)
    never = int((steps == 0).sum())
    words, n = counts.tokens.sum(), f"{steps.size} steps from a tag to a tag or to the end"
    where = f"in {'this one word' if words == 1 else f'these {words:,} words'}"
    if not never:
        return f"Every one of the {n} occurs {where}."
    one, it = never == 1, "it" if never == 1 else "them"
    what = f"so the tables call {it} impossible" if alpha == 0 else f"but α = {alpha:g} leaves {it} possible"
    return f"{never} of the {n} never {'occurs' if one else 'occur'} {where}, {what}."


def tell_counts(counts: TaggedCounts, model: HiddenMarkovModel, alpha: float) -> None:
    """Keep for the tour a most frequent step with its probability, and the smallest probability of a step."""
    steps, probabilities = following_counts(counts), np.exp(following_logs(model))
    i, j = np.unravel_index(steps.argmax(), steps.shape)
    LESSON.set_values(
        before=counts.states[i],
        after=(*counts.states, END)[j],
        often=how_often(int(steps[i, j])),
        count=f"{steps[i, j]:,}",
        row=f"{steps[i].sum():,}",
        steps=steps.shape[1],
        alpha=f"{alpha:g}",
        p=f"{probabilities[i, j]:.3g}",
        least=f"{probabilities.min():.3g}",
    )


def choose_form(tags: int) -> str:
    """Draw the choice of what the tables show, counts, probabilities or both, and return it."""
    forms = ["both", "counts", "probabilities"]
    return LESSON.choose("show", "Show", forms if tags <= TAGS_WITH_BOTH else forms[1:])


def show_tables(counts: TaggedCounts, model: HiddenMarkovModel, form: str, alpha: float) -> None:
    """Draw the tables of a model with its end, and say between them what the first one shows."""
    states = list(counts.states)
    rows = np.vstack([np.append(counts.initial, 0), following_counts(counts)])
    probabilities = np.exp(np.vstack([np.append(model.log_initial, -np.inf), following_logs(model)]))
    st.caption(f"From each tag (row) to the next (column); {START} begins a sentence, {END} ends it.")
    draw_table("transition", rows, probabilities, [START, *states], [*states, END], form)
    LESSON.caption(never_followed(counts, alpha))
    order = np.argsort(-counts.emission.sum(axis=0), kind="stable")
    names = [counts.vocabulary[column] for column in order]
    st.caption(
        f"How each tag emits the {len(names):,} different words, the most frequent first."
        if len(names) > 1
        else "How each tag emits the only word."
    )
    emission, chances = counts.emission[:, order], np.exp(model.log_emission[:, order])
    if len(names) <= DRAWN_AT_MOST:
        draw_table("emission", emission, chances, states, names, form)
    else:
        table = pd.DataFrame((chances if form == "probabilities" else emission).T, names, states)
        st.dataframe(table, height=260, alt="Emissions")


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
        "both": lambda count, p: f"{count:d}<br>{probability(p)}",
    }[form]
    texts = [
        [written(*cell) for cell in zip(*row, strict=True)] for row in zip(counts, probabilities, strict=True)
    ]
    values = counts if form == "counts" else probabilities
    LESSON.figure(name, table_figure(values, rows, columns, texts=texts), f"{name.capitalize()}s: {form}")


def following_counts(counts: TaggedCounts) -> np.ndarray:
    """Return what follows each tag, the end of the sentence last, shape (K, K + 1)."""
    return np.column_stack([counts.transition, counts.end])


def following_logs(model: HiddenMarkovModel) -> np.ndarray:
    """Return the logarithms of what follows each tag, the end of the sentence last, shape (K, K + 1)."""
    return np.column_stack([model.log_transition, model.log_end])


def every_transition(counts: TaggedCounts, model: HiddenMarkovModel, alpha: float) -> None:
    """Show each transition's count and probability, under "Every number"."""
    states = counts.states
    rows = [(START, counts.initial, model.log_initial, states)]
    rows += [
        (state, row, logs, (*states, END))
        for state, row, logs in zip(states, following_counts(counts), following_logs(model), strict=True)
    ]
    cells = [(before, after, row, logs, j) for before, row, logs, to in rows for j, after in enumerate(to)]
    table = pd.DataFrame(
        [
            {"from": before, "to": after, "count": int(row[j]), "probability": float(np.exp(logs[j]))}
            for before, after, row, logs, j in cells
        ]
    )

    def formula(row: int, column: str) -> str | None:
        before, after, of, _, j = cells[row]
        return worked_estimate(before, after, of, j, alpha) if column == "probability" else None

    LESSON.every_number("transitions", lambda: (table, formula))
