# %% [markdown]
# A soft look-up of one query among keys and their values, and its answer to every query between them.

# %% parameters
points = "6: 9, 9: 13, 12: 19, 14: 21, 17: 18, 21: 12"
query, bandwidth, way = 10.0, 3.0, "gaussian"  # "exact", "gaussian", "boxcar" or "triangle"

# %%
import numpy as np

from core.models.translation.kernel_smoothing import dictionary_lookup, soft_lookup
from core.text.reading.entries import read_points

keys, values = map(np.array, read_points(points))


def look_up(queries):
    """Return weights and results of several queries."""
    if way == "exact":
        return dictionary_lookup(queries, keys, values)
    return soft_lookup(queries, keys, values, bandwidth, way)


found = look_up(np.array([query]))
for key, value, weight in zip(keys, values, found.weights[0], strict=True):
    print(f"key {key:g}, value {value:g}: weight {weight:.4f}")
print("answer:", found.result[0])

# %%
from core.models.translation.kernel_smoothing import softmax

print("the Gaussian's weights as a softmax:", softmax(-((query - keys) ** 2) / (2 * bandwidth**2)).round(4))

# %%
from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw

queries = np.linspace(keys.min() - 1, keys.max() + 1, 400)
answers = [float(each) if np.isfinite(each) else None for each in look_up(queries).result]
figure = blank(380, "query", "result")
figure.add_trace(scatter(x=queries, y=answers, mode="lines", name=way))
figure.add_trace(scatter(x=keys, y=values, mode="markers", name="keys and values"))
draw(figure)
