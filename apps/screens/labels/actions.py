"""Actions on the screen of labels: settle, undo, label the same pages, agree on a note, and choose
which labels count."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.agreement import asking
from apps.agreement.settling import settle_seen, undo_seen
from apps.crawls.commands.labelling import labels, recounting
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Settlement
from apps.schemas.refused import Refused
from apps.topics import annotation
from apps.topics.models import Topic
from apps.topics.selectors import editable_topics, visible_topics

VALUES = {"y": True, "n": False, "open": None}


@require_POST
def settle(request: SignedInRequest, pk: int) -> HttpResponse:
    """Settles a page as `y` or `n`, or leaves it `open`."""
    topic = _editable(request, pk)
    value, text = request.POST.get("value", ""), request.POST.get("note", "")

    def change() -> None:
        if value not in VALUES:
            raise CrawlRefused("value", "Settle it as y or n, or leave it open.")
        settle_seen(topic, _address(request), VALUES[value], request.user, text)

    return _carry_out(request, topic, change, "to-settle")


@require_POST
def undo(request: SignedInRequest, pk: int) -> HttpResponse:
    """Opens a settled page again."""
    topic = _editable(request, pk)
    key = _number(request.POST.get("settlement", ""))
    settlement = get_object_or_404(Settlement, topic=topic, pk=key)

    def change() -> None:
        undo_seen(settlement, request.user)

    return _carry_out(request, topic, change, "to-settle")


@require_POST
def answer(request: SignedInRequest, pk: int) -> HttpResponse:
    """Labels a page that others have labelled or that all are asked for, `y` or `n`, with the
    person's reason."""
    topic = _editable(request, pk)
    value, text = request.POST.get("value", ""), request.POST.get("note", "")

    def change() -> None:
        position = asking.page_to_answer(topic, _address(request), request.user)
        if value not in ("y", "n") or position is None:
            words = "A label is y or n, of a page that others have labelled or all are asked for."
            raise CrawlRefused("value", words)
        crawl, seq = position
        own = labels.labels_of(crawl, [seq], request.user).get(seq)
        if own != (value == "y"):
            labels.label(crawl, seq, value == "y", request.user, note=text)

    return _carry_out(request, topic, change, "same-pages")


@require_POST
def ask(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asks everybody for the labels of further pages, chosen by `how`; `withdraw` takes back those
    that nobody has labelled."""
    topic = _editable(request, pk)

    def change() -> None:
        if "withdraw" in request.POST:
            asking.withdraw(topic)
        else:
            how, after = request.POST.get("how", ""), request.POST.get("after", "")
            asking.ask_everybody(topic, how, request.user, after=_number(after))

    return _carry_out(request, topic, change, "same-pages")


@require_POST
def note(request: SignedInRequest, pk: int) -> HttpResponse:
    """Writes another version of the note of what is in and out, or marks it as read."""
    topic = _editable(request, pk)
    version = _number(request.POST.get("version", ""))

    def change() -> None:
        if "read" in request.POST:
            annotation.mark_read(topic, request.user, version)
        else:
            annotation.write_guideline(topic, request.POST.get("text", ""), request.user, version)

    return _carry_out(request, topic, change, "note")


@require_POST
def rule(request: SignedInRequest, pk: int) -> HttpResponse:
    """Chooses which labels count."""
    topic = _editable(request, pk)

    def change() -> None:
        recounting.choose_rule(topic, request.POST.get("rule", ""), request.user)

    return _carry_out(request, topic, change, "rule")


@require_POST
def hide(request: SignedInRequest, pk: int) -> HttpResponse:
    """Hides others' labels from the person until they have answered, or shows them."""
    topic = _editable(request, pk)

    def change() -> None:
        annotation.hide_others(topic, request.user, request.POST.get("hides") == "1")

    return _carry_out(request, topic, change, "same-pages")


def _editable(request: SignedInRequest, pk: int) -> Topic:
    get_object_or_404(visible_topics(request.user), pk=pk)
    return get_object_or_404(editable_topics(request.user), pk=pk)


def _address(request: SignedInRequest) -> int:
    """The page's address as sent; 0 for none."""
    return _number(request.POST.get("address", ""))


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 20 else 0


def _carry_out(
    request: SignedInRequest, topic: Topic, change: Callable[[], None], part: str
) -> HttpResponse:
    """Changes something and shows the screen again, at that part of it; a refusal is said."""
    try:
        change()
    except (CrawlRefused, Refused) as refusal:
        messages.error(request, f"Nothing was changed. {refusal.message}")
    kept = {name: request.GET[name] for name in ("part", "page") if request.GET.get(name)}
    query = f"?{urlencode(kept)}" if kept else ""
    return redirect(f"{reverse('labels:labels', args=[topic.pk])}{query}#{part}")
