"""The groups of a site, on the administrators' page."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import Group
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.accounts import groups
from apps.accounts.groups import GroupRefused
from apps.accounts.requests import SignedInRequest
from apps.schemas.numbers import whole_number
from apps.screens.accounts.administration import administrators_only, page


@never_cache
@administrators_only
@require_POST
def make(request: SignedInRequest) -> HttpResponse:
    """Makes a group; a refused name stays in its field."""
    name = request.POST.get("group", "")
    try:
        made = groups.make_group(name)
    except GroupRefused as refusal:
        return page(request, {"group_refusal": refusal.message, "group_typed": name})
    messages.success(request, f"{made.name} is made; add people to it.")
    return redirect("accounts:administration")


@never_cache
@administrators_only
@require_POST
def change(request: SignedInRequest, pk: int) -> HttpResponse:
    """Adds the account named `member`, removes the one with key `remove`, or deletes the group if
    `delete` is sent."""
    group = get_object_or_404(Group, pk=pk)
    member, removed = request.POST.get("member", ""), whole_number(request.POST.get("remove", ""))
    if "delete" in request.POST:
        group.delete()
        messages.success(
            request,
            f"{group.name} is deleted, and its members lose access to what was shared with it.",
        )
    elif removed is not None:
        groups.remove_member(group, removed)
    else:
        try:
            groups.add_member(group, member)
        except GroupRefused as refusal:
            refused = {"member_refusal": refusal.message, "member_typed": member, "refused": pk}
            return page(request, refused)
    return redirect("accounts:administration")
