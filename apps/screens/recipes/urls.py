"""Addresses of recipes."""

from __future__ import annotations

from django.urls import path

from apps.screens.recipes import views

app_name = "recipes"

urlpatterns = [
    path("crawls/<int:pk>/recipe/", views.recipe, name="recipe"),
    path("crawls/<int:pk>/again/", views.again, name="again"),
    path("crawls/from-recipe/", views.from_recipe, name="from_recipe"),
]
