"""The file tdmrep.json of the TDM Reservation Protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from apps.engine.parsing.opt_outs.site_form import SiteForm, SiteSignParts

PATH = "/.well-known/tdmrep.json"


class _TdmRule(NamedTuple):
    locations: tuple[str, ...]
    reservation: str
    policy: str

    @property
    def reserves(self) -> bool:
        return self.reservation == "1"


def _read(text: str) -> Iterator[SiteSignParts]:
    """A sign of each entry. Where several match an address, the longest counts."""
    try:
        parsed = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return
    entries = parsed if isinstance(parsed, list) else [parsed]
    rules = [rule for entry in entries if (rule := _rule(entry)) is not None]
    lines = "\n".join(
        f"{'Disallow' if rule.reserves else 'Allow'}: {location}"
        for rule in rules
        for location in rule.locations
    )
    for rule in rules:
        policy = f", tdm-policy: {rule.policy}" if rule.policy else ""
        says = f"{' '.join(rule.locations)}: tdm-reservation: {rule.reservation}{policy}"
        yield says, rule.reserves, lines


def _rule(entry: Any) -> _TdmRule | None:
    if not isinstance(entry, dict) or "tdm-reservation" not in entry:
        return None
    named = entry.get("location", "/")
    locations = named if isinstance(named, list) else [named]
    patterns = tuple("".join(each.split()) for each in locations if isinstance(each, str))
    policy = entry.get("tdm-policy", "")
    reservation = str(entry["tdm-reservation"]).strip()
    return _TdmRule(patterns or ("/",), reservation, policy if isinstance(policy, str) else "")


TDM_REP_FILE = SiteForm(
    "tdmrep", "TDMRep", "text and data mining, in /.well-known/tdmrep.json", PATH, _read
)
