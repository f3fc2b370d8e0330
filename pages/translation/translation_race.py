"""The race: one sentence through dot, general, additive and no attention."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.translation.decoder_step import decoder_step, worked_score, worked_weight
from core.figures.translation.translation_race import heat_figure, loss_curves, said_of_scores, worked_step
from core.figures.worked import signed
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.translator_choice import (
    FRENCH,
    GENERATED,
    TASKS,
    Sentence,
    choose_sentence,
    held_out_pairs,
    translator_of,
)
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.models.stored import load_card, load_json
from core.models.translation.bottleneck import Estimate, attempts, share_right
from core.models.translation.seq2seq import (
    Seq2Seq,
    additive_scores,
    attention_weights,
    dot_scores,
    general_scores,
    parameter_count,
)
from core.models.translation.translate import Translator, greedy, rescored
from core.models.translation.translation_race import Run, multiplications, run, without_matrices, wrong_ones
from core.text.grammar.grammar import LONGEST, SHORTEST
from core.text.tokenization.word_differences import differences, first_difference, mistakes
from pages.translation.shared.marked_translation import LEGEND, show_marked

LESSON = Lesson(
    __name__,
    title="The race of the scores",
    question="Does it matter how a translator scores the words that it looks at?",
    icon="flag",
)
MODELS = TASKS[FRENCH].models  # {score: name}
WITH_ATTENTION = tuple(score for score in MODELS if score != "none")
LENGTH = 15  # words of the sentence it opens on: one of the four gets it wrong
ASKED = 40  # held-out sentences on which the broken scores are measured
NOBODY, SEVERAL = "none of the four", "several"
Runs = Mapping[str, Run]  # by the model's score


def picture() -> Figure:
    """The training losses of the four French translators: one stays high."""
    return small(loss_figure())


def page() -> None:
    """Four translations of a sentence; what each model costs and is worth; one score worked out."""
    LESSON.open(
        r"e_{ts} = \begin{cases} h_t \cdot \bar h_s & \text{dot} \\ h_t \cdot W_a \bar h_s & \text{general} \\ "
        r"v_a \cdot \tanh(W_a h_t + U_a \bar h_s) & \text{additive} \end{cases} \qquad "
        r"a_{ts} = \frac{e^{e_{ts}}}{\sum_{s'} e^{e_{ts'}}} \qquad c_t = \begin{cases} \sum_s a_{ts} \bar h_s \\ "
        r"\bar h_{last} & \text{no attention} \end{cases}",
        r"$h_t$: the decoder's state at output word $t$; $\bar h_s$: the encoder's state at input word $s$; "
        "$W_a, U_a, v_a$: what the score has learnt; $e$: score; $a$: weight; $c_t$: the context, all that the decoder "
        "sees of the input at step $t$, besides the state in which it begins.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        sentence = choose_sentence(LESSON, TASKS[FRENCH], notes, first=GENERATED, length=LENGTH)
        gold = LESSON.toggle(
            "gold",
            "Outline the gold alignment",
            wrap=True,
            help="Where a generated sentence is translated right, the word that belongs to each output word is known.",
        )
        broken = LESSON.break_it(
            "broken",
            "Break it: take the learnt matrices out of the scores",
            "W_a and U_a become the identity. Dot has none, so nothing is taken from it.",
        )
    reference = sentence.pair.target if sentence.pair else None
    runs = {score: ran(score, broken, sentence.words, reference) for score in MODELS}
    with stage:
        revealed = asked(runs, sentence, broken)
        if revealed:
            show_runs(runs, sentence, gold, broken)
    if revealed:
        with notes:
            st.caption(
                f"Rows: output words; columns: input words; colour: weight, 0 to 1, the same scale for all. {LEGEND}"
            )
    if broken:
        st.markdown(
            "$W_a$ and $U_a$ are now the identity, in the heat maps above as well. Share of "
            f"{ASKED} held-out sentences translated exactly as the reference:"
        )
        for column, score in zip(st.columns(len(WITH_ATTENTION)), WITH_ATTENTION, strict=True):
            with column:
                shares = [right_of_held_out(score, lost).value for lost in (False, True)]
                consequence(f"Right, {score}", *shares, ".1%")

    if revealed:
        st.header("Size, cost and quality", anchor=False)
        show_results(runs, sentence, broken)
        st.markdown(f"The loss while training, the mean of 50 steps. {what_the_losses_say()}")
        LESSON.figure("losses", loss_figure(), "Training loss of the four models, on a logarithmic axis")

        if worked := LESSON.section("worked", "One score, worked out"):
            with worked:
                LESSON.steps(worked_frames(sentence.words, reference, broken))
        LESSON.every_number("scores and weights", every_score, runs, sentence, broken)
    LESSON.closing(
        code=[
            *(run, greedy, rescored, Seq2Seq.decode, dot_scores, general_scores, additive_scores),
            *(attention_weights, wrong_ones, differences, mistakes, share_right),
            *(multiplications, without_matrices),
        ],
        notebook=[
            "from core.models.translation.translate import stored_translator\n"
            "from core.models.translation.translation_race import run\n\n"
            f"words = {list(sentence.words)!r}\nmodels = {dict(MODELS)!r}",
            "for score, name in models.items():\n    made = run(stored_translator(name), words)\n"
            "    print(score, made.translation.log_probability, *made.words)\n    print(made.weights)",
        ],
        plot=(
            "import numpy as np\n\n"
            "from core.figures.translation.decoder_step import attention_heatmap\n\n"
            'made = run(stored_translator(models["additive"]), words)\n'
            "draw(attention_heatmap(np.array(made.weights), made.words, words))"
        ),
        try_this=[
            ("Four words: can it keep up without attention?", {"source": GENERATED, "length": 4, "seed": 1}),
            ("Twenty-two words: what does it make up?", {"source": GENERATED, "length": 22, "seed": 3}),
            (
                "Take the matrices out: which model does not mind, and why?",
                {"source": GENERATED, "length": 10, "seed": 1, "broken": True},
            ),
        ],
        sources=[
            *load_card(MODELS["additive"]).credits[:2],
            "The models are this project's own; see their cards in assets/models.",
        ],
    )


@cache
def racer(score: str, broken: bool = False) -> Translator:
    """Return the translator of a score, or a copy whose score has lost its learnt matrices."""
    whole = translator_of(MODELS[score])
    return replace(whole, model=without_matrices(whole.model)) if broken else whole


@cached(64, 16, shared=no_typed_words)
def ran(score: str, broken: bool, words: tuple[str, ...], reference: tuple[str, ...] | None) -> Run:
    """Return what a model makes of a sentence."""
    return run(racer(score, broken), words, reference)


@cache
def right_of_held_out(score: str, broken: bool) -> Estimate:
    """Return the share of held-out sentences of all lengths that a model translates exactly as the reference."""
    pairs = held_out_pairs(FRENCH, 1, ASKED, tuple(range(SHORTEST, LONGEST + 1)))
    return share_right([attempt.right for attempt in attempts(racer(score, broken), pairs)])


def label_of(score: str) -> str:
    """Return what a score is called on the page."""
    return "no attention" if score == "none" else score


def asked(runs: Runs, sentence: Sentence, broken: bool) -> bool:
    """Ask which model gets the sentence wrong or, where the right translation is not known, which is least sure."""
    states = f"Four models with states of {load_card(MODELS['dot']).config['hidden']} numbers"
    about = f"{' '.join(sentence.words)}_{broken}"
    labels = list(map(label_of, MODELS))
    if sentence.pair:
        wrong = wrong_ones(runs, sentence.pair.target)
        answer = label_of(wrong[0]) if len(wrong) == 1 else SEVERAL if wrong else NOBODY
        question = f"{states}, trained on the same sentences. Which one gets this sentence wrong?"
        return LESSON.ask(question, [*labels, SEVERAL, NOBODY], answer, about)
    least = min(runs, key=lambda score: runs[score].translation.log_probability)
    question = f"{states}. Which one is least sure of its translation: the lowest ln p?"
    return LESSON.ask(question, labels, label_of(least), about)


def show_runs(runs: Runs, sentence: Sentence, gold: bool, broken: bool) -> None:
    """Draw every model's heat map, side by side; say what is seen; then their translations with ln p."""
    wanted = sentence.pair.target if sentence.pair else runs["additive"].words
    columns = st.container(key=LESSON.key("maps")).columns([3] * len(WITH_ATTENTION) + [2])
    for column, (score, made) in zip(columns, runs.items(), strict=True):
        with column:
            lost = broken and score in ("general", "additive")
            st.markdown(f"**{label_of(score)}{', broken' if lost else ''}**")
            outputs = [racer(score).target.words[i] for i in made.translation.words]
            links = sentence.links if gold and made.words == wanted and score != "none" else ()
            alt = f"Attention weights of the model {label_of(score)}, a row for each output word"
            LESSON.figure(f"heat_{score}", heat_figure(made.weights, outputs, sentence.words, links), alt)
    LESSON.caption(what_is_seen(runs, sentence))
    for column, (score, made) in zip(st.columns(len(runs)), runs.items(), strict=True):
        with column:
            st.markdown(f"**{label_of(score)}**")
            log_p = f"ln p = {signed(made.translation.log_probability, 3)}"
            show_marked(made.words, wanted, log_p, "✓ as the reference" if sentence.pair else "as additive")
    if sentence.pair is None:
        st.caption(
            "Without a right translation to compare with, marked is what differs from the additive model's."
        )


