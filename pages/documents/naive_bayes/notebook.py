# %% [markdown]
# Count the words of labelled documents, and read a document with these counts.

# %% parameters
stored = ""  # or "classify_sms", "classify_movies", "classify_news": counts without documents
file = ""  # your documents, a line each: the label, a tab, the text; the file beside this notebook
alpha = 1.0
binary = False
tokens = ["flimsy", "and", "dull", "but", "i", "love", "the", "handle"]

# %%
from pathlib import Path

from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.stored_classifiers import stored_classifiers
from core.text.reading.labelled import read_lines
from core.text.samples.reviews import reviews

if stored:
    learnt = stored_classifiers(stored)
else:
    documents = read_lines(Path(file).read_text(encoding="utf-8")) if file else reviews()
    learnt, rest, held = learnt_and_held_out(documents.texts, documents.labels)
    if binary:
        learnt, rest = learnt.binary, rest.binary  # each word once a document

# %%
from core.models.documents.naive_bayes import NaiveBayes, explain_words

model = learnt.naive_bayes(alpha, binary) if stored else NaiveBayes(alpha).fit(learnt.X, learnt.y)
reading = explain_words(model, learnt, tokens, binary)
print(reading.sums, reading.posteriors)

# %%
from core.models.documents.held_out import judge

judged = learnt.bayes_confusion(alpha, binary) if stored else judge(model.posterior(rest.X), rest.y)
print(judged.accuracy, judged.interval)

# %%
from core.figures.documents.held_out import class_confusion_figure
from core.figures.show import draw

draw(class_confusion_figure(judged, learnt.classes))
