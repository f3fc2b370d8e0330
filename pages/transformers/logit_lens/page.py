"""The logit lens: what the story shows beat by beat, and the lab."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

import streamlit as st
import torch

from core.figures.frame import frame
from core.figures.machine import bare
from core.figures.self_attention.heads import names_of
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import COUNT, choose_read_text, vocabulary_named
from core.lesson.chosen_text import TYPED
from core.lesson.predict_first import Question
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.documents.sign_test import sign_test
from core.models.self_attention.ablation import first_runs
from core.models.self_attention.attention_scaling import entropy
from core.models.self_attention.attentive_models import BACK, AttentiveModel, attentive_model
from core.models.self_attention.gpt_trace import trace_gpt
from core.models.transformers.logit_lens import (
    LensMeasures,
    LensReading,
    lens_over,
    logit_lens,
    long_embeddings,
    rank_of,
    read_out,
    settled_after,
    streams_of,
)
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from core.words.numbers import percent
from pages.transformers.logit_lens import EXAMPLES, FULL, GOLD, LESSON, SENTENCE
from pages.transformers.logit_lens.figures import (
    at,
    candidates,
    draw_before,
    draw_both,
    draw_ladder,
    draw_product,
    draw_rank,
    draw_reading,
    draw_settled,
    draw_tokens,
    draw_vectors,
    grid,
    growth_figure,
    lens_picture,
    lens_table,
    places_figure,
    read_bar,
    say,
    worked_p,
)

WORDS = LESSON.words
NAME = BACK[0]  # the story's GPT
READ = 1  # the layer after which the story shows how the lens reads
ODD = 1  # the token of the sentence at which the lens does not read the token itself
PLAY, HELD_OUT, PLACES = "hamlet", 0.9, 1024  # the model was trained on the text before this share
SHARES = ("10", "30", "60", "90")  # per cent, of the story's question
SHOWN, READ_AT_MOST = 17, 24  # characters of a text in a picture, tokens of a learner's line
TOKENS, TOKENS_MEASURED = 64, 256  # of the lab: of a text that are read, and of the learner's text

MODEL = Choice("model", BACK[0], BACK, {"GPT, byte pairs": BACK[0], "GPT, characters": BACK[1]})
NO_NORM = Switch("no_norm")
OWN_LINE = Text("line", EXAMPLES[3], 120)
LAB = (MODEL, Text("typed", FULL), Slider("place", 6, 1, TOKENS), NO_NORM, Switch("growth"), Switch("places"))
CODE = (
    trace_gpt,
    streams_of,
    read_out,
    logit_lens,
    settled_after,
    rank_of,
    entropy,
    lens_over,
    long_embeddings,
)


# The story: what each beat shows.


@lru_cache(maxsize=64)
def read_line(line: str) -> tuple[list[str], LensReading]:
    """Return a line's tokens as pictures name them, without the one that begins every text, and what the lens reads."""
    torch.set_num_threads(1)
    model = attentive_model(NAME)
    read = model.read(" ".join(line.split()), READ_AT_MOST)
    return [bare(each) for each in read.tokens], logit_lens(model.network, read.ids)


def name_of(token: int) -> str:
    """Return a token of the vocabulary as the story shows it."""
    return bare(str(attentive_model(NAME).vocabulary[token]))


def layers() -> int:
    """Return how many layers the story's GPT has."""
    return attentive_model(NAME).network.config.layers


def bars_at(found: LensReading, layer: int, n: int = 1, t: int = -1) -> list[dict]:
    """Return the most probable tokens that the lens reads at a token after a layer."""
    p, answer = found.log_p[layer, t].exp(), int(found.answers[t])
    return [read_bar(name_of(i), float(p[i]), i == answer) for i in p.topk(n).indices.tolist()]


def values_of(tokens: Sequence[str], found: LensReading, t: int = -1) -> dict[str, object]:
    """Return what the words name of a text: its last token, the final prediction, and what is read after each layer."""
    answer = int(found.answers[t])
    p, ranks = at(found, t % len(found.ids), answer)
    return {
        "line": SENTENCE,
        "last": tokens[t],
        "answer": name_of(answer),
        "p": [percent(each, 0 if each > 0.005 else 1) for each in p],
        "ranks": ranks,
        "reads": [name_of(int(i)) for i in found.says[:, t]],
        "layers": layers(),
        "V": len(found.log_p[0, 0]),
        "T": len(found.ids),
    }


