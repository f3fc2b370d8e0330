"""Masked words: hide words and see what fits, from both sides and from the left; and how a model learns it."""

from __future__ import annotations

import numpy as np
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.sampling import shown
from core.figures.pretraining.gap_measure import hits_figure, hits_table, which_is_better
from core.figures.pretraining.gaps import (
    COLOURS,
    MODELS,
    gaps_table,
    gaps_view,
    moved_figure,
    moved_share,
    probability,
    several,
    what_both_say,
    what_follows_moves,
    what_pieces_spell,
)
from core.figures.pretraining.masked_training import (
    drawn_table,
    masking_frames,
    masking_shared,
    what_copying_gets,
)
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.transformer_choice import choose_read_text, vocabulary_named
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.pretraining.gap_measure import GapMeasure, in_window, measure_gaps
from core.models.pretraining.gaps import (
    Filled,
    Word,
    from_both_sides,
    from_the_left,
    hidden_words,
    next_after_all,
    places_of,
    words_of,
)
from core.models.pretraining.masked_training import TrainingStep, training_step
from core.models.self_attention.ablation import total_variation
from core.models.self_attention.attentive_models import BACK, BOTH, ReadText, attentive_model
from core.models.self_attention.masked_language_model import hide, masked_loss, stored_masked_model
from core.models.stored import load_card
from core.models.stored_language_models import stored_language_model
from core.text.reading.documents import Document

LESSON = Lesson(
    __name__,
    title="Masked words",
    question="Which word is missing, and who can tell from what follows?",
    icon="rectangle-ellipsis",
)
SENTENCE = "And David said to Saul, I will go. And Saul said to David, Go, and the Lord be with you."
ENDING = " said to Pharaoh, Let my people go. And Pharaoh said to Moses, Go."
ENDING_AT_MOST = 200
HIDDEN = "2"  # the word that is hidden at first
IN_TRAINING, MEASURED = 48, 2048  # tokens of the learner's text
CHARACTERS_AT_MOST = 12_000  # that hold them
SHARE, SEED = 0.15, 34


def picture() -> Figure:
    """What the masked model puts into a gap, before and after what follows is another text."""
    model = stored_masked_model(BOTH)
    beginning, ids = model.pairs.encode("And David"), model.pairs.encode(SENTENCE)
    other = [*beginning, *model.pairs.encode(ENDING)]
    before, after = (from_both_sides(model, each, [1]).ln_p[0] for each in (ids, other))
    names = [shown(token) for token in model.vocabulary]
    return small(moved_figure(np.exp(before), np.exp(after), names, COLOURS[0]))


