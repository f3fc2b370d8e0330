"""Document vectors: what the story shows of a search in Shakespeare's scenes, and the lab on labelled documents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.documents.worked_tf_idf import write_tf_idf
from core.figures.worked import number
from core.lesson.cached import cached, is_sample
from core.lesson.choices.vector_sets import shared_vectors
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.document_map import document_map
from core.models.documents.document_space import (
    COUNTS,
    LOOKED_AT,
    TF_IDF,
    Counted,
    Space,
    count_documents,
    document_space,
    turn_to,
)
from core.models.documents.document_vectors import (
    Parts,
    WordRows,
    cosine_terms,
    divided_by_length,
    parts_of,
    tf_idf_rows,
    vector_rows,
)
from core.models.documents.fit_paragraphs import DBOW, DM, Pair, fit_paragraphs, stored_paragraphs
from core.models.documents.nearest_documents import leave_one_out, most_alike, products
from core.models.documents.paragraph_vectors import ParagraphVectors, PvDbow, PvDm
from core.models.documents.sign_test import sign_test
from core.models.documents.tf_idf import document_frequencies, inverse_document_frequencies
from core.models.stored import load_card
from core.models.word_vectors.procrustes import procrustes
from core.text.reading.labelled import LabelledDocuments
from core.text.samples.scenes import scenes
from core.text.tokenization.tokens import words
from core.words.plain import plain
from pages.documents.document_vectors import LESSON, figures
from pages.documents.document_vectors.figures import draw_bars
from pages.documents.shared.labelled_source import (
    as_lines,
    labelled_source,
    type_document,
)

WORDS = LESSON.words
QUERY, RIGHT, OWN = "a skull in the graveyard", "Hamlet V.1", "witches and a cauldron"
EXAMPLES = (QUERY, OWN)
RARE, COMMON, OTHER = "skull", "the", "churchyard"  # words of the story
MISSING = "graveyard"  # no scene has it
FOUND = 5  # scenes that are listed
FIRST = ("hamlet", "other")  # what may be found first
LONGEST = ("hamlet", "longest", "shortest")
GLOVE, SKIPGRAM = "glove", "skipgram"
STORED = {GLOVE: GLOVE, SKIPGRAM: SKIPGRAM}
LINE = Text("query", OWN, 120)

# The lab's settings.
MEANS = {"mean of GloVe": GLOVE, "mean of skip-gram": SKIPGRAM}
PARAGRAPHS = (DM, DBOW)
KINDS = (COUNTS, TF_IDF, *MEANS, *PARAGRAPHS)
IDS = ("counts", "tf_idf", "glove", "skipgram", "dm", "dbow")
KIND = Choice("kind", "tf_idf", IDS, dict(zip(KINDS, IDS, strict=True)))
TYPED, LISTED = "typed", "listed"
ASKED = Choice("asked", TYPED, (TYPED, LISTED), {"your text": TYPED, "one of them": LISTED})
K, UNDIVIDED = Slider("k", 5, 1, 10), Switch("undivided")
LAB = (KIND, ASKED, K, UNDIVIDED, Switch("quality"), Switch("weights"))
CHARACTERS = 200  # of a document in the table


# The story: what each beat shows.


@cache
def counted_scenes() -> Counted:
    """Return the scenes of all plays, counted; a scene's label is its play."""
    found = scenes()
    return count_documents([each.text for each in found], [each.play for each in found], most=len(found))


@cache
def space_of_scenes(kind: str, divide: bool = True) -> Space:
    """Return the scenes as vectors of a kind."""
    return document_space(counted_scenes(), shared_vectors(kind) if kind in STORED else kind, divide)


@cache
def idf_of_scenes() -> np.ndarray:
    """Return the idf of each word of the scenes."""
    counted = counted_scenes()
    return inverse_document_frequencies(document_frequencies(counted.X), len(counted.texts))


def df_of(word: str) -> int:
    """Return how many scenes have a word."""
    counted = counted_scenes()
    return int(document_frequencies(counted.X)[counted.index[word]]) if word in counted.index else 0


