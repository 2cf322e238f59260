"""Addresses of the reading of lists."""

from __future__ import annotations

from django.urls import path

from apps.screens.lists import views

app_name = "lists"

urlpatterns = [
    path("lists/read/", views.read, name="read"),
    path("topics/new/list/", views.new, name="new"),
]
