"""A crawl by Scrapy with its default settings, and its CPU a page.

A program of its own, for the interpreter that has Scrapy: `scrapy_crawl.py PORT PAGES FILE URL…`.
From those URLs it crawls a web that is served on that port of 127.0.0.1, follows every link, and
writes title, text and links of each page as a line of JSON. Prints the pages and the microseconds
of CPU a page, without the start and the first fifth.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

from scrapy import Spider
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from twisted.internet.endpoints import HostnameEndpoint, TCP4ClientEndpoint

AT_ONCE = 16


class PageSpider(Spider):
    """Follows every link; `cpu` is the CPU time of the process at each page."""

    name = "pages"
    links = LinkExtractor()
    cpu: list[float] = []

    def parse(self, response: Any) -> Iterator[Any]:
        self.cpu.append(time.process_time())
        links = self.links.extract_links(response)
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "text": response.xpath("string(//body)").get(),
            "links": [link.url for link in links],
        }
        for link in links:
            yield response.follow(link)


def main(port: int, pages: int, file: str, urls: list[str]) -> None:
    def connect(endpoint: Any, factory: Any) -> Any:
        return TCP4ClientEndpoint(endpoint._reactor, "127.0.0.1", port).connect(factory)

    # Scrapy has no setting for the address that host names lead to.
    HostnameEndpoint.connect = connect  # type: ignore[method-assign,assignment]
    process = CrawlerProcess(
        {
            "LOG_LEVEL": "ERROR",
            "ROBOTSTXT_OBEY": True,
            "CONCURRENT_REQUESTS": AT_ONCE,
            "DOWNLOAD_DELAY": 0,
            "CLOSESPIDER_PAGECOUNT": pages,
            "FEEDS": {file: {"format": "jsonlines"}},
        }
    )
    process.crawl(PageSpider, start_urls=urls)
    process.start()
    cpu = PageSpider.cpu
    first = len(cpu) // 5
    a_page = (cpu[-1] - cpu[first]) / (len(cpu) - 1 - first) * 1e6
    print(json.dumps({"pages": len(cpu), "cpu": a_page}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:])
