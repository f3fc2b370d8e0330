"""Residual connections and norms: what the story shows beat by beat, and the lab with six small GPTs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.figure import Figure
from core.figures.machine import bare, machine
from core.figures.self_attention.heads import names_of
from core.figures.worked import dot_product, number, write_cosine
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.transformer_choice import choose_read_text, vocabulary_named
from core.lesson.chosen_text import TYPED
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.self_attention.attentive_models import AttentiveModel, attentive_model
from core.models.self_attention.gpt import GPT
from core.models.transformers.ablated_gpt import FORMS, WHOLE, AblatedBlock
from core.models.transformers.ablated_gpts import (
    Interval,
    Trainings,
    costs,
    cut,
    interval_of_mean,
    stored_ablated_gpt,
    stored_trainings,
    text_loss,
    window_loss,
)
from core.models.transformers.residual_stream import (
    Stream,
    cosine,
    normalised_parts,
    read_stream,
    shares_of_logit,
)
from core.text.reading.documents import Document
from core.words.numbers import percent
from pages.transformers.residual_norm import EXAMPLES, LESSON, SENTENCE
from pages.transformers.residual_norm.figures import (
    HALF,
    IDS,
    RIGHT,
    both_norms_figure,
    costs_figure,
    curves_figure,
    draw_costs,
    draw_explosion,
    draw_growth,
    draw_machine,
    draw_norms,
    draw_plane,
    draw_question,
    draw_shares,
    draw_two,
    form_name,
    length_bars,
    length_figure,
    next_bars,
    part_name,
    say,
    signed_bars,
)

WORDS = LESSON.words
FORM_OF = {piece: form for form, piece in IDS.items()}
PIECES = ("no_residual", "no_feed_forward", "no_positions", "no_norm")  # of the story
SMALL, WORD_GPT, CHAR_GPT = "small", "word_gpt", "char_gpt"
LONGEST, ASKED = (
    1,
    6,
)  # of the sublayers: the one that adds the longest vector, and the one that the story asks of
SHOWN = 18  # characters of a text in a machine
RIGHT_ANGLE = 0.1  # a cosine nearer to 0 is told as a right angle
MILLION = 1e6

LEFT_OUT = ("no_residual", "no_norm", "no_feed_forward", "no_positions", "post_norm")
PIECE = Choice("piece", "no_residual", LEFT_OUT, {FORM_OF[piece]: piece for piece in LEFT_OUT})
MODEL = Choice(
    "model",
    SMALL,
    (SMALL, WORD_GPT, CHAR_GPT),
    {"small GPT": SMALL, "GPT, byte pairs": WORD_GPT, "GPT, characters": CHAR_GPT},
)
BROKEN = Switch("broken")
OWN_LINE = Text("line", EXAMPLES[1], 60)
OWN_PIECE = Choice("left_out", "no_feed_forward", LEFT_OUT)
LAB = (
    *(MODEL, PIECE, BROKEN, Text("typed", SENTENCE)),
    *(Switch("directions"), Switch("norms"), Switch("trainings")),  # what is folded
)


# The story: what each beat shows.


@lru_cache(maxsize=64)
def stream_of_line(form: str, text: str) -> Stream:
    """Return a small GPT's stream on a text."""
    torch.set_num_threads(1)
    model = stored_ablated_gpt(form)
    return read_stream(model.network, model.read(text).ids)


def next_probabilities(stream: Stream) -> np.ndarray:
    """Return the probabilities of the character after the last one, (V,)."""
    return torch.softmax(stream.logits[-1], -1).numpy()


def characters() -> list[str]:
    """Return the names of the small GPTs' characters."""
    return [bare(str(each)) for each in stored_ablated_gpt(WHOLE).vocabulary]


def end_of(text: str) -> str:
    """Return the last characters of a text, as a machine shows them."""
    line = "".join(stored_ablated_gpt(WHOLE).read(text).tokens[1:]).replace("\n", "↵")
    if len(line) <= SHOWN:
        return line
    tail = line[-SHOWN:]
    return f"…{tail[tail.find(' ') + 1 :] if ' ' in tail[: SHOWN // 2] else tail}"


