# %% [markdown]
# Read a text with a recurrent network, and look for units that follow something.

# %% parameters
name = "char_lstm"  # or "char_gru", "char_rnn"
text = "My lord, I will not go to Rome.\nWhat says my father?"
step = 17  # after so many characters
unit = 134

# %%
import torch

from core.models.recurrent_language_model import trace_recurrent
from core.models.stored_language_models import encode, stored_language_model

model = stored_language_model(name)
ids = torch.tensor((model.start, *encode(name, text).ids))
read = trace_recurrent(model.network, ids)
print(read.hidden.shape, read.hidden[step, unit].item())
print({gate: values[step, unit].item() for gate, values in read.gates.items()})

# %%
from core.models.recurrent_models.broken_memory import bits_when_wiped

if len(ids) > 1:
    print({k: bits_when_wiped(model.network, ids, k).mean().item() for k in (1, 4, 16, None)})

# %%
from core.figures.self_attention.word_order import position_heatmap
from core.figures.show import draw

draw(position_heatmap(read.hidden.numpy(), 0))
