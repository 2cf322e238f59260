"""Addresses of topics."""

from __future__ import annotations

from django.urls import include, path

from apps.topics import file_views, source_views, upload_views, views

app_name = "topics"

urlpatterns = [
    path("", views.topic_list, name="list"),
    path("directories/", include("apps.topics.directory_urls")),
    path("uploads/<int:pk>/withdraw/", upload_views.withdraw, name="withdraw"),
    path("new/", views.new, name="new"),
    path("<int:pk>/", views.detail, name="detail"),
    path("import/", file_views.import_file, name="import"),
    path("<int:pk>/export/", file_views.export, name="export"),
    path("<int:pk>/edit/", views.edit, name="edit"),
    path("<int:pk>/action/", views.action, name="action"),
    path("<int:pk>/delete/", views.delete, name="delete"),
    path("<int:pk>/sources/<str:kind>/", source_views.add, name="add_source"),
    path("<int:pk>/sources/<str:kind>/remove/", source_views.remove, name="remove_source"),
]
