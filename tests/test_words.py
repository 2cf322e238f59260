"""What people read is plain English: no phrase that was found to be a riddle comes back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Each phrase with what is said instead. In templates, texts for people and docstrings alike.
BANNED = {
    r"leave them out": "Exclude",
    r"\bleave it</": "Cancel",
    r"cannot teach": "cannot be an example",
    r"labels retrain after": "The crawl learns from labels after",
    r"nobody is asked|nobody for anything": "no requests are sent",
    r"the classifier of its start": "the guiding classifier",
    r"written down": "stored",
    r"the web no longer says": "data the Web no longer offers",
    r"mend the file": "correct the file",
    r"take off the list": "Remove from the list",
    r"negatives for a positive": "negatives per positive",
    r"paused by user|stopped by user|of owner\b": "the person's name, or you",
    r"by whose word": "by which judge",
    r"mostly use the best": "what each paper uses",
    r"rulings \d": "the reason itself",
    r"LC §6\.1": "a section that LC has",
    r"there is no way back": "This cannot be undone",
    r"no web address: it must": "not a web address",
    r"(?<!there )\bis no (json|text|page|utf-8|number|table|url|web|host|label)\b": "is not a",
    r"codec can't": "what is wrong with the bytes",
    r": expecting value": "what is wrong with the JSON",
    r"(links|pages?|urls?) (in|of|from) the queue\b": "the frontier",
    r"\bhas the urls wait\b": "queues the URLs again",
    r"says how many (that|those|have|waited)\b": "returns their number",
    r"seconds that never run backwards": "monotonic seconds",
    r"\b(one|row) an? (occurrence|edge|distinct target|token id|waiting url)\b": "one per",
    r"where food ends|to the grave|shut the door|of one mind": "the thing itself",
    r"\b(link|url|strategy) is as (good|near|likely) as\b": "scores a link by",
    r"speaks? for (its|the) links?\b": "describes the link",
    r"nowhere in the space": "an undefined cosine",
    r"when somebody asks": "on demand",
    r"told (by the shape|by themselves|of every page)": "recognised by",
    r"anew from the columns|(keys|heaps|queue) anew\b": "rebuilds",
    r"what all strategies share": "the base class of",
    r"what may pass is asked": "transient failures are retried",
    r"the room that knows|only room that": "the package that imports",
    r"\bc[ao]me to nothing": "failed",
    r"\bcame of it\b": "the result",
    r"what was given\b": "the inputs",
    r"\b(as|how) (it|they) stands? now\b": "as it is now",
    r"\bhow it stands\b": "its state",
    r"\blets go of\b": "closes",
    r"\bnot wanted any more\b": "no longer wanted",
    r"\bnobody asks\b": "unused",
    r"\bis asked (again|anew)\b": "is requested again",
    r"\bfaults? of ours\b": "an internal error",
    r"log says more": "the log has the details",
    r"\btak(e|es|en|ing) (a|the|this) recipe (in|out)\b": "import, export",
    r"\bfor no spider trap\b": "no longer treats it as a spider trap",
    r"\bwhich flatters\b": "which overrates",
    r"\band its kin\b": "and similar programs",
}
PATTERN = re.compile("|".join(f"(?:{phrase})" for phrase in BANNED), re.IGNORECASE)


def banned_in(text: str) -> list[str]:
    """The banned phrases in a text, whatever its line breaks."""
    return [match.group() for match in PATTERN.finditer(" ".join(text.split()))]


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """Every string of a module, docstrings included, with its line."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def modules() -> Iterator[Path]:
    for folder in ("apps", "crawlsite"):
        yield from (p for p in (ROOT / folder).rglob("*.py") if "migrations" not in p.parts)


def test_no_template_or_document_has_a_banned_phrase() -> None:
    texts = [
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "apps").rglob("*.md"),
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "static" / "js").rglob("*.js"),
    ]
    phrases = {
        str(path.relative_to(ROOT)): hits for path in texts if (hits := banned_in(path.read_text()))
    }
    assert not phrases


def test_no_message_or_docstring_has_a_banned_phrase() -> None:
    phrases = {
        f"{path.relative_to(ROOT)}:{line}": hits
        for path in modules()
        for line, text in strings(path)
        if (hits := banned_in(text))
    }
    assert not phrases


@pytest.mark.parametrize(
    "old",
    [
        "Leave them out",
        "it cannot teach",
        "Labels retrain after 5",
        "Nobody is asked for anything",
        "judged by the classifier of its start",
        "1,500 pages written\n    down",
        "line 2 is no JSON: Expecting value",
        "what the web no longer says",
        "mend the file",
        "Take off the list",
        "Birds of owner",
        "Negatives for a positive",
        "Paused paused by user",
        "no web address: it must begin with http://",
        "'utf-8' codec can't decode byte",
        "the help says the papers mostly use the best",
        "rulings 38",
        "LC " + "§6.1",
        "Has the URLs wait again",
        "says how many that are",
        "a link is as good as its page resembles",
        "One row an occurrence of a link",
        "a school that dies where food ends",
        "All keys anew",
        "it is told by the shape of the address alone",
        "What may pass is asked for again",
        "an upload that came to nothing",
        "what came of it",
        "how it stands in the database now",
        "Lets go of the file",
        "it is asked again",
        "a fault of ours stopped it",
        "Take a recipe in",
        "for Gephi and its kin",
        "the site’s log says more",
    ],
)
def test_the_phrases_of_old_are_recognised(old: str) -> None:
    assert banned_in(old)
