# %% [markdown]
# The vectors of a word in several sentences, layer by layer, and how often the nearest has the same sense.

# %% parameters
uses = [
    ("bear", "How long am I to bear this weight on my back?", "to carry"),
    ("bear", "Every man has to bear his own pain.", "to carry"),
    ("bear", "We saw the tracks of a bear in the snow.", "an animal"),
]
name = "word_masked"  # or "word_gpt", which reads from the left only

# %%
from core.models.pretraining.uses import Use, cosines, on_one_map, right_by_nearest, use_vectors
from core.models.self_attention.attentive_models import attentive_model

uses = [Use(*each) for each in uses]
vectors = use_vectors(attentive_model(name), uses)  # static, then layer by layer
senses = [use.sense for use in uses]
print([right_by_nearest(layer, senses).sum() for layer in cosines(vectors)])

# %%
from core.figures.pretraining.uses import senses_map
from core.figures.show import draw

draw(senses_map(uses, on_one_map(vectors)[1][-1]))
