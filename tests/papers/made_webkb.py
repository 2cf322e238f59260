"""A small made web in the shape of WebKB: universities, page types, links that leave them."""

from __future__ import annotations

import json
import random
from pathlib import Path

UNIVERSITIES = ("north", "south", "west")
WORDS = {
    "department": "department computer science welcome university".split(),
    "student": "student graduate home interests activities favourite university music".split(),
    "course": "course homework lecture exams assignment grading handout schedule".split(),
    "other": "people machine room report system paper network printer".split(),
}


def url(university: str, number: int) -> str:
    return (
        f"http://www.{university}.test/p{number}.html"
        if number
        else f"http://www.{university}.test/"
    )


def category(number: int) -> str:
    if number == 0:
        return "department"
    return ("student", "course", "other")[number % 3]


def write_web(folder: Path, pages: int = 30) -> Path:
    """The web as JSON lines, with its redirects beside it; page `pages` − 1 is out of reach."""
    draw = random.Random(7)
    lines = [
        line(university, number, pages, draw)
        for university in (*UNIVERSITIES, "misc")
        for number in range(1 if university == "misc" else 0, pages)
    ]
    path = folder / "made.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in lines))
    redirects = {f"{url(name, 0)}index.html": url(name, 0) for name in UNIVERSITIES}
    (folder / "made.redirects.json").write_text(json.dumps(redirects))
    return path


def line(university: str, number: int, pages: int, draw: random.Random) -> dict[str, object]:
    kind = category(number)
    words = " ".join(draw.choices(WORDS[kind] + WORDS["other"], k=40))
    others = [draw.randrange(pages - 1) for _ in range(4)]
    if number < pages - 2:
        others.append(number + 1)  # so that all but the last page are within reach
    links = [url(university, other) for other in others if university != "misc" or other]
    links += ["http://www.north.test/index.html", "http://elsewhere.test/", "/gone.html"]
    anchors = " ".join(f"<a href='{link}'>{category(0)} {i}</a>" for i, link in enumerate(links))
    return {
        "url": url(university, number),
        "html": f"<html><title>{kind} {number}</title><body>{words} {anchors}</body></html>",
        "topics": [kind],
        "split": university,
    }
