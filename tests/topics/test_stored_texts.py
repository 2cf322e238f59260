"""A topic's texts in files beside its pages."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from apps.topics import stored_texts
from apps.topics.examples.page_store import topic_folder
from apps.topics.stored_texts import MOST_FILES, StoredTexts, forget_texts


def test_a_file_is_read_by_whoever_has_the_same_inputs_and_code(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    StoredTexts(1, {"a": 1, "b": [2]}).write({"tokens": np.arange(3)})
    state = StoredTexts(1, {"b": [2], "a": 1}).read()
    assert state is not None and state["tokens"].tolist() == [0, 1, 2]
    assert StoredTexts(1, {"a": 1, "b": [3]}).read() is None
    assert StoredTexts(2, {"a": 1, "b": [2]}).read() is None
    monkeypatch.setattr(stored_texts, "_code", lambda: b"other code")
    assert StoredTexts(1, {"a": 1, "b": [2]}).read() is None


def test_other_code_or_libraries_that_parse_pages_make_other_texts(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    StoredTexts(1, "inputs").write({})
    monkeypatch.setattr(stored_texts, "code_version", lambda: "other")
    monkeypatch.setattr(stored_texts, "_code", stored_texts._code.__wrapped__)
    assert StoredTexts(1, "inputs").read() is None


def test_a_damaged_file_is_none(data_dir: Path) -> None:
    StoredTexts(1, "inputs").write({"tokens": np.arange(3)})
    (file,) = topic_folder(1).iterdir()
    file.write_bytes(file.read_bytes()[:100])
    assert StoredTexts(1, "inputs").read() is None


def test_the_files_used_longest_ago_go(data_dir: Path) -> None:
    for n in range(MOST_FILES + 1):
        StoredTexts(1, n).write({})
        for file in topic_folder(1).iterdir():
            os.utime(file, (file.stat().st_mtime - 10,) * 2)
        assert StoredTexts(1, 0).read() is not None  # used again
    assert [n for n in range(MOST_FILES + 1) if StoredTexts(1, n).read() is None] == [1]


def test_they_are_forgotten_and_nothing_else(data_dir: Path) -> None:
    StoredTexts(1, "inputs").write({})
    (topic_folder(1) / "examples-1.warc.gz").write_bytes(b"pages")
    forget_texts(1)
    assert [file.name for file in topic_folder(1).iterdir()] == ["examples-1.warc.gz"]
    forget_texts(2)


def test_nothing_is_written_where_the_pages_are_elsewhere(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_texts, "is_elsewhere", lambda: True)
    StoredTexts(1, "inputs").write({})
    assert StoredTexts(1, "inputs").read() is None
