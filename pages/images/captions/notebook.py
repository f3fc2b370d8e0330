# %% [markdown]
# One image, two captioners: what they write, what each word needs, and how many held-out scenes are exactly right.

# %% parameters
kind = "seen combinations"  # or "unseen combinations"; "" for a scene of your own
number = 9  # of the held-out scenes, from 0
built = ((3, "green", "ring"), "above", (1, "blue", "square"), 1)  # where kind is "": two groups and a seed
own = False  # True: read my_picture.png, your picture next to this notebook
hidden = ()  # places of patches that are masked out, counted from 0
blind = False  # True: no image, only the background
temperature, top_k, top_p, seed = 0.0, 0, 1.0, 1

# %%
from pathlib import Path

from core.models.images.held_out_scenes import held_out_scene
from core.models.images.occluded_picture import painted_over
from core.pictures.described_scenes import Group, built_scene, empty_picture, scene_picture
from core.pictures.reading import read_picture
from core.pictures.scaling import scaled

if own:
    image = scaled(read_picture(Path("my_picture.png").read_bytes()), 32)
elif kind:
    scene, image = held_out_scene(kind, number)
else:
    one, relation, other, drawn_by = built
    scene = built_scene(Group(*one), relation, Group(*other), drawn_by)
    image = scene_picture(scene, drawn_by)
given = empty_picture() if blind else painted_over(image, hidden)

# %%
from core.models.generation.sampling import SamplingSettings
from core.models.images.stored_captioner import stored_captioner
from core.models.images.written_caption import write_caption

names = {"recurrent": "captions_recurrent", "transformer": "captions_transformer"}
models = {each: stored_captioner(name) for each, name in names.items()}
settings = SamplingSettings(temperature, top_k, top_p)
captions = {each: write_caption(model.network, given, settings, seed) for each, model in models.items()}
for each, written in captions.items():
    print(each, written.caption, written.p)

# %%
from core.models.images.occluded_picture import word_drops

for each, written in captions.items():
    print(each, word_drops(models[each].network, given, written.ids))

# %%
from core.models.images.held_out_scenes import held_out_scenes, right_to_the_word

for each, model in models.items():
    print(each, right_to_the_word(model, held_out_scenes("unseen combinations", 200)).sum())

# %%
from core.figures.images.captions import attention_figure
from core.figures.show import draw

draw(attention_figure(captions["recurrent"].weights[0, 0, 1]))