def machine_of(side: str, form: str, text: str, off: str = "") -> tuple[list[dict], list[dict]]:
    """Return a small GPT as a machine that reads a text, with its most probable next characters."""
    drawn = (
        FORMS[WHOLE]
        if off and form != WHOLE and FORMS[form].residual and FORMS[form].norm != "post"
        else FORMS[form]
    )
    return draw_machine(
        side,
        drawn,
        form_name(form),
        end_of(text),
        next_bars(next_probabilities(stream_of_line(form, text)), characters()),
        say("bars.next"),
        0 if side == "whole" else RIGHT,
        HALF,
        off=off,
    )


def show_whole(settings: Settings) -> Part:
    """Two machines on one line: the whole one, and the one that was trained without residual connections."""
    without = FORM_OF["no_residual"]
    p, q = (next_probabilities(stream_of_line(form, SENTENCE)) for form in (WHOLE, without))
    values = {
        "next": characters()[int(p.argmax())],
        "p": percent(float(p.max()), 0),
        "q": percent(float(q.max()), 0),
    }
    data = draw_two(machine_of("whole", WHOLE, SENTENCE), machine_of("other", without, SENTENCE))
    return Part("machine", data, values, {"broken": True, "piece": "no_residual"})


def show_growth(settings: Settings) -> Part:
    """What each sublayer adds to the stream at the last letter, and how long the stream is afterwards."""
    stream = stream_of_line(WHOLE, SENTENCE)
    lengths = stream.lengths[:, -1].tolist()
    added = [float(write.added[-1].norm()) for write in stream.writes]
    later = added[LONGEST + 1 :]
    values = {
        "token": SENTENCE[-1],
        "first": f"{lengths[0]:.1f}",
        "longest": f"{added[LONGEST]:.0f}",
        "after": f"{lengths[LONGEST + 1]:.0f}",
        "least": f"{min(later):.0f}",
        "most": f"{max(later):.0f}",
        "last": f"{lengths[-1]:.0f}",
        "part": part_name(stream.writes[LONGEST].part),
    }
    return Part(
        "machine",
        draw_growth(stream, len(stream.start) - 1, stream.writes[LONGEST].part, SENTENCE[-1]),
        values,
    )


def show_sum(settings: Settings) -> Part:
    """Two lengths, and the shorter length of their sum; the answer draws both vectors in their plane."""
    write = stream_of_line(WHOLE, SENTENCE).writes[ASKED]
    before, added, after = (float(each[-1].norm()) for each in (write.before, write.added, write.after))
    angle, part = float(cosine(write.added[-1], write.before[-1])), part_name(write.part)
    values = {
        "token": SENTENCE[-1],
        "part": part,
        "before": f"{before:.0f}",
        "added": f"{added:.0f}",
        "after": f"{after:.0f}",
        "both": f"{before + added:.0f}",
        "right": f"{(before**2 + added**2) ** 0.5:.0f}",
        "cosine": angle,
        "C": write.before.shape[1],
        "shown": settings.revealed,
    }
    choices = ("along", "right", "against")
    if settings.revealed:
        figure = draw_plane(before, added, after, angle, part).to_dict()
        return Part("figure", {"figure": figure}, values, {"directions": True}, choices, "against")
    data = draw_question(before, added, after, part, SENTENCE[-1])
    return Part("layer_bars", data, values, {}, choices, "against")


def show_shares(settings: Settings) -> Part:
    """What each part of the sum gives to the logit of the most probable next letter."""
    stream = stream_of_line(WHOLE, SENTENCE)
    best = int(stream.logits[-1].argmax())
    shares = shares_of_logit(stream, stored_ablated_gpt(WHOLE).network, -1, best).tolist()
    by_part = dict(zip(stream.parts, shares, strict=True))
    values = {
        "next": characters()[best],
        "logit": f"{sum(shares):.2f}",
        "longest": part_name(stream.writes[LONGEST].part),
        "of_longest": f"{by_part[stream.writes[LONGEST].part]:.2f}",
        "last": part_name(stream.writes[-1].part),
        "of_last": f"{by_part[stream.writes[-1].part]:.2f}",
    }
    data = draw_shares(stream.parts, shares, say("title.shares", next=characters()[best]))
    return Part("layer_bars", data, values)


def copies_of(stream: Stream) -> list[float]:
    """Return how long the normalized copy is that each sublayer reads at the last letter."""
    blocks = stored_ablated_gpt(WHOLE).network.blocks
    norms = [
        norm for block in blocks for norm in (block.norm_before_attention, block.norm_before_feed_forward)
    ]
    with torch.no_grad():
        return [
            float(norm(write.before[-1]).norm()) for norm, write in zip(norms, stream.writes, strict=True)
        ]


