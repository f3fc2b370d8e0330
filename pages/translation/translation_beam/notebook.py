# %% [markdown]
# Beam search for translation: keep the most probable partial translations, extend each, keep the best again.

# %% parameters
name = "translate_french_none"  # a stored translator
words = "my mother is going to bring three cakes to the girls .".split()  # the input
width = 2  # the beam width; 1 is greedy search

# %%
from core.models.translation.translate import beam, candidates, greedy, stored_translator

translator = stored_translator(name)
source = translator.source.encode(words)
alone = greedy(translator.model, source)
print(alone.log_probability, *translator.target.decode(alone.words))

# %%
history = beam(translator.model, source, width)
for found in history[-1]:
    print(found.log_probability, *translator.target.decode(found.words))

# %%
from core.figures.generation.beam_search import beam_payload
from core.figures.generation.generation_tree import small_tree
from core.figures.show import draw
from core.models.translation.beam_history import search_tree

tree = search_tree(candidates(translator.model, source, width), width)
names = translator.target.words
draw(small_tree(beam_payload(tree, names, lambda ids: " ".join(names[i] for i in ids), len(history))))
