"""The contrastive loss is the one by which transformers trains CLIP."""

import pytest
import torch
from torch.nn import functional
from transformers.models.clip.modeling_clip import image_text_contrastive_loss

from core.models.images.contrastive_loss import contrast


@pytest.mark.parametrize(("B", "scale"), [(1, 5.0), (2, 1.0), (7, 14.3), (32, 100.0)])
def test_the_loss_is_clip_s(B, scale):
    generator = torch.Generator().manual_seed(B)
    u, v = (functional.normalize(torch.randn(B, 6, generator=generator)) for _ in range(2))
    found = contrast(u, v, scale)
    expected = image_text_contrastive_loss(found.similarity.T)
    torch.testing.assert_close(found.loss, expected, atol=1e-5, rtol=1e-5)
