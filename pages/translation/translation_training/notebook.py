# %% [markdown]
# Train a translator with attention, watch one sentence while it learns, and translate with the result.

# %% parameters
unit = ""  # "words" or "characters" reads your pairs.tsv beside this notebook; "" takes the course's pairs
kind, count, longest = "dates", 400, 25  # or "English–French", "English–Dutch"
watched = list("8 may 1945")  # None: the first input
score, hidden, embedding, epochs, seed = "additive", 32, 16, 2, 1

# %%
from pathlib import Path

import torch

from core.models.translation.fit_translation import fit_translation
from core.models.translation.translate import greedy
from core.text.reading.pair_files import read_pair_file
from core.text.samples.course_pairs import CoursePairs

torch.set_num_threads(1)
pairs = CoursePairs(kind, count, longest, seed)
if unit:
    pairs = read_pair_file(Path("pairs.tsv").read_bytes(), unit).pairs
watched = watched or list(next(iter(pairs)).source)

# %%


def report(shown):
    """Print where the training is; True lets it go on."""
    print(f"{shown.share:.0%} loss {shown.loss:.3f}", *shown.output)
    return True


fitted = fit_translation(report, pairs, watched, score, hidden, embedding, epochs, seed)
print(fitted.held_out)

# %%
translator = fitted.translator()
made = greedy(translator.model, translator.source.encode(watched))
print(translator.target.decode(made.words), made.steps.weights[0])

# %%
# from core.models.translation.kept_translator import from_safetensors
# translator = from_safetensors(Path("translator.safetensors").read_bytes())  # the weights that you took away

# %%
from core.figures.show import draw
from core.figures.translation.decoder_step import attention_heatmap

draw(attention_heatmap(made.steps.weights[0].numpy(), translator.target.decode(made.words), watched))
