"""Text as tokens: one passage cut into characters, byte pairs and words; ids and their codes; what is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.tokens.text_as_tokens import (
    byte_row,
    codes_figure,
    cut_figure,
    shown,
    token_rows,
    unknown_figure,
    worked_sum,
)
from core.figures.tokens.token_tables import tokens_table, ways_table
from core.figures.worked import percent
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import notebook_text, text_source
from core.models.tokens.byte_pairs import BytePairs, learn_merges
from core.models.tokens.codes import binary, bits_needed, different_bits, one_hot, third_token
from core.models.tokens.three_ways import (
    BYTE_PAIRS,
    CHARACTERS,
    CUT,
    WAYS,
    WORDS,
    Token,
    Way,
    most_frequent,
    three_ways,
)
from core.models.tokens.unknown_tokens import (
    ALL_BYTES,
    HALF_CHARACTERS,
    HALF_WORDS,
    OWN,
    unknown_by_size,
    unknown_curves,
)
from core.text.reading.documents import Document
from core.text.tokenization.tokens import normal
from pages.tokens.shared.passage import (
    MERGES,
    READ_AT_MOST,
    choose_passage,
    counted,
    learned_pairs,
    read_part,
)

LESSON = Lesson(
    __name__,
    title="Text as tokens",
    question="What does a model read where we read words?",
    icon="scissors",
)
SIZES = (10, 30, 100, 300, 1000, 3000, 10_000)
CODED = 8  # tokens of the passage whose codes are drawn
STRANGE, STRANGE_AT_MOST = "undreamable 🦜 早上好", 60
HELD = ("fewer than 2", "2 to 3", "3 to 4", "4 or more")


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


def picture() -> Figure:
    """Two words as characters, byte pairs and words."""
    text = "unhappy unhappy happy unlike likely"
    passage = "unlikely happy"
    ways = three_ways(text, learn_merges(text, 14))
    cuts = {name.replace("byte pairs", "pairs"): way.cut(passage) for name, way in ways.items()}
    return small(cut_figure(cuts, passage)).update_yaxes(showticklabels=True)


def page() -> None:
    """One passage three ways; what a token holds; ids and their codes; what has no token; what is cut away."""
    LESSON.open(
        r"\text{one-hot: } x_j = [\,j = \text{id}\,],\; j = 0 \dots V - 1 \qquad "
        r"\text{binary: } b = \lceil \log_2 V \rceil \text{ bits} \qquad u(k) = \frac{\#\text{<unk>}}{N}",
        "$V$: the vocabulary's size; a token's id is its place in it. $N$: the tokens of a text; $u(k)$: the share of "
        "them that a vocabulary of the $k$ most frequent types lacks. Characters are as a reader counts them; words "
        "are in lower case and without punctuation; byte pairs are learned from your text.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source("hamlet")
        passage = choose_passage(LESSON, document)
        broken = LESSON.break_it(
            "few", "Break it: only the most frequent words", "All other words of the text become <unk>."
        )
        k = LESSON.select_slider("k", "Words kept", SIZES, value=100, width=200) if broken else 0
    found = measured(document)
    if found is None:
        stage.warning("There is no word in this text. Choose another one.")
    else:
        k = min(k, max(1, found.ways[WORDS].types // 2)) if broken else 0
        show(document, found, passage, k, stage)
    kept = f".most_frequent({k})" if k else ""
    LESSON.closing(
        code=[
            *(
                three_ways,
                Way.cut,
                BytePairs.encode,
                one_hot,
                binary,
                bits_needed,
                different_bits,
                third_token,
            ),
            unknown_by_size,
            *([most_frequent] if broken else []),
        ],
        notebook=[
            "from core.models.tokens.byte_pairs import learn_merges\n"
            "from core.models.tokens.three_ways import three_ways\n"
            "from core.text.tokenization.tokens import normal\n" + notebook_text() + "\n"
            f"text = normal(text[:{READ_AT_MOST}])\nways = three_ways(text, learn_merges(text, {MERGES}))",
            f"passage = {passage!r}\ncuts = {{name: way.cut(passage) for name, way in ways.items()}}\n"
            f'cuts["words"] = ways["words"]{kept}.cut(passage)\n'
            "for name, way in ways.items():\n"
            "    print(name, way.tokens, way.types, [(token.text, token.id) for token in cuts[name]])",
            "from core.models.tokens.codes import binary\n\n"
            'binary([token.id for token in cuts["words"]], len(ways["words"].vocabulary))',
        ],
        plot=("from core.figures.tokens.text_as_tokens import cut_figure\n\ndraw(cut_figure(cuts, passage))"),
        try_this=[
            (
                "Many scripts: which way cuts an emoji or a Chinese character into bytes?",
                {"text:": "Many scripts", "source": "typed", "typed": "Naïve 🦜, 早上好!"},
            ),
            (
                "Hamlet with a hundred words: what is left of a sentence?",
                {"text:": "Hamlet", "few": True, "k": 100},
            ),
            ("The codes of byte pairs: how long is a one-hot row?", {"way": BYTE_PAIRS}),
        ],
        sources=[
            "Daniel Jurafsky and James H. Martin, Speech and Language Processing, third edition, chapter 2.",
            "Rico Sennrich, Barry Haddow and Alexandra Birch (2016), Neural Machine Translation of Rare Words with "
            "Subword Units.",
            "RFC 3629 (2003), UTF-8, a transformation format of ISO 10646.",
        ],
    )


@cached(16, 4, "Cutting the text", shared=is_sample)
def measured(document: Document) -> Measured | None:
    """Return what is measured in a text, None where it has no word."""
    text = read_part(document.text)
    pairs = learned_pairs(document)
    tokens = {name: cut(text) for name, cut in CUT.items()}
    if not tokens[WORDS]:
        return None
    unknown = unknown_curves(tokens[CHARACTERS], tokens[WORDS])
    whole = len(text) == len(normal(document.text))
    return Measured(three_ways(text, pairs), len(tokens[CHARACTERS]), unknown, not whole)


def show(document: Document, found: Measured, passage: str, k: int, stage) -> None:
    """Show the passage three ways, then ids and codes, then what is unknown; `k` words are kept, 0 for all."""
    ways = found.ways | ({WORDS: found.ways[WORDS].most_frequent(k)} if k else {})
    cuts = {name: way.cut(passage) for name, way in ways.items()}
    with stage:
        held = found.held(BYTE_PAIRS)
        revealed = LESSON.ask(
            f"{MERGES:,} byte pairs at most are learned from this text. How many of its characters does a token hold then?",
            HELD,
            HELD[int(np.clip(np.floor(held), 1, 4)) - 1],
            document.digest[:16],
        )
        rows = cuts if revealed else {name: cuts[name] for name in (CHARACTERS, WORDS)}
        said = {name: said_of(found, ways[name], cuts[name]) for name in rows}
        if passage:
            LESSON.view("token_rows", token_rows(rows, said), "cuts")
        else:
            st.info("There is nothing to cut yet. Type a sentence.")
        if revealed:
            say_passage(found, cuts)
    if found.cut:
        st.caption(f"The first {found.characters:,} characters of the text are read.")
    if k:
        show_few(found, cuts[WORDS], k)
    st.header("What stands for a token?", anchor=False)
    show_codes(ways, cuts, revealed)
    st.header("What has no token?", anchor=False)
    show_strange(ways)
    show_unknown(found, k)
    if revealed:
        LESSON.every_number("ways", ways_table, found.ways, found.characters)
    for name in rows:
        LESSON.every_number(f"tokens, {name}", tokens_table, ways[name], cuts[name])


def said_of(found: Measured, way: Way, tokens: Sequence[Token]) -> str:
    """Return what stands beside a row: its tokens here, and those of the whole text."""
    kept = len(way.vocabulary) - 1
    few = f" ({kept:,} kept)" if way.name == WORDS and kept < way.types else ""
    return (
        f"{len(tokens):,} here; in your text {way.tokens:,}, of {counted(way.types, 'types')}{few}, "
        f"{found.held(way.name):.1f} characters a token"
    )


def say_passage(found: Measured, cuts: dict[str, list[Token]]) -> None:
    """Say how long the passage is each way, and tell the tour."""
    lengths = {name: counted(len(cuts[name]), name) for name in WAYS}
    held = {name: f"{found.held(name):.1f}" for name in WAYS}
    LESSON.caption(
        f"The same passage is {lengths[CHARACTERS]}, {lengths[BYTE_PAIRS]} or {lengths[WORDS]}; the whole text has "
        f"{held[CHARACTERS]}, {held[BYTE_PAIRS]} or {held[WORDS]} characters a token."
    )
    st.caption("Words leave out what stands between them: from them alone the text cannot be written again.")
    LESSON.set_values(
        characters=lengths[CHARACTERS],
        pairs=lengths[BYTE_PAIRS],
        words=lengths[WORDS],
        held=held[BYTE_PAIRS],
        types=counted(found.ways[CHARACTERS].types, "types"),
        word_types=counted(found.ways[WORDS].types, "types"),
    )


def show_few(found: Measured, tokens: Sequence[Token], k: int) -> None:
    """Show what share of the text the k most frequent words leave unknown, and of the passage."""
    shares = found.unknown[OWN]
    consequence("Words of the text that are unknown", shares[-1], shares[k], ".1%", more_is_better=False)
    LESSON.set_values(kept=f"{k:,}")
    lost = sum(token.unknown for token in tokens)
    st.markdown(
        f"{k:,} of {found.ways[WORDS].types:,} words are kept. "
        + (
            f"Of this passage's {counted(len(tokens), WORDS)} {lost:,} {'has' if lost == 1 else 'have'} become <unk>: "
            "a model cannot tell them apart any more.".replace("<unk>", "`<unk>`")
            if lost
            else "In this passage nothing is lost."
        )
    )


def show_codes(ways: dict[str, Way], cuts: dict[str, list[Token]], revealed: bool) -> None:
    """Draw the first tokens' ids as one-hot rows and as bits, and say what can be compared and added."""
    name = LESSON.choose("way", "Codes of", WAYS, default=WORDS)
    tokens, V = cuts[name][:CODED], len(ways[name].vocabulary)
    one_unknown = "" if name == BYTE_PAIRS else ", one of them for what is unknown"
    LESSON.set_values(V=f"{V:,}", b=bits_needed(V), one_unknown=one_unknown, added="")
    if name == BYTE_PAIRS and not revealed:
        st.info("Guess first: these are the byte pairs.")
        return
    if not tokens:
        st.info(f"The passage has no {name}.")
        return
    codes = binary([token.id for token in tokens], V)
    LESSON.figure(
        "codes",
        codes_figure(tokens, codes, V),
        f"The ids of {len(tokens)} tokens as points in {V:,} places, and as binary codes of {codes.shape[1]} bits",
    )
    apart = different_bits(codes)[np.triu_indices(len(tokens), 1)]
    apart = apart[apart > 0]
    if len(apart):
        span = f"{apart.min()}" if apart.min() == apart.max() else f"{apart.min()} to {apart.max()}"
        LESSON.caption(
            f"A one-hot row has {V:,} places, a binary code {codes.shape[1]}. Any two different ids are √2 apart as "
            f"one-hot rows; the codes of these differ in {span} {'bit' if span == '1' else 'bits'}, "
            "whatever the tokens mean."
        )
    show_sum(ways[name], [token.id for token in tokens])


