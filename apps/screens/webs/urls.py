"""Addresses of recorded webs."""

from __future__ import annotations

from django.urls import path

from apps.screens.webs import choosing, pages, recordings, selecting, similar, views

app_name = "webs"

urlpatterns = [
    path("webs/", views.webs, name="list"),
    path("webs/from-crawls/", recordings.from_crawls, name="from_crawls"),
    path("webs/recordings/<int:pk>/withdraw/", recordings.withdraw, name="withdraw_recording"),
    path("webs/<int:pk>/", pages.pages, name="web"),
    path("webs/<int:pk>/index/", pages.index_again, name="index_again"),
    path("webs/<int:pk>/pages/<int:number>/", pages.page, name="page"),
    path("webs/<int:pk>/pages/<int:number>/stored/", pages.stored, name="stored"),
    path("webs/<int:pk>/pages/<int:number>/similar/", similar.similar, name="similar"),
    path("webs/<int:pk>/numbers/", selecting.numbers, name="numbers"),
    path("webs/<int:pk>/selection/", selecting.bar, name="selection"),
    path("webs/<int:pk>/add/", choosing.add, name="add"),
    path("webs/<int:pk>/topic/", selecting.make, name="topic"),
    path("webs/<int:pk>/labels/", views.labels, name="labels"),
    path("webs/<int:pk>/labels/topics/", choosing.topics_of_labels, name="topics_of_labels"),
    path("webs/<int:pk>/uses/", views.uses, name="uses"),
    path("webs/<int:pk>/crawls/", views.crawls, name="crawls"),
    path("webs/<int:pk>/links/", views.links, name="links"),
    path("webs/<int:pk>/lists/<int:upload>/take-back/", views.take_back, name="take_back"),
    path("webs/<int:pk>/file/", views.file, name="file"),
    path("webs/<int:pk>/note/", views.note, name="note"),
    path("webs/<int:pk>/delete/", views.delete, name="delete"),
]
