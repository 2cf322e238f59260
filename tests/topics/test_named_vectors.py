"""Named vectors, and what the screen says of them."""

from __future__ import annotations

import os
from pathlib import Path

from apps.topics import named_vectors as module
from apps.topics.named_vectors import are_named, named_vectors, vectors_label, vectors_state
from tests.engine.representation.vectors.made_package import install_vectors


def test_there_are_none_where_the_setting_is_none_or_nothing_is_installed(
    settings, monkeypatch
) -> None:
    for setting in ("none", ""):
        settings.WORD_VECTORS = setting
        monkeypatch.setattr(module, "WORDLLAMA", "there-is-no-such-package")
        assert named_vectors() is None and not are_named()
        assert vectors_label() == vectors_state() == ""


def test_the_extra_alone_is_enough_and_its_package_states_its_licence(
    tmp_path: Path, settings, monkeypatch
) -> None:
    install_vectors(tmp_path, "wordllama")
    monkeypatch.syspath_prepend(str(tmp_path))
    settings.WORD_VECTORS = ""
    vectors = named_vectors()
    assert vectors is not None and list(vectors.listed) == ["heat", "warmth", "pump"]
    assert vectors_label() == "wordllama 1.2, licence MIT"
    assert vectors_state() == "wordllama 1.2"
    settings.WORD_VECTORS = "none"
    assert named_vectors() is None


def test_the_setting_names_an_installed_package_unless_a_folder_has_the_name(
    tmp_path: Path, settings, monkeypatch
) -> None:
    install_vectors(tmp_path, "made-vectors")
    monkeypatch.syspath_prepend(str(tmp_path))
    settings.WORD_VECTORS = "made-vectors"
    assert vectors_label() == "made-vectors 1.2, licence MIT"
    assert named_vectors() is not None
    (tmp_path / "here" / "made-vectors").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    assert vectors_label() == "made-vectors, licence not stated"


def test_a_folder_states_its_licence_unless_the_setting_does(tmp_path: Path, settings) -> None:
    settings.WORD_VECTORS = str(tmp_path)
    assert vectors_label() == f"{tmp_path.name}, licence not stated"
    (tmp_path / "README.md").write_text("---\nlicense: mit\n---\n")
    assert vectors_label() == f"{tmp_path.name}, licence mit"
    settings.WORD_VECTORS_LICENCE = "CC0"
    assert vectors_label() == f"{tmp_path.name}, licence CC0"


def test_a_copy_on_another_machine_is_the_same_and_other_numbers_are_not(
    tmp_path: Path, settings
) -> None:
    state = {}
    for machine, last in (("one", "2"), ("two", "2"), ("three", "3")):
        folder = tmp_path / machine / "vectors"
        folder.mkdir(parents=True)
        (folder / "rows.txt").write_text("bread 1 0\n" * 200_000 + f"dough 0 {last}\n")
        os.utime(folder / "rows.txt", (1, len(state)))
        settings.WORD_VECTORS = str(folder)
        state[machine] = vectors_state()
    assert state["one"] == state["two"] != state["three"]
