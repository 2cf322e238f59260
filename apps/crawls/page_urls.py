"""Addresses of a crawl's pages, hosts and failures."""

from __future__ import annotations

from django.urls import path

from apps.crawls import measure_views, page_views

urlpatterns = [
    path("crawls/<int:pk>/pages/", page_views.pages, name="pages"),
    path("crawls/<int:pk>/pages/<int:seq>/label/", page_views.label, name="label"),
    path("crawls/<int:pk>/why/<int:number>/", page_views.why, name="why"),
    path("crawls/<int:pk>/measures/", measure_views.measures, name="measures"),
    path("crawls/<int:pk>/hosts/", page_views.hosts, name="hosts"),
    path("crawls/<int:pk>/events/", page_views.events, name="events"),
    path("crawls/<int:pk>/failures/", page_views.failures, name="failures"),
]
