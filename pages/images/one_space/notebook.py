# %% [markdown]
# Images and captions in one space: scenes ranked by a caption, the contrastive loss of a batch, and a name for a shape.

# %% parameters
sentence = "a yellow triangle above a blue ring"
seed = 1  # of the held-out scenes
unseen = False  # True: scenes with a combination that training never showed
pairs = 6  # of the batch

# %%
from core.models.images.one_space import stored_space
from core.models.images.retrieval import picture_vectors, rank_scenes
from core.pictures.scenes_in_words import gallery

model = stored_space()
scenes = gallery(60, seed * 1000, unseen)
ranking = rank_scenes(model, sentence, picture_vectors(model, scenes))
for i in ranking.order[:5]:
    print(i + 1, scenes[i].scene.caption, ranking.products[i])

# %%
from core.models.images.contrastive_loss import contrast
from core.models.images.retrieval import varied_sentences

batch = scenes[:pairs]
v = model.sentences(varied_sentences(batch))
found = contrast(picture_vectors(model, batch), v, model.network.scale)
print(found.rows, found.columns, found.loss)

# %%
from core.models.images.naming import score_sentences
from core.pictures.scenes_in_words import alone

print(score_sentences(model, alone(5)[0]).name)

# %%
from core.figures.images.one_space import cosine_figure
from core.figures.show import draw

draw(cosine_figure(found.products.numpy()))
