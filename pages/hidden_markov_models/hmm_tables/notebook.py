# %% [markdown]
# Where the best path of a hidden Markov model flips as one probability goes from 0 to 1.

# %% parameters
tables = None  # or your own: {"states": [...], "vocabulary": [...], "initial": [...], ...}
name = "diary"
words = "3 1 3".split()
table = "transition"  # where the probability stands that is moved; or "initial", "emission"
row = 0
column = 0

# %%
from core.models.hidden_markov_models.hmm_tables import from_probabilities, ice_cream_diary, noun_verb_toy

models = {"diary": ice_cream_diary, "toy": noun_verb_toy}
model = from_probabilities(**tables) if tables else models[name]()

# %%
from core.models.hidden_markov_models.decoding import decode

decoded = decode(model, words)
print(decoded.tags(decoded.viterbi.path), decoded.viterbi.log_probability)

# %%
import numpy as np

from core.models.hidden_markov_models.flips import best_paths
from core.models.hidden_markov_models.what_if import rows_of

now = float(np.exp(rows_of(model, table)[row, column]))
stretches = best_paths(model, words, table, row, column)
for stretch in stretches:
    print(f"from p = {stretch.start:.4f} on:", [model.states[state] for state in stretch.path])

# %%
from core.figures.hidden_markov_models.curves import sweep_figure
from core.figures.show import draw

draw(sweep_figure(stretches, model.states, now, "p"))
