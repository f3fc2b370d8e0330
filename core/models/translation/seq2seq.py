"""An encoder-decoder with attention: one network reads a sentence, another writes its translation.

    encoder    h̄_s  = GRU(x_s, h̄_{s-1})             a state for every input word, from both directions
    decoder    h_0  = tanh(W_0 h̄_last)
               h_t  = GRU(y_{t-1}, h_{t-1})          a state for every output word
    score      e_ts = h_t . h̄_s                      dot
                    = h_t . W_a h̄_s                  general
                    = v_a . tanh(W_a h_t + U_a h̄_s)  additive
    weights    a_ts = exp(e_ts) / sum_s' exp(e_ts')  over the input words that are not padding
    context    c_t  = sum_s a_ts h̄_s
    attention  h̃_t  = tanh(W_c [c_t; h_t])           the attentional state
    output     p(y_t | y_<t, x) = softmax(W_s h̃_t)

An encoder that is not bidirectional reads from the beginning only.

Without attention ("none") every step has the same context, the encoder's last state: all that is known of the
sentence must pass through it.

Names are those of Luong et al. (2015), Effective Approaches to Attention-based Neural Machine Translation.
The additive score is that of Bahdanau et al. (2015), Neural Machine Translation by Jointly Learning to Align
and Translate, who score the decoder's state before the step, s_{t-1}; here, as in Luong, it is the state h_t
that has read y_{t-1}, for all scores alike. In both, row t of the weights belongs to the word y_t that is
being written. Shapes: B sentences, S input words, T output words, H numbers a state.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

SCORES = ("none", "dot", "general", "additive")
PADDING, START, END = 0, 1, 2


@dataclass(frozen=True)
class Seq2SeqConfig:
    """The shape of an encoder-decoder: words on either side, numbers a word, numbers a state, and the score."""

    source_words: int
    target_words: int
    embedding: int = 64
    hidden: int = 192
    score: str = "additive"
    bidirectional: bool = True
    dropout: float = 0.0


@dataclass(frozen=True)
class Encoded:
    """What the encoder leaves: `states` h̄ (B, S, H), `last` (B, H), and `mask` (B, S), True where a word is."""

    states: Tensor
    last: Tensor
    mask: Tensor


@dataclass(frozen=True)
class Decoded:
    """Every quantity of T decoder steps.

    `state` h, `context` c and `attentional` h̃ are (B, T, H); `scores` e and `weights` a are (B, T, S), None
    without attention (scores are -inf on padding); `logits` W_s h̃ are (B, T, V).
    """

    state: Tensor
    scores: Tensor | None
    weights: Tensor | None
    context: Tensor
    attentional: Tensor
    logits: Tensor

    @property
    def probabilities(self) -> Tensor:
        """p(y_t | y_<t, x), (B, T, V)."""
        return self.logits.softmax(-1)


def dot_scores(query: Tensor, key: Tensor) -> Tensor:
    """Return e_ts = h_t . h̄_s, (B, T, S), of queries h (B, T, H) and keys h̄ (B, S, H).

    >>> dot_scores(torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[3.0, 4.0], [0.0, 1.0]]]))
    tensor([[[11.,  2.]]])
    """
    return query @ key.mT


def general_scores(query: Tensor, key: Tensor, W_a: Tensor) -> Tensor:
    """Return e_ts = h_t . W_a h̄_s, (B, T, S); also called multiplicative or bilinear. W_a is (H, H).

    >>> swap = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    >>> general_scores(torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[3.0, 4.0]]]), swap)
    tensor([[[10.]]])
    """
    return query @ (key @ W_a.mT).mT


def additive_scores(query: Tensor, key: Tensor, W_a: Tensor, U_a: Tensor, v_a: Tensor) -> Tensor:
    """Return e_ts = v_a . tanh(W_a h_t + U_a h̄_s), (B, T, S): a small network with one hidden layer.

    >>> one = torch.eye(1)
    >>> additive_scores(torch.zeros(1, 1, 1), torch.tensor([[[0.5], [0.0]]]), one, one, torch.ones(1))
    tensor([[[0.4621, 0.0000]]])
    """
    return torch.tanh((query @ W_a.mT).unsqueeze(2) + (key @ U_a.mT).unsqueeze(1)) @ v_a


def attention_weights(scores: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Return the scores with -inf on padding, and a_ts = exp(e_ts) / sum_s' exp(e_ts').

    `scores` is (B, T, S) and `mask` (B, S), True where a word is. Each row of weights sums to one.

    >>> attention_weights(torch.zeros(1, 1, 4), torch.tensor([[True, True, False, False]]))[1]
    tensor([[[0.5000, 0.5000, 0.0000, 0.0000]]])
    """
    scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    return scores, scores.softmax(-1)


