"""The routes of websockets."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from apps.screens.live.consumers import LiveCrawl, Nowhere

# Typed loosely: Django's path expects views, Channels' router takes applications.
_live: Any = LiveCrawl.as_asgi()
_nowhere: Any = Nowhere.as_asgi()
websocket_urlpatterns: list[Any] = [
    path("ws/crawls/<int:pk>/", _live),
    re_path("", _nowhere),
]
