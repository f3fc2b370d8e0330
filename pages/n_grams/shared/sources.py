"""Sources that lessons on n-grams share."""

SOURCES = [
    "Dan Jurafsky and James H. Martin, Speech and Language Processing (3rd ed. draft), chapter 3.",
    "Stanley F. Chen and Joshua Goodman (1998), An empirical study of smoothing techniques for language modeling.",
    "Claude E. Shannon (1948), A Mathematical Theory of Communication, section 3.",
]