def show_norms(settings: Settings) -> Part:
    """The stream that arrives at each sublayer, and the normalized copy that the sublayer reads."""
    stream = stream_of_line(WHOLE, SENTENCE)
    copies, arriving = copies_of(stream), [float(write.before[-1].norm()) for write in stream.writes]
    values = {
        "least": f"{min(arriving):.1f}",
        "most": f"{max(arriving):.0f}",
        "C": stream.start.shape[1],
        "copy_least": f"{min(copies):.1f}",
        "copy_most": f"{max(copies):.1f}",
    }
    return Part("machine", draw_norms(stream, copies, len(stream.start) - 1, SENTENCE[-1]), values)


@lru_cache(maxsize=1)
def without_norms() -> Stream:
    """Return the stream of the trained whole model whose norms were removed afterwards."""
    network = cut(stored_ablated_gpt(WHOLE).network, FORM_OF["no_norm"])
    return read_stream(network, stored_ablated_gpt(WHOLE).read(SENTENCE).ids)


def show_explosion(settings: Settings) -> Part:
    """The stream's length with norms, and after every norm was removed from the trained model."""
    with_norm, without = stream_of_line(WHOLE, SENTENCE), without_norms()
    lengths = [each.lengths[:, -1].tolist() for each in (with_norm, without)]
    places = [say("axis.start"), *(part_name(write.part, True) for write in with_norm.writes)]
    p = next_probabilities(without)
    values = {
        "n": len(with_norm.writes),
        "millions": f"{lengths[1][-1] / MILLION:.0f}",
        "whole": f"{lengths[0][-1]:.0f}",
        "next": characters()[int(p.argmax())],
        "right": characters()[int(with_norm.logits[-1].argmax())],
    }
    figure: Figure = draw_explosion(*lengths, places, say("millions", n=values["millions"]))
    return Part("figure", {"figure": figure.to_dict()}, values, {"trainings": True})


def show_places(settings: Settings) -> Part:
    """Both places of the norm, and how long the stream gets with each."""
    sides, ends = [], {}
    lengths = {
        form: stream_of_line(form, SENTENCE).lengths[:, -1].tolist() for form in (WHOLE, FORM_OF["post_norm"])
    }
    most = max(max(each) for each in lengths.values())
    for side, (form, all_) in zip(("whole", "other"), lengths.items(), strict=True):
        found = {say("axis.start"): all_[0], say("box.block", k=1): all_[2], say("box.block", k=4): all_[-1]}
        ends[side] = f"{all_[-1]:.0f}"
        place = 0 if side == "whole" else RIGHT
        sides.append(
            draw_machine(
                side,
                FORMS[form],
                say(f"place.{IDS[form]}"),
                end_of(SENTENCE),
                length_bars(found, most),
                say("bars.length"),
                place,
            )
        )
    losses = {f"{side}_loss": loss_said(form) for side, form in zip(("whole", "other"), lengths, strict=True)}
    return Part("machine", draw_two(*sides), {**ends, **losses}, {"norms": True})


@lru_cache(maxsize=1)
def story_costs() -> dict[str, Interval]:
    """Return what each piece costs a model that was trained without it, in nats per held-out character."""
    found = costs(first_losses(stored_trainings()))
    return {piece: found[FORM_OF[piece]] for piece in PIECES}


def loss_said(form: str) -> str:
    """Return the mean held-out loss of the model of a form, in nats per character."""
    return f"{float(first_losses(stored_trainings())[form].mean()):.2f}"


def count_parameters(form: str) -> int:
    """Return how many parameters the model of a form has."""
    return sum(each.numel() for each in stored_ablated_gpt(form).network.parameters())


