# %% [markdown]
# Two sets of word vectors on the same words: shared neighbours, their mean, and the order of all cosines.

# %% parameters
first_name = "glove"  # or "skipgram"; "trained": the file that “Save vectors” gave you, next to this notebook
second_name = "skipgram"
word, k = "king", 10

# %%
from pathlib import Path

import numpy as np

from core.models.word_vectors.word_vectors import WordVectors, stored_vectors


def load(name):
    """Return a set of vectors by its name."""
    if name != "trained":
        return stored_vectors(name)
    lines = Path("word_vectors.txt").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split(" ") for line in lines]
    return WordVectors([row[0] for row in rows], np.array([row[1:] for row in rows], dtype=np.float32))


first, second = load(first_name), load(second_name)

# %%
from core.models.word_vectors.vector_agreement import agreement, shared_words

overlap = agreement(*shared_words(first, second), word, k)
print(overlap.shared)
print(overlap.mean, overlap.correlation)

# %%
for name, near in ((first_name, overlap.first), (second_name, overlap.second)):
    print(f"{name:10}", ", ".join(each.word for each in near))

# %%
from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw

figure = blank(420, f"cosine in {first_name}", f"cosine in {second_name}")
figure.add_trace(scatter(x=overlap.cosines[0], y=overlap.cosines[1], mode="markers"))
draw(figure)
