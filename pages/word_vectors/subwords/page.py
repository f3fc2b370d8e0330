"""fastText: what the story shows of the stored vectors, and the lab on any word and the learner's own text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import streamlit as st

from core.figures.layer_bars import join_panels
from core.lesson.cached import cached
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import is_first_sample, reading, sample_in_use, text_source
from core.models.word_vectors.co_occurrence import mean_cosine
from core.models.word_vectors.fasttext import (
    FastText,
    Subwords,
    bucket,
    character_ngrams,
    fnv_hash,
    ngram_contributions,
)
from core.models.word_vectors.fit_subwords import WithAndWithout, fit_subwords, stored_subwords
from core.models.word_vectors.unseen_words import (
    Unseen,
    by_chance,
    found_again,
    misspellings,
    misspelt,
    sharing,
    together,
    unseen,
)
from core.models.word_vectors.word_vectors import Neighbour
from core.text.reading.documents import Document
from core.text.tokenization.tokens import words
from core.words.numbers import signed
from pages.word_vectors.shared.training_bar import watch_training
from pages.word_vectors.subwords import EXAMPLE, LESSON, STORED
from pages.word_vectors.subwords.figures import (
    KNOWN,
    UNSEEN,
    WRONG,
    draw_bars,
    draw_side,
    draw_vector,
    draw_word,
    misspelt_table,
    parts_table,
    sharing_figure,
    sharing_table,
)

WORDS = LESSON.words
KITTEN = "kitten"  # the known word that the story's unseen one comes from
SHOWN_VECTORS = ("chick", "puppy")  # other known words whose vectors the first beat draws
SHOWN_GRAMS = (
    "<kit",
    "itte",
    "kitten",
    "ens>",
)  # n-grams whose vectors are drawn; the others are drawn as their mean
MISLED, MISLED_BY = "unclean", "uncle"
CHOICES = ("sweet", MISLED_BY, "mud", "fresh")
FIVE = 5  # neighbours in a list of the story
LENGTHS_SHOWN = (5, 6, 7)  # letters; longer words share a bar
SIZES_SHOWN = (1000, 10_000, 100_000, 2_000_000)  # of the last beats, 2 million are the authors' own choice
ANSWERS = (EXAMPLE, "grandmothers", "stepdaughter", "strawberryjam", MISLED)

LONGEST = 30  # letters of a word that is looked at
NEIGHBOURS, SHOWN = 7, 6
READ, MOST_EPOCHS = 600_000, 200  # tokens that a training reads at first, over all its epochs
ALL_ALIKE = 0.9  # the mean cosine of two words from which on little has been learned
LENGTHS = {"2_4": (2, 4), "3_4": (3, 4), "3_6": (3, 6), "4_6": (4, 6)}
NOTEBOOK = (
    "dimension",
    "window",
    "negatives",
    "epochs",
    "learning_rate",
    "min_count",
    "seed",
    "least",
    "most",
    "buckets",
)
BUCKETS = (100, 1000, 10_000, 50_000)
SIZES = (10, 100, 1000, 10_000, 100_000, 2_000_000)
EXAMPLES = ("goddess", "prinsess")

WORD = Text("word", EXAMPLE, LONGEST)
OWN_WORD = Text("word", EXAMPLES[0], 14)
NO_NGRAMS = Switch("no_ngrams")
GRAMS = Choice(
    "lengths",
    "3_6",
    tuple(LENGTHS),
    {"2 to 4": "2_4", "3 to 4": "3_4", "3 to 6": "3_6", "4 to 6": "4_6"},
)
LAB = (WORD, NO_NGRAMS)


# The story: what each beat shows.


@cache
def stored() -> WithAndWithout:
    """Return the vectors of the micro-world, trained already."""
    return stored_subwords(STORED)


@cache
def measured_stored() -> Unseen:
    """Return what is measured of the stored vectors."""
    return unseen(stored().fasttext, stored().vectors)


@cache
def known_grams() -> frozenset[str]:
    """Return all n-grams of the words that have vectors."""
    return frozenset(measured_stored().grams)


def show_table(settings: Settings) -> Part:
    """The vectors of three known words by word2vec, and a row without one."""
    both = stored()
    vectors, counts = both.skipgram, dict(zip(*vocabulary_of(both), strict=True))
    rows = [
        draw_vector(f"row.{each}", each, vectors[each], WORDS.label("seen", n=counts[each]))
        for each in (KITTEN, *SHOWN_VECTORS)
    ]
    missing = draw_vector("row.missing", settings.word, np.array([]), WORDS.label("seen", n=0), UNSEEN)
    rows.append({**missing, "text": WORDS.label("no_vector")})
    values = {"V": len(vectors), "d": vectors.vectors.shape[1], "known": KITTEN}
    return Part("vector_rows", {"rows": rows, "sum": WORDS.label("table.others", n=len(vectors) - 3)}, values)


def show_grams(settings: Settings) -> Part:
    """All n-grams of the word that was never seen."""
    model = stored().fasttext
    names, _ = model.parts(settings.word)
    values = {"n": len(names), "least": model.least, "most": model.most}
    return Part("word_pieces", draw_word(settings.word, names, note=WORDS.label("edges")), values)


def show_mean(settings: Settings) -> Part:
    """The vectors of a few n-grams, the mean of the others, and the mean of them all above the known word's vector."""
    model = stored().fasttext
    names, z = model.parts(settings.word)
    rest = [i for i, name in enumerate(names) if name not in SHOWN_GRAMS]
    rows = [draw_vector(f"gram.{each}", each, z[names.index(each)], hue=UNSEEN) for each in SHOWN_GRAMS]
    rows.append(draw_vector("rest", WORDS.label("mean.rest", n=len(rest)), z[rest].mean(axis=0), hue=UNSEEN))
    total = WORDS.label("mean.all", n=len(names))
    rows.append(draw_vector("mean", settings.word, z.mean(axis=0), total, UNSEEN, "total"))
    cosine = float(ngram_contributions(model, settings.word, KITTEN).sum())
    text = WORDS.label("mean.cosine", cosine=signed(cosine))
    rows.append(draw_vector("known", KITTEN, model.vector(KITTEN), WORDS.label("mean.known"), text=text))
    values = {"n": len(names), "cosine": cosine, "known": KITTEN}
    return Part("vector_rows", {"rows": rows, "sum": ""}, values)


