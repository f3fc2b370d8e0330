# %% [markdown]
# One feed-forward neuron: where it fires, which tokens its value promotes, and the prediction without it.

# %% parameters
name = "word_gpt"  # or "char_gpt"
text = "To be, or not to"
most, t = 40, -1  # tokens read at most, and the token after which the next one is predicted
layer, neuron = 2, 303  # counted from 0

# %%
from core.models.self_attention.attentive_models import attentive_model
from core.models.transformers.key_value_neurons import firing, pushed, without_each, without_neuron

model = attentive_model(name)
read = model.read(text, most=most)
found = firing(model.network, read.ids, layer)
for token, total, activation in zip(
    read.tokens, found.sums[:, neuron], found.activations[:, neuron], strict=True
):
    print(f"{token!r:12} x.k = {total:7.2f}   activation = {activation:6.2f}")
print("active neurons at each token:", found.awake)

# %%
promoted = pushed(model.network, layer, neuron)
print([(model.vocabulary[i], round(float(promoted[i]), 2)) for i in (-promoted).argsort()[:10]])

# %%
ids = read.ids[: len(read.ids) if t == -1 else t + 1]
with_all = model.network(ids[None])[0][0, -1].double().softmax(-1)
without = without_neuron(model.network, layer, neuron)(ids[None])[0][0, -1].double().softmax(-1)
for i in with_all.argsort(descending=True)[:8].tolist():
    print(f"{model.vocabulary[i]!r:12} {with_all[i]:.3f}   without the neuron {without[i]:.3f}")
print("share of the probability that moves:", ((with_all - without).abs().sum() / 2).item())

# %%
best = int(with_all.argmax())
gains = with_all.log()[best].item() - without_each(model.network, ids, layer)[:, best]
print([(int(i) + 1, round(float(gains[i]), 3)) for i in (-gains).argsort()[:8]])  # neurons counted from 1

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(260, y="activation")
figure.add_trace(bar(x=list(range(len(read.tokens))), y=found.activations[:, neuron].detach().numpy()))
figure.update_xaxes(tickvals=list(range(len(read.tokens))), ticktext=list(read.tokens))
draw(figure)
