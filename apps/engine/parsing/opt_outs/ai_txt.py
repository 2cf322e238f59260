"""The file ai.txt, written like robots.txt, on the use of a site's files by models."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.engine.parsing.opt_outs.site_form import SiteForm, SiteSignParts

PATH = "/ai.txt"
_RULE = re.compile(r"^\s*(disallow|allow)\s*:\s*(\S+)", re.I | re.M)


def _read(text: str) -> Iterator[SiteSignParts]:
    if text.lstrip("\ufeff \t\r\n").startswith("<"):  # a page in place of the file
        return
    rules = [f"{name.capitalize()}: {value}" for name, value in _RULE.findall(text)]
    if rules:
        reserves = any(rule.startswith("Disallow") for rule in rules)
        yield "; ".join(rules), reserves, "\n".join(rules)


AI_TXT = SiteForm("ai_txt", "ai.txt", "which files of a site models may use", PATH, _read)