def show_near(settings: Settings) -> Part:
    """The nearest words of the unseen word and of the known one that it comes from."""
    both = stored()
    lists = [both.near(each, FIVE) for each in (settings.word, KITTEN)]
    panels = [
        draw_bars(WORDS.label("near.title", word=each, seen=each != settings.word), bars_of(near, place))
        for place, (each, near) in enumerate(zip((settings.word, KITTEN), lists, strict=True))
    ]
    others = [each for each in lists[0] if each.word != KITTEN]
    values = {
        "first": others[0].word,
        "cosine": others[0].similarity,
        "others": [each.word for each in others[1:]],
    }
    return Part("layer_bars", join_panels(*panels), {**values, "known": KITTEN})


def show_carried(settings: Settings) -> Part:
    """What each n-gram adds to the cosine with the known word."""
    model = stored().fasttext
    names, _ = model.parts(settings.word)
    shares, own = ngram_contributions(model, settings.word, KITTEN), set(character_ngrams(KITTEN))
    common = [name in own for name in names]
    data = draw_word(
        settings.word,
        names,
        shares=shares,
        known=known_grams(),
        of_other=own,
        valued=True,
        key=("shared", "elsewhere", "new"),
        sum_=WORDS.label("carried.sum", cosine=shares.sum(), known=KITTEN),
    )
    values = {
        "cosine": float(shares.sum()),
        "common": sum(common),
        "carried": float(shares[common].sum()),
        "known": KITTEN,
        "new": sum(name not in known_grams() for name in names),
    }
    return Part("word_pieces", data, values)


