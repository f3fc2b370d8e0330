# %% [markdown]
# Random queries and keys of d dimensions: their scores and weights, not divided and divided by √d, and a GPT without √d.

# %% parameters
d, keys, seed = 64, 16, 1
sample = (
    "micro-world"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
)

# %%
from core.models.self_attention.attention_scaling import heaviest_first, random_scores, softness

scores = random_scores(d, keys=keys, seed=seed)
print("not divided:", softness(scores))
print("divided by √d:", softness(scores, scale=d**-0.5))

# %%
from core.models.self_attention.attention_scaling import query_gradients

for name, scale in (("not divided", 1.0), ("divided by √d", d**-0.5)):
    gradients = query_gradients(scores, scale)
    print(name, "gradient at q · k: mean", gradients.mean().item(), "median", gradients.median().item())

# %%
from pathlib import Path

from core.models.self_attention.ablation import mean_bits, windows, without_scaling
from core.models.self_attention.attentive_models import BACK, attentive_model
from core.text.samples.shelf import sample as shelved

text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
model = attentive_model(BACK[0])
read = windows(model, text, 2)
print("bits per token with √d:", mean_bits(model, read))
print("bits per token without √d:", mean_bits(model, read, without_scaling(model.network)))

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(380, "keys, largest first", "mean weight")
for name, scale in (("q · k", 1.0), ("q · k / √d", d**-0.5)):
    figure.add_trace(bar(x=list(range(1, keys + 1)), y=heaviest_first(scores * scale).tolist(), name=name))
draw(figure)
