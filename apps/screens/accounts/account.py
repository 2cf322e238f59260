"""One's own account: the password, and the keys to the API."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.accounts import tokens
from apps.accounts.tokens import TokenRefused


@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """What one may do here; a token that has just been made is shown in answer to the POST that
    made it, and never again."""
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
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes a token of one's own back."""
    if not tokens.revoke(request.user, pk):
        raise Http404
    messages.success(request, "The token is revoked; nothing gets in with it any more.")
    return redirect("accounts:account")
