"""How stories on generation show a token of byte pairs, and its probability."""

from core.figures.generation.sampling import shown

CONTINUED = "…"  # before a token that continues a word


def name_token(token: str) -> str:
    """Return a token as a story shows it: without the space that begins a word; one that continues a word is marked.

    >>> name_token(" thee"), name_token("ful"), name_token(","), name_token(" "), name_token(chr(10))
    ('thee', '…ful', ',', '␣', '↵')
    """
    if token.startswith(" ") and token.strip():
        return shown(token[1:])
    return CONTINUED + token if token[:1].isalpha() else shown(token)


def format_share(p: float) -> str:
    """Return a probability in percent as a picture shows it.

    >>> [format_share(p) for p in (0.272, 0.0581, 0.00012, 0.99999, 1.0, 0.0)]
    ['27%', '5.8%', '<0.1%', '>99%', '100%', '0%']
    """
    if p == 0 or p > 1 - 1e-9:
        return f"{p:.0%}"
    if p < 0.0005:
        return "<0.1%"
    return ">99%" if p >= 0.995 else f"{p:.0%}" if p >= 0.0995 else f"{p:.1%}"
