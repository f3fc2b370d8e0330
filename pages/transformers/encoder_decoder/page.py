"""The encoder-decoder transformer: what the story shows beat by beat, and the lab that translates any sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from math import exp
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.alignment import attention_view
from core.figures.frame import frame
from core.figures.machine import share_bar
from core.figures.packed import packed
from core.figures.share_line import table_of_lengths
from core.figures.translation import WORDS as FIGURES
from core.figures.worked import dot_product, number, word
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.translator_choice import (
    DUTCH,
    FRENCH,
    TASKS,
    ChosenSentence,
    Task,
    choose_source_sentence,
    held_out_pairs,
    translator_of,
)
from core.lesson.every_number import Formula
from core.lesson.predict_first import Question
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.self_attention.attention import AttentionTrace, attend
from core.models.stored import load_card
from core.models.transformers.broken_encoder_decoder import without_cross_attention, without_mask
from core.models.transformers.encoder_decoder import Attention, DecoderBlock, EncoderBlock, EncoderDecoder
from core.models.transformers.transformer_translation import (
    Written,
    added_by,
    given_right,
    greedy,
    judge_pairs,
    stored_transformer,
    written_right,
)
from core.models.translation.alignment import gold_of, misaligned
from core.models.translation.bottleneck import wilson
from core.models.translation.translate import Translated, Translator, translated
from core.models.translation.what_if import changes
from core.text.grammar.pairs import Pair
from core.words.numbers import percent, signed
from core.words.plain import plain
from pages.transformers.encoder_decoder import (
    FRENCH_MODEL,
    HEAD,
    LAYER,
    LESSON,
    LONGER,
    OWN,
    SENTENCE,
    SHORTER,
)
from pages.transformers.encoder_decoder.figures import (
    FRENCH_HUE,
    START,
    added_for_distance,
    by_length,
    draw_block,
    draw_cross,
    draw_encoder,
    draw_map,
    draw_mask,
    draw_score,
    draw_whole,
    head_errors,
    length_figure,
    name_places,
    three_attentions,
)
from pages.transformers.shared import WORDS as SUBJECT

WORDS = LESSON.words
END = "<end>"
READ_AT_MOST, WRITTEN_AT_MOST = (
    12,
    24,
)  # words of a sentence typed in the story, and of what is written for it
AT = 5  # the step of the story: "voiture" is written
SEES_AHEAD = (0, 2, 3, 5)  # the encoder's block and head, from 0, an article, and the noun that it attends to
MODELS = {FRENCH: FRENCH_MODEL, DUTCH: "transformer_dutch"}
FIRST = 8  # the step on which the lab opens: words are written, and words are masked
ASKED = 4  # steps of which the heaviest input is guessed
MEASURED, SHORT = 60, tuple(range(4, 13))  # held-out sentences on which a break is measured, their lengths
Break = Callable[[EncoderDecoder], EncoderDecoder]

LINE = Text("line", OWN, 120)
STEP = Slider("step", 4, 1, lambda settings: len(read_line(settings.get("line", OWN)).outputs), 1)
TASK = Choice("task", "french", ("french", "dutch"), {FRENCH: "french", DUTCH: "dutch"})
CROSS, MASK = Switch("cross"), Switch("mask")
LAB = (TASK, Text("text_fr", ""), Slider("step", FIRST, 1, 61), CROSS, MASK, Switch("heads"))


def say(key: str, **values: object) -> str:
    """Return a label of the lesson, or of its subject."""
    return (WORDS if WORDS.has(key) else SUBJECT).label(key, **values)


# The story: what each beat shows.


class Read(NamedTuple):
    """A sentence of the story: its words, what was written for it, and the right translation where it is known."""

    words: tuple[str, ...]
    made: Written
    outputs: list[str]
    pair: Pair | None
    cut: bool

    @property
    def written(self) -> list[str]:
        """The words before <end>."""
        return ended(self.outputs)

    def before(self, t: int) -> list[str]:
        """Return the words that the decoder has read when it writes word t."""
        return [START, *self.outputs[:t]]


@lru_cache(maxsize=64)
def read_line(line: str, silent: bool = False) -> Read:
    """Return a sentence as the story's transformer translates it; `silent`: cross-attention adds nothing."""
    words = TASKS[FRENCH].read(line) or TASKS[FRENCH].read(OWN)
    cut, words = len(words) > READ_AT_MOST, words[:READ_AT_MOST]
    translator = broken_translator(FRENCH_MODEL, without_cross_attention) if silent else stored(FRENCH_MODEL)
    made = greedy(translator.model, translator.source.encode(words), WRITTEN_AT_MOST + 1)
    outputs = [translator.target.words[i] for i in made.words]
    return Read(tuple(words), made, outputs, TASKS[FRENCH].reference(words), cut)


