"""Where websockets lead."""

from __future__ import annotations

from django.urls import path

from apps.dashboard.consumers import LiveCrawl

websocket_urlpatterns = [path("ws/crawls/<int:pk>/", LiveCrawl.as_asgi())]
