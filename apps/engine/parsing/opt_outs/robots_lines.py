"""Lines of robots.txt: what is disallowed for AI agents, Content-Signal, Content-Usage, License."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from apps.engine.parsing.opt_outs.content_signal import refuses
from apps.engine.parsing.opt_outs.site_form import WHOLE_SITE, SiteForm, SiteSignParts

PATH = "/robots.txt"
AI_AGENTS = frozenset(
    "ai2bot aihitbot amazonbot anthropic-ai applebot-extended bytespider ccbot chatgpt-user"
    " claude-searchbot claude-user claude-web claudebot cohere-ai cohere-training-data-crawler"
    " deepseekbot diffbot duckassistbot facebookbot google-cloudvertexbot google-extended gptbot"
    " icc-crawler imagesiftbot img2dataset kangaroo meta-externalagent meta-externalfetcher"
    " mistralai-user oai-searchbot omgili omgilibot pangubot perplexity-user perplexitybot"
    " petalbot semanticscholarbot timpibot velenpublicwebcrawler webzio-extended youbot".split()
)
"""Agents that collect for models or answer with them, in lower case."""
_LINE = re.compile(r"\s*([A-Za-z][A-Za-z-]*)\s*:\s*(.*?)\s*\Z")
_RULES = {"disallow": "Disallow", "allow": "Allow"}


@dataclass(slots=True)
class _AgentGroup:
    """The lines of robots.txt for some agents; without any, those before the first group."""

    agents: list[str] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)

    @property
    def is_for_all(self) -> bool:
        """Whether it speaks to everybody, or to AI agents."""
        names = {name.lower() for name in self.agents}
        return not names or "*" in names or not names.isdisjoint(AI_AGENTS)


def _groups(text: str) -> list[_AgentGroup]:
    groups, has_lines = [_AgentGroup()], True
    for line in text.splitlines():
        match = _LINE.match(line.partition("#")[0])
        if match is None:
            continue
        name, value = match[1].lower(), match[2]
        if name == "user-agent":
            if has_lines:
                groups.append(_AgentGroup())
            groups[-1].agents.append(value)
            has_lines = False
        else:
            has_lines = True
            groups[-1].lines.append((name, value))
    return groups


def _agent_rules(text: str) -> Iterator[SiteSignParts]:
    for group in _groups(text):
        named = [agent for agent in group.agents if agent.lower() in AI_AGENTS]
        rules = [f"{_RULES[name]}: {value}" for name, value in group.lines if name in _RULES]
        if named and rules:
            reserves = any(name == "disallow" and value for name, value in group.lines)
            yield f"User-agent: {', '.join(named)}; {'; '.join(rules)}", reserves, "\n".join(rules)


def _preferences(text: str, name: str, word: str) -> Iterator[SiteSignParts]:
    """The lines `Name: /path use=word`, whose path may be missing."""
    for group in _groups(text):
        for line_name, value in group.lines:
            if line_name == name.lower():
                path, uses = _path_and_uses(value)
                reserves = group.is_for_all and refuses(uses, word)
                yield f"{name}: {value}{_addressee(group.agents)}", reserves, f"Disallow: {path}"


def _addressee(agents: Sequence[str]) -> str:
    return "" if not agents or "*" in agents else f" (for {', '.join(agents)})"


def _path_and_uses(value: str) -> tuple[str, str]:
    path, _, uses = value.partition(" ")
    return (path, uses) if path.startswith("/") else ("/", value)


def _signals(text: str) -> Iterator[SiteSignParts]:
    return _preferences(text, "Content-Signal", "no")


def _usages(text: str) -> Iterator[SiteSignParts]:
    return _preferences(text, "Content-Usage", "n")


def _licences(text: str) -> Iterator[SiteSignParts]:
    for group in _groups(text):
        for name, value in group.lines:
            if name == "license" and value:
                yield f"License: {value}", True, WHOLE_SITE


AI_RULES = SiteForm(
    "ai_agents", "AI agents", "rules of robots.txt for agents of models", PATH, _agent_rules
)
SIGNAL_LINES = SiteForm(
    "content_signal", "Content-Signal", "search, ai-input, ai-train, in robots.txt", PATH, _signals
)
USAGE_LINES = SiteForm(
    "content_usage",
    "Content-Usage",
    "preferences of the AIPREF, in robots.txt",
    PATH,
    _usages,
)
RSL_LINES = SiteForm(
    "rsl", "RSL", "a licence in Really Simple Licensing, in robots.txt", PATH, _licences
)
