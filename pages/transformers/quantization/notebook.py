# %% [markdown]
# Quantization: a GPT's matrices rounded to fewer bits, its next characters, what it writes, and its size.

# %% parameters
prompt = "My lord, I will not "
bits = 4
shared_by = "row"
outlier = False

# %%
import numpy as np

from core.models.stored_language_models import encode
from core.models.transformers.quantized_gpts import held_out_loss, quantized_model, size_of

ids = encode("char_gpt", prompt).ids
for width in (16, bits):
    model = quantized_model(width, shared_by, outlier)
    p = np.exp(model.log_probabilities(ids))
    print(width, [(model.vocabulary[i], float(p[i])) for i in np.argsort(-p)[:5]])

# %%
from core.models.generation.sampling import SamplingSettings, generate

for width in (16, bits):
    model = quantized_model(width, shared_by, outlier)
    steps = generate(model, ids, 60, SamplingSettings(temperature=0.7), seed=1)
    print(width, "".join(model.vocabulary[step.token] for step in steps))

# %%
losses = {width: held_out_loss(width, shared_by, outlier) for width in (16, 8, 7, 6, 5, 4, 3, 2)}
print("nats per character", losses)
print("bytes", sum(size_of(bits, shared_by).values()), "of", sum(size_of(16).values()))

# %%
from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw

figure = blank(340, "bits per weight", "nats per character")
figure.add_trace(scatter(x=[str(width) for width in losses], y=list(losses.values()), mode="lines+markers"))
figure.update_xaxes(type="category")
draw(figure)
