# %% [markdown]
# The logit lens: what a GPT would predict after each of its layers.

# %% parameters
name = "word_gpt"  # or "char_gpt"
text = "Let him be put to death"
most, place = 64, 5  # tokens read at most, and the token that is looked at, from 0
normed = True  # whether the final norm is used

# %%
from core.models.self_attention.attentive_models import attentive_model
from core.models.transformers.logit_lens import logit_lens, rank_of

model = attentive_model(name)
read = model.read(text, most=most)
found = logit_lens(model.network, read.ids, normed=normed)

# %%
ranks = rank_of(found.log_p, found.answers)[:, place]
for layer, token in enumerate(found.says[:, place].tolist()):
    p = float(found.log_p[layer, place, token].exp())
    print(layer, repr(model.vocabulary[token]), p, "rank of the final prediction:", int(ranks[layer]))
print("settled after", found.settled.tolist())

# %%
from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw

figure = blank(300, "layer", "rank of the final prediction")
figure.add_trace(scatter(x=list(range(len(ranks))), y=ranks.tolist(), mode="lines+markers"))
figure.update_yaxes(type="log", autorange="reversed")
draw(figure)
