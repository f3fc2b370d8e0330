# %% [markdown]
# A hidden Markov model trained by counting: each table is its counts, alpha added to each, divided by their row's sum.

# %% parameters
text = """the/DET dog/NOUN barks/VERB
the/DET old/ADJ dog/NOUN walks/VERB
dogs/NOUN bark/VERB
the/DET bark/NOUN helps/VERB
"""
alpha = 0.1
beta = 0.0
words = "the bark helps dogs".split()

# %%
from core.models.hidden_markov_models.hmm_tables import count_tagged, estimate
from core.models.hidden_markov_models.suffix_model import SuffixModel
from core.text.reading.tagged import read_tagged

sentences = read_tagged(text)
counts = count_tagged(sentences)
model = estimate(counts, alpha, beta, unknown_words=SuffixModel())

# %%
from core.models.hidden_markov_models.decoding import decode

decoded = decode(model, words)
decoded.tags(decoded.viterbi.path)

# %%
from core.figures.hidden_markov_models.paths import paths_figure
from core.figures.show import draw

draw(paths_figure(decoded.emissions.words, model.states, {"Viterbi": decoded.viterbi.path}))
