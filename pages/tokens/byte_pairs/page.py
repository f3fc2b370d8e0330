"""Byte-pair encoding: what the story shows of merges in Hamlet and in GPT-2, and the lab on the learner's text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import streamlit as st

from core.figures.frame import frame
from core.figures.token_label import label_token
from core.figures.tokens.token_rows import token_rows
from core.lesson.cached import cached, is_sample
from core.lesson.predict_first import Question
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import SAMPLE, Part, ask, do, end, look
from core.lesson.text_source import sample_in_use, text_source
from core.models.tokens.byte_pairs import PIECES, BytePairs, learn_merges, merge_in
from core.models.tokens.gpt2_tokenizer import gpt2_pairs
from core.models.tokens.merge_steps import (
    EncodeStep,
    MergeStep,
    count_spaced_words,
    encode_steps,
    merge_all,
    merge_steps,
    merges_made,
    pair_counts,
    shared_length,
    tokens_by_merges,
    tokens_per_word,
)
from core.text.grammar.pairs import sentence_of
from core.text.reading.documents import Document
from core.text.samples.course_pairs import CoursePairs, first_pairs, written_in
from core.text.samples.shelf import sample
from core.words.language import SPANISH
from core.words.plain import plain
from pages.tokens.byte_pairs import LESSON
from pages.tokens.byte_pairs.figures import (
    draw_pairs,
    length_figure,
    merge_formulas,
    merges_table,
    merging_picture,
    named,
    tokens_figure,
    tokens_of,
    why_made,
)
from pages.tokens.shared.passage import MERGES, choose_passage, learned_pairs, read_part

WORDS = LESSON.words
PLAY = "hamlet"
LINE = "Whether 'tis nobler in the mind to suffer"
NEW_WORD, NO_STEM, OWN = "kindness", "unhappiest", "unbelievably"
ENGLISH = "You bring the book to her new neighbour."
TRANSLATED = {
    "fr": ("English–French", "Tu apportes le livre à son nouveau voisin."),
    "nl": ("English–Dutch", "Je brengt het boek aan haar nieuwe buurman."),
}
EXAMPLES = (LINE, ENGLISH, "unlighthouseable", *(said for _, said in TRANSLATED.values()))
COMPARED = 1500  # translated sentences that GPT-2's tokenizer cuts
PAIRS_SHOWN = 5
GUESSED_PAIRS = ("space_t", "t_h", "h_e", "o_u")
GUESSED_TOKENS = ("7", "9", "16")
SIZES = ("0", "1", "2", "8", "9", "20", "50", "100", "300", "1000")
HALF = 500
LONGEST = 30

MERGED = Choice("merged", "2", SIZES)
TYPED = Text("typed", OWN, LONGEST, spoken={SPANISH: "increíblemente"})

# The lab's settings.
STEPS, RIVALS, ASKED = 20, 6, 5  # merges that are stepped through, rivals shown with counts, merges asked for
FROM = (1, 11, 21, 51, 101, 201, 501, 901)
WORD_AT_MOST = 40
OTHER_PLAY, LANGUAGES = (
    "Macbeth",
    {"French": ("English–French", "fr", 1500), "Dutch": ("English–Dutch", "nl", 1500)},
)
ELSEWHERE, WHERE = Switch("elsewhere"), Choice("where", "French", (*LANGUAGES, OTHER_PLAY))
WORD = Text("word", NEW_WORD, WORD_AT_MOST)
LAB = (
    Choice("from", "1", tuple(map(str, FROM))),
    ELSEWHERE,
    WHERE,
    WORD,
    Switch("new_word"),
    Switch("lengths"),
)


# The story: what each beat shows.


@cache
def play_text() -> str:
    """Return the text of the play."""
    return read_part(sample(PLAY).read().text)


@cache
def play_pairs() -> BytePairs:
    """Return the merges of the play."""
    return learn_merges(play_text(), MERGES)


@cache
def play_lengths() -> np.ndarray:
    """Return the play's tokens after each merge."""
    return tokens_by_merges(play_pairs(), play_text())


@cache
def first_steps() -> list[MergeStep]:
    """Return the play's first two merges, with the counts that they were chosen by."""
    return merge_steps(play_text(), play_pairs(), 0, 2, RIVALS)


def base() -> dict[str, object]:
    """Return what all beats name: the first pair, its count, and the play's tokens before and after."""
    step, N = first_steps()[0], play_lengths()
    return {
        "first": named(play_pairs(), *step.pair),
        "count": step.count,
        "second_count": step.rivals[1][1],
        "N0": int(N[0]),
        "N1": int(N[1]),
        "N": int(N[-1]),
        "merges": MERGES,
        "V": len(play_pairs()),
    }


