"""Read-only tables in Django's admin.

A crawl's rows are written by its runner, and every command has its own rules: an edit past them
would make the rows inconsistent, and a deletion would leave files behind.
"""

from __future__ import annotations

from typing import Any

from django.contrib.admin import ModelAdmin
from django.http import HttpRequest


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[type-arg]  # takes no argument when it runs
    """A read-only table."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
