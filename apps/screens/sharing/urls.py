"""Addresses of sharing."""

from __future__ import annotations

from django.urls import path

from apps.screens.sharing import views

app_name = "sharing"

urlpatterns = [path("sharing/<str:kind>/<int:pk>/", views.shares, name="shares")]
