"""An adviser that an administrator names: proposes words, what not, and queries for a draft.

Any endpoint with OpenAI's interface will do. It gets what the person typed, up to 4,000 characters,
and nothing of any page; it judges none. What it proposes counts only once the person takes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from apps.begin.models import Draft
from apps.begin.sources.endpoint import EndpointProblem, host_of, post_json
from apps.begin.understanding import languages_of, rather_not
from apps.topics.definition.lines import storable

SETTING = "CRAWLSITE_ADVISER"
MOST_SENT = 4_000
MOST_TOKENS = 600
MOST_ASKED = 5
"""Times that it may be asked for one draft."""
PARTS = ("words", "rather_not", "queries")
MOST_PROPOSED = 10
LONGEST = 80
TASK = (
    "You help a librarian to search the Web for a subject. Propose words and short phrases as"
    " people would write them, in the languages given, that pages on the subject use beside those"
    " given; words of neighbouring subjects that are not meant; and queries for a search engine."
    ' Answer with JSON alone: {"words": [...], "rather_not": [...], "queries": [...]}, at most ten'
    " short strings in each."
)
REFUSALS = {
    401: "{host} wants another key (401): CRAWLSITE_ADVISER_KEY names it.",
    404: "{host} knows no such address or model (404): CRAWLSITE_ADVISER must end as in /v1, and"
    " CRAWLSITE_ADVISER_MODEL name a model.",
    429: "{host} answers no more questions for a while (429).",
}


def is_set_up() -> bool:
    """Whether an administrator has named one."""
    return bool(settings.ADVISER)


def adviser_host() -> str:
    """`adviser.example`."""
    return host_of(settings.ADVISER)


def question_of(draft: Draft) -> str:
    """The parts of a draft that are sent to the adviser."""
    lines = {
        "Subject": draft.sentence,
        "Words": ", ".join(draft.words),
        "Not": ", ".join(rather_not(draft)),
        "Languages": ", ".join(languages_of(draft)),
    }
    return "\n".join(f"{name}: {text}" for name, text in lines.items() if text)[:MOST_SENT]


def ask(question: str) -> dict[str, list[str]]:
    """The proposals, by part. Raises EndpointProblem."""
    answer = post_json(
        f"{settings.ADVISER.rstrip('/')}/chat/completions",
        {
            "model": settings.ADVISER_MODEL,
            "messages": [
                {"role": "system", "content": TASK},
                {"role": "user", "content": question},
            ],
            "max_tokens": MOST_TOKENS,
            "temperature": 0,
        },
        SETTING,
        settings.ADVISER_KEY,
        REFUSALS,
    )
    try:
        proposed = _object_in(answer["choices"][0]["message"]["content"])
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        raise EndpointProblem(f"{adviser_host()} answered without proposals.") from None
    return {part: _phrases(proposed.get(part)) for part in PARTS}


def _object_in(text: str) -> Mapping[str, Any]:
    """The JSON object of an answer, which may stand in a fence. Raises ValueError."""
    proposed = json.loads(text[text.find("{") : text.rfind("}") + 1])
    if not isinstance(proposed, dict):
        raise ValueError(text)
    return proposed


def _phrases(listed: Any) -> list[str]:
    texts = (text for text in listed if isinstance(text, str)) if isinstance(listed, list) else ()
    cleaned = (" ".join(storable(text).replace(",", " ").split())[:LONGEST] for text in texts)
    return list(dict.fromkeys(filter(None, cleaned)))[:MOST_PROPOSED]
