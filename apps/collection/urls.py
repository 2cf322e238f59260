"""Addresses of collections and of collected pages."""

from __future__ import annotations

from django.urls import path

from apps.collection import views

app_name = "collection"

urlpatterns = [
    path("collection/", views.home, name="home"),
    path("topics/<int:pk>/collection/", views.of_topic, name="list"),
    path("crawls/<int:pk>/collection/", views.of_crawl, name="crawl"),
    path("crawls/<int:pk>/pages/<int:seq>/", views.page, name="page"),
    path("crawls/<int:pk>/pages/<int:seq>/similar/", views.similar, name="similar"),
    path("crawls/<int:pk>/pages/<int:seq>/stored/", views.stored, name="stored"),
]
