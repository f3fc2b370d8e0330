"""Trained models as they are kept in assets/models: safetensors weights beside a card.json."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from core.version import VERSION

MODELS = Path(__file__).resolve().parents[2] / "assets" / "models"


class StoredModelError(FileNotFoundError):
    """A sentence for whoever keeps the course: which file of a stored model is missing or damaged, and what to do."""

    def __init__(self, model: str, file: str, fault: str):
        where = f"assets/models/{model}"
        super().__init__(
            f"This needs the stored model “{model}”, whose file {file} is {fault}. Whoever keeps the course can bring "
            f"it back: git restore {where}. Lessons without this model work."
        )


@dataclass(frozen=True)
class Card:
    """What is known about a trained model: where it came from and how good it was measured to be.

    `corpus` names the sources with their token counts and sha256; `quality` maps each metric to the number
    measured on the stored weights; `published` says what published models of this kind reach, with the source; `version`
    is the version of the course that trained it; `sha256` is the hash of weights.safetensors.
    """

    model: str
    description: str
    corpus: dict
    config: dict
    seed: int
    command: str
    quality: dict
    credits: list[str]
    published: str = ""
    version: str = ""
    sha256: str = ""
    files: dict[str, str] = field(default_factory=dict)


def sha256_of(path: Path) -> str:
    """Return the hexadecimal SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sha256_of_text(text: str) -> str:
    """Return the hexadecimal SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def stored_models(folder: Path = MODELS) -> list[str]:
    """Return the names of all stored models, in alphabetical order."""
    return sorted(card.parent.name for card in folder.glob("*/card.json"))


def load_card(model: str, folder: Path = MODELS) -> Card:
    """Return the card of a stored model. Raises StoredModelError when it is missing or cannot be read."""
    path = folder / model / "card.json"
    try:
        return _read_card(path, path.stat().st_mtime_ns)
    except FileNotFoundError as error:
        raise StoredModelError(model, path.name, "missing") from error
    except (ValueError, TypeError) as error:
        raise StoredModelError(model, path.name, "damaged") from error


def load_weights(model: str, folder: Path = MODELS) -> dict[str, np.ndarray]:
    """Return a stored model's arrays by name, as stored (usually float16). Raises StoredModelError."""
    return load_file(checked(model, "weights.safetensors", folder))


def load_json(model: str, name: str, folder: Path = MODELS):
    """Return a JSON file that a stored model keeps beside its weights, such as its vocabulary; nothing changes it.

    Raises StoredModelError when it is missing or not the file that the card describes.
    """
    path = checked(model, f"{name}.json", folder)
    return _read_json(path, path.stat().st_mtime_ns)


def checked(model: str, file: str, folder: Path = MODELS) -> Path:
    """Return where a stored model's file is, once its SHA-256 is found to be its card's. Raises StoredModelError."""
    card, path = load_card(model, folder), folder / model / file
    expected = card.sha256 if path.suffix == ".safetensors" else card.files[path.stem]
    try:
        found = _sha256_once(path, path.stat().st_mtime_ns)
    except FileNotFoundError as error:
        raise StoredModelError(model, file, "missing") from error
    if found != expected:
        raise StoredModelError(model, file, "damaged")
    return path


def faults(models: Iterable[str], folder: Path = MODELS) -> list[str]:
    """Return a sentence for each of some stored models of which a file, or the whole folder, is missing or damaged."""
    found = []
    for model in sorted(models):
        try:
            checked(model, "weights.safetensors", folder)
            for name in load_card(model, folder).files:
                checked(model, f"{name}.json", folder)
        except StoredModelError as error:
            found.append(str(error))
    return found


@lru_cache(maxsize=256)
def _read_card(path: Path, _modified: int) -> Card:
    return Card(**json.loads(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=256)
def _read_json(path: Path, _modified: int):
    return json.loads(path.read_text(encoding="utf-8"))


@lru_cache(maxsize=256)
def _sha256_once(path: Path, _modified: int) -> str:
    return sha256_of(path)


def store(
    card: Card, weights: dict[str, np.ndarray], files: dict[str, object], folder: Path = MODELS
) -> Card:
    """Write weights.safetensors, each of `files` as NAME.json, and card.json with the hashes; return the card."""
    home = folder / card.model
    home.mkdir(parents=True, exist_ok=True)
    save_file(
        {name: np.ascontiguousarray(array) for name, array in weights.items()}, home / "weights.safetensors"
    )
    for name, content in files.items():
        (home / f"{name}.json").write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
    hashes = {name: sha256_of(home / f"{name}.json") for name in files}
    card = replace(card, version=VERSION, sha256=sha256_of(home / "weights.safetensors"), files=hashes)
    (home / "card.json").write_text(
        json.dumps(asdict(card), ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    return card
