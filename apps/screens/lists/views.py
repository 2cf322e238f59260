"""Reads a list that is sent and shows how it was understood; nothing is stored."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.lists.counts import CountedList, count_entries
from apps.lists.limits import FILE_BYTES, BadList
from apps.lists.reading import ListReading, read_list
from apps.schemas.refused import Refused
from apps.screens.lists.schemas import COUNTED, HOSTS, TAKEN_AS, ReadingChoices
from apps.screens.lists.showing import list_view
from apps.topics.definition.host_lists import as_hosts
from apps.topics.definition.list_files import sort_entries

PASTED = "Pasted text"


@require_POST
def read(request: SignedInRequest) -> JsonResponse:
    """`{"html", "lists": {name: text}, "unit", "entries", "refused", "is_clean"}`
    of the `file` or the
    `text` sent; `{"ok": false, "message"}` for a file that is no list."""
    file = request.FILES.get("file")
    try:
        sent = ReadingChoices.read(
            {
                name: request.POST[name]
                for name in ReadingChoices.model_fields
                if name in request.POST
            }
        )
        content = file.read(FILE_BYTES + 1) if file else request.POST.get("text", "")
        reading = read_list(content, sent.choices()).with_corrections(set(sent.corrections))
    except (BadList, Refused) as error:
        return JsonResponse({"ok": False, "message": str(error)})
    name = (file.name if file else None) or PASTED
    if sent.taken_as == HOSTS:
        reading = as_hosts(reading)
    counted = None
    if sent.taken_as == COUNTED:
        counted = count_entries(reading, sent.choices())
        reading = counted.reading
    view = list_view(reading, sent, name, len(content), counted)
    lists = _lists_of(reading, sent, counted)
    return JsonResponse(
        {
            "html": render_to_string("lists/reading.html", {"view": view}, request),
            "lists": {where: "\n".join(lines) for where, lines in lists.items()},
            "unit": "host" if sent.taken_as == HOSTS else "address",
            "entries": len(reading.entries),
            "refused": len(reading.refused),
            "is_clean": reading.is_clean,
        }
    )


def new(request: SignedInRequest) -> HttpResponse:
    """The screen of a list that begins a topic: a file or pasted lines."""
    context = {"further_lists": [name for name in TAKEN_AS if name != "seeds"]}
    return render(request, "lists/new.html", context)


def _lists_of(
    reading: ListReading, sent: ReadingChoices, counted: CountedList | None
) -> dict[str, list[str]]:
    """The lines that are taken, by the list that each belongs to."""
    if sent.taken_as == HOSTS:
        return {HOSTS: [each.url for each in reading.entries]}
    if counted is None:
        return sort_entries(reading, sent.taken_as)
    return {COUNTED: [f"{each.url},{counted.numbers[each.line]}" for each in reading.entries]}
