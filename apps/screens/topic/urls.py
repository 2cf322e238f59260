"""Addresses of one topic."""

from __future__ import annotations

from django.urls import path

from apps.screens.topic import actions, editing, files, input_views, line_checks, previews, views

app_name = "topic"

urlpatterns = [
    path("topics/new/all/", editing.new, name="new"),
    path("topics/leave/", editing.leave, name="leave"),
    path("topics/check/", line_checks.check, name="check"),
    path("topics/preview/", previews.show, name="preview"),
    path("topics/<int:pk>/", views.detail, name="detail"),
    path("topics/<int:pk>/edit/", editing.edit, name="edit"),
    path("topics/<int:pk>/export/", files.export, name="export"),
    path("topics/<int:pk>/action/", actions.action, name="action"),
    path("topics/<int:pk>/copy/", actions.copy, name="copy"),
    path("topics/<int:pk>/delete/", actions.delete, name="delete"),
    path("topics/<int:pk>/inputs/<str:kind>/", input_views.add, name="add_input"),
    path("topics/<int:pk>/inputs/<str:kind>/remove/", input_views.remove, name="remove_input"),
]
