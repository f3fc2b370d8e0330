"""Tokenization: what the story shows of one line and of Hamlet, and the lab on the learner's text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import streamlit as st

from core.figures.token_label import label_token
from core.figures.tokens.token_rows import byte_row, token_rows
from core.lesson.cached import cached, is_sample
from core.lesson.chosen_text import FROM_TEXT, TYPED
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import SAMPLE, Part, ask, do, end, look
from core.lesson.text_source import sample_in_use, text_source
from core.models.tokens.byte_pairs import BytePairs, bytes_of, learn_merges
from core.models.tokens.codes import binary, bits_needed, different_bits, one_hot, third_token
from core.models.tokens.gpt2_tokenizer import gpt2_id, gpt2_pairs
from core.models.tokens.merge_steps import tokens_by_merges
from core.models.tokens.three_ways import (
    BYTE_PAIRS,
    CHARACTERS,
    CUT,
    Token,
    Way,
    limit_vocabulary,
    three_ways,
)
from core.models.tokens.three_ways import WORDS as BY_WORDS
from core.models.tokens.unknown_tokens import (
    HALF_CHARACTERS,
    HALF_WORDS,
    OWN,
    unknown_by_size,
    unknown_curves,
)
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import normal
from core.words.language import SPANISH
from core.words.numbers import percent
from core.words.plain import plain
from pages.tokens.shared.passage import (
    EXAMPLE,
    MERGES,
    PASSAGE_AT_MOST,
    choose_passage,
    learned_pairs,
    read_part,
)
from pages.tokens.text_as_tokens import LESSON
from pages.tokens.text_as_tokens.figures import (
    IDS,
    codes_figure,
    draw_bars,
    length_figure,
    one_hot_figure,
    tokens_table,
    unknown_figure,
    ways_table,
    worked_sum,
)

WORDS = LESSON.words
PLAY = "hamlet"
LINE = "Whether 'tis nobler in the mind to suffer"
SPEECH = (
    "To be, or not to be: that is the question: Whether 'tis nobler in the mind to suffer The slings and arrows of "
    "outrageous fortune"
)
NEW_WORDS = "unhappiness 🦜"
OWN_EXAMPLE = "Attention is all you need!"
EXAMPLES = (LINE, SPEECH, NEW_WORDS, OWN_EXAMPLE, "¡La atención es todo lo que necesitas!")
GPT2 = "gpt2"
GUESSED = ("8", "10", "15", "41")  # tokens of GPT-2, to choose from
SHARES = ("none", "few", "some", "many")
SIZES = ("10", "30", "100", "300", "1000", "3000")
LAB_SIZES = (10, 30, 100, 300, 1000, 3000, 10_000)
CODED = 8  # tokens of the passage whose codes are drawn
STRANGE, STRANGE_AT_MOST = "undreamable 🦜 早上好", 60
HELD = ("one", "two", "three", "four")  # characters per token, to choose from
LONGEST = 60  # characters of a line in the story

KEPT = Choice("kept", "100", SIZES)
OWN_LINE = Text("line", OWN_EXAMPLE, LONGEST, spoken={SPANISH: EXAMPLES[-1]})
FEW = Switch("few")
WAY = Choice("way", "words", tuple(IDS.values()), dict(IDS))

LAB = (
    *(FEW, WAY),
    Choice("k", "100", tuple(map(str, LAB_SIZES))),
    Choice("source", FROM_TEXT, (FROM_TEXT, TYPED)),
    Text("typed", EXAMPLE, PASSAGE_AT_MOST),
)


@dataclass(frozen=True)
class Measured:
    """What is measured in a text: its three ways, its characters, the shares unknown by size, whether it was cut."""

    ways: dict[str, Way]
    characters: int
    unknown: dict[str, np.ndarray]
    cut: bool

    def held(self, name: str) -> float:
        """Return how many characters of the text there are for a token."""
        return self.characters / self.ways[name].tokens


def measure(text: str, pairs: BytePairs) -> Measured | None:
    """Return what is measured in a text, None where it has no word."""
    read = read_part(text)
    tokens = {name: cut(read) for name, cut in CUT.items()}
    if not tokens[BY_WORDS]:
        return None
    unknown = unknown_curves(tokens[CHARACTERS], tokens[BY_WORDS])
    return Measured(three_ways(read, pairs), len(tokens[CHARACTERS]), unknown, len(read) < len(normal(text)))


# The story: what each beat shows.


@cache
def play() -> Measured:
    """Return what is measured in the play."""
    return measure(play_text(), learn_merges(play_text(), MERGES))


@cache
def play_text() -> str:
    """Return the text of the play."""
    return read_part(sample(PLAY).read().text)


def cut_by_gpt2(passage: str) -> list[Token]:
    """Return the tokens of a passage as GPT-2 reads it."""
    pairs = gpt2_pairs()
    ids = pairs.encode(passage)
    return [Token(name, gpt2_id(i), pairs.pieces[i]) for name, i in zip(pairs.names(ids), ids, strict=True)]


def rows_of(cuts: dict[str, Sequence[Token]], **more: object) -> dict:
    """Return rows with their names, and how many tokens each has at its end."""
    labels = {name: f"{'row' if name == BYTE_PAIRS else 'way'}.{IDS.get(name, name)}" for name in cuts}
    named = {WORDS.label(labels[name]): tokens for name, tokens in cuts.items()}
    totals = {name: f"{len(tokens)}" if tokens else "?" for name, tokens in named.items()}
    return token_rows(named, {}, totals, **more)


def show_cut(settings: Settings) -> Part:
    """One line, cut three ways."""
    cuts = {name: way.cut(LINE) for name, way in play().ways.items()}
    values = {IDS[name]: len(tokens) for name, tokens in cuts.items()}
    return Part("token_rows", rows_of(cuts, sum=WORDS.label("sum.tokens")), values)


def show_ids(settings: Settings) -> Part:
    """The words and the subwords of the line, with their ids."""
    cuts = {name: play().ways[name].cut(LINE) for name in (BYTE_PAIRS, BY_WORDS)}
    rare = max(cuts[BY_WORDS], key=lambda token: token.id)
    the = next(token for token in cuts[BY_WORDS] if token.text == "the")
    values = {
        "rare": rare.text,
        "id": rare.id,
        "first": the.id,
        "V": play().ways[BY_WORDS].types,
        "place": cuts[BY_WORDS].index(rare),
        "the": cuts[BY_WORDS].index(the),
    }
    return Part("token_rows", rows_of(cuts, ids=True), values)


def show_one_hot(settings: Settings) -> Part:
    """The words of the line as one-hot vectors."""
    way = play().ways[BY_WORDS]
    tokens, V = way.cut(LINE), len(way.vocabulary)
    figure = one_hot_figure(tokens, V)
    values = {"V": V, "id": max(token.id for token in tokens)}
    return Part("figure", {"figure": figure.to_dict()}, values, {"way": "words"})


def ask_unknown(settings: Settings) -> Part:
    """The share of the play's second half that a vocabulary of its first half lacks; the answer draws the bars."""
    found = play().unknown
    shares = {
        "words": float(found[HALF_WORDS][-1]),
        "characters": float(found[HALF_CHARACTERS][-1]),
        "byte_pairs": 0.0,
    }
    open_ = not settings.revealed
    rows = [
        (name, 0 if open_ else share, WORDS.label("hidden") if open_ else percent(share))
        for name, share in shares.items()
    ]
    values = {"revealed": settings.revealed, **({} if open_ else shares)}
    picture = draw_bars(WORDS.label("title.unknown"), 0.2, rows, "" if open_ else "words")
    answer = SHARES[int(np.searchsorted([0.005, 0.05, 0.12], shares["words"]))]
    return Part("layer_bars", picture, values, choices=SHARES, answer=answer)


