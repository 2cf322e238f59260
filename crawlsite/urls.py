"""Every address of the site; each app keeps its own."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.views.generic import RedirectView

handler400 = "crawlsite.refused.bad_request"

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="topics:list"), name="home"),
    path("", include("apps.accounts.urls")),
    path("topics/", include("apps.topics.urls")),
    path("webs/", include("apps.crawls.web_urls")),
    path("", include("apps.crawls.urls")),
    path("", include("apps.collection.urls")),
    path("", include("apps.exports.urls")),
    path("", include("apps.api.urls")),
    path("help/", include("apps.help.urls")),
    path("admin/", admin.site.urls),
    path("favicon.ico", login_not_required(RedirectView.as_view(url="/static/favicon.svg"))),
]
