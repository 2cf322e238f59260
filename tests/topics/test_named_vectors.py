"""Named vectors, and what the screen says of them."""

from __future__ import annotations

from pathlib import Path

from apps.topics.named_vectors import named_vectors, vectors_label


def test_none_are_named_by_default() -> None:
    assert named_vectors() is None
    assert vectors_label() == ""


def test_a_folder_states_its_licence_unless_the_setting_does(tmp_path: Path, settings) -> None:
    settings.WORD_VECTORS = str(tmp_path)
    assert vectors_label() == f"{tmp_path.name}, licence not stated"
    (tmp_path / "README.md").write_text("---\nlicense: mit\n---\n")
    assert vectors_label() == f"{tmp_path.name}, licence mit"
    settings.WORD_VECTORS_LICENCE = "CC0"
    assert vectors_label() == f"{tmp_path.name}, licence CC0"
