"""Addresses of the first run."""

from __future__ import annotations

from django.urls import path

from apps.screens.first_run import views

app_name = "first_run"

urlpatterns = [
    path("first-run/", views.preparing, name="preparing"),
    path("first-run/again/", views.again, name="again"),
    path("first-run/try-again/", views.make_again, name="try-again"),
    path("first-run/guide/", views.guide, name="guide"),
]
