# %% [markdown]
# Train naive Bayes and logistic regression on the same documents, and add up what each word contributes.

# %% parameters
stored = ""  # or "classify_movies", "classify_sms", "classify_news": counts and weights without documents
own = False  # True: read documents.tsv, the file to download next to this notebook
c = 1  # the number of the class, against all others
alpha, penalty = 1.0, 1.0
copies = 1  # columns per word
tokens = ["flimsy", "and", "dull", "but", "i", "love", "the", "handle"]

# %%
from pathlib import Path

from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.naive_bayes import NaiveBayes
from core.models.documents.stored_classifiers import stored_classifiers
from core.models.documents.tug_of_war import duplicate_features, pulls
from core.text.reading.labelled import read_lines
from core.text.samples.reviews import reviews

if stored:
    learnt = stored_classifiers(stored)
    bayes, regression = learnt.against_rest(c, alpha, copies), learnt.regression(c, penalty, copies)
else:
    documents = read_lines(Path("documents.tsv").read_text(encoding="utf-8")) if own else reviews()
    learnt, rest, held = learnt_and_held_out(documents.texts, documents.labels)
    X, y = duplicate_features(learnt.X, copies), (learnt.y == c).astype(int)
    bayes, regression = NaiveBayes(alpha).fit(X, y), LogisticRegression(penalty).fit(X, y)

# %%
pulled = pulls(bayes, regression, learnt.index, tokens, copies=copies)
print(pulled.tokens, pulled.begin, pulled.terms, pulled.z, pulled.p)

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(330, x=f"score of {learnt.classes[c]}")
for name, terms in zip(("naive Bayes", "logistic regression"), pulled.terms, strict=True):
    figure.add_trace(bar(y=list(pulled.tokens), x=terms, name=name, orientation="h"))
draw(figure)
