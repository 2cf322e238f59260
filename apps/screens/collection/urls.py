"""Addresses of collections."""

from __future__ import annotations

from django.urls import path

from apps.screens.collection import clusters, index, labelling, saving, views

app_name = "collection"

urlpatterns = [
    path("collection/", index.home, name="home"),
    path("collection/searches/<int:pk>/rename/", saving.rename, name="rename-search"),
    path("collection/searches/<int:pk>/remove/", saving.remove, name="remove-search"),
    path("collection/searches/<int:pk>/watch/", saving.watch, name="watch-search"),
    path("collection/searches/restore/", saving.restore, name="restore-search"),
    path("topics/<int:pk>/collection/", views.of_topic, name="list"),
    path("topics/<int:pk>/clusters/", clusters.overview, name="clusters"),
    path("topics/<int:pk>/clusters/list.csv", clusters.as_csv, name="clusters_csv"),
    path("crawls/<int:pk>/collection/", views.of_crawl, name="crawl"),
    path("topics/<int:pk>/collection/labels/", labelling.label_topic, name="label_topic"),
    path("crawls/<int:pk>/collection/labels/", labelling.label_crawl, name="label_crawl"),
]
