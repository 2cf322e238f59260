"""Addresses of months of a watch."""

from __future__ import annotations

from django.urls import path

from apps.screens.months import views

app_name = "months"

urlpatterns = [
    path("experiments/months/", views.months, name="list"),
    path("experiments/months/<int:pk>/", views.month, name="month"),
    path("experiments/months/<int:pk>/pieces/", views.pieces, name="pieces"),
    path("experiments/months/<int:pk>/again/", views.again, name="again"),
    path("experiments/months/<int:pk>/delete/", views.delete, name="delete"),
]
