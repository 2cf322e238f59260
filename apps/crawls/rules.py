"""Scope and politeness as they come from outside, held against the types that the engine takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from apps.engine.frontier.scope import Scope
from apps.engine.networking.politeness import Politeness
from apps.topics.lines import storable

MOST = 10_000_000
LONGEST_LIST = 10_000
LONGEST_TEXT = 2_000


class BadRule(Exception):
    """A rule is unknown or its value is of the wrong kind; `name` is its name."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
        self.message = message


def scope_rules(values: Mapping[str, Any]) -> dict[str, Any]:
    """Every rule of a scope, those not given at their default. Raises BadRule."""
    kinds = {
        "allow_hosts": _texts, "deny_hosts": _texts, "deny_patterns": _texts,
        "depth": _number_or_none, "pages_per_host": _number_or_none,
        "frontier_cap": _number_or_none,
    }  # fmt: skip
    return Scope.from_dict(_read(values, kinds, "scope")).as_dict()


def politeness_rules(values: Mapping[str, Any]) -> dict[str, Any]:
    """The rules of politeness that are given. Raises BadRule."""
    kinds = {"delay": _delay, "obey_robots": _truth, "concurrent": _concurrent,
             "retries": _retries}
    rules = _read(values, kinds, "politeness")
    Politeness(**rules)
    return rules


def _read(
    values: Mapping[str, Any], kinds: Mapping[str, Callable[[str, Any], Any]], what: str
) -> dict[str, Any]:
    for name in values:
        if name not in kinds:
            raise BadRule(what, f"Unknown rule {str(name)[:100]}; there are: {', '.join(kinds)}.")
    return {name: kinds[name](name, value) for name, value in values.items()}


def _texts(name: str, value: Any) -> tuple[str, ...]:
    fits = isinstance(value, list | tuple) and len(value) <= LONGEST_LIST
    if not fits or not all(_is_text(v) for v in value):
        raise BadRule(name, f"{name} must be a list of texts.")
    return tuple(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT and storable(value) == value


def _number_or_none(name: str, value: Any) -> int | None:
    if value is None:
        return None
    if type(value) is not int or not 0 <= value <= MOST:
        raise BadRule(name, f"{name} must be a whole number from 0 to {MOST:,}, or empty.")
    return value


def _delay(name: str, value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 3600:
        raise BadRule(name, "Give a pause from 0 to 3,600 seconds.")
    return float(value)


def _truth(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadRule(name, f"{name} must be true or false.")
    return value


def _retries(name: str, value: Any) -> int:
    if type(value) is not int or not 0 <= value <= 10:
        raise BadRule(name, "Give a number of retries from 0 to 10.")
    return value


def _concurrent(name: str, value: Any) -> int:
    if type(value) is not int or not 1 <= value <= 100:
        raise BadRule(name, "Give a number of requests at once from 1 to 100.")
    return value