def whole(t: int, **more: object) -> Part:
    """Return both stacks when word t of the story's sentence is written."""
    read, config = read_line(SENTENCE), stored(FRENCH_MODEL).model.config
    p = read.made.probability(t)
    bars = [share_bar(read.outputs[t], p, percent(p, 0), FRENCH_HUE, True)]
    end = {"kind": "bars", "bars": bars}
    memory = say("note.memory", n=len(read.words), C=config.width)
    data = draw_whole(
        say, SENTENCE, " ".join(read.before(t)), config.encoder_layers, end, memory=memory, **more
    )
    values = {
        "next": read.outputs[t],
        "last": read.outputs[t - 1],
        "p": percent(read.made.probability(t), 0),
        "n": len(read.words),
        "C": config.width,
        "blocks": config.encoder_layers,
    }
    return Part("machine", data, values, {"text_fr": SENTENCE, "step": t + 1})


def show_whole(settings: Settings) -> Part:
    """Both stacks, and the wire between them."""
    return whole(AT, now=("cross",))


def show_encoder(settings: Settings) -> Part:
    """What an English article attends to in one head of the encoder: the noun on its right."""
    read, (layer, head, query, noun) = read_line(SENTENCE), SEES_AHEAD
    weights = read.made.encoded.attention[layer].weights[0, head, query].numpy()
    title = say("axis.weight", word=read.words[query], k=layer + 1, head=head + 1)
    values = {
        "weight": f"{weights[noun]:.2f}",
        "n": len(read.words),
        "blocks": stored(FRENCH_MODEL).model.config.encoder_layers,
        "query": read.words[query],
        "noun": read.words[noun],
    }
    return Part("attention_arrows", draw_encoder(say, read.words, weights, query, title), values, IN_LAB)


def show_block(settings: Settings) -> Part:
    """The decoder's last block: what its three parts add to the stream."""
    read = read_line(SENTENCE)
    before, added = added_by(stored(FRENCH_MODEL).model, read.made, AT, LAYER)
    vectors = [before, *added, before + sum(added)]
    names = ("x", "a", "c", "f", "after")
    values = {name: signed(float(each[0])) for name, each in zip(names, vectors, strict=True)}
    memory = say("box.vectors", n=len(read.words))
    newest = read.before(AT)[-1]
    data = draw_block(say, LAYER + 1, newest, memory, [each.numpy() for each in vectors])
    return Part("machine", data, {**values, "k": LAYER + 1, "last": newest}, IN_LAB)


def show_fetch(settings: Settings) -> Part:
    """Where cross-attention looks before "voiture" is written: every arrow open, then each with its weight."""
    read = read_line(SENTENCE)
    weights = read.made.cross(LAYER, HEAD)
    best = int(weights[AT].argmax())
    head = say("box.head", k=LAYER + 1, head=HEAD + 1)
    data = draw_cross(
        say, read.words, read.before(AT), read.outputs[AT], weights[AT] if settings.revealed else None, head
    )
    values = {
        "next": read.outputs[AT],
        "last": read.outputs[AT - 1],
        "then": read.outputs[AT + 1],
        "skipped": read.words[int(weights[AT + 1].argmax())],
        "best": read.words[best],
        "weight": f"{weights[AT, best]:.2f}",
        "shown": settings.revealed,
        "head": HEAD + 1,
        "k": LAYER + 1,
    }
    return Part("machine", data, values, IN_LAB, ("sold", "the", "white", "car"), read.words[best])


