"""Views of signed-in people take the typed request; the site lets nobody else reach them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
# What anonymous visitors reach, and what makes a request.
OPEN = {
    "apps/api/auth.py",
    "apps/api/metrics.py",
    "apps/api/refusals.py",
    "apps/screens/accounts/views.py",
    "apps/screens/help/reference.py",
    "apps/screens/watch/feed.py",
}


def test_only_views_without_sign_in_take_any_request() -> None:
    any_request = {
        str(path.relative_to(ROOT))
        for folder in ("apps/api", "apps/screens")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"\bHttpRequest\b", path.read_text())
    }
    assert any_request == OPEN
