"""Sign-in links and tokens in Django's admin, without their digests."""

from __future__ import annotations

from django.contrib import admin

from apps.accounts.models import ApiToken, SignInLink
from apps.accounts.read_only_admin import ReadOnlyAdmin


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
