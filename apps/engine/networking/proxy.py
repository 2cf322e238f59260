"""The proxy through which all requests of crawls go, if an administrator has named one."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy by its address, which may have a name and password in it and is therefore never
    shown. Without an address it stands for that of the machine which sends a request."""

    address: str = field(repr=False)

    @property
    def problem(self) -> str:
        """Why nothing can be sent through it, in words; empty if something can."""
        try:
            parts = urlsplit(self.address)
            port = parts.port
        except ValueError:
            return "its host or port cannot be read"
        if parts.scheme != "http":
            return "its address must begin with http://; requests for https:// go through it too"
        if not parts.hostname or any(space in self.address for space in " \t\r\n"):
            return "it names no host"
        if port == 0:
            return "no server has port 0"
        if parts.path.strip("/") or parts.query or parts.fragment:
            return "nothing may follow its host and port"
        return ""

    @property
    def server(self) -> str:
        """Its host and port, without name and password."""
        return urlsplit(self.address).netloc.rpartition("@")[2]
