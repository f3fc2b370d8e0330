"""The two stored captioners, built again from their weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from core.models.images.captioner import CaptionerConfig
from core.models.images.recurrent_captioner import RecurrentCaptioner
from core.models.images.transformer_captioner import TransformerCaptioner
from core.models.stored import load_json, load_weights
from core.models.stored_network import with_weights

DECODERS = {"recurrent": RecurrentCaptioner, "transformer": TransformerCaptioner}
Captioner = RecurrentCaptioner | TransformerCaptioner


@dataclass(frozen=True)
class StoredCaptioner:
    """A stored captioner: its name among the stored models, which decoder it has, and the network."""

    name: str
    decoder: str
    network: Captioner


def build_captioner(decoder: str, shape: Mapping) -> Captioner:
    """Return a captioner with weights drawn at random; `decoder` is one of DECODERS."""
    return DECODERS[decoder](CaptionerConfig(**shape))


@cache
def stored_captioner(name: str) -> StoredCaptioner:
    """Return a stored captioner, ready to write. Raises StoredModelError when it is missing."""
    shape = load_json(name, "shape")
    network = with_weights(build_captioner(shape["decoder"], shape["config"]), load_weights(name))
    return StoredCaptioner(name, shape["decoder"], network)
