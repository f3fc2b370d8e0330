"""BERT's training: what the story shows of one hidden word, and the lab on any text."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import streamlit as st
import torch

from core.figures.pretraining import name
from core.figures.pretraining.gap_measure import hits_figure, hits_table, which_is_better
from core.figures.pretraining.gaps import (
    COLOURS,
    MODELS,
    gaps_table,
    gaps_view,
    rewritten_gap_figure,
    title,
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
from core.figures.token_label import label_token
from core.figures.tokens.token_rows import token_rows
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.transformer_choice import choose_read_text, vocabulary_named
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.pretraining.gap_measure import GapMeasure, in_window, load_held_out_gaps, measure_gaps
from core.models.pretraining.gaps import (
    Filled,
    TokenisedWord,
    from_both_sides,
    from_the_left,
    group_tokens_by_word,
    hidden_token_places,
    hidden_words,
    next_after_all,
)
from core.models.pretraining.masked_training import MASK, TrainingStep, masked_training_step
from core.models.self_attention.ablation import total_variation
from core.models.self_attention.attentive_models import BACK, BOTH, ReadText, attentive_model
from core.models.self_attention.masked_language_model import hide, masked_loss, stored_masked_model
from core.models.stored_language_models import stored_language_model
from core.models.tokens.three_ways import Token
from core.text.reading.documents import Document
from core.words.plain import plain
from pages.pretraining.masked_words import LESSON
from pages.pretraining.masked_words.figures import draw_losses, draw_ranking, draw_shares, rank_tokens, said

WORDS = LESSON.words
SENTENCE = "And David said to Saul, I will go. And Saul said to David, Go, and the Lord be with you."
ENDING = " said to Pharaoh, Let my people go. And Pharaoh said to Moses, Go."
OWN = "The [king] said to his servants, Go."
EXAMPLES = (SENTENCE, ENDING, OWN)
GAP = 1  # the token of the sentence that is hidden
GUESSED = ("David", "he", "Moses")
FOLLOWS = ("both", "masked", "none")
NAMED = {"one": (1,), "names": (1, 4, 11, 14), "half": (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), "all": ()}
STEP_SHARE, STEP_SEED = 0.15, 256  # a draw of the sentence in which all three fates occur
MARKED = re.compile(r"\[([^\[\]]*)\]")
OWN_TOKENS = 60

HIDE = Choice("hide", "one", tuple(NAMED))
LINE = Text("line", OWN, 120)

# The lab's settings.
ENDING_AT_MOST = 200
HIDDEN = "2"  # the word that is hidden at first
IN_TRAINING, MEASURED = 48, 2048  # tokens of the learner's text
CHARACTERS_AT_MOST = 12_000  # that hold them
SHARE, SEED = 0.15, 34
ALL, EVERYWHERE = Switch("all"), Switch("everywhere")
DRAWN = Slider("share", 15, 5, 60, 5)
LAB = (
    ALL,
    EVERYWHERE,
    Text("hidden", HIDDEN, 400),
    Text("typed", "", 2000),
    *map(Switch, ("moved", "training", "hits")),
)


# The story: what each beat shows.


@cache
def ids_of(text: str) -> tuple[int, ...]:
    """Return the tokens of a text."""
    return tuple(stored_masked_model(BOTH).pairs.encode(text))


@cache
def fill(text: str, places: tuple[int, ...], k: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return p at the k-th hidden place of a course text, by the masked model and by the causal one (V,)."""
    both, left = fillings(ids_of(text), places)
    return np.exp(both.ln_p[k]), np.exp(left.ln_p[k])


def fillings(ids: tuple[int, ...], places: tuple[int, ...]) -> tuple[Filled, Filled]:
    """Return what both models predict at the hidden places."""
    torch.set_num_threads(1)
    masked, causal = stored_masked_model(BOTH), stored_language_model(BACK[0])
    return from_both_sides(masked, ids, places), from_the_left(causal, ids, places)


def vocabulary() -> tuple[str, ...]:
    """Return the tokens of both models, <mask> last."""
    return stored_masked_model(BOTH).vocabulary


def with_gaps(text: str, places: tuple[int, ...]) -> str:
    """Return a text with its hidden tokens as gaps."""
    names = vocabulary()
    pieces = [" ____" if t in places else names[i] for t, i in enumerate(ids_of(text))]
    return "".join(pieces).strip()


