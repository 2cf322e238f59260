"""Addresses of Repeat a paper."""

from __future__ import annotations

from django.urls import path

from apps.screens.papers import views

app_name = "papers"

urlpatterns = [
    path("experiments/papers/", views.papers, name="list"),
    path("experiments/papers/states/", views.states, name="states"),
    path("experiments/papers/repeat/", views.repeat_protocol, name="repeat"),
    path("experiments/papers/repeat-all/", views.repeat_paper, name="repeat_all"),
]
