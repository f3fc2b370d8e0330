"""Bidirectional RNNs: what the story shows of one word whose tag comes later, and the lab."""

from __future__ import annotations

from functools import cache

import numpy as np
import streamlit as st

from core.figures.documents.two_directions import (
    accuracy_figure,
    directions_table,
    evidence_figure,
    evidence_of,
    evidence_table,
    moved_figure,
    sentence_frames,
    sentence_shared,
    tags_table,
)
from core.figures.tag_cards import draw_bars, draw_cards, draw_picture, tag_row
from core.lesson.cached import cached, no_typed_words
from core.lesson.chosen_text import type_words
from core.lesson.settings import Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.held_out import judge
from core.models.documents.recurrent_classifier import (
    ClassifierProgress,
    RecurrentClassifier,
    fit_classifiers,
    load_review_classifiers,
)
from core.models.documents.recurrent_reader import RecurrentReader, RecurrentReading, read_pieces, states
from core.models.documents.recurrent_tagger import AHEAD, BOTH, DIRECTIONS, load_recurrent_tagger
from core.models.documents.sign_test import SignTest, sign_test
from core.models.documents.three_taggers import (
    HMM,
    WAYS,
    TaggedThreeWays,
    moved,
    tag_three_ways,
    total_variation,
)
from core.models.documents.word_pieces import WordPieces
from core.models.hidden_markov_models.forward_backward import tag_posteriors
from core.models.recurrent_language_model import gru_step
from core.models.stored import load_card, load_json
from core.text.reading.labelled import LabelledDocuments
from core.text.samples.corpus_words import corpus_words
from core.words.plain import plain
from pages.documents.shared.labelled_source import choose_class, labelled_source, split_of, type_document
from pages.documents.two_directions import LESSON
from pages.documents.two_directions.figures import draw_chain, draw_errors, draw_moves, draw_taggers
from pages.hidden_markov_models.shared.hmm_choice import shared_model

WORDS = LESSON.words
SENTENCE, OWN = "We heard her play the piano.", "Cook the rice in cold water."
GARDEN, INVENTED = "The old train the young every day.", "The glimping wugs snorped loudly."
EXAMPLES = (SENTENCE, OWN, GARDEN, INVENTED)
WORD, TAGS = "play", ("NOUN", "VERB")
AT = corpus_words(SENTENCE).index(WORD)
WORDS_AT_MOST, STORY_WORDS = 30, 12
MOVES = ("left", "both_move", "none")
SHOWN_TAGS = ("PRT", "ADV", "ADJ", "ADP")  # whose error rates fall most, the highest rate first
OPEN, MARK = "?", "."  # a tag that is not told yet; the tag of punctuation marks

READ_SO_FAR = Slider("so_far", AT + 1, AT + 1, len(corpus_words(SENTENCE)))
LINE = Text("tagged", OWN, 80)

# The lab's settings.
CUT = Switch("cut")
LAB = (CUT, Text("tagged", SENTENCE, 2000), Switch("accuracy"), Switch("classified"))


# The story: what each beat shows.


@cache
def sentence_tagged(kept: int = 0) -> TaggedThreeWays:
    """Return the sentence tagged three ways, its first words only where some are `kept`."""
    words = corpus_words(SENTENCE)
    return tag_three_ways(shared_model("tagger"), networks(), words[: kept or len(words)])


def p_of(found: TaggedThreeWays, way: str, tag: str, place: int = AT) -> float:
    """Return the probability that a tagger gives to a tag of a word."""
    return float(found.p[way][place, found.states.index(tag)])


def base() -> dict[str, object]:
    """Return what all beats name: the word, and the probabilities of its two tags by all three."""
    found, cut = sentence_tagged(), sentence_tagged(AT + 1)
    values: dict[str, object] = {"sentence": SENTENCE, "word": WORD, "n": AT + 1}
    for name, way in (("left", AHEAD), ("both", BOTH), ("hmm", HMM)):
        values[name] = {tag: p_of(found, way, tag) for tag in TAGS}
        values[f"{name}_cut"] = {tag: p_of(cut, way, tag) for tag in TAGS}
    return values


