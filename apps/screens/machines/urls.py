"""Addresses of the page of agents and workers, and of what can be asked of them."""

from __future__ import annotations

from django.urls import path

from apps.screens.machines import views

app_name = "machines"

urlpatterns = [
    path("administration/machines/", views.machines, name="machines"),
    path("administration/machines/live/", views.live, name="live"),
    path("administration/machines/events/", views.events, name="events"),
    path("administration/machines/act/", views.act, name="act"),
    path("administration/machines/workers/", views.act_on_workers, name="act_on_workers"),
]
