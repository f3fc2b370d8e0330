# %% [markdown]
# Learning in the context: a transformer's answer to a few examples, beside the exact Bayes predictor.

# %% parameters
prompt = "zap C, mol F, kal C, maf"

# %%
from core.models.transformers.in_context import answer, order_probabilities, stored_learner
from core.models.transformers.rule_tasks import LABELS, count_rules, predict_bayes
from core.models.transformers.written_examples import read_examples

written = read_examples(prompt)
word = 0 if written.word is None else written.word
read = answer(stored_learner(), written.examples, word)
belief = predict_bayes(written.examples, word)
print("rules that fit:", count_rules(written.examples), "places:", belief.places)
for label, model, bayes in zip(LABELS, read.labels, belief.labels, strict=True):
    print(label, round(float(model), 3), round(float(bayes), 3))

# %%
best = int(belief.labels.argmax())
orders = order_probabilities(stored_learner(), written.examples, word, best)
print("orders:", len(orders), "from", orders.min(), "to", orders.max())

# %%
from core.models.transformers.in_context import held_out_curves

curves = held_out_curves()
for name, curve in curves.items():
    print(name, curve.loss.round(2), curve.accuracy.round(2))

# %%
from core.figures.blank import blank
from core.figures.figure import scatter
from core.figures.show import draw

figure = blank(340, "examples", "bits")
for name, curve in curves.items():
    figure.add_trace(scatter(y=curve.loss, mode="lines", name=name))
draw(figure)