def show_whole(settings: Settings) -> Part:
    """The GPT layer by layer: vectors, and only after the last layer a prediction."""
    tokens, found = read_line(SENTENCE)
    streams, values = found.streams[:, -1].numpy(), values_of(tokens, found)
    heads = say("head.vector", token=tokens[-1], C=streams.shape[1]), say("head.next", token=tokens[-1])
    data = draw_vectors(SENTENCE, streams, bars_at(found, layers(), 3), heads)
    return Part("machine", data, values, {"typed": FULL})


def show_lens(settings: Settings) -> Part:
    """How the lens reads after one layer: the stream, its normalized copy, the unembedding, the softmax."""
    tokens, found = read_line(SENTENCE)
    stream = found.streams[READ, -1]
    with torch.no_grad():
        copy = attentive_model(NAME).network.final_norm(stream)
    head = say("head.next", token=tokens[-1])
    vectors, read = (stream.numpy(), copy.numpy()), bars_at(found, READ, 3)
    data = draw_reading(SENTENCE, layers(), READ, *vectors, read, head)
    return Part("machine", data, {**values_of(tokens, found), "k": READ, "top": read[0]["text"]})


def show_before(settings: Settings) -> Part:
    """What the lens reads before any layer: open, then for every token of the sentence."""
    tokens, found = read_line(SENTENCE)
    reads = [name_of(int(i)) for i in found.says[0]]
    values = {
        **values_of(tokens, found),
        "same": sum(map(str.__eq__, tokens, reads)),
        "at": len(tokens) - 1,
        "odd": tokens[ODD],
        "other": reads[ODD],
        "shown": settings.revealed,
    }
    choices = ("itself", "answer", "frequent", "equal")
    if settings.revealed:
        data = draw_before(tokens, reads, found.log_p[0].amax(-1).exp().tolist())
        return Part("layer_bars", data, values, {}, choices, "itself")
    data = draw_ladder(SENTENCE, layers(), {0: None}, say("head.next", token=tokens[-1]))
    return Part("machine", data, values, {}, choices, "itself")


def show_long(settings: Settings) -> Part:
    """Why a token that training never saw wins: length times cosine, for it and for the token itself."""
    tokens, found = read_line(SENTENCE)
    network = attentive_model(NAME).network
    with torch.no_grad():
        x, E = network.final_norm(found.streams[0, ODD]), network.token_embedding.weight
        both = [int(found.ids[ODD]), int(found.says[0, ODD])]
        lengths, size = E[both].norm(dim=-1), float(x.norm())
        logits = E[both] @ x
    cosines = logits / (lengths * size)
    factors = {key: each.tolist() for key, each in zip(FACTORS, (lengths, cosines, logits), strict=True)}
    names = [tokens[ODD], name_of(both[1])]
    values = {
        "odd": names[0],
        "other": names[1],
        "cosines": [f"{each:.2f}" for each in factors["cosine"]],
        "lengths": [f"{each:.1f}" for each in factors["length"]],
        "logits": [f"{each:.1f}" for each in factors["logit"]],
        "size": f"{size:.1f}",
        "long": int(long_embeddings(network).sum()),
        "V": len(E),
    }
    data = draw_product(names, factors, say("sum.long", **values))
    return Part("machine", data, values, {"place": ODD + 1})


FACTORS = ("length", "cosine", "logit")


def show_known(settings: Settings) -> Part:
    """What the lens reads after each layer; before the answer only before the first and after the last."""
    tokens, found = read_line(SENTENCE)
    told = range(layers() + 1) if settings.revealed else (0, layers())
    reads = {layer: bars_at(found, layer) if layer in told else None for layer in range(layers() + 1)}
    data = draw_ladder(SENTENCE, layers(), reads, say("head.lens", token=tokens[-1]))
    values = values_of(tokens, found) | {"shown": settings.revealed}
    choices = tuple(map(str, range(1, layers() + 1)))
    return Part("machine", data, values, {"typed": FULL}, choices, str(int(found.settled[-1])))


