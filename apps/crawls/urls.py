"""Addresses of crawls."""

from __future__ import annotations

from django.urls import include, path

from apps.crawls import views

app_name = "crawls"

urlpatterns = [
    path("", include("apps.crawls.recipe_urls")),
    path("", include("apps.crawls.page_urls")),
    path("crawls/", views.crawl_list, name="list"),
    path("crawls/<int:pk>/", views.live, name="live"),
    path("crawls/<int:pk>/action/", views.action, name="action"),
    path("crawls/<int:pk>/preview/", views.preview, name="preview"),
    path("topics/<int:pk>/new-crawl/", views.new, name="new"),
]
