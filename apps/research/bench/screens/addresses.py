"""The address of every screen, part of a screen and file, for tests that open them all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from django.urls import URLPattern, URLResolver, get_resolver

PARAMETER = re.compile(r"<\w+:(\w+)>")
# What a file is asked for with.
QUESTIONS = {"download/": "?format=csv", "count/": "?format=csv"}
# What only a document has; the tests of the page's screen open it.
OF_SOME = "/document/"


def addresses(numbers: Mapping[str, object]) -> list[str]:
    """An address of each route. `numbers` is what stands in it, by the parameter with the folder
    that it is in, `crawls/pk`. KeyError where a new one has no value there."""
    return [
        filled(route, numbers)
        for route in routes(get_resolver())
        if "^" not in route and not route.endswith(OF_SOME)
    ]


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Every route of ours, `topics/<int:pk>/edit/`; what answers programs and Django's own
    administration are no screens."""
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        elif not route.startswith(("api/", "admin/")):
            yield from routes(pattern, route)


def filled(route: str, numbers: Mapping[str, object]) -> str:
    """The route with its parameters filled in. KeyError where a new one has no value here."""
    done: list[str] = []
    for part in route.split("/"):
        named = PARAMETER.fullmatch(part)
        done.append(str(numbers[f"{done[-1]}/{named[1]}"]) if named else part)
    return "/" + "/".join(done) + QUESTIONS.get("/".join(done[-2:]), "")
