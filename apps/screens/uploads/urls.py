"""Addresses of uploads."""

from __future__ import annotations

from django.urls import path

from apps.screens.uploads import views

app_name = "uploads"

urlpatterns = [
    path("topics/uploads/<int:pk>/withdraw/", views.withdraw, name="withdraw"),
    path("uploads/<int:pk>/without-bad-lines/", views.without_bad_lines,
         name="without_bad_lines"),
]