def ask_misled(settings: Settings) -> Part:
    """The n-grams of a word that was never seen; the answer shows its nearest words."""
    both = stored()
    model = both.fasttext
    names, _ = model.parts(settings.word)
    near = both.near(settings.word, FIVE)
    key, sides, shares, own = ("learned", "new"), [], None, frozenset()
    if settings.revealed:
        shares, own = (
            ngram_contributions(model, settings.word, near[0].word),
            frozenset(character_ngrams(near[0].word)),
        )
        key = ("shared", "elsewhere", "new")
        sides = [draw_side(WORDS.label("side.near"), near, hue=WRONG)]
    data = draw_word(
        *(settings.word, names),
        shares=shares,
        known=known_grams(),
        of_other=own,
        other=WRONG,
        sides=sides,
        key=key,
    )
    values = {
        "n": len(names),
        "learned": sum(name in known_grams() for name in names),
        "common": sum(name in character_ngrams(near[0].word) for name in names),
        "nearest": near[0].word,
        "cosine": near[0].similarity,
        "others": [each.word for each in near[1:4]],
        "revealed": settings.revealed,
    }
    return Part("word_pieces", data, values, choices=CHOICES, answer=MISLED_BY)


def show_own(settings: Settings) -> Part:
    """The learner's own word: its n-grams, and the nearest words with n-grams or without."""
    both = stored()
    found = words(settings.word)
    typed = found[0] if found else EXAMPLES[0]
    picture, near, names = pieces_of(both, typed, settings.no_ngrams, known_grams(), FIVE)
    grams = character_ngrams(typed, both.fasttext.least, both.fasttext.most)
    values = {
        "typed": typed,
        "given": bool(found),
        "more": len(found) > 1,
        "n": len(grams),
        "learned": sum(gram in known_grams() for gram in grams),
        "seen": typed in both.skipgram.index,
        "nearest": near[0].word if near else "",
        "cosine": near[0].similarity if near else 0.0,
        "has": bool(names),
    }
    return Part("word_pieces", picture, values)


def show_misspelt(settings: Settings) -> Part:
    """How many words without their middle letter are found again: of all, and by their length."""
    some = measured_stored().misspelt
    found = sum(each.meant == each.nearest for each in some)
    rows = []
    for place, letters in enumerate((*LENGTHS_SHOWN, LENGTHS_SHOWN[-1] + 1)):
        last = place == len(LENGTHS_SHOWN)
        mine = [each for each in some if len(each.meant) == letters or (last and len(each.meant) > letters)]
        share = found_again(mine)
        name = WORDS.label("misspelt.longer" if last else "misspelt.letters", n=letters)
        note = WORDS.label("misspelt.words", n=len(mine))
        rows.append(
            {"name": name, "mark": f"letters.{letters}", "to": share, "text": f"{share:.0%}", "note": note}
        )
    total = found / len(some)
    both = [
        {
            "name": WORDS.label("fasttext"),
            "mark": "fasttext",
            "to": total,
            "text": f"{total:.0%}",
            "kind": "best",
        },
        {"name": WORDS.label("word2vec"), "mark": "word2vec", "to": 0.0, "text": f"{0:.0%}", "hue": "grey"},
    ]
    for each in both:
        each["note"] = WORDS.label("misspelt.words", n=len(some))
    panels = [
        draw_bars(WORDS.label("misspelt.title"), both),
        draw_bars(WORDS.label("misspelt.by_length"), rows),
    ]
    example = next(each for each in some if each.meant == settings.example)
    values = {
        "n": len(some),
        "V": len(stored().vectors),
        "found": found,
        "share": total,
        "written": example.written,
        "meant": example.meant,
        "shortest": rows[0]["to"],
        "longest": rows[-1]["to"],
    }
    return Part("layer_bars", join_panels(*panels), values)


def show_buckets(settings: Settings) -> Part:
    """The share of n-grams that share a bucket, by the number of buckets."""
    model, found = stored().fasttext, measured_stored()
    shares = {size: found.sharing(size) for size in SIZES_SHOWN}
    rows = [
        {
            "name": WORDS.label("buckets.row", B=size),
            "mark": f"buckets.{size}",
            "to": share,
            "text": WORDS.label("buckets.share", share=share),
            "kind": "best" if size == model.buckets else "plain",
            "note": WORDS.label(f"buckets.{note}") if (note := note_of(size, model.buckets)) else "",
        }
        for size, share in shares.items()
    ]
    gram = settings.gram
    values = {
        "n": len(found.grams),
        "B": model.buckets,
        "share": shares[model.buckets],
        "most": SIZES_SHOWN[-1],
        "least_share": shares[SIZES_SHOWN[-1]],
        "gram": gram,
        "with": together(gram, found.grams, found.hashes, model.buckets)[0],
        "bucket": bucket(gram, model.buckets),
        "V": len(stored().vectors),
    }
    panel = draw_bars(WORDS.label("buckets.title", n=len(found.grams)), rows)
    same = WORDS.label("buckets.same", gram=gram, other=values["with"], bucket=values["bucket"])
    return Part("layer_bars", join_panels(panel, sum_=same), values)