def base() -> dict[str, object]:
    """Return what all beats name: the sentence, the hidden word, and both models' probabilities and ranks."""
    hidden, names = ids_of(SENTENCE)[GAP], vocabulary()
    both, left = fill(SENTENCE, (GAP,))
    return {
        "gap": with_gaps(SENTENCE, (GAP,)),
        "word": names[hidden].strip(),
        "key": hidden,
        "p": float(both[hidden]),
        "p_left": float(left[hidden]),
        "rank": int((both > both[hidden]).sum()) + 1,
        "rank_left": int((left > left[hidden]).sum()) + 1,
        "top_left": names[int(left.argmax())].strip(),
        "V": len(names) - 1,
    }


def ask_gap(settings: Settings) -> Part:
    """The masked model's most probable tokens for the gap, by name; the answer ranks them."""
    both, _ = fill(SENTENCE, (GAP,))
    hidden = ids_of(SENTENCE)[GAP]
    panel = rank_tokens(WORDS.label("title.masked"), both, vocabulary(), hidden, 0.26, settings.revealed)
    values = base() | {"revealed": settings.revealed}
    answer = vocabulary()[int(both.argmax())].strip()
    return Part(
        "layer_bars", draw_ranking(panel), values, {"typed": SENTENCE}, choices=GUESSED, answer=answer
    )


def show_left(settings: Settings) -> Part:
    """Both models' most probable tokens for the gap."""
    hidden = ids_of(SENTENCE)[GAP]
    panels = [
        rank_tokens(WORDS.label(f"title.{name}"), p, vocabulary(), hidden, 0.3)
        for name, p in zip(("masked", "causal"), fill(SENTENCE, (GAP,)), strict=True)
    ]
    return Part("layer_bars", draw_ranking(*panels), base(), {"typed": SENTENCE})


def show_seen(settings: Settings) -> Part:
    """What each model reads when it fills the gap."""
    masked, names = stored_masked_model(BOTH), vocabulary()
    ids = list(ids_of(SENTENCE))
    ids[GAP] = masked.mask
    tokens = [Token(names[i], i, names[i].encode(), i == masked.mask) for i in ids]
    rows = {WORDS.label("row.masked"): tokens, WORDS.label("row.causal"): tokens[:GAP]}
    totals = {name: f"{len(each)}" for name, each in rows.items()}
    values = base() | {"n": len(tokens), "before": GAP}
    return Part("token_rows", token_rows(rows, {}, totals), values)


def ask_follows(settings: Settings) -> Part:
    """Both models on the sentence; the answer shows both with another ending."""
    hidden = ids_of(SENTENCE)[GAP]
    other = "And David" + ENDING
    text = other if settings.revealed else SENTENCE
    before, after = fill(SENTENCE, (GAP,)), fill(other, (GAP,))
    moved = [float(total_variation(p, q)) for p, q in zip(before, after, strict=True)]
    names = vocabulary()
    panels = [
        rank_tokens(WORDS.label(f"title.{name}"), p, names, hidden, 0.55)
        for name, p in zip(("masked", "causal"), fill(text, (GAP,)), strict=True)
    ]
    top = int(after[0].argmax())
    values = base() | {
        "revealed": settings.revealed,
        "ending": with_gaps(other, (GAP,)),
        "moved": moved[0],
        "moved_left": moved[1],
        "top": names[top].strip(),
        "top_was": float(before[0][top]),
        "top_is": float(after[0][top]),
    }
    answer = "both" if min(moved) > 0.005 else "masked" if moved[0] > 0.005 else "none"
    return Part("layer_bars", draw_ranking(*panels), values, {"moved": True}, choices=FOLLOWS, answer=answer)


@cache
def step_of_sentence() -> TrainingStep:
    """Return a step of training on the sentence."""
    torch.set_num_threads(1)
    ids = torch.tensor(ids_of(SENTENCE))
    return masked_training_step(stored_masked_model(BOTH), ids, STEP_SHARE, STEP_SEED)


def show_step(settings: Settings) -> Part:
    """The sentence as training shows it: some tokens drawn, most of them masked."""
    step, names = step_of_sentence(), vocabulary()
    own = [Token(names[i], int(i), names[i].encode()) for i in step.ids]
    seen = [
        Token(names[i], int(i), names[i].encode(), bool(drawn))
        for i, drawn in zip(step.shown, step.places, strict=True)
    ]
    rows = {WORDS.label("row.text"): own, WORDS.label("row.shown"): seen}
    values = base() | {
        "T": len(own),
        "drawn": int(step.places.sum()),
        "masks": step.fates.count(MASK),
        "share": load_held_out_gaps(BOTH).share,
    }
    return Part("token_rows", token_rows(rows, {}), values, {"training": True})


