"""A crawl by Scrapy, and its CPU a page: as `scrapy` with its default settings and link extractor,
as `scrapy_tuned` with what people change where a page's CPU matters. See `others`."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from twisted.internet.endpoints import HostnameEndpoint, TCP4ClientEndpoint

AT_ONCE = 16
TUNED = {
    "REQUEST_FINGERPRINTER_CLASS": f"{__name__}.AddressFingerprinter",
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    "REFERER_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "DOWNLOADER_STATS": False,
    "DEPTH_STATS_VERBOSE": False,
    "LOG_ENABLED": False,
    "SPIDER_MIDDLEWARES_BASE": {},
    "EXTENSIONS_BASE": {
        "scrapy.extensions.closespider.CloseSpider": 0,
        "scrapy.extensions.feedexport.FeedExporter": 0,
    },
    "DOWNLOADER_MIDDLEWARES_BASE": {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": 100,
        "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": 400,
        "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": 500,
        "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": 600,
        "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": 590,
    },
}


class PageSpider(Spider):
    """Follows every link; `cpu` is the CPU time of the process at each page."""

    name = "pages"
    links = LinkExtractor()
    cpu: list[float] = []

    def parse(self, response: Any) -> Iterator[Any]:
        self.cpu.append(time.process_time())
        links = self.read_links(response)
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "text": response.xpath("string(//body)").get(),
            "links": links,
        }
        for link in links:
            yield Request(link)

    def read_links(self, response: Any) -> list[str]:
        return [link.url for link in self.links.extract_links(response)]


class TunedSpider(PageSpider):
    """Reads links without the link extractor."""

    def read_links(self, response: Any) -> list[str]:
        links = response.xpath("//a/@href").getall()
        return [*dict.fromkeys(response.urljoin(link) for link in links)]


class AddressFingerprinter:
    """A request's fingerprint without making its address canonical."""

    def fingerprint(self, request: Any) -> bytes:
        return hashlib.sha1(request.url.encode(), usedforsecurity=False).digest()


SPIDERS = {"scrapy": PageSpider, "scrapy_tuned": TunedSpider}


def main(port: int, pages: int, folder: str, name: str, urls: list[str]) -> None:
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
            "CLOSESPIDER_ITEMCOUNT": pages,
            "FEEDS": {f"{folder}/{name}.jsonl": {"format": "jsonlines"}},
            **(TUNED if SPIDERS[name] is TunedSpider else {}),
        }
    )
    process.crawl(SPIDERS[name], start_urls=urls)
    process.start()
    cpu = PageSpider.cpu
    first = len(cpu) // 5
    a_page = (cpu[-1] - cpu[first]) / (len(cpu) - 1 - first) * 1e6
    print(json.dumps({"pages": len(cpu), "cpu": a_page}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5:])