def note_of(size: int, buckets: int) -> str:
    """Return whose number of buckets it is, the key of a label; "" where nobody's.

    >>> note_of(10_000, 10_000), note_of(10, 10_000)
    ('ours', '')
    """
    return {buckets: "ours", SIZES_SHOWN[-1]: "authors"}.get(size, "")


def show_answer(settings: Settings) -> Part:
    """Words that were never seen, each with its nearest known word."""
    both = stored()
    near = {each: both.near(each, 1)[0] for each in ANSWERS}
    rows = [
        {
            "name": each,
            "mark": f"row.{each}",
            "to": found.similarity,
            "text": signed(found.similarity),
            "note": WORDS.label("answer.near", word=found.word),
            "hue": WRONG if each == MISLED else KNOWN,
        }
        for each, found in near.items()
    ]
    values = {"n": len(rows), "misled": MISLED, "nearest": near[MISLED].word}
    return Part("layer_bars", join_panels(draw_bars(WORDS.label("answer.title"), rows)), values)


STORY = (
    look("table", show_table, word=EXAMPLE),
    look("grams", show_grams, word=EXAMPLE),
    look("mean", show_mean, word=EXAMPLE),
    look("near", show_near, word=EXAMPLE),
    look("carried", show_carried, word=EXAMPLE),
    ask("misled", ask_misled, word=MISLED),
    do("own", show_own, OWN_WORD, NO_NGRAMS, word=EXAMPLES[0]),
    look("misspelt", show_misspelt, example="country"),
    look("shared", show_buckets, gram="tte"),
    end("answer", show_answer),
)


def vocabulary_of(both: WithAndWithout) -> tuple[Sequence[str], Sequence[int]]:
    """Return the known words and how often training has seen each."""
    return both.fasttext.vocabulary_.types, both.fasttext.vocabulary_.counts


def bars_of(near: Sequence[Neighbour], panel: int) -> list[dict]:
    """Return the rows of nearest words for the view "layer_bars"."""
    return [
        {
            "name": each.word,
            "mark": f"near.{panel}.{each.word}",
            "to": max(0.0, float(each.similarity)),
            "text": signed(each.similarity),
            "kind": "plain" if place else "best",
        }
        for place, each in enumerate(near)
    ]


def pieces_of(
    both: WithAndWithout, typed: str, broken: bool, grams: frozenset[str], k: int, valued: bool = False
) -> tuple[dict, list[Neighbour], list[str]]:
    """Return the picture of a word, its k nearest words, and the parts of its vector: none where `broken`."""
    seen = typed in both.skipgram.index
    without = both.skipgram.neighbours(typed, k) if seen else []
    names = [] if broken else both.fasttext.parts(typed)[0]
    near = both.near(typed, k) if names else []
    shares, of_other, key = None, frozenset(), ()
    if names:
        shares = ngram_contributions(both.fasttext, typed, near[0].word)
        of_other = frozenset(character_ngrams(near[0].word, both.fasttext.least, both.fasttext.most))
        key = ("shared", "elsewhere", "new")
    sides = [
        draw_side(WORDS.label("side.fasttext"), near, WORDS.label("no_vector")),
        draw_side(WORDS.label("side.word2vec"), without, WORDS.label("no_vector"), "sky"),
    ]
    shown = sides[1:] if broken else sides if valued else sides[:1]
    sum_ = WORDS.label("carried.sum", cosine=shares.sum(), known=near[0].word) if names and valued else ""
    picture = draw_word(
        *(typed, names, seen, shares, grams, of_other),
        valued=valued and bool(names),
        sides=shown,
        key=key,
        sum_=sum_,
    )
    return picture, without if broken else near, names