def search(query: str, kind: str, divide: bool = True, k: int = FOUND) -> list[tuple[int, float]]:
    """Return the places of the scenes whose vectors are nearest to a query's, and their cosines or dot products."""
    space = space_of_scenes(kind, divide)
    x = space.vector_of(words(query))
    x = x / (np.linalg.norm(x) or 1) if divide else x
    near = most_alike(space.vectors, x, k)
    return (
        list(zip(near.tolist(), products(space.vectors[near], x).tolist(), strict=True)) if len(near) else []
    )


def terms_with(query: str, kind: str, place: int) -> list[tuple[str, float]]:
    """Return what each word of a query adds to its cosine with a scene."""
    space, counted = space_of_scenes(kind), counted_scenes()
    parts = parts_of(words(query), space.rows)
    y = parts_of(counted.tokens[place], space.rows).vector
    return list(zip(parts.words, cosine_terms(parts, y).tolist(), strict=True))


def place_of(name: str) -> int:
    """Return the place of a scene by its name."""
    return [each.name for each in scenes()].index(name)


def base() -> dict[str, object]:
    """Return what all beats name: the scenes, the query, and the scene that is looked for."""
    counted = counted_scenes()
    return {
        "N": len(counted.texts),
        "plays": len(set(counted.labels)),
        "V": len(counted.index),
        "query": QUERY,
        "right": RIGHT,
        "right_key": place_of(RIGHT),
        "skull": df_of(RARE),
        "the": df_of(COMMON),
        "missing": df_of(MISSING),
    }


def ranked_rows(found: Sequence[tuple[int, float]], digits: int = 3) -> list[tuple[str, str, float, str]]:
    """Return a row for each scene that was found."""
    return [(str(place), scenes()[place].name, value, f"{value:.{digits}f}") for place, value in found]


def ask_search(settings: Settings) -> Part:
    """The scenes found by counts of words, by name; the answer ranks them."""
    found = search(QUERY, COUNTS)
    right = place_of(RIGHT)
    space = space_of_scenes(COUNTS)
    x = space.vector_of(words(QUERY))
    every = products(space.vectors, x / np.linalg.norm(x))
    rank = int((every > every[right]).sum()) + 1
    listed = [*found, (right, float(every[right]))]
    shown = listed if settings.revealed else sorted(listed, key=lambda pair: scenes()[pair[0]].name)
    values = base() | {"revealed": settings.revealed, "first": scenes()[found[0][0]].name, "rank": rank}
    title = WORDS.label("title.cosine", kind=WORDS.label("kind.counts"))
    picture = draw_bars(title, ranked_rows(shown), 0.75, [str(right)], settings.revealed)
    answer = "hamlet" if found[0][0] == right else "other"
    return Part("layer_bars", picture, values, choices=FIRST, answer=answer)


def show_terms(settings: Settings) -> Part:
    """What each word adds to the cosine with the scene that was found by counts."""
    place, cosine = search(QUERY, COUNTS)[0]
    terms = terms_with(QUERY, COUNTS, place)
    rows = [(word, word, value, f"{value:.3f}") for word, value in terms]
    best = max(terms, key=lambda pair: pair[1])
    values = base() | {"scene": scenes()[place].name, "cosine": cosine, "word": best[0], "adds": best[1]}
    values |= {"rare": dict(terms).get(RARE, 0.0)}
    picture = draw_bars(WORDS.label("title.terms", scene=scenes()[place].name), rows, 0.45)
    return Part("layer_bars", picture, values, {"kind": "counts"})


def show_idf(settings: Settings) -> Part:
    """The idf of the query's words that the scenes have."""
    idf, index = idf_of_scenes(), counted_scenes().index
    known = [word for word in dict.fromkeys(words(QUERY)) if word in index]
    rows = [(word, word, float(idf[index[word]]), f"{idf[index[word]]:.2f}") for word in known]
    values = base() | {"idf_rare": float(idf[index[RARE]]), "idf_common": float(idf[index[COMMON]])}
    picture = draw_bars(WORDS.label("title.idf"), rows, 7.5, [RARE])
    return Part("layer_bars", picture, values, {"weights": True})


