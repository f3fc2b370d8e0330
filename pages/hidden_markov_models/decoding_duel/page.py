"""Viterbi, beam search and greedy search: what the story shows beat by beat, and the lab on any sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st

from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import is_own, text_source
from core.models.hidden_markov_models.decoding import DecodedSentence, decode, find_disagreement
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.search_loss import NEGLIGIBLE, count_missed, shares_missed
from core.models.hidden_markov_models.searches import Search, beam, greedy
from core.models.hidden_markov_models.speaking import sampled_sentences
from core.models.hidden_markov_models.viterbi import Lattice, viterbi
from core.models.hidden_markov_models.what_if import without_neighbours
from core.text.reading.documents import Document
from core.text.samples.corpus_words import corpus_words
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences
from core.words.numbers import percent, plain_number
from pages.hidden_markov_models.decoding_duel import EXAMPLES, LESSON
from pages.hidden_markov_models.decoding_duel.figures import (
    SEARCHES,
    draw_searches,
    product_edges,
    rows_of,
    share_missed_figure,
)
from pages.hidden_markov_models.shared.given_tables import given_tables
from pages.hidden_markov_models.shared.hmm_choice import (
    available_models,
    choose_sentence,
    model_of,
    no_such_path,
    set_sentence,
    shared_model,
)
from pages.hidden_markov_models.shared.hmm_paths import show_paths
from pages.hidden_markov_models.shared.hmm_take_away import list_sources, model_parameters
from pages.hidden_markov_models.shared.path_factors import path_factors
from pages.hidden_markov_models.shared.trellis import format_probability

WORDS = LESSON.words
GARDEN = "Until the police arrest the drug dealers control the street ."
LINE, PLAY = "How chance the roses there do fade so fast ?", "a-midsummer-night-s-dream"
HORSE = "The horse raced past the barn fell ."
WIDTHS = (1, 2, 3, 4, 5)  # of the beams that tag a whole play
TYPED_AT_MOST = 14  # words of a sentence typed in the story
FOUND_AT_MOST = 25  # words of a sentence that the lab finds: it should fit the picture

MODEL = Choice("model", "toy", lambda _: available_models())
SENTENCE = Text("tagger_sentence", HORSE, 300)
WIDTH = Slider("width", 2, 1, lambda _: len(shared_model("tagger").states))
EVEN = Switch("even")
SEARCH = Choice("search", "beam", tuple(SEARCHES))
LOSER = Choice("loser", "greedy", ("greedy", "beam"))
WHERE = Choice("where", "model", ("model", "text"), {"your text": "text"})
LAB = (
    MODEL,
    Text("diary_sentence", "3 1 3 2 1"),
    Text("toy_sentence", EXAMPLES[0]),
    Text("tagger_sentence"),
    WIDTH,
    EVEN,
)


# The story: what each beat shows.


def show_garden_path(settings: Settings) -> Part:
    """The paths of Viterbi and of greedy search through a sentence on which readers stumble."""
    decoded = read_sentence(settings)
    names = ("viterbi", "greedy")
    data = draw_searches(decoded, names, rows=rows_of(decoded, names))
    return Part("trellis", data, describe(decoded), lab_at(decoded, "tagger"))


def ask_about_day_one(settings: Settings) -> Part:
    """Greedy search on two days; the answer is the best path, which starts in the state that it pruned."""
    decoded = decode(shared_model("diary"), settings.diary_sentence.split(), 1)
    states, first = decoded.model.states, decoded.viterbi.path[0]
    searches = {name: getattr(decoded, name) for name in ("viterbi", "greedy")}
    texts = {name: format_probability(math.exp(each.log_probability)) for name, each in searches.items()}
    names = tuple(searches) if settings.revealed else ("greedy",)
    data = draw_searches(decoded, names, decoded.greedy.kept, texts=texts)
    scores = [[format_probability(p) for p in column] for column in np.exp(decoded.greedy.scores)]
    for t, column in enumerate(data["nodes"][: 1 if settings.revealed else None]):
        for node, score in zip(column, scores[t], strict=True):
            node["text"] = score
    days = [WORDS.label("sum.day", state=state, sum=multiply(decoded, [j])) for j, state in enumerate(states)]
    found = [
        WORDS.label("sum.path", name=WORDS.label(f"path.{name}"), sum=multiply(decoded, searches[name].path))
        for name in names
    ]
    data["sum"] = "\n".join(found if settings.revealed else [*days, *found])
    values = describe(decoded) | {
        "first": scores[0],
        "best": texts["viterbi"],
        "taken": texts["greedy"],
        "states": states,
        "revealed": settings.revealed,
    }
    choices = ("none", *states)
    return Part("trellis", data, values, lab_at(decoded, "diary"), choices=choices, answer=states[first])


def show_beam(settings: Settings) -> Part:
    """All three searches on four words: the beam keeps the state that greedy search drops."""
    decoded = decode(shared_model("toy"), settings.toy_sentence.split(), settings.width)
    data = draw_searches(decoded, tuple(SEARCHES), decoded.beam.kept, texts=shares_of_best(decoded))
    at = leaves_at(decoded, "greedy")
    for node, score in zip(data["nodes"][at], np.exp(decoded.beam.scores[at]), strict=True):
        node["text"] = plain_number(score, 2)
    n, K = decoded.viterbi.scores.shape
    values = describe(decoded) | {"kept": decoded.beam.nodes, "all": n * K, "pruned": K - decoded.beam.width}
    return Part("trellis", data, values, lab_at(decoded, "toy"))


def ask_about_the_beam(settings: Settings) -> Part:
    """What a beam keeps of a line of verse; the answer is the best path, through a state that it pruned."""
    decoded = read_sentence(settings)
    words, states = decoded.emissions.words, decoded.model.states
    at = leaves_at(decoded, "beam")
    rows = rows_of(decoded, ("viterbi", "beam"), np.flatnonzero(decoded.beam.kept[at]))
    names = ("viterbi", "beam") if settings.revealed else ("beam",)
    data = draw_searches(decoded, names, decoded.beam.kept, rows)
    scores, best, chosen = decoded.viterbi.scores[at], decoded.viterbi.path, decoded.beam.path
    order = [int(j) for j in np.argsort(-scores, kind="stable")]
    after = np.exp(decoded.model.log_transition[:, best[at + 1]])
    values = describe(decoded) | {
        "word": words[at],
        "next": words[at + 1],
        "next_tag": states[best[at + 1]],
        "ranked": [states[j] for j in order[: order.index(best[at]) + 1]],
        "share": math.exp(scores[best[at]] - scores[order[0]]),
        "oftener": float(after[best[at]] / after[chosen[at]]),
        "times": math.exp(decoded.viterbi.log_probability - decoded.beam.log_probability),
        "width": settings.width,
        "rows": len(rows),
        "revealed": settings.revealed,
    }
    lab = lab_at(decoded, "tagger")
    return Part("trellis", data, values, lab, choices=settings.choices, answer=words[at])


def show_how_often(settings: Settings) -> Part:
    """The share of a play's sentences on which beams of several widths miss the best path."""
    n, missed = missed_in_play(settings.play)
    shares = missed / n
    texts = [percent(share, 1) if share else "0%" for share in shares]
    figure = share_missed_figure(shares, 1, texts)
    values = {"n": n, "shares": list(shares), "K": len(shared_model("tagger").states)}
    return Part("figure", {"figure": figure.to_dict()}, values, {"model": "tagger"})


