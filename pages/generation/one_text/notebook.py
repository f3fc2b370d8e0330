# %% [markdown]
# Every kind of character model on one text: bits per character on the same held-out part.

# %% parameters
sample = "the-lighthouse"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
steps, seed = 5, 1  # of each network's training

# %%
from pathlib import Path

from core.models.generation.one_text import READ_AT_MOST, count_each, fit_networks
from core.text.samples.shelf import sample as shelved

text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
text = text[:READ_AT_MOST]
scores = count_each(text)


# %%
def report(now):
    """Print how far the training is."""
    print(now.network, now.step, "of", now.steps)


scores += fit_networks(report, text, steps=steps, seed=seed)

# %%
for score in scores:
    print(score.name, score.held_out_bits, score.training_bits, score.seconds, score.size)

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(360, "bits per character, held out (lower is better)")
figure.add_trace(
    bar(y=[score.name for score in scores], x=[score.held_out_bits for score in scores], orientation="h")
)
draw(figure)
