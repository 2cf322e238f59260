"""Addresses of one experiment."""

from __future__ import annotations

from django.urls import path

from apps.screens.experiment import cells, files, views

app_name = "experiment"

urlpatterns = [
    path("experiments/<int:pk>/", views.experiment, name="experiment"),
    path("experiments/<int:pk>/live/", views.live, name="live"),
    path("experiments/<int:pk>/act/", views.act, name="act"),
    path("experiments/<int:pk>/events/", views.events, name="events"),
    path("experiments/<int:pk>/delete/", views.delete, name="delete"),
    path("experiments/<int:pk>/studied/", views.studied, name="studied"),
    path("experiments/<int:pk>/figures/<slug:figure>/", views.figure, name="figure"),
    path("experiments/<int:pk>/figures/<slug:figure>/values.csv", files.figure, name="figure_csv"),
    path("experiments/<int:pk>/figures.zip", files.figures, name="figures_zip"),
    path("experiments/<int:pk>/rows.csv", files.rows, name="rows"),
    path("experiments/<int:pk>/tests.csv", files.tests, name="tests"),
    path("experiments/<int:pk>/p.csv", files.p_values, name="p_values"),
    path("experiments/<int:pk>/experiment.toml", files.toml, name="toml"),
    path("experiments/<int:pk>/recipe.json", files.recipe, name="recipe"),
    path("experiments/<int:pk>/cells/<int:cell>/", cells.cell, name="cell"),
    path("experiments/<int:pk>/cells/<int:cell>/open/", cells.open_crawl, name="open_crawl"),
]
