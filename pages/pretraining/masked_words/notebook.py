# %% [markdown]
# Hidden words filled from both sides and from the left, and the loss of a step of masked training.

# %% parameters
ids = [310, 1171, 410, 270, 1157, 44]  # tokens
places = [1]  # that are hidden
share, seed = 0.15, 34  # of the tokens that training draws

# %%
import numpy as np

from core.models.pretraining.gaps import from_both_sides, from_the_left
from core.models.self_attention.masked_language_model import stored_masked_model
from core.models.stored_language_models import stored_language_model

model, causal = stored_masked_model("word_masked"), stored_language_model("word_gpt")
both_sides, left = from_both_sides(model, ids, places), from_the_left(causal, ids, places)
print(both_sides.ranks, left.ranks, both_sides.bits, left.bits)

# %%
import torch

from core.models.pretraining.masked_training import masked_training_step

step = masked_training_step(model, torch.tensor(ids), share, seed)
print(step.fates, step.loss, step.loss_everywhere)

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

p = np.exp(both_sides.ln_p[0])  # at the first gap
best = np.argsort(-p)[:8]
figure = blank(300, "p")
figure.add_trace(bar(x=p[best], y=[model.vocabulary[i] for i in best], orientation="h"))
draw(figure)
