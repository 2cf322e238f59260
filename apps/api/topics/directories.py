"""Directories: uploading and browsing them, and making topics from them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from ninja import File, Form, Query, Router, Schema, Status, UploadedFile
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.api.paging import ListPage, PagingQuery, paged
from apps.api.refusals import Refusal
from apps.api.uploads import UploadOut, upload_of
from apps.directories.importing import remove_directory
from apps.directories.models import Directory, DirectoryPage, DirectoryTopic
from apps.directories.schemas import CategoryChoice
from apps.directories.selectors import (
    candidates,
    category_at,
    children,
    owned_directories,
    visible_directories,
)
from apps.topics.definition.from_directory import make_topics
from apps.uploads.models import Upload
from apps.uploads.services import take_upload

router = Router(tags=["directories"])


class DirectoryOut(Schema):
    """An imported directory; `skipped` counts the entries of its file that were skipped, by
    reason."""

    id: int
    name: str
    owner: str
    mine: bool
    categories: int
    pages: int
    sites: int
    skipped: dict[str, int]
    imported_at: datetime


class CategoryOut(Schema):
    """A category by its path; pages are counted without and with those of its descendants."""

    path: str
    own_pages: int
    all_pages: int


class CategoryPage(ListPage):
    items: list[CategoryOut]


class ListedPage(Schema):
    """A page in a category, with an editor's description of it."""

    url: str
    title: str
    description: str


class ListedPages(ListPage):
    items: list[ListedPage]


class NodeQuery(Schema):
    """A node of the tree: a category's path, empty for the root."""

    at: str = Field("", max_length=2_000, pattern="^[^\\x00]*$")


class MakeSent(CategoryChoice):
    __doc__ = f"""{CategoryChoice.__doc__}
    With `count_only` nothing is made; without `fetch` no page is fetched."""

    fetch: bool = True
    count_only: bool = False


class MadeOut(Schema):
    """The matching categories, the numbers of the topics made, and categories that turned out to
    list the same URLs twice and so have too few."""

    categories: list[str]
    topics: list[int]
    too_few: list[str]


@router.get("", response=list[DirectoryOut], summary="List directories")
def list_directories(request: SignedInRequest) -> Any:
    """The directories you have imported and those shared with you, latest first."""
    return [_directory(row, request) for row in visible_directories(request.user)]


@router.post("", response={202: UploadOut, 422: Refusal}, summary="Upload a directory")
def upload_directory(request: SignedInRequest, file: File[UploadedFile], name: Form[str]) -> Any:
    """The Open Directory's RDF, or lines `url,topic[,title,description]`, plain or gzipped, up to 4
    GB. It is imported in the background; the upload shows its progress."""
    upload = take_upload(request.user, Upload.Kind.DIRECTORY, name, file)
    return Status(202, upload_of(upload))


@router.delete(
    "/{int:directory_id}", response={204: None, 404: Refusal}, summary="Delete a directory"
)
def delete_directory(request: SignedInRequest, directory_id: int) -> Any:
    """Topics made from it, and crawls that were given it, stay."""
    own = owned_directories(request.user)
    remove_directory(get_object_or_404(own, pk=directory_id))
    return Status(204, None)


@router.get(
    "/{int:directory_id}/categories",
    response={200: CategoryPage, 404: Refusal},
    summary="List categories",
)
def list_categories(
    request: SignedInRequest, directory_id: int, where: Query[NodeQuery], paging: PagingQuery
) -> Any:
    """The categories directly below one, by name."""
    return paged(children(_category(request, directory_id, where.at)), paging, _as_it_is)


@router.get(
    "/{int:directory_id}/pages",
    response={200: ListedPages, 404: Refusal},
    summary="List a category's pages",
)
def list_listed_pages(
    request: SignedInRequest, directory_id: int, where: Query[NodeQuery], paging: PagingQuery
) -> Any:
    """The pages of one category, without those of its descendants."""
    return paged(_category(request, directory_id, where.at).pages.all(), paging, _as_it_is)


@router.post(
    "/{int:directory_id}/topics",
    response={200: MadeOut, 404: Refusal, 422: Refusal},
    summary="Make topics from a directory",
)
def make_topics_of(request: SignedInRequest, directory_id: int, sent: MakeSent) -> Any:
    """Makes hundreds in one action; each stores the seed it was drawn with."""
    category = _category(request, directory_id, sent.at)
    if sent.count_only:
        paths = [candidate.path for candidate in candidates(category.directory, sent)]
        return {"categories": paths, "topics": [], "too_few": []}
    made = make_topics(request.user, category.directory, sent, sent.fetch)
    return {
        "categories": [topic.category.path for topic in made.topics if topic.category],
        "topics": [topic.pk for topic in made.topics],
        "too_few": made.too_few,
    }


def _directory(row: Directory, request: SignedInRequest) -> dict[str, Any]:
    return {
        "id": row.pk,
        "name": row.name,
        "owner": row.owner.get_username(),
        "mine": row.owner_id == request.user.pk,
        "categories": row.categories,
        "pages": row.pages,
        "sites": row.sites,
        "skipped": row.skipped,
        "imported_at": row.imported_at,
    }


def _category(request: SignedInRequest, pk: int, at: str) -> DirectoryTopic:
    category = category_at(get_object_or_404(visible_directories(request.user), pk=pk), at)
    if category is None:
        raise Http404
    return category


def _as_it_is(row: DirectoryTopic | DirectoryPage) -> DirectoryTopic | DirectoryPage:
    return row
