"""Addresses of recorded webs."""

from __future__ import annotations

from django.urls import path

from apps.crawls import web_views

app_name = "webs"

urlpatterns = [
    path("", web_views.webs, name="list"),
    path("<int:pk>/", web_views.web, name="web"),
    path("<int:pk>/action/", web_views.action, name="action"),
    path("<int:pk>/delete/", web_views.delete, name="delete"),
]
