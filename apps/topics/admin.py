"""Topics and what they are made of."""

from __future__ import annotations

from django.contrib import admin

from apps.accounts.read_only_admin import ReadOnlyAdmin
from apps.topics.models import Example, Topic


@admin.register(Topic)
class TopicAdmin(ReadOnlyAdmin):
    list_display = ("id", "name", "owner", "version", "work", "changed_at")
    list_filter = ("job_state", "owner")
    list_select_related = ("owner",)
    search_fields = ("name",)


@admin.register(Example)
class ExampleAdmin(ReadOnlyAdmin):
    list_display = ("id", "topic", "url", "relevant", "role", "source", "fetch", "failure")
    list_filter = ("role", "source", "fetch", "relevant")
    list_select_related = ("topic",)
    search_fields = ("url",)
