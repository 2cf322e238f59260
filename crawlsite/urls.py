"""The URLs of the site; each app defines its own."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.views.generic import RedirectView

from apps.screens.first_run.views import home

handler400 = "crawlsite.refused.bad_request"

admin.autodiscover()
FAVICON = f"{settings.STATIC_URL}favicon.svg"

urlpatterns = [
    path("", home, name="home"),
    path("", include("apps.screens.urls")),
    path("", include("apps.api.urls")),
    path("admin/", admin.site.urls),
    path(
        "favicon.ico",
        login_not_required(RedirectView.as_view(url=FAVICON)),
    ),
]