def show_lost(settings: Settings) -> Part:
    """The speech with the most frequent words alone; all others are one and the same token."""
    k = int(settings.kept)
    tokens = play().ways[BY_WORDS].most_frequent(k).cut(SPEECH)
    lost = sum(token.unknown for token in tokens)
    title = WORDS.label("kept.row", k=k)
    picture = token_rows(
        {title: tokens},
        {},
        sum=WORDS.label("sum.lost", lost=lost, n=len(tokens)),
        lost=WORDS.label("unk"),
    )
    share = float(play().unknown[OWN][k])
    values = {"k": k, "share": share, "lost": lost, "n": len(tokens), "half": share < 0.5}
    return Part("token_rows", picture, values, {"few": True, "k": str(k)})


def show_new(settings: Settings) -> Part:
    """A word and a sign that the play does not have."""
    ways = play().ways
    cuts = {name: ways[name].cut(NEW_WORDS) for name in (BY_WORDS, BYTE_PAIRS)}
    word, bird = NEW_WORDS.split()
    values = {
        "word": word,
        "bird": bird,
        "pieces": [label_token(token.text) for token in ways[BYTE_PAIRS].cut(word)],
        "bytes": len(bytes_of(bird)),
        "n": len(cuts[BYTE_PAIRS]),
    }
    return Part("token_rows", rows_of(cuts), values)


