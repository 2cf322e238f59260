"""The commands by which a machine joins, with this server's addresses but no password.

Nobody needs to see the stores' passwords in a browser, where a stolen session or a picture of the
screen would give them away: the commands have placeholders instead, on screen and when copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, urlsplit

from django.conf import settings

PASSWORD = "PASSWORD"
LOOPBACK = frozenset({"", "localhost", "127.0.0.1", "::1", "0.0.0.0"})
# The parameters of an address that are no secret.
OPEN = frozenset({"sslmode", "db", "protocol"})


@dataclass(frozen=True, slots=True)
class Commands:
    """The `lines` to type; `loopback` are the variables whose address only this machine reaches."""

    lines: str
    loopback: list[str]

    @property
    def number(self) -> int:
        return self.lines.count("\n") + 1


def commands() -> Commands:
    """The commands for a machine that lends agents or workers to this site."""
    urls = {"DATABASE_URL": settings.DATABASE_URL, "REDIS_URL": settings.REDIS_URL}
    lines = [f"export {name}={without_password(url)}" for name, url in urls.items()]
    if settings.REDIS_PREFIX != "crawlsite":
        lines.append(f"export CRAWLSITE_REDIS_PREFIX={settings.REDIS_PREFIX}")
    lines += [
        "crawlsite up --agents 3    # fetch for the crawls of others",
        "crawlsite up --workers     # carry whole crawls",
    ]
    loopback = [name for name, url in urls.items() if (urlsplit(url).hostname or "") in LOOPBACK]
    return Commands("\n".join(lines), loopback)


def without_password(url: str) -> str:
    """The address with a placeholder for its password, and for anything else that may be secret.

    Of one that is not written as an address should be, as with a slash in the password, only the
    scheme is certain.
    """
    parts = urlsplit(url)
    if "@" in parts.path + parts.query + parts.fragment:
        return f"{parts.scheme}://ADDRESS"
    query = "&".join(
        f"{name}={value if name in OPEN else PASSWORD}" for name, value in parse_qsl(parts.query)
    )
    return SplitResult(parts.scheme, _host_part(parts), parts.path, query, "").geturl()


def _host_part(parts: SplitResult) -> str:
    person, at, host = parts.netloc.rpartition("@")
    name, colon, _ = person.partition(":")
    return f"{name}{colon and f':{PASSWORD}'}{at}{host}"
