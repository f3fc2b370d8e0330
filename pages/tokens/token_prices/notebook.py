# %% [markdown]
# What a sentence costs in two languages: characters, bytes, and tokens of GPT-2.

# %% parameters
first = "All human beings are born free and equal in dignity and rights."
other = "Tous les êtres humains naissent libres et égaux en dignité et en droits."

# %%
from core.models.tokens.gpt2_tokenizer import gpt2_pairs
from core.models.tokens.token_prices import measure_sentences, premiums, sentences_in_context

costs = measure_sentences({"first": first, "other": other}, gpt2_pairs())
print(costs)
print("the other one costs", premiums(costs, "first")["other"], "times as much")
print({name: sentences_in_context(cost, 1024) for name, cost in costs.items()}, "fit into 1,024 tokens")

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(340, "sentence", "tokens")
figure.add_trace(bar(x=list(costs), y=[cost.tokens for cost in costs.values()]))
draw(figure)