def rows_of(pairs: BytePairs, cuts: dict[str, Sequence[int]], **more: object) -> dict:
    """Return rows of tokens, from their ids, and how many there are at each row's end."""
    rows = {name: tokens_of(pairs, ids) for name, ids in cuts.items()}
    return token_rows(rows, {}, {name: f"{len(tokens)}" for name, tokens in rows.items()}, **more)


def row_after(k: int) -> str:
    """Return the name of a row: after k merges."""
    return WORDS.label("row.after", k=k)


def ask_pair(settings: Settings) -> Part:
    """The play's most frequent pairs of bytes, by name; the answer ranks them by their counts."""
    ranked = list(first_steps()[0].rivals[:PAIRS_SHOWN])
    best = ranked[0][0]
    told = ranked if settings.revealed else sorted((pair, 0) for pair, _ in ranked)
    title = WORDS.label("title.counts", k=0)
    picture = draw_pairs(play_pairs(), told, title, best if settings.revealed else None)
    values = base() | {"revealed": settings.revealed}
    answer = "space_t" if play_pairs().names(best) == [" ", "t"] else ""
    return Part("layer_bars", picture, values, choices=GUESSED_PAIRS, answer=answer)


def show_merge(settings: Settings) -> Part:
    """One line before and after the first merge."""
    cuts = {row_after(k): play_pairs().first(k).encode(LINE) for k in (0, 1)}
    before, after = cuts.values()
    values = base() | {"before": len(before), "after": len(after), "place": after.index(256)}
    return Part("token_rows", rows_of(play_pairs(), cuts, fresh={row_after(1): 256}), values)


def show_recount(settings: Settings) -> Part:
    """The counts after the first merge: the next pair, and a pair that lost most of its places."""
    first, second = first_steps()
    lost = next(pair for pair, _ in first.rivals if pair[0] == first.pair[1])
    counts = pair_counts(merge_all(play_pairs().first(1), Counter(PIECES.findall(play_text()))).words)
    was = dict(first.rivals)[lost]
    ranked = [*second.rivals[:PAIRS_SHOWN], (lost, counts[lost])]
    notes = {lost: WORDS.label("was", n=was)}
    title = WORDS.label("title.counts", k=1)
    picture = draw_pairs(play_pairs(), ranked, title, second.pair, notes)
    grown = next(pair for pair, _ in second.rivals if pair[0] == 256)
    values = base() | {
        "lost": named(play_pairs(), *lost),
        "was": was,
        "now": counts[lost],
        "grown": named(play_pairs(), *grown),
        "grown_count": counts[grown],
        "second": named(play_pairs(), *second.pair),
        "second_now": second.count,
        "lost_key": f"pair.{lost[0]}.{lost[1]}",
        "grown_key": f"pair.{grown[0]}.{grown[1]}",
    }
    return Part("layer_bars", picture, values)


def show_merged(settings: Settings) -> Part:
    """The line after as many merges as are chosen."""
    k = int(settings.merged)
    cuts = {row_after(each): play_pairs().first(each).encode(LINE) for each in dict.fromkeys((0, k))}
    tokens = play_pairs().names(play_pairs().first(k).encode(LINE))
    values = base() | {
        "k": k,
        "n": len(tokens),
        "made": label_token(play_pairs().tokens[255 + k]) if k else "",
        "the": " the" in tokens,
    }
    return Part(
        "token_rows",
        rows_of(play_pairs(), cuts, fresh={row_after(k): 255 + k} if k else {}),
        values,
        {"from": str(max(f for f in FROM if f <= max(k, 1)))},
    )


def show_length(settings: Settings) -> Part:
    """The tokens of the play after each merge."""
    N = play_lengths()
    figure = length_figure(N, (0, HALF, MERGES))
    values = base() | {
        "half": HALF,
        "N_half": int(N[HALF]),
        "early": int(N[0] - N[HALF]),
        "late": int(N[HALF] - N[-1]),
        "bytes_per_token": float(N[0] / N[-1]),
    }
    return Part("figure", {"figure": figure.to_dict()}, values, {"lengths": True})


