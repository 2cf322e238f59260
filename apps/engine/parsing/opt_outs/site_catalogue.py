"""The forms of opt-outs in files of a site, and the signs of a file."""

from __future__ import annotations

from collections.abc import Mapping

from apps.engine.answers import Answer
from apps.engine.events import SiteFileRecord
from apps.engine.parsing.opt_outs.ai_txt import AI_TXT
from apps.engine.parsing.opt_outs.robots_lines import (
    AI_RULES,
    RSL_LINES,
    SIGNAL_LINES,
    USAGE_LINES,
)
from apps.engine.parsing.opt_outs.robots_lines import PATH as ROBOTS
from apps.engine.parsing.opt_outs.site_form import SiteForm
from apps.engine.parsing.opt_outs.tdm_rep_file import TDM_REP_FILE

SITE_FORMS: tuple[SiteForm, ...] = (
    AI_RULES,
    SIGNAL_LINES,
    USAGE_LINES,
    RSL_LINES,
    TDM_REP_FILE,
    AI_TXT,
)
SITE_TITLES: Mapping[str, str] = {form.id: form.title for form in SITE_FORMS}
EXTRA_FILES = tuple(dict.fromkeys(form.path for form in SITE_FORMS if form.path != ROBOTS))
"""The paths of files that are asked for besides robots.txt."""
MOST_BYTES = 500 * 1024
MOST_SIGNS = 50


def read_site_file(origin: str, path: str, answer: Answer) -> SiteFileRecord:
    """The signs in the answer to a request for a file of an origin, each once; at most 50."""
    status = answer.status or 0
    if not 200 <= status < 300:
        return SiteFileRecord(origin, path, answer.fetched_at, status)
    text = answer.body[:MOST_BYTES].decode("utf-8", "replace")
    read = (sign for form in SITE_FORMS if form.path == path for sign in form.signs(text))
    signs = tuple(dict.fromkeys(read))[:MOST_SIGNS]
    return SiteFileRecord(origin, path, answer.fetched_at, status, signs)
