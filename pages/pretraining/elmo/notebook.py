# %% [markdown]
# ELMo: the layers of a bidirectional language model, added with the weights that a task learned.

# %% parameters
words = "They plan a new plan .".split()
task = "tags"  # or "noun_or_verb", of words that can be both
reading = "mix"  # all layers; "0", "1", "2" are one layer alone, "mix→" has no right-to-left states

# %%
from core.models.pretraining.elmo import load_elmo

elmo = load_elmo()
h = elmo.layers(words)  # (3, 2, n, C): layer, direction, word, dimension

# %%
mix = elmo.mixes[task][reading]
print("weights s", mix.s, "gamma", mix.gamma)
for word, p, asked in zip(words, mix.tag_probabilities(h), elmo.asked(task, words), strict=True):
    if asked:
        print(f"{word:12} {mix.classes[p.argmax()]:5} {p.max():.2f}")

# %%
held_out = elmo.held_out[task]
for each in held_out.right:
    print(f"{each:5} error rate {1 - held_out.share(each):.1%}")

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(300, "layer", "weight s")
figure.add_trace(bar(x=[str(j) for j in mix.layers], y=mix.s))
draw(figure)
