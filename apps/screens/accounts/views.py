"""Signing in by password or one-time link, signing out, choosing a password."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from apps.accounts import services
from apps.accounts.guessing import note_wrong_password, too_many, too_many_of_address
from apps.accounts.requests import SignedInRequest

BACKEND = "django.contrib.auth.backends.ModelBackend"
REFUSALS = {
    "unknown": "This link does not sign you in: it is incomplete, or from another data folder.",
    "used": "This link has been used already; each one signs in once.",
    "expired": "This link has expired. Ask for a new one.",
}


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": "No account has this name and password. Both are case-sensitive.",
        "inactive": "This account is switched off. Ask whoever runs this site.",
        "too_many": "Too many wrong passwords for this name: wait five minutes, then try again.",
        "address": "Too many wrong passwords from your address: wait five minutes, then try again.",
    }

    def get_invalid_login_error(self) -> ValidationError:
        code = "invalid_login"
        if too_many_of_address(self.request):
            code = "address"
        elif too_many(self.request, self.cleaned_data.get("username")):
            code = "too_many"
        return ValidationError(self.error_messages[code], code=code)


class SignIn(auth.LoginView):
    form_class = SignInForm
    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True


class SignOut(auth.LogoutView):
    """POST only; redirects to a page that confirms it."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = super().post(request, *args, **kwargs)
        messages.info(request, "You are signed out.")
        return response


@login_not_required
@never_cache
def session(request: HttpRequest) -> JsonResponse:
    """`{"user": number or null, "token": …}`: who is signed in now, and the token of their forms.

    A page that was loaded long ago asks before it sends what was typed into it.
    """
    return JsonResponse({"user": request.user.pk, "token": get_token(request)})


@method_decorator([login_not_required, never_cache], name="dispatch")
class OneTimeLink(View):
    """GET shows a button, so that a mail scanner or a preview does not use the link up; POST signs
    in."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        try:
            link = services.check_link(token)
        except services.LinkRefused as refusal:
            return _refused(request, refusal)
        return render(request, "accounts/link.html", {"name": link.user.get_username()})

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        try:
            user = services.use_link(token)
        except services.LinkRefused as refusal:
            return _refused(request, refusal)
        login(request, user, backend=BACKEND)
        return redirect(settings.LOGIN_REDIRECT_URL)


def _refused(request: HttpRequest, refusal: services.LinkRefused) -> HttpResponse:
    context = {"reason": REFUSALS[refusal.code]}
    return render(request, "accounts/link_refused.html", context, status=410)


class ChangePassword(auth.PasswordChangeView):
    """Asks for the old password only if the account has one; wrong ones count as at sign-in."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("accounts:password")

    request: SignedInRequest

    def get_form_class(self) -> Any:
        return PasswordChangeForm if self.request.user.has_usable_password() else SetPasswordForm

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if too_many(request, self.request.user.get_username()):
            messages.error(request, SignInForm.error_messages["too_many"])
            return redirect("accounts:password")
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: Any) -> HttpResponse:
        if "old_password" in form.errors:
            name = {"username": self.request.user.get_username()}
            note_wrong_password(type(self), name, self.request)
        return super().form_invalid(form)

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "The new password is in force.")
        return super().form_valid(form)
