# %% [markdown]
# A transformer translates: what it writes, and which input word one head attends to for each output word.

# %% parameters
name = "transformer_french"  # or "transformer_dutch"
words = ["the", "queen", "sold", "the", "white", "car", "."]
layer, head = 2, 2  # counted from 1
broken = ""  # or "without_cross_attention", "without_mask"

# %%
from core.models.transformers import broken_encoder_decoder
from core.models.transformers.transformer_translation import greedy, stored_transformer

translator = stored_transformer(name)
model = getattr(broken_encoder_decoder, broken)(translator.model) if broken else translator.model

# %%
made = greedy(model, translator.source.encode(words))
print(translator.target.decode(made.words))

# %%
weights = made.cross(layer - 1, head - 1)  # one row an output word, one column an input word
for t, row in enumerate(weights):
    print(f"{translator.target.words[made.words[t]]:15}", words[int(row.argmax())], f"{row.max():.3f}")

# %%
from core.figures.show import draw
from core.figures.translation.decoder_step import attention_heatmap

draw(attention_heatmap(weights, [translator.target.words[i] for i in made.words], words))
