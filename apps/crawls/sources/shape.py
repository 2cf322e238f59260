"""How the requests of a crawl look: who asks, in which languages, and fixed headers."""

from __future__ import annotations

from django.conf import settings

from apps.crawls.sources.source import Asking
from apps.engine.networking.politeness import Politeness

ANY = "*;q=0.5"


def asking_of(politeness: Politeness, language: str | None) -> Asking:
    """How a crawl asks; `language` are the topic's languages, as `en` or `en de`."""
    headers = [("Accept-Language", accept_language(language))] if language else []
    for line in politeness.headers:
        name, _, value = line.partition(":")
        headers = [(own, kept) for own, kept in headers if own.lower() != name.lower()]
        headers.append((name, value.strip()))
    return Asking(
        user_agent=user_agent(politeness.contact),
        headers=tuple(headers),
        max_body=politeness.page_bytes,
        max_redirects=politeness.redirects,
    )


def accept_language(languages: str) -> str:
    """`en de` → `en, de;q=0.9, *;q=0.5`."""
    codes = languages.split()
    wanted = [code if i == 0 else f"{code};q={1 - i / 10:.1f}" for i, code in enumerate(codes)]
    return ", ".join([*wanted, ANY])


def user_agent(contact: str) -> str:
    """The name of the crawler with this contact, or the site's if it is empty."""
    name = settings.USER_AGENT.partition(" ")[0]
    return f"{name} (+{contact})" if contact else settings.USER_AGENT
