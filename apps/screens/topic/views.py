"""The page of a topic: definition, targets, inputs, classifier, examples and crawls."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from apps.accounts.requests import SignedInRequest
from apps.screens.topic.background import background_view
from apps.screens.topic.classifier import classifier_view
from apps.screens.topic.crawls import crawls_view
from apps.screens.topic.examples import examples_view
from apps.screens.topic.inputs import inputs_view
from apps.screens.topic.targets import targets_view
from apps.topics import selectors
from apps.topics.inputs import sampled_negatives
from apps.topics.messages import WORK

SHOWN_MISJUDGED = 5


def detail(request: SignedInRequest, pk: int) -> HttpResponse:
    """One topic: its definition, targets, classifier, examples and crawls."""
    user, asked = request.user, request.GET
    topic = get_object_or_404(selectors.visible_topics(user), pk=pk)
    misjudged = None if asked.get("misjudged") == "all" else SHOWN_MISJUDGED
    draws_negatives = sampled_negatives.are_wanted(topic)
    context = {
        "topic": topic,
        "mine": topic.owner_id == user.pk,
        "may_change": selectors.editable_topics(user).filter(pk=topic.pk).exists(),
        "work": WORK.get(topic.work),
        "seeds": topic.seeds.count(),
        "untaken": sum(map(len, selectors.line_errors(topic).values())),
        "targets": targets_view(topic, user, shows_all=asked.get("targets") == "all"),
        "classifier": classifier_view(topic, misjudged, draws_negatives),
        "sampled_negatives": draws_negatives,
        "needs_negatives": draws_negatives or selectors.has_gathered_negatives_only(topic),
        "background": background_view(topic, user),
        "examples": examples_view(topic, asked.get("examples", ""), asked.get("page")),
        "inputs": inputs_view(topic),
        "crawls": crawls_view(topic, user),
    }
    return render(request, "topic/detail.html", context)
