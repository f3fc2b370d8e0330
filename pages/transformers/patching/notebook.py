# %% [markdown]
# Activation patching: sentence B is read with one part of A's forward pass in it.

# %% parameters
name = "word_gpt"  # or "char_gpt"
A = [10, 850, 345, 298, 427, 278]  # ids of sentence A
B = [10, 850, 345, 298, 724, 278]  # ids of sentence B
donor = A  # what the part is copied from
kind, head = "stream", 0  # "stream", "attention", "feed-forward" or "one head", and which one, from 0

# %%
import torch

from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.gpt_trace import trace_gpt
from core.models.transformers.patching import contrast_readings, partners, restored_by_head, restored_by_place

model = attentive_model(name)
found = contrast_readings(model.network, torch.tensor(A), torch.tensor(B))
print(model.vocabulary[found.a], model.vocabulary[found.b], found.ends)

# %%
other = trace_gpt(model.network, torch.tensor(donor))
shares = restored_by_place(found, kind, partners(donor, B), head, other)
print(shares)
print(restored_by_head(found, partners(A, B)))

# %%
from core.figures.blank import blank
from core.figures.figure import heatmap
from core.figures.show import draw

figure = blank(300, "place of B", "layer")
figure.add_trace(heatmap(z=shares.tolist(), zmin=-1, zmax=1))
draw(figure)
