# %% [markdown]
# A picture read patch by patch: the attention rolled out, each patch hidden in turn, and the learned positions.

# %% parameters
name = "vit_shapes"  # or "vit_digits"
number = 16  # of the held-out pictures
own = False  # True: read my_picture.png, your picture next to this notebook
hidden = ()  # places of patches that the model does not see, counted from 0
shuffled = False
positions = True

# %%
from pathlib import Path

from core.models.images.seen_picture import as_the_model_sees, load_held_out_picture, look_at
from core.models.images.vision_transformer import stored_vision
from core.pictures.reading import read_picture

model = stored_vision(name)
found = (
    as_the_model_sees(model, read_picture(Path("my_picture.png").read_bytes()))
    if own
    else load_held_out_picture(model, number)
)
seen = look_at(model, found, hidden, shuffled, positions)
print(seen.name, seen.p(seen.name))

# %%
from core.models.images.rollout import rollout

print(rollout(seen.read.weights)[0])

# %%
from core.models.images.occlusion import occlusion

if len(seen.places):
    print(occlusion(model.network, seen.read.patches, seen.places, seen.given, seen.positions))

# %%
from core.models.images.learned_positions import nearest_beside, position_similarity

print(nearest_beside(position_similarity(model.network)))

# %%
from core.figures.images.patches import class_bars
from core.figures.show import draw

draw(class_bars(seen.read.probabilities.numpy(), model.classes))
