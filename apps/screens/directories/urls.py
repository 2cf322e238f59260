"""Addresses of directories."""

from __future__ import annotations

from django.urls import path

from apps.screens.directories import views

app_name = "directories"

urlpatterns = [
    path("topics/directories/", views.directories, name="list"),
    path("topics/directories/<int:pk>/", views.directory, name="directory"),
    path("topics/directories/<int:pk>/delete/", views.delete, name="delete"),
]
