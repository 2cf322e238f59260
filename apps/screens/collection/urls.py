"""Addresses of collections."""

from __future__ import annotations

from django.urls import path

from apps.screens.collection import index, views

app_name = "collection"

urlpatterns = [
    path("collection/", index.home, name="home"),
    path("topics/<int:pk>/collection/", views.of_topic, name="list"),
    path("crawls/<int:pk>/collection/", views.of_crawl, name="crawl"),
]
