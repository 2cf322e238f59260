"""Addresses of the hosts of a topic."""

from __future__ import annotations

from django.urls import path

from apps.screens.hosts import deciding, downloads, network, views

app_name = "hosts"

urlpatterns = [
    path("topics/<int:pk>/hosts/", views.host_list, name="list"),
    path("topics/<int:pk>/hosts/list.csv", downloads.as_csv, name="csv"),
    path("topics/<int:pk>/hosts/network.gexf", downloads.as_gexf, name="gexf"),
    path("topics/<int:pk>/hosts/network.json", network.as_json, name="network"),
    path("topics/<int:pk>/hosts/positions/", network.positions, name="positions"),
    path("topics/<int:pk>/hosts/links/", views.link_list, name="links"),
    path("topics/<int:pk>/hosts/decide/", deciding.decide, name="decide"),
    path("topics/<int:pk>/hosts/undo/", deciding.undo, name="undo"),
]
