"""Addresses of the live page of a crawl and of its pieces."""

from __future__ import annotations

from django.urls import path

from apps.screens.live import page_views, views

app_name = "live"

urlpatterns = [
    path("crawls/<int:pk>/", views.live, name="crawl"),
    path("crawls/<int:pk>/action/", views.action, name="action"),
    path("crawls/<int:pk>/delete/", views.delete, name="delete"),
    path("crawls/<int:pk>/preview/", views.preview, name="preview"),
    path("crawls/<int:pk>/pages/", page_views.pages, name="pages"),
    path("crawls/<int:pk>/pages/labels/", page_views.label_all, name="label-all"),
    path("crawls/<int:pk>/pages/<int:seq>/label/", page_views.label, name="label"),
    path("crawls/<int:pk>/why/<int:number>/", page_views.why, name="why"),
    path("crawls/<int:pk>/hosts/", page_views.hosts, name="hosts"),
    path("crawls/<int:pk>/events/", page_views.events, name="events"),
    path("crawls/<int:pk>/failures/", page_views.failures, name="failures"),
]
