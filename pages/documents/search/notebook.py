# %% [markdown]
# Search: one query over the course's library, by words and by vectors.

# %% parameters
query = "river of Egypt"

# %%
from core.models.documents.bm25 import BM25
from core.models.documents.searches import WAYS, Searches
from core.models.word_vectors.word_vectors import stored_vectors
from core.text.samples.library import PASSAGES, QUERIES
from core.text.tokenization.tokens import words

titles = list(PASSAGES)
bm25 = BM25(tuple(tuple(words(text)) for text in PASSAGES.values()))
searched = Searches(bm25, stored_vectors("glove"))
for way in WAYS:
    scores = searched.scores(way, words(query))
    print(way, [(titles[i], round(float(scores[i]), 3)) for i in (-scores).argsort()[:3]])

# %%
from core.models.documents.ranking import mean_reciprocal_rank, recall_at

asked = [(words(each.text), [titles.index(title) for title in each.answers]) for each in QUERIES]
for way in WAYS:
    ranks = searched.answer_ranks(way, asked)
    print(way, "MRR", round(mean_reciprocal_rank(ranks), 3), "recall at 3", round(recall_at(ranks, 3), 3))

# %%
import numpy as np

from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw
from core.models.documents.bm25 import saturate

figure = blank(340, "occurrences", "worth")
for k1 in (0.0, 1.2, 3.0):
    figure.add_trace(scatter(x=np.arange(11), y=saturate(np.arange(11), 1.0, k1, 0.0), name=f"k1 = {k1}"))
draw(figure)