@cache
def lengths_of_play() -> tuple[np.ndarray, dict[str, tuple[int, int]]]:
    """Return the play's tokens after each merge, and vocabulary and tokens of the other ways."""
    found, ways = play_text(), play().ways
    points = {
        "characters": (ways[CHARACTERS].types, ways[CHARACTERS].tokens),
        "byte_pairs": (len(ways[BYTE_PAIRS].vocabulary), ways[BYTE_PAIRS].tokens),
        "words": (ways[BY_WORDS].types, ways[BY_WORDS].tokens),
        GPT2: (len(gpt2_pairs()) + 1, len(gpt2_pairs().encode(found))),  # one more ends a document
    }
    return tokens_by_merges(ways[BYTE_PAIRS].vocabulary, found), points


def show_length(settings: Settings) -> Part:
    """The length of the play in tokens, by the size of the vocabulary."""
    curve, points = lengths_of_play()
    figure = length_figure(curve, {name: points[name] for name in ("characters", "byte_pairs", "words")})
    (_, most), (_, pairs), (V, least) = points["characters"], points["byte_pairs"], points["words"]
    values = {"characters": most, "pairs": pairs, "words": least, "merges": MERGES, "V": V}
    return Part("figure", {"figure": figure.to_dict()}, values)


def ask_gpt2(settings: Settings) -> Part:
    """The line in our subwords; the answer adds GPT-2's."""
    theirs = cut_by_gpt2(LINE)
    ours = play().ways[BYTE_PAIRS].cut(LINE)
    cuts = {BYTE_PAIRS: ours, GPT2: theirs if settings.revealed else []}
    known = {
        "n": len(theirs),
        "V": lengths_of_play()[1][GPT2][0],
        "split": [token.text.strip() for token in theirs if token.text.strip() in ("nob", "ler")],
    }
    values = {"ours": len(ours), "revealed": settings.revealed, **(known if settings.revealed else {})}
    picture = rows_of(cuts, sum=WORDS.label("sum.gpt2"))
    return Part("token_rows", picture, values, choices=GUESSED, answer=str(len(theirs)))


def show_own(settings: Settings) -> Part:
    """A line of the learner's, in words of the play, in its subwords and in GPT-2's."""
    line, ways = settings.line, play().ways
    cuts = {name: ways[name].cut(line) for name in (BY_WORDS, BYTE_PAIRS)} | {GPT2: cut_by_gpt2(line)}
    unknown = sum(token.unknown for token in cuts[BY_WORDS])
    values = {
        "gpt2": len(cuts[GPT2]),
        "characters": len(CUT[CHARACTERS](line)),
        "words": len(cuts[BY_WORDS]),
        "unknown": unknown,
    }
    return Part("token_rows", rows_of(cuts), values, {"source": "typed", "typed": line})


def show_answer(settings: Settings) -> Part:
    """One line as characters, as GPT-2's subwords, and as words."""
    ways = play().ways
    cuts = {
        CHARACTERS: ways[CHARACTERS].cut(LINE),
        GPT2: cut_by_gpt2(LINE),
        BY_WORDS: ways[BY_WORDS].cut(LINE),
    }
    return Part("token_rows", rows_of(cuts), {"V": lengths_of_play()[1][GPT2][0]})


STORY = (
    look("cut", show_cut),
    look("ids", show_ids),
    look("one_hot", show_one_hot),
    ask("unknown", ask_unknown),
    do("lost", show_lost, KEPT),
    look("new", show_new),
    look("length", show_length),
    ask("gpt2", ask_gpt2),
    do("own", show_own, OWN_LINE),
    end("answer", show_answer),
)


# The lab: one passage three ways; ids and their codes; what has no token; what is left of the most frequent words.


