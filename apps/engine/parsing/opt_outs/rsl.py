"""A licence in RSL (Really Simple Licensing), named by a Link header or a link element."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.engine.parsing.opt_outs.form import OptOutForm, PageHead, SignParts

TYPE = "application/rsl+xml"
_LINK = re.compile(r"<([^<>]{1,2000})>([^<]*)")
_LICENCE = re.compile(r"""rel\s*=\s*"?[\w\s-]*\blicense\b""", re.I)


def _read(head: PageHead) -> Iterator[SignParts]:
    for value in head.header_values("link"):
        for address, parameters in _LINK.findall(value):
            if TYPE in parameters.lower() and _LICENCE.search(parameters):
                yield "header", f"license: {address}", True
    for link in head.links:
        if "license" in link.rel and link.type == TYPE:
            yield "page", f"license: {link.href}", True


RSL = OptOutForm(
    "rsl", "RSL", "a licence in Really Simple Licensing, as Link or link element", _read
)
