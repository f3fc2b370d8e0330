# %% [markdown]
# The Viterbi table of a sentence, filled in with probabilities: every score, where it came from, and the best path.

# %% parameters
tables = None  # or your own: {"states": [...], "vocabulary": [...], "initial": [...], ...}
name = "diary"
words = "3 1 3 2 1".split()
even = False  # every transition equally likely

# %%
from core.models.hidden_markov_models.hmm_tables import from_probabilities, ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.what_if import without_neighbours

models = {"diary": ice_cream_diary, "toy": noun_verb_toy}
model = from_probabilities(**tables) if tables else models[name]()
model = without_neighbours(model) if even else model

# %%
from core.models.hidden_markov_models.decoding import underflow

lattice = underflow(model, words)
print(lattice.scores, lattice.backpointers, [model.states[j] for j in lattice.path])

# %%
from core.figures.hidden_markov_models.paths import paths_figure
from core.figures.show import draw

draw(paths_figure(words, model.states, {"Viterbi": lattice.path}))