def tag_bars(found: TaggedThreeWays, way: str, title: str) -> dict:
    """Return a panel with the probabilities of the word's two tags."""
    p = {tag: p_of(found, way, tag) for tag in TAGS}
    best = max(p, key=p.get)
    rows = [tag_row([tag], value, f"{value:.0%}", tag == best, f"{way}.{tag}") for tag, value in p.items()]
    return draw_bars(title, rows, 1.0)


def ask_play(settings: Settings) -> Part:
    """The words up to the one that is asked for; the answer adds its tag and the probabilities."""
    found = sentence_tagged(AT + 1)
    tags = list(found.tags[AHEAD])
    shown = tags if settings.revealed else [*tags[:-1], OPEN]
    cards = draw_cards(found.words, shown, [AT])
    panels = [tag_bars(found, AHEAD, WORDS.label("title.left"))] if settings.revealed else []
    values = base() | {"revealed": settings.revealed}
    return Part("tag_cards", draw_picture(cards, (), panels), values, choices=TAGS, answer=tags[AT])


def show_rest(settings: Settings) -> Part:
    """The complete sentence as the network from the left tags it."""
    found = sentence_tagged()
    cards = draw_cards(found.words, found.tags[AHEAD], [AT])
    panels = [tag_bars(found, AHEAD, WORDS.label("title.left"))]
    return Part("tag_cards", draw_picture(cards, (), panels), base())


def show_left(settings: Settings) -> Part:
    """The chain of states from the left."""
    found = sentence_tagged()
    picture = draw_chain(found.words, AT, False, p_of(found, AHEAD, "VERB"), "VERB")
    return Part("machine", picture, base())


def show_both(settings: Settings) -> Part:
    """The chains of states from both ends."""
    found = sentence_tagged()
    picture = draw_chain(found.words, AT, True, p_of(found, BOTH, "VERB"), "VERB")
    return Part("machine", picture, base())


def ask_cut(settings: Settings) -> Part:
    """p(VERB) with the complete sentence; the answer adds it with the rest cut off."""
    found, cut = sentence_tagged(), sentence_tagged(AT + 1)
    moves = {way: (p_of(found, way, "VERB"), p_of(cut, way, "VERB")) for way in (AHEAD, BOTH)}
    change = {way: abs(one - other) for way, (one, other) in moves.items()}
    answer = (
        "both_move" if change[AHEAD] < 0.005 < change[BOTH] else "left" if change[BOTH] < 0.005 else "none"
    )
    values = base() | {"revealed": settings.revealed}
    picture = draw_moves(WORDS.label("title.cut"), moves, settings.revealed)
    return Part("layer_bars", picture, values, {"cut": True}, choices=MOVES, answer=answer)


def show_hmm(settings: Settings) -> Part:
    """p(VERB) by all three taggers."""
    found = sentence_tagged()
    shares = {way: p_of(found, way, "VERB") for way in (AHEAD, BOTH, HMM)}
    return Part("layer_bars", draw_taggers(WORDS.label("title.three"), shares, 1.25), base())


@cache
def error_rates() -> dict[str, dict[str, float]]:
    """Return the share of held-out words that each tagger tags wrong, in all ("") and by true tag."""
    confusion, tags = load_json("two_directions", "confusion"), load_json("two_directions", "shape")["tags"]
    found = {}
    for way in WAYS:
        counts = np.array(confusion[way])
        wrong = 1 - counts.diagonal() / counts.sum(axis=1)
        found[way] = dict(zip(tags, wrong.tolist(), strict=True)) | {
            "": float(1 - np.trace(counts) / counts.sum())
        }
    return found


def show_errors(settings: Settings) -> Part:
    """How many held-out words each tagger tags wrong."""
    rates = {way: error_rates()[way][""] for way in (AHEAD, HMM, BOTH)}
    card = load_card("two_directions")
    corpus, units = card.corpus, card.config["units"]
    tags, confusion = (load_json("two_directions", "shape")["tags"], load_json("two_directions", "confusion"))
    alone = {(one, other): (a, b) for one, other, a, b in load_json("two_directions", "alone")}
    values = base() | {
        "words": corpus["held_out_tokens"],
        "sentences": corpus["training_sentences"],
        "left_wrong": rates[AHEAD],
        "both_wrong": rates[BOTH],
        "hmm_wrong": rates[HMM],
        "only_both": alone[BOTH, AHEAD][0],
        "only_left": alone[BOTH, AHEAD][1],
        "units": units,
        "half": units // 2,
        "marks": sum(confusion[BOTH][tags.index(MARK)]),
    }
    picture = draw_taggers(WORDS.label("title.errors"), rates, 0.045, BOTH, 1)
    return Part("layer_bars", picture, values, {"accuracy": True})


