"""The actions of a topic's page."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.backgrounds.selectors import visible_backgrounds
from apps.crawls import deletion
from apps.figures.quantities import number_of
from apps.jobs import queue
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused
from apps.topics import selectors, services
from apps.topics.copying import copy_topic
from apps.topics.examples.negatives import draw_again
from apps.topics.inputs.relevant_set import want_target_pages
from apps.topics.models import Example, Topic
from apps.topics.services import TopicRefused
from apps.topics.targets import ask_for_check

MOST_DEPTH = 20
CHOSEN = {Topic.BackgroundUse.NONE: "none", Topic.BackgroundUse.DRAWN: "drawn at the start"}


def _fetch(topic: Topic, request: SignedInRequest) -> None:
    services.fetch_again(topic)


def _train(topic: Topic, request: SignedInRequest) -> None:
    queue.enqueue(topic, work_wanted=Topic.Work.TRAINING)


def _draw(topic: Topic, request: SignedInRequest) -> None:
    draw_again(topic)


def _gather(topic: Topic, request: SignedInRequest) -> None:
    queue.enqueue(topic, work_wanted=Topic.Work.GATHERING)


def _scan(topic: Topic, request: SignedInRequest) -> None:
    queue.enqueue(topic, work_wanted=Topic.Work.SCANNING)


def _check(topic: Topic, request: SignedInRequest) -> None:
    ask_for_check(topic)


def _fetch_targets(topic: Topic, request: SignedInRequest) -> None:
    want_target_pages(topic)
    queue.enqueue(topic, work_wanted=Topic.Work.FETCHING)


def _fetch_classes(topic: Topic, request: SignedInRequest) -> None:
    depth = request.POST.get("depth", "")
    Topic.objects.filter(pk=topic.pk).update(class_depth=min(whole_number(depth) or 0, MOST_DEPTH))
    queue.enqueue(topic, work_wanted=Topic.Work.CLASSES)


def _remove_gone(topic: Topic, request: SignedInRequest) -> None:
    removed = services.remove_gone_targets(topic)
    messages.success(request, f"{number_of(removed, 'target')} removed.")


def _relabel(topic: Topic, request: SignedInRequest) -> None:
    services.relabel(_example(topic, request))


def _decide(topic: Topic, request: SignedInRequest) -> None:
    services.decide(_example(topic, request), request.POST.get("use") == "positive")


def _remove(topic: Topic, request: SignedInRequest) -> None:
    services.remove_example(_example(topic, request))


def _example(topic: Topic, request: SignedInRequest) -> Example:
    key = request.POST.get("example", "")
    return get_object_or_404(topic.examples, pk=whole_number(key))


def _background(topic: Topic, request: SignedInRequest) -> None:
    wanted, both = request.POST.get("background", ""), visible_backgrounds(request.user)
    chosen = None
    if wanted not in Topic.BackgroundUse.values:
        chosen = get_object_or_404(both, pk=whole_number(wanted))
        wanted = Topic.BackgroundUse.DRAWN
    try:
        services.choose_background(topic, chosen, wanted, _hold_out(request))
    except TopicRefused as refused:
        messages.error(request, refused.message)
        return
    named = chosen.name if chosen else CHOSEN[Topic.BackgroundUse(wanted)]
    messages.success(request, f"Background: {named}. The classifier is trained again.")


def _hold_out(request: SignedInRequest) -> str:
    """The hold-out in the form; empty if there is none."""
    sent = request.POST.get("hold_out", "")
    return sent if sent in Topic.HoldOut.values else ""


ACTIONS: dict[str, Callable[[Topic, SignedInRequest], None]] = {
    "fetch": _fetch,
    "train": _train,
    "draw": _draw,
    "gather": _gather,
    "scan": _scan,
    "check": _check,
    "fetch_classes": _fetch_classes,
    "fetch_targets": _fetch_targets,
    "remove_gone": _remove_gone,
    "relabel": _relabel,
    "decide": _decide,
    "remove": _remove,
    "background": _background,
}


@require_POST
def action(request: SignedInRequest, pk: int) -> HttpResponse:
    """Carries out `action` on a topic the person may change, then shows it again."""
    topic = get_object_or_404(selectors.editable_topics(request.user), pk=pk)
    verb = ACTIONS.get(request.POST.get("action", ""))
    if verb is None:
        messages.error(request, "There is no such action.")
    else:
        verb(topic, request)
    return redirect(_where_one_was(topic, request))


def _where_one_was(topic: Topic, request: SignedInRequest) -> str:
    """The topic's page, at the background that was chosen, or at the example that was relabelled,
    with as many examples shown as before."""
    address = reverse("topic:detail", args=[topic.pk])
    if request.POST.get("action") == "background":
        return f"{address}#topic-background"
    if request.POST.get("action") != "relabel":
        return address
    shown = "?misjudged=all" if request.POST.get("misjudged") == "all" else ""
    return f"{address}{shown}#example-{_example(topic, request).pk}"


@require_POST
def copy(request: SignedInRequest, pk: int) -> HttpResponse:
    """Copies a visible topic to the person's own, and shows the copy."""
    topic = get_object_or_404(selectors.visible_topics(request.user), pk=pk)
    try:
        made = copy_topic(topic, request.user)
    except OSError:
        messages.error(request, "The disk is full: free some space, then copy the topic again.")
        return redirect("topic:detail", topic.pk)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("topic:detail", topic.pk)
    messages.success(request, f"{made.name} is yours now, without its crawls.")
    return redirect("topic:detail", made.pk)


def delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asks for confirmation, listing what is deleted; the POST deletes."""
    topic = get_object_or_404(selectors.owned_topics(request.user), pk=pk)
    if request.method == "POST":
        try:
            deletion.delete_topic(topic)
            messages.success(request, f"{topic.name} is deleted.")
            return redirect("topics:list")
        except TopicRefused as refusal:
            messages.error(request, refusal.message)
            return redirect("topic:detail", topic.pk)
    return render(
        request,
        "topic/delete.html",
        {
            "topic": topic,
            "loss": deletion.topic_loss(topic),
        },
    )