def show_weight(settings: Settings) -> Part:
    """The query's words in the scene: counts, and tf-idf."""
    counted, place = counted_scenes(), place_of(RIGHT)
    idf = idf_of_scenes()
    known = [word for word in dict.fromkeys(words(QUERY)) if word in counted.index]
    counts = {word: counted.tokens[place].count(word) for word in known}
    weights = {word: counts[word] * float(idf[counted.index[word]]) for word in known}
    values = base() | {
        "times": counts[RARE],
        "weight": weights[RARE],
        "idf_rare": float(idf[counted.index[RARE]]),
    }
    values |= {"length": len(counted.tokens[place])}
    panels = [
        draw_bars(
            WORDS.label(f"title.{key}"),
            [(word, word, float(n), f"{n:.{digits}f}") for word, n in found.items()],
            150,
            [RARE],
        )["panels"][0]
        for key, found, digits in (("counts_of", counts, 0), ("weights_of", weights, 1))
    ]
    return Part("layer_bars", {"panels": panels, "sum": ""}, values, {"weights": True})


def show_found(settings: Settings) -> Part:
    """The scenes found by tf-idf."""
    found = search(QUERY, TF_IDF)
    terms = terms_with(QUERY, TF_IDF, found[0][0])
    values = base() | {
        "first": scenes()[found[0][0]].name,
        "cosine": found[0][1],
        "second": found[1][1],
        "share": dict(terms)[RARE] / found[0][1],
    }
    title = WORDS.label("title.cosine", kind=WORDS.label("kind.tf_idf"))
    picture = draw_bars(title, ranked_rows(found), 0.35, [str(place_of(RIGHT))])
    return Part("layer_bars", picture, values)


def ask_length(settings: Settings) -> Part:
    """The scenes found by tf-idf with vectors divided by length; the answer shows those found without."""
    counted = counted_scenes()
    lengths = np.array([len(tokens) for tokens in counted.tokens])
    found = search(QUERY, TF_IDF, not settings.revealed)
    first = search(QUERY, TF_IDF, False)[0][0]
    values = base() | {
        "revealed": settings.revealed,
        "first": scenes()[first].name,
        "length": int(lengths[first]),
        "mean": float(lengths.mean()),
        "hubs": space_of_scenes(TF_IDF, False).left_out.neighbours,
        "before": space_of_scenes(TF_IDF).left_out.neighbours,
    }
    title = WORDS.label("title.dot" if settings.revealed else "title.cosine", kind=WORDS.label("kind.tf_idf"))
    most = 1.3 * found[0][1] if settings.revealed else 0.35
    rows = ranked_rows(found, 1 if settings.revealed else 3)
    picture = draw_bars(title, rows, most, [str(place_of(RIGHT))])
    answer = "longest" if first == int(lengths.argmax()) else "hamlet"
    return Part("layer_bars", picture, values, {"undivided": True}, choices=LONGEST, answer=answer)


def show_plays(settings: Settings) -> Part:
    """How many scenes have a scene of their own play nearest, by kind of vector."""
    found = {
        "tf_idf": space_of_scenes(TF_IDF).left_out,
        "skipgram": space_of_scenes(SKIPGRAM).left_out,
        "counts": space_of_scenes(COUNTS).left_out,
        "glove": space_of_scenes(GLOVE).left_out,
    }
    chance = counted_scenes().chance
    rows = [(key, WORDS.label(f"row.{key}"), each.share, f"{each.share:.1%}") for key, each in found.items()]
    rows.append(("chance", WORDS.label("row.chance"), chance, f"{chance:.1%}"))
    best = max(found, key=lambda key: found[key].share)
    low, high = found["tf_idf"].interval
    values = base() | {key: each.share for key, each in found.items()} | {"chance": chance}
    values |= {"low": low, "high": high, "best": best}
    picture = draw_bars(WORDS.label("title.plays"), rows, 0.6, [best])
    return Part("layer_bars", picture, values, {"quality": True})


def show_limits(settings: Settings) -> Part:
    """How many scenes have a word and another word for the same place."""
    rows = [(word, word, float(df_of(word)), str(df_of(word))) for word in (MISSING, OTHER)]
    picture = draw_bars(WORDS.label("title.limits"), rows, 7, [OTHER])
    values = base() | {"word": MISSING, "other": OTHER, "n": df_of(OTHER)}
    return Part("layer_bars", picture, values)


