# %% [markdown]
# A window of text, its targets, and the loss that a language model learns from.

# %% parameters
name = "char_gpt"
text = "What is the question?"
forgetful = False  # whether each target is predicted from the character before it alone

# %%
from core.models.stored_language_models import encode, stored_language_model

model = stored_language_model(name)
ids = encode(name, text).ids

# %%
from core.models.generation.shifted_window import last_token_only, score_window

scored = score_window(model, ids, start=0, window=len(ids) - 1)
if forgetful:
    scored = last_token_only(model, scored)
print(scored.x, scored.y)

# %%
import numpy as np

print(np.exp(scored.log_probabilities), scored.loss)

# %%
from core.figures.generation.characters import shifted_figure
from core.figures.show import draw

draw(shifted_figure(scored, model.vocabulary, len(scored.y) - 1))
