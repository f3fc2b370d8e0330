# %% [markdown]
# Send the loss of a word's last character back through time, by hand and by autograd.

# %% parameters
word = "hello"
width = 2
radius = 0.9
seed = 1

# %%
import torch

from core.models.recurrent_models.chain_rule import backpropagated, last_gradient
from core.models.recurrent_models.drawn_weights import drawn_language_model
from core.models.recurrent_models.gradient_flow import loss_gradient

tokens = list(dict.fromkeys(word))
model = drawn_language_model(len(tokens), width, radius, seed=seed)
found = loss_gradient(model, torch.tensor([tokens.index(c) for c in word]))

# %%
last = last_gradient(model.embedding.weight, found.probabilities, found.target)
by_hand = backpropagated(model.step_weights.W_h, found.hidden, last)
print(by_hand, found.hidden_gradients)

# %%
from core.figures.recurrent_models.gradient import flow_figure
from core.figures.show import draw

norms = found.hidden_gradients.norm(dim=1)
draw(flow_figure({"RNN, h": norms.flip(0).numpy()[None]}))
