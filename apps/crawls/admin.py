"""Crawls and webs."""

from __future__ import annotations

from django.contrib import admin

from apps.accounts.read_only_admin import ReadOnlyAdmin
from apps.crawls.models import Change, Crawl, Event
from apps.webs.models import Web


@admin.register(Crawl)
class CrawlAdmin(ReadOnlyAdmin):
    list_display = (
        "id",
        "topic",
        "owner",
        "strategy",
        "state",
        "reason",
        "pages",
        "runner",
        "epoch",
        "lease_until",
    )
    list_filter = ("state", "strategy", "owner")
    list_select_related = ("topic", "owner")


@admin.register(Web)
class WebAdmin(ReadOnlyAdmin):
    list_display = ("name", "source", "owner", "pages", "hosts", "served_port")
    list_filter = ("source",)
    list_select_related = ("owner",)


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("crawl_id", "seq", "kind", "pages", "by", "at")
    list_filter = ("kind",)
    list_select_related = ("by",)
    raw_id_fields = ("crawl",)


@admin.register(Change)
class ChangeAdmin(ReadOnlyAdmin):
    list_display = ("crawl_id", "kind", "by", "asked_at", "applied")
    list_filter = ("applied", "kind")
    list_select_related = ("by",)
    raw_id_fields = ("crawl",)
