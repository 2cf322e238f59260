"""Addresses of backgrounds."""

from __future__ import annotations

from django.urls import path

from apps.screens.backgrounds import views

app_name = "backgrounds"

urlpatterns = [
    path("backgrounds/", views.backgrounds, name="list"),
    path("backgrounds/<int:pk>/", views.background, name="background"),
    path("backgrounds/<int:pk>/build/", views.build, name="build"),
    path("backgrounds/<int:pk>/cancel/", views.cancel, name="cancel"),
    path("backgrounds/<int:pk>/delete/", views.delete, name="delete"),
]