# The lab: any word, and vectors trained on the learner's text.


def lab() -> None:
    """A word's pieces and neighbours with and without n-grams; misspelt words; buckets; own training."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        typed = LESSON.text("word", WORDS.label("word"), EXAMPLE, max_chars=LONGEST, live=True, width=180)
        broken = LESSON.draw(NO_NGRAMS)
        LESSON.options()
    remarks = stage.container()
    with stage:
        bench = LESSON.bench()
        both = bench.result or stored()
        word = read_word(typed, remarks)
        say_source(document, bench.settings, both, remarks)
        show_word(both, word, broken, bench.number)
        if broken:
            show_broken(both, bench.number)
    if box := LESSON.fold("misspelt"):
        with box:
            show_all_misspelt(both, bench.number)
    if box := LESSON.fold("sharing"):
        with box:
            show_sharing(both, word, bench.number)
    if box := LESSON.fold("own_text"):
        with box:
            model = choose_settings(reading(document).token_count)
            LESSON.train(fit_subwords, (document.text, model), document.name, watch_training)
    LESSON.close_lab(
        code=[
            *(character_ngrams, fnv_hash, bucket, Subwords.of),
            *(FastText.hidden, FastText.move, FastText.vector, ngram_contributions),
            *(misspelt, misspellings, found_again, sharing, by_chance, fit_subwords),
        ],
        parameters={
            "word": word,
            "train": bench.result is not None,
            "sample": sample_in_use(),
            **parameters_of(both.fasttext),
        },
        prompts={
            "known": {"word": KITTEN},
            "plural": {"word": ANSWERS[1]},
            "nothing": {"word": "blorptik"},
            "broken": {"no_ngrams": True, "word": EXAMPLES[1]},
        },
    )


def parameters_of(model: FastText) -> dict[str, object]:
    """Return the settings of a model as the notebook has them."""
    return {name: getattr(model, name) for name in NOTEBOOK}


@cached(0, 2)
def measured(number: int, _both: WithAndWithout) -> Unseen:
    """Return what is measured of the vectors that were trained as this session's `number`-th, 0 for the stored ones."""
    return unseen(_both.fasttext, _both.vectors)


def read_word(typed: str, remarks) -> str:
    """Return the word that was typed, in lower case; the example where none was, and a remark where there were more."""
    found = words(typed)
    if not found:
        remarks.info(WORDS.markdown("remark.none", example=EXAMPLE))
        return EXAMPLE
    if len(found) > 1:
        remarks.info(WORDS.markdown("remark.more", first=found[0]))
    return found[0]


def say_source(document: Document, trained_on: str | None, both: WithAndWithout, remarks) -> None:
    """Say which text the vectors come from."""
    V = len(both.vectors)
    if trained_on:
        remarks.caption(WORDS.markdown("source.trained", V=V, name=trained_on))
        if (cosine := mean_cosine(both.vectors)) > ALL_ALIKE:
            remarks.info(WORDS.markdown("source.same", cosine=cosine))
    elif not is_first_sample(document):
        known = sum(each in both.vectors.index for each, _ in reading(document).types)
        remarks.caption(WORDS.markdown("source.stored", known=known, types=reading(document).type_count))


def ask_near(word: str, near: Sequence[Neighbour], about: str) -> bool:
    """Ask which known word is nearest to a word's vector; return whether the answer may be shown."""
    others = [each.word for each in near if each.similarity < near[0].similarity - 1e-6][:3] if near else []
    if not others:
        return True
    choices = sorted([near[0].word, *others])
    return LESSON.ask(WORDS.label("question", word=word), choices, near[0].word, about)


