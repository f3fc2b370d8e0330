# %% [markdown]
# A neural text classifier: one training step on one document, and the training on all.

# %% parameters
own = False  # True: read documents.tsv, the file to download next to this notebook
d, H, seed = 6, 4, 0  # numbers per word, hidden units (0: no hidden layer)
frozen = False  # True: the embeddings stay as they were drawn
begin = "drawn"  # or "trained"
rate = 1.0
y = 1  # the label of the document
tokens = ["flimsy", "and", "dull", "but", "i", "love", "the", "handle"]

# %%
from pathlib import Path

from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.fit_documents import fit_documents
from core.text.reading.labelled import read_lines
from core.text.samples.reviews import reviews

documents = read_lines(Path("documents.tsv").read_text(encoding="utf-8")) if own else reviews()
learnt, rest, held = learnt_and_held_out(documents.texts, documents.labels)
trained = fit_documents(learnt, rest, d, H, frozen, seed=seed)
print([(round(e.loss, 3), round(e.held_right, 3)) for e in trained.epochs])

# %%
from core.models.documents.document_network import drawn_network
from core.models.documents.document_step import document_step

drawn = drawn_network(len(learnt.vocabulary), len(learnt.classes), d, H, seed)
step = document_step(trained.network if begin == "trained" else drawn, learnt.index, tokens, y, rate, frozen)
print(step.words, step.loss, step.loss_after)
print(step.after.E - step.before.E)

# %%
from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw

figure = blank(300, "epochs", "loss")
figure.add_trace(scatter(y=[e.loss for e in trained.epochs], name="learned from"))
figure.add_trace(scatter(y=[e.held_loss for e in trained.epochs], name="held out"))
draw(figure)
