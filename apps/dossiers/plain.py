"""A dossier in plain values for programs, with a hash that shows whether it was changed."""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from apps.dossiers.dossier import Dossier
from apps.hosts.models import HostMakeUp


def as_plain(dossier: Dossier) -> dict[str, Any]:
    """All of the dossier. `sha256` is that of everything except itself and `made_at`, as JSON with
    sorted keys and without spaces, in UTF-8."""
    content = {
        "topic": {"id": dossier.topic.pk, "name": dossier.topic.name},
        "host": dossier.host,
        "crawls": [asdict(crawl) for crawl in dossier.crawls],
        "pages": asdict(dossier.pages),
        "refused": dossier.refused,
        "waiting": dossier.waiting,
        "robots": [_without_lines(asdict(text)) for text in dossier.robots],
        "delays": _delays(dossier),
        "signs": [asdict(sign) for sign in dossier.signs],
        "certificates": [
            {"fault": each.fault, "by": str(each.by or ""), "at": each.at, "until": each.ended_at}
            for each in dossier.certificates
        ],
        "make_up": None if dossier.make_up is None else _make_up(dossier.make_up),
        "requests": [request._asdict() for request in dossier.requests],
    }
    plain: dict[str, Any] = json.loads(json.dumps(content, default=_text))
    return {**plain, "made_at": _text(dossier.made_at), "sha256": digest(plain)}


def digest(content: dict[str, Any]) -> str:
    """The SHA-256 of a dossier's content, in hexadecimal digits."""
    bare = {key: value for key, value in content.items() if key not in ("made_at", "sha256")}
    text = json.dumps(bare, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _without_lines(text: dict[str, Any]) -> dict[str, Any]:
    effects = [[n, line["effect"]] for n, line in enumerate(text.pop("lines"), 1) if line["effect"]]
    return {**text, "applied": effects}


def _make_up(row: HostMakeUp) -> dict[str, Any]:
    return {
        "pages": row.pages,
        "near_duplicates": row.near_duplicates,
        "read": row.read,
        "template": row.template,
        "pattern": row.pattern,
        "pattern_share": row.alike_share,
        "flags": row.flags,
    }


def _delays(dossier: Dossier) -> dict[str, Any]:
    delays = dossier.delays
    return {
        "number": delays.number,
        "least": delays.least,
        "median": delays.median,
        "rules": delays.rules,
        "short": [
            {"at": each.request.at, "gap": each.request.gap, "rule": each.rule}
            for each in delays.short
        ],
        "slow_downs": [
            {
                "at": each.request.at,
                "status": each.request.status,
                "retry_after": each.request.retry_after,
                "wanted": each.wanted,
                "waited": each.waited,
                "is_kept": each.is_kept,
            }
            for each in delays.slow_downs
        ],
    }


def _text(moment: Any) -> str:
    return str(moment.isoformat(timespec="milliseconds"))
