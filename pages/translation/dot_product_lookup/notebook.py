# %% [markdown]
# A look-up among word vectors by distance and by dot product: weights, results, and how far the weights are apart.

# %% parameters
query, bandwidth, raw, vectors = "wolf", 0.3, False, "glove"
entries = "dog: 4, cat: 4, horse: 4, cow: 4, bird: 2, duck: 2, spider: 8, ant: 6, snake: 0, fish: 0, man: 2, woman: 2"

# %%
from pathlib import Path

import numpy as np

from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product
from core.models.word_vectors.word_vectors import WordVectors, stored_vectors
from core.text.reading.entries import read_entries

if vectors == "trained":  # put the file that “Save vectors” gave you beside this notebook
    lines = Path("word_vectors.txt").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split(" ") for line in lines]
    known = WordVectors([row[0] for row in rows], np.float32([row[1:] for row in rows]))
else:
    known = stored_vectors(vectors)
known = known if raw else known.normalised()
pairs = [(key, value) for key, value in read_entries(entries) if key in known]
words = [key for key, _ in pairs]
try:
    values = np.array([float(value) for _, value in pairs])
except ValueError:  # values that are words
    values = np.array([known[value].astype(float) for _, value in pairs])
asked = known[query].astype(float), np.array([known[word].astype(float) for word in words]), values, bandwidth
near, dot = lookup_by_distance(*asked), lookup_by_dot_product(*asked)
for word, one, other in zip(words, near.weights, dot.weights, strict=True):
    print(f"{word:10} by distance {one:.4f}, by dot product {other:.4f}")
if values.ndim == 1:
    print("result by dot product:", float(dot.result))
else:
    print("word nearest to the result:", known.neighbours(dot.result, 1)[0].word)

# %%
print("largest difference of two weights:", np.abs(near.weights - dot.weights).max())

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(380, "weight")
for name, found in (("by distance", near), ("by dot product", dot)):
    figure.add_trace(bar(x=found.weights, y=words, orientation="h", name=name))
draw(figure)
