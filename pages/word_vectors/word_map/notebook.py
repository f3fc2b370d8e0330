# %% [markdown]
# Words on a map: cosines, nearest neighbours, principal components, and what the map loses.

# %% parameters
name = "glove"  # or "skipgram"; "trained": the file that “Save vectors” gave you, next to this notebook
words = (
    "king queen prince princess dog cat horse cow france paris italy rome bread cheese milk butter".split()
)
dimensions = 2
word, k, metric = "king", 8, "cosine"

# %%
from pathlib import Path

import numpy as np

from core.models.word_vectors.word_vectors import WordVectors, stored_vectors

if name == "trained":
    lines = Path("word_vectors.txt").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split(" ") for line in lines]
    vectors = WordVectors([row[0] for row in rows], np.array([row[1:] for row in rows], dtype=np.float32))
else:
    vectors = stored_vectors(name)

# %%
from core.models.word_vectors.projection import nearest_cosine, neighbour_survival, project

shown = vectors.subset(words)
projection = project(shown.vectors, dimensions)
print(projection.variance_kept)
print(neighbour_survival(shown.vectors, projection.coordinates, k, metric).mean())

# %%
print(nearest_cosine(shown), nearest_cosine(WordVectors.one_hot(words)))  # vectors, and one-hot vectors

# %%
print(vectors.neighbours(word, k, metric))

# %%
from core.figures.show import draw
from core.figures.word_vectors.word_map import word_map

draw(word_map(shown.words, projection))