def show_sum(way: Way, ids: Sequence[int]) -> None:
    """Show which third token the codes of two tokens add up to, of the passage's if there are such two."""
    V = len(way.vocabulary)
    three = third_token(ids, V) or third_token([1, 2], V)
    if three is None:
        sentence = "In so small a vocabulary no two codes add up to a third one."
    else:
        one, other, third = (f"“{plain(shown(way.name_of(each)))}”" for each in three)
        sentence = (
            f"Added up, the binary codes of {one} and {other} are that of {third}. The sum of their one-hot rows has "
            "two ones, and says which two tokens they were."
        )
        st.latex(worked_sum(way, three))
    st.markdown(sentence)
    LESSON.set_values(added=sentence.replace("\\", ""))


def show_strange(ways: dict[str, Way]) -> None:
    """Cut what the learner types, words that the text need not hold, and say how much of it is unknown."""
    typed = LESSON.text(
        "strange", "Something that your text may not have", STRANGE, max_chars=STRANGE_AT_MOST, width=420
    )[:STRANGE_AT_MOST]
    cuts = {name: way.cut(typed) for name, way in ways.items()}
    lacking = {name: sum(token.unknown for token in tokens) for name, tokens in cuts.items()}
    said = {name: f"{lacking[name]} of {counted(len(cuts[name]), name)} unknown" for name in WAYS}
    in_bytes = byte_row(cuts[CHARACTERS])
    rows = token_rows(cuts | {"bytes": in_bytes}, said | {"bytes": f"{len(in_bytes)} in UTF-8"})
    if typed:
        LESSON.view("token_rows", rows, "strange_cuts")
        LESSON.caption(
            f"As words {lacking[WORDS]} of {len(cuts[WORDS])} {'is' if lacking[WORDS] == 1 else 'are'} unknown, as "
            f"characters {lacking[CHARACTERS]} of {len(cuts[CHARACTERS])}, as byte pairs {lacking[BYTE_PAIRS]} of "
            f"{len(cuts[BYTE_PAIRS])}: what has no token of its own is spelled in {len(in_bytes)} bytes at worst."
        )
    LESSON.set_values(
        typed=typed or "nothing",
        lost_words=f"{lacking[WORDS]} of {counted(len(cuts[WORDS]), WORDS)}",
        lost_characters=f"{lacking[CHARACTERS]} of {counted(len(cuts[CHARACTERS]), CHARACTERS)}",
        spelled=counted(len(cuts[BYTE_PAIRS]), BYTE_PAIRS),
        bytes=len(in_bytes),
    )


def show_unknown(found: Measured, k: int) -> None:
    """Draw the share unknown by the vocabulary's size, and say how much of a text's second half its first half lacks."""
    last = {name: percent(float(shares[-1])) for name, shares in found.unknown.items()}
    LESSON.figure(
        "unknown",
        unknown_figure(found.unknown, k or None),
        f"Share of unknown tokens by the vocabulary's size; of the second half's words it ends at {last[HALF_WORDS]}",
    )
    LESSON.caption(
        f"A vocabulary from the first half of your text lacks {last[HALF_WORDS]} of the words in the second half, "
        f"{last[HALF_CHARACTERS]} of the characters, {last[ALL_BYTES]} of the byte pairs."
    )
    LESSON.set_values(half_words=last[HALF_WORDS], half_pairs=last[ALL_BYTES])
