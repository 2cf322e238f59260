"""Addresses of beginning a topic."""

from __future__ import annotations

from django.urls import path

from apps.screens.begin import views

app_name = "begin"

urlpatterns = [
    path("topics/new/", views.new, name="new"),
    path("topics/new/understand/", views.understand, name="understand"),
    path("topics/new/<int:pk>/", views.state, name="state"),
    path("topics/new/<int:pk>/answer/", views.answer, name="answer"),
    path("topics/new/<int:pk>/adviser/", views.advise, name="advise"),
    path("topics/<int:pk>/queries/", views.journal, name="journal"),
]
