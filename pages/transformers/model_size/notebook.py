# %% [markdown]
# Count a transformer's parameters, operations and cache from its shape, and fit a power law to four losses.

# %% parameters
model = "GPT-3"
tokens = 1024

# %%
from core.models.transformers.published_shapes import published_shapes
from core.models.transformers.transformer_size import (
    cached_numbers,
    overtaken_at,
    parameter_parts,
    parameters,
    reading_operations,
    without_embeddings,
)

shape = next(each.shape for each in published_shapes() if each.name == model)
print(shape)
print(parameter_parts(shape), parameters(shape))
print(reading_operations(shape, tokens), overtaken_at(shape), cached_numbers(shape, tokens))

# %%
import numpy as np

from core.models.transformers.model_sizes import sized_runs
from core.models.transformers.power_law import exponent_interval, fit_power_law

runs = sized_runs()
sizes = [without_embeddings(run.shape) for run in runs]
print(fit_power_law(sizes, [run.loss for run in runs]))
print(exponent_interval(sizes, np.stack([run.by_piece for run in runs])))

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

parts = parameter_parts(shape)
figure = blank(300, y="parameters")
figure.add_trace(bar(x=list(parts), y=list(parts.values())))
draw(figure)