def lab() -> None:
    """One passage of the learner's text three ways and as GPT-2 reads it; then codes, unknown words, and the vocabulary."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source(PLAY)
        passage = choose_passage(LESSON, document)
        few = LESSON.draw(FEW)
        k = LESSON.select_slider("k", WORDS.label("k"), LAB_SIZES, value=100, width=200) if few else 0
        LESSON.options()
    found = measured(document)
    if found is None:
        stage.warning(WORDS.markdown("no_word"))
    else:
        show(document, found, passage, min(k, max(1, found.ways[BY_WORDS].types // 2)), stage)
    LESSON.close_lab(
        code=[
            *(three_ways, Way.cut, BytePairs.encode, gpt2_pairs, one_hot, binary, bits_needed),
            *(different_bits, third_token, unknown_by_size),
            *([limit_vocabulary] if k else []),
        ],
        parameters={"passage": passage, "kept": k, "sample": sample_in_use()},
        prompts={
            "scripts": {SAMPLE: "Many scripts", "source": "typed", "typed": "Naïve 🦜, 早上好!"},
            "few": {SAMPLE: "Hamlet", "few": True, "k": 100},
            "codes": {"way": "byte_pairs", "codes": True},
        },
    )


@cached(16, 4, shared=is_sample)
def measured(document: Document) -> Measured | None:
    """Return what is measured in a text, None where it has no word."""
    return measure(document.text, learned_pairs(document))


def show(document: Document, found: Measured, passage: str, k: int, stage) -> None:
    """Show the passage in all ways, then the folds; `k` words are kept, 0 for all."""
    ways = found.ways | ({BY_WORDS: found.ways[BY_WORDS].most_frequent(k)} if k else {})
    cuts = {name: way.cut(passage) for name, way in ways.items()}
    with stage:
        bins = [WORDS.label(f"held.{name}") for name in HELD]
        at = int(np.clip(np.floor(found.held(BYTE_PAIRS)), 1, 4)) - 1
        revealed = LESSON.ask(WORDS.label("question", merges=MERGES), bins, bins[at], document.digest[:16])
        show_passage(found, ways, cuts, passage, revealed)
    if found.cut:
        st.caption(WORDS.markdown("cut_off", n=found.characters))
    if k:
        show_few(found, cuts[BY_WORDS], k)
    if box := LESSON.fold("codes"):
        with box:
            show_codes(ways, cuts, revealed)
    if box := LESSON.fold("strange_words"):
        with box:
            show_strange(ways)
    if box := LESSON.fold("sizes"):
        with box:
            show_unknown(found, k)


def show_passage(
    found: Measured, ways: dict[str, Way], cuts: dict[str, list[Token]], passage: str, revealed: bool
) -> None:
    """Draw the passage cut each way, and register the tables; byte pairs once they may be shown."""
    rows = cuts if revealed else {name: cuts[name] for name in (CHARACTERS, BY_WORDS)}
    said = {name: WORDS.label("row.said", **about_row(found, ways[name], cuts[name])) for name in rows}
    if not passage:
        st.info(WORDS.markdown("empty"))
    else:
        if revealed:
            rows = rows | {GPT2: cut_by_gpt2(passage)}
            said[GPT2] = WORDS.label("row.gpt2", n=len(rows[GPT2]))
        named = {WORDS.label(f"way.{IDS.get(name, name)}"): tokens for name, tokens in rows.items()}
        notes = {WORDS.label(f"way.{IDS.get(name, name)}"): said[name] for name in rows}
        LESSON.view("token_rows", token_rows(named, notes), "cuts")
    if revealed:
        values = {IDS[name]: len(tokens) for name, tokens in cuts.items()}
        values |= {f"{IDS[name]}_held": found.held(name) for name in cuts}
        LESSON.say("says.cut", values)
        LESSON.every_number(WORDS.label("table.ways"), ways_table, found.ways, found.characters)
    for name in cuts if revealed else (CHARACTERS, BY_WORDS):
        table = WORDS.label("table.tokens", way=WORDS.label(f"way.{IDS[name]}"))
        LESSON.every_number(table, tokens_table, ways[name], cuts[name])


def about_row(found: Measured, way: Way, tokens: Sequence[Token]) -> dict[str, object]:
    """Return how many tokens a row has, and of the whole text how many, of how many types, and how long they are."""
    kept = len(way.vocabulary) - 1
    few = way.name == BY_WORDS and kept < way.types
    return {
        "here": len(tokens),
        "tokens": way.tokens,
        "types": way.types,
        "kept": kept if few else 0,
        "held": found.held(way.name),
    }


def show_few(found: Measured, tokens: Sequence[Token], k: int) -> None:
    """Compare the share of the text that is unknown with all words and with the k most frequent ones."""
    shares = found.unknown[OWN]
    LESSON.compare("few", float(shares[-1]), float(shares[k]), ".1%", more_is_better=False)
    lost = sum(token.unknown for token in tokens)
    values = {"k": k, "types": found.ways[BY_WORDS].types, "n": len(tokens), "lost": lost}
    st.markdown(WORDS.markdown("says.few", **values))


def show_codes(ways: dict[str, Way], cuts: dict[str, list[Token]], revealed: bool) -> None:
    """Draw the first tokens' ids as one-hot vectors and as bits, and say what can be compared and added."""
    chosen = LESSON.draw(WAY)
    name = next(way for way, each in IDS.items() if each == chosen)
    tokens, V = cuts[name][:CODED], len(ways[name].vocabulary)
    if name == BYTE_PAIRS and not revealed:
        st.info(WORDS.markdown("guess_first"))
        return
    if not tokens:
        st.info(WORDS.markdown("no_tokens"))
        return
    codes = binary([token.id for token in tokens], V)
    apart = different_bits(codes)[np.triu_indices(len(tokens), 1)]
    apart = apart[apart > 0]
    values = {
        "n": len(tokens),
        "V": V,
        "b": codes.shape[1],
        "least": int(apart.min()) if len(apart) else 0,
        "most": int(apart.max()) if len(apart) else 0,
    }
    LESSON.figure("ids", codes_figure(tokens, codes, V), WORDS.label("codes.alt", **values))
    LESSON.say("says.codes", values)
    show_sum(ways[name], [token.id for token in tokens])