def show_own(settings: Settings) -> Part:
    """The learner's own sentence and beam: what the beam keeps of the best path."""
    typed = corpus_words(settings.tagger_sentence)
    words = typed[:TYPED_AT_MOST] or HORSE.split()
    decoded = decode(shared_model("tagger"), words, settings.width)
    names = ("viterbi", "beam")
    data = draw_searches(decoded, names, decoded.beam.kept, rows_of(decoded, names))
    missed = [t for t, j in enumerate(decoded.viterbi.path) if not decoded.beam.kept[t, j]]
    values = describe(decoded) | {
        "width": settings.width,
        "missed": len(missed),
        "word": words[missed[0]] if missed else "",
        "misses": misses(decoded, decoded.beam),
        "times": math.exp(min(600, decoded.viterbi.log_probability - decoded.beam.log_probability)),
        "unknown": [word for word in decoded.emissions.unseen if word not in decoded.model.vocabulary],
        "cut": len(typed) > TYPED_AT_MOST,
    }
    return Part("trellis", data, values, lab_at(decoded, "tagger"))


def show_equal(settings: Settings) -> Part:
    """Viterbi and greedy search on the toy, with its own transitions or with equal ones."""
    model = shared_model("toy")
    decoded = decode(without_neighbours(model) if settings.even else model, settings.toy_sentence.split(), 1)
    names = ("viterbi", "greedy")
    data = draw_searches(decoded, names, decoded.greedy.kept, texts=shares_of_best(decoded))
    plain = decode(model, settings.toy_sentence.split(), 1)
    values = describe(decoded) | {
        "best": format_probability(math.exp(decoded.viterbi.log_probability)),
        "parts": plain.emissions.words[leaves_at(plain, "greedy")],
    }
    return Part("trellis", data, values, lab_at(decoded, "toy"))


