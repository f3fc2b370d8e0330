# %% [markdown]
# Every attention head of a trained model on one text, and one weight from its query and its key.

# %% parameters
name, text, most = "char_gpt", "A horse! a hors", 16
layer, head = 0, 0  # counted from 0
t, s = 15, 6  # a query's place and a key's

# %%
from core.models.self_attention.attentive_models import attentive_model

model = attentive_model(name)
read = model.read(text, most=most)
trace = model.trace(read.ids)

# %%
heads = trace.layers[layer].attention  # all heads of the layer, H in front
print(read.tokens)
print(heads.weights[head, t])  # the weights of query t

# %%
q, k = heads.query[head, t], heads.key[head, s]
print(q * k, (q * k).sum(), (q * k).sum() / len(q) ** 0.5)
print(heads.weights[head, t] @ heads.value[head])  # the head's output

# %%
from core.figures.self_attention.heads import grid_figure
from core.figures.show import draw

draw(grid_figure([each.attention for each in trace.layers]))
