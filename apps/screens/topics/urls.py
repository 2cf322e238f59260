"""Addresses of the list of topics."""

from __future__ import annotations

from django.urls import path

from apps.screens.topics import importing, views

app_name = "topics"

urlpatterns = [
    path("topics/", views.topic_list, name="list"),
    path("topics/import/", importing.import_file, name="import"),
]
