"""The list of directories, and the tree of one with the form that makes topics from it."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from apps.accounts.requests import SignedInRequest
from apps.directories.importing import remove_directory
from apps.directories.models import Directory, DirectoryTopic
from apps.directories.schemas import CategoryChoice
from apps.directories.selectors import (
    candidates,
    category_at,
    children,
    owned_directories,
    visible_directories,
)
from apps.schemas.refused import Refused
from apps.screens.directories.forms import MakeTopicsForm
from apps.screens.uploads.forms import DirectoryUploadForm
from apps.topics.definition.from_directory import Made, make_topics
from apps.topics.models import Topic
from apps.uploads.models import Upload
from apps.uploads.rows import upload_rows, why_left_out
from apps.uploads.services import uploads_of

ROWS = 50
SHOWN_CANDIDATES = 20


def directories(request: SignedInRequest) -> HttpResponse:
    """The directories a person may see, and the form to upload another one."""
    form = DirectoryUploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and form.take(request.user) is not None:
        return redirect("directories:list")
    rows = Paginator(visible_directories(request.user), ROWS).get_page(request.GET.get("page"))
    return render(
        request,
        "directories/list.html",
        {
            "page": rows,
            "form": form,
            "uploads": upload_rows(uploads_of(request.user, Upload.Kind.DIRECTORY)),
        },
    )


def delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asks for confirmation and lists what stays; the POST deletes."""
    directory = get_object_or_404(owned_directories(request.user), pk=pk)
    if request.method == "POST":
        remove_directory(directory)
        messages.success(request, f"{directory.name} is deleted.")
        return redirect("directories:list")
    made = Topic.objects.filter(category__directory=directory).count()
    return render(request, "directories/delete.html", {"directory": directory, "made": made})


def directory(request: SignedInRequest, pk: int) -> HttpResponse:
    """One category of a directory: its children, its pages, and the form that makes topics."""
    shown = get_object_or_404(visible_directories(request.user), pk=pk)
    category = category_at(shown, request.GET.get("at", ""))
    if category is None:
        raise Http404
    form = MakeTopicsForm(request.POST or None, owner=request.user, at=category.path)
    counted = None
    if request.method == "POST" and form.is_valid():
        if request.POST.get("action") == "make":
            return _make(request, shown, form.wanted, form.cleaned_data["fetch"])
        counted = candidates(shown, form.wanted)
    return render(
        request,
        "directories/directory.html",
        {
            **_tree(request, shown, category),
            "form": form,
            "counted": counted,
            "shown": (counted or [])[:SHOWN_CANDIDATES],
            "counted_words": _counted_words(len(counted or [])),
            "none_words": _none_words(form.wanted) if counted == [] else "",
        },
    )


def _tree(
    request: SignedInRequest, directory: Directory, category: DirectoryTopic
) -> dict[str, object]:
    below = Paginator(children(category), ROWS).get_page(request.GET.get("page"))
    pages = Paginator(category.pages.all(), ROWS).get_page(request.GET.get("pages"))
    return {
        "directory": directory,
        "category": category,
        "trail": _trail(category.path),
        "children": below,
        "pages": pages,
        "skipped": [(n, why_left_out(why)) for why, n in directory.skipped.items()],
    }


def _trail(path: str) -> list[tuple[str, str]]:
    """The names of the categories down to this one, with their paths."""
    parts = path.split("/") if path else []
    return [(part.replace("_", " "), "/".join(parts[: i + 1])) for i, part in enumerate(parts)]


def _make(
    request: SignedInRequest, directory: Directory, wanted: CategoryChoice, fetch: bool
) -> HttpResponse:
    try:
        made = make_topics(request.user, directory, wanted, fetch)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect(request.get_full_path())
    if not made.topics:
        messages.warning(request, f"No topic was made: {_none_words(wanted)}")
        return redirect(request.get_full_path())
    messages.success(request, _made_words(made, fetch))
    return redirect("topics:list")


def _none_words(wanted: CategoryChoice) -> str:
    return (
        f"no category here has {wanted.least:,} URLs and none of the words left out. Go up in the"
        " tree, or require fewer URLs."
    )


def _counted_words(number: int) -> str:
    """How many categories would become topics, if any would."""
    if number == 1:
        return "1 category would become a topic."
    return f"{number:,} categories would become topics."


def _made_words(made: Made, fetch: bool) -> str:
    number = len(made.topics)
    words = "1 topic is made." if number == 1 else f"{number:,} topics are made."
    if made.too_few:
        words += f" {len(made.too_few):,} categories list the same URLs twice and have too few."
    if fetch:
        return words + " Their example pages are being fetched."
    return words + " Their example pages wait: fetch them from a topic's page."
