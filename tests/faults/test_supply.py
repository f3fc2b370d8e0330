"""What `make run` installs is locked: each package by its hash, each that another asks for, and nothing beside."""

import re
from importlib.metadata import requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.browser.conftest import ROOT

LOCK = (ROOT / "requirements.lock").read_text()
PACKAGE = re.compile(
    r"^([A-Za-z0-9._-]+)==(\S+)(?: ; .*?)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M
)
LOCKED = {canonicalize_name(name): version for name, version, _ in PACKAGE.findall(LOCK)}


def requirements(file: str) -> list[Requirement]:
    lines = (line.partition("#")[0].strip() for line in (ROOT / file).read_text().splitlines())
    return [Requirement(line) for line in lines if line]


APART = {canonicalize_name(each.name) for each in requirements("requirements-apart.txt")}


def test_the_lock_is_packages_with_hashes_and_nothing_else():
    rest = PACKAGE.sub("", LOCK)
    assert [line for line in rest.splitlines() if not line.startswith("#")] == []
    assert len(LOCKED) > 50


def test_it_holds_the_versions_that_are_asked_for():
    asked = {canonicalize_name(each.name): each.specifier for each in requirements("requirements.txt")}
    asked.pop("torch")
    assert {name: str(pin) for name, pin in asked.items()} == {name: f"=={LOCKED[name]}" for name in asked}


def test_make_run_takes_nothing_but_torch_without_a_hash():
    rule = (ROOT / "Makefile").read_text().split("$(VENV)/requirements.stamp:")[1].split("\n\n")[0]
    locked, torch = [line for line in rule.splitlines() if "$(INSTALL)" in line]
    assert locked.split()[1:] == ["--no-deps", "--require-hashes", "-r", "requirements.lock"]
    assert torch.split()[1:] == "$$(grep '^torch==' requirements.txt)".split()


def test_whatever_a_package_asks_for_is_locked_too_or_left_out_by_name():
    asked = [Requirement(each) for name in [*LOCKED, "torch"] for each in requires(name) or []]
    here = [each for each in asked if each.marker is None or each.marker.evaluate({"extra": ""})]
    assert {canonicalize_name(each.name) for each in here} - set(LOCKED) - APART == set()
    assert APART & set(LOCKED) == set()
