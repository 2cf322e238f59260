"""A person's own account: the password and the API tokens."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.accounts import tokens
from apps.accounts.requests import SignedInRequest
from apps.accounts.tokens import TokenRefused


@never_cache
def account(request: SignedInRequest) -> HttpResponse:
    """The account page; a new token is shown only in the response to the POST that made it."""
    context: dict[str, object] = {}
    if request.method == "POST":
        try:
            token, text = tokens.make_token(request.user, request.POST.get("name", ""))
            context = {"made": token, "text": text}
        except TokenRefused as refusal:
            context = {"refusal": refusal.message, "typed": request.POST.get("name", "")}
    context["tokens"] = tokens.tokens_of(request.user)
    return render(request, "accounts/account.html", context)


@require_POST
def revoke(request: SignedInRequest, pk: int) -> HttpResponse:
    """Revokes one of the person's tokens."""
    if not tokens.revoke(request.user, pk):
        raise Http404
    messages.success(request, "The token is revoked and no longer works.")
    return redirect("accounts:account")
