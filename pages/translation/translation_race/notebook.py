# %% [markdown]
# Attention scores: one sentence through translators that differ in how they score input words.

# %% parameters
words = "the king bought a green coat .".split()  # the input
models = {
    "additive": "translate_french_additive",
    "dot": "translate_french_dot",
    "general": "translate_french_general",
    "none": "translate_french_none",
}

# %%
from core.models.translation.translate import stored_translator
from core.models.translation.translation_race import translate_and_score

runs = {score: translate_and_score(stored_translator(name), words) for score, name in models.items()}
for score, made in runs.items():
    print(score, round(made.translation.log_probability, 5), *made.words)

# %%
for score, made in runs.items():
    if made.weights is not None:
        print(score, made.weights.round(2), sep="\n")

# %%
import numpy as np

from core.figures.show import draw
from core.figures.translation.decoder_step import attention_heatmap

made = runs["additive"]
outputs = [*made.words, "<end>"][: len(made.weights)]
draw(attention_heatmap(np.array(made.weights), outputs, words))