def show_costs(settings: Settings) -> Part:
    """What it costs to train without a piece; the answer draws the bars."""
    trainings, found = stored_trainings(), story_costs()
    best = min(PIECES, key=lambda piece: found[piece].mean)
    seconds = [
        abs(float(np.mean(runs[1]) - np.mean(runs[0]))) for runs in trainings.losses.values() if len(runs) > 1
    ]
    values = {
        "steps": len(trainings.curves[WHOLE][0]) * trainings.every,
        "plays": len(trainings.losses[WHOLE][0]),
        "characters": trainings.characters,
        "least": f"{found[best].mean:.2f}",
        "residual": f"{found['no_residual'].mean:.2f}",
        "whole": loss_said(WHOLE),
        "small": count_parameters(FORM_OF["no_feed_forward"]),
        "large": count_parameters(WHOLE),
        "blocks": stored_ablated_gpt(WHOLE).network.config.layers,
        "low": f"{found[best].low:.3f}",
        "high": f"{found[best].high:.3f}",
        "seed": f"{max(seconds):.3f}",
        "first": f"{float(stream_of_line(FORM_OF['no_norm'], SENTENCE).writes[0].added[-1].norm()):.1f}",
        "first_whole": f"{float(stream_of_line(WHOLE, SENTENCE).writes[0].added[-1].norm()):.1f}",
        "shown": settings.revealed,
    }
    data = draw_costs(
        say("title.costs"), {piece: found[piece].mean for piece in PIECES}, best, settings.revealed
    )
    return Part("layer_bars", data, values, {"trainings": True}, PIECES, best)


def show_own(settings: Settings) -> Part:
    """The learner's line in the whole model and in one that was trained without a piece."""
    form = FORM_OF[settings.left_out]
    known = len(stored_ablated_gpt(WHOLE).read(settings.line).ids) > 1
    line = settings.line if known else EXAMPLES[1]
    p, q = (next_probabilities(stream_of_line(each, line)) for each in (WHOLE, form))
    (whole, n), (broken, _) = (text_loss(stored_ablated_gpt(each), line) for each in (WHOLE, form))
    names = characters()
    values = {
        "known": known,
        "one": n == 1,
        "next": names[int(p.argmax())],
        "p": percent(float(p.max()), 0),
        "other": names[int(q.argmax())],
        "q": percent(float(q.max()), 0),
        "same": int(p.argmax()) == int(q.argmax()),
        "whole": f"{whole:.2f}",
        "broken": f"{broken:.2f}",
        "better": f"{broken:.2f}" < f"{whole:.2f}",
        "form": form_name(form),
    }
    data = draw_two(machine_of("whole", WHOLE, line), machine_of("other", form, line, settings.left_out))
    return Part("machine", data, values, {"typed": line, "broken": True, "piece": settings.left_out})


def show_answer(settings: Settings) -> Part:
    """The whole machine, each piece with what it costs to train without it."""
    found = {piece: f"{each.mean:.2f}" for piece, each in story_costs().items()}
    drawn = draw_machine(
        "whole",
        FORMS[WHOLE],
        say("title.answer"),
        end_of(SENTENCE),
        next_bars(next_probabilities(stream_of_line(WHOLE, SENTENCE)), characters()),
        say("bars.next"),
        2,
        2 * HALF,
        notes=found,
    )
    others = [found[piece] for piece in PIECES if piece != "no_residual"]
    values = {
        "residual": found["no_residual"],
        "without": loss_said(FORM_OF["no_residual"]),
        "whole": loss_said(WHOLE),
        "least": min(others),
        "most": max(others),
    }
    return Part("machine", machine(*drawn), values)


STORY = (
    look("whole", show_whole),
    look("growth", show_growth),
    ask("sum", show_sum),
    look("shares", show_shares),
    look("norms", show_norms),
    look("explosion", show_explosion),
    look("places", show_places),
    ask("costs", show_costs),
    do("own", show_own, OWN_LINE, OWN_PIECE),
    end("answer", show_answer),
)


# The lab.