def show_loss(settings: Settings) -> Part:
    """-ln p of each drawn token, and the mean."""
    step, names = step_of_sentence(), vocabulary()
    losses = [(names[step.ids[t]], float(step.losses[t])) for t in np.flatnonzero(step.places)]
    values = base() | {
        "losses": [loss for _, loss in losses],
        "loss": step.loss,
        "n": len(losses),
        "copied": float(step.copied_right.mean()),
    }
    return Part("layer_bars", draw_losses(losses, step.loss), values, {"training": True})


def do_hide(settings: Settings) -> Part:
    """The gap with more and more of the sentence hidden."""
    ids = ids_of(SENTENCE)
    places = NAMED[settings.hide] or tuple(range(len(ids)))
    p, _ = fill(SENTENCE, places, places.index(GAP))
    hidden = ids[GAP]
    panel = rank_tokens(WORDS.label("title.masked"), p, vocabulary(), hidden, 0.3)
    bits = -float(np.log2(p[hidden]))
    values = base() | {
        "n": len(places),
        "T": len(ids),
        "p_now": float(p[hidden]),
        "bits": bits,
        "bits_one": -float(np.log2(base()["p"])),
        "bits_even": float(np.log2(len(p))),
        "share": load_held_out_gaps(BOTH).share,
        "top_now": said(vocabulary()[int(p.argmax())]),
    }
    lab = {"typed": SENTENCE, "hidden": " ".join(str(t + 1) for t in places)}
    return Part("layer_bars", draw_ranking(panel), values, lab)


def show_right(settings: Settings) -> Part:
    """How many held-out hidden tokens are predicted: by the model, and by always naming the most frequent."""
    found = load_held_out_gaps(BOTH)
    shares = {"right": found.right, "frequent": found.most_frequent}
    values = base() | shares | {"hidden": found.n, "share": found.share, "parameters": found.parameters}
    return Part("layer_bars", draw_shares(WORDS.label("title.right"), shares), values, {"hits": True})


def read_marked(line: str) -> tuple[str, tuple[int, int] | None]:
    """Return a line without its brackets, and where what they marked begins and ends; None where nothing is marked.

    >>> read_marked("The [king] said"), read_marked("The king")
    (('The king said', (4, 8)), ('The king', None))
    """
    found = MARKED.search(line)
    text = line.replace("[", "").replace("]", "")
    if not found or not found[1].strip():
        return text, None
    start = len(line[: found.start()].replace("]", "").replace("[", ""))
    return text, (start, start + len(found[1]))


def do_own(settings: Settings) -> Part:
    """Both models on the learner's line, with the marked word hidden."""
    text, where = read_marked(settings.line)
    if not text.strip():
        text, where = read_marked(OWN)
    pairs, names = stored_masked_model(BOTH).pairs, vocabulary()
    ids = tuple(pairs.encode(text))[:OWN_TOKENS]
    words = group_tokens_by_word(pairs, text, len(ids))
    starts = [len(pairs.decode(list(ids[: word.start]))) for word in words]
    marked = [
        w
        for w, start in enumerate(starts)
        if where and start + len(words[w].text) > where[0] and start < where[1]
    ]
    longest = max(range(len(words)), key=lambda w: len(words[w].text))
    place = marked[0] if marked else longest
    places = hidden_token_places(words, [place])
    both, left = fillings(ids, places)
    panels = [
        rank_tokens(WORDS.label(f"title.{name}"), np.exp(each.ln_p[0]), names, ids[places[0]], 0.6)
        for name, each in (("masked", both), ("causal", left))
    ]
    most = 1.3 * max(row["to"] for panel in panels for row in panel["rows"])
    panels = [{**panel, "most": most} for panel in panels]
    values = base() | {
        "hidden": words[place].text.strip()[:20] or "␣",
        "marked": bool(marked),
        "pieces": len(places),
        "first": said(names[ids[places[0]]]),
        "rank_own": int(both.ranks[0]),
        "rank_own_left": int(left.ranks[0]),
        "better": bool(both.bits[0] < left.bits[0]),
        "last": places[-1] == len(ids) - 1,
    }
    lab = {"typed": text, "hidden": str(place + 1)}
    return Part("layer_bars", draw_ranking(*panels), values, lab)


