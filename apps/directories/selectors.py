"""Reading directories: the tree, and the categories that can become topics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.db.models.functions import Length, Substr

from apps.accounts.sharing import shared_with
from apps.directories.models import (
    Directory,
    DirectoryPage,
    DirectorySite,
    DirectoryTopic,
)
from apps.directories.splits import drawn_order, left_out

if TYPE_CHECKING:
    # A crawl reads the sites of directories, and loads no schema.
    from apps.directories.schemas import CategoryChoice


def visible_directories(user: User) -> QuerySet[Directory]:
    """The directories a person may make topics of, latest first: their own and those shared with
    them."""
    which = Q(owner=user) | Q(pk__in=shared_with(Directory, user))
    rows = Directory.objects.filter(which, ready=True)
    return rows.select_related("owner").prefetch_related("shares")


def owned_directories(user: User) -> QuerySet[Directory]:
    """The directories a person may share and delete, latest first."""
    return Directory.objects.filter(owner=user, ready=True)


def listed_sites(user_id: int) -> frozenset[str]:
    """The registered domains that a person's directories list."""
    rows = DirectorySite.objects.filter(directory__owner_id=user_id, directory__ready=True)
    return frozenset(rows.values_list("domain", flat=True))


def category_at(directory: Directory, path: str) -> DirectoryTopic | None:
    """The category of that path, or None."""
    return directory.topics.filter(path=path).first()


def children(category: DirectoryTopic) -> QuerySet[DirectoryTopic]:
    """The categories directly below, by name."""
    rows = DirectoryTopic.objects.filter(directory_id=category.directory_id, parent=category.path)
    return rows.exclude(path="")


def candidates(directory: Directory, wanted: CategoryChoice) -> list[DirectoryTopic]:
    """The categories that would become topics, by path."""
    rows = directory.topics.exclude(path="")
    if wanted.how.scope == "own":
        rows = at_or_below(rows, wanted.at).filter(own_pages__gte=wanted.least)
    else:
        rows = rows.filter(parent=wanted.at, all_pages__gte=wanted.least)
    eligible = {row.path: row for row in rows if not left_out(row.path, wanted.left_out)}
    chosen = drawn_order(eligible.keys(), wanted.seed, wanted.most)
    return [eligible[path] for path in sorted(chosen)]


def urls_of(
    directory: Directory, categories: Sequence[DirectoryTopic], wanted: CategoryChoice
) -> dict[str, set[str]]:
    """The distinct URLs of each category, by its path and within the rule's scope."""
    urls_by_path: dict[str, set[str]] = {category.path: set() for category in categories}
    if wanted.how.scope == "own":
        for some in _slices(categories, 500):
            pages = DirectoryPage.objects.filter(topic__in=some).order_by()
            for path, url in pages.values_list("topic__path", "url").iterator():
                urls_by_path[path].add(url)
        return urls_by_path
    above = f"{wanted.at}/" if wanted.at else ""
    rows = at_or_below(directory.topics.all(), wanted.at)
    pages = DirectoryPage.objects.filter(topic__in=rows).order_by()
    for path, url in pages.values_list("topic__path", "url").iterator():
        child = above + path[len(above) :].partition("/")[0]
        if child in urls_by_path:
            urls_by_path[child].add(url)
    return urls_by_path


def _slices(rows: Sequence[DirectoryTopic], size: int) -> Iterator[Sequence[DirectoryTopic]]:
    return (rows[i : i + size] for i in range(0, len(rows), size))


def at_or_below(rows: QuerySet[DirectoryTopic], path: str) -> QuerySet[DirectoryTopic]:
    """The categories at and below the path; names are compared exactly."""
    if not path:
        return rows
    start = rows.annotate(start=Substr("path", 1, len(path) + 1), length=Length("path"))
    return start.filter(start=f"{path}/") | start.filter(path=path)


def descriptions_below(category: DirectoryTopic | None) -> dict[str, str]:
    """Editors' descriptions of the pages at and below a category, by URL; empty without one."""
    if category is None:
        return {}
    branch = at_or_below(category.directory.topics.all(), category.path)
    rows = DirectoryPage.objects.filter(topic__in=branch).exclude(description="")
    return dict(rows.values_list("url", "description").iterator())
