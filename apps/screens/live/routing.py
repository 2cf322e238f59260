"""The routes of websockets."""

from __future__ import annotations

from django.urls import path, re_path

from apps.screens.live.consumers import LiveCrawl, Nowhere

websocket_urlpatterns = [
    path("ws/crawls/<int:pk>/", LiveCrawl.as_asgi()),
    re_path("", Nowhere.as_asgi()),
]