def show_costs(settings: Settings) -> Part:
    """Every product that one search computes, as a line, and the path that it finds."""
    decoded = read_sentence(settings)
    kept = {
        "viterbi": np.ones(decoded.beam.kept.shape, dtype=bool),
        "beam": decoded.beam.kept,
        "greedy": decoded.greedy.kept,
    }[settings.search]
    data = draw_searches(decoded, (settings.search,))
    for column, kept_here in zip(data["nodes"], kept, strict=True):
        for node, is_kept in zip(column, kept_here, strict=True):
            node["kind"] = "filled" if is_kept else "open"
    data["edges"] = product_edges(kept)
    n, K = decoded.viterbi.scores.shape
    products = {name: getattr(decoded, name).products for name in SEARCHES}
    values = {
        "n": n,
        "K": K,
        "width": settings.width,
        "products": products,
        "drawn": products[settings.search],
    }
    return Part("trellis", data, values, lab_at(decoded, "tagger"))


def show_answer(settings: Settings) -> Part:
    """The first sentence again: what greedy search pruned of the best path is crossed out."""
    decoded = read_sentence(settings)
    names = ("viterbi", "greedy")
    data = draw_searches(decoded, names, decoded.greedy.kept, rows_of(decoded, names))
    lost = [t for t, j in enumerate(decoded.viterbi.path) if not decoded.greedy.kept[t, j]]
    values = describe(decoded) | {"lost": [decoded.emissions.words[t] for t in lost]}
    return Part("trellis", data, values, lab_at(decoded, "tagger"))


STORY = (
    look("garden", show_garden_path, tagger_sentence=GARDEN, width=1),
    ask("keep_one", ask_about_day_one, diary_sentence="2 1"),
    look("keep_two", show_beam, toy_sentence="fish can watch boats", width=2),
    ask(
        "third",
        ask_about_the_beam,
        tagger_sentence=LINE,
        width=2,
        choices=("How", "chance", "fade", "fast"),
    ),
    look("how_often", show_how_often, play=PLAY),
    do("own", show_own, WIDTH, SENTENCE, tagger_sentence=HORSE, width=1),
    look("costs", show_costs, SEARCH, tagger_sentence=LINE, width=2, search="beam"),
    do("equal", show_equal, EVEN, toy_sentence="fish can watch boats", even=False),
    end("answer", show_answer, tagger_sentence=GARDEN, width=1),
)


def read_sentence(settings: Settings) -> DecodedSentence:
    """Return a beat's sentence, decoded by the tagger with a beam of its width."""
    return decode(shared_model("tagger"), settings.tagger_sentence.split(), settings.width)


def describe(decoded: DecodedSentence) -> dict:
    """Return what the words may say of a sentence's three paths."""
    words, states = decoded.emissions.words, decoded.model.states
    at = leaves_at(decoded, "greedy")
    best, taken = decoded.viterbi, decoded.greedy
    values = {
        "n": len(words),
        "K": len(states),
        "path": list(decoded.tags(best.path)),
        "taken_path": list(decoded.tags(taken.path)),
        "share": math.exp(taken.log_probability - best.log_probability),
    }
    if at is not None:
        tags = {"tag": states[best.path[at]], "taken_tag": states[taken.path[at]]}
        values |= {"word": words[at], **tags, "last": words[-1]}
    return values


def leaves_at(decoded: DecodedSentence, name: str) -> int | None:
    """Return the first word at which a search's path is not Viterbi's, None where there is none."""
    pairs = zip(decoded.viterbi.path, getattr(decoded, name).path, strict=True)
    return next((t for t, (best, chosen) in enumerate(pairs) if best != chosen), None)


def misses(decoded: DecodedSentence, search: Search) -> bool:
    """Return whether a search's path is less probable than Viterbi's."""
    return decoded.viterbi.log_probability - search.log_probability > NEGLIGIBLE


def shares_of_best(decoded: DecodedSentence) -> dict[str, str]:
    """Return what stands below each path's name: its probability as a share of the best path's."""
    best = decoded.viterbi.log_probability
    found = {name: getattr(decoded, name).log_probability - best for name in SEARCHES}
    return {
        name: WORDS.label("path.best" if lost > -NEGLIGIBLE else "path.share", share=math.exp(lost))
        for name, lost in found.items()
    }


