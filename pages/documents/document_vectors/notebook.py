# %% [markdown]
# Labelled documents as vectors: the nearest documents, and how often the nearest has the same label.

# %% parameters
own = False  # True: read documents.tsv, the file to download next to this notebook
kind = "tf-idf"  # or "counts", "mean of GloVe", "mean of skip-gram", "PV-DM", "PV-DBOW"
divide = True  # by the length of each vector
tokens = ["flimsy", "and", "dull", "but", "i", "love", "the", "handle"]
place = -1  # of one of the documents, -1 for the tokens above
k = 5

# %%
from pathlib import Path

from core.models.documents.document_space import count_documents, document_space
from core.models.documents.fit_paragraphs import fit_paragraphs, stored_paragraphs
from core.models.word_vectors.word_vectors import stored_vectors
from core.text.reading.labelled import read_lines
from core.text.samples.reviews import reviews

documents = read_lines(Path("documents.tsv").read_text(encoding="utf-8")) if own else reviews()
counted = count_documents(documents.texts, documents.labels)
stored = {"mean of GloVe": "glove", "mean of skip-gram": "skipgram"}
if kind in stored:
    vectors = stored_vectors(stored[kind])
elif kind.startswith("PV"):
    pair = fit_paragraphs(lambda share: True, counted.texts) if own else stored_paragraphs("paragraphs")
    vectors = pair[kind]
else:
    vectors = kind
space = document_space(counted, vectors, divide=divide)
print(space.left_out.share, space.left_out.interval)

# %%
from core.models.documents.nearest_documents import most_alike

x = space.vector_of(tokens, place)
print(most_alike(space.vectors, x / ((x @ x) ** 0.5 or 1) if divide else x, k, leave_out=place) + 1)

# %%
from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw

figure = blank(300)
for label in sorted(set(counted.labels)):
    points = space.projection.coordinates[[each == label for each in counted.labels]]
    figure.add_trace(scatter(x=points[:, 0], y=points[:, 1], mode="markers", name=label))
draw(figure)