class AttentionScore(nn.Module):
    """How well each input word's state answers the decoder's state: dot, general or additive."""

    def __init__(self, kind: str, hidden: int):
        super().__init__()
        self.kind = kind
        if kind in ("general", "additive"):
            self.W_a = nn.Parameter(torch.randn(hidden, hidden) * hidden**-0.5)
        if kind == "additive":
            self.U_a = nn.Parameter(torch.randn(hidden, hidden) * hidden**-0.5)
            self.v_a = nn.Parameter(torch.randn(hidden) * hidden**-0.5)

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """Return the scores e (B, T, S) of queries (B, T, H) and keys (B, S, H)."""
        if self.kind == "dot":
            return dot_scores(query, key)
        if self.kind == "general":
            return general_scores(query, key, self.W_a)
        return additive_scores(query, key, self.W_a, self.U_a, self.v_a)


class Seq2Seq(nn.Module):
    """The encoder-decoder. It keeps nothing of a sentence: `encode` and `decode` return all they computed."""

    def __init__(self, config: Seq2SeqConfig):
        super().__init__()
        if config.score not in SCORES:
            raise ValueError(f"The score must be one of {', '.join(SCORES)}, not {config.score!r}.")
        self.config = config
        H, directions = config.hidden, 1 + config.bidirectional
        self.source_embedding = nn.Embedding(config.source_words, config.embedding, PADDING)
        self.target_embedding = nn.Embedding(config.target_words, config.embedding, PADDING)
        self.encoder = nn.GRU(
            config.embedding, H // directions, batch_first=True, bidirectional=config.bidirectional
        )
        self.decoder = nn.GRU(config.embedding, H, batch_first=True)
        self.W_0 = nn.Linear(H, H)
        self.score = None if config.score == "none" else AttentionScore(config.score, H)
        self.W_c = nn.Linear(2 * H, H, bias=False)
        self.W_s = nn.Linear(H, config.target_words, bias=False)
        self.dropout = nn.Dropout(config.dropout)

    def encode(self, source: Tensor) -> Encoded:
        """Read the input words, ids (B, S) with 0 as padding at the end, and return their states."""
        mask = source != PADDING
        embedded = self.dropout(self.source_embedding(source))
        packed = nn.utils.rnn.pack_padded_sequence(
            embedded, mask.sum(1).cpu(), batch_first=True, enforce_sorted=False
        )
        states, last = self.encoder(packed)
        states, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True, total_length=source.shape[1])
        return Encoded(states, last.transpose(0, 1).flatten(1), mask)

    def first_state(self, encoded: Encoded) -> Tensor:
        """Return h_0 = tanh(W_0 h̄_last), (B, H), where the decoder begins."""
        return torch.tanh(self.W_0(encoded.last))

    def decode(
        self, previous: Tensor, state: Tensor, encoded: Encoded, forced: Tensor | None = None
    ) -> Decoded:
        """Take T steps: read the words y_{t-1} in `previous`, ids (B, T), from `state` h (B, H).

        Given the right words this is teacher forcing; given one word it is one step of a search. `forced`,
        (B, T, S), replaces the attention weights wherever a row holds numbers; rows of NaN stay free.
        """
        h, _ = self.decoder(self.dropout(self.target_embedding(previous)), state.unsqueeze(0))  # B, T, H
        if self.score is None:
            scores = weights = None
            context = encoded.last.unsqueeze(1).expand_as(h)
        else:
            scores, weights = attention_weights(self.score(h, encoded.states), encoded.mask)
            if forced is not None:
                weights = torch.where(forced.isnan(), weights, forced)
            context = weights @ encoded.states  # (B, T, S) (B, S, H) -> (B, T, H)
        attentional = torch.tanh(self.W_c(torch.cat((context, h), -1)))
        return Decoded(h, scores, weights, context, attentional, self.W_s(self.dropout(attentional)))

    def forward(self, source: Tensor, previous: Tensor, forced: Tensor | None = None) -> Decoded:
        """Return all decoder steps for inputs `source` (B, S) when the words before each are `previous` (B, T)."""
        encoded = self.encode(source)
        return self.decode(previous, self.first_state(encoded), encoded, forced)


def count_trained_numbers(model: nn.Module) -> int:
    """Return how many numbers a model learns."""
    return sum(parameter.numel() for parameter in model.parameters())