def show_score(settings: Settings) -> Part:
    """The scores and the weights of one step, and how the largest is made of a query and a key."""
    read = read_line(SENTENCE)
    trace = read.made.steps[AT].cross[LAYER]
    e, w = trace.masked[0, HEAD, AT].numpy(), trace.weights[0, HEAD, AT].numpy()
    order = np.argsort(-e, kind="stable")
    best, second = int(order[0]), int(order[1])
    product, added = float(trace.scores[0, HEAD, AT, best]), added_for_distance(trace, HEAD, AT, best)
    query, key = trace.query[0, HEAD, AT].numpy(), trace.key[0, HEAD, best].numpy()
    worked = f"{product:.2f} / {len(query) ** 0.5:.0f} {signed(added, 2, '+ ')} = {e[best]:.2f}"
    names = name_places(read.words)
    bars = [
        [
            share_bar(names[s], values[s] / values[best], f"{values[s]:.{digits}f}", "pink", s == best)
            for s in order
        ]
        for values, digits in ((e, 1), (w, 2))
    ]
    less = float(e[best]) - float(e[second])
    values = {
        "best": read.words[best],
        "second": read.words[second],
        "e": f"{e[best]:.1f}",
        "other": f"{e[second]:.1f}",
        "added": f"{added:.2f}",
        "less": f"{less:.1f}",
        "times": f"{float(f'{exp(less):.2g}'):,.0f}",
        "d": len(query),
        "last": read.before(AT)[-1],
    }
    asks, asked = (read.before(AT)[-1], query), (read.words[best], key)
    return Part("machine", draw_score(say, asks, asked, worked, *bars), values, IN_LAB)


def show_map(settings: Settings) -> Part:
    """One head's weights for the whole sentence."""
    read, quality = read_line(SENTENCE), load_card(FRENCH_MODEL).quality
    T = len(read.written)
    errors = head_errors(quality)
    values = {
        "right": percent(1 - errors[LAYER + 1, HEAD + 1], 0),
        "pairs": f"{quality['held_out_pairs']:,}",
        "head": HEAD + 1,
        "k": LAYER + 1,
        "heads": len(errors),
        "least": percent(1 - max(errors.values()), 0),
        "recurrent": percent(1 - quality["recurrent_alignment_error"], 0),
    }
    data = draw_map(say, read.written, read.words, read.made.cross(LAYER, HEAD)[:T])
    return Part("word_matrix", data, values, IN_LAB | {"heads": True})


def show_deaf(settings: Settings) -> Part:
    """The wire is cut: cross-attention adds nothing, and the decoder writes by itself."""
    written = " ".join(read_line(SENTENCE, True).written[:10])
    title = say("row.writes", words=written) if settings.revealed else ""
    end = {
        "kind": "box",
        "title": title or say("row.unknown"),
        "state": "now" if settings.revealed else "open",
    }
    config = stored(FRENCH_MODEL).model.config
    memory = say("note.memory", n=len(read_line(SENTENCE).words), C=config.width)
    data = draw_whole(say, SENTENCE, START, config.encoder_layers, end, cut=True, memory=memory)
    values = {
        "right": right_of(FRENCH_MODEL, FRENCH, None),
        "now": right_of(FRENCH_MODEL, FRENCH, without_cross_attention) if settings.revealed else "",
        "pairs": MEASURED,
        "written": written if settings.revealed else "",
        "shown": settings.revealed,
        "least": SHORT[0],
        "longest": SHORT[-1],
    }
    lab = {"text_fr": SENTENCE, "cross": True}
    return Part("machine", data, values, lab, ("nothing", "same", "other"), "other")


def show_training(settings: Settings) -> Part:
    """One pass of training: what each row sees, and what it must predict."""
    read = read_line(SHORTER)
    reads, row = read.before(len(read.outputs) - 1), 2
    values = {
        "n": len(reads),
        "row": reads[row],
        "next": read.outputs[row],
        "right": right_of(FRENCH_MODEL, FRENCH, without_mask),
        "pairs": MEASURED,
    }
    data = draw_mask(say, reads, read.outputs)
    return Part("masked_scores", data, values, {"text_fr": SHORTER, "mask": True})


