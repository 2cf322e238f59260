"""`noai` and `noimageai` among the rules for robots."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.engine.parsing.opt_outs.form import OptOutForm, PageHead, SignParts

_RULE = re.compile(r"(?<![\w-])(?:noai|noimageai)(?![\w-])", re.I)


def _read(head: PageHead) -> Iterator[SignParts]:
    for text in head.header_values("x-robots-tag"):
        if _RULE.search(text):
            yield "header", text, True
    for name, text in head.metas:
        if _RULE.search(text) and (name == "robots" or name.endswith("bot")):
            yield "page", f"{name}: {text}", True


NO_AI = OptOutForm(
    "noai", "noai, noimageai", "rules for robots, in X-Robots-Tag or a meta element", _read
)