def do_own(settings: Settings) -> Part:
    """The scenes found for the learner's query."""
    tokens, index = words(settings.query), counted_scenes().index
    unknown = [each[:20] for each in dict.fromkeys(tokens) if each not in index]
    found = search(settings.query, TF_IDF)
    values = base() | {"unknown": unknown[:4], "known": len(found) > 0}
    if found:
        place, cosine = found[0]
        terms = terms_with(settings.query, TF_IDF, place)
        values |= {"first": scenes()[place].name, "setting": scenes()[place].setting, "cosine": cosine}
        values |= {"word": max(terms, key=lambda pair: pair[1])[0][:20]}
    title = WORDS.label("title.cosine", kind=WORDS.label("kind.tf_idf"))
    most = max(0.35, 1.3 * found[0][1]) if found else 0.35
    picture = draw_bars(
        title, ranked_rows(found or search(OWN, TF_IDF)), most, [str(found[0][0])] if found else []
    )
    return Part("layer_bars", picture, values)


def show_answer(settings: Settings) -> Part:
    """What each word adds to the cosine of the query with the scene that was looked for."""
    terms = terms_with(QUERY, TF_IDF, place_of(RIGHT))
    rows = [(word, word, value, f"{value:.3f}") for word, value in terms]
    picture = draw_bars(WORDS.label("title.terms", scene=RIGHT), rows, 0.2, [RARE])
    values = base() | {"cosine": sum(value for _, value in terms), "rare": dict(terms)[RARE]}
    return Part("layer_bars", picture, values, {"quality": True})


STORY = (
    ask("search", ask_search),
    look("terms_of", show_terms),
    look("idf", show_idf),
    look("weight", show_weight),
    look("found", show_found),
    ask("length", ask_length),
    look("plays", show_plays),
    look("limits", show_limits),
    do("own", do_own, LINE),
    end("answer", show_answer),
)


# The lab: a document's nearest and why they are near; the map; one weight worked through; how good each kind is.


def lab() -> None:
    """A document's nearest and why they are near; the map; one weight worked through; how good each kind is."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        documents = labelled_source(LESSON)
        counted = counted_of(documents)
        kind = choose_kind(documents, counted)
        place, tokens = choose_document(documents, counted)
        with LESSON.options():
            k = LESSON.draw(K)
        undivided = LESSON.draw(UNDIVIDED)
    space = space_of(documents, kind, not undivided)
    x = space.vector_of(tokens, place)
    x = x / (1 if undivided else np.linalg.norm(x) or 1)
    parts = None if kind in PARAGRAPHS else parts_of(tokens, space.rows)
    near = most_alike(space.vectors, x, k, place)
    measure = WORDS.label("measure.dot" if undivided else "measure.cosine")
    with stage:
        none = WORDS.label("no_neighbour")
        answers = [*documents.classes, *([] if len(near) else [none])]
        about = f"{documents.digest[:16]}_{kind}_{undivided}_{hash(tuple(tokens))}_{place}"
        label = counted.labels[near[0]] if len(near) else none
        revealed = LESSON.ask(WORDS.label("guess", n=place + 1), answers, label, about)
        if place >= 0:
            text = counted.texts[place][:CHARACTERS]
            st.text(WORDS.label("shown", n=place + 1, label=counted.labels[place], text=text))
        if revealed:
            say_nearest(counted, space, x, near, measure, place, any(map(space.known, tokens)))
            show_neighbours(counted, space, x, near, measure)
        if unknown := [word for word in dict.fromkeys(tokens) if not space.known(word)][:8]:
            st.text(WORDS.label("left_out", words=[f"“{word[:30]}”" for word in unknown]))
    if undivided:
        show_undivided(documents, kind, space)
    if parts is None:
        st.markdown(WORDS.label("no_parts"))
    elif revealed and len(near):
        show_parts(counted, space, parts, near, measure, not undivided)
    if box := LESSON.fold("map"):
        with box:
            draw_map(documents, counted, space, place, x, near if revealed else np.array([], int))
    if parts and parts.words:
        show_weights(counted, kind, parts)
    if box := LESSON.fold("quality"):
        with box:
            show_quality(documents, counted, kind, not undivided)
    LESSON.close_lab(
        code=[
            *(document_frequencies, inverse_document_frequencies, tf_idf_rows, vector_rows, document_map),
            *(WordRows.vectors, divided_by_length, parts_of, cosine_terms, most_alike, leave_one_out),
            *(sign_test, procrustes, ParagraphVectors.update, PvDm.hidden, PvDbow.hidden),
            ParagraphVectors.infer,
        ],
        parameters={
            "own": bool(documents.own),
            "kind": kind,
            "divide": not undivided,
            "tokens": list(tokens),
            "place": place,
            "k": k,
        },
        prompts={
            "listed": {"asked": LISTED, "number": 17},
            "counts": {"kind": "counts"},
            "undivided": {"kind": "glove", "undivided": True},
        },
        credits=load_card(MEANS[kind]).credits if kind in MEANS else [],
        files={WORDS.label("documents"): ("documents.tsv", partial(as_lines, documents))},
    )


@cached(2, 2, shared=is_sample)
def counted_of(documents: LabelledDocuments) -> Counted:
    """Return the documents that are looked at."""
    return count_documents(documents.texts, documents.labels)


@cached(2 * len(KINDS), 2 * len(KINDS), shared=is_sample)
def space_of(documents: LabelledDocuments, kind: str, divide: bool) -> Space:
    """Return the documents as vectors of a kind; paragraph vectors of one's own must have been trained."""
    vectors = shared_vectors(MEANS[kind]) if kind in MEANS else kind
    if kind in PARAGRAPHS:
        vectors = paragraphs_of(documents)[kind]
    return document_space(counted_of(documents), vectors, divide)


