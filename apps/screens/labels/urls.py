"""Addresses of the labels of several people."""

from __future__ import annotations

from django.urls import path

from apps.screens.labels import actions, views

app_name = "labels"

urlpatterns = [
    path("topics/<int:pk>/labels/", views.labels, name="labels"),
    path("topics/<int:pk>/labels.csv", views.table, name="csv"),
    path("topics/<int:pk>/labels/settle/", actions.settle, name="settle"),
    path("topics/<int:pk>/labels/undo/", actions.undo, name="undo"),
    path("topics/<int:pk>/labels/answer/", actions.answer, name="answer"),
    path("topics/<int:pk>/labels/ask/", actions.ask, name="ask"),
    path("topics/<int:pk>/labels/note/", actions.note, name="note"),
    path("topics/<int:pk>/labels/rule/", actions.rule, name="rule"),
    path("topics/<int:pk>/labels/hide/", actions.hide, name="hide"),
]
