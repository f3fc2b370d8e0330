"""A fitted translator as one file: its arrays as safetensors, its shape and vocabularies in the header.

open("translator.safetensors", "wb").write(to_safetensors(fitted))
translator = from_safetensors(open("translator.safetensors", "rb").read())
"""

from __future__ import annotations

import json

import numpy as np
from safetensors.numpy import load, save

from core.models.translation.fit_translation import Fitted
from core.models.translation.translate import Translator, translator
from core.text.grammar.pairs import TranslationVocabulary

HEADER = "translator"


def to_safetensors(fitted: Fitted) -> bytes:
    """Return a file that holds all of a fitted translator, every number as it is."""
    kept = {"config": fitted.config, "source": fitted.source.words, "target": fitted.target.words}
    arrays = {name: np.ascontiguousarray(array) for name, array in fitted.weights.items()}
    return save(arrays, metadata={HEADER: json.dumps(kept, ensure_ascii=False)})


def from_safetensors(data: bytes) -> Translator:
    """Return the translator in a file that `to_safetensors` wrote."""
    length = int.from_bytes(
        data[:8], "little"
    )  # safetensors: the header's length, the header as JSON, the arrays
    kept = json.loads(json.loads(data[8 : 8 + length])["__metadata__"][HEADER])
    source, target = (TranslationVocabulary(tuple(kept[side])) for side in ("source", "target"))
    return translator(load(data), source, target, **kept["config"])