def show_kinds(settings: Settings) -> Part:
    """Errors by tag for both networks."""
    errors = {way: {tag: error_rates()[way][tag] for tag in SHOWN_TAGS} for way in (AHEAD, BOTH)}
    quality = load_card("two_directions").quality
    values = base() | {"left_by": errors[AHEAD], "both_by": errors[BOTH]}
    values |= {"left_to": quality[f"{AHEAD}, to"], "both_to": quality[f"{BOTH}, to"]}
    return Part("layer_bars", draw_errors(errors), values, {"accuracy": True})


def do_follow(settings: Settings) -> Part:
    """The word's probabilities by both networks after so many words."""
    kept = int(settings.so_far)
    found = sentence_tagged(kept)
    cards = draw_cards(found.words, found.tags[BOTH], [AT])
    panels = [
        tag_bars(found, way, WORDS.label(f"title.{name}")) for name, way in (("left", AHEAD), ("two", BOTH))
    ]
    values = base() | {
        "kept": kept,
        "last": found.words[-1],
        "left_now": p_of(found, AHEAD, "VERB"),
        "both_now": p_of(found, BOTH, "VERB"),
        "tag": found.tags[BOTH][AT],
    }
    return Part("tag_cards", draw_picture(cards, (), panels), values, {"cut": True})


def do_own(settings: Settings) -> Part:
    """The learner's sentence: tags from both ends, and where the network from the left differs most."""
    words = corpus_words(settings.tagged)[:STORY_WORDS] or corpus_words(OWN)
    found = tag_three_ways(shared_model("tagger"), networks(), words)
    t = int(found.apart.argmax())
    differ = [i for i in range(len(words)) if found.tags[AHEAD][i] != found.tags[BOTH][i]]
    struck = {i: found.tags[AHEAD][i] for i in differ}
    cards = draw_cards(found.words, found.tags[BOTH], [t], struck)
    values = base() | {
        "differ": len(differ),
        "at": words[t][:20],
        "left_tag": found.tags[AHEAD][t],
        "both_tag": found.tags[BOTH][t],
        "apart": float(found.apart[t]),
        "unseen": [word[:20] for word, new in zip(words, found.unseen, strict=True) if new][:3],
        "cut_off": len(corpus_words(settings.tagged)) > STORY_WORDS,
        "most": STORY_WORDS,
        "same": found.tags[AHEAD][t] == found.tags[BOTH][t],
    }
    return Part("tag_cards", draw_picture(cards), values)


def show_answer(settings: Settings) -> Part:
    """The sentence with the tags from both ends; a tag of the network from the left is struck out where it differs."""
    found = sentence_tagged()
    struck = {
        t: found.tags[AHEAD][t]
        for t in range(len(found.words))
        if found.tags[AHEAD][t] != found.tags[BOTH][t]
    }
    cards = draw_cards(found.words, found.tags[BOTH], [AT], struck)
    panels = [
        tag_bars(found, way, WORDS.label(f"title.{name}")) for name, way in (("left", AHEAD), ("two", BOTH))
    ]
    values = base() | {"left_wrong": error_rates()[AHEAD][""], "both_wrong": error_rates()[BOTH][""]}
    return Part("tag_cards", draw_picture(cards, (), panels), values, {"accuracy": True})


STORY = (
    ask("play", ask_play),
    look("rest", show_rest),
    look("from_left", show_left),
    look("from_both", show_both),
    ask("cut_off", ask_cut),
    look("hmm", show_hmm),
    look("errors", show_errors),
    look("kinds", show_kinds),
    do("follow", do_follow, READ_SO_FAR),
    do("own", do_own, LINE),
    end("answer", show_answer),
)


# The lab: a sentence tagged three ways; the rest cut off; who is right how often; a document classified both ways.


