"""Addresses of the comparison of crawls."""

from __future__ import annotations

from django.urls import path

from apps.screens.compare import views

app_name = "compare"

urlpatterns = [
    path("compare/", views.crawls, name="crawls"),
    path("compare/curves.csv", views.curves_csv, name="curves"),
    path("compare/measures.csv", views.measures_csv, name="measures"),
]