def show_rank(settings: Settings) -> Part:
    """The rank of the final prediction among all tokens, layer by layer."""
    tokens, found = read_line(SENTENCE)
    values = values_of(tokens, found)
    p, ranks = at(found, len(tokens) - 1, int(found.answers[-1]))
    figure = draw_rank(ranks, p, values["V"], values["answer"])
    return Part("figure", {"figure": figure.to_dict()}, values, {"typed": FULL, "growth": True})


def show_tokens(settings: Settings) -> Part:
    """What the lens reads at each token of another sentence; some predictions are settled early."""
    tokens, found = read_line(GOLD)
    early, late = tokens.index("silver"), tokens.index("and")
    values = {
        "early": tokens[early],
        "early_next": name_of(int(found.answers[early])),
        "early_layer": int(found.settled[early]),
        "late": tokens[late],
        "late_next": name_of(int(found.answers[late])),
        "late_layer": int(found.settled[late]),
        "at": {"early": early - 1, "late": late - 1},
    }
    return Part("token_grid", draw_tokens(tokens, found, name_of, 1), values, {"typed": GOLD})


def held_out() -> list[LensReading]:
    """Return what the lens reads over the first tokens of the end of Hamlet, which no model was trained on."""
    torch.set_num_threads(1)
    model, text = attentive_model(NAME), sample(PLAY).text()
    runs = first_runs(model, text[int(HELD_OUT * len(text)) :], PLACES)
    return [logit_lens(model.network, ids) for ids in runs]


@lru_cache(maxsize=1)
def story_counts() -> dict[str, object]:
    """Return over the end of Hamlet after each layer: places that are settled, right ones, and different tokens read."""
    found = held_out()
    says, ids, settled, answers = (
        torch.cat([pick(each) for each in found], -1)
        for pick in (
            lambda each: each.says[:, :-1],
            lambda each: each.ids[1:],
            lambda each: each.settled[:-1],
            lambda each: each.answers[:-1],
        )
    )
    right = (says == ids).numpy()
    n, last = len(ids), layers()
    return {
        "n": n,
        "shares": [float((settled <= layer).sum()) / n for layer in range(last + 1)],
        "right": [percent(float(each.mean()), 0) for each in right],
        "different": [len(set(each.tolist())) for each in says],
        "finals": len(set(answers.tolist())),
        "test": sign_test(right[last], right[last - 1]),
    }


def show_many(settings: Settings) -> Part:
    """At how many places of Hamlet the prediction is settled after each layer; before the answer open bars."""
    found = story_counts()
    settled = [percent(each, 0) for each in found["shares"]]
    values = {
        "n": found["n"],
        "settled": settled,
        "late": percent(1 - found["shares"][-2], 0),
        "right": found["right"],
        "layers": layers(),
        "only_last": found["test"].one,
        "only_before": found["test"].other,
        "shown": settings.revealed,
    }
    nearest = min(SHARES, key=lambda each: abs(int(each) / 100 - found["shares"][-2]))
    return Part(
        "layer_bars",
        draw_settled(found["shares"], settings.revealed),
        values,
        {"places": True},
        SHARES,
        nearest,
    )


def show_own(settings: Settings) -> Part:
    """What the lens reads at the end of the learner's line."""
    tokens, found = read_line(settings.line)
    reads = {layer: bars_at(found, layer) for layer in range(layers() + 1)}
    line = " ".join(settings.line.split())
    head = say("head.lens", token=tokens[-1])
    strange = int(long_embeddings(attentive_model(NAME).network)[found.ids[1:]].sum())
    values = values_of(tokens, found) | {
        "settled": int(found.settled[-1]),
        "strange": strange,
        "n": len(tokens) - 1,
        "cut": len(tokens) == READ_AT_MOST,
    }
    text = line if len(line) <= SHOWN else f"…{line[1 - SHOWN :]}"
    data = draw_ladder(text, layers(), reads, head)
    return Part("machine", data, values, {"typed": settings.line, "place": len(tokens)})


