"""A uniform sample of a recorded web."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User

from apps.background_sources.sources.source import (
    DRAWN,
    BackgroundSource,
    Progress,
    Seed,
    Size,
    Text,
)
from apps.background_sources.sources.webs import web_of, web_words
from apps.backgrounds.models import Background
from apps.engine.errors import BadWebFile
from apps.engine.networking.webs import virtual_web
from apps.engine.parsing.document import parse
from apps.figures.quantities import number_of
from apps.schemas.input import Input, Key
from apps.schemas.refused import Refused
from apps.topics.sampling import sampling_key
from apps.webs.opening import open_web


class WebSampleOptions(Input):
    """`size` pages of the recorded web `web`, drawn by `seed`."""

    web: Key
    size: Size = DRAWN
    seed: Seed = 1


def _check(owner: User, options: WebSampleOptions) -> None:
    if web_of(owner, options.web) is None:
        raise Refused("web", "Choose a recorded web.")


def _gather(
    background: Background, options: WebSampleOptions, progress: Progress
) -> Iterator[Text]:
    row = web_of(background.owner, options.web)
    if row is None:
        raise BadWebFile("the web is not here any more")
    web = open_web(row)
    drawn = sorted(web.urls(), key=lambda url: sampling_key(options.seed, url))[: options.size]
    for done, url in enumerate(drawn, 1):
        answer = virtual_web.read(web, url)
        if not answer.failure:
            document = parse(answer)
            yield Text(document.words[: document.visible], (url, answer.final_url))
        progress(done, len(drawn))


def _made_of(background: Background, options: WebSampleOptions, texts: int) -> str:
    return f"{number_of(texts, 'page')} of {web_words(options.web)}, drawn evenly"


WEB_SAMPLE = BackgroundSource(
    id="web",
    title="Sample of a recorded web",
    sentence="Pages of a recorded web, drawn evenly; the same ones for the same random seed.",
    options=WebSampleOptions,
    check=_check,
    gather=_gather,
    made_of=_made_of,
    name=lambda owner, options: web_words(options.web),
)
