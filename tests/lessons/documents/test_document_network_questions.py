"""The key of the exercises on the document network: torch's layers and its gradients."""

import pytest
import torch

from tests.exercises.drawn import drawn, entries


def tensor(values):
    return torch.tensor([[float(each) for each in row] for row in values], dtype=torch.float64)


def test_a_review_is_the_mean_of_its_words():
    for exercise in drawn("document_network", "mean"):
        given, draw = exercise.draw.given, exercise.draw
        vectors = dict(zip(given["vectors"].rows, tensor(entries(given["vectors"])), strict=True))
        rows = torch.stack([vectors[word] for word in given["review"].split()])
        assert draw.answer == pytest.approx(rows.mean(0).tolist())
        assert draw.mistakes["added"] == pytest.approx(rows.sum(0).tolist())


def test_the_layers_are_torch_s():
    for exercise in drawn("document_network", "forward"):
        given, draw = exercise.draw.given, exercise.draw
        x, W1, b1, W2 = (
            tensor(each) for each in ([given["x"]], entries(given["W1"]), [given["b1"]], entries(given["W2"]))
        )
        a = torch.tanh(torch.addmm(b1, x, W1))
        found = [*a[0].tolist(), *torch.softmax(a @ W2, 1)[0].tolist()]
        assert draw.answer == pytest.approx(found[: len(draw.answer)])


def test_the_step_of_z_is_against_torch_s_gradient():
    for exercise in drawn("document_network", "output"):
        given, draw = exercise.draw.given, exercise.draw
        z = tensor(entries(given["p"])).log().requires_grad_()
        label = given["p"].columns.index(given["label"])
        torch.nn.functional.cross_entropy(z, torch.tensor([label])).backward()
        assert draw.answer == pytest.approx((-given["rate"] * z.grad[0]).tolist())


def test_a_word_gets_its_share_of_the_slope():
    for exercise in drawn("document_network", "step"):
        given, draw = exercise.draw.given, exercise.draw
        words = given["review"].split()
        e = tensor([given["e"]]).requires_grad_()
        x = sum(e[0] for word in words if word == given["word"]) / len(words)
        (x @ tensor([given["slope"]])[0]).backward()
        assert draw.answer == pytest.approx((e - given["rate"] * e.grad)[0].tolist())