def show_encoding(settings: Settings) -> Part:
    """A word that the play does not have, merged step by step."""
    steps = encode_steps(play_pairs(), f" {NEW_WORD}")
    cuts = {
        WORDS.label("row.made", k=0 if place == 0 else steps[place - 1].made + 1): step.ids
        for place, step in enumerate(steps)
    }
    fresh = {WORDS.label("row.made", k=step.made + 1): 256 + step.made for step in steps[:-1]}
    end_ids = steps[-1].ids
    values = base() | {
        "word": NEW_WORD,
        "there": count_spaced_words(play_text())[f" {NEW_WORD}"],
        "bytes": len(steps[0].ids),
        "n": len(end_ids),
        "parts": list(map(label_token, play_pairs().names(end_ids))),
        "earliest": steps[0].made + 1,
        "last": steps[-2].made + 1,
    }
    return Part(
        "token_rows", rows_of(play_pairs(), cuts, fresh=fresh), values, {"word": NEW_WORD, "new_word": True}
    )


def show_stems(settings: Settings) -> Part:
    """A word cut by the play's merges and by GPT-2's."""
    cuts = {
        WORDS.label("row.play"): tokens_of(play_pairs(), play_pairs().encode(f" {NO_STEM}")),
        WORDS.label("row.gpt2"): tokens_of(gpt2_pairs(), gpt2_pairs().encode(f" {NO_STEM}")),
    }
    names = [[label_token(token.text) for token in tokens] for tokens in cuts.values()]
    values = base() | {"word": NO_STEM, "parts": names[0], "gpt2": names[1]}
    values |= {"happy": play_text().count("happ"), "last_count": play_pairs().counts[-1]}
    totals = {name: f"{len(tokens)}" for name, tokens in cuts.items()}
    picture = token_rows(cuts, {}, totals)
    return Part("token_rows", picture, values, {"word": NO_STEM, "new_word": True})


def ask_language(settings: Settings) -> Part:
    """An English sentence as GPT-2 cuts it; the answer adds its translations."""
    said = {"en": ENGLISH} | {language: text for language, (_, text) in TRANSLATED.items()}
    cuts = {
        WORDS.label(f"row.{language}"): tokens_of(gpt2_pairs(), gpt2_pairs().encode(text))
        if language == "en" or settings.revealed
        else []
        for language, text in said.items()
    }
    totals = {name: f"{len(tokens)}" if tokens else WORDS.label("hidden") for name, tokens in cuts.items()}
    lengths = {language: len(gpt2_pairs().encode(text)) for language, text in said.items()}
    values = base() | {"revealed": settings.revealed, "en": lengths["en"], "sentence": ENGLISH}
    if settings.revealed:
        values |= lengths | {f"{name}_per_word": each for name, each in gpt2_per_word().items()}
        values |= {"sentences": COMPARED}
    picture = token_rows(cuts, {}, totals)
    return Part("token_rows", picture, values, choices=GUESSED_TOKENS, answer=f"{lengths['fr']}")


@cache
def gpt2_per_word() -> dict[str, float]:
    """Return GPT-2's tokens per word in the same sentences in English, French and Dutch."""
    kind, _ = TRANSLATED["fr"]
    pairs = first_pairs(CoursePairs(kind, COMPARED, longest=14, seed=1), COMPARED)
    texts = {"en": "\n".join(sentence_of(pair.source, "en") for pair in pairs)}
    texts |= {language: written_in(kind, language, COMPARED) for language, (kind, _) in TRANSLATED.items()}
    return {language: tokens_per_word(gpt2_pairs(), text) for language, text in texts.items()}


def do_own(settings: Settings) -> Part:
    """The learner's word as bytes, by the play's merges and by GPT-2's."""
    text = f" {settings.typed.strip()}"
    ids = {"bytes": BytePairs(()).encode(text), "play": play_pairs().encode(text)}
    cuts = {WORDS.label(f"row.{name}"): tokens_of(play_pairs(), each) for name, each in ids.items()}
    cuts[WORDS.label("row.gpt2")] = tokens_of(gpt2_pairs(), gpt2_pairs().encode(text))
    counts = [len(tokens) for tokens in cuts.values()]
    values = base() | dict(zip(("bytes", "play", "gpt2"), counts, strict=True))
    totals = {name: f"{len(tokens)}" for name, tokens in cuts.items()}
    picture = token_rows(cuts, {}, totals)
    return Part("token_rows", picture, values, {"word": settings.typed, "new_word": True})


def show_answer(settings: Settings) -> Part:
    """The line after more and more merges."""
    cuts = {row_after(k): play_pairs().first(k).encode(LINE) for k in (0, 9, 100, MERGES)}
    first, *_, last = (len(ids) for ids in cuts.values())
    return Part("token_rows", rows_of(play_pairs(), cuts), base() | {"before": first, "after": last})


