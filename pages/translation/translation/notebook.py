# %% [markdown]
# Translate a sentence with a trained encoder-decoder, and read off which input word each output word attends to.

# %% parameters
name = "translate_french_additive"
words = ["the", "rich", "queen", "does", "not", "sell", "the", "white", "cars", "."]
uniform, late = False, False  # the same weight on every input word, or attention one place too far right

# %%
from dataclasses import replace

from core.models.translation.broken_attention import with_late_attention, with_uniform_attention
from core.models.translation.translate import greedy, stored_translator

translator = stored_translator(name)
if uniform or late:
    change = with_uniform_attention if uniform else with_late_attention
    translator = replace(translator, model=change(translator.model))

# %%
made = greedy(translator.model, translator.source.encode(words))
print(translator.target.decode(made.words), made.log_probability)
weights = made.steps.weights[0]  # one row per output word, one column per input word
for word, row in zip(translator.target.decode(made.words), weights, strict=False):
    print(f"{word:15}", words[int(row.argmax())], f"{float(row.max()):.3f}")

# %%
from core.figures.show import draw
from core.figures.translation.decoder_step import attention_heatmap

draw(attention_heatmap(weights.numpy(), translator.target.decode(made.words), words))
