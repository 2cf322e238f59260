"""The administrators' pages: people and groups, disk space, versions. Others get 404."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.accounts import groups, people
from apps.accounts.people import PersonRefused
from apps.accounts.requests import SignedInRequest
from apps.jobs import installation
from apps.jobs.code_version import code_version

View = Callable[..., HttpResponse]


def administrators_only(view: View) -> View:
    """The view for superusers; 404 for everybody else."""

    @wraps(view)
    def guarded(request: SignedInRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_superuser:
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@never_cache
@administrators_only
def administration(request: SignedInRequest) -> HttpResponse:
    """People and groups; a POST makes an account and shows its link once."""
    context: dict[str, Any] = {}
    if request.method == "POST":
        name = request.POST.get("name", "")
        try:
            made, token = people.make_person(name, administrator="administrator" in request.POST)
            context = {"made": made, "link": _link(request, token)}
        except PersonRefused as refusal:
            context = {"refusal": refusal.message, "typed": name}
    return page(request, context)


@never_cache
@administrators_only
@require_POST
def person(request: SignedInRequest, pk: int) -> HttpResponse:
    """Carries out `action` on an account: `link`, `off` or `on`."""
    account: User = get_object_or_404(get_user_model(), pk=pk)
    action, name = request.POST.get("action", ""), account.get_username()
    try:
        if action == "link":
            link = _link(request, people.invite_again(account))
            return page(request, {"made": account, "link": link})
        if action == "off":
            people.switch_off(account, request.user)
            messages.success(request, f"{name} is switched off and signed out everywhere.")
        elif action == "on":
            people.switch_on(account)
            messages.success(request, f"{name} may sign in again.")
        else:
            messages.error(request, "There is no such action.")
    except PersonRefused as refusal:
        messages.error(request, refusal.message)
    return redirect("accounts:administration")


@never_cache
@administrators_only
def disk(request: SignedInRequest) -> HttpResponse:
    """The disk space that the site uses, by kind."""
    context = {
        "disk": installation.disk_use(),
        "folder": settings.DATA_DIR,
        "bucket": settings.S3_BUCKET,
    }
    return render(request, "accounts/disk.html", context)


@never_cache
@administrators_only
def versions(request: SignedInRequest) -> HttpResponse:
    """The versions that this installation runs, and settings that open it."""
    return render(
        request,
        "accounts/versions.html",
        {
            "versions": installation.versions(),
            "database": installation.database(),
            "broker": "Redis" if settings.REDIS_URL else "the database",
            "code": code_version(),
            "allowed_addresses": settings.ALLOWED_ADDRESSES,
            "crawl_proxy": settings.CRAWL_PROXY,
        },
    )


def page(request: SignedInRequest, context: dict[str, Any]) -> HttpResponse:
    """The page of people and groups, with the messages of a form on it."""
    present = {
        "people": people.people(),
        "groups": groups.groups(),
        "days": people.INVITATION_SECONDS // 86_400,
    }
    return render(request, "accounts/administration.html", present | context)


def _link(request: SignedInRequest, token: str) -> str:
    return request.build_absolute_uri(reverse("accounts:link", args=[token]))
