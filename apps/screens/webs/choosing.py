"""Pages of a web chosen for a topic's form that waits for them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from apps.figures.quantities import number_of
from apps.screens.topic.set_aside import add_pages, waiting_for
from apps.screens.webs.frame import visible_web
from apps.screens.webs.selecting import chosen_numbers
from apps.webs.pages.searching import PageIndex

LISTS = {
    "positives": "positive example", "seeds": "seed", "targets": "target",
    "negatives": "negative example",
}  # fmt: skip
"""The lists that pages may be added to, each with the word for one of its pages."""


@require_POST
def add(request: HttpRequest, pk: int) -> HttpResponse:
    """Adds the selected pages to a list of the form that waits, and goes on with the form."""
    web = visible_web(request, pk)
    form, name = waiting_for(request, web), request.POST.get("list", "")
    if form is None or name not in LISTS:
        return redirect("webs:web", web.pk)
    with PageIndex(web) as index:
        urls = [page.url for page in index.pages(chosen_numbers(request.POST))]
    if not urls:
        messages.error(request, "No page is selected: select some, then add them.")
        return redirect("webs:web", web.pk)
    added = add_pages(request, name, urls)
    known = f"; {number_of(len(urls) - added, 'page')} stood there already" * (added < len(urls))
    messages.success(request, f"{number_of(added, LISTS[name])} added{known}.")
    return redirect(form.address)
