"""The four people of every story about access: owner, team-mate, outsider, nobody."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.test import Client

from apps.accounts.tokens import make_token


def person(name: str, **values: Any) -> User:
    """An account that signs in."""
    return get_user_model().objects.create_user(name, **values)


def site_of(user: User | None) -> Client:
    """A browser of that person; of nobody for None."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


class Program:
    """A program that sends that person's token and JSON; no token for None."""

    def __init__(self, user: User | None) -> None:
        self._client = Client()
        self._headers: Mapping[str, str] = {}
        if user is not None:
            self._headers = {"Authorization": f"Bearer {make_token(user, 'test')[1]}"}

    def get(self, path: str, **query: Any) -> Any:
        return self._client.get(f"/api/v1/{path}", query, headers=self._headers)

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Any:
        """The answer to a request with that JSON body, or without any."""
        text = body if isinstance(body, str) else "" if body is None else json.dumps(body)
        return self._client.generic(
            method.upper(),
            f"/api/v1/{path}",
            text,
            "application/json",
            headers={**self._headers, **(headers or {})},
        )

    def upload(self, path: str, **form: Any) -> Any:
        """The answer to a form with files."""
        return self._client.post(f"/api/v1/{path}", form, headers=self._headers)
