"""Keeping, finding and deleting the files of the data folder.

Almost every file is written whole, under a name never used before, and then only read. So three
verbs are enough to put them into a store: `keep` before a row names the file, `local` before it is
opened, `forget` when it is deleted. The store is Django's storage `data` (STORAGES). By default it
is the data folder itself: then these do nothing but delete. With any other storage the data folder
of a machine is a cache of it, which may be deleted while nothing runs there.

A folder is stored as its files and, last, a list of them: one that has no list yet, or that is not
fetched completely, does not exist.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, storages

from apps.engine.durable import sync
from apps.stored_files.errors import StoreDown, in_a_line

log = logging.getLogger("crawlsite.store")

LIST = ".whole-folder"
"""What is added to the name of a stored folder to name its list of files."""
CHUNK = 1 << 20


def is_elsewhere() -> bool:
    """Whether a store holds the files, of which the data folder is a cache."""
    return not isinstance(_store(), FileSystemStorage)


def keep(path: Path) -> None:
    """Stores a file, or a folder with all that is in it, complete on the disk already.

    What is stored under the name is replaced. Raises StoreDown.
    """
    if not is_elsewhere():
        return
    if not path.is_dir():
        _upload(path)
        return
    files = [each for each in sorted(path.rglob("*")) if each.is_file()]
    for each in files:
        _upload(each)
    listed = json.dumps([each.relative_to(path).as_posix() for each in files])
    _save(_name(path) + LIST, ContentFile(listed.encode()))


def local(path: Path, *, anew: bool = False) -> Path:
    """The same path, with its file or folder fetched to this machine if the store has it; `anew`
    even if it is here, for the few that are replaced under their name.

    Nothing is there if nothing is stored. Raises StoreDown, OSError if the disk is full.
    """
    if not is_elsewhere() or (path.exists() and not anew):
        return path
    part = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        if _download(_name(path), part) or _download_folder(path, part):
            _put(part, path, anew)
    finally:
        _delete_here(part)
    return path


def copy_of(path: Path, target: Path) -> Path:
    """Copies a file or folder from the store to another path; copies nothing if the store has none.
    Raises StoreDown, OSError if the disk is full."""
    if not _download(_name(path), target):
        _download_folder(path, target)
    return target


def forget(path: Path) -> None:
    """Deletes a file or folder here and in the store. Never raises: what the store refuses to
    delete stays there unnamed."""
    _delete_here(path)
    if not is_elsewhere():
        return
    try:
        for name in (_name(path) + LIST, _name(path), *_stored_below(_name(path))):
            with _asking():
                _store().delete(name)
    except StoreDown as error:
        log.warning("%s stays in the store: %s", _name(path), error)


def names(folder: Path) -> set[str]:
    """The names of the files in a folder, on this machine or in the store. Raises StoreDown."""
    names = {each.name for each in folder.iterdir() if each.is_file()} if folder.is_dir() else set()
    if is_elsewhere():
        names |= set(_list_folder(_name(folder))[1])
    return names


def is_kept(path: Path) -> bool:
    """Whether the store has the file, or the whole folder, that is here. Raises StoreDown."""
    with _asking():
        return _store().exists(_name(path) + (LIST if path.is_dir() else ""))


def every_name() -> Iterator[str]:
    """The names of the files in the store, relative to the data folder; empty if that is the
    store. Raises StoreDown."""
    stored = _stored_below("") if is_elsewhere() else iter(())
    return (name for name in stored if not name.endswith(LIST))


def _store() -> Storage:
    return storages["data"]


def _name(path: Path) -> str:
    return path.relative_to(settings.DATA_DIR).as_posix()


def _upload(path: Path) -> None:
    with path.open("rb") as file:
        _save(_name(path), File(file))


def _save(name: str, content: File[bytes]) -> None:
    with _asking():
        _store().save(name, content)


def _download(name: str, path: Path) -> bool:
    """Whether the store has a file of that name, which is then at the path, on the disk."""
    try:
        with _asking():
            stored = _store().open(name)
            chunk = stored.read(CHUNK)
    except FileNotFoundError:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    with stored, path.open("wb") as file:
        while chunk:
            file.write(chunk)
            with _asking():
                chunk = stored.read(CHUNK)
    sync(path)
    return True


def _download_folder(path: Path, part: Path) -> bool:
    """Whether the store has a whole folder of that name, which is then at `part`."""
    try:
        with _asking(), _store().open(_name(path) + LIST) as stored:
            listed = json.loads(stored.read())
    except FileNotFoundError:
        return False
    part.mkdir(parents=True)
    return all(_download(f"{_name(path)}/{name}", part / name) for name in listed)


def _put(part: Path, path: Path, anew: bool) -> None:
    if anew and path.is_dir():
        shutil.rmtree(path)
    try:
        part.replace(path)
    except OSError:
        if not path.is_dir():  # else another process has fetched the folder meanwhile
            raise
    sync(path.parent)


def _stored_below(folder: str) -> Iterator[str]:
    folders, files = _list_folder(folder)
    for name in files:
        yield str(PurePosixPath(folder, name))
    for name in folders:
        yield from _stored_below(str(PurePosixPath(folder, name)))


def _list_folder(folder: str) -> tuple[list[str], list[str]]:
    try:
        with _asking():
            return _store().listdir(folder)
    except FileNotFoundError:
        return [], []


def _delete_here(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def _asking() -> Iterator[None]:
    """A request to the store. Raises StoreDown for what its class lists as `faults`."""
    store = _store()
    try:
        yield
    except getattr(store, "faults", ()) as error:
        raise StoreDown(
            f"the store of files does not answer as it should: {in_a_line(error)}"
        ) from error