def multiply(decoded: DecodedSentence, path: Sequence[int]) -> str:
    """Return the factors of a path's probability and their product, of its first days only where it is short."""
    model, emission = decoded.model, decoded.emissions.log_emission
    logs = [model.log_initial[path[0]], emission[0, path[0]]]
    for t in range(1, len(path)):
        logs += [model.log_transition[path[t - 1], path[t]], emission[t, path[t]]]
    factors = " × ".join(format_probability(math.exp(each)) for each in logs)
    return f"{factors} = {format_probability(math.exp(sum(logs)))}"


def lab_at(decoded: DecodedSentence, name: str) -> dict:
    """Return the settings of the lab that show a sentence."""
    return {"model": name, f"{name}_sentence": " ".join(decoded.emissions.words), "width": decoded.beam.width}


@cache
def missed_in_play(name: str) -> tuple[int, np.ndarray]:
    """Return how many sentences of two words or more a play has, and on how many a beam of each width misses."""
    read = [corpus_words(sentence) for sentence in sentences(sample(name).read().text)]
    read = [words for words in read if len(words) > 1]
    return len(read), count_missed(shared_model("tagger"), read, WIDTHS)


# The lab: any sentence, any width.


def lab() -> None:
    """Three paths through one lattice and what each costs; how wide a beam must be; every factor of each path."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        name = LESSON.draw(MODEL)
        whole = model_of(name)
        words = choose_sentence(LESSON, name)
        label, help = LESSON.label_of("width"), LESSON.label_of("width.help")
        width = LESSON.slider("width", label, 1, len(whole.states), 2, help=help)
        with LESSON.options():
            even = LESSON.draw(EVEN)
            find_button(name, width, document)
    model = without_neighbours(whole) if even else whole
    decoded = decode(model, words, width)
    searches = {name: getattr(decoded, name) for name in SEARCHES}
    found = {name: not misses(decoded, search) for name, search in searches.items()}
    with stage:
        shown = slice(0, len(words))
        if possible := not no_such_path(decoded):
            verdicts = {
                (both, one): WORDS.label(f"verdict.{key}")
                for (both, one), key in {
                    (True, True): "both",
                    (True, False): "beam",
                    (False, True): "greedy",
                    (False, False): "neither",
                }.items()
            }
            about = f"{name}_{' '.join(words)[:200]}_{width}_{even}"
            right = verdicts[found["beam"], found["greedy"]]
            if revealed := LESSON.ask(WORDS.label("question"), list(verdicts.values()), right, about):
                shown = draw_paths(decoded, searches, found)
                path_factors(
                    LESSON, words, {name_of(each, width): (model, searches[each].path) for each in SEARCHES}
                )
    if possible:
        if revealed and (wide := LESSON.fold("widths")):
            with wide:
                draw_widths(name, whole, even, width)
        if tables := LESSON.fold("given"):
            with tables:
                given_tables(LESSON, decoded, shown, logarithms=False)
    LESSON.close_lab(
        code=[greedy, beam, viterbi, count_missed],
        parameters={**model_parameters(name), "words": list(words), "width": width, "even": even},
        prompts={
            "diary": {"model": "diary", "diary_sentence": "2 1", "width": 1},
            "garden": {"model": "tagger", "tagger_sentence": GARDEN, "width": 1},
            "even": {"even": True},
        },
        credits=list_sources(),
    )


def name_of(search: str, width: int) -> str:
    """Return a search's name as the lab shows it."""
    return WORDS.label(f"path.{search}", width=width)


def draw_paths(
    decoded: DecodedSentence, searches: Mapping[str, Lattice | Search], found: Mapping[str, bool]
) -> slice:
    """Draw the three paths, what greedy search lost, and what each search cost; return the words' places."""
    width = decoded.beam.width
    ends = [
        WORDS.label("alt.finds" if found[each] else "alt.misses", name=name_of(each, width)) for each in found
    ]
    paths = {name_of(each, width): search.path for each, search in searches.items()}
    shown = show_paths(LESSON, decoded, paths, WORDS.label("alt.lab", ends=ends), decoded.beam.kept)
    LESSON.say(*describe_loss(decoded))
    if decoded.emissions.unknown.any():
        st.caption(WORDS.label("unknown"))
    cost_table(decoded, searches)
    return shown


def describe_loss(decoded: DecodedSentence) -> tuple[str, dict]:
    """Return the words on where greedy search leaves the best path and what that costs, or that it does not."""
    lost = decoded.viterbi.log_probability - decoded.greedy.log_probability
    if lost <= NEGLIGIBLE:
        return "says.found", {"n": len(decoded.emissions.words)}
    times = math.exp(min(lost, 600)) if math.isfinite(lost) else None
    return "says.left", {**describe(decoded), "times": times}


