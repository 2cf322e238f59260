"""The addresses of the API."""

from __future__ import annotations

from django.urls import path, re_path

from apps.api.main import addresses
from apps.api.metrics import metrics
from apps.api.refusals import not_there

urlpatterns = [
    path("api/v1/", addresses),
    re_path("^api/", not_there),
    path("metrics", metrics, name="metrics"),
]
