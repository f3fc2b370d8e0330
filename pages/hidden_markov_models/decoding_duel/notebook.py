# %% [markdown]
# Viterbi, beam search and greedy search on one sentence: the path that each finds, and what each costs.

# %% parameters
tables = None  # or your own: {"states": [...], "vocabulary": [...], "initial": [...], ...}
name = "toy"
words = "they watch can fish".split()
width = 2
even = False  # every transition equally likely

# %%
from core.models.hidden_markov_models.hmm_tables import from_probabilities, ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.tagger import load_tagger
from core.models.hidden_markov_models.what_if import without_neighbours

models = {"diary": ice_cream_diary, "toy": noun_verb_toy, "tagger": load_tagger}
model = from_probabilities(**tables) if tables else models[name]()
model = without_neighbours(model) if even else model

# %%
from core.models.hidden_markov_models.decoding import decode

decoded = decode(model, words, width)
for search in (decoded.viterbi, decoded.beam, decoded.greedy):
    print(decoded.tags(search.path), "ln p =", search.log_probability, "products:", search.products)

# %%
from core.models.hidden_markov_models.search_loss import shares_missed

print("share of sentences whose best path a beam of width 1, 2, ... misses:", shares_missed(model))

# %%
from core.figures.hidden_markov_models.paths import paths_figure
from core.figures.show import draw

paths = {"Viterbi": decoded.viterbi.path, "beam": decoded.beam.path, "greedy": decoded.greedy.path}
draw(paths_figure(decoded.emissions.words, model.states, paths, kept=decoded.beam.kept))
