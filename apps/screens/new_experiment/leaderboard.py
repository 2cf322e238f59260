"""The leaderboard of a web: made and started by one button, or the one there is."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.engine.errors import BadWebFile
from apps.experiments.leaderboard import make_leaderboard
from apps.experiments.selectors import visible_experiments
from apps.experiments.services import start
from apps.schemas.refused import Refused
from apps.webs.messages import error_words
from apps.webs.selectors import recorded_webs


@require_POST
def leaderboard(request: SignedInRequest, pk: int) -> HttpResponse:
    """Leads to the newest leaderboard of a web that the person may see, else starts one of all
    strategies at their defaults on the topics of the web."""
    web = get_object_or_404(recorded_webs(request.user), pk=pk)
    there = visible_experiments(request.user).filter(web=web, is_leaderboard=True).first()
    if there is not None:
        return redirect("experiment:experiment", there.pk)
    try:
        with transaction.atomic():  # no draft is left if it cannot start
            made = make_leaderboard(request.user, web)
            start(made, request.user)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("webs:web", pk)
    except BadWebFile as error:
        messages.error(request, error_words(error))
        return redirect("webs:web", pk)
    return redirect("experiment:experiment", made.pk)