def show_answer(settings: Settings) -> Part:
    """What is read at one token after each layer, and at how many places of Hamlet the prediction is settled."""
    tokens, found = read_line(SENTENCE)
    counts, values = story_counts(), values_of(tokens, found)
    reads = list(zip(values["reads"], found.log_p[:, -1].amax(-1).exp().tolist(), strict=True))
    values |= {
        "settled": [percent(each, 0) for each in counts["shares"]],
        "late": percent(1 - counts["shares"][-2], 0),
        "different": counts["different"],
        "n": counts["n"],
    }
    return Part("layer_bars", draw_both(reads, counts["shares"], values["answer"]), values)


STORY = (
    look("whole", show_whole),
    look("lens", show_lens),
    ask("before", show_before),
    look("long", show_long),
    ask("known", show_known),
    look("rank", show_rank),
    look("tokens", show_tokens),
    ask("many", show_many),
    do("own", show_own, OWN_LINE),
    end("answer", show_answer),
)


# The lab.


def lab() -> None:
    """Each layer's stream read out, step by step; one place's prediction as it grows; a whole text's places."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = attentive_model(LESSON.draw(MODEL))
        read = choose_read_text(LESSON, notes, document, model, FULL, most=TOKENS)
        place = choose_place(len(read.ids))
        with LESSON.options():
            broken = LESSON.draw(NO_NORM)
    rows, names = names_of(read.tokens), vocabulary_named(model.name)
    found = seen_through(model.name, tuple(read.ids.tolist()), not broken)
    count = len(found.log_p)
    about = f"{hash((model.name, *read.ids.tolist()))}_{place}_{broken}"
    with stage:
        reached = LESSON.ask_in_turn(count, partial(question_of, found, place, rows, names, about))
        revealed = reached == count
        following = int(read.ids[place + 1]) if place + 1 < len(rows) else None
        tokens = candidates(found, place, reached, following)
        drawn = partial(frame_of, model, found, place, tokens, rows, revealed)
        shared = grid(found, rows, names, place, reached, revealed)
        LESSON.steps([drawn(layer) for layer in range(reached)], count, start=count, shared=shared)
    if revealed:
        if broken:
            show_without_norm(model, document)
        if box := LESSON.fold("growth"):
            with box:
                show_growth(found, place, following, rows, names)
        LESSON.every_number("readings", lens_table, model.network, found, rows, names, place)
    if box := LESSON.fold("places"):
        with box:
            show_places(measured_over(model.name, document.digest, not broken, document.text))
    here = {"source": TYPED, "typed": GOLD, "model": NAME, "place": 6, "no_norm": False}
    LESSON.close_lab(
        code=CODE,
        parameters={
            "name": model.name,
            "text": read.prompt.text,
            "most": len(rows),
            "place": place,
            "normed": not broken,
        },
        prompts={
            "itself": {**here, "step": 1},
            "early": {**here, "place": 5, "step": 3},
            "norm": {**here, "no_norm": True},
        },
    )


def choose_place(T: int) -> int:
    """Draw the choice of a token and return its place from 0: at first the last one whose next token is known."""
    return LESSON.number("place", say("place"), 1, T, max(1, T - 1), width=COUNT) - 1


@cached(24, 6, shared=no_typed_words)
def seen_through(name: str, ids: tuple[int, ...], normed: bool) -> LensReading:
    """Return what the lens reads out of a text, with the final norm or without."""
    torch.set_num_threads(1)
    return logit_lens(attentive_model(name).network, torch.tensor(ids), normed)


def question_of(
    found: LensReading, place: int, rows: Sequence[str], names: Sequence[str], about: str, layer: int
) -> Question | None:
    """Return the question before a layer's reading: whether it is another token than the one before."""
    if not layer:
        return None
    before, now = (str(names[int(found.says[each, place])]) for each in (layer - 1, layer))
    same, other = say("question.same", token=before), say("question.other")
    question = say("question", token=rows[place], layer=layer)
    return Question(question, [same, other], same if now == before else other, f"{about}_{layer}")


