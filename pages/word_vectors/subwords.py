"""Subwords: a word's vector from its n-grams, for words never seen, beside word2vec; trained on the learner's text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.subwords import (
    beside_figure,
    carried_frames,
    misspelt_table,
    parts_table,
    sharing_figure,
    sharing_table,
)
from core.figures.worked import percent, signed
from core.lesson.break_it import consequence
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import is_first_sample, notebook_text, reading, text_source
from core.models.word_vectors.co_occurrence import mean_cosine
from core.models.word_vectors.fasttext import FastText, Subwords, bucket, carried, fnv_hash, ngrams
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
from pages.word_vectors.shared.training_bar import watch_training

LESSON = Lesson(
    __name__,
    title="Subwords (fastText)",
    question="What does a word mean that nobody has seen before?",
    icon="whole-word",
)
STORED = "subwords"
EXAMPLE = "prinsess"
LONGEST = 30  # letters of a word that is looked at
NEIGHBOURS, SHOWN = 7, 6
READ, MOST_EPOCHS = 600_000, 200  # tokens that a training reads at first, over all its epochs
ALL_ALIKE = 0.9  # the mean cosine of two words from which on little has been learnt
LENGTHS = {"2 to 4": (2, 4), "3 to 4": (3, 4), "3 to 6": (3, 6), "4 to 6": (4, 6)}
BUCKETS = (100, 1000, 10_000, 50_000)
SIZES = (10, 100, 1000, 10_000, 100_000, 2_000_000)  # the last is the authors' own choice


def picture() -> Figure:
    """What a misspelt word is nearest to."""
    near = stored().near(EXAMPLE, 4)
    return small(beside_figure([("", near, "")])).update_yaxes(showticklabels=True)


def page() -> None:
    """A word's neighbours with and without n-grams; what carries them; misspelt words; buckets; own training."""
    LESSON.open(
        r"v_w = \frac{1}{|G_w|} \sum_{g \in G_w} z_g \qquad s(w, c) = v_w \cdot u_c \qquad "
        r"\cos(w, o) = \sum_{g \in G_w} \frac{z_g \cdot v_o}{|G_w|\,|v_w|\,|v_o|}",
        "$G_w$: the word $w$ itself, if it was seen, and the n-grams of <$w$>; $v_o$: the vector of "
        "another word $o$; $z_g$: the vector of one of them; $u_c$: the "
        "output vector of a context word. The paper takes the sum, the authors' program the mean, with the same cosines. "
        "All else is skip-gram with negative sampling, as in “Train word vectors”.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        typed = LESSON.text("word", "Any word", EXAMPLE, max_chars=LONGEST, live=True, width=180)
        broken = LESSON.break_it(
            "no_ngrams", "Break it: no n-grams", "What is left is word2vec: one vector a word."
        )
    remarks = stage.container()
    with stage:
        bench = LESSON.bench()
        both = bench.result or stored()
        word = read_word(typed, remarks)
        tell_source(document, bench.settings, both, remarks)
        revealed = show_neighbours(both, word, broken, bench.number)
        if broken:
            show_broken(both, bench.number)
    if revealed:
        st.header("Which n-grams carry the vector?", anchor=False)
        show_parts(both, word, broken, bench.number)
    st.header("Misspelt on purpose", anchor=False)
    show_misspelt(both, bench.number)
    st.header("More n-grams than buckets", anchor=False)
    show_buckets(both, word, bench.number)
    st.header("Train them on your own text", anchor=False)
    model = settings(reading(document).token_count)
    LESSON.train(fit_subwords, (document.text, model), document.name, watch_training)
    trained = bench.result is not None
    LESSON.closing(
        code=[
            *(
                ngrams,
                fnv_hash,
                bucket,
                Subwords.of,
                FastText.hidden,
                FastText.move,
                FastText.vector,
                carried,
            ),
            *(misspelt, misspellings, found_again, sharing, by_chance, fit_subwords),
        ],
        notebook=[
            f"{notebook_text()}\nfrom core.models.word_vectors.fasttext import FastText\n"
            "from core.models.word_vectors.fit_subwords import fit_subwords\n\n"
            f"both = fit_subwords(lambda progress: None, text, {both.fasttext!r})"
            if trained
            else "from core.models.word_vectors.fit_subwords import stored_subwords\n\n"
            f"both = stored_subwords({STORED!r})",
            f"word = {word!r}\nprint(both.fasttext.parts(word)[0], word in both.skipgram.words)",
            f"near = both.near(word, {NEIGHBOURS})\nnear",
        ],
        plot=(
            "from core.figures.word_vectors.subwords import beside_figure\n\n"
            'draw(beside_figure([("with n-grams", near, "")]))'
        ),
        try_this=[
            ("A word that is known: do both know the same neighbours?", {"word": "princess"}),
            ("Grandmothers, a plural that the micro-world lacks: who carries it?", {"word": "grandmothers"}),
            (
                "A word of no language: does it have neighbours, and do they mean anything?",
                {"word": "blorptik"},
            ),
            ("No n-grams: what is left of a misspelt word?", {"no_ngrams": True, "word": EXAMPLE}),
        ],
        sources=[
            "Piotr Bojanowski, Edouard Grave, Armand Joulin and Tomas Mikolov (2017), Enriching Word Vectors with Subword "
            "Information.",
            "Tomas Mikolov et al. (2013), Distributed Representations of Words and Phrases and their Compositionality.",
            "Glenn Fowler, Landon Curt Noll and Phong Vo: the hash FNV-1a.",
        ],
    )


@lru_cache(maxsize=1)
def stored() -> WithAndWithout:
    """Return the vectors of the micro-world, trained already."""
    return stored_subwords(STORED)


@st.cache_resource(scope="session", max_entries=2, show_spinner="Misspelling the words")
def measured(number: int, _both: WithAndWithout) -> Unseen:
    """Return what is measured of the vectors that were trained as this session's `number`-th, 0 for the stored ones."""
    return unseen(_both.fasttext, _both.vectors)


def read_word(typed: str, remarks) -> str:
    """Return the word that was typed, in lower case; the example where none was, and a remark where there were more."""
    found = words(typed)
    if not found:
        remarks.info(f"Type a word. Until then you see “{EXAMPLE}”.")
        return EXAMPLE
    if len(found) > 1:
        remarks.info(plain(f"This is more than one word: you see the first, “{found[0]}”."))
    return found[0]


def tell_source(document: Document, trained_on: str | None, both: WithAndWithout, remarks) -> None:
    """Say which text the vectors come from."""
    V = len(both.vectors)
    LESSON.set_values(V=f"{V:,}", least=both.fasttext.least, most=both.fasttext.most)
    if trained_on:
        remarks.caption(plain(f"Vectors of {V:,} words, trained by you on {trained_on}."))
        if (cosine := mean_cosine(both.vectors)) > ALL_ALIKE:
            remarks.info(
                f"Two words have cosine {signed(cosine)} on average: all vectors still point much the same way. Train "
                "longer, at a higher learning rate, or on a longer text."
            )
    elif not is_first_sample(document):
        known = [each for each, _ in reading(document).types if each in both.vectors.index]
        remarks.caption(
            f"These vectors were learnt from the micro-world, which has {len(known):,} of the "
            f"{reading(document).type_count:,} types of your text. Press Train below to learn them from yours."
        )


def ask_near(word: str, near: Sequence[Neighbour], about: str) -> bool:
    """Ask which known word is nearest to a word's vector; return whether the answer may be shown."""
    others = [each.word for each in near if each.similarity < near[0].similarity - 1e-6][:3] if near else []
    if not others:
        return True
    choices = sorted([near[0].word, *others])
    return LESSON.ask(f"Which known word is nearest to “{word}”?", choices, near[0].word, about)


def show_neighbours(both: WithAndWithout, word: str, broken: bool, number: int) -> bool:
    """Draw a word's neighbours with n-grams and without; return whether they may be shown."""
    seen = word in both.skipgram.index
    without = both.skipgram.neighbours(word, NEIGHBOURS) if seen else []
    names = both.fasttext.parts(word)[0]
    near = without if broken else both.near(word, NEIGHBOURS) if names else []
    LESSON.set_values(
        word=word, n=len(ngrams(word, both.fasttext.least, both.fasttext.most)), nearest="?", cosine="?"
    )
    LESSON.set_values(without="word2vec knows it too" if seen else "word2vec has no vector for it")
    LESSON.set_values(first=", ".join(names[:4]), parts="More is said after the guess.")
    if not ask_near(word, near, f"{number}_{word}_{broken}"):
        return False
    sides = [
        ("no n-grams" if broken else "fastText", near, "no vector"),
        ("word2vec", without, "no vector"),
    ]
    alt = f"The words nearest to {word} with n-grams and without"
    LESSON.figure("near", beside_figure(sides), alt)
    LESSON.caption(said_of(word, near, seen, broken))
    if near:
        LESSON.set_values(nearest=near[0].word, cosine=signed(near[0].similarity))
    return True


def said_of(word: str, near: Sequence[Neighbour], seen: bool, broken: bool) -> str:
    """Say what a word's vector is nearest to, and whether word2vec has one."""
    shown = f"“{plain(word)}”"
    if not near:
        why = "no vector without n-grams" if broken else "no n-gram of such a length, and so no vector"
        return f"{shown} was never seen, and has {why}."
    nearest = f"nearest to “{plain(near[0].word)}”, cosine {signed(near[0].similarity)}"
    return (
        f"{shown} is {nearest}."
        if seen
        else f"{shown} was never seen, and is {nearest}; word2vec has no vector for it."
    )


def show_broken(both: WithAndWithout, number: int) -> None:
    """Set the misspelt words that are found again beside none."""
    share = measured(number, both).again
    consequence("Misspelt words found again", share, 0.0, ".0%")
    if not share:
        st.info("With these vectors no misspelt word was found again, so the break takes nothing here.")
    else:
        st.info(
            "Without n-grams a word that was never seen is nothing but a gap: there is no vector to compare."
        )


def show_parts(both: WithAndWithout, word: str, broken: bool, number: int) -> None:
    """Step through a word's parts, with what each adds to the cosine with the nearest word."""
    names, _ = both.fasttext.parts(word)
    if broken or not names:
        st.info(
            "Without n-grams there are no parts to look at."
            if broken
            else "This word has no n-gram of such a length."
        )
        return
    nearest = both.near(word, 1)[0].word
    shares = carried(both.fasttext, word, nearest)
    own = word in both.fasttext.vocabulary_
    known = set(measured(number, both).grams)
    LESSON.steps(carried_frames(names, shares, own, nearest, [name in known for name in names]))
    most = int(np.argmax(shares))
    what = "the word's own vector" if own and not most else f"“{names[most]}”"
    LESSON.set_values(
        parts=f"Of {len(names)} parts, {what} adds most to the cosine with “{nearest}”: {signed(shares[most], 3)}."
    )
    LESSON.every_number("parts of the word", parts_table, both.fasttext, word, nearest, shares)


def show_misspelt(both: WithAndWithout, number: int) -> None:
    """Say how many words are found again from a misspelling, with one of each kind."""
    found = measured(number, both)
    some = found.misspelt
    if not some:
        LESSON.set_values(again="No word of these vectors is long enough to be misspelt")
        st.info("No known word has five letters or more to misspell.")
        return
    one = len(some) == 1
    again = f"{sum(each.meant == each.nearest for each in some)} of {len(some)} misspelt {'word is' if one else 'words are'}"
    LESSON.set_values(again=f"{again} nearest to the word that was meant: {percent(found.again, 0)}")
    LESSON.caption(
        f"{again} nearest to the word that was meant, {percent(found.again, 0)}; with word2vec none has a vector."
    )
    st.markdown(
        "Each of the most frequent words of five letters or more has lost its middle letter. The first of them:"
    )
    LESSON.table(
        "misspelt", misspelt_table(some[:SHOWN]), "Misspelt words, and the known words nearest to them"
    )
    LESSON.every_number("misspelt words", misspelt_table, some)


def show_buckets(both: WithAndWithout, word: str, number: int) -> None:
    """Draw how many n-grams share a bucket, by the number of buckets, and name what shares one in this word."""
    model, found = both.fasttext, measured(number, both)
    n, B = len(found.grams), model.buckets
    shares, own = [found.sharing(size) for size in SIZES], percent(found.sharing(B), 0)
    LESSON.figure(
        "sharing", sharing_figure(SIZES, shares, n, B), f"The share of {n:,} n-grams that share their bucket"
    )
    LESSON.set_values(grams=f"{n:,}", B=f"{B:,}", share=own)
    LESSON.caption(f"{n:,} n-grams stand in {B:,} buckets: {own} share theirs with another.")
    for gram in ngrams(word, model.least, model.most):
        if others := together(gram, found.grams, found.hashes, B):
            listed = ", ".join(f"“{each}”" for each in others[:3])
            st.markdown(plain(f"“{gram}” of “{word}” has one vector with {listed}."))
            break
    LESSON.every_number("buckets", sharing_table, SIZES, shares, n)


def settings(tokens: int) -> FastText:
    """Draw the settings of fastText and return a model with them, not yet fitted; a short text is read more often."""
    often = int(np.clip(READ // max(1, tokens), 5, MOST_EPOCHS))
    strip, _ = LESSON.stage("training")
    with strip:
        lengths = LESSON.select("lengths", "Letters of an n-gram", list(LENGTHS), 2, width=150)
        buckets = LESSON.select_slider("buckets", "Buckets B", BUCKETS, value=10_000, width=160)
        epochs = LESSON.slider("epochs", "Epochs", 1, MOST_EPOCHS, often, width=140)
        dimension = LESSON.slider("dimension", "Dimension", 2, 100, 32, width=140)
        with LESSON.more():
            width = LESSON.slider("window", "Window", 1, 10, 4)
            negatives = LESSON.slider("negatives", "Negatives", 1, 20, 5)
            rate = LESSON.number("rate", "Learning rate", 0.001, 0.5, 0.05, format="%.3f")
            count = LESSON.slider("min", "Leave out words seen fewer times than", 1, 20, 1)
            seed = LESSON.number("seed", "Seed", 0, 10_000, 1)
    least, most = LENGTHS[lengths]
    return FastText(
        *(dimension, width, negatives, epochs, rate, 1e-3, count, seed),
        least=least,
        most=most,
        buckets=buckets,
    )
