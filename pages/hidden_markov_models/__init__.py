"""HMMs and parsing: the lessons of the subject in order."""

from pages.hidden_markov_models import (
    cky,
    crf,
    decoding_duel,
    hidden_markov_model,
    hmm_counting,
    hmm_tables,
    tagging,
    viterbi,
    viterbi_by_hand,
)

LESSONS = (
    hidden_markov_model,
    hmm_counting,
    tagging,
    viterbi,
    viterbi_by_hand,
    decoding_duel,
    hmm_tables,
    crf,
    cky,
)
