"""Pages in Markdown, of templates and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.template import Context, Engine, Library

from apps.figures import quantities

register = Library()
register.filter("signed", quantities.signed)


@register.filter
def fixed(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


@register.filter
def in_brackets(names: Sequence[str]) -> str:
    """` (a, b)`, or nothing without names."""
    return f" ({', '.join(names)})" if names else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of plain words; a bar within a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def render(template: str, **context: Any) -> str:
    """The text of a template in `templates/research/`, with one empty line between blocks."""
    engine = Engine(
        dirs=[str(settings.BASE_DIR / "templates" / "research")],
        builtins=["apps.research.markdown"],
    )
    text = engine.get_template(template).render(Context(context, autoescape=False))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
