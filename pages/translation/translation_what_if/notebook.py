# %% [markdown]
# Force a step of a translator onto one input word, or force its first words. What changes in the translation?

# %% parameters
name = "translate_french_additive"
words = ["the", "rich", "queen", "does", "not", "sell", "the", "white", "cars", "."]
changed_words = ["the", "rich", "queen", "does", "not", "sell", "the", "white", "cars", "."]
prefix = []  # output words to begin with
forced = {7: 2}  # output step: input word, both counted from 0

# %%
from core.models.translation.translate import greedy, onto, stored_translator

translator = stored_translator(name)
before = greedy(translator.model, translator.source.encode(words))
print(translator.target.decode(before.words), before.log_probability)

# %%
rows = {t: onto(s, len(changed_words)) for t, s in forced.items()}
source, beginning = translator.source.encode(changed_words), translator.target.encode(prefix)
after = greedy(translator.model, source, beginning, rows)
print(translator.target.decode(after.words), after.log_probability)

# %%
from core.figures.show import draw
from core.figures.translation.decoder_step import attention_heatmap

draw(attention_heatmap(after.steps.weights[0].numpy(), translator.target.decode(after.words), changed_words))
