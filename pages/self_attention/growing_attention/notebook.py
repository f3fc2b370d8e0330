# %% [markdown]
# Attention, grown from a plain average to a trained layer, step by step.

# %% parameters
text, most = "The king saw the queen.", 20
layer, head = 0, 0  # counted from 0
one_matrix = False  # True makes keys with the queries' matrix, in every head

# %%
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.growing_attention import grow, with_one_matrix

model = attentive_model("word_masked")
ids = model.read(text, most=most).ids

# %%
grown = grow(with_one_matrix(model.network) if one_matrix else model.network, ids, layer=layer, head=head)
for step in grown.steps:
    print(step.name, step.trace.weights)

# %%
print((grown.together.output - grown.gathered).abs().max())

# %%
from core.figures.self_attention.causal_mask import matrix_figure
from core.figures.show import draw

tokens = [model.vocabulary[i] for i in ids]
draw(matrix_figure(grown.steps[-1].trace.weights.double().numpy(), tokens))
