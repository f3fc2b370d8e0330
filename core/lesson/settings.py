"""Settings: what a learner can set, declared once for the story, the lab, the address and the beat's document.

A setting reads what stands in an address, or comes from a browser, and never raises: what it cannot be is its default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite

from core.words.language import language


@dataclass(frozen=True)
class Setting:
    """One thing that can be set: its name, which is its key in words.md and in the address, and its first value."""

    name: str
    default: object = None

    def begin(self) -> object:
        """Return the value that a story begins with."""
        return self.default

    def read(self, raw: object, settings: Mapping) -> object:
        """Return the value that `raw` stands for, the default where it stands for none."""
        raise NotImplementedError

    def write(self, value: object) -> str:
        """Return a value as the address holds it."""
        return str(value)

    def describe(self, value: object, settings: Mapping, label: Callable[[str, str], str]) -> dict:
        """Return what a browser needs to draw the control; `label(key, otherwise)` gives its words."""
        raise NotImplementedError


@dataclass(frozen=True)
class Slider(Setting):
    """A whole number or a number from `least` to `most`, in steps. `most` may depend on the other settings."""

    default: float = 1
    least: float = 0
    most: float | Callable[[Mapping], float] = 10
    step: float = 1

    def ends(self, settings: Mapping) -> tuple[float, float]:
        """Return the least and the largest value."""
        return self.least, self.most(settings) if callable(self.most) else self.most

    def read(self, raw: object, settings: Mapping) -> float:
        """Return the number, brought back to the nearer end where it lies outside, and to the nearest step.

        >>> Slider("k", 5, 1, 10).read("12", {}), Slider("k", 5, 1, 10).read("nan", {})
        (10, 5)
        >>> Slider("p", 0.5, 0.0, 1.0, 0.05).read("0.3124", {})
        0.3
        """
        least, most = self.ends(settings)
        try:
            value = float(raw)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            value = float("nan")
        value = value if isfinite(value) else float(self.default)
        value = min(max(value, least), most)
        if isinstance(self.step, int):
            return round(value)
        return min(round(least + round((value - least) / self.step) * self.step, 10), most)

    def describe(self, value: object, settings: Mapping, label: Callable[[str, str], str]) -> dict:
        """Return a slider with its ends."""
        least, most = self.ends(settings)
        return {"kind": "slider", "least": least, "most": most, "step": self.step}


@dataclass(frozen=True)
class Choice(Setting):
    """One of several ids. `was` maps what older addresses held to ids."""

    default: str = ""
    ids: tuple[str, ...] | Callable[[Mapping], tuple[str, ...]] = ()
    was: Mapping[str, str] = field(default_factory=dict)

    def choices(self, settings: Mapping) -> tuple[str, ...]:
        """Return the ids that can be chosen."""
        return tuple(self.ids(settings)) if callable(self.ids) else self.ids

    def read(self, raw: object, settings: Mapping) -> str:
        """Return the id.

        >>> task = Choice("task", "tags", ("tags", "mood"), {"sentiment of films": "mood"})
        >>> task.read("mood", {}), task.read("sentiment of films", {}), task.read("x", {})
        ('mood', 'mood', 'tags')
        """
        found = self.was.get(str(raw), str(raw))
        return found if found in self.choices(settings) else self.default

    def describe(self, value: object, settings: Mapping, label: Callable[[str, str], str]) -> dict:
        """Return the options, each with its id and its label."""
        options = [
            {"id": each, "label": label(f"{self.name}.{each}", each)} for each in self.choices(settings)
        ]
        return {"kind": "choice", "options": options}


@dataclass(frozen=True)
class Switch(Setting):
    """On or off."""

    default: bool = False

    def read(self, raw: object, settings: Mapping) -> bool:
        """Return whether it is on.

        >>> Switch("raw").read("true", {}), Switch("raw").read("perhaps", {}), Switch("raw", True).read(None, {})
        (True, False, True)
        """
        return {"true": True, "false": False}.get(str(raw).lower(), self.default)

    def write(self, value: object) -> str:
        """Return true or false."""
        return str(bool(value)).lower()

    def describe(self, value: object, settings: Mapping, label: Callable[[str, str], str]) -> dict:
        """Return a switch."""
        return {"kind": "switch"}


@dataclass(frozen=True)
class Text(Setting):
    """A line of the learner's own words, at most `longest` characters of it. An empty one is the default.

    With `several`, each of its words stands for itself, so that the words of many learners can stand side by side. Where any
    language will do, `spoken` holds what readers of another one begin with, {language: words}.
    """

    default: str = ""
    longest: int = 400
    several: bool = False
    spoken: Mapping[str, str] = field(default_factory=dict, hash=False)

    def begin(self) -> str:
        """Return the words that a story begins with in the reader's language.

        >>> from core.words.language import speaking
        >>> with speaking("es"):
        ...     Text("day", "sunday", spoken={"es": "domingo"}).begin(), Text("day", "sunday").begin()
        ('domingo', 'sunday')
        """
        return self.spoken.get(language(), self.default)

    def read(self, raw: object, settings: Mapping) -> str:
        """Return the words.

        >>> Text("word", "cat").read("  ", {}), Text("word", "cat", 3).read("horse", {})
        ('cat', 'hor')
        """
        text = raw if isinstance(raw, str) else ""
        return text[: self.longest] if text.strip() else self.begin()

    def describe(self, value: object, settings: Mapping, label: Callable[[str, str], str]) -> dict:
        """Return a field for a line."""
        drawn = {"kind": "text", "longest": self.longest, "placeholder": self.begin()}
        return {**drawn, "several": True} if self.several else drawn


class Settings(Mapping):
    """Values by name: what a beat sets, what the learner changed, and else each setting's default.

    >>> values = Settings({"k": 3}, revealed=True)
    >>> values.k, values["k"], values.revealed
    (3, 3, True)
    """

    def __init__(self, values: Mapping[str, object], revealed: bool = False):
        self._values = dict(values)
        self.revealed = revealed  # whether the answer of an ask may be drawn

    def __getattr__(self, name: str) -> object:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"There is no setting “{name}”.") from None

    def __getitem__(self, name: str) -> object:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)
