"""Addresses of the help."""

from __future__ import annotations

from django.urls import path

from apps.screens.help import views

app_name = "help"

urlpatterns = [
    path("help/", views.index, name="index"),
    path("help/api/", views.api, name="api"),
    path("help/glossary/", views.glossary, name="glossary"),
    path("help/vocabulary/", views.vocabulary, name="vocabulary"),
    path("help/words/", views.code_list, name="codes"),
    path("help/strategies/<str:id>/", views.strategy, name="strategy"),
    path("help/measures/<str:id>/", views.measure, name="measure"),
    path("help/<slug:slug>/", views.screen, name="screen"),
]