def show_own(settings: Settings) -> Part:
    """The learner's sentence: where one head looks at the step that was chosen."""
    read = read_line(settings.line)
    t = min(settings.step, len(read.outputs)) - 1
    weights = read.made.cross(LAYER, HEAD)[t]
    best = int(weights.argmax())
    head = say("box.head", k=LAYER + 1, head=HEAD + 1)
    data = draw_cross(say, read.words, read.before(t), read.outputs[t], weights, head)
    known = stored(FRENCH_MODEL).source.ids
    unknown = [each for each in read.words if each not in known]
    case = (
        "unchecked" if read.pair is None else "right" if list(read.pair.target) == read.written else "wrong"
    )
    values = {
        "next": read.outputs[t],
        "word": read.words[best],
        "weight": f"{weights[best]:.2f}",
        "head": HEAD + 1,
        "written": TASKS[FRENCH].write(read.written),
        "case": case,
        "wanted": TASKS[FRENCH].write(read.pair.target) if read.pair else "",
        "unknown": unknown[0] if unknown else "",
        "others": len(set(unknown)) - 1,
        "one": len(read.words) == 1,
        "cut": read.cut,
        "most": READ_AT_MOST,
        "stopped": not read.made.finished,
        "limit": WRITTEN_AT_MOST + 1,
    }
    return Part("machine", data, values, {"text_fr": settings.line})


def show_answer(settings: Settings) -> Part:
    """Both stacks with what runs between them, and the way back of each new word."""
    return whole(AT, stations=True)


IN_LAB = {"text_fr": SENTENCE, "step": AT + 1}
STORY = (
    look("whole", show_whole),
    look("encoder", show_encoder),
    look("block", show_block),
    ask("fetch", show_fetch),
    look("score", show_score),
    look("map", show_map),
    ask("deaf", show_deaf),
    look("training", show_training),
    do("own", show_own, LINE, STEP),
    end("answer", show_answer),
)


# The model, as it is and without a piece, and what it wrote.


@cache
def stored(name: str) -> Translator:
    """Return a trained transformer of assets/models, loaded once for all sessions: never change it."""
    torch.set_num_threads(1)
    return stored_transformer(name)


@cache
def broken_translator(name: str, broken: Break) -> Translator:
    """Return a stored transformer with a piece removed, made once for all sessions: never change it."""
    return replace(stored(name), model=broken(stored(name).model))


def written_by(name: str, words: Sequence[str], broken: Break | None = None) -> Written:
    """Return what a stored transformer, as it is or broken, writes for words; the last ones are kept."""
    return _written_by(name, broken.__name__ if broken else "", tuple(words), broken)


@cached(8, 3, shared=no_typed_words)
def _written_by(name: str, break_name: str, words: tuple[str, ...], _broken: Break | None) -> Written:
    translator = broken_translator(name, _broken) if _broken else stored(name)
    return greedy(translator.model, translator.source.encode(words))


@cached(32, 8, shared=no_typed_words)
def recurrent(name: str, words: tuple[str, ...]) -> Translated:
    """Return what a recurrent translator writes for words."""
    return translated(translator_of(name), words)


@lru_cache(maxsize=8)
def right_of(name: str, label: str, broken: Break | None) -> int:
    """Return how many held-out pairs a stored transformer writes right; greedily without a mask, where it would peek."""
    translator = broken_translator(name, broken) if broken else stored(name)
    pairs = held_out_pairs(label, seed=3, count=MEASURED, lengths=SHORT)
    right = written_right if broken is without_mask else given_right
    return sum(right(translator.model, pairs, translator.source, translator.target))


def ended(outputs: Sequence[str]) -> list[str]:
    """Return the words that were written before <end>."""
    return [each for each in outputs if each != END]


# The lab.