STORY = (
    ask("pair", ask_pair),
    look("merge", show_merge),
    look("recount", show_recount),
    do("grow", show_merged, MERGED),
    look("length", show_length),
    look("encode", show_encoding),
    look("stems", show_stems),
    ask("language", ask_language),
    do("own", do_own, TYPED),
    end("answer", show_answer),
)


# The lab: merges one by one; the tokens they save; how a word is encoded; merges learned on another text.


@dataclass(frozen=True)
class Learned:
    """Merges and what they do to the learner's text: where and from what they were learned, N_k, merges made, its pieces."""

    where: str
    text: str
    pairs: BytePairs
    N: np.ndarray
    made: np.ndarray
    per_word: float
    pieces: int


def lab() -> None:
    """The merges stepped one by one; the tokens they save; how a word is encoded; merges learned elsewhere."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source(PLAY)
        passage = choose_passage(LESSON, document)
        first = LESSON.select_slider("from", WORDS.label("from"), FROM, width=170) - 1
        where = LESSON.draw(WHERE) if LESSON.draw(ELSEWHERE) else ""
        LESSON.options()
    own, used = learned(document, where, False), learned(document, where, bool(where))
    if not (used.pairs.merges and own.pairs.merges):
        stage.warning(WORDS.markdown("nothing"))
    else:
        show(document, passage, own, used, first, stage)
    LESSON.close_lab(
        code=[
            *(learn_merges, merge_in, pair_counts, merge_steps, tokens_by_merges, merges_made, merge_all),
            *(encode_steps, tokens_per_word, BytePairs.steps),
            *([shared_length] if where else []),
        ],
        parameters={"sample": sample_in_use(), "where": where, "word": LESSON.get_state("word") or NEW_WORD},
        prompts={
            "later": {"from": 201},
            "word": {"word": EXAMPLES[2], "new_word": True},
            "french": {SAMPLE: "Hamlet", "elsewhere": True, "where": "French"},
        },
    )


@cache
def text_elsewhere(where: str) -> str:
    """Return one of the other texts."""
    return sample(OTHER_PLAY.lower()).read().text if where == OTHER_PLAY else written_in(*LANGUAGES[where])


@cached(16, 4, shared=is_sample)
def learned(document: Document, where: str, other: bool) -> Learned:
    """Return merges of the learner's text, or those of the `other` one.

    With `where`, both are learned from as many characters, and both have as many merges: the language alone differs.
    """
    text = read_part(document.text)
    if not where:
        source, pairs = text, learned_pairs(document)
    else:
        elsewhere = text_elsewhere(where)
        n = min(len(text), len(elsewhere))
        sources = text[:n], elsewhere[:n]
        both = shared_length(*(learn_merges(each, MERGES) for each in sources))
        source, pairs = sources[other], both[other]
    N = tokens_by_merges(pairs, text)
    pieces = len(PIECES.findall(text))
    return Learned(
        where if other else "", source, pairs, N, -np.diff(N), tokens_per_word(pairs, text), pieces
    )


@cached(32, 8, shared=is_sample)
def steps_from(document: Document, where: str, other: bool, first: int) -> list[MergeStep]:
    """Return the merges from a number on, with the counts that each was chosen by."""
    found = learned(document, where, other)
    return merge_steps(found.text, found.pairs, first, STEPS, RIVALS)


def show(document: Document, passage: str, own: Learned, used: Learned, first: int, stage) -> None:
    """Show the merges from the number `first` (from 0) on, and, once they are guessed, all that they do."""
    first = min(first, max(0, len(used.pairs.merges) - STEPS))
    steps = steps_from(document, LESSON.get_state("where", "") if used.where else "", bool(used.where), first)
    cut = [encode_steps(used.pairs, piece) for piece in PIECES.findall(passage)]
    with stage:
        about = f"{document.digest[:16]}_{used.where}_{first}"
        total = len(steps) + 1
        reached = LESSON.ask_in_turn(total, partial(question_of, used.pairs, steps, first, about))
        frames = [frame_of(used, steps, first, place, cut) for place in range(reached)]
        LESSON.steps(frames, total, start=2)
    if reached < total:
        return
    if used is not own and used.where:
        show_elsewhere(own, used)
    if box := LESSON.fold("lengths"):
        with box:
            show_saved(own, used, first)
    if box := LESSON.fold("new_word"):
        with box:
            show_word(used.pairs)
    LESSON.every_number(WORDS.label("table.merges"), merges_table, used.pairs, used.N, used.made)


def question_of(
    pairs: BytePairs, steps: Sequence[MergeStep], first: int, about: str, place: int
) -> Question | None:
    """Return the question before a step: which pair is merged, among rarer ones; nothing about later steps."""
    if not 0 < place <= ASKED:
        return None
    best, *others = steps[place - 1].rivals
    rarer = [pair for pair, count in others if count < best[1]][:3]
    if not rarer:
        return None
    answer, *wrong = (named(pairs, *pair) for pair in (best[0], *rarer))
    asked = WORDS.label("which_pair", k=first + place)
    return Question(asked, sorted({answer, *wrong}), answer, f"{about}_{place}")


def frame_of(
    used: Learned, steps: Sequence[MergeStep], first: int, place: int, cut: Sequence[Sequence[EncodeStep]]
) -> dict:
    """Return a step as it is shown: the passage before the merges at place 0, after one more merge at each next."""
    number, pairs = first + place, used.pairs
    step = steps[place - 1] if place else None
    counted = WORDS.label("counted", where=used.where)
    drawn = merging_picture(pairs, cut, number, step, counted)
    values = {"k": number, "here": sum(map(len, drawn["words"])), "N": int(used.N[number]), "V": 256 + number}
    size = WORDS.label("says.size", **values)
    title = WORDS.label("title.step", k=number)
    if step is None:
        return frame(WORDS.label("name.start", k=number), drawn, title, size)
    tied = len(step.rivals) > 1 and step.rivals[1][1] == step.count
    made = int(used.made[number - 1])
    token = named(pairs, 255 + number)
    values |= {"pair": named(pairs, *step.pair), "token": token, "count": step.count, "tied": tied}
    values |= {"where": used.where, "made": made}
    name = WORDS.label("name.merge", k=number, token=token)
    notes = [WORDS.label("says.made", **values)]
    formulas = merge_formulas(pairs, number - 1, step, int(used.N[number - 1]), made)
    return frame(name, drawn, title, WORDS.label("says.merge", **values), notes, formulas)


def show_elsewhere(own: Learned, used: Learned) -> None:
    """Set the tokens per word of merges learned elsewhere beside those of the learner's own."""
    LESSON.compare("elsewhere", own.per_word, used.per_word, ".2f", more_is_better=False)
    more = round(100 * (used.N[-1] / own.N[-1] - 1))
    unused = int((used.made == 0).sum())
    values = {"V": len(used.pairs), "where": used.where, "N": int(used.N[-1]), "own": int(own.N[-1])}
    values |= {"more": more, "unused": unused, "merges": len(used.made), "n": len(used.text)}
    st.markdown(WORDS.markdown("says.elsewhere", **values))


