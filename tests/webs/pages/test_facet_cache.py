"""The cache of counts: what it drops, and which file is the same."""

from __future__ import annotations

from pathlib import Path

from apps.webs.pages.facet_cache import Counts, FacetCache, file_version


def test_it_drops_the_counts_used_longest_ago() -> None:
    cache, counted = FacetCache(6), []

    def get(key: str, values: int = 1) -> Counts:
        def count() -> Counts:
            counted.append(key)
            return dict.fromkeys(range(values), 1)

        return cache.get(key, count)

    assert [get(key) for key in "abca"] == [{0: 1}] * 4
    assert counted == ["a", "b", "c"]
    get("d")
    assert get("a") and get("c") and counted == ["a", "b", "c", "d"]
    get("b")
    assert counted == ["a", "b", "c", "d", "b"]


def test_counts_larger_than_the_cache_are_not_stored() -> None:
    cache = FacetCache(6)
    assert cache.get("a", lambda: {1: 1}) == {1: 1}
    for pages in (7, 8):
        assert cache.get("all", lambda pages=pages: dict.fromkeys(range(6), pages))[0] == pages
    assert cache.get("a", lambda: {1: 2}) == {1: 2}
    assert cache.get("a", lambda: {1: 3}) == {1: 2}


def test_a_file_that_replaces_another_has_another_version(tmp_path: Path) -> None:
    file, other = tmp_path / "a", tmp_path / "b"
    assert file_version(file) is None
    file.write_text("a")
    other.write_text("a")
    first = file_version(file)
    assert first == file_version(file) and first != file_version(other)
    other.rename(file)
    assert file_version(file) not in (None, first)
