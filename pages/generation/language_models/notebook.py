# %% [markdown]
# The stored character models compared: bits per character on held-out plays, and on a text of your own.

# %% parameters
text = "to be or not to be"

# %%
from core.models.language_model import bits_per_character
from core.models.stored_language_models import BITS, character_models, encode, stored_language_model

for card in character_models():
    print(card.model, card.quality["parameters"], card.quality[BITS])

# %%
own = {}
for card in character_models():
    ids = encode(card.model, text).ids
    ln_p = stored_language_model(card.model).token_log_probabilities(ids)
    own[card.model] = bits_per_character(ln_p, len(ids))
    print(card.model, own[card.model])

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(360, "bits per character (lower is better)")
figure.add_trace(bar(y=list(own), x=list(own.values()), orientation="h"))
draw(figure)
