# %% [markdown]
# Speculative decoding. A small GPT drafts, a larger GPT checks, and what is written has the larger one's distribution.

# %% parameters
prompt = "I love "
draft = "2 layers of 64"
k = 4
seed = 1
rule = "exact"

# %%
from core.models.generation.speculative_decoding import speculate, tokens_per_call, written_distribution
from core.models.stored_language_models import decode_ids, encode, stored_language_model
from core.models.transformers.model_sizes import sized_model

target = stored_language_model("char_gpt")
rounds = list(speculate(target, sized_model(draft), encode("char_gpt", prompt).ids, 40, k, seed, rule))
for each in rounds:
    drafted, written = (decode_ids("char_gpt", ids) for ids in (each.drafted, each.written))
    print(f"drafted {drafted!r}, accepted {each.accepted}, written {written!r}")

# %%
written = sum(len(each.written) for each in rounds)
places = [alpha for each in rounds for alpha in each.agreements]
alpha = sum(places) / len(places)
print(written, "characters in", len(rounds), "calls of the target:", written / len(rounds), "per call")
print("alpha", alpha, "formula", tokens_per_call(alpha, k))
p, q = rounds[0].p[0], rounds[0].q[0]
print("largest difference from p", abs(written_distribution(p, q, rule) - p).max())

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(340, "call of the target", "characters written")
figure.add_trace(bar(x=list(range(1, len(rounds) + 1)), y=[len(each.written) for each in rounds]))
draw(figure)
