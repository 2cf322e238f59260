"""Addresses of uploads."""

from __future__ import annotations

from django.urls import path

from apps.screens.uploads import views

app_name = "uploads"

urlpatterns = [
    path("uploads/web/check/", views.check_web, name="check_web"),
    path("uploads/directory/check/", views.check_directory, name="check_directory"),
    path("topics/uploads/<int:pk>/withdraw/", views.withdraw, name="withdraw"),
    path("uploads/<int:pk>/without-bad-lines/", views.without_bad_lines, name="without_bad_lines"),
]
