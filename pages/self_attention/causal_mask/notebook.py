# %% [markdown]
# Attention scores through a mask and a softmax: typed by hand, or taken from one head of a trained GPT.

# %% parameters
tokens = ["The", "␣old", "␣king", "␣loved", "␣his", "␣son"]
name = "word_gpt"  # "" for scores of 0, which `edits` change
ids = None  # the tokens' ids; None encodes the sentence
layer, head = 4, 1
d_k = 32
edits = ""  # "row column score; …", counted from 1
mask_kind, padding, window = "causal", 0, 2
way = None  # or a wrong mask: "0 instead of −∞", "mask after the softmax"

# %%
import torch

from core.models.self_attention.score_matrix import head_scores
from core.models.stored_language_models import encode, stored_language_model

scores = torch.zeros(len(tokens), len(tokens))
if name:
    read = ids or encode(name, "The old king loved his son").ids
    scores = head_scores(stored_language_model(name).network, torch.tensor(read), layer - 1, head - 1)

# %%
from core.models.self_attention.score_matrix import edits_of, replace_scores

scores = replace_scores(scores, edits_of(edits)[0])

# %%
from core.models.self_attention.score_matrix import attend_by_scores, mask_of

mask = mask_of(mask_kind, len(tokens), padding, window)
trace = attend_by_scores(scores, d_k, mask, way)
print(trace.masked, trace.exponentials, trace.row_sums, trace.weights, sep="\n")

# %%
from core.figures.self_attention.causal_mask import matrix_figure
from core.figures.show import draw

draw(matrix_figure(trace.weights.double().numpy(), tokens))
