"""Sign-in links and tokens in Django's admin, without their digests."""

from __future__ import annotations

from django.contrib import admin

from apps.accounts.models import ApiToken, SignInLink
from apps.accounts.reading_admin import ReadingAdmin


@admin.register(ApiToken)
class ApiTokenAdmin(ReadingAdmin):
    list_display = ("name", "user", "created_at", "used_at")
    list_select_related = ("user",)
    exclude = ("digest",)


@admin.register(SignInLink)
class SignInLinkAdmin(ReadingAdmin):
    list_display = ("user", "expires_at", "used_at")
    list_select_related = ("user",)
    exclude = ("digest",)
