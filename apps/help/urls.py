"""Addresses of the help."""

from __future__ import annotations

from django.urls import path

from apps.help import views

app_name = "help"

urlpatterns = [
    path("", views.index, name="index"),
    path("api/", views.api, name="api"),
    path("glossary/", views.glossary, name="glossary"),
    path("words/", views.code_list, name="codes"),
    path("strategies/<str:id>/", views.strategy, name="strategy"),
    path("measures/<str:id>/", views.measure, name="measure"),
    path("<slug:slug>/", views.screen, name="screen"),
]