def page() -> None:
    """Gaps and both models' guesses; what follows rewritten; a step of training; both models measured."""
    torch.set_num_threads(1)
    LESSON.open(
        r"p(x_t \mid x_1 \dots x_{t-1}, \texttt{<mask>}, x_{t+1} \dots x_T) \qquad "
        r"L = -\frac{1}{|M|} \sum_{t \in M} \ln p(x_t \mid \text{what is shown})",
        "$x_t$: the hidden token; $M$: the places that are hidden, in BERT's training 15% of all. A causal model gives "
        "$p(x_t \\mid x_1 \\dots x_{t-1})$: it sees what stands before the gap and nothing else.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        read = choose_read_text(LESSON, notes, document, attentive_model(BOTH), SENTENCE)
        words = words_of(stored_masked_model(BOTH).pairs, read.prompt.text, len(read.ids))
        written = LESSON.text("hidden", "Hidden words, by number", HIDDEN, max_chars=400, width=170)
        chosen = hidden_words(written, words)
        broken = LESSON.break_it("all", "Break it: hide everything", "No word is left to guess from.")
    ids, places = tuple(read.ids.tolist()), places_of(words, chosen)
    hidden = range(len(words)) if broken and chosen else chosen
    names = vocabulary_named(BOTH)
    LESSON.set_values(gaps=several(len(places_of(words, hidden)), "gap"))
    found, revealed = (), False
    with stage:
        if not words:
            st.info("There is no token to hide yet. Type a sentence.")
        elif not places:
            st.info("No word is hidden. Click a word, or go to it with the arrow keys and press Enter.")
        else:
            found = filled(ids, places_of(words, hidden))
            revealed = ask(found, ids, places)
        if words:
            seen = [shown(word.text) for word in words]
            view = gaps_view(words, seen, hidden, found if revealed else (), names)
            LESSON.view("gaps", view, name="gaps", on={"toggle": lambda word: toggle(word, chosen)})
        if revealed:
            LESSON.caption(plain(what_both_say(found, names, len(ids))))
            tell_words(words, chosen, found, names)
    if revealed:
        if broken:
            show_all_hidden(ids, places, found, len(words) == len(chosen))
        st.header("What if another text followed?", anchor=False)
        show_moved(read, words[min(chosen)], names, len(hidden) > 1)
        LESSON.every_number("the gaps", gaps_table, found, names)

    st.header("How it learned: one step of training", anchor=False)
    step = show_training(document, names)
    st.header("Who guesses better on your text?", anchor=False)
    show_measure(document)
    LESSON.closing(
        code=[
            words_of,
            from_both_sides,
            from_the_left,
            next_after_all,
            hide,
            masked_loss,
            training_step,
            TrainingStep,
            measure_gaps,
            in_window,
            GapMeasure,
        ],
        notebook=cells(ids, places_of(words, hidden), step),
        plot=(
            "from core.figures.pretraining.gaps import COLOURS, moved_figure\n\n"
            "both, left = (np.exp(each.ln_p[0]) for each in (both_sides, left))  # at the first gap\n"
            "draw(moved_figure(both[:-1], left, model.vocabulary, COLOURS[0]))"
        ),
        try_this=[
            ("Hide both names: can either model still tell?", {"hidden": "2 6 13 15"}),
            ("Hide everything: what is left to guess from?", {"all": True}),
            ("Count the loss everywhere: who profits?", {"everywhere": True, "step": 4}),
        ],
        sources=[
            "Jacob Devlin, Ming-Wei Chang, Kenton Lee and Kristina Toutanova (2019), BERT: Pre-training of Deep "
            "Bidirectional Transformers for Language Understanding, 3.1 and appendix A.",
            "Wilson Taylor (1953), “Cloze procedure”: a new tool for measuring readability, for gaps as a measure.",
        ],
    )


def toggle(word: float, chosen: list[int]) -> None:
    """Hide a word that was clicked, or show it again."""
    now = sorted(set(chosen) ^ {int(word)})
    LESSON.set_state("hidden", " ".join(str(place + 1) for place in now))


@cached(12, 4, shared=no_typed_words)
def filled(ids: tuple[int, ...], places: tuple[int, ...]) -> tuple[Filled, Filled]:
    """Return what the masked and the causal model say of the hidden places."""
    torch.set_num_threads(1)
    return (
        from_both_sides(stored_masked_model(BOTH), ids, places),
        from_the_left(stored_language_model(BACK[0]), ids, places),
    )


def ask(found: tuple[Filled, Filled], ids: tuple[int, ...], places: tuple[int, ...]) -> bool:
    """Ask which model expects the hidden words more, and return whether the answer may be shown."""
    what = "hidden token" if len(found[0].places) == 1 else "hidden tokens, taken together,"
    question = f"Which model gives the {what} more probability?"
    answer = MODELS[int(np.argmin([each.bits.sum() for each in found]))]
    return LESSON.ask(question, MODELS, answer, f"{hash((ids, places))}_{len(found[0].places)}")


def tell_words(words: list[Word], chosen: list[int], found: tuple[Filled, Filled], names: np.ndarray) -> None:
    """Tell the tour of the words and of the first gap; say what becomes of a hidden word of several byte pairs."""
    split = [word for word in words if word.stop - word.start > 1]
    both, left = found
    LESSON.set_values(
        words=several(len(words), "word"), split=f"{len(split)} {'is' if len(split) == 1 else 'are'}"
    )
    LESSON.set_values(hidden_token=names[both.hidden[0]])
    LESSON.set_values(guess=names[both.guesses[0]], guess_left=names[left.guesses[0]])
    LESSON.set_values(
        rank=f"{both.ranks[0]:,}", rank_left=f"{left.ranks[0]:,}", known=f"{both.ln_p.shape[1]:,}"
    )
    LESSON.set_values(p=probability(float(np.exp(both.ln_p_hidden[0]))))
    LESSON.set_values(p_left=probability(float(np.exp(left.ln_p_hidden[0]))))
    if here := [words[place] for place in chosen if words[place] in split]:
        st.caption(plain(what_pieces_spell(here[0], both, names)))


def show_all_hidden(ids: tuple[int, ...], places: tuple[int, ...], found: tuple, nothing_new: bool) -> None:
    """Compare what the chosen words cost the masked model with the rest of the text and without."""
    whole = float(filled(ids, places)[0].bits.mean())
    here = np.isin(found[0].places, places)
    broken = float(found[0].bits[here].mean())
    consequence("Bits a hidden token, masked model", whole, broken, ".2f", more_is_better=False)
    here = "token" if len(places) == 1 else several(len(places), "token")
    gaps = several(len(found[0].places), "gap")
    kinds = len(set(found[0].guesses.tolist()))
    guesses = f"guesses are {kinds} different tokens for" if kinds > 1 else "guess is the same token at all"
    said = (
        "Nothing changes: all words were hidden already."
        if nothing_new
        else f"The same {here}, with all other words hidden too: the model knows how many tokens there are and which tokens "
        f"are frequent. Its best {guesses} {gaps}."
    )
    LESSON.set_values(verdict=said)
    st.markdown(plain(said))


@cached(40, 10, shared=no_typed_words)
def at_gap(ids: tuple[int, ...], start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
    """Return p at the first token of a hidden word, from both models, when each is given the whole text."""
    torch.set_num_threads(1)
    both = from_both_sides(stored_masked_model(BOTH), ids, range(start, stop)).ln_p[0]
    return np.exp(both), np.exp(next_after_all(stored_language_model(BACK[0]), ids, start))


def show_moved(read: ReadText, word: Word, names: np.ndarray, more: bool) -> None:
    """Draw what both put into the first gap before and after what follows is rewritten; `more` were hidden above."""
    model = attentive_model(BOTH)
    label = "Instead of all that follows the first gap"
    ending = LESSON.text("ending", label, ENDING, max_chars=ENDING_AT_MOST)
    ids = tuple(read.ids.tolist())
    kept = ids[: word.stop]
    other = (*kept, *model.encode(ending).ids)[: model.context]
    before, after = at_gap(ids, word.start, word.stop), at_gap(other, word.start, word.stop)
    changes = [float(total_variation(p, q)) for p, q in zip(before, after, strict=True)]
    for column, name, colour, p, q in zip(
        st.columns(2, gap="medium"), MODELS, COLOURS, before, after, strict=True
    ):
        with column:
            st.markdown(f"**{name[0].upper()}{name[1:]}**")
            alt = f"The {name}'s likeliest tokens at the first gap, before and after another text follows"
            LESSON.figure(f"moved_{name.split()[0]}", moved_figure(p, q, names, colour), alt)
    moved, left = map(moved_share, changes)
    LESSON.set_values(moved=moved, moved_left=left)
    LESSON.caption(plain(what_follows_moves(changes, other == ids, shown(word.text) if more else "")))


@cached(32, 8, False, shared=is_sample)
def step_of(document: Document, share: float, seed: int) -> TrainingStep:
    """Return a step of training on the first tokens of a text."""
    torch.set_num_threads(1)
    model = stored_masked_model(BOTH)
    ids = model.pairs.encode(document.text[:CHARACTERS_AT_MOST])[:IN_TRAINING]
    return training_step(model, torch.tensor(ids, dtype=torch.long), share, seed)


def show_training(document: Document, names: np.ndarray) -> TrainingStep | None:
    """Step through what training does with the beginning of the learner's text; return it, None without a token."""
    settings, run = LESSON.stage("drawing")
    with settings:
        share = LESSON.slider("share", "Share drawn, %", 5, 60, 15, 5, width=170) / 100
        seed = LESSON.number("seed", "Seed", 0, 9999, SEED, width=110)
        label = "Break it: count the loss everywhere"
        everywhere = LESSON.break_it("everywhere", label, "The visible tokens count too.")
    if not document.text:
        run.info("Your text has no token. Choose another text.")
        return None
    step = step_of(document, share, seed)
    tokens = [shown(each) for each in stored_masked_model(BOTH).pairs.names(step.ids.tolist())]
    n = int(step.places.sum())
    with run:
        if not n:
            of = several(len(tokens), "token")
            st.info(
                f"None of {of} is drawn, so nothing is to be counted. Choose another seed or a larger share."
            )
            return step
        frames = masking_frames(step, everywhere)
        LESSON.steps(frames, shared=masking_shared(step, tokens, names, everywhere), name="steps")
    LESSON.set_values(trained=f"{load_card(BOTH).config['hidden share']:.0%}", loss=f"{step.loss:.3f}")
    LESSON.set_values(drawn=f"{n} {'was' if n == 1 else 'were'}", tokens_drawn=several(len(tokens), "token"))
    LESSON.set_values(fates=frames[1]["said"])
    if everywhere:
        shares = (float(copied.mean()) for copied in (step.copied_right[step.places], step.copied_right))
        consequence("Right by copying what is shown", *shares, ".1%", more_is_better=None)
        st.markdown(what_copying_gets(step))
    LESSON.every_number("the step of training", drawn_table, step, tokens, names)
    return step


@cached(16, 4, "Both models read your text", shared=is_sample)
def measured(document: Document, seed: int) -> GapMeasure | None:
    """Return how well both models guess hidden tokens of a text; None where there is none."""
    torch.set_num_threads(1)
    masked, causal = stored_masked_model(BOTH), stored_language_model(BACK[0])
    ids = masked.pairs.encode(document.text[:CHARACTERS_AT_MOST])[:MEASURED]
    found = measure_gaps(masked, causal, torch.tensor(ids, dtype=torch.long), SHARE, seed) if ids else None
    return found if found and found.n else None


def show_measure(document: Document) -> None:
    """Draw how often both models are right on hidden tokens of the learner's text, and say what can be told."""
    measure = measured(document, int(LESSON.get_state("seed", SEED)))
    if measure is None:
        st.info("No token of your text is hidden with this seed. Choose another seed, or a longer text.")
        return
    said = which_is_better(measure)
    LESSON.set_values(better=said, measured=measure.n, right=int(measure.right()[0]))
    LESSON.set_values(right_left=int(measure.right()[1]))
    alt = "How often the hidden token is among the k likeliest, masked and causal model, with 95% intervals"
    LESSON.figure("hits", hits_figure(measure), alt)
    LESSON.caption(said)
    st.markdown(
        f"{SHARE:.0%} of your text's first tokens (at most {MEASURED:,}) are drawn with the seed above, in windows of "
        f"{measure.window} tokens. The masked model reads each window with all of them hidden, the causal model as it is: "
        "at a place it knows every token before it, the hidden ones too. Both were trained on the Bible in Basic English "
        "and on plays, so such a text is partly known to them. The interval takes the hidden tokens as independent."
    )
    LESSON.every_number("hidden tokens guessed", hits_table, measure)


def cells(ids: tuple[int, ...], places: tuple[int, ...], step: TrainingStep | None) -> list[str]:
    """Return the notebook's cells that fill the same gaps and count the same loss."""
    if not places:
        return []
    share, seed = LESSON.get_state("share", 15) / 100, LESSON.get_state("seed", SEED)
    told = (
        ""
        if step is None
        else (
            "import torch\n\nfrom core.models.pretraining.masked_training import training_step\n\n"
            f"ids = torch.tensor({step.ids.tolist()})\n"
            f"step = training_step(model, ids, {share}, {seed})\n"
            "print(step.fates, step.loss, step.loss_everywhere)"
        )
    )
    return [
        "import numpy as np\n\nfrom core.models.pretraining.gaps import from_both_sides, from_the_left\n"
        "from core.models.self_attention.masked_language_model import stored_masked_model\n"
        "from core.models.stored_language_models import stored_language_model\n\n"
        f"model, causal = stored_masked_model({BOTH!r}), stored_language_model({BACK[0]!r})\n"
        f"ids, places = {list(ids)}, {list(places)}",
        "both_sides, left = from_both_sides(model, ids, places), from_the_left(causal, ids, places)\n"
        "print(both_sides.ranks, left.ranks, both_sides.bits, left.bits)",
        *([told] if told else []),
    ]
