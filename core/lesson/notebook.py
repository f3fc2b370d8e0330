"""A Jupyter notebook that computes a page's numbers again. It contains the source files and weights it needs."""

from __future__ import annotations

import ast
import base64
import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from core.models.stored import MODELS
from core.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
UNPACK = '''import base64, io, sys, zipfile

# The code that ran on the page, with the stored model that it reads: unpacked beside this notebook, then imported.
CARRIED = "{content}"
zipfile.ZipFile(io.BytesIO(base64.b64decode(CARRIED))).extractall("attend_code")
sys.path.insert(0, "attend_code")


def draw(figure):
    """Return one of the course's figures, which are plain data, as plotly shows it."""
    import plotly.graph_objects as go

    return go.Figure(figure.to_dict())'''


def file_of(module: str) -> Path | None:
    """Return the file of a module of core, or None.

    >>> file_of("core.models.stored").name, file_of("numpy")
    ('stored.py', None)
    """
    path = ROOT / module.replace(".", "/")
    found = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"
    return found if module.startswith("core") and found.exists() else None


def imports(source: str) -> set[str]:
    """Return the modules of core that a piece of code imports.

    >>> sorted(imports("import math\\nfrom core.models import stored"))
    ['core.models', 'core.models.stored']
    """
    named = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            named |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {module for module in named if module and file_of(module)}


def needed(modules: Iterable[str]) -> set[Path]:
    """Return the files of some modules, of their packages, and of everything in core that they import."""
    found, waiting = set(), set(modules)
    while waiting:
        module = waiting.pop()
        path = file_of(module)
        if path in found:
            continue
        found.add(path)
        parent = module.rpartition(".")[0]
        waiting |= imports(path.read_text(encoding="utf-8")) | ({parent} if parent else set())
    return found


def models_named(cells: Sequence[str], modules: Iterable[str]) -> list[str]:
    """Return the stored models whose names are string literals in the cells or in the modules given."""
    text = "\n".join((*cells, *(file_of(module).read_text(encoding="utf-8") for module in modules)))
    return [path.name for path in sorted(MODELS.iterdir()) if re.search(f"[\"']{path.name}[\"']", text)]


@lru_cache(maxsize=32)
def carried(cells: tuple[str, ...]) -> str:
    """Return a base64 zip file of the source files, with their words, and stored models that the cells need."""
    modules = imports("\n".join(cell for cell in cells if kind_of(cell) == "code"))
    files = needed(modules)
    for name in models_named(cells, modules):
        files |= set((MODELS / name).iterdir())
    if ROOT / "core" / "text" / "samples" / "shelf.py" in files:
        files |= set((ROOT / "assets" / "texts").iterdir())
    files |= {words for path in files for words in path.parent.glob("*words*.md")}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            archive.write(path, path.relative_to(ROOT))
    return base64.b64encode(content.getvalue()).decode()


def notebook(title: str, question: str, cells: Sequence[str]) -> bytes:
    """Return a Jupyter notebook (format 4.5): title and question, a cell that unpacks the code, then `cells`.

    >>> content = json.loads(notebook("Sums", "What is 1 + 1?", ["1 + 1"]))
    >>> [cell["cell_type"] for cell in content["cells"]], content["cells"][-1]["source"]
    (['markdown', 'code', 'markdown', 'code'], '1 + 1')
    """
    about = (
        f"# {title}\n\n{question}\n\nThis notebook is from Attend {VERSION}. It needs Python with numpy, scipy, "
        "scikit-learn, torch and safetensors, plotly for the picture at its end, and nothing else of "
        "ours: the next cell unpacks the code and the weights."
    )
    then = "The numbers of the page, computed again with the settings that it had. Change them and run on."
    made = [
        _cell("markdown", 0, about),
        _cell("code", 1, UNPACK.format(content=carried(tuple(cells)))),
        _cell("markdown", 2, then),
        *(_cell(kind_of(source), number, source) for number, source in enumerate(cells, 3)),
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel}
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def kind_of(source: str) -> str:
    """Return the kind of a cell, as Jupyter calls it."""
    return "markdown" if isinstance(source, MarkdownCell) else "code"


class MarkdownCell(str):
    """A cell of a notebook that is read, not run."""


def read_cells(text: str, parameters: Mapping[str, object]) -> list[str]:
    r"""Return the cells of a notebook in percent format, its cell "parameters" with the values given.

    >>> read_cells("# %% parameters\nk = 1  # a number\n\n# %%\nprint(k)\n", {"k": 2})
    ['k = 2', 'print(k)']
    """
    cells: list[str] = []
    for part in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]:
        kind, _, body = part.partition("\n")
        if kind.strip() == "parameters":
            cells.append("\n".join(f"{name} = {value!r}" for name, value in parameters.items()))
        elif kind.strip() == "[markdown]":
            lines = (line.removeprefix("#").removeprefix(" ") for line in body.strip().splitlines())
            cells.append(MarkdownCell("\n".join(lines)))
        else:
            cells.append(body.strip())
    return cells


def _cell(kind: str, number: int, source: str) -> dict:
    cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source}
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})
