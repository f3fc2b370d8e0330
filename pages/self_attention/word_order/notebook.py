# %% [markdown]
# A text and its shuffle under one model, with positions and without: how far each output moves.

# %% parameters
name = "word_masked"  # or "word_gpt", "char_gpt"
text = "The king saw the man, and the man did not see the king."
seed, layer, head = 1, 0, 0

# %%
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.word_order import shuffle, shuffle_places, without_positions

model = attentive_model(name)
ids = model.read(text).ids
order = shuffle_places(len(ids), seed, len(model.before))

# %%
for network in (model.network, without_positions(model.network)):
    print(shuffle(network, ids, order, layer, head).moved)  # |f(w) - f(shuffled)| / |f(w)| for each token

# %%
from core.models.self_attention.ablation import mean_bits

print(mean_bits(model, [ids]), mean_bits(model, [ids], without_positions(model.network)))  # bits per token

# %%
from core.figures.self_attention.word_order import moved_tokens
from core.figures.show import draw

whole = shuffle(model.network, ids, order, layer, head)
names = [model.vocabulary[i] for i in ids]
draw(moved_tokens(whole.moved, names, "share of the output's length"))  # with positions