def frame_of(
    model: AttentiveModel,
    found: LensReading,
    place: int,
    tokens: list[int],
    rows: Sequence[str],
    revealed: bool,
    layer: int,
) -> dict:
    """Return one step: the grid up to a layer, what is read at the chosen token there, and its numbers."""
    names, says = vocabulary_named(model.name), int(found.says[layer, place])
    answer = int(found.answers[place]) if revealed else None
    told = describe_reading(found, place, layer, rows, names)
    itself = found.says[layer] == found.ids
    strange = long_embeddings(model.network)[found.says[layer]] & ~itself
    counts = {"same": int(itself.sum()), "T": len(rows), "strange": int(strange.sum()), "layer": layer}
    return frame(
        WORDS.label("step", layer=layer),
        lens_picture(found, tokens, names, place, layer, answer),
        WORDS.label("alt.steps", layer=layer),
        WORDS.markdown("says.reading", **told, revealed=revealed),
        [WORDS.markdown("says.itself", **counts)] + [WORDS.markdown("says.marked")] * revealed,
        [worked_p(model.network, found, layer, place, says)],
    )


def describe_reading(
    found: LensReading, place: int, layer: int, rows: Sequence[str], names: Sequence[str]
) -> dict[str, object]:
    """Return what is read after a layer, and how near that is to the final prediction."""
    says, answer = int(found.says[layer, place]), int(found.answers[place])
    p, ranks = at(found, place, answer)
    return {
        "layer": layer,
        "last": layer == len(found.log_p) - 1,
        "token": rows[place],
        "next": str(names[says]),
        "p": percent(min(float(found.log_p[layer, place, says].exp()), 1 - 1e-8)),  # softmax: never quite 1
        "final": says == answer,
        "settled": int(found.settled[place]),
        "answer": str(names[answer]),
        "rank": ranks[layer],
        "V": len(names),
        "p_answer": percent(p[layer]),
    }


def show_growth(
    found: LensReading, place: int, following: int | None, rows: Sequence[str], names: Sequence[str]
) -> None:
    """Draw p and rank of the final prediction and of the token that comes, and the entropy, layer by layer."""
    values = {
        "ends": following is None,
        "same": following == int(found.answers[place]),
        "comes": "" if following is None else str(names[following]),
        "token": rows[place],
        "first": float(found.bits[0, place]),
        "last": float(found.bits[-1, place]),
    }
    st.markdown(WORDS.markdown("says.growth", **values))
    LESSON.figure(
        "growth_figure", growth_figure(found, place, following, names), say("alt.growth", place=place + 1)
    )


@cached(32, 8, shared=no_typed_words)
def measured_over(name: str, digest: str, normed: bool, _text: str) -> LensMeasures:
    """Return what the lens reads over the first tokens of a text."""
    torch.set_num_threads(1)
    model = attentive_model(name)
    return lens_over(model.network, first_runs(model, _text, TOKENS_MEASURED), normed)


def show_places(measured: LensMeasures) -> None:
    """Draw by layer at how many places of the learner's text the prediction is settled."""
    if not measured.n:
        st.info(WORDS.markdown("nothing"))
        return
    LESSON.figure("places_figure", places_figure(measured), say("alt.places", n=measured.n))
    st.markdown(WORDS.markdown("says.places", **describe_places(measured)))


def describe_places(measured: LensMeasures) -> dict[str, object]:
    """Return how many predictions the last layer settles in a text, and how many were settled before it."""
    *_, early, settled = measured.settled
    n, late = measured.n, settled - early
    return {
        "n": n,
        "late": late,
        "late_share": percent(late / n),
        "early": early,
        "early_share": percent(early / n),
        "never": n - settled,
        "first": measured.right[0],
        "right": measured.right[-1],
        "few": n < 50,
    }


def show_without_norm(model: AttentiveModel, document: Document) -> None:
    """Compare what a text costs when the last layer is read with the final norm and without it."""
    whole, without = (
        measured_over(model.name, document.digest, normed, document.text) for normed in (True, False)
    )
    if not whole.n:
        st.info(WORDS.markdown("nothing"))
        return
    LESSON.compare("bits", whole.bits[-1], without.bits[-1], more_is_better=False)
    values = {
        "n": whole.n,
        "settled": without.settled[-1],
        "unsure": without.entropy[-1],
        "unsure_whole": whole.entropy[-1],
    }
    st.markdown(WORDS.markdown("says.norm", **values))
