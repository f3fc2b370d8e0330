"""A release says what it is: one version everywhere, what it is made of, and no licence that may not be shipped."""

import json
import re
import tomllib

import yaml
from packaging.utils import canonicalize_name
from streamlit.testing.v1 import AppTest

from core.lesson.notebook import notebook
from core.models.stored import Card, load_card, store
from core.version import VERSION
from deploy.release import changes_of, locked, may_be_shipped, read_licences, write_materials
from tests.browser.conftest import ROOT
from tests.faults.test_supply import DEVELOPMENT, LOCKED, installed
from tests.lessons.lesson_page import COURSE

# Installed for tests only. Their licences do not let us ship them, or their metadata names none (it is MIT, in its source).
NOT_SHIPPED = {"gensim", "axe-playwright-python", "pytest-timeout", "yattag"}


def test_every_package_that_is_shipped_has_a_licence_that_lets_us():
    named = read_licences([*locked(), "torch"])
    assert {canonicalize_name(each["Name"]) for each in named} == set(installed([*LOCKED, "torch"]))
    assert [each for each in named if not may_be_shipped(each["License"])] == []


def test_what_only_tests_need_is_named_where_it_may_not_be_shipped():
    named = read_licences(DEVELOPMENT)
    assert {each["Name"] for each in named if not may_be_shipped(each["License"])} == NOT_SHIPPED
    assert not NOT_SHIPPED & set(LOCKED)


def test_the_bill_of_materials_names_each_package_with_its_version_and_its_hashes(tmp_path):
    file = tmp_path / "materials.json"
    write_materials(file, check=False)
    made = json.loads(file.read_text())
    named = {each["name"].lower().replace("_", "-"): each for each in made["components"]}
    assert made["bomFormat"] == "CycloneDX"
    assert made["metadata"]["component"]["version"] == VERSION
    assert {name: named[name]["version"] for name in LOCKED} == LOCKED
    assert "torch" in named
    assert all(named[name]["externalReferences"][0]["hashes"] for name in LOCKED)


def test_one_version_is_named_everywhere(tmp_path):
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION
    labels = dict(
        re.findall(
            r'org\.opencontainers\.image\.(\w+)="([^"]*)"', (ROOT / "deploy" / "Dockerfile").read_text()
        )
    )
    assert labels["version"] == VERSION
    assert {"title", "description", "licenses", "revision"} <= set(labels)
    first = json.loads(notebook("Sums", "What is 1 + 1?", ["1 + 1"]))["cells"][0]["source"]
    assert f"Attend {VERSION}" in first
    card = Card("a", "", {}, {}, 1, "", {}, [])
    assert store(card, {}, {}, tmp_path).version == load_card("a", tmp_path).version == VERSION


def test_the_version_stands_at_the_foot_of_the_menu():
    shown = AppTest.from_file(COURSE, default_timeout=60).run()
    styles = " ".join(each.proto.body for each in shown.get("html"))
    assert f'[data-testid="stSidebarNav"]::after {{ content: "Attend {VERSION}"; }}' in styles


def test_the_change_log_has_sections_by_version(monkeypatch, tmp_path):
    monkeypatch.setattr("deploy.release.ROOT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## Unreleased\n\n- b\n\n## 0.1.0 (2026-11-28)\n\n- a\n"
    )
    assert (changes_of("0.1.0"), changes_of("Unreleased"), changes_of("0.2.0")) == ("- a", "- b", "")


def test_the_compose_file_s_image_is_built_from_the_labelled_file():
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
    assert compose["services"]["attend-1"]["build"]["dockerfile"] == "deploy/Dockerfile"
