# %% [markdown]
# Preferences: rewards from a ranking, the policy that DPO trains, and its optimum in closed form.

# %% parameters
sentences = ["there was great joy in the house.", "he took all the gold.", "he put the men to death."]
beta = 0.3
sure = 0.9
untied = False

# %%
import numpy as np

from core.models.generation.direct_preference import best_policy, divergence, fit_dpo
from core.models.generation.preferences import fit_bradley_terry, rank_votes
from core.models.generation.preferred_sentences import expected_quality, reference

start, votes = reference(sentences), rank_votes(len(sentences), sure)
rewards = fit_bradley_terry(votes, np.eye(len(sentences)))
print("rewards", rewards.round(3))

# %%
exact = best_policy(np.zeros_like(start) if untied else start, rewards, beta)
trained = fit_dpo(print, start, votes, beta, not untied)
for sentence, *p in zip(sentences, np.exp(start), np.exp(exact), np.exp(trained.log_policy), strict=True):
    print(sentence, [round(float(each), 4) for each in p])
print("KL", divergence(trained.log_policy, start), expected_quality(trained.log_policy, sentences))

# %%
from core.figures.figure import Figure, bar
from core.figures.show import draw

draw(Figure(bar(x=sentences, y=np.exp(trained.log_policy))))
