"""Addresses of directories, below those of topics."""

from __future__ import annotations

from django.urls import path

from apps.topics import directory_views

urlpatterns = [
    path("", directory_views.directories, name="directories"),
    path("<int:pk>/", directory_views.directory, name="directory"),
    path("<int:pk>/delete/", directory_views.delete, name="delete_directory"),
]