def paragraphs_of(documents: LabelledDocuments) -> Pair | None:
    """Return both models of paragraph vectors: the reviews' are stored, a learner's None until they are trained."""
    if not documents.own:
        return reviews_paragraphs()
    bench = LESSON.bench()
    return bench.result if bench.settings == documents.digest else None


reviews_paragraphs = cache(stored_paragraphs)  # every session shares them; nothing changes them


def choose_kind(documents: LabelledDocuments, counted: Counted) -> str:
    """Draw the choice of the kind of vectors and return it.

    Paragraph vectors of a learner's own documents are trained when they ask for it; until then tf-idf stands in.
    """
    kind = KINDS[IDS.index(LESSON.draw(KIND, width=190))]
    if kind not in PARAGRAPHS or not documents.own:
        return kind
    task = (fit_paragraphs, (counted.texts,), documents.digest)
    LESSON.train(*task, lambda seen: st.progress(seen[-1] if seen else 0.0, WORDS.label("training")))
    if paragraphs_of(documents):
        return kind
    st.text(WORDS.label("train_first"))
    return TF_IDF


def choose_document(documents: LabelledDocuments, counted: Counted) -> tuple[int, list[str]]:
    """Draw the choice of the document whose neighbours are wanted; return its place, -1 if typed, and its tokens."""
    if LESSON.draw(ASKED) == TYPED:
        return -1, type_document(LESSON, documents)[1]
    chosen = LESSON.number("number", WORDS.label("number"), 1, LOOKED_AT, 1, width=120)
    place = min(chosen, len(counted.texts)) - 1
    return place, counted.tokens[place]


def draw_map(
    documents: LabelledDocuments, counted: Counted, space: Space, place: int, x: np.ndarray, near: np.ndarray
) -> None:
    """Draw the map, with the document and its neighbours once they may be seen."""
    names = figures.names_of(counted.texts)
    yours = space.projection.place(x) if place < 0 else None
    chosen = (figures.name_typed() if place < 0 else names[place]) if len(near) else ""
    turn = turn_to(space, space_of(documents, TF_IDF, True))  # of all kinds of vectors alike
    found = [names[i] for i in near]
    data = figures.document_map_view(names, counted.labels, space.projection, turn, yours, chosen, found)
    LESSON.view("map", data, "map_drawn", {"word": look_up})
    values = {"N": len(names), "all": len(documents.texts), "kept": space.projection.variance_kept}
    st.caption(WORDS.label("map_drawn.caption", **values))


def look_up(name: str) -> None:
    """Let the document clicked on the map be the one whose neighbours are wanted."""
    first = name.split()[0]
    LESSON.set_state("asked", LISTED if first.isdecimal() else TYPED)
    if first.isdecimal():
        LESSON.set_state("number", int(first))


