"""Addresses of the watch of a topic."""

from __future__ import annotations

from django.urls import path

from apps.screens.watch import actions, feed, versions, views

app_name = "watch"

urlpatterns = [
    path("topics/<int:pk>/watch/", views.watch, name="topic"),
    path("topics/<int:pk>/watch/settings/", actions.settings, name="settings"),
    path("topics/<int:pk>/watch/act/", actions.act, name="act"),
    path("topics/<int:pk>/watch/changes/<int:seen>/", actions.correct, name="correct"),
    path("topics/<int:pk>/watch/waiting/", views.waiting, name="waiting"),
    path("topics/<int:pk>/watch/seen/", actions.mark, name="seen"),
    path("topics/<int:pk>/watch/tell/", actions.tell, name="tell"),
    path("topics/<int:pk>/watch/changes.csv", views.download, name="csv"),
    path("topics/<int:pk>/watch/pages/<int:page>/", versions.page, name="page"),
    path("topics/<int:pk>/watch/pages/<int:page>/claim/", actions.claim, name="claim"),
    path("topics/<int:pk>/watch/digests/<int:digest>/", views.digest, name="digest"),
    path("watch/feed/<str:token>/", feed.feed, name="feed"),
]
