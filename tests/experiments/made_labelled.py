"""A small web with labels."""

from __future__ import annotations

import json
import random
from pathlib import Path

LABELS = {
    "Arts/Lace": "thread bobbin lace pattern",
    "Arts/Lutes": "string fret lute tune",
    "Sport/Rowing": "oar river boat crew",
}
PAGES = 32


def write_labelled(folder: Path, pages: int = PAGES) -> Path:
    """The file of the web, with so many pages of each label."""
    draw = random.Random(5)
    lines = []
    for label, words in LABELS.items():
        name = label.rpartition("/")[2].lower()
        for i in range(pages):
            links = (
                "".join(
                    f"<a href='http://{name}.test/{draw.randrange(pages)}'>{name}</a> "
                    for _ in range(4)
                )
                + "<a href='http://plain.test/1'>plain</a>"
            )
            text = " ".join(draw.choices([*words.split(), "common", "word"], k=30))
            lines.append(
                {
                    "url": f"http://{name}.test/{i}",
                    "topics": [label],
                    "html": f"<title>{name} {i}</title><p>{text} {links}",
                }
            )
    lines += [
        {"url": f"http://plain.test/{i}", "topics": [], "html": "<p>plain page"} for i in range(8)
    ]
    path = folder / "labelled.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return path
