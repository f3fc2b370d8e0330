# %% [markdown]
# Measure how much of a loss reaches a state many steps back, in random networks and in a training.

# %% parameters
radius = 0.9
length = 60
clip = 1.0

# %%
from core.models.recurrent_models.gradient_flow import gradient_flow

rnn = gradient_flow("rnn", radius=radius, length=length, width=32, clip=clip, seed=1)
lstm = gradient_flow("lstm", radius=radius, length=length, width=32, seed=1)
print(rnn.hidden_norms, rnn.parameter_norm, rnn.clipped_norm)
print(lstm.cell_norms)

# %%
from core.models.recurrent_models.clipped_training import train

print(train(radius, length=min(length, 30), clip=clip).losses[-1])

# %%
from core.figures.recurrent_models.gradient import flow_figure
from core.figures.show import draw

norms = {"RNN, h": rnn.hidden_norms, "LSTM, c": lstm.cell_norms}
draw(flow_figure({name: each.flip(0).numpy()[None] for name, each in norms.items()}))
