# %% [markdown]
# The most probable path through a hidden Markov model's states, found by the Viterbi algorithm.

# %% parameters
tables = None  # or your own: {"states": [...], "vocabulary": [...], "initial": [...], ...}
name = "diary"
words = "3 1 3 2 1".split()

# %%
from core.models.hidden_markov_models.hmm_tables import from_probabilities, ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.tagger import load_tagger

models = {"diary": ice_cream_diary, "toy": noun_verb_toy, "tagger": load_tagger}
model = from_probabilities(**tables) if tables else models[name]()

# %%
from core.models.hidden_markov_models.decoding import decode

decoded = decode(model, words)

# %%
from core.figures.hidden_markov_models.paths import paths_figure
from core.figures.show import draw

draw(paths_figure(decoded.emissions.words, model.states, {"Viterbi": decoded.viterbi.path}))