def show_saved(own: Learned, used: Learned, first: int) -> None:
    """Draw the tokens of the text by the vocabulary's size, and say what the first and the last merges save."""
    curves = {"own": own.N} | ({"other": used.N} if used.where else {})
    merges = len(own.pairs.merges)
    half = merges // 2
    values = {"bytes": int(own.N[0]), "merges": merges, "N": int(own.N[-1]), "per_word": own.per_word}
    values |= {"half": half, "early": int(own.N[0] - own.N[half]), "rest": merges - half}
    values |= {"late": int(own.N[half] - own.N[-1]), "ended": merges < MERGES and not used.where}
    figure = tokens_figure(curves, own.pieces, min(first, merges) or None, where=used.where)
    LESSON.figure("saved", figure, WORDS.label("saved.alt", **values))
    LESSON.say("says.saved", values)


def show_word(pairs: BytePairs) -> None:
    """Encode a word of the learner's, merge by merge."""
    typed = LESSON.draw(WORD, width=300).strip() or NEW_WORD
    first, *others = PIECES.findall(f" {typed}")
    steps = encode_steps(pairs, first)
    if others:
        st.caption(WORDS.markdown("first_piece", piece=plain(label_token(first))))
    rows = {WORDS.label("row.step", k=place): tokens_of(pairs, step.ids) for place, step in enumerate(steps)}
    whys = {name: why_made(pairs, step) for name, step in zip(rows, steps, strict=True)}
    parts = [plain(label_token(name)) for name in pairs.names(steps[-1].ids)]
    LESSON.say("says.word", {"piece": plain(label_token(first)), "bytes": len(steps[0].ids), "parts": parts})
    LESSON.view("token_rows", token_rows(rows, whys), "encoding")
