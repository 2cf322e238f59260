"""Addresses of signing in and out, of the account page and of the administrators' page."""

from __future__ import annotations

from django.urls import path

from apps.screens.accounts import account, administration, groups, views

app_name = "accounts"

urlpatterns = [
    path("sign-in/", views.SignIn.as_view(), name="sign_in"),
    path("sign-in/link/<str:token>/", views.OneTimeLink.as_view(), name="link"),
    path("sign-out/", views.SignOut.as_view(), name="sign_out"),
    path("session/", views.session, name="session"),
    path("password/", views.ChangePassword.as_view(), name="password"),
    path("account/", account.account, name="account"),
    path("account/tokens/<int:pk>/revoke/", account.revoke, name="revoke"),
    path("administration/", administration.administration, name="administration"),
    path("administration/disk/", administration.disk, name="disk"),
    path("administration/versions/", administration.versions, name="versions"),
    path("administration/people/<int:pk>/", administration.person, name="person"),
    path("administration/groups/", groups.make, name="make_group"),
    path("administration/groups/<int:pk>/", groups.change, name="change_group"),
]
