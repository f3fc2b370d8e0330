# %% [markdown]
# A sentence tagged by counting, from the left, and from both ends; then the rest is cut off.

# %% parameters
words = ["We", "heard", "her", "play", "the", "piano", "."]
kept = 4

# %%
from core.models.documents.recurrent_tagger import AHEAD, BOTH, load_recurrent_tagger
from core.models.documents.three_taggers import moved, tag_three_ways
from core.models.hidden_markov_models.tagger import load_tagger

hmm, networks = load_tagger(), {name: load_recurrent_tagger(name) for name in (AHEAD, BOTH)}
complete = tag_three_ways(hmm, networks, words)
print(complete.tags, complete.apart)

# %%
found = moved(complete, tag_three_ways(hmm, networks, words[:kept]))
print(found)

# %%
from core.figures.documents.two_directions import moved_figure
from core.figures.show import draw

draw(moved_figure(words[:kept], found))
