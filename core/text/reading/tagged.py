"""Tagged text into sentences of (word, tag): word/TAG, one sentence a line, or CoNLL-U.

CoNLL-U: https://universaldependencies.org/format.html; the word is column 2 (FORM), the tag column 4 (UPOS).
"""

from __future__ import annotations

from collections.abc import Iterator

from core.text.reading import WORDS
from core.text.reading.decoding import TextError

TAGS_AT_MOST = 60
WORDS_AT_MOST = 200_000

TaggedSentence = list[tuple[str, str]]


def read_tagged(text: str) -> list[TaggedSentence]:
    r"""Return the sentences of tagged text; lines with tabs make it CoNLL-U, else it is word/TAG.

    Raises TextError, with a sentence that names the line, for a word without a tag, and for too many tags or
    words.

    >>> read_tagged("Dogs/NOUN bark/VERB\n1/2/NUM")
    [[('Dogs', 'NOUN'), ('bark', 'VERB')], [('1/2', 'NUM')]]
    """
    lines = text.splitlines()
    conllu = any("\t" in line for line in lines if not line.startswith("#"))
    sentences = list(conllu_sentences(lines) if conllu else slashed_sentences(lines))
    if not sentences:
        raise TextError(WORDS.label("tagged.none"))
    tags = {tag for sentence in sentences for _, tag in sentence}
    if len(tags) > TAGS_AT_MOST:
        raise TextError(WORDS.label("tagged.many", n=len(tags), most=TAGS_AT_MOST))
    if sum(map(len, sentences)) > WORDS_AT_MOST:
        raise TextError(WORDS.label("tagged.long", most=WORDS_AT_MOST))
    return sentences


def slashed_sentences(lines: list[str]) -> Iterator[TaggedSentence]:
    """Yield the sentence of each line of word/TAG pairs; the last slash parts the two."""
    for number, line in enumerate(lines, start=1):
        pairs = [pair.rpartition("/") for pair in line.split()]
        for word, _, tag in pairs:
            if not word or not tag:
                raise TextError(WORDS.label("tagged.wrong", line=number, word=(word or tag)[:40]))
        if pairs:
            yield [(word, tag) for word, _, tag in pairs]


def conllu_sentences(lines: list[str]) -> Iterator[TaggedSentence]:
    """Yield the sentences of CoNLL-U; an empty line ends each. Glued words and empty nodes are left out."""
    sentence: TaggedSentence = []
    for number, line in enumerate([*lines, ""], start=1):
        if not line.strip():
            if sentence:
                yield sentence
            sentence = []
        elif not line.startswith("#"):
            columns = line.split("\t")
            if len(columns) < 4 or not columns[1]:
                raise TextError(WORDS.label("tagged.columns", line=number))
            if columns[0].isdigit():  # 3-4 is a glued word, whose parts follow; 5.1 a word that is not there
                if columns[3] in ("", "_"):
                    raise TextError(WORDS.label("tagged.no_tag", line=number, word=columns[1][:40]))
                sentence.append((columns[1], columns[3]))
