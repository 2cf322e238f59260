"""Addresses of recipes."""

from __future__ import annotations

from django.urls import path

from apps.crawls import recipe_views

urlpatterns = [
    path("crawls/<int:pk>/recipe/", recipe_views.recipe, name="recipe"),
    path("crawls/<int:pk>/again/", recipe_views.again, name="again"),
    path("crawls/from-recipe/", recipe_views.from_recipe, name="from_recipe"),
]
