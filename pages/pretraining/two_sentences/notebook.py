# %% [markdown]
# Two sentences as one input: the vectors that are added, the class vector, and p(is next).

# %% parameters
a = "Ruth took an apple in her hand and asked for the price."
b = "The farmer said that it cost two coins."
segments = (0, 1)
separated = True  # False: without [SEP]

# %%
from core.models.pretraining.sentence_pairs import stored_sentence_pairs

model = stored_sentence_pairs()
pair = model.read(a, b, segments, separated)
trace = model.trace(pair)
print(trace.summed.shape, trace.c.shape, trace.p_next)

# %%
swapped = model.trace(model.read(b, a, segments, separated))
print(swapped.p_next)

# %%
from core.figures.pretraining.sentence_pairs import input_figure
from core.figures.show import draw

draw(input_figure(trace, [model.vocabulary[i] for i in pair.ids]))
