"""The ASGI application: pages over HTTP, live feeds over websockets."""

from __future__ import annotations

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
# Sets up Django, which the imports of the routes need.
pages = get_asgi_application()

from apps.screens.live.routing import websocket_urlpatterns  # noqa: E402

feeds = AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))
application = ProtocolTypeRouter({"http": pages, "websocket": feeds})