def lab() -> None:
    """One token's stream part by part; directions; both places of the norm; six models trained with and without."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        label, broken = LESSON.draw(MODEL), LESSON.draw(BROKEN)
        with LESSON.options():
            piece = LESSON.draw(PIECE)
        name = FORM_OF[piece] if broken else WHOLE if label == SMALL else label
        model = model_named(name)
        read = choose_read_text(LESSON, notes, document, model, SENTENCE)
    notes.caption(WORDS.markdown("about", **describe_model(model, piece, label, broken)))
    stream = stream_of(name, tuple(read.ids.tolist()))
    names, vocabulary = names_of(read.tokens), names_in(model)
    with stage:
        top = st.container()
        t = LESSON.step([WORDS.markdown("step", token=token) for token in names], start=len(read.ids))
        token = int(stream.logits[t].argmax())
        shares = shares_of_logit(stream, model.network, t, token).tolist()
        with top:
            left, right = st.columns([3, 2], gap="medium")
            with left:
                LESSON.figure("lengths", length_figure(stream, t, names), say("alt.lengths", token=names[t]))
            with right:
                axis, whole = (
                    say(f"axis.{each}", next=vocabulary[token], logit=sum(shares))
                    for each in ("share", "sum")
                )
                figure = signed_bars(stream.parts, shares, axis, name=whole)
                LESSON.figure("shares", figure, say("alt.shares", next=vocabulary[token]))
        LESSON.say(
            "says.stream",
            describe_stream(stream, t, names[t], FORMS[name].residual if name in FORMS else True),
        )
        st.markdown(WORDS.markdown("says.logit", **describe_logit(stream.parts, shares, vocabulary[token])))
    LESSON.every_number("parts", parts_table, stream, model.network, t, token)
    if broken:
        show_on_text(document, FORM_OF[piece])
    if box := LESSON.fold("directions"):
        with box:
            show_directions(stream, t, names[t])
    if box := LESSON.fold("norms"):
        with box:
            show_both_norms(read.prompt.text)
    if box := LESSON.fold("trainings"):
        with box:
            show_trainings(FORM_OF[piece] if broken else None)
    here = {"source": TYPED, "typed": SENTENCE, "model": SMALL, "step": len(SENTENCE) + 1}
    LESSON.close_lab(
        code=[
            read_stream,
            normalised_parts,
            shares_of_logit,
            cosine,
            AblatedBlock,
            text_loss,
            window_loss,
            costs,
            interval_of_mean,
        ],
        parameters={
            "name": name,
            "text": read.prompt.text,
            "most": len(read.ids),
            "t": t,
            "token": token,
        },
        prompts={
            "residual": {**here, "piece": "no_residual", "broken": True},
            "norm": {**here, "piece": "no_norm", "broken": True},
            "larger": {**here, "model": WORD_GPT, "step": 1},
        },
    )


def model_named(name: str) -> AttentiveModel:
    """Return a small GPT by its form, or one of the course's GPTs by its name."""
    return stored_ablated_gpt(name) if name in FORMS else attentive_model(name)


def names_in(model: AttentiveModel) -> list[str]:
    """Return how pictures name a model's tokens."""
    return names_of(model.vocabulary) if model.name in FORMS else vocabulary_named(model.name)


def describe_model(model: AttentiveModel, piece: str, label: str, broken: bool) -> dict[str, object]:
    """Return what the words may say of the model on show, and whether it is the one that was chosen."""
    config = model.network.config
    return {
        "layers": config.layers,
        "width": config.width,
        "small": model.name in FORMS,
        "about": model.about,
        "form": form_name(model.name) if model.name in FORMS else "",
        "without": say(f"without.{piece}") if broken else "",
        "chosen": say(f"model.{label}") if broken and label != SMALL else "",
    }


@cached(12, 3, shared=no_typed_words)
def stream_of(name: str, ids: tuple[int, ...]) -> Stream:
    """Return the stream of a model's forward pass."""
    torch.set_num_threads(1)
    return read_stream(model_named(name).network, torch.tensor(ids))


def describe_growth(first: float, last: float) -> dict[str, object]:
    """Return how a length went from one end of the network to the other.

    >>> describe_growth(2.0, 9.0)["way"], describe_growth(4.0, 1.0)["way"], describe_growth(1.0, 1.001)["way"]
    ('grows', 'shrinks', 'same')
    """
    first_said, last_said = f"{first:,.2f}", f"{last:,.2f}"
    way = "same" if first_said == last_said else "grows" if last > first else "shrinks"
    return {"way": way, "first": first_said, "last": last_said}


def describe_stream(stream: Stream, t: int, token: str, adds: bool) -> dict[str, object]:
    """Return how the stream of token t grows, and which sublayer adds, or outputs, the longest vector."""
    lengths = stream.lengths[:, t]
    added = torch.stack([write.added[t].norm() for write in stream.writes])
    longest = part_name(stream.writes[int(added.argmax())].part)
    return {
        **describe_growth(float(lengths[0]), float(lengths[-1])),
        "token": token,
        "place": t + 1,
        "part": longest[:1].upper() + longest[1:],
        "length": f"{float(added.max()):,.2f}",
        "adds": adds,
    }


