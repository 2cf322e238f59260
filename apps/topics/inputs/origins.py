"""The words for where numbers come from: in-link counts, traffic, listed sites, corpus, classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Part = Mapping[str, Any]

_CORPUS = {
    "named": "the topic’s own corpus",
    "background": "background pages and the topic’s examples, without their labels",
    "examples": "the topic’s examples, without their labels",
}
_BACKLINKS = {
    "named": "named by hand",
    "found": "found in the recorded web",
    "both": "named by hand and found in the recorded web",
}


def source_words(name: str, part: Part) -> str:
    """One sentence about one of the parts that `supplies.provenance` gives."""
    return _WORDS[name](part)


def given_words(sources: Mapping[str, Part]) -> list[str]:
    """A sentence about everything a crawl was given, but for its in-link counts, which stand by
    the chart of status."""
    return [source_words(name, part) for name, part in sources.items() if name != "inlinks"]


def status_source(sources: Mapping[str, Part]) -> str:
    """Where a crawl's in-link counts come from, for captions and exports; empty where it has
    none."""
    return _inlinks(sources["inlinks"]) if "inlinks" in sources else ""


def inlink_source(of: str, name: str) -> str:
    """The source alone: `your list counts.csv`, `counted in the recorded web coast`."""
    if of == "csv":
        return f"your list {name}" if name else "the topic’s list"
    if of == "ranks":
        return f"host ranks of {name}"
    return f"counted in the recorded web {name}"


def _inlinks(part: Part) -> str:
    return f"in-links: {inlink_source(part['of'], part['name'])}, {_known(part)}"


def _traffic(part: Part) -> str:
    whose = "the topic’s list" if part["of"] == "topic" else "your list"
    return f"traffic: {whose} {part['name']} of {day(part['at'])}, {_known(part)}"


def _sites(part: Part) -> str:
    whose = "list" if part["of"] == "list" else "directory"
    return f"listed sites: {part['rows']:,} of the {whose} {part['name']}"


def _corpus(part: Part) -> str:
    return f"corpus: {_CORPUS[part['of']]}, {number_of(part['rows'], 'page')}"


def _taxonomy(part: Part) -> str:
    classes = f"directory {part['name']}" if part["of"] == "directory" else "your topics"
    pages = f", {number_of(part['rows'], 'page')}" if "rows" in part else ""
    return f"classes: {classes}{pages}{_as_pages(part)}"


def _as_pages(part: Part) -> str:
    """How many of a directory's pages were read, and how many are an editor's words."""
    if "examples" not in part:
        return ""
    if not part["examples"]:
        return ", all by their titles and descriptions"
    described = part["rows"] - part["examples"]
    return f", {described:,} of them by their descriptions" if described else ""


def _backlinks(part: Part) -> str:
    return f"back-link pages: {part['rows']:,}, {_BACKLINKS[part['of']]}"


def _background(part: Part) -> str:
    of = {"topics": "your other topics’ examples", "web": "a sample of the recorded web"}
    return f"background: {of[part['of']]}, {number_of(part['rows'], 'page')}"


def _relevant_set(part: Part) -> str:
    targets = number_of(part["positives"], "target")
    return f"judges: {part['examples']:,} of {targets} learnt from, besides the examples"


def _known(part: Part) -> str:
    return f"{part['examples']:,} of {number_of(part['positives'], 'positive example')} known"


def day(moment: str) -> str:
    """The day of a moment in ISO 8601."""
    return moment[:10]


def number_of(count: int, noun: str) -> str:
    """`1 page`, `1,200 pages`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


_WORDS = {
    "inlinks": _inlinks, "traffic": _traffic, "sites": _sites, "corpus": _corpus,
    "taxonomy": _taxonomy, "backlinks": _backlinks,
    "background": _background, "relevant_set": _relevant_set,
}
