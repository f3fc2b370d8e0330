"""Paragraph vectors go down the loss that torch differentiates, and what is stored is what was trained."""

import numpy as np
import pytest
import torch
from torch.nn.functional import logsigmoid

from core.models.documents.fit_paragraphs import DBOW, DM, fit_paragraphs, stored_paragraphs
from core.models.documents.paragraph_vectors import PvDbow, PvDm, batch_document_words
from core.models.training_error import TrainingError
from core.models.word_vectors.window_blocks import EncodedText
from core.text.samples.reviews import reviews
from core.text.tokenization.tokens import words

V, D, SIZE, K = 9, 3, 4, 5


def loss(memory, batch, input_, documents, output):
    """Return the loss of a batch word by word, as the paper has it; each negative stands for K/N of them."""
    total = torch.tensor(0.0, dtype=torch.float64)
    for chunk, centres in enumerate(batch.centres.tolist()):
        for place, centre in enumerate(centres):
            h = documents[batch.documents[chunk, place]]
            if memory:
                beside = batch.around[chunk, place][batch.sees[chunk, place] > 0]
                h = (h + input_[beside].sum(dim=0)) / (1 + len(beside))
            noise = output[batch.negatives[chunk]]
            total = total - logsigmoid(h @ output[centre]) - logsigmoid(-noise @ h).sum() * K / len(noise)
    return total


@pytest.mark.parametrize(("memory", "model"), [(True, PvDm), (False, PvDbow)])
def test_a_step_is_minus_the_gradient_by_torch(memory, model):
    rng = np.random.default_rng(5)
    text = EncodedText(rng.integers(0, V, 40), np.array([7, 30, 3]))
    matrices = [torch.from_numpy(rng.normal(size=(n, SIZE))) for n in (V, D, V)]
    for batch in batch_document_words(text, 2, 64, np.arange(V), rng):
        batch = type(batch)(*(getattr(batch, name) for name in ("centres", "documents", "around")),
                            batch.sees.double(), batch.negatives)  # fmt: skip
        leaves = [matrix.clone().requires_grad_() for matrix in matrices]
        loss(memory, batch, *leaves).backward()
        moved = [matrix.clone() for matrix in matrices]
        model(SIZE, window=2, negatives=K).update(batch, *moved, 0.01)
        for before, after, leaf in zip(matrices, moved, leaves, strict=True):
            by = torch.zeros_like(before) if leaf.grad is None else leaf.grad
            np.testing.assert_allclose((after - before).numpy(), -0.01 * by.numpy(), atol=1e-6)


def test_a_new_document_s_vector_goes_down_its_loss_and_no_word_moves():
    for model in stored_paragraphs().values():
        before = model.input_.copy(), model.output_.copy()
        found = model.infer(words("a lovely sturdy chair, i love it"))
        assert np.linalg.norm(found) > 0
        assert (model.input_ == before[0]).all() and (model.output_ == before[1]).all()
        assert (found == model.infer(words("a lovely sturdy chair, i love it"))).all()
        assert not model.infer(["xylophone"]).any()


def test_a_review_s_inferred_vector_is_near_its_learnt_one():
    documents = reviews()
    for kind, model in stored_paragraphs().items():
        learnt = model.documents_ / np.linalg.norm(model.documents_, axis=1, keepdims=True)
        ranks = []
        for place in range(0, 1000, 50):
            found = model.infer(words(documents.texts[place]))
            ranks.append(int((learnt @ found > learnt[place] @ found).sum()))
        assert np.median(ranks) < 20, (kind, ranks)


def test_the_stored_vectors_are_of_the_reviews_as_they_are():
    from core.models.stored import load_card

    assert load_card("paragraphs").corpus["The reviews"]["sha256"] == reviews().digest
    assert [len(model.documents_) for model in stored_paragraphs().values()] == [1000, 1000]


def test_documents_without_words_have_no_vector_and_what_cannot_be_learnt_is_said():
    found = fit_paragraphs(lambda share: True, ["a b a", "...", "b c b"], epochs=2)
    assert set(found) == {DM, DBOW}
    assert not found[DM].documents_[1].any() and found[DM].documents_[0].any()
    with pytest.raises(TrainingError):
        fit_paragraphs(lambda share: True, ["...", "!"], epochs=2)


def test_training_stops_when_it_is_told_to():
    seen = []
    assert fit_paragraphs(lambda share: seen.append(share) or len(seen) < 3, ["a b", "b c"], epochs=9) is None
    assert len(seen) == 3
