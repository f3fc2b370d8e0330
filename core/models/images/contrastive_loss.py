"""The contrastive loss: in a batch of B pictures and B sentences, each picture is to find its own sentence, and back.

    s_ij = exp(t) u_i . v_j                       u_i: picture i, v_j: sentence j, both of length one; exp(t) = 1 / tau
    r_i = -ln softmax(s_i*)_i                     picture i chooses among the sentences: a row
    c_j = -ln softmax(s_*j)_j                     sentence j chooses among the pictures: a column
    loss = 1/2 (mean of r_i + mean of c_j)        nobody knows anything: ln B

Sources: Radford et al. (2021), Learning Transferable Visual Models From Natural Language Supervision, figure 3;
van den Oord, Li and Vinyals (2018), Representation Learning with Contrastive Predictive Coding.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Contrast:
    """A batch's loss with all that it is made of, for B pictures (rows) and B sentences (columns).

    products and similarity (B, B): u_i . v_j, without and with the scale; by_picture (B, B): each row's softmax; by_sentence
    (B, B): each column's; rows and columns (B,): -ln p of the right one; loss: their mean, a number.
    """

    scale: float
    products: Tensor
    similarity: Tensor
    by_picture: Tensor
    by_sentence: Tensor
    rows: Tensor
    columns: Tensor
    loss: Tensor


def contrast(pictures: Tensor, sentences: Tensor, scale: Tensor | float) -> Contrast:
    """Return the loss of a batch of pictures and sentences, each (B, E); row i of one belongs to row i of the other.

    The second sentence is as near to the first picture as the first is, so that picture has ln 2 to pay, in its row.

    >>> found = contrast(torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0], [1.0, 0.0]]), scale=2.0)
    >>> [[round(each, 3) for each in losses.tolist()] for losses in (found.rows, found.columns)]
    [[0.693, 0.693], [0.127, 2.127]]
    """
    products = pictures @ sentences.T  # (B, B)
    similarity = scale * products
    log_rows, log_columns = similarity.log_softmax(1), similarity.log_softmax(0)
    rows, columns = -log_rows.diagonal(), -log_columns.diagonal()
    loss = (rows.mean() + columns.mean()) / 2
    return Contrast(
        torch.as_tensor(scale).item(),
        products,
        similarity,
        log_rows.exp(),
        log_columns.exp(),
        rows,
        columns,
        loss,
    )


def loss_at(products: Tensor, scale: float) -> float:
    """Return the loss of a batch whose products (B, B) are multiplied by another number.

    >>> round(loss_at(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), scale=0.0), 4)
    0.6931
    """
    return float(contrast(products, torch.eye(len(products)), scale).loss)
