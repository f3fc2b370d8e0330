# %% [markdown]
# Set an attention weight by hand, delete a token, switch a head off: what changes in the prediction?

# %% parameters
name, text, most = "word_gpt", "The people of Israel went out of the land of", 11
t = 10  # the query's place, counted from 0
edits = "2.1:11>5=1"  # layer.head:from>to=weight, counted from 1
off = []  # heads switched off, (layer, head) counted from 0
deleted = 48  # tokens at most, the nearest

# %%
from core.models.self_attention.attention_edits import effect, parse_edits
from core.models.self_attention.attentive_models import attentive_model

model = attentive_model(name)
read = model.read(text, most=most)
found = effect(model, read.ids, t, parse_edits(edits), off=off)
print(found.change)
for i in (-found.after).argsort()[:10]:
    print(model.vocabulary[i], found.before[i], found.after[i])

# %%
from core.models.self_attention.ablation import removal_changes

print(removal_changes(model, read.ids, t, most=deleted))

# %%
from core.figures.self_attention.head_effects import before_after
from core.figures.show import draw

top = (-found.after).argsort()[:10]
draw(before_after(found.before[top], found.after[top], [model.vocabulary[i] for i in top], "p"))
