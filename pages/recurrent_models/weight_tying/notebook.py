# %% [markdown]
# Count the parameters of a recurrent language model, tied and untied, and erase one row of its embedding.

# %% parameters
name = "char_lstm"  # or "char_gru", "char_rnn"
text = "My lord, I will not go to Rom"
token = 41  # the character's number in the vocabulary: an e

# %%
import torch

from core.models.stored_language_models import encode, stored_language_model

model = stored_language_model(name)
network = model.network
ids = torch.tensor((model.start, *encode(name, text).ids))
print(model.vocabulary[token], len(ids))

# %%
from core.models.recurrent_models.weight_tying import (
    bits_without_row,
    grouped,
    next_probability,
    recurrent_parameters,
)

print(recurrent_parameters(network.config), recurrent_parameters(network.config, tied=False))

# %%
state, p = next_probability(network, ids, token, network.embedding.weight)
print(p, {job: bits.mean().item() for job, bits in bits_without_row(network, ids, token=token).items()})

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(300, x="parameters")
for part, count in grouped(recurrent_parameters(network.config, tied=False)).items():
    figure.add_trace(bar(y=["untied"], x=[count], name=part, orientation="h"))
draw(figure.update_layout(barmode="stack"))
