"""Addresses of the list of experiments."""

from __future__ import annotations

from django.urls import path

from apps.screens.experiments import views

app_name = "experiments"

urlpatterns = [
    path("experiments/", views.experiment_list, name="list"),
    path("experiments/rows/", views.live_rows, name="rows"),
]
