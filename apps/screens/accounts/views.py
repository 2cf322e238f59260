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
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from apps.accounts import services
from apps.accounts.guessing import too_many

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
    }

    def get_invalid_login_error(self) -> ValidationError:
        code = "invalid_login"
        if too_many(self.request, self.cleaned_data.get("username")):
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
    """Asks for the old password only if the account has one."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("accounts:password")

    def get_form_class(self) -> type[SetPasswordForm]:
        return PasswordChangeForm if self.request.user.has_usable_password() else SetPasswordForm

    def form_valid(self, form: SetPasswordForm) -> HttpResponseRedirect:
        messages.success(self.request, "The new password is in force.")
        return super().form_valid(form)
