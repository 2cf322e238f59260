"""Addresses of the form of an experiment."""

from __future__ import annotations

from django.urls import path

from apps.screens.new_experiment import add, from_file, leaderboard, views

app_name = "new_experiment"

urlpatterns = [
    path("experiments/new/", views.form, name="form"),
    path("experiments/new/file/", from_file.from_file, name="file"),
    path("webs/<int:pk>/leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path("experiments/<int:pk>/add/", add.add, name="add"),
]
