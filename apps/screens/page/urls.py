"""Addresses of collected pages."""

from __future__ import annotations

from django.urls import path

from apps.screens.page import views

app_name = "page"

urlpatterns = [
    path("crawls/<int:pk>/pages/<int:seq>/", views.page, name="page"),
    path("crawls/<int:pk>/pages/<int:seq>/similar/", views.similar, name="similar"),
    path("crawls/<int:pk>/pages/<int:seq>/stored/", views.stored, name="stored"),
    path("crawls/<int:pk>/pages/<int:seq>/document/", views.download, name="document"),
]
