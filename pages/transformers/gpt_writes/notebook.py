# %% [markdown]
# A GPT that writes with a KV cache, and how well a model copies random tokens that it reads twice.

# %% parameters
name = "word_gpt"  # or "char_gpt"
ids = [10, 310, 259, 436, 407, 278]  # the prompt's tokens: ↵ And the king said to
length = 8
temperature, k, p, seed = 0.0, 0, 1.0, 1
keep = True  # False throws the cache away
reader = "word_gpt"  # what reads random tokens twice: "word_gpt", "char_gpt" or "copier"
T = 24

# %%
from core.models.generation.sampling import SamplingSettings
from core.models.self_attention.attentive_models import attentive_model
from core.models.transformers.cached_writing import largest_difference, write_with_cache

model = attentive_model(name)
written = write_with_cache(model.network, ids, length, SamplingSettings(temperature, k, p), seed, keep)
print([model.vocabulary[each.token] for each in written])
print(
    "largest difference of a logit from reading everything again:",
    largest_difference(model.network, ids, written),
)

# %%
keys, values = written[-1].cache[0]  # of layer 1: (1, heads, tokens, dimensions of a head)
print(keys.shape, values.shape)

# %%
from core.models.transformers.copier import stored_copier
from core.models.transformers.copying import copying, repeated, with_mark

copies = stored_copier() if reader == "copier" else attentive_model(reader)
found = copying(copies.network, with_mark(copies, repeated(len(copies.vocabulary), T)))
print("bits per token, first and second time:", found.first.mean(), found.second.mean())
print("highest score of a head:", found.scores.max())

# %%
from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw

figure = blank(300, x="token of the half", y="bits")
for label, bits in (("first time", found.first), ("second time", found.second)):
    figure.add_trace(scatter(x=list(range(2, T + 1)), y=bits.mean(0), name=label))
draw(figure)
