"""Form fields written without templates: Django renders two for each option of a list, and the form
of a crawl has two hundred fields and as many options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.utils.formats import localize
from django.utils.html import conditional_escape
from django.utils.safestring import mark_safe

Widget = Mapping[str, Any]


def write_input(widget: Widget) -> str:
    """The HTML of a field of one line, or a box to check."""
    value = "" if widget["value"] is None else f' value="{_escape(widget["value"])}"'
    begin = f'<input type="{widget["type"]}" name="{_escape(widget["name"])}"'
    return f"{begin}{value}{_attributes(widget)}>"


def write_select(widget: Widget) -> str:
    """The HTML of a list of options, in groups if they have some."""
    groups = "".join(_group(name, options) for name, options, _ in widget["optgroups"])
    return f'<select name="{_escape(widget["name"])}"{_attributes(widget)}>{groups}\n</select>'


def _group(name: Any, options: list[Widget]) -> str:
    written = "".join(f"\n  {_option(each)}\n" for each in options)
    return f'\n  <optgroup label="{_escape(name)}">{written}\n  </optgroup>' if name else written


def _option(widget: Widget) -> str:
    words = conditional_escape(localize(widget["label"]))
    return f'<option value="{_escape(widget["value"])}"{_attributes(widget)}>{words}</option>'


def _attributes(widget: Widget) -> str:
    return "".join(
        f" {name}" if value is True else f' {name}="{_escape(value)}"'
        for name, value in widget["attrs"].items()
        if value is not False
    )


def _escape(value: Any) -> str:
    return conditional_escape(value if isinstance(value, str) else str(value))


_INPUTS = ("checkbox", "email", "hidden", "input", "number", "text", "url")
WRITERS: Mapping[str, Callable[[Widget], str]] = {
    f"django/forms/widgets/{kind}.html": write
    for kinds, write in ((_INPUTS, write_input), (("select",), write_select))
    for kind in kinds
}


class FormRenderer(DjangoTemplates):
    """Django's HTML to the letter; other widgets by its templates."""

    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> str:
        write = WRITERS.get(template_name)
        if write is None:
            return super().render(template_name, context, request)
        return mark_safe(write(context["widget"]))
