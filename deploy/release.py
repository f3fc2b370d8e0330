"""A release: the course as a versioned archive, what it is made of, and under which licences.

    make release

writes into dist/ `attend-<version>.tar.gz`, a software bill of materials (CycloneDX) of all that requirements.lock names,
with its hashes, and torch; a table of their licences; what CHANGELOG.md says of the version; and SHA256SUMS. Where the
present commit has no tag `v<version>`, or the change log no section of that name, the version ends in the commit's name.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.version import VERSION  # noqa: E402  (found by the path above)

BIN = Path(sys.executable).parent
UNRELEASED = "Unreleased"
CHANGED = (
    "There are changes that are not committed. A release is made of a commit: commit them, or git stash."
)
# What a package that is shipped may ask of whoever passes it on: its notice, or its own source.
MAY_BE_SHIPPED = re.compile(
    r"MIT(-0|-CMU| License)?|(3-Clause )?BSD( License)?|BSD-[23]-Clause|0BSD|Apache( License)?[- ]2\.0( License)?|"
    r"Apache Software License|ISC|ISC License \(ISCL\)|PSF-2\.0|Python Software Foundation License|"
    r"Mozilla Public License 2\.0 \(MPL 2\.0\)|MPL-2\.0|"
    r"CNRI-Python|HPND|Zlib|CC0-1\.0|BSL-1\.0|Unlicense|Apache-2\.0 WITH LLVM-exception|TCL"
)


def locked(file: str = "requirements.lock") -> dict[str, str]:
    """Return the version of each package that a lock names."""
    return dict(
        re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    )


def shipped() -> str:
    """Return the lock with torch's line: all that `make run` installs."""
    (torch,) = re.findall(
        r"^torch==.*$", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    return f"{(ROOT / 'requirements.lock').read_text(encoding='utf-8')}\n{torch}\n"


def read_licences(packages: Iterable[str]) -> list[dict[str, str]]:
    """Return the name, version and licence of those packages that are installed here, as their own metadata has them."""
    command = [
        BIN / "pip-licenses",
        "--with-system",
        "--format=json",
        "--from=mixed",
        "--with-urls",
        "--python",
        sys.executable,
    ]
    ran = subprocess.run([*command, "--packages", *packages], capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def may_be_shipped(licence: str) -> bool:
    """Return whether a licence lets us ship what has it: all its parts joined by AND, or one of those joined by OR.

    >>> may_be_shipped("MPL-2.0 AND (Apache-2.0 OR MIT)"), may_be_shipped("GPL-3.0-only OR MIT")
    (True, True)
    >>> [may_be_shipped(each) for each in ("GNU General Public License (GPL)", "MIT AND LGPL-2.1-only", "UNKNOWN")]
    [False, False, False]
    """
    if MAY_BE_SHIPPED.fullmatch(licence.strip()):
        return True
    for joint, judge in (("AND|;", all), ("OR", any)):
        parts = split_outside_brackets(licence, joint)
        if len(parts) > 1:
            return judge(map(may_be_shipped, parts))
    inner = licence.strip()
    return inner.startswith("(") and inner.endswith(")") and may_be_shipped(inner[1:-1])


def split_outside_brackets(expression: str, joint: str) -> list[str]:
    """Return the parts of a licence expression between its joints, but those inside brackets.

    >>> split_outside_brackets("A AND (B AND C)", "AND")
    ['A', '(B AND C)']
    """
    parts, depth = [""], 0
    for token in re.split(rf"(\(|\)|\s+(?:{joint})\s+|;)", expression):
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth == 0 and re.fullmatch(rf"\s*(?:{joint})\s*", token):
            parts.append("")
        else:
            parts[-1] += token
    return [part.strip() for part in parts]


def changes_of(version: str) -> str:
    """Return what the change log says of a version, "" if it has no section for it."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def git(*arguments: str) -> str:
    """Return what git answers in this repository."""
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def name_version() -> str:
    """Return the version, with the commit's name after it where this commit is not the one that was released as it."""
    released = f"v{VERSION}" in git("tag", "--points-at", "HEAD").split() and changes_of(VERSION)
    return VERSION if released else f"{VERSION}+{git('rev-parse', '--short=12', 'HEAD')}"


def write_materials(file: Path, check: bool = True) -> None:
    """Write the software bill of materials, in CycloneDX's JSON; `check` it against CycloneDX's schema, which takes long."""
    command = [BIN / "cyclonedx-py", "requirements", "--pyproject", ROOT / "pyproject.toml", "--of", "JSON"]
    options = ["--validate" if check else "--no-validate", "--output-reproducible", "-o", file, "-"]
    subprocess.run([*command, *options], input=shipped(), text=True, check=True, capture_output=True)


def write_release(folder: Path) -> list[Path]:
    """Write the files of a release into a folder; return them."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"attend-{name_version()}"
    archive, materials, licences, changes = (
        folder / f"{stem}{ending}" for ending in (".tar.gz", ".cdx.json", ".licences.json", ".changes.md")
    )
    git("archive", f"--prefix={stem}/", "-o", str(archive), "HEAD")
    write_materials(materials)
    packages = read_licences([*locked(), "torch"])
    licences.write_text(json.dumps(packages, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    changes.write_text((changes_of(VERSION) or changes_of(UNRELEASED)) + "\n", encoding="utf-8")
    files = [archive, materials, licences, changes]
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    return [*files, folder / "SHA256SUMS"]


def main() -> int:
    """Write a release of the present commit into dist/; return 0, or 1 with a sentence."""
    if git("status", "--porcelain"):
        print(CHANGED)
        return 1
    for file in write_release(ROOT / "dist"):
        print(file.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
