# %% [markdown]
# One window of tokens as training examples, in one pass and prefix by prefix, and a GPT that learns to peek.

# %% parameters
name = "char_gpt"  # or "word_gpt"
ids = None  # token ids of a window, the start token first; None encodes the line
line = "To be, or"
way, steps, seed = "no mask", 20, 1  # how the second model peeks, and how both are trained
sample = (
    "micro-world"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
)

# %%
import torch

from core.models.stored_language_models import encode, stored_language_model

model = stored_language_model(name)
window = torch.tensor(ids or [model.start, *encode(name, line).ids])

# %%
from core.models.self_attention.parallel_training import apart, in_one_pass, one_by_one

together, alone = in_one_pass(model.network, window), one_by_one(model.network, window)
print(together.losses, alone.losses, apart(together, alone))
print(together.tokens_read, alone.tokens_read)

# %%
from pathlib import Path

from core.models.self_attention.fit_peeking import PeekConfig, fit_peeking
from core.text.samples.shelf import sample as shelved

text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
last = fit_peeking(lambda report: None, text[:200_000], PeekConfig(way, steps=steps, seed=seed, snapshots=1))
print("with the mask: loss in training", last.honest.training_loss, "and tested", last.honest.honest_loss)
print("peeking: loss in training", last.peeking.training_loss, "and tested", last.peeking.honest_loss)

# %%
from core.figures.self_attention.parallel_training import triangle
from core.figures.show import draw

draw(triangle([model.vocabulary[i] for i in window], together.losses.tolist()))
