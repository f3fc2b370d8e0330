"""A masked language model on byte pairs: the GPT's shape without its causal mask, trained to fill gaps."""

from math import exp, log
from pathlib import Path

import torch

from core.models.fit_language_model import FitConfig
from core.models.self_attention.masked_language_model import (
    MaskedFitting,
    hide,
    masked_network,
    stored_masked_model,
)
from core.training import word_text
from core.training.language_models import fit_with_checkpoints
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "A bidirectional transformer that fills gaps, on byte pairs of the Bible in Basic English and the plays."
)
CREDITS = word_text.CREDITS
CONFIG = {
    "merges": word_text.MERGES,
    "shape": {"context": 128, "layers": 4, "heads": 4, "width": 128},
    "hidden share": 0.2,
    "fit": {
        "steps": 3500,
        "batch": 32,
        "window": 128,
        "cool_down": 0.4,
        "muon_rate": 0.03,
        "adam_rate": 0.006,
    },
}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Learn the byte pairs, then the model on them."""
    text = word_text.word_text(config["merges"])
    shape = {"vocabulary_size": len(text.pairs) + 1, **config["shape"]}
    torch.manual_seed(seed)
    fit = FitConfig(**config["fit"], seed=seed)
    fitting = MaskedFitting(masked_network(shape), text.ids, fit, config["hidden share"])
    network = fit_with_checkpoints(fitting, checkpoint, progress)
    weights = {name: tensor.half().numpy() for name, tensor in network.state_dict().items()}
    merges = [list(pair) for pair in text.pairs.merges]
    return Trained(weights, text.corpus, {"encoder": shape, "merges": merges})


@torch.inference_mode()
def measure() -> dict:
    """Return how well hidden tokens of the held-out pieces are guessed; a seventh of each piece is hidden.

    Measured places are shown as <mask>, all of them. The baseline always guesses the hidden places' own most
    frequent token.
    """
    model = stored_masked_model.__wrapped__("word_masked")
    generator = torch.Generator().manual_seed(7)
    nats, right, gold = 0.0, 0, []
    pieces = [torch.tensor(model.pairs.encode(piece)) for piece in word_text.held_out_pieces()]
    for ids in (part[None] for piece in pieces for part in piece.split(model.context)):
        places = hide(ids, 0.15, model.mask, generator).places
        ln_p = model.network(ids.masked_fill(places, model.mask))[0][places].double().log_softmax(-1)
        target = ids[places]
        nats -= ln_p.gather(1, target[:, None]).sum().item()
        right += (ln_p.argmax(1) == target).sum().item()
        gold += target.tolist()
    commonest = max(map(gold.count, set(gold)))
    return {
        "hidden tokens, held out": len(gold),
        "nats per hidden token, held out": nats / len(gold),
        "bits per hidden token, held out": nats / len(gold) / log(2),
        "perplexity per hidden token, held out": exp(nats / len(gold)),
        "hidden tokens guessed right, held out": right / len(gold),
        "the most frequent token right, held out": commonest / len(gold),
        "parameters": sum(parameter.numel() for parameter in model.network.parameters()),
    }
