"""The ASGI application: pages over HTTP, live feeds over websockets."""

from __future__ import annotations

import os
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
# Sets up Django, which the imports of the routes need.
pages = get_asgi_application()

from apps.screens.live.routing import websocket_urlpatterns  # noqa: E402
from crawlsite.websocket_origin import SameOrigin  # noqa: E402

sessions: Any = AuthMiddlewareStack(URLRouter(websocket_urlpatterns))
feeds: Any = SameOrigin(sessions)
application = ProtocolTypeRouter({"http": pages, "websocket": feeds})
