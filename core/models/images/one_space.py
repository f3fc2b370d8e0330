"""One space for pictures and sentences: two encoders, each of which ends in a vector of length one.

    h_1..h_N = the picture's grid, out of three convolutions, or the sentence's words, out of a table
    x_0 = class token + p_0;   x_i = h_i + p_i            p: learned positions
    x = x + attention(norm(x));  x = x + feed_forward(norm(x))          in each of L blocks
    u = W norm(x_0);   u / |u|                             only the class token is asked

The pictures' blocks are those of the lesson on patches, and so are the sentences': any word may look at any other.

Sources: Radford et al. (2021), Learning Transferable Visual Models From Natural Language Supervision; Xiao et al. (2021),
Early Convolutions Help Transformers See Better, for the convolutions.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import cache

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.images.vision_transformer import Block, VisionConfig
from core.models.stored import load_json, load_weights
from core.models.stored_network import with_weights

NAME = "one_space"
ARTICLES = frozenset(("a", "an", "the"))  # in every sentence: they tell nothing, and are not read
WORD = re.compile(r"[^\W\d_]+")
HOTTEST = 100.0  # the largest scale, as in CLIP: beyond it one batch would move everything


@dataclass(frozen=True)
class SpaceConfig:
    """The shape of both encoders: the picture's grid is `across` x `across`, a sentence has at most `words` words.

    `width` is C, the numbers a token; `space` is E, the numbers of the space.
    """

    vocabulary: int
    across: int = 4
    words: int = 8
    layers: int = 2
    heads: int = 4
    width: int = 64
    space: int = 64

    @property
    def block(self) -> VisionConfig:
        """The shape of a block, which is that of the vision transformer."""
        return VisionConfig(32, 8, 3, self.space, self.layers, self.heads, self.width)


class Tower(nn.Module):
    """Tokens (B, n, C) in, one vector (B, E) out, of any length."""

    def __init__(self, n: int, config: SpaceConfig):
        super().__init__()
        self.class_embedding = nn.Parameter(torch.randn(config.width) * 0.02)
        self.position_embedding = nn.Parameter(torch.randn(n + 1, config.width) * 0.02)
        self.blocks = nn.ModuleList(Block(config.block) for _ in range(config.layers))
        self.final_norm = nn.LayerNorm(config.width)
        self.output = nn.Linear(config.width, config.space, bias=False)

    def forward(self, h: Tensor, positions: bool = True) -> Tensor:
        """Return W norm(x_0); without `positions` no token is told where it stands."""
        x = torch.cat((self.class_embedding.expand(len(h), 1, -1), h), dim=1)  # (B, n + 1, C)
        x = x + self.position_embedding if positions else x
        for block in self.blocks:
            x = block(x)
        return self.output(self.final_norm(x[:, 0]))


class ImageEncoder(nn.Module):
    """Three convolutions, each of which halves the sides, then a tower over the grid that is left."""

    def __init__(self, config: SpaceConfig):
        super().__init__()
        C = config.width
        self.first = nn.Conv2d(3, C // 2, 4, stride=2, padding=1)
        self.second = nn.Conv2d(C // 2, C, 4, stride=2, padding=1)
        self.third = nn.Conv2d(C, C, 4, stride=2, padding=1)
        self.tower = Tower(config.across**2, config)

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the vectors (B, E) of pictures (B, 3, 32, 32), of any length."""
        h = functional.gelu(self.first(pictures - 0.5))  # (B, C / 2, 16, 16)
        h = self.third(functional.gelu(self.second(h)))  # (B, C, 4, 4)
        return self.tower(h.flatten(2).transpose(1, 2))


class TextEncoder(nn.Module):
    """A table of words, then a tower over them; the places after the last word hold the empty word, number 0."""

    def __init__(self, config: SpaceConfig):
        super().__init__()
        self.word_embedding = nn.Embedding(config.vocabulary, config.width)
        nn.init.normal_(self.word_embedding.weight, std=0.1)
        self.tower = Tower(config.words, config)

    def forward(self, ids: Tensor, positions: bool = True) -> Tensor:
        """Return the vectors (B, E) of sentences, ids (B, words), of any length."""
        return self.tower(self.word_embedding(ids), positions)


class OneSpace(nn.Module):
    """Both encoders, and t, the logarithm of what their cosines are multiplied by; it begins at ln(1 / 0.07)."""

    def __init__(self, config: SpaceConfig):
        super().__init__()
        self.config = config
        self.pictures = ImageEncoder(config)
        self.sentences = TextEncoder(config)
        self.log_scale = nn.Parameter(torch.tensor(1 / 0.07).log())

    @property
    def scale(self) -> Tensor:
        """What cosines are multiplied by, 1 / tau."""
        return self.log_scale.exp().clamp(max=HOTTEST)


@dataclass(frozen=True)
class Read:
    """A sentence as the model reads it: the ids of its words (words,), those words, and those that it does not know."""

    ids: tuple[int, ...]
    known: tuple[str, ...]
    unknown: tuple[str, ...]
    beyond: tuple[str, ...] = ()


def read_sentence(sentence: str, vocabulary: tuple[str, ...], words: int) -> Read:
    """Return a sentence's first `words` words that are in the vocabulary; articles are skipped.

    >>> read_sentence("A red dog, above the red ring", ("", "ring", "above", "red"), words=5)
    Read(ids=(3, 2, 3, 1, 0), known=('red', 'above', 'red', 'ring'), unknown=('dog',), beyond=())
    """
    found = [word for word in WORD.findall(sentence.lower()) if word not in ARTICLES]
    known = [word for word in found if word in vocabulary]
    ids = [vocabulary.index(word) for word in known[:words]]
    unknown = tuple(dict.fromkeys(word for word in found if word not in vocabulary))
    return Read((*ids, *[0] * (words - len(ids))), tuple(known[:words]), unknown, tuple(known[words:]))


@dataclass(frozen=True)
class StoredSpace:
    """The stored encoders, and the words that the one of sentences knows; the first is the empty word."""

    network: OneSpace
    vocabulary: tuple[str, ...]

    def read(self, sentence: str) -> Read:
        """Return a sentence as the model reads it."""
        return read_sentence(sentence, self.vocabulary, self.network.config.words)

    @torch.inference_mode()
    def pictures(self, pictures: np.ndarray, length_one: bool = True) -> Tensor:
        """Return the vectors (B, E) of pictures (B, 3, S, S), of length one or as they came out."""
        u = self.network.pictures(torch.from_numpy(pictures))
        return functional.normalize(u) if length_one else u

    @torch.inference_mode()
    def sentences(self, sentences: list[str], length_one: bool = True, positions: bool = True) -> Tensor:
        """Return the vectors (B, E) of sentences, of length one or as they came out."""
        v = self.network.sentences(torch.tensor([self.read(each).ids for each in sentences]), positions)
        return functional.normalize(v) if length_one else v


@cache
def stored_space() -> StoredSpace:
    """Return the stored encoders, ready to read. Raises StoredModelError when they are missing."""
    shape = load_json(NAME, "shape")
    network = with_weights(OneSpace(SpaceConfig(**shape["config"])), load_weights(NAME))
    return StoredSpace(network, tuple(shape["vocabulary"]))


def describe_one_space(network: OneSpace, vocabulary: tuple[str, ...]) -> dict:
    """Return what is stored beside the weights to build the network again."""
    return {"config": asdict(network.config), "vocabulary": list(vocabulary)}
