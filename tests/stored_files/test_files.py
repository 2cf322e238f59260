"""Files that several machines share by a store, each with a data folder of its own."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from apps.engine.errors import BadWebFile
from apps.stored_files import files
from apps.stored_files.errors import StoreDown
from apps.stored_files.files import every_name, forget, keep, local, names
from tests.shared_store import On, Store


def written(path: Path, text: str = "words") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def a_web(folder: Path) -> Path:
    written(folder / "index.sqlite", "index")
    written(folder / "pages" / "one.warc.gz", "page")
    return folder


def test_what_one_machine_keeps_another_one_finds(on: On) -> None:
    keep(written(on("a") / "tables" / "ranks.sqlite", "1 a.test"))
    assert local(on("b") / "tables" / "ranks.sqlite").read_text() == "1 a.test"


def test_a_folder_is_found_whole(on: On) -> None:
    keep(a_web(on("a") / "webs" / "coast"))
    folder = local(on("b") / "webs" / "coast")
    assert (folder / "index.sqlite").read_text() == "index"
    assert (folder / "pages" / "one.warc.gz").read_text() == "page"
    assert [each.name for each in folder.parent.iterdir()] == ["coast"]


def test_what_nobody_keeps_is_nowhere(on: On) -> None:
    written(on("a") / "tables" / "ranks.sqlite")
    assert not local(on("b") / "tables" / "ranks.sqlite").exists()


def test_a_folder_that_is_not_stored_to_its_end_is_nowhere(on: On, monkeypatch) -> None:
    web = a_web(on("a") / "webs" / "coast")
    upload, left = files._upload, [1]

    def interrupted(path: Path) -> None:
        if not left:
            raise StoreDown("gone")
        left.pop()
        upload(path)

    monkeypatch.setattr(files, "_upload", interrupted)
    with pytest.raises(StoreDown):
        keep(web)
    monkeypatch.undo()
    assert not local(on("b") / "webs" / "coast").exists()


def test_a_download_that_is_cut_off_leaves_nothing_and_is_repeated(on: On, monkeypatch) -> None:
    keep(a_web(on("a") / "webs" / "coast"))
    here, put = on("b") / "webs" / "coast", files.sync

    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "sync", full)
    with pytest.raises(OSError, match="No space"):
        local(here)
    assert list(here.parent.iterdir()) == []
    monkeypatch.setattr(files, "sync", put)
    assert (local(here) / "index.sqlite").read_text() == "index"


def test_what_is_here_is_not_asked_for(on: On) -> None:
    path = written(on("a") / "tables" / "ranks.sqlite")
    keep(path)
    Store.down = True
    assert local(path).read_text() == "words"


def test_anew_brings_what_has_been_replaced(on: On) -> None:
    path = written(on("a") / "backgrounds" / "1" / "texts.txt", "old")
    keep(path)
    there = on("b") / "backgrounds" / "1" / "texts.txt"
    local(there)
    on("a")
    keep(written(path, "new"))
    on("b")
    assert local(there).read_text() == "old"
    assert local(there, anew=True).read_text() == "new"


def test_what_is_forgotten_is_gone_here_and_in_the_store(on: On) -> None:
    data = on("a")
    keep(a_web(data / "webs" / "coast"))
    keep(a_web(data / "webs" / "coastline"))
    forget(data / "webs" / "coast")
    assert not (data / "webs" / "coast").exists()
    assert not local(on("b") / "webs" / "coast").exists()
    assert set(every_name()) == {"webs/coastline/index.sqlite", "webs/coastline/pages/one.warc.gz"}


def test_the_names_are_those_of_here_and_of_the_store(on: On) -> None:
    keep(written(on("a") / "crawls" / "1" / "checkpoint-1.npz"))
    written(on("b") / "crawls" / "1" / "pages.warc.gz")
    assert names(on("b") / "crawls" / "1") == {"checkpoint-1.npz", "pages.warc.gz"}
    assert names(on("b") / "crawls" / "2") == set()


def test_a_store_that_is_down_is_named_wherever_a_file_cannot_be_read(on: On) -> None:
    path = written(on("a") / "tables" / "ranks.sqlite")
    Store.down = True
    for kind in (StoreDown, BadWebFile, OSError):
        on("a")
        with pytest.raises(kind, match=r"as it should: nobody is there$"):
            keep(path)
        with pytest.raises(kind, match="nobody is there"):
            local(on("b") / "tables" / "ranks.sqlite")
    on("a")
    forget(path)
    assert not path.exists()


def test_the_data_folder_alone_is_its_own_store(settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    web = a_web(tmp_path / "webs" / "coast")
    keep(web)
    assert local(web) == web and list(every_name()) == []
    assert names(web) == {"index.sqlite"}
    forget(web)
    assert not local(web).exists() and not (tmp_path / "webs" / "coast.whole-folder").exists()
