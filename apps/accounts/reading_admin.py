"""Tables in Django's admin that are looked at, never written.

Rows of crawls are their runner's and every verb has its own rules: an edit past them would break
the books, and a deletion would leave files behind.
"""

from __future__ import annotations

from typing import Any

from django.contrib.admin import ModelAdmin
from django.http import HttpRequest


class ReadingAdmin(ModelAdmin):
    """A table for reading."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
