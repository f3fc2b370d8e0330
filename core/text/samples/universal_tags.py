"""Brown corpus tags -> the 12 universal tags.

Source: Petrov, Das and McDonald, A universal part-of-speech tagset (2012). Where the corpus glues two
words into one token (he'd, what's) the token takes its first word's tag.
"""

from __future__ import annotations

import re
from functools import cache

UNIVERSAL_TAGS = ("NOUN", "VERB", "ADJ", "ADV", "PRON", "DET", "ADP", "NUM", "CONJ", "PRT", ".", "X")
BROWN_TAGS = {
    "NOUN": "nn nns nn$ nns$ np nps np$ nps$ nr nrs nr$",
    "VERB": "vb vbd vbg vbn vbz be bed bedz beg bem ben ber bez do dod doz hv hvd hvg hvn hvz md",
    "ADJ": "ap ap$ jj jj$ jjr jjs jjt od",
    "ADV": "* ql qlp rb rb$ rbr rbt rn wql wrb",
    "PRON": "pn pn$ pp$$ ppl ppls ppo pps ppss wpo wps",
    "DET": "abl abn abx at dt dt$ dti dts dtx pp$ wdt wp$",
    "ADP": "cs in",
    "NUM": "cd cd$",
    "CONJ": "cc",
    "PRT": "ex rp to uh",
}
UNIVERSAL = {brown: universal for universal, tags in BROWN_TAGS.items() for brown in tags.split()}


@cache
def universal_tag(brown: str) -> str:
    """Return the universal tag of a raw Brown tag, in either case; foreign words and unknown tags are X.

    >>> [universal_tag(tag) for tag in ("at", "np-tl", "VBD", "ppss+md", "hvd*", "``", "--", "fw-nn")]
    ['DET', 'NOUN', 'VERB', 'PRON', 'VERB', '.', '.', 'X']
    """
    tag = re.split(r"(?<=[\w$*])[-+]", brown.lower())[
        0
    ]  # drops title, headline and cited marks and second words
    if re.match(r"[^\w*]", tag):
        return "."
    return UNIVERSAL.get(tag) or UNIVERSAL.get(tag.rstrip("*"), "X")
