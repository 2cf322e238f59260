"""The models of crawls and their records.

Rows of one crawl are written by one runner at a time; a batch is one transaction, fenced by
(`runner`, `epoch`). Fields named `number` count discovered URLs from 0; `request` counts requests
in the order they were applied, from 1; `seq` counts pages (t of the papers), from 1.
"""

from __future__ import annotations

from apps.crawls.models.crawl import Crawl
from apps.crawls.models.fences import Fence, HostFence
from apps.crawls.models.frontier import FrontierEntry, HostRecord, Outlinks
from apps.crawls.models.history import Change, Event, Sample
from apps.crawls.models.inputs import FrozenInputs, RevisitPlan
from apps.crawls.models.labels import Label, LabelRecount, Settlement
from apps.crawls.models.opt_outs import SiteFile, SiteFileClaim, SiteOptOut
from apps.crawls.models.pages import FailedRequest, KeptText, Page, UnsealedPages, WordsToErase
from apps.crawls.models.permissions import CertificatePermission
from apps.crawls.models.recordings import Recording
from apps.crawls.models.requests import HostRequest, RobotsVersion

__all__ = [
    "CertificatePermission",
    "Change",
    "Crawl",
    "Event",
    "FailedRequest",
    "Fence",
    "FrontierEntry",
    "FrozenInputs",
    "HostFence",
    "HostRecord",
    "HostRequest",
    "KeptText",
    "Label",
    "LabelRecount",
    "Outlinks",
    "Page",
    "Recording",
    "RevisitPlan",
    "RobotsVersion",
    "Sample",
    "Settlement",
    "SiteFile",
    "SiteFileClaim",
    "SiteOptOut",
    "UnsealedPages",
    "WordsToErase",
]
