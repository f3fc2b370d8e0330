# %% [markdown]
# CRF: a sentence scored by a stored model, the sum over all paths, and what decided each word.

# %% parameters
sentence = "The blorfy wugs glimped quietly ."
variant = "crf"  # or memm, no_suffix, no_neighbours

# %%
from core.models.hidden_markov_models.crf import score_sentence
from core.models.hidden_markov_models.crf_tagger import load_crf

crf = load_crf(variant)
words = sentence.split()
found = score_sentence(crf, words, variant == "memm")
print(list(zip(found.words, found.tags, strict=True)))
print("best score", found.viterbi.log_probability, "ln Z", found.log_partition, "share", found.share)

# %%
for t, word in enumerate(words):
    tag = found.viterbi.path[t]
    weights = {feature: float(each[tag]) for feature, each in crf.deciding(words, t).items()}
    print(word, found.tags[t], {feature: round(weight, 2) for feature, weight in weights.items()})

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw
from core.models.hidden_markov_models.forward_backward import tag_posteriors

sure = tag_posteriors(*found.tables).max(axis=1)
figure = blank(340, "place of the word", "probability of its tag")
figure.add_trace(bar(x=list(range(1, len(words) + 1)), y=sure))
draw(figure)