def lab() -> None:
    """A translation, step by step, through three attentions; beside the recurrent translator; both by length."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        task = TASKS[{"french": FRENCH, "dutch": DUTCH}[LESSON.draw(TASK)]]
        sentence = choose_source_sentence(LESSON, task, notes)
        name = MODELS[task.label]
        layer, head = choose_head(name)
        with LESSON.options():
            cross, mask = LESSON.draw(CROSS), LESSON.draw(MASK)
    broken = without_cross_attention if cross else without_mask if mask else None
    words, model = sentence.words, stored(name)
    made = written_by(name, words, broken)
    outputs = [model.target.words[i] for i in made.words]
    about = f"{name}_{layer}_{head}_{broken and broken.__name__}_{' '.join(words)}"
    with stage:
        seen = LESSON.ask_in_turn(
            len(outputs), partial(question_of, made, layer, head, words, outputs, about)
        )
        shared = {"values": packed(made.encoded.attention[layer].weights[0, head].numpy())}
        frames = [step_frame(made, t, layer, head, words, outputs, not cross) for t in range(seen)]
        LESSON.steps(frames, len(outputs), start=FIRST, shared=shared)
    if revealed := seen == len(outputs):
        say_verdict(task, sentence, outputs, made)
        if broken:
            show_consequence(task, name, broken, words, made)
    if revealed and (box := LESSON.fold("recurrent")):
        with box:
            beside_recurrent(task, sentence, made, outputs, (layer, head))
    quality = load_card(name).quality
    if box := LESSON.fold("lengths"):
        with box:
            LESSON.figure("by_length", length_figure(say, quality), WORDS.label("alt.lengths"))
            st.markdown(WORDS.markdown("says.lengths", **describe_lengths(quality)))
    if box := LESSON.fold("heads"):
        with box:
            st.markdown(WORDS.markdown("says.heads", **describe_heads(quality)))
            st.dataframe(heads_table(quality), hide_index=True, alt=WORDS.label("alt.heads"))
    if revealed:
        LESSON.every_number(WORDS.label("table.cross"), weights_table, made, layer, head, words, outputs)
    LESSON.every_number(WORDS.label("table.lengths"), length_table, quality)
    LESSON.close_lab(
        code=[EncoderDecoder, EncoderBlock, DecoderBlock, Attention, attend, greedy, judge_pairs, wilson]
        + ([broken, written_right, given_right] if broken else []),
        parameters={
            "name": name,
            "words": list(words),
            "layer": layer + 1,
            "head": head + 1,
            "broken": broken.__name__ if broken else "",
        },
        prompts={
            "crosses": {"text_fr": LONGER, "step": 7},
            "verb": {"task": "dutch", "step": 13},
            "cross": {"cross": True},
        },
    )


def choose_head(name: str) -> tuple[int, int]:
    """Draw the choice of a layer and a head, which all three attentions have; return them counted from 0."""
    config = stored(name).model.config
    layers = min(config.encoder_layers, config.decoder_layers)
    layer = LESSON.number("layer", WORDS.label("layer"), 1, layers, LAYER + 1, width=85)
    head = LESSON.number("head", WORDS.label("head"), 1, config.heads, HEAD + 1, width=85)
    return layer - 1, head - 1


def question_of(
    made: Written, layer: int, head: int, inputs: Sequence[str], outputs: Sequence[str], about: str, t: int
) -> Question | None:
    """Return the question before one of the first steps: which input word its cross-attention looks at most."""
    if t >= ASKED:
        return None
    numbered, row = [f"{s + 1} {each}" for s, each in enumerate(inputs)], made.cross(layer, head)[t]
    asked = WORDS.label("question", word=outputs[t], k=layer + 1, head=head + 1)
    return Question(asked, numbered, numbered[int(row.argmax())], f"{about}_{t}")


def step_frame(
    made: Written,
    t: int,
    layer: int,
    head: int,
    inputs: Sequence[str],
    outputs: Sequence[str],
    heard: bool = True,
) -> dict:
    """Return step t as the view "steps" draws it: three attentions of one head, and cross-attention's heaviest weight."""
    row, own = made.cross(layer, head)[t], made.steps[t].attention[layer].weights[0, head, t]
    s, read = int(row.argmax()), [START, *outputs[:t]]
    values = {
        "t": t,
        "word": outputs[t],
        "to": inputs[s],
        "share": percent(float(row[s])),
        "k": layer + 1,
        "head": head + 1,
        "one": len(inputs) == 1,
        "heard": heard,
        "back": read[int(own.argmax())],
        "back_share": percent(float(own.max())),
        "read": " ".join(read),
        "p": percent(made.probability(t)),
    }
    return frame(
        WORDS.label("frame.name", **values),
        three_attentions(say, made, t, layer, head, inputs, outputs),
        WORDS.label("frame.alt"),
        WORDS.label("says.step", **values),
        [WORDS.label("frame.note", **values)],
        [worked_weight(made.steps[t].cross[layer], head, t, s, outputs[t], inputs[s])],
    )


