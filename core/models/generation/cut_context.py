"""A language model that sees a few tokens and nothing before them: not even that a text begins there.

    p(w | the last k tokens), in the middle of a text

Models here read every text after the token that ends a line. Where a context is cut in the middle of a text no line
begins, so what is cut is read without that token: by a network as it reads the windows of its training, which
begin anywhere; by counts as the n-gram of k + 1 tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from core.models.language_model import LanguageModel
from core.models.n_grams.ngram import kneser_ney
from core.models.neural_language_model import NeuralLanguageModel, log_softmax
from core.models.stored_language_models import CountedLanguageModel

AT_ONCE = 256  # windows that a network reads together


def log_probabilities_after(model: LanguageModel, tokens: Sequence[int]) -> np.ndarray:
    """Return ln p(next | exactly these tokens, at least one), (V,)."""
    if isinstance(model, NeuralLanguageModel):
        with torch.inference_mode():
            logits, _ = model.network(torch.tensor([list(tokens)]), None)
        return log_softmax(logits[0, -1].numpy())
    if isinstance(model, CountedLanguageModel):
        return kneser_ney(model.model.counts, min(len(tokens) + 1, model.model.order)).log_probabilities(
            tokens
        )
    return model.log_probabilities(tokens)


def log_probabilities_at_each(model: LanguageModel, tokens: Sequence[int], alone: bool = False) -> np.ndarray:
    """Return ln p(next | exactly the tokens until t, at least one) at each place of a window, (T, V); a network reads once.

    `alone`: each time the last of these tokens alone is shown.

    >>> from core.models.language_model import UniformModel
    >>> np.exp(log_probabilities_at_each(UniformModel(("a", "b")), [0, 1])).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    if isinstance(model, NeuralLanguageModel):
        with torch.inference_mode():
            read = torch.tensor([[token] for token in tokens] if alone else [list(tokens)])
            logits, _ = model.network(read, None)
        return np.array([log_softmax(each) for each in logits.reshape(len(tokens), -1).numpy()])
    first = range(len(tokens)) if alone else [0] * len(tokens)
    return np.array([log_probabilities_after(model, tokens[i : t + 1]) for t, i in enumerate(first)])


def window_log_probabilities(model: LanguageModel, windows: np.ndarray) -> np.ndarray:
    """Return ln p(w_t+1 | w_1..w_t) of each window (N, T + 1), (N, T): column t has t tokens to go by, from one on.

    >>> from core.models.language_model import UniformModel
    >>> np.exp(window_log_probabilities(UniformModel(("a", "b")), np.array([[0, 1, 1]]))).tolist()
    [[0.5, 0.5]]
    """
    if isinstance(model, NeuralLanguageModel):
        parts = torch.from_numpy(np.asarray(windows)).split(AT_ONCE)
        return np.concatenate([network_log_probabilities(model, part) for part in parts])
    if isinstance(model, CountedLanguageModel):
        return counted_log_probabilities(model, windows)
    return np.array(
        [[model.log_probabilities(w[:t].tolist())[w[t]] for t in range(1, len(w))] for w in windows]
    )


@torch.inference_mode()
def network_log_probabilities(model: NeuralLanguageModel, windows: torch.Tensor) -> np.ndarray:
    """Return what a network gives each window's targets, (N, T), read as in training: shifted by one."""
    logits, _ = model.network(windows[:, :-1], None)
    ln_p = torch.log_softmax(logits.double(), dim=-1)
    return ln_p.gather(2, windows[:, 1:, None])[..., 0].numpy()


def counted_log_probabilities(model: CountedLanguageModel, windows: np.ndarray) -> np.ndarray:
    """Return what counts give each window's targets, (N, T): after t tokens by the (t + 1)-gram, as far as counted."""
    longest, T = model.model.order, windows.shape[1] - 1
    found = np.empty((len(windows), T))
    for n in range(2, min(longest, T + 1) + 1):
        ngram = kneser_ney(model.model.counts, n)
        # An n-gram looks back n - 1 tokens, so from column n - 1 on no window sees the one before it.
        found[:, n - 2 :] = ngram.token_log_probabilities(windows.ravel()).reshape(windows.shape)[:, n - 1 :]
    return found


@torch.inference_mode()
def log_probabilities_after_each(model: NeuralLanguageModel, contexts: np.ndarray) -> np.ndarray:
    """Return ln p(next | exactly these k tokens) of each context (N, k), (N, V); one that comes again is read once."""
    different, place = np.unique(contexts, axis=0, return_inverse=True)
    parts = torch.from_numpy(different).split(AT_ONCE)
    logits = torch.cat([model.network(part, None)[0][:, -1] for part in parts])
    return torch.log_softmax(logits.double(), dim=-1).numpy()[place.ravel()]


def last_log_probabilities(model: LanguageModel, windows: np.ndarray) -> np.ndarray:
    """Return ln p(w_k+1 | w_1..w_k) of each window (N, k + 1), (N,)."""
    if not isinstance(model, NeuralLanguageModel):
        return window_log_probabilities(model, windows)[:, -1]
    return log_probabilities_after_each(model, windows[:, :-1])[np.arange(len(windows)), windows[:, -1]]


def with_short_context(model: LanguageModel, ids: Sequence[int], k: int) -> np.ndarray:
    """Return ln p of every token of a text seen from the last k before it alone, (n,).

    The first k tokens have fewer before them: these are read as they are, at the beginning of the text.
    """
    beginning = model.token_log_probabilities(ids[:k])
    if len(ids) <= k:
        return beginning
    windows = np.lib.stride_tricks.sliding_window_view(np.array(ids), k + 1)  # (n - k, k + 1)
    return np.concatenate([beginning, last_log_probabilities(model, windows.copy())])
