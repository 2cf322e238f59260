"""Addresses of the list of crawls."""

from __future__ import annotations

from django.urls import path

from apps.screens.crawls import download, views

app_name = "crawls"

urlpatterns = [
    path("crawls/", views.crawl_list, name="list"),
    path("crawls/rows/", views.live_rows, name="rows"),
    path("crawls/act/", views.act, name="act"),
    path("crawls/download/", download.download_crawls, name="download"),
]