def say_verdict(task: Task, sentence: ChosenSentence, outputs: Sequence[str], made: Written) -> None:
    """Write the translation, and say whether it ended and, where that is known, whether it is right."""
    written, pair = ended(outputs), sentence.pair
    st.text(f"→ {task.write(written)}")
    if not made.finished:
        st.info(WORDS.markdown("note.stopped", n=len(outputs)))
    if pair:
        right = list(pair.target) == written
        st.text(
            WORDS.label("says.right") if right else WORDS.label("says.wrong", text=task.write(pair.target))
        )


def show_consequence(task: Task, name: str, broken: Break, words: Sequence[str], made: Written) -> None:
    """Show what a removed piece did to this sentence, and to held-out ones."""
    target = stored(name).target
    before, now = (target.decode(each.words) for each in (written_by(name, words), made))
    texts = {"before": task.write(before), "now": task.write(now)}
    st.text(WORDS.label("says.broken", n=changes(before, now), **texts))
    shares = [wilson(right_of(name, task.label, each), MEASURED) for each in (None, broken)]
    ends = [f"{percent(each.low)} to {percent(each.high)}".replace(" to ", "–") for each in shares]
    values = {"n": MEASURED, "least": SHORT[0], "most": SHORT[-1], "with_it": ends[0], "without": ends[1]}
    st.caption(WORDS.markdown("caption.broken", **values))
    piece = "cross" if broken is without_cross_attention else "mask"
    LESSON.compare(piece, *(each.value for each in shares), ".1%")


def beside_recurrent(
    task: Task, sentence: ChosenSentence, made: Written, outputs: Sequence[str], chosen: tuple[int, int]
) -> None:
    """Draw one head's cross-attention beside the recurrent translator's, and score both where the alignment is known."""
    other = recurrent(task.models["additive"], sentence.words)
    head = WORDS.label("name.head", k=chosen[0] + 1, head=chosen[1] + 1)
    drawn = (
        ("transformer", head, made.cross(*chosen), outputs),
        ("recurrent", WORDS.label("name.recurrent"), other.weights, other.outputs),
    )
    aligned, ends = (
        {},
        (FIGURES.label("end.output", unit=task.unit), FIGURES.label("end.input", unit=task.unit)),
    )
    for column, (file, name, weights, written) in zip(st.columns(2, gap="medium"), drawn, strict=True):
        gold = gold_of(sentence.words, ended(written), sentence.pair) if sentence.pair else frozenset()
        n = len({t for t, _ in gold})
        aligned[file] = f"{n - len(misaligned(weights, gold))}/{n}" if gold else ""
        with column:
            st.markdown(f"**{name}**")
            data = attention_view(weights, written, sentence.words, gold, *ends, file=f"attention_{file}")
            LESSON.view("attention", data, name=f"{file}_view")
    st.markdown(plain(WORDS.label("says.aligned", known=sentence.pair is not None, head=head, **aligned)))


def describe_lengths(quality: Mapping[str, float]) -> dict[str, object]:
    """Return the counts that both translators' cards have of the pairs drawn last, of longer and of joined ones."""
    names = ("later_right", "later_recurrent_right", "later_longer_right", "later_recurrent_longer_right")
    counts = {each: f"{quality[each]:,}" for each in (*names, "joined_right", "joined_recurrent_right")}
    of = {"longer": quality["longer_pairs"], "joined": quality["joined_pairs"]}
    return counts | {"pairs": f"{quality['held_out_pairs']:,}"} | of


def describe_heads(quality: Mapping[str, float]) -> dict[str, object]:
    """Return which head misaligns fewest words of the held-out pairs, and how many the recurrent translator does."""
    errors = head_errors(quality)
    (layer, head), least = min(errors.items(), key=lambda each: each[1])
    return {
        "pairs": f"{quality['held_out_pairs']:,}",
        "k": layer,
        "head": head,
        "least": percent(least),
        "recurrent": percent(quality["recurrent_alignment_error"]),
    }