def what_is_seen(runs: Runs, sentence: Sentence) -> str:
    """Say who is right and where the first that is wrong goes wrong; or, without a reference, who is least sure."""
    if sentence.pair is None:
        sure = sorted(runs, key=lambda score: runs[score].translation.log_probability)
        ends = [
            f"{label_of(score)} (ln p = {signed(runs[score].translation.log_probability, 3)})"
            for score in (sure[-1], sure[0])
        ]
        return f"Surest of its own translation: {ends[0]}; least sure: {ends[1]}."
    wrong = wrong_ones(runs, reference := sentence.pair.target)
    if not wrong:
        return "All four translate this sentence exactly as the reference."
    if len(wrong) == len(runs):
        return "None of the four translates this sentence exactly as the reference."
    places = [
        f"{label_of(score)} (from output word {first_difference(runs[score].words, reference) + 1} of {len(reference)})"
        for score in wrong
    ]
    right = len(runs) - len(wrong)
    return f"{right} of 4 {'is' if right == 1 else 'are'} right word for word; wrong: {', '.join(places)}."


@cache
def loss_figure() -> Figure:
    """Return the training losses that are kept beside the four models."""
    return loss_curves({label_of(score): load_json(name, "losses") for score, name in MODELS.items()})


def what_the_losses_say() -> str:
    """Say where the lowest and the highest loss ended, and that all learnt from the same sentences if they did."""
    corpora = {str(load_card(name).corpus) for name in MODELS.values()}
    same = "All four learnt from the same sentences. " if len(corpora) == 1 else ""
    ends = ((load_json(name, "losses")[-1][1], label_of(score)) for score, name in MODELS.items())
    (low, best), *_, (high, worst) = sorted(ends)
    return f"{same}At the end: {best} {low:.2g}, {worst} {high:.2g}."


