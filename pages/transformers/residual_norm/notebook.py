# %% [markdown]
# A residual stream, sublayer by sublayer, and six small GPTs that were trained with and without a piece.

# %% parameters
name = "whole (pre-norm)"  # a key of FORMS, or "word_gpt", "char_gpt"
text = "ROMEO:\nI will not go to the kin"
most, t = 64, -1  # tokens read at most, and the token that is looked at
token = 45  # of the vocabulary: the one whose logit is split

# %%
from core.models.self_attention.attentive_models import attentive_model
from core.models.transformers.ablated_gpt import FORMS
from core.models.transformers.ablated_gpts import costs, stored_ablated_gpt, stored_trainings
from core.models.transformers.residual_stream import cosine, read_stream, shares_of_logit

model = stored_ablated_gpt(name) if name in FORMS else attentive_model(name)
read = model.read(text, most=most)
stream = read_stream(model.network, read.ids)

# %%
print("start", stream.start[t].norm().item())
for write in stream.writes:
    added, before, after = (x[t] for x in (write.added, write.before, write.after))
    print(write.part, added.norm().item(), cosine(added, before).item(), after.norm().item())

# %%
shares = shares_of_logit(stream, model.network, t, token)
print(model.vocabulary[token], dict(zip(stream.parts, shares.tolist(), strict=True)), shares.sum().item())

# %%
for form, cost in costs({form: runs[0] for form, runs in stored_trainings().losses.items()}).items():
    print(form, cost)  # nats per held-out character more than the whole

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(300, y="length of the stream")
places = ["start", *(write.part for write in stream.writes)]
figure.add_trace(bar(x=places, y=stream.lengths[:, t].numpy()))
draw(figure)
