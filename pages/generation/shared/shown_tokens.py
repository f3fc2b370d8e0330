"""How stories on generation show a token of byte pairs."""

from core.figures.token_label import label_token

CONTINUED = "…"  # before a token that continues a word


def name_token(token: str) -> str:
    """Return a token as a story shows it: without the space that begins a word; one that continues a word is marked.

    >>> name_token(" thee"), name_token("ful"), name_token(","), name_token(" "), name_token(chr(10))
    ('thee', '…ful', ',', '␣', '↵')
    """
    if token.startswith(" ") and token.strip():
        return label_token(token[1:])
    return CONTINUED + token if token[:1].isalpha() else label_token(token)
