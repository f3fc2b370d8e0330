# %% [markdown]
# Logistic regression: learn the weights of labelled documents, work one document, and go down the loss over two weights.

# %% parameters
stored = ""  # or "classify_movies", "classify_sms", "classify_news": weights without documents
own = False  # True: read documents.tsv, the file to download next to this notebook
c = 1  # the number of the class, against all others
pair = (0, 1)  # the columns of two words
rate = 0.1
penalty = 1.0
free = False  # True: without the penalty on the surface of the two weights
tokens = ["great", "handle", "but", "the", "lid", "is", "dirty"]

# %%
from pathlib import Path

from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.logistic_regression import LogisticRegression, gradient_descent, work_document
from core.models.documents.stored_classifiers import stored_classifiers
from core.text.reading.labelled import read_lines
from core.text.samples.reviews import reviews

if stored:
    learnt = stored_classifiers(stored)
    model = learnt.regression(c, penalty)
else:
    documents = read_lines(Path("documents.tsv").read_text(encoding="utf-8")) if own else reviews()
    learnt, rest, held = learnt_and_held_out(documents.texts, documents.labels)
    y = (learnt.y == c).astype(int)
    model = LogisticRegression(l2=penalty).fit(learnt.X, y)
    print(model.loss_, model.lengths_[-1], model.intercept_)
    print(gradient_descent(learnt.X, y, penalty, rate=0.001, steps=100).losses[[0, 1, 10, 100]])

# %%
worked = work_document(model, learnt.index, tokens, y=1)
print(worked.tokens, worked.terms, worked.z, worked.p)

# %%
from core.models.documents.two_weights import descend, minimum_of, two_weights

if not stored and len(learnt.vocabulary) > 1:
    surface = two_weights(model, learnt.X, y, pair, l2=0.0 if free else penalty)
    print(descend(surface, [0, 0], rate=rate, steps=24)[-1], minimum_of(surface))

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

order = sorted(range(len(learnt.vocabulary)), key=lambda v: abs(model.coef_[v]))[-12:]
figure = blank(330, x="weight")
figure.add_trace(bar(y=[learnt.vocabulary[v] for v in order], x=model.coef_[order], orientation="h"))
draw(figure)