def describe_logit(parts: tuple[str, ...], shares: list[float], token: str) -> dict[str, object]:
    """Return how far a logit is above the mean, and which parts raise it most and lower it most."""
    most, least = int(np.argmax(shares)), int(np.argmin(shares))
    return {
        "next": token,
        "logit": sum(shares),
        "most": shares[most],
        "raises": part_name(parts[most]),
        "least": shares[least],
        "lowers": part_name(parts[least]) if shares[least] <= -0.005 else "",
    }


def show_directions(stream: Stream, t: int, token: str) -> None:
    """Draw the cosine of what each sublayer adds with the stream that it finds."""
    cosines = [float(cosine(write.added[t], write.before[t])) for write in stream.writes]
    st.markdown(WORDS.markdown("directions.intro"))
    figure = signed_bars([write.part for write in stream.writes], cosines, say("axis.cosine"), 280)
    LESSON.figure("directions_figure", figure, say("alt.directions", token=token))
    farthest = int(np.argmax(np.abs(cosines)))
    part = part_name(stream.writes[farthest].part)
    values = {
        "n": len(cosines),
        "along": sum(value >= RIGHT_ANGLE for value in cosines),
        "against": sum(value <= -RIGHT_ANGLE for value in cosines),
        "near": RIGHT_ANGLE,
        "part": part[:1].upper() + part[1:],
        "cosine": cosines[farthest],
    }
    st.markdown(WORDS.markdown("says.directions", **values))


def show_both_norms(text: str) -> None:
    """Draw the stream's length in the small GPT with the norm before each sublayer and in the one with it after the sum."""
    streams = {
        form: stream_of(form, tuple(stored_ablated_gpt(form).read(text).ids.tolist()))
        for form in (WHOLE, FORM_OF["post_norm"])
    }
    LESSON.figure("norms_figure", both_norms_figure(streams), say("alt.norms"))
    found = []
    for form, stream in streams.items():
        middle = np.median(stream.lengths.numpy(), axis=1)
        found.append({"form": form_name(form), **describe_growth(float(middle[0]), float(middle[-1]))})
    st.markdown(WORDS.markdown("says.norms", found=found))
    st.caption(WORDS.markdown("lengths.caption", T=streams[WHOLE].lengths.shape[1]))


@cached(32, 8, shared=is_sample)
def loss_on(document: Document, form: str) -> tuple[float, int]:
    """Return a small GPT's nats per character on the beginning of a text, and how many characters those are."""
    torch.set_num_threads(1)
    return text_loss(stored_ablated_gpt(form), document.text)


def show_on_text(document: Document, form: str) -> None:
    """Show what a form costs on the learner's text."""
    (whole, n), (broken, _) = loss_on(document, WHOLE), loss_on(document, form)
    if not n:
        st.info(WORDS.markdown("nothing_known"))
        return
    LESSON.compare("loss", whole, broken, ".3f", more_is_better=False)
    st.caption(WORDS.markdown("loss.caption", n=n))


def show_trainings(broken: str | None) -> None:
    """Draw the loss of six training runs and what each form costs on held-out plays, trained so or cut afterwards."""
    trainings = stored_trainings()
    losses = first_losses(trainings)
    found, cuts = costs(losses), cut_costs(trainings)
    shape = stored_ablated_gpt(WHOLE).network.config
    steps = len(trainings.curves[WHOLE][0]) * trainings.every
    st.markdown(WORDS.markdown("trainings.intro", layers=shape.layers, width=shape.width, steps=steps))
    worst = max(found, key=lambda form: found[form].mean)
    if not LESSON.ask(say("question"), [form_name(form) for form in found], form_name(worst), "costliest"):
        return
    left, right = st.columns(2, gap="medium")
    with left:
        figure = curves_figure(trainings.curves, trainings.every, broken or WHOLE)
        LESSON.figure("curves", figure, say("alt.curves"))
    with right:
        LESSON.figure("costs", costs_figure(losses, found, broken or ""), say("alt.costs"))
    form = broken or worst
    cost = found[form]
    worst_cut = max(cuts, key=lambda each: cuts[each].mean)
    values = {
        "form": form_name(form),
        "cost": cost.mean,
        "verdict": "worse" if cost.low > 0 else "better" if cost.high < 0 else "close",
        "low": cost.low,
        "high": cost.high,
        "plays": len(losses[WHOLE]),
        "characters": trainings.characters,
        "nats": float(losses[WHOLE].mean()),
        "seconds": [
            {"form": form_name(each), "apart": abs(float(np.mean(runs[1]) - np.mean(runs[0])))}
            for each, runs in trainings.losses.items()
            if len(runs) > 1
        ],
        "worse": sum(cuts[each].mean > found[each].mean for each in cuts),
        "cuts": len(cuts),
        "worst": form_name(worst_cut),
        "cut": cuts[worst_cut].mean,
    }
    LESSON.say("says.cost", values)
    st.markdown(WORDS.markdown("says.cuts", **values))
    st.caption(WORDS.markdown("trainings.measured", **values))
    LESSON.every_number("trainings", costs_table, trainings)