def lab() -> None:
    """A sentence tagged three ways; the rest cut off; who is right how often; a document classified both ways."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        words = type_words(LESSON, "tagged", SENTENCE, WORDS_AT_MOST, width=520)
        cut = LESSON.draw(CUT)
        complete = tagged(tuple(words))
        kept = choose_kept(len(words)) if cut else len(words)
        LESSON.options()
    with stage:
        seen = ask_furthest(complete)
        if seen:
            show_sentence(complete)
    if seen and cut and kept < len(words):
        show_cut(complete, tagged(tuple(words[:kept])))
    if seen:
        LESSON.every_number(WORDS.label("table.tags"), tags_table, complete)
    if box := LESSON.fold("accuracy"):
        with box:
            show_accuracy()
    if box := LESSON.fold("classified"):
        with box:
            show_documents()
    LESSON.close_lab(
        code=[
            *(
                states,
                gru_step,
                read_pieces,
                RecurrentReading,
                RecurrentReader,
                WordPieces,
                tag_posteriors,
                tag_three_ways,
            ),
            *(total_variation, moved, fit_classifiers),
        ],
        parameters={"words": list(words), "kept": max(1, min(kept, len(words) - 1))},
        prompts={
            "cut": {"cut": True},
            "first": {"tagged": OWN},
            "garden": {"tagged": GARDEN},
            "invented": {"tagged": INVENTED},
        },
    )


@cache
def networks() -> dict:
    """Return the two stored taggers; every session shares them and nothing changes them."""
    return {name: load_recurrent_tagger(name) for name in DIRECTIONS}


@cached(64, 16, shared=no_typed_words)
def tagged(words: tuple[str, ...]) -> TaggedThreeWays:
    """Return a sentence tagged in three ways."""
    return tag_three_ways(shared_model("tagger"), networks(), words)


def choose_kept(n: int) -> int:
    """Draw the choice of how many of the n words are kept, at first half of them, and return it."""
    if n < 2:
        st.info(WORDS.label("nothing_after"))
    if n < 3:
        return 1
    return LESSON.slider("kept", WORDS.label("kept"), 1, n - 1, (n + 1) // 2)


def ask_furthest(complete: TaggedThreeWays) -> bool:
    """Ask where the two networks are furthest apart, if there are words to choose from."""
    order = list(dict.fromkeys(complete.words[t] for t in (-complete.apart).argsort(kind="stable")))
    if len(order) < 2:
        return True
    choices = sorted([order[0], *order[1 :: max(1, len(order) // 3)][:3]], key=complete.words.index)
    return LESSON.ask(WORDS.label("guess.word"), choices, order[0], " ".join(complete.words))


def show_sentence(complete: TaggedThreeWays) -> None:
    """Step through the sentence from both ends, and say where the two networks are furthest apart."""
    frames = sentence_frames(complete)
    LESSON.steps(frames, start=len(frames), shared=sentence_shared(complete))
    t = int(complete.apart.argmax())
    values = {
        "n": len(complete.words),
        "differ": sum(a != b for a, b in zip(complete.tags[AHEAD], complete.tags[BOTH], strict=True)),
        "word": complete.words[t],
        "left": complete.tags[AHEAD][t],
        "both": complete.tags[BOTH][t],
        "p_left": float(complete.sure(AHEAD)[t]),
        "p_both": float(complete.sure(BOTH)[t]),
        "units": complete.readings[BOTH].ahead.shape[1],
    }
    LESSON.say("says.furthest", values)
    new = [word for word, unseen in zip(complete.words, complete.unseen, strict=True) if unseen]
    if new:
        st.text(WORDS.label("unseen", words=list(dict.fromkeys(new))))
    st.caption(WORDS.label("says.states", **values))


def show_cut(complete: TaggedThreeWays, cut: TaggedThreeWays) -> None:
    """Say whose probabilities move when the rest of the sentence is cut off, and draw how far."""
    found = moved(complete, cut)
    most = {way: float(found[way].max()) for way in WAYS}
    t = int(found[BOTH].argmax())
    tag = complete.tags[BOTH][t]
    place = complete.states.index(tag)
    values = {
        "last": cut.words[-1],
        "k": len(cut.words),
        "left": most[AHEAD],
        "both": most[BOTH],
        "hmm": most[HMM],
        "still": max(most.values()) < 0.005,
        "tag": tag,
        "word": cut.words[t],
        "whole": float(complete.p[BOTH][t, place]),
        "cut": float(cut.p[BOTH][t, place]),
    }
    LESSON.figure("moved", moved_figure(cut.words, found), WORDS.label("moved.alt", **values))
    LESSON.compare("p", values["whole"], values["cut"], ".2f", more_is_better=None)
    LESSON.say("says.cut", values)
    st.markdown(WORDS.markdown("says.why", **values))


def show_accuracy() -> None:
    """Set the three side by side on the sentences that none of them was trained on."""
    stored = load_card("two_directions")
    confusion, tags = load_json("two_directions", "confusion"), load_json("two_directions", "shape")["tags"]
    right = {way: stored.quality[way] for way in WAYS}
    names = {way: WORDS.label(f"way.{way}") for way in WAYS}
    if not LESSON.ask(WORDS.label("guess.tagger"), list(names.values()), names[max(WAYS, key=right.get)]):
        return
    LESSON.figure("by_tag", accuracy_figure(confusion, tags), WORDS.label("by_tag.alt"))
    values = {
        "n": stored.corpus["held_out_tokens"],
        "sentences": stored.corpus["training_sentences"],
        "right": right,
        "unseen": {way: stored.quality[f"{way}, unseen words"] for way in WAYS},
    }
    LESSON.say("says.accuracy", values)
    for one, other, alone, others in load_json("two_directions", "alone"):
        luck = SignTest(alone, others).p
        st.markdown(
            WORDS.markdown(
                "says.alone", one=names[one], other=names[other], alone=alone, others=others, p=luck
            )
        )
    st.markdown(WORDS.markdown("says.sees", **values))
    LESSON.every_number(WORDS.label("table.accuracy"), directions_table, confusion, tags)


def show_documents() -> None:
    """Read a document from both ends, and show the evidence of each state for a class after each word."""
    documents = labelled_source(LESSON)
    _, tokens = type_document(LESSON, documents)
    c = choose_class(LESSON, documents)
    found = trained_on(documents)
    if found is None:
        st.info(WORDS.label("press_train"))
        return
    name = documents.classes[c]
    reading = found[BOTH].read(tokens)
    ahead, back, b = evidence_of(reading, c)
    LESSON.figure(
        "evidence", evidence_figure(tokens, ahead, back, name), WORDS.label("evidence.alt", name=name)
    )
    values = {
        "name": plain(name),
        "left": float(ahead[-1]),
        "right": float(back[0]),
        "b": float(b),
        "total": float(ahead[-1] + back[0] + b),
        "p": float(reading.class_probabilities[c]),
    }
    LESSON.say("says.evidence", values)
    y = split_of(documents)[1].y
    judged = {way: judge(each.posteriors, y) for way, each in found.items()}
    test = sign_test(judged[AHEAD].given == y, judged[BOTH].given == y)
    values = {"n": len(y), "left": judged[AHEAD].right, "both": judged[BOTH].right}
    st.markdown(WORDS.markdown("says.documents", **values, only=test.one + test.other, p=test.p))
    LESSON.every_number(WORDS.label("table.document"), evidence_table, tokens, ahead, back)


def trained_on(documents: LabelledDocuments) -> dict[str, RecurrentClassifier] | None:
    """Return the classifiers: of the reviews as they are stored, of a learner's own once they are trained."""
    if not documents.own:
        return review_classifiers(documents.texts, split_of(documents)[2])
    bench = LESSON.train(
        fit_classifiers, (documents.texts, documents.labels), documents.digest, watch_classifiers
    )
    return bench.result if bench.settings == documents.digest else None


@cache
def review_classifiers(texts: tuple[str, ...], held: tuple[int, ...]) -> dict[str, RecurrentClassifier]:
    """Return the stored classifiers of the reviews."""
    return load_review_classifiers([texts[i] for i in held])


def watch_classifiers(reports: list[ClassifierProgress]) -> None:
    """Draw how far the training is."""
    if not reports:
        st.progress(0.0, WORDS.label("progress.start"))
        return
    now = reports[-1]
    share = (now.step / now.steps + (now.network == BOTH)) / 2
    name = WORDS.label(f"way.{now.network}")
    st.progress(share, WORDS.label("progress", name=name, step=now.step, steps=now.steps, loss=now.loss))
