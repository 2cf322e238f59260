"""The host, the registered domain and the platform's user that an address belongs to."""

from __future__ import annotations

import re

from apps.engine.frontier.host_decisions import DOMAIN
from apps.engine.urls import host_of_canonical, registered_domain, site_domain
from apps.hosts.models import HostGrouping as Unit

_OF_A_USER = re.compile(r"[^/]*//[^/]*(/[~@][^/?]{1,100})")


def user_of(url: str) -> str:
    """`site.example/~name` for a canonical URL below such a folder, or empty."""
    match = _OF_A_USER.match(url)
    return f"{host_of_canonical(url)}{match[1]}" if match else ""


def spot_of(url: str) -> tuple[str, str]:
    """The unit and the name of the smallest part that a canonical URL is in: of a user, or of its
    host."""
    user = user_of(url)
    return (Unit.USER, user) if user else (Unit.HOST, host_of_canonical(url))


def domain_name(host: str) -> str:
    """The name of a host's registered domain: `*.bbc.co.uk`."""
    return f"{DOMAIN}{registered_domain(_without_port(host))}"


def user_name(host: str) -> str:
    """The name of what one owner has of a host, unless an address names a user: `*.ann.blog.test`
    where subdomains are given to users, else the registered domain."""
    return f"{DOMAIN}{site_domain(_without_port(host))}"


def _without_port(host: str) -> str:
    return host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host
