"""Trying a deletion again that failed."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.jobs.deletion import own_deletions, try_again


@require_POST
def again(request: SignedInRequest, pk: int) -> HttpResponse:
    """Queues it once more and goes back to the list of this site that the form names."""
    try_again(get_object_or_404(own_deletions(request.user), pk=pk))
    wanted = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        return redirect(wanted)
    return redirect("topics:list")