def results(runs: Runs, sentence: Sentence) -> pd.DataFrame:
    """Return one row a model: this sentence's result, the counts of its parts, and the quality its card tells."""
    rows = []
    for score, made in runs.items():
        model, quality = racer(score).model, load_card(MODELS[score]).quality
        shape = len(made.translation.words), len(sentence.words), model.config.hidden
        rows.append(
            {
                "score": label_of(score),
                "words that differ": mistakes(made.words, sentence.pair.target) if sentence.pair else None,
                "ln p of its own": made.translation.log_probability,
                "ln p of the reference": made.log_probability_of_reference,
                "passes": load_card(MODELS[score]).config["epochs"],
                "parameters": parameter_count(model),
                "multiplications": multiplications(score, *shape),
                "exact match": quality["exact_match"],
                "alignment error": quality.get("alignment_error"),
                "loss": quality["loss"],
            }
        )
    return pd.DataFrame(rows)


def show_results(runs: Runs, sentence: Sentence, broken: bool) -> None:
    """Show the table of results, and say where each of its columns comes from."""
    n = load_card(MODELS["additive"]).quality["held_out_pairs"]
    later = " The columns from “passes” on are of the models as trained; multiplications, for the words now written."
    st.caption(
        f"Exact match, alignment error and loss (mean −ln p of a word) were measured on {n:,} held-out "
        "sentences, and stand in each model's card. Multiplications are those of this sentence's scores."
        f"{later if broken else ''}"
    )
    right = {label_of(s): load_card(name).quality["exact_match"] for s, name in MODELS.items()}
    said = said_of_scores({each: round(share * n) for each, share in right.items()}, n)
    told = ", ".join(f"{label} {each:.1%}" for label, each in right.items())
    LESSON.set_values(right=told, held_out=f"{n:,}", scores=said)
    share = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        results(runs, sentence),
        hide_index=True,
        column_config={"exact match": share, "alignment error": share},
        alt="The four models: this sentence's result, parameters, multiplications and quality",
    )
    st.markdown(said)


