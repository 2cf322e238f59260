"""Addresses of what a crawl, and all crawls of a topic, did not take."""

from __future__ import annotations

from django.urls import path

from apps.screens.left_out import views

app_name = "left_out"

urlpatterns = [
    path("crawls/<int:pk>/left-out/", views.left_out, name="crawl"),
    path("crawls/<int:pk>/left-out/act/", views.act, name="act"),
    path("crawls/<int:pk>/left-out/list.csv", views.download, name="csv"),
    path("topics/<int:pk>/left-out/", views.left_out_of_topic, name="topic"),
    path("topics/<int:pk>/left-out/list.csv", views.download_of_topic, name="topic_csv"),
]