def show_word(both: WithAndWithout, word: str, broken: bool, number: int) -> None:
    """Draw a word's pieces and its neighbours with n-grams and without, and register the table of its pieces."""
    grams = frozenset(measured(number, both).grams)
    picture, near, names = pieces_of(both, word, broken, grams, NEIGHBOURS, valued=True)
    if not ask_near(word, near, f"{number}_{word}_{broken}"):
        return
    seen = word in both.skipgram.index
    LESSON.view("word_pieces", picture, "near")
    learned = sum(gram in grams for gram in names)
    values = {
        "word": word,
        "seen": seen,
        "nearest": near[0].word if near else "",
        "cosine": near[0].similarity if near else 0.0,
        "broken": broken,
        "n": len(names) - (seen and not broken),
        "new": sum(gram not in grams for gram in names[seen:]),
        "learned": learned,
    }
    LESSON.say("says.near", values)
    if names:
        shares = ngram_contributions(both.fasttext, word, near[0].word)
        most = int(np.argmax(shares))
        own = seen and not most
        most_said = {"part": names[most], "own": own, "share": float(shares[most]), "parts": len(names)}
        st.markdown(WORDS.markdown("says.most", **values, **most_said))
        LESSON.every_number(
            WORDS.label("table.parts"), parts_table, both.fasttext, word, near[0].word, shares
        )


def show_broken(both: WithAndWithout, number: int) -> None:
    """Compare the misspelt words that are found again with none."""
    share = measured(number, both).again
    LESSON.compare("no_ngrams", share, 0.0, ".0%")
    st.info(WORDS.markdown("says.broken", share=share))


def show_all_misspelt(both: WithAndWithout, number: int) -> None:
    """Say how many words are found again from a misspelling, with the first of them."""
    some = measured(number, both).misspelt
    if not some:
        st.info(WORDS.markdown("misspelt.none"))
        return
    found = sum(each.meant == each.nearest for each in some)
    LESSON.say("says.misspelt", {"found": found, "n": len(some), "share": found / len(some)})
    LESSON.table("misspelt_words", misspelt_table(some[:SHOWN]), WORDS.label("misspelt_words.alt"))
    LESSON.every_number(WORDS.label("table.misspelt"), misspelt_table, some)


def show_sharing(both: WithAndWithout, word: str, number: int) -> None:
    """Draw how many n-grams share a bucket, by the number of buckets, and name what shares one in this word."""
    model, found = both.fasttext, measured(number, both)
    n, B = len(found.grams), model.buckets
    shares = [found.sharing(size) for size in SIZES]
    values = {"n": n, "B": B, "share": found.sharing(B)}
    LESSON.figure("sharing_figure", sharing_figure(SIZES, shares, n, B), WORDS.label("sharing.alt", **values))
    LESSON.say("says.sharing", values)
    pairs = (
        (gram, together(gram, found.grams, found.hashes, B))
        for gram in character_ngrams(word, model.least, model.most)
    )
    if pair := next((pair for pair in pairs if pair[1]), None):
        st.markdown(WORDS.markdown("says.together", gram=pair[0], word=word, others=pair[1][:3]))
    LESSON.every_number(WORDS.label("table.sharing"), sharing_table, SIZES, shares, n)


def choose_settings(tokens: int) -> FastText:
    """Draw the settings of fastText and return a model with them, not yet fitted; a short text is read more often."""
    often = int(np.clip(READ // max(1, tokens), 5, MOST_EPOCHS))
    strip, _ = LESSON.stage("training")

    def slider(name: str, least: int, most: int, first: int, **options) -> int:
        return LESSON.slider(name, WORDS.label(name), least, most, first, **options)

    with strip:
        least, most = LENGTHS[LESSON.draw(GRAMS)]
        buckets = LESSON.select_slider("buckets", WORDS.label("buckets"), BUCKETS, value=10_000, width=160)
        epochs = slider("epochs", 1, MOST_EPOCHS, often, width=140)
        dimension = slider("dimension", 2, 100, 32, width=140)
        with LESSON.options("training_options"):
            width = slider("window", 1, 10, 4)
            negatives = slider("negatives", 1, 20, 5)
            rate = LESSON.number("rate", WORDS.label("rate"), 0.001, 0.5, 0.05, format="%.3f")
            count = slider("min", 1, 20, 1)
            seed = LESSON.number("seed", WORDS.label("seed"), 0, 10_000, 1)
    return FastText(
        *(dimension, width, negatives, epochs, rate, 1e-3, count, seed),
        least=least,
        most=most,
        buckets=buckets,
    )
