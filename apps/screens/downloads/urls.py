"""Addresses of downloads."""

from __future__ import annotations

from django.urls import path

from apps.screens.downloads import stored, views

app_name = "downloads"

urlpatterns = [
    path("crawls/<int:pk>/download/", views.crawl_search, name="crawl_search"),
    path("crawls/<int:pk>/download/count/", views.crawl_count, name="crawl_count"),
    path("downloads/", stored.downloads, name="list"),
    path("downloads/<int:pk>/file/", stored.file, name="file"),
    path("downloads/<int:pk>/delete/", stored.delete, name="delete"),
    path("downloads/<int:pk>/again/", stored.again, name="again"),
    path("downloads/columns.csv", views.dictionary_of, name="dictionary"),
    path("topics/<int:pk>/download/", views.topic_search, name="topic_search"),
    path("topics/<int:pk>/download/count/", views.topic_count, name="topic_count"),
]
