# %% [markdown]
# A GPT opened: every tensor between the ids and the next token's probabilities, and the same without one part.

# %% parameters
name = "word_gpt"  # or "char_gpt"
text = "The people of Israel went out of the land of"
most, t = 64, -1  # tokens read at most, and the token that is looked at
stage, part = 1, "feed_forward"  # what is left out; or "attention", or 0, "positions"

# %%
from core.models.self_attention.attentive_models import attentive_model
from core.models.transformers.opened_gpt import open_gpt, without_part

model = attentive_model(name)
read = model.read(text, most=most)
opened = open_gpt(model.network, read.ids)

# %%
for number, parts in enumerate(opened.stages):
    for key, each in parts.items():
        print(number, key, {matrix: tuple(tensor.shape) for matrix, tensor in vars(each).items()})

# %%
print(read.tokens)
print(opened.added()[:, :, t])  # lengths of what is added, a row per block: attention, feed-forward

# %%
p = opened.stages[-1]["output"].probabilities[t]
print(p.sum(), [(model.vocabulary[i], p[i].item()) for i in p.argsort(descending=True)[:8].tolist()])

# %%
without = open_gpt(without_part(model.network, stage, part), read.ids)
print(
    (without.stages[-1]["output"].probabilities[t] - p).abs().sum() / 2
)  # how much of the probability moves

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

lengths = opened.added()[:, :, t].numpy()  # a row per block
blocks = [f"block {k + 1}" for k in range(len(lengths))]
figure = blank(260, y="length of the added vector")
for kind, values in zip(("attention", "feed-forward"), lengths.T, strict=True):
    figure.add_trace(bar(x=blocks, y=values, name=kind))
draw(figure)
