# %% [markdown]
# A sentence's parts of speech by the stored hidden Markov model, and what it mistakes for what on held-out text.

# %% parameters
words = "They work hard , and their work shows it .".split()

# %%
from core.models.hidden_markov_models.tagger import (
    load_counts,
    load_tagger,
    most_frequent_tags,
    tag_sentences,
)

model, counts = load_tagger(), load_counts()
tags = tag_sentences(model, [words])[0]
alone = most_frequent_tags(model, counts, [words], endings=True)[0]
for word, tag, other in zip(words, tags, alone, strict=True):
    print(f"{word:15} {tag:5} {'' if tag == other else f'(alone: {other})'}")

# %%
import numpy as np

from core.figures.hidden_markov_models.tables import confusion_figure
from core.figures.show import draw
from core.models.stored import load_json

draw(confusion_figure(np.array(load_json("tagger", "confusion")), model.states))
