"""The actions on the screen of a watch."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.schemas.input import MOST_KEY
from apps.schemas.refused import Refused
from apps.screens.edit_conflicts import edit_conflict
from apps.screens.watch.settings_form import WatchForm, form_of
from apps.screens.watch.views import topic_of, watch
from apps.topics.definition.lines import storable
from apps.watches import services
from apps.watches.claiming import claim_change, withdraw_claim
from apps.watches.models import Observation, Watch
from apps.watches.seen import mark_seen, undo_seen
from apps.watches.selectors import editable_watches, visible_watches, watch_of
from apps.watches.subscriptions import choose_carrier, renew_secret, send_test, subscriptions_of
from apps.watches.teaching import affirm_change, deny_change


@require_POST
def settings(request: SignedInRequest, pk: int) -> HttpResponse:
    """Starts the watch of a topic, or changes its settings, unless they were changed elsewhere and
    nobody has chosen yet which of the two versions counts."""
    topic = topic_of(request, pk)
    existing, now, form = watch_of(topic), timezone.now(), WatchForm(request.POST)
    conflict = edit_conflict(request.POST, form, form_of(existing)) if existing else None
    if conflict is not None and not conflict.settles(request.POST):
        return watch(request, pk, form=form, conflict=conflict)
    if conflict is not None:
        form = WatchForm(conflict.merged(request.POST))
    if form.is_valid():
        try:
            if existing is None:
                services.start_watch(topic, request.user, now, **form.values())
                messages.success(request, "The topic is watched.")
            else:
                services.change_watch(existing, now, **form.values())
                messages.success(request, "The settings are changed.")
        except Refused as refused:
            form.refuse(refused)
        else:
            return redirect("watch:topic", pk)
    return watch(request, pk, form=form)


def _pause(watch: Watch, request: SignedInRequest, now: datetime) -> str:
    services.pause_watch(watch)
    return "Paused: no visit begins."


def _resume(watch: Watch, request: SignedInRequest, now: datetime) -> str:
    services.resume_watch(watch, now)
    return "Visits begin again."


def _visit(watch: Watch, request: SignedInRequest, now: datetime) -> str:
    visit = services.visit_now(watch, now)
    return f"Visit {visit.number} begins."


def _delete(watch: Watch, request: SignedInRequest, now: datetime) -> str:
    services.delete_watch(watch, request.user)
    return "The watch has ended. Its pages stay."


ACTIONS: dict[str, Callable[[Watch, SignedInRequest, datetime], str]] = {
    "pause": _pause,
    "resume": _resume,
    "visit": _visit,
    "delete": _delete,
}


@require_POST
def act(request: SignedInRequest, pk: int) -> HttpResponse:
    """Pauses, resumes or deletes the watch, or begins a visit."""
    existing = get_object_or_404(editable_watches(request.user), topic=pk)
    action = ACTIONS.get(request.POST.get("action", ""))
    if action is None:
        messages.error(request, "There is no such action.")
        return redirect("watch:topic", pk)
    try:
        messages.success(request, action(existing, request, timezone.now()))
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("watch:topic", pk)


@require_POST
def correct(request: SignedInRequest, pk: int, seen: int) -> HttpResponse:
    """This was no change, or was one after all (`was` is no or yes); or a claim that it was one is
    withdrawn."""
    existing = get_object_or_404(editable_watches(request.user), topic=pk)
    rows = Observation.objects.filter(visit__watch=existing)
    observation = get_object_or_404(rows, pk=min(seen, MOST_KEY))
    try:
        if request.POST.get("was") == "yes":
            affirm_change(observation)
            messages.success(request, "It is a change again.")
        elif request.POST.get("was") == "unclaimed":
            withdraw_claim(observation)
            messages.success(request, "It is the same again.")
        else:
            deny_change(observation, request.user, timezone.now())
            messages.success(request, "It is no change. Blocks like it are passed over now.")
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect(f"{reverse('watch:topic', args=[pk])}#news")


@require_POST
def claim(request: SignedInRequest, pk: int, page: int) -> HttpResponse:
    """This was a change: the last copy of a page that was judged the same is one."""
    existing = get_object_or_404(editable_watches(request.user), topic=pk)
    watched = get_object_or_404(existing.pages, pk=min(page, MOST_KEY))
    try:
        claim_change(watched, request.user, timezone.now())
        messages.success(request, "It is a change. Blocks like it count now.")
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("watch:page", pk, page)


@require_POST
def mark(request: SignedInRequest, pk: int) -> HttpResponse:
    """Marks all up to `until` as seen by this person, or takes that back."""
    existing = get_object_or_404(visible_watches(request.user), topic=pk)
    address = reverse("watch:topic", args=[pk])
    if request.POST.get("undo"):
        undo_seen(existing, request.user)
        return redirect(address)
    until = parse_datetime(request.POST.get("until", "")[:40])
    if until is None or timezone.is_naive(until):
        messages.error(request, "Load the page again: it does not say up to when.")
        return redirect(address)
    mark_seen(existing, request.user, min(until, timezone.now()))
    return redirect(f"{address}?seen=1")


@require_POST
def tell(request: SignedInRequest, pk: int) -> HttpResponse:
    """Each person's own choice: a carrier on or off, a test message, a new secret."""
    existing = get_object_or_404(visible_watches(request.user), topic=pk)
    name, target = request.POST.get("carrier", ""), storable(request.POST.get("target", ""))
    try:
        words = _tell(request, existing, name, target)
    except Refused as refused:
        return watch(request, pk, wrong=(name, target, refused.message))
    messages.success(request, words)
    return redirect(f"{reverse('watch:topic', args=[pk])}#tell")


def _tell(request: SignedInRequest, watch: Watch, name: str, target: str) -> str:
    now, action = timezone.now(), request.POST.get("action", "save")
    if action == "save":
        is_on = request.POST.get("on") == "1"
        chosen = choose_carrier(
            watch,
            request.user,
            name,
            now,
            is_on=is_on,
            target=target or None,
            sign_of_life=request.POST.get("sign_of_life") == "1",
            searches_only=request.POST.get("searches_only") == "1",
        )
        return f"Saved: {chosen.carrier} is {'on' if chosen.is_on else 'off'}."
    subscription = subscriptions_of(watch, request.user).get(name)
    if subscription is None:
        raise Refused("carrier", "Switch it on first.")
    if action == "test":
        send_test(subscription, now)
        return "A test message is on its way; the log below has the answer."
    if action == "renew":
        renew_secret(subscription)
        return "The former one does not work any more."
    raise Refused("action", "There is no such action.")
