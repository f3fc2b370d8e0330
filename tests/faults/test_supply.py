"""What `make run` installs is locked: each package by its hash, each that another asks for, and nothing beside."""

import re
from importlib.metadata import distributions, requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.browser.conftest import ROOT

LOCK = (ROOT / "requirements.lock").read_text()
PACKAGE = re.compile(
    r"^([A-Za-z0-9._-]+)==(\S+)(?: ; .*?)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M
)
LOCKED = {canonicalize_name(name): version for name, version, _ in PACKAGE.findall(LOCK)}
DEVELOPMENT_LOCK = (ROOT / "requirements-dev.lock").read_text()
DEVELOPMENT = {canonicalize_name(name): version for name, version, _ in PACKAGE.findall(DEVELOPMENT_LOCK)}


def requirements(file: str) -> list[Requirement]:
    lines = (line.partition("#")[0].strip() for line in (ROOT / file).read_text().splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("-r ")]


APART = {canonicalize_name(each.name) for each in requirements("requirements-apart.txt")}


@pytest.mark.parametrize("lock", [LOCK, DEVELOPMENT_LOCK], ids=["run", "test"])
def test_a_lock_is_packages_with_hashes_and_nothing_else(lock):
    rest = PACKAGE.sub("", lock)
    assert [line for line in rest.splitlines() if not line.startswith("#")] == []
    assert len(PACKAGE.findall(lock)) > 50


def test_it_holds_the_versions_that_are_asked_for():
    asked = {canonicalize_name(each.name): each.specifier for each in requirements("requirements.txt")}
    asked.pop("torch")
    assert {name: str(pin) for name, pin in asked.items()} == {name: f"=={LOCKED[name]}" for name in asked}


def test_what_tests_need_is_locked_too_in_the_versions_that_are_asked_for_and_that_are_run():
    asked = [*requirements("requirements-dev.txt"), *requirements("requirements-dask.txt")]
    assert {canonicalize_name(each.name): str(each.specifier) for each in asked} == {
        canonicalize_name(each.name): f"=={DEVELOPMENT[canonicalize_name(each.name)]}" for each in asked
    }
    assert {
        name: version for name, version in DEVELOPMENT.items() if LOCKED.get(name, version) != version
    } == {}
    rule = (ROOT / "Makefile").read_text().split("$(VENV)/requirements-dev.stamp:")[1].split("\n\n")[0]
    (install,) = [line.split()[1:] for line in rule.splitlines() if "$(INSTALL)" in line]
    assert install == ["--no-deps", "--require-hashes", "-r", "requirements-dev.lock"]


def test_make_run_takes_nothing_but_torch_without_a_hash():
    rule = (ROOT / "Makefile").read_text().split("$(VENV)/requirements.stamp:")[1].split("\n\n")[0]
    locked, torch = [line for line in rule.splitlines() if "$(INSTALL)" in line]
    assert locked.split()[1:] == ["--no-deps", "--require-hashes", "-r", "requirements.lock"]
    assert torch.split()[1:] == "$$(grep '^torch==' requirements.txt)".split()


def test_whatever_a_package_asks_for_is_locked_too_or_left_out_by_name():
    for packages in ([*LOCKED, "torch"], installed(DEVELOPMENT)):
        asked = [Requirement(each) for name in packages for each in requires(name) or []]
        here = [each for each in asked if each.marker is None or each.marker.evaluate({"extra": ""})]
        assert {canonicalize_name(each.name) for each in here} - set(LOCKED) - set(
            DEVELOPMENT
        ) - APART == set()
    assert APART & set(LOCKED) == set()


def installed(names) -> list[str]:
    """Return those packages that this system takes: some are for others."""
    here = {canonicalize_name(each.name) for each in distributions()}
    return [name for name in names if name in here]