def show_answer(settings: Settings) -> Part:
    """Both models' most probable tokens for the gap."""
    return show_left(settings)


STORY = (
    ask("gap", ask_gap),
    look("left", show_left),
    look("seen", show_seen),
    ask("follows", ask_follows),
    look("step", show_step),
    look("loss", show_loss),
    do("hiding", do_hide, HIDE),
    look("right", show_right),
    do("own", do_own, LINE),
    end("answer", show_answer),
)


# The lab: gaps and both models' guesses; what follows rewritten; a step of training; both models measured.


def lab() -> None:
    """Gaps and both models' guesses; what follows rewritten; a step of training; both models measured."""
    torch.set_num_threads(1)
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        read = choose_read_text(LESSON, notes, document, attentive_model(BOTH), SENTENCE)
        words = group_tokens_by_word(stored_masked_model(BOTH).pairs, read.prompt.text, len(read.ids))
        written = LESSON.text("hidden", WORDS.label("hidden"), HIDDEN, max_chars=400, width=170)
        chosen = hidden_words(written, words)
        everything = LESSON.draw(ALL)
        LESSON.options()
    ids, places = tuple(read.ids.tolist()), hidden_token_places(words, chosen)
    hidden = range(len(words)) if everything and chosen else chosen
    names = vocabulary_named(BOTH)
    found, revealed = (), False
    with stage:
        if not words:
            st.info(WORDS.label("no_token"))
        elif not places:
            st.info(WORDS.label("no_word"))
        else:
            found = filled(ids, hidden_token_places(words, hidden))
            revealed = ask_model(found, ids, places)
        if words:
            seen = [label_token(word.text) for word in words]
            view = gaps_view(words, seen, hidden, found if revealed else (), names)
            LESSON.view("gaps", view, name="gaps", on={"toggle": lambda word: toggle(word, chosen)})
        if revealed:
            LESSON.caption(plain(what_both_say(found, names, len(ids))))
            split = [words[place] for place in chosen if words[place].stop - words[place].start > 1]
            if split:
                st.caption(plain(what_pieces_spell(split[0], found[0], names)))
    if revealed:
        if everything:
            show_all_hidden(ids, places, found, len(words) == len(chosen))
        if box := LESSON.fold("moved"):
            with box:
                show_moved(read, words[min(chosen)], names, len(hidden) > 1)
        LESSON.every_number(WORDS.label("table.gaps"), gaps_table, found, names)
    if box := LESSON.fold("training"):
        with box:
            show_training(document, names)
    if box := LESSON.fold("hits"):
        with box:
            show_measure(document)
    LESSON.close_lab(
        code=[
            *(
                group_tokens_by_word,
                from_both_sides,
                from_the_left,
                next_after_all,
                hide,
                masked_loss,
                masked_training_step,
            ),
            *(TrainingStep, measure_gaps, in_window, GapMeasure),
        ],
        parameters={
            "ids": list(ids),
            "places": list(hidden_token_places(words, hidden)) or [0],
            "share": int(LESSON.get_state("share", DRAWN.default)) / 100,
            "seed": int(LESSON.get_state("seed", SEED)),
        },
        prompts={
            "names": {"hidden": "2 6 13 15"},
            "all": {"all": True},
            "everywhere": {"everywhere": True, "training": True},
        },
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


def ask_model(found: tuple[Filled, Filled], ids: tuple[int, ...], places: tuple[int, ...]) -> bool:
    """Ask which model expects the hidden words more, and return whether the answer may be shown."""
    question = WORDS.label("guess", n=len(found[0].places))
    models = [name(model) for model in MODELS]
    answer = models[int(np.argmin([each.bits.sum() for each in found]))]
    return LESSON.ask(question, models, answer, f"{hash((ids, places))}_{len(found[0].places)}")


def show_all_hidden(ids: tuple[int, ...], places: tuple[int, ...], found: tuple, nothing_new: bool) -> None:
    """Compare what the chosen words cost the masked model with the rest of the text and without."""
    with_text = float(filled(ids, places)[0].bits.mean())
    without = float(found[0].bits[np.isin(found[0].places, places)].mean())
    LESSON.compare("all", with_text, without, ".2f", more_is_better=False)
    even = float(np.log2(found[0].ln_p.shape[1]))
    values = {
        "nothing_new": nothing_new,
        "share": load_held_out_gaps(BOTH).share,
        "gaps": len(found[0].places),
        "kinds": len(set(found[0].guesses.tolist())),
        "even": even,
        "worse": without > even,
    }
    st.markdown(WORDS.markdown("says.all", **values))


@cached(40, 10, shared=no_typed_words)
def at_gap(ids: tuple[int, ...], start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
    """Return p at the first token of a hidden word, from both models, when each is given the whole text."""
    torch.set_num_threads(1)
    both = from_both_sides(stored_masked_model(BOTH), ids, range(start, stop)).ln_p[0]
    return np.exp(both), np.exp(next_after_all(stored_language_model(BACK[0]), ids, start))


def show_moved(read: ReadText, word: TokenisedWord, names: np.ndarray, more: bool) -> None:
    """Draw what both put into the first gap before and after what follows is rewritten; `more` were hidden above."""
    model = attentive_model(BOTH)
    ending = LESSON.text("ending", WORDS.label("ending"), ENDING, max_chars=ENDING_AT_MOST)
    ids = tuple(read.ids.tolist())
    other = (*ids[: word.stop], *model.encode(ending).ids)[: model.context]
    before, after = at_gap(ids, word.start, word.stop), at_gap(other, word.start, word.stop)
    changes = [float(total_variation(p, q)) for p, q in zip(before, after, strict=True)]
    columns = st.columns(2, gap="medium")
    for column, model_name, colour, p, q in zip(columns, MODELS, COLOURS, before, after, strict=True):
        with column:
            st.markdown(f"**{title(model_name)}**")
            alt = WORDS.label("moved_drawn.alt", name=name(model_name))
            LESSON.figure(f"moved_{model_name}", rewritten_gap_figure(p, q, names, colour), alt)
    LESSON.caption(plain(what_follows_moves(changes, other == ids, label_token(word.text) if more else "")))


@cached(32, 8, shared=is_sample)
def step_of(document: Document, share: float, seed: int) -> TrainingStep:
    """Return a step of training on the first tokens of a text."""
    torch.set_num_threads(1)
    model = stored_masked_model(BOTH)
    ids = model.pairs.encode(document.text[:CHARACTERS_AT_MOST])[:IN_TRAINING]
    return masked_training_step(model, torch.tensor(ids, dtype=torch.long), share, seed)


def show_training(document: Document, names: np.ndarray) -> None:
    """Step through what training does with the beginning of the learner's text."""
    settings, run = LESSON.stage("drawing")
    with settings:
        share = LESSON.draw(DRAWN, width=170) / 100
        seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, SEED, width=110)
        everywhere = LESSON.draw(EVERYWHERE)
    if not document.text:
        run.info(WORDS.label("empty"))
        return
    step = step_of(document, share, seed)
    tokens = [label_token(each) for each in stored_masked_model(BOTH).pairs.names(step.ids.tolist())]
    with run:
        if not step.places.any():
            st.info(WORDS.label("none_drawn", n=len(tokens)))
            return
        frames = masking_frames(step, everywhere)
        LESSON.steps(frames, shared=masking_shared(step, tokens, names, everywhere), name="steps")
    if everywhere:
        shares = (float(copied.mean()) for copied in (step.copied_right[step.places], step.copied_right))
        LESSON.compare("copied", *shares, ".1%", more_is_better=None)
        st.markdown(what_copying_gets(step))
    LESSON.every_number(WORDS.label("table.step"), drawn_table, step, tokens, names)


@cached(16, 4, shared=is_sample)
def measured(document: Document, seed: int) -> GapMeasure | None:
    """Return how well both models guess hidden tokens of a text; None where there is none."""
    torch.set_num_threads(1)
    masked, causal = stored_masked_model(BOTH), stored_language_model(BACK[0])
    ids = masked.pairs.encode(document.text[:CHARACTERS_AT_MOST])[:MEASURED]
    found = measure_gaps(masked, causal, torch.tensor(ids, dtype=torch.long), SHARE, seed) if ids else None
    return found if found and found.n else None


def show_measure(document: Document) -> None:
    """Draw how often both models are right on hidden tokens of the learner's text."""
    measure = measured(document, int(LESSON.get_state("seed", SEED)))
    if measure is None:
        st.info(WORDS.label("none_hidden"))
        return
    LESSON.figure("hits_drawn", hits_figure(measure), WORDS.label("hits_drawn.alt"))
    LESSON.caption(which_is_better(measure))
    values = {"share": SHARE, "most": MEASURED, "window": measure.window}
    st.markdown(WORDS.markdown("says.measure", **values))
    LESSON.every_number(WORDS.label("table.hits"), hits_table, measure)
