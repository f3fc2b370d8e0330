"""Hidden Markov models: the subject's title, and its lessons in order."""

from pages.hidden_markov_models import (
    decoding_duel,
    hidden_markov_model,
    hmm_counting,
    hmm_tables,
    tagging,
    viterbi,
    viterbi_by_hand,
)

TITLE = "Hidden Markov models"
LESSONS = (
    hidden_markov_model,
    hmm_counting,
    tagging,
    viterbi,
    viterbi_by_hand,
    decoding_duel,
    hmm_tables,
)
