"""Addresses of the form for a crawl."""

from __future__ import annotations

from django.urls import path

from apps.screens.new_crawl import views

app_name = "new_crawl"

urlpatterns = [
    path("topics/<int:pk>/new-crawl/", views.new, name="form"),
]
