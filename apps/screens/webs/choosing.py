"""Pages of a web chosen for a topic's form that waits for them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.engine.errors import EngineError
from apps.figures.quantities import number_of
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused
from apps.screens.topic.set_aside import add_pages, waiting_for
from apps.screens.webs.frame import being_indexed, visible_web
from apps.screens.webs.selecting import chosen_numbers
from apps.topics.from_labels import LabelTopics, division_like, make_topics_of_labels
from apps.webs.messages import error_words
from apps.webs.pages.searching import PageIndex

LISTS = {
    "positives": "positive example",
    "seeds": "seed",
    "targets": "target",
    "negatives": "negative example",
}
"""The lists that pages may be added to, each with the word for one of its pages."""


@require_POST
def topics_of_labels(request: SignedInRequest, pk: int) -> HttpResponse:
    """Makes a topic of each label of a web, divided by the rule of a paper."""
    web = visible_web(request, pk)
    try:
        wanted = LabelTopics.read(
            {
                "rule": request.POST.get("rule", ""),
                "most": whole_number(request.POST.get("most", "")),
            }
        )
        topics = make_topics_of_labels(
            request.user, web, most=wanted.most, division=division_like(wanted.rule)
        )
    except (Refused, EngineError) as error:
        words = error.message if isinstance(error, Refused) else error_words(error)
        messages.error(request, words)
        return redirect("webs:labels", web.pk)
    if not topics:
        messages.error(request, "No label has 20 pages or more, and at most half of the web.")
        return redirect("webs:labels", web.pk)
    fetched = "their examples are fetched in the background"
    messages.success(request, f"{number_of(len(topics), 'topic')} of labels; {fetched}.")
    return redirect("webs:uses", web.pk)


@require_POST
def add(request: SignedInRequest, pk: int) -> HttpResponse:
    """Adds the selected pages to a list of the form that waits, and goes on with the form."""
    web = visible_web(request, pk)
    form, name = waiting_for(request, web), request.POST.get("list", "")
    if form is None or name not in LISTS:
        return redirect("webs:web", web.pk)
    if problem := being_indexed(web):
        messages.error(request, f"No page was added. {problem}")
        return redirect("webs:web", web.pk)
    with PageIndex(web) as index:
        urls = [page.url for page in index.pages(chosen_numbers(request.POST))]
    if not urls:
        messages.error(request, "No page is selected: select some, then add them.")
        return redirect("webs:web", web.pk)
    added = add_pages(request, name, urls)
    repeated = f"; {number_of(len(urls) - added, 'page')} stood there already" * (added < len(urls))
    messages.success(request, f"{number_of(added, LISTS[name])} added{repeated}.")
    return redirect(form.address)
