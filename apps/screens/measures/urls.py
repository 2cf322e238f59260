"""Addresses of the measures of a crawl."""

from __future__ import annotations

from django.urls import path

from apps.screens.measures import views

app_name = "measures"

urlpatterns = [
    path("crawls/<int:pk>/measures/", views.measures, name="crawl"),
]
