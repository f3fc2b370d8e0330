"""Fine-tuning: a task layer on a pretrained network, and both trained on a few labelled sentences.

    h_1 .. h_T = body(x_1 .. x_T)                       the last layer's vectors, normalised
    h          = 1/T sum_t h_t                          one vector a sentence: their mean
    p          = softmax(h W + b)                       a probability for each of K classes
    L          = -1/B sum ln p_y                        y: the label

    fine-tuned      the body begins pretrained; body, W and b are trained
    frozen          the body stays as it was pretrained; only W and b are trained
    from scratch    the body begins with random weights; body, W and b are trained

BERT puts a token [CLS] before the text and reads its vector. The course's masked model was pretrained without one, so
such a token's vector would have to be learnt from the few labelled sentences alone; the mean needs nothing new.

Sources: Devlin, Chang, Lee and Toutanova (2019), BERT, 3.2; Howard and Ruder (2018), Universal Language Model
Fine-tuning for Text Classification; Reimers and Gurevych (2019), Sentence-BERT, for the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.self_attention.gpt import GPT
from core.models.self_attention.masked_language_model import masked_network, stored_masked_model
from core.models.stored import load_json

FINE_TUNED, FROZEN, SCRATCH = "fine-tuned", "frozen", "from scratch"
WAYS = (FINE_TUNED, FROZEN, SCRATCH)
MODEL = "word_masked"
TOKENS_READ = 64  # of a sentence or document: what comes after is not read


def padded(texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Return token ids of several texts as one (B, T), and where a token is there and no padding, (B, T).

    >>> ids, there = padded([[5, 6, 7], [8]])
    >>> ids.tolist(), there.tolist()
    ([[5, 6, 7], [8, 0, 0]], [[True, True, True], [True, False, False]])
    """
    lengths = torch.tensor([len(each) for each in texts])
    there = torch.arange(int(lengths.max())) < lengths[:, None]
    ids = torch.zeros(there.shape, dtype=torch.long)
    ids[there] = torch.tensor([token for each in texts for token in each])
    return ids, there


def last_vectors(body: GPT, ids: Tensor, there: Tensor) -> Tensor:
    """Return the normalised vectors after the last layer, (B, T, C); no token looks at padding."""
    x = body.token_embedding(ids) + body.position_embedding(torch.arange(ids.shape[1]))  # (B, T, C)
    for block in body.blocks:
        q, k, v = block.attention.query_key_value(block.norm_before_attention(x))  # (B, H, T, d)
        context = functional.scaled_dot_product_attention(q, k, v, attn_mask=there[:, None, None, :])
        x = x + block.attention.project(context.transpose(1, 2).flatten(2))
        x = x + block.feed_forward(block.norm_before_feed_forward(x))
    return body.final_norm(x)


def mean_vectors(h: Tensor, there: Tensor) -> Tensor:
    """Return the mean of each text's vectors (B, T, C), padding left out, (B, C).

    >>> h = torch.tensor([[[1.0, 2.0], [3.0, 8.0], [9.0, 9.0]]])
    >>> mean_vectors(h, torch.tensor([[True, True, False]])).tolist()
    [[2.0, 5.0]]
    """
    return (h * there[..., None]).sum(1) / there.sum(1, keepdim=True)


class SentenceClassifier(nn.Module):
    """A body that reads and a task layer that decides; the layer begins at zero: every class is as likely."""

    def __init__(self, body: GPT, classes: int):
        super().__init__()
        self.body, self.task = body, nn.Linear(body.config.width, classes)
        nn.init.zeros_(self.task.weight)
        nn.init.zeros_(self.task.bias)

    def vectors(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """Return one vector a text, (B, C)."""
        ids, there = padded(texts)
        return mean_vectors(last_vectors(self.body, ids, there), there)

    def forward(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """Return the logits h W + b, (B, K)."""
        return self.task(self.vectors(texts))


def classifier(way: str, classes: int, seed: int, frozen_layers: int = 0) -> SentenceClassifier:
    """Return the classifier of a way before its first step; `frozen_layers` of a trained body stay as they are.

    With a first layer the embeddings are frozen too, with the last one the final norm: then nothing of it moves.
    """
    torch.manual_seed(seed)
    pretrained = stored_masked_model(MODEL).network
    body = masked_network(load_json(MODEL, "encoder")) if way == SCRATCH else deepcopy(pretrained)
    body.requires_grad_(way != FROZEN)
    if frozen_layers:
        for part in (body.token_embedding, body.position_embedding, *body.blocks[:frozen_layers]):
            part.requires_grad_(False)
    if frozen_layers == len(body.blocks):
        body.final_norm.requires_grad_(False)
    return SentenceClassifier(body, classes)


def token_ids(texts: Sequence[str]) -> list[list[int]]:
    """Return the tokens of texts as the masked model reads them; one without any is read as <mask>."""
    model = stored_masked_model(MODEL)
    return [model.pairs.encode(text)[:TOKENS_READ] or [model.mask] for text in texts]
