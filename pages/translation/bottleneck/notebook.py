# %% [markdown]
# Accuracy against length: the same held-out sentences with attention and with one vector for the whole sentence.

# %% parameters
score = "additive"  # of the model with attention; or "dot", "general"
lengths = [5, 10, 15, 20, 25]  # words of the English sentence
seed = 1

# %%
from core.models.translation.accuracy_by_length import pairs_of
from core.models.translation.bottleneck import attempts, exact_match_interval
from core.models.translation.translate import stored_translator

models = {"with attention": f"translate_french_{score}", "without attention": "translate_french_none"}
translators = {name: stored_translator(model) for name, model in models.items()}

# %%
measured = {name: {} for name in models}
for length in lengths:
    pairs = pairs_of(seed, 0, length)  # the first 5 of those on the page
    for name, translator in translators.items():
        measured[name][length] = exact_match_interval(
            [attempt.right for attempt in attempts(translator, pairs)]
        )
measured

# %%
from core.figures.blank import blank
from core.figures.palette import BLUE, PINK
from core.figures.share_line import share_line
from core.figures.show import draw

figure = blank(390, "words of the English sentence", "equal to the reference")
for (name, estimates), colour in zip(measured.items(), (BLUE, PINK), strict=True):
    figure.add_trace(share_line(name, estimates, colour))
draw(figure)
