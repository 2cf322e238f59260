"""Accounts, sign-in links and tokens in Django's admin; of the last two without their digests."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.models import ApiToken, SignInLink
from apps.accounts.people import PersonRefused, switch_off, switch_on
from apps.accounts.read_only_admin import ReadOnlyAdmin
from apps.accounts.requests import SignedInRequest

admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # takes no argument when it runs
    """Accounts are switched off, never deleted: what they own would go with them, and the page that
    asks for confirmation would load all of it."""

    actions = ("switch_accounts_off", "switch_accounts_on")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description="Switch off", permissions=["change"])
    def switch_accounts_off(self, request: SignedInRequest, accounts: QuerySet[User]) -> None:
        """Ends their sessions, links and tokens; their things stay and their crawls go on."""
        for account in accounts:
            try:
                switch_off(account, request.user)
                self.message_user(request, f"Switched off and signed out everywhere: {account}.")
            except PersonRefused as refusal:
                self.message_user(request, refusal.message, messages.ERROR)

    @admin.action(description="Switch on", permissions=["change"])
    def switch_accounts_on(self, request: SignedInRequest, accounts: QuerySet[User]) -> None:
        for account in accounts:
            switch_on(account)
            self.message_user(request, f"Switched on: {account}.")

    def save_model(self, request: Any, obj: User, form: Any, change: bool) -> None:
        """An account whose “active” was taken away loses its sessions, links and tokens too."""
        super().save_model(request, obj, form, change)
        if change and "is_active" in form.changed_data and not obj.is_active:
            try:
                switch_off(obj, request.user)
            except PersonRefused as refusal:
                switch_on(obj)
                self.message_user(request, refusal.message, messages.ERROR)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = ("name", "user", "created_at", "used_at")
    list_select_related = ("user",)
    exclude = ("digest",)


@admin.register(SignInLink)
class SignInLinkAdmin(ReadOnlyAdmin):
    list_display = ("user", "expires_at", "used_at")
    list_select_related = ("user",)
    exclude = ("digest",)
