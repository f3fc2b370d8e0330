"""The parts of a recurrent model are counted as they are; one row of the embedding serves reading and writing."""

import pytest
import torch

from core.models.recurrent_language_model import RecurrentConfig, RecurrentLanguageModel
from core.models.recurrent_models.weight_tying import bits_with, bits_without_row, recurrent_parameters

IDS = torch.tensor([0, 3, 1, 5, 2, 2, 4, 1])


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_the_count_is_that_of_the_module(cell):
    config = RecurrentConfig(7, cell, width=5)
    real = sum(each.numel() for each in RecurrentLanguageModel(config).parameters())
    assert sum(recurrent_parameters(config).values()) == real
    assert sum(recurrent_parameters(config, tied=False).values()) == real + 7 * 5


def test_the_whole_row_gives_the_model_s_own_bits():
    torch.manual_seed(2)
    model = RecurrentLanguageModel(RecurrentConfig(6, "gru", width=4))
    ln_p = torch.log_softmax(model(IDS[None, :-1])[0][0].double(), dim=1)
    expected = -ln_p[torch.arange(len(IDS) - 1), IDS[1:]] / torch.log(torch.tensor(2.0))
    torch.testing.assert_close(bits_without_row(model, IDS, 3)["whole"], expected, check_dtype=False)


def test_a_row_gone_from_reading_changes_nothing_before_its_token_is_read():
    torch.manual_seed(3)
    model = RecurrentLanguageModel(RecurrentConfig(6, "lstm", width=4))
    bits = bits_without_row(model, IDS, 5)  # read fourth
    torch.testing.assert_close(bits["gone when read"][:3], bits["whole"][:3])
    assert not torch.allclose(bits["gone when read"][3:], bits["whole"][3:])


def test_reading_and_writing_are_taken_from_the_matrices_given():
    torch.manual_seed(4)
    model = RecurrentLanguageModel(RecurrentConfig(6, "rnn", width=4)).requires_grad_(False)
    E = model.embedding.weight
    nothing = bits_with(model, IDS, E, torch.zeros_like(E))  # only the bias is left, which is nought
    torch.testing.assert_close(nothing, torch.full((7,), 2.584962500721156, dtype=torch.float64))