def first_losses(trainings: Trainings) -> dict[str, np.ndarray]:
    """Return each form's held-out losses by play, of the training run whose weights are stored."""
    return {form: runs[0] for form, runs in trainings.losses.items()}


def cut_costs(trainings: Trainings) -> dict[str, Interval]:
    """Return what each cut of the trained whole costs, play by play."""
    return costs(first_losses(trainings) | trainings.cuts)


def costs_table(trainings: Trainings) -> tuple:
    """Return every form's held-out loss, what it costs when trained so and when cut, and the formula of a cell."""
    losses = first_losses(trainings)
    trained, cuts, rows = costs(losses), cut_costs(trainings), []
    for form, each in losses.items():
        runs, cost = trainings.losses[form], trained.get(form)
        rows.append(
            {
                "form": form_name(form),
                "loss": float(np.mean(each)),
                "second": float(np.mean(runs[1])) if len(runs) > 1 else None,
                "trained": cost.mean if cost else 0.0,
                "error": cost.error if cost else None,
                "low": cost.low if cost else None,
                "high": cost.high if cost else None,
                "cut": cuts[form].mean if form in cuts else 0.0,
            }
        )
    keys, forms = list(rows[0]), list(losses)

    def formula(row: int, column: str) -> str | None:
        cost, key = trained.get(forms[row]), keys[table.columns.get_loc(column)]
        if cost and key == "error":
            n = len(losses[forms[row]])
            spread = number(cost.error * n**0.5)
            return rf"\frac{{s}}{{\sqrt n}} = {spread} / \sqrt{{{n}}} = {number(cost.error)}"
        if cost and key in ("low", "high"):
            reach = (cost.high - cost.mean) / cost.error
            return rf"{number(cost.mean)} \pm {number(reach)} \cdot {number(cost.error)}"
        return None

    table = pd.DataFrame(rows).rename(columns={key: say(f"table.{key}") for key in keys})
    return table, formula


def parts_table(stream: Stream, network: GPT, t: int, token: int) -> tuple:
    """Return each part at token t: the length and cosine of what it adds, the stream after it, its share of a logit.

    The second value gives the formula of a cell.
    """
    shares = shares_of_logit(stream, network, t, token).tolist()
    by_part = {write.part: write for write in stream.writes}
    rows = []
    for part, share in zip(stream.parts, shares, strict=True):
        write = by_part.get(part)
        rows.append(
            {
                "part": part_name(part),
                "added": float(write.added[t].norm()) if write else None,
                "cosine": float(cosine(write.added[t], write.before[t])) if write else None,
                "after": float(write.after[t].norm()) if write else None,
                "share": share,
            }
        )
    E, keys = network.token_embedding.weight, list(rows[0])

    def formula(row: int, column: str) -> str | None:
        part, key = stream.parts[row], keys[table.columns.get_loc(column)]
        if key == "share":
            kept, direction = stream.kept[row, t].numpy(), (E[token] - E.mean(0)).numpy()
            return rf"f' \cdot (E_w - \bar E) = {dot_product(kept, direction)}"
        if part not in by_part:
            return None
        added, before = by_part[part].added[t].numpy(), by_part[part].before[t].numpy()
        length = number(float(np.linalg.norm(added)))
        return {
            "added": rf"\|f\| = ({dot_product(added, added)})^{{1/2}} = {length}",
            "cosine": write_cosine(added, before, "f", "x"),
            "after": rf"\|x\| = {number(float(by_part[part].after[t].norm()))}",
        }.get(key)

    table = pd.DataFrame(rows).rename(columns={key: say(f"table.{key}") for key in keys})
    return table, formula
