# %% [markdown]
# Three ways to learn from a few labelled sentences: fine-tuned, frozen, from scratch; and naive Bayes.

# %% parameters
own = False  # True: read sentences.tsv, the file to download next to this notebook
n = 16  # labelled sentences
rate = 1.0  # times the learning rate of the pretrained body
frozen_layers = 0
shuffled = False  # True: the labels are dealt out at random

# %%
from pathlib import Path

from core.models.pretraining.fine_tuning import WAYS
from core.models.pretraining.fine_tuning_runs import FineTuningSettings, fit, right_by_counting, task_of
from core.text.reading.labelled import read_lines
from core.text.samples.feelings import feelings

documents = read_lines(Path("sentences.tsv").read_text(encoding="utf-8")) if own else feelings()
task = task_of(documents.texts, documents.labels, documents.kinds)
settings = FineTuningSettings(n, rate, frozen_layers, shuffled)
runs = {way: fit(way, task, settings, seed=1) for way in WAYS}
counted = right_by_counting(documents.texts, documents.labels, n, seed=1, kinds=documents.kinds)
print({way: run.right.mean(axis=1) for way, run in runs.items()}, counted.mean())

# %%
fine = runs[WAYS[0]]
print(fine.masked.mean(axis=1))  # nats per hidden token, by step

# %%
from core.figures.pretraining.fine_tuning import curves_figure
from core.figures.show import draw
from core.models.pretraining.fine_tuning_measured import Measured, mean_interval

measured = {way: Measured.of([run]) for way, run in runs.items()}
draw(curves_figure(measured, mean_interval(counted.mean(keepdims=True))))
