# %% [markdown]
# Words on an axis between two lists of words: each one's position, and how far that is from the average word.

# %% parameters
name = "glove"  # a stored set; "" for your own word_vectors.txt beside this notebook
unit = True  # every vector at length 1
left, right = ["he", "him", "man"], ["she", "her", "woman"]
placed = ["nurse", "teacher", "dancer", "doctor", "engineer", "boss", "secretary"]

# %%
from pathlib import Path

import numpy as np

from core.models.word_vectors.word_vectors import WordVectors, stored_vectors

if name:
    vectors = stored_vectors(name)
else:
    lines = Path("word_vectors.txt").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split(" ") for line in lines]
    vectors = WordVectors([row[0] for row in rows], np.float32([row[1:] for row in rows]))
vectors = vectors.normalised() if unit else vectors

# %%
from core.models.word_vectors.word_axis import axis

line = axis(vectors, left, right)
places = line.place(vectors, placed)
for each in sorted(places, key=lambda place: place.standard):
    print(f"{each.word:>12}  position {each.position:+.3f}  {each.standard:+.2f} standard deviations")

# %%
from core.figures.show import draw
from core.figures.word_vectors.axis import axis_figure

draw(axis_figure(line, line.spread(vectors), places, line.place(vectors, left + right)))