def cost_table(decoded: DecodedSentence, searches: Mapping[str, Lattice | Search]) -> None:
    """Show for each search its path, the path's probability, the states kept and the products computed."""
    n, K = decoded.viterbi.scores.shape
    best, width = decoded.viterbi.log_probability, decoded.beam.width
    found = list(searches.values())
    columns = {
        "search": [name_of(each, width) for each in searches],
        "ln": [search.log_probability for search in found],
        "p": [plain_number(math.exp(search.log_probability), 4) for search in found],
        "share": [math.exp(search.log_probability - best) for search in found],
        "kept": [n * K, decoded.beam.nodes, decoded.greedy.nodes],
        "products": [search.products for search in found],
        "counted": [f"{K} + {n - 1} · {kept} · {K}" for kept in (K, width, 1)],
        "path": [" ".join(decoded.tags(search.path)) for search in found],
    }
    names = {column: WORDS.label(f"column.{column}") for column in columns}
    table = pd.DataFrame({names[column]: values for column, values in columns.items()})
    bar = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
    LESSON.table("table", table, WORDS.label("alt.table"), column_config={names["share"]: bar})


def draw_widths(name: str, whole: HiddenMarkovModel, even: bool, width: int) -> None:
    """Draw on how many sentences of the model's own a beam of each width misses the best path."""
    shares = missed_by_width(name, whole, even)
    st.markdown(WORDS.markdown("fold.widths", even=even))
    texts = [f"{share:.0%}" for share in shares]
    alt = WORDS.label("alt.widths", width=width, share=texts[width - 1], greedy=texts[0])
    LESSON.figure("shares", share_missed_figure(shares, width, texts), alt)
    if even:
        before = missed_by_width(name, whole, False)
        LESSON.compare("even", float(before[0]), float(shares[0]), ".0%", more_is_better=False)


def find_button(name: str, width: int, document: Document) -> None:
    """Draw the button that looks for a sentence on which greedy search, or the beam, loses to Viterbi."""
    LESSON.draw(LOSER)
    if name not in ("diary", "toy"):
        LESSON.draw(WHERE)
    LESSON.button("find", WORDS.label("find"), find, name, width, document)
    key, values = LESSON.pop_state("found") or ("find.help", {})
    st.caption(WORDS.label(key, **values))


def find(name: str, width: int, document: Document) -> None:
    """Put a sentence into the field on which a search loses, or say that none was found."""
    search = LESSON.get_state("loser")
    own_text = LESSON.get_state("where") == "text" and name not in ("diary", "toy")
    seed = LESSON.get_state("seed", 0) + 1
    LESSON.set_state("seed", seed)
    model = model_of(name)
    if own_text:
        tried = candidates(document.text)
    else:
        length = 6 if len(model.states) < 5 else 9
        tried = (corpus_words(" ".join(words)) for words in sampled_sentences(model, length, seed))
    found = find_disagreement(model, tried, width, search)
    if found is not None:
        set_sentence(LESSON, name, found.decoded.emissions.words, own_text and is_own(document))
        LESSON.set_state("found", ("found", {"n": found.searched, "own": own_text}))
        return
    never = search == "beam" and width == len(model.states)
    LESSON.set_state("found", ("found.none", {"search": search, "never": never}))


def candidates(text: str) -> Iterator[list[str]]:
    """Yield the sentences of a text, of 2 to `FOUND_AT_MOST` words."""
    for sentence in sentences(text):
        words = corpus_words(sentence)
        if 2 <= len(words) <= FOUND_AT_MOST:
            yield words


def missed_by_width(name: str, model: HiddenMarkovModel, even: bool) -> np.ndarray:
    """Return `shares_missed` of a model, or of the model with equal transitions, computed once."""
    if name != "yours":
        return shared_shares(name, even)
    return own_shares(model.log_transition.tobytes() + model.log_emission.tobytes(), even, model)


@cache
def shared_shares(name: str, even: bool) -> np.ndarray:
    """Return `shares_missed` of a model that every session shares."""
    model = shared_model(name)
    return shares_missed(without_neighbours(model) if even else model)


@st.cache_data(scope="session", max_entries=4, show_spinner=False)
def own_shares(tables: bytes, even: bool, _model: HiddenMarkovModel) -> np.ndarray:
    """Return `shares_missed` of the learner's own model."""
    return shares_missed(without_neighbours(_model) if even else _model)