def heads_table(quality: Mapping[str, float]) -> pd.DataFrame:
    """Return the alignment error of every head and of the recurrent translator."""
    rows = [
        (WORDS.label("name.head", k=layer, head=head), error)
        for (layer, head), error in head_errors(quality).items()
    ]
    rows.append((WORDS.label("name.recurrent"), quality["recurrent_alignment_error"]))
    return pd.DataFrame(rows, columns=[WORDS.label("table.attention"), WORDS.label("table.error")])


def length_table(quality: Mapping[str, float]) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each translator and range of lengths: how many are right, the share's interval; and the formula."""
    rows = [
        {
            "model": WORDS.label(f"name.{name}"),
            "words": words,
            "sentences": each.n,
            "right": round(each.value * each.n),
            "share right": each.value,
            "95% from": each.low,
            "95% to": each.high,
        }
        for name, estimates in by_length(quality).items()
        for words, each in estimates.items()
    ]
    return table_of_lengths(rows)


def worked_weight(trace: AttentionTrace, head: int, t: int, s: int, written: str, looked: str) -> str:
    """Return LaTeX of the weight that query t gives key s: its score, scaled, the distance's part, its share of the row."""
    q, k = trace.query[0, head, t].numpy(), trace.key[0, head, s].numpy()
    score, scaled = float(trace.scores[0, head, t, s]), float(trace.scaled[0, head, t, s])
    added, total = added_for_distance(trace, head, t, s), float(trace.masked[0, head, t, s])
    shift = float(trace.shift[0, head, t, 0])
    less = "" if not shift else f" - {number(shift)}" if shift > 0 else f" + {number(-shift)}"
    power, row = float(trace.exponentials[0, head, t, s]), float(trace.row_sums[0, head, t, 0])
    plus = f"- {number(-added)}" if added < 0 else f"+ {number(added)}"
    exponent = f"{number(total)}{less}"
    lines = (
        rf"t = {t + 1}\;({word(written)}),\; s = {s + 1}\;({word(looked)})\quad "
        rf"q_t \cdot k_s = {dot_product(q, k, terms=2)}",
        rf"e_{{ts}} = \frac{{{number(score)}}}{{\sqrt{{{len(q)}}}}} + b_{{{s - t}}} = {number(scaled)} {plus} = "
        rf"{number(total)}",
        rf"a_{{ts}} = \frac{{e^{{{exponent}}}}}{{\sum_j e^{{e_{{tj}}{less}}}}} = "
        rf"\frac{{{number(power)}}}{{{number(row)}}} = {number(power / row)}",
    )
    return r"\begin{aligned}&" + r"\\[4pt]&".join(lines) + r"\end{aligned}"


def weights_table(
    made: Written, layer: int, head: int, inputs: Sequence[str], outputs: Sequence[str]
) -> tuple[pd.DataFrame, Formula]:
    """Return what every weight is made of, step by step and input word by input word, and the formula behind it."""
    places = [(t, s) for t in range(len(outputs)) for s in range(len(inputs))]
    traces = [step.cross[layer] for step in made.steps]
    made_of = {
        "score": [float(traces[t].scores[0, head, t, s]) for t, s in places],
        "scaled": [float(traces[t].scaled[0, head, t, s]) for t, s in places],
        "added": [added_for_distance(traces[t], head, t, s) for t, s in places],
        "sum": [float(traces[t].masked[0, head, t, s]) for t, s in places],
        "weight": [float(traces[t].weights[0, head, t, s]) for t, s in places],
    }
    named = {
        "step": [t + 1 for t, _ in places],
        "writing": [outputs[t] for t, _ in places],
        "input": [f"{s + 1} {inputs[s]}" for _, s in places],
        "distance": [s - t for t, s in places],
    }

    labels = {name: WORDS.label(f"weights.{name}") for name in (*named, *made_of)}
    computed = {labels[name] for name in made_of}

    def formula(row: int, column: str) -> str | None:
        t, s = places[row]
        return worked_weight(traces[t], head, t, s, outputs[t], inputs[s]) if column in computed else None

    return pd.DataFrame({**named, **made_of}).rename(columns=labels), formula
