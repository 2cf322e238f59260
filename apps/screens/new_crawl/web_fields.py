"""The fields for where the pages of a crawl come from."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django import forms

from apps.crawls.sources.catalogue import SOURCES, overs, source_of, sources_for
from apps.crawls.sources.source import Source
from apps.webs.models import Web
from apps.webs.selectors import LIVE


@dataclass(frozen=True, slots=True)
class SourceChoice:
    """A way to get the pages of a recorded web; `refusal` is why the selected web is not
    available in that way now."""

    source: Source
    refusal: str
    is_chosen: bool


class WebFields(forms.Form):
    """The web, and how its pages are got."""

    webs: list[Web]

    web = forms.CharField()
    over = forms.ChoiceField(required=False, choices=lambda: [(o, o) for o in overs()])

    @property
    def chosen_web(self) -> Web | None:
        """The selected recorded web; None for the live Web."""
        return next((web for web in self.webs if str(web.pk) == str(self["web"].value())), None)

    @property
    def source(self) -> Source:
        """Where the pages would come from."""
        web, over = self.chosen_web, self["over"].value()
        return source_of(web, over if over in {each.over for each in sources_for(web)} else None)

    def live_delay(self) -> str:
        """The default pause on the live Web in seconds."""
        return f"{source_of(None).delay:g}"

    def source_choices(self) -> list[SourceChoice]:
        """The ways to get the pages of a recorded web."""
        web, over = self.chosen_web, self.source.over
        return [
            SourceChoice(each, each.refusal(web) if web else "", bool(web) and each.over == over)
            for each in SOURCES
            if not each.is_live
        ]

    def web_choices(self) -> list[tuple[Web, str]]:
        """The recorded webs, each with why some of its sources cannot be had now, as JSON."""
        return [
            (
                web,
                json.dumps(
                    {each.over: why for each in sources_for(web) if (why := each.refusal(web))}
                ),
            )
            for web in self.webs
        ]

    def clean_web(self) -> str:
        value: str = self.cleaned_data["web"]
        if value != LIVE and self.chosen_web is None:
            raise forms.ValidationError("There is no such web. Choose one from the list.")
        return value
