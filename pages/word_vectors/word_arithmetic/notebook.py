# %% [markdown]
# Word analogies: a sum of word vectors, the words nearest to it, and how many analogies a set of vectors solves.

# %% parameters
name = "glove"  # or "skipgram"; "trained": the file that “Save vectors” gave you, next to this notebook
unit = True  # every vector at length 1
expression, k = "king - man + woman", 6
leave_question_out = True

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
vectors = vectors.normalised() if unit else vectors

# %%
from core.models.word_vectors.word_arithmetic import arithmetic, same_way

found = arithmetic(vectors, expression, k, leave_question_out)
for near in found.answers:
    print(f"{near.word:>12}  cosine {near.similarity:.3f}")
print("cosine of the two steps:", same_way(vectors, found))

# %%
from core.models.word_vectors.world_analogies import solved, total

print("analogies solved, asked:", total(solved(vectors, leave_question_out)))

# %%
from core.figures.show import draw
from core.figures.word_vectors.vector_duel import neighbour_bars

draw(neighbour_bars(found.answers, set(), "second"))