def show_sum(way: Way, ids: Sequence[int]) -> None:
    """Show which third token the codes of two tokens add up to, of the passage's if there are such two."""
    V = len(way.vocabulary)
    three = third_token(ids, V) or third_token([1, 2], V)
    names = [plain(label_token(way.name_of(each))) for each in three or ()]
    if three:
        st.latex(worked_sum(way, three))
    st.markdown(WORDS.markdown("says.sum", names=names))


def show_strange(ways: dict[str, Way]) -> None:
    """Cut what the learner types, words that the text need not hold, and say how much of it is unknown."""
    label = WORDS.label("strange")
    typed = LESSON.text("strange", label, STRANGE, max_chars=STRANGE_AT_MOST, width=420)[:STRANGE_AT_MOST]
    if not typed:
        st.info(WORDS.markdown("empty"))
        return
    cuts = {name: way.cut(typed) for name, way in ways.items()}
    lacking = {name: sum(token.unknown for token in tokens) for name, tokens in cuts.items()}
    in_bytes = byte_row(cuts[CHARACTERS])
    rows = {WORDS.label(f"way.{IDS[name]}"): tokens for name, tokens in cuts.items()}
    said = {
        WORDS.label(f"way.{IDS[name]}"): WORDS.label("row.unknown", lost=lacking[name], n=len(tokens))
        for name, tokens in cuts.items()
    }
    rows[WORDS.label("way.bytes")] = in_bytes
    said[WORDS.label("way.bytes")] = WORDS.label("row.bytes", n=len(in_bytes))
    LESSON.view("token_rows", token_rows(rows, said), "strange_cuts")
    values = {f"{IDS[name]}_lost": lacking[name] for name in cuts}
    values |= {IDS[name]: len(tokens) for name, tokens in cuts.items()}
    LESSON.say("says.strange", {**values, "bytes": len(in_bytes)})


def show_unknown(found: Measured, k: int) -> None:
    """Draw the share unknown by the vocabulary's size, and say how much of a text's second half its first half lacks."""
    last = {name: percent(float(shares[-1])) for name, shares in found.unknown.items()}
    values = {"words": last[HALF_WORDS], "characters": last[HALF_CHARACTERS]}
    LESSON.figure("unknown", unknown_figure(found.unknown, k or None), WORDS.label("sizes.alt", **values))
    LESSON.say("says.sizes", values)
