# %% [markdown]
# A table of positions, sinusoids or one that a model learned, and how similar its positions are.

# %% parameters
kind = "sinusoids"  # or "word_gpt", "word_masked", "char_gpt": the table of a trained model
T, C, base = 128, 64, 10_000

# %%
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.positions import (
    nearest_positions,
    similarity_by_distance,
    sinusoidal_positions,
)

if kind == "sinusoids":
    positions = sinusoidal_positions(T, C, base)
else:
    positions = attentive_model(kind).network.position_embedding.weight.detach()

# %%
print(similarity_by_distance(positions))  # the mean dot product of two positions k apart
print(nearest_positions(positions))  # which other position has the largest cosine

# %%
from core.figures.self_attention.word_order import position_heatmap
from core.figures.show import draw

draw(position_heatmap(positions.numpy(), 0))
