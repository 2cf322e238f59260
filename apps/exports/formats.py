"""Every format a collection can be downloaded in, by id, in the order of the menus."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.text import slugify

from apps.crawls.models import Crawl
from apps.exports.csv import CSV
from apps.exports.excel import EXCEL
from apps.exports.format import Format
from apps.exports.gexf import GEXF
from apps.exports.jsonl import JSONL
from apps.exports.parquet import PARQUET
from apps.exports.queue import QUEUE
from apps.exports.references import BIBTEX, RIS
from apps.exports.wacz import WACZ
from apps.exports.warc import WARC
from apps.topics.models import Topic

FORMATS: Mapping[str, Format] = {
    format.id: format
    for format in (EXCEL, CSV, JSONL, PARQUET, WACZ, WARC, GEXF, BIBTEX, RIS, QUEUE)
}


def crawl_file_name(crawl: Crawl, extension: str) -> str:
    """`crawl-7-seagrass-restoration.csv`, in ASCII letters."""
    return _file_name(f"crawl-{crawl.pk}", crawl.topic, extension)


def topic_file_name(topic: Topic, extension: str) -> str:
    """`collection-3-seagrass-restoration.csv`, in ASCII letters."""
    return _file_name(f"collection-{topic.pk}", topic, extension)


def _file_name(first: str, topic: Topic, extension: str) -> str:
    words = slugify(topic.name)[:60].strip("-")
    return f"{first}{'-' if words else ''}{words}.{extension}"
