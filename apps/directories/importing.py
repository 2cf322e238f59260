"""Importing a directory's file into the database, a few thousand pages at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Count

from apps.directories.models import (
    Directory,
    DirectoryPage,
    DirectorySite,
    DirectoryTopic,
)
from apps.directories.readers.listing import BadDirectoryFile, Listed
from apps.engine import urls
from apps.engine.networking.address_guard import AddressGuard
from apps.jobs.deletion import delete_later
from apps.schemas.input import is_printable

BATCH = 5_000
LONGEST_URL = 2_000
# Bytes that every database can index. Each level of a path is a row.
LONGEST_PATH = 2_000
MOST_LEVELS = 50
LONGEST_NAME = 200


def import_directory(
    owner: User,
    name: str,
    listed: Iterable[Listed],
    finish: Callable[[Directory], None] = lambda directory: None,
) -> Directory:
    """Imports everything listed as a directory, some thousand pages at a time: all of it or
    nothing.

    It becomes visible after the last page, and other writers of the database get their turn between
    the batches. URLs that are not web addresses and those listed twice in a category are skipped
    and counted. `finish` is called in the transaction that makes it visible. Raises
    BadDirectoryFile if the file breaks off or holds no page, or if the name is taken.
    """
    check_directory_name(owner, name)
    # The remains of an import that was cut off.
    for left in Directory.objects.filter(owner=owner, name=name):
        delete_later(left, owner)
    importing = _Import(Directory.objects.create(owner=owner, name=name, ready=False))
    try:
        for batch in _batches(listed):
            with transaction.atomic():
                importing.add(batch)
        return importing.finished(finish)
    except BaseException:
        delete_later(importing.directory, owner)
        raise


def check_directory_name(owner: User, name: str) -> None:
    """Raises BadDirectoryFile if the person cannot have a directory of that name."""
    if not 0 < len(name) <= LONGEST_NAME:
        raise BadDirectoryFile(f"Give a name of up to {LONGEST_NAME} characters.")
    if not is_printable(name):
        raise BadDirectoryFile("Leave the control characters out of the name.")
    if Directory.objects.filter(owner=owner, name=name, ready=True).exists():
        raise BadDirectoryFile(f"There is a directory {name} already: choose another name.")


def remove_directory(directory: Directory) -> None:
    """Hides the directory; its rows are deleted in the background. Topics made of it and crawls
    that were given it stay."""
    delete_later(directory, directory.owner)


def _batches(listed: Iterable[Listed]) -> Iterator[list[Listed]]:
    stream = iter(listed)
    while batch := list(islice(stream, BATCH)):
        yield batch


class _Import:
    """An import under way: `ids` are the categories' keys by path."""

    def __init__(self, directory: Directory) -> None:
        self.directory = directory
        self.ids: dict[str, int] = {}
        self.skipped: Counter[str] = Counter()
        self._guard = AddressGuard(settings.ALLOWED_ADDRESSES)
        self._given = 0

    def add(self, batch: list[Listed]) -> None:
        self._add_categories(listed.category for listed in batch)
        pages = [
            page for listed in batch if listed.url and (page := self._page(listed)) is not None
        ]
        self._given += len(pages)
        DirectoryPage.objects.bulk_create(pages, ignore_conflicts=True)
        domains = {urls.registered_domain(urls.host(page.url)) for page in pages}
        DirectorySite.objects.bulk_create(
            (DirectorySite(directory=self.directory, domain=d) for d in sorted(domains)),
            ignore_conflicts=True,
        )

    def _page(self, listed: Listed) -> DirectoryPage | None:
        url = urls.canonical(listed.url)
        if url is None or len(url) > LONGEST_URL:
            self.skipped["not_http" if url is None else "too_long"] += 1
            return None
        if self._guard.refusal(url) is not None:
            self.skipped["not_public"] += 1
            return None
        return DirectoryPage(
            topic_id=self.ids[listed.category],
            url=url,
            title=listed.title,
            description=listed.description,
        )

    def _add_categories(self, paths: Iterable[str]) -> None:
        """Makes rows for new categories and their ancestors."""
        wanted = set(paths)
        for path in wanted:
            _check_path(path)
        new = {above for path in wanted for above in _upwards(path)} - self.ids.keys()
        rows = DirectoryTopic.objects.bulk_create(
            DirectoryTopic(
                directory=self.directory, path=path, parent=parent_of(path), depth=_depth(path)
            )
            for path in sorted(new)
        )
        self.ids.update((row.path, row.pk) for row in rows)

    def finished(self, finish: Callable[[Directory], None]) -> Directory:
        """The finished directory with its counts."""
        if not self._given:
            raise BadDirectoryFile("The file lists no web page. Nothing was kept.")
        own = self._count_pages()
        directory = self.directory
        directory.categories, directory.pages = len(self.ids.keys() - {""}), sum(own.values())
        directory.sites = directory.listed_sites.count()
        if self._given > directory.pages:
            self.skipped["twice"] = self._given - directory.pages
        directory.skipped, directory.ready = dict(self.skipped), True
        with transaction.atomic():
            directory.save()
            finish(directory)
        return directory

    def _count_pages(self) -> Counter[str]:
        """Writes how many pages each category has, by itself and with its descendants."""
        pages = DirectoryPage.objects.filter(topic__directory=self.directory).order_by()
        by_id = dict(pages.values_list("topic").annotate(Count("pk")))
        own = Counter({path: by_id.get(pk, 0) for path, pk in self.ids.items()})
        below: Counter[str] = Counter()
        for path, number in own.items():
            for above in _upwards(path) if number else ():
                below[above] += number
        table = connection.ops.quote_name(DirectoryTopic._meta.db_table)
        counted = ((own[path], below[path], pk) for path, pk in self.ids.items())
        while some := list(islice(counted, BATCH)):
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.executemany(
                    f"UPDATE {table} SET own_pages = %s, all_pages = %s WHERE id = %s", some
                )
        return own


def summary(directory: Directory) -> dict[str, Any]:
    """The outcome of an import, as `import_directory` prints it."""
    return {
        "directory": directory.pk,
        "name": directory.name,
        "categories": directory.categories,
        "pages": directory.pages,
        "sites": directory.sites,
        "skipped": directory.skipped,
    }


def parent_of(path: str) -> str:
    """The path of the parent category; the parent of a top-level category is the root, an empty
    path."""
    return path.rpartition("/")[0]


def _check_path(path: str) -> None:
    if _depth(path) > MOST_LEVELS or len(path.encode()) > LONGEST_PATH:
        raise BadDirectoryFile(
            f"{path[:60]}… is not a category: it has more than {MOST_LEVELS} levels or"
            f" {LONGEST_PATH:,} bytes. Nothing was kept."
        )


def _upwards(path: str) -> Iterator[str]:
    """The category, its ancestors, and the root."""
    while path:
        yield path
        path = parent_of(path)
    yield ""


def _depth(path: str) -> int:
    return path.count("/") + 1 if path else 0
