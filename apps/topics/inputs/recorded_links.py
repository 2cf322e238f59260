"""The links of a topic's recorded web, as a row among its lists."""

from __future__ import annotations

from dataclasses import dataclass

from apps.topics.inputs.input_list import InputList, InputRow
from apps.topics.models import InputPage, Topic
from apps.webs.links import is_counted


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedLinks(InputList):
    """Nothing can be added to it: the web is scanned instead."""

    def row(self, topic: Topic) -> InputRow | None:
        web = topic.recorded_web
        if web is None:
            return None
        if not is_counted(web):
            pages = f"{web.pages:,} pages" if web.pages else "its pages"
            sentence = f"{web.name} has not been read through: {pages}."
            return InputRow(self, (sentence,), "quiet", scannable=True)
        linking = topic.input_pages.filter(origin=InputPage.Origin.FOUND).count()
        sentence = f"{web.name}: links counted; {linking:,} pages found that link to examples."
        return InputRow(self, (sentence,), "ok", scannable=True)
