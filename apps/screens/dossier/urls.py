"""Addresses of the dossiers of a topic's hosts."""

from __future__ import annotations

from django.urls import path

from apps.screens.dossier import views

app_name = "dossier"

urlpatterns = [
    path("topics/<int:pk>/hosts/<str:host>/", views.dossier, name="host"),
    path("topics/<int:pk>/hosts/<str:host>/take-down/", views.take_down, name="take_down"),
    path(
        "topics/<int:pk>/hosts/<str:host>/take-down/undo/",
        views.undo_take_down,
        name="undo_take_down",
    ),
    path("topics/<int:pk>/hosts/<str:host>/dossier.json", views.as_json, name="json"),
    path("topics/<int:pk>/hosts/<str:host>/requests.csv", views.as_csv, name="csv"),
]