def say_nearest(
    counted: Counted, space: Space, x: np.ndarray, near: np.ndarray, measure: str, place: int, known: bool
) -> None:
    """Say which document is nearest, and how many of the nearest have its label."""
    labels = [plain(counted.labels[i]) for i in near]
    values = {
        "what": place + 1,
        "known": known,
        "number": int(near[0]) + 1 if labels else 0,
        "label": labels[0] if labels else "",
        "measure": measure,
        "value": float(products(space.vectors[[near[0]]], x)[0]) if labels else 0.0,
        "n": len(labels),
        "same": labels.count(labels[0]) if labels else 0,
    }
    LESSON.say("says.nearest", values)


def show_neighbours(counted: Counted, space: Space, x: np.ndarray, near: np.ndarray, measure: str) -> None:
    """List the nearest documents."""
    if not len(near):
        return
    values = products(space.vectors[near], x).round(4)
    columns = [near + 1, values, *([each[i] for i in near] for each in (counted.labels, counted.texts))]
    names = [WORDS.label("near.document"), measure, WORDS.label("near.label"), WORDS.label("near.text")]
    table = pd.DataFrame(dict(zip(names, columns, strict=True)))
    table[names[-1]] = table[names[-1]].str[:CHARACTERS]
    LESSON.table("near", table, WORDS.label("near.alt"))


def show_parts(
    counted: Counted, space: Space, parts: Parts, near: np.ndarray, measure: str, divide: bool
) -> None:
    """Draw what each word of the document adds to its nearness to one neighbour, and add it up."""
    best = int(near[0])
    y = parts_of(counted.tokens[best], space.rows).vector
    terms = cosine_terms(parts, y, divide)
    values = {
        "measure": measure,
        "number": best + 1,
        "total": float(terms.sum()),
        "top": plain(parts.words[int(np.argmax(terms))]),
        "adds": float(terms.max()),
    }
    figure = figures.terms_figure(parts, terms, measure)
    LESSON.figure("terms", figure, WORDS.label("terms.alt", **values))
    LESSON.say("says.terms", values)
    st.latex(figures.worked_sum(parts, terms, measure))


def show_weights(counted: Counted, kind: str, parts: Parts) -> None:
    """Work one weight through, and promise all of them."""
    N, box = len(counted.texts), LESSON.fold("weights")
    if kind in MEANS:
        LESSON.every_number(WORDS.label("table.vectors"), figures.mean_table, parts)
        return
    df = document_frequencies(counted.X)[[counted.index[word] for word in parts.words]]
    LESSON.every_number(WORDS.label("table.document"), figures.weights_table, parts, df, N, kind == TF_IDF)
    if kind == TF_IDF and box:
        row = int(parts.added.sum(axis=1).argmax())
        word, times = parts.words[row], int(parts.counts[row])
        weight = number(float(parts.added[row].sum()))
        with box:
            st.latex(write_tf_idf(word, times, int(df[row]), N))
            values = {"word": plain(word), "times": times, "df": int(df[row]), "N": N, "weight": weight}
            st.markdown(WORDS.markdown("says.weight", **values))


def show_quality(documents: LabelledDocuments, counted: Counted, kind: str, divide: bool) -> None:
    """Draw for each kind of vector how often the nearest document has the same label, and say it of the one chosen."""
    kinds = [each for each in KINDS if each not in PARAGRAPHS or paragraphs_of(documents)]
    found = {each: space_of(documents, each, divide).left_out for each in kinds}
    one, (low, high) = found[kind], found[kind].interval
    values = {
        "kind": kind,
        "right": one.right,
        "N": len(counted.y),
        "share": one.share,
        "low": low,
        "high": high,
        "chance": counted.chance,
        **figures.apart(found, kind),
    }
    figure = figures.quality_figure(found, kind, counted.chance)
    LESSON.figure("shares", figure, WORDS.label("shares.alt"))
    LESSON.say("says.quality", values)
    st.markdown(WORDS.markdown("says.apart", **values))
    LESSON.every_number(WORDS.label("table.quality"), figures.quality_table, found)


def show_undivided(documents: LabelledDocuments, kind: str, space: Space) -> None:
    """Say what becomes of the nearest documents when no vector is divided by its length."""
    divided, raw = space_of(documents, kind, True).left_out, space.left_out
    LESSON.compare("undivided", divided.share, raw.share, ".1%")
    values = {"hubs": raw.neighbours, "before": divided.neighbours}
    values |= {"ends": [*divided.interval, *raw.interval]}
    st.markdown(WORDS.markdown("says.undivided", **values))
