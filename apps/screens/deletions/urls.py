"""Addresses of deletions."""

from __future__ import annotations

from django.urls import path

from apps.screens.deletions import views

app_name = "deletions"

urlpatterns = [path("deletions/<int:pk>/again/", views.again, name="again")]
