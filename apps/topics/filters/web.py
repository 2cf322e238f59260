"""The filter by the web of a topic's pages."""

from __future__ import annotations

from apps.search.filter import Field
from apps.search.list_filters import WordValues


class TopicWeb(WordValues):
    """Filters by the name of the web that a topic's pages are read from; `live web` for the live
    Web."""

    id = "web"
    title = "Web"
    sentence = "The web that the topic’s pages are read from."
    unknown = "is not a web"
    fields = (Field("web", "Names of webs; live web for the live Web."),)
    example = "web=live+web"
    column = "web_name"


WEB = TopicWeb()
