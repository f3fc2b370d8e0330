# %% [markdown]
# Calibration: the reliability diagram of one of the course's models, its error, and temperature scaling.

# %% parameters
name = "bayes"
temperature = 1.0

# %%
from core.models.documents.held_out_answers import GPT, held_out_answers, reliability_of

found = reliability_of(name, temperature)
for b in range(len(found.counts)):
    if found.counts[b]:
        print(found.edges[b : b + 2], found.counts[b], found.confidence[b], found.accuracy[b])
print("expected calibration error", found.error)

# %%
if name != GPT:
    answers = held_out_answers(name)
    best = answers.temperature
    print("temperature", best, "chosen on", (~answers.measured).sum(), "answers")
    print("error at that temperature", answers.reliability(best).error)
    print("loss", answers.loss(), "to", answers.loss(best))

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(340, "confidence", "share right")
figure.add_trace(bar(x=found.edges[:-1] + 0.05, y=found.accuracy))
draw(figure)