@cached(32, 8, "Working the scores out", shared=no_typed_words)
def worked_frames(words: tuple[str, ...], reference: tuple[str, ...] | None, broken: bool) -> list[dict]:
    """Return a step for each output word: each score's formula with its numbers."""
    runs = {score: ran(score, broken, words, reference) for score in MODELS}
    context = runs["none"].translation.steps.context[0, 0].numpy()
    numbers = ", ".join(f"{x:.4f}" for x in context[:3])
    nothing = rf"c_t = \bar h_{{last}} = ({numbers}, \dots_{{({len(context)})}}) \quad \text{{at every step}}"
    most = max(len(made.translation.words) for made in runs.values())
    return [
        frame(
            *(f"the scores of output word {t + 1}", None, "", ""),
            parts=[
                *(
                    worked_step(score, racer(score, broken), runs[score], words, t)
                    for score in WITH_ATTENTION
                ),
                ("no attention", [nothing]),
            ],
        )
        for t in range(most)
    ]


def every_score(runs: Runs, sentence: Sentence, broken: bool) -> tuple[pd.DataFrame, Formula]:
    """Return each score and weight of each model, and the formula of a cell."""
    cells, rows = [], []
    for score in WITH_ATTENTION:
        made = runs[score]
        scores = made.translation.steps.scores[0].numpy()
        for (t, s), weight in np.ndenumerate(made.weights):
            output = racer(score).target.words[made.translation.words[t]]
            cells.append((score, t, s))
            rows.append((score, t + 1, output, s + 1, sentence.words[s], float(scores[t, s]), float(weight)))
    columns = ["model", "t", "output word", "s", "input word", "score e", "weight a"]

    def formula(row: int, column: str) -> str | None:
        """Fill in the formula of a cell of the table."""
        score, t, s = cells[row]
        step = decoder_step(runs[score].translation, t)
        if column == "score e":
            return worked_score(racer(score, broken).model, step, s, t)
        return worked_weight(step, s, t) if column == "weight a" else None

    return pd.DataFrame(rows, columns=columns), formula
