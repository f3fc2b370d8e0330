# %% [markdown]
# A hidden Markov model generates a diary: one random number for each day's weather, one for its ice creams.

# %% parameters
hot = 0.5
cold = 0.8
forget = False
days = 10
seed = 1

# %%
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
from core.models.hidden_markov_models.what_if import with_probability, without_memory

model = with_probability(ice_cream_diary(), "transition", 0, 0, hot)
model = with_probability(model, "transition", 1, 1, cold)
if forget:
    model = without_memory(model)

# %%
from core.models.hidden_markov_models.speaking import speak

[(draw.t + 1, draw.kind, round(draw.uniform, 4), draw.chosen) for draw in speak(model, days, seed)]

# %%
from core.figures.hidden_markov_models.machine import machine_figure
from core.figures.show import draw

draw(machine_figure(model))
