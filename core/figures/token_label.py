"""How a token is written in every picture."""

SIGNS = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥"})


def label_token(token: str) -> str:
    """Return a token with its white space as signs, and a sign for an empty one.

    >>> label_token("a b"), label_token(chr(10)), label_token("")
    ('a␣b', '↵', '∅')
    """
    return token.translate(SIGNS) or "∅"
