"""A sentence cut as the Brown corpus cuts it: punctuation apart, capitals kept, quotes as `` and ''."""

from __future__ import annotations

import regex

from core.text.tokenization.tokens import CLUSTER, EMOJI, LETTERS, cut_long, normal

TITLES = (
    "Mr|Mrs|Ms|Messrs|Dr|Prof|Rev|Hon|Gen|Col|Capt|Lt|Sgt|Gov|Sen|Rep|St|Mt|Jr|Sr|Co|Corp|Inc|Ltd|No|vs|etc"
)
TOKEN = regex.compile(
    rf"(?:{TITLES})\.(?=\s)"  # Mr. Holmes
    r"|(?:[^\W\d_]\.){2,}|[A-HJ-Z]\.(?=\s)"  # U.S., e.g., J. Watson; a sentence may end in I.
    r"|[$£€]?\d+(?:[.,]\d+)*%?(?!\w)"  # $1,000.50, 10%
    rf"|{LETTERS}(?:(?:['’-]|(?<=\d)[.,](?=\d)){LETTERS})*(?:(?<=s)['’](?=\s))?"  # don't, well-known, dogs'
    rf"|{CLUSTER}|{EMOJI}|--+|\.{{2,}}|``|''|[^\s\x1c-\x1f]",
    regex.V1,
)
ONE_SPELLING = {
    "“": "``",
    "”": "''",
    "„": "``",
    "«": "``",
    "»": "''",
    "‘": "`",
    "—": "--",
    "–": "--",
    "…": "...",
}


def corpus_words(sentence: str) -> list[str]:
    r"""Return a sentence's words and signs as the tagger's corpus writes them.

    >>> corpus_words('Mr. Holmes said: “Don’t wait — it’s well-known in the U.S.!”')
    ['Mr.', 'Holmes', 'said', ':', '``', "Don't", 'wait', '--', "it's", 'well-known', 'in', 'the', 'U.S.', '!', "''"]
    >>> corpus_words('He paid "$1,000.50" (10%).')
    ['He', 'paid', '``', '$1,000.50', "''", '(', '10%', ')', '.']
    """
    found, open_quote = [], False
    for token in cut_long(TOKEN.findall(normal(sentence))):
        if token == '"':
            token, open_quote = ("''", False) if open_quote else ("``", True)
        found.append(ONE_SPELLING.get(token, token.replace("’", "'")))
    return found
