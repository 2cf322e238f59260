"""The engine: topical crawling without a web framework.

    ┌────────────────────────────────── crawl/ ──────────────────────────────────┐
    │                                                                            │
    │   topic ──▶ intelligence/ ──── scores ───▶ frontier/ ◀── scope, parents    │
    │               ▲      │  ▲                     │                            │
    │               │      │  └── rescore ──────────┤ 1 pick                     │
    │    4 represent│      │ 6 learn                ▼                            │
    │               │      │              networking/  2 fetch ◀── robots, guard │
    │        representation/                         │         ◀── page store    │
    │               ▲                                ▼                           │
    │               └──────── words ──────── parsing/  3 parse, link contexts    │
    │                                                                            │
    │   9 evaluation/ (the committee judges, never the strategy) ──▶ batches     │
    └────────────────────────────────────────────────────────────────────────────┘
                                                                       │
                                                   apps/crawls/running/runner writes rows

One turn of the loop (`crawl/turns.py`; `crawl/loop.py` puts a crawl together):

1. pick the best waiting URL of a free host (`frontier/queue.py`);
2. fetch it through the address guard, robots.txt and redirects, or read it from a recorded web
   (`crawl/fetching/polite_fetcher.py`, `networking/`);
3. decode and parse it in one pass: words, links, positions of anchors (`parsing/`; a large page in
   a separate process);
4. represent: words become token ids (`representation/`);
5. judge for the strategy: topicality τ and status σ (`crawl/page_reader.py`);
6. learn (`Strategy.learn`; α of the adaptive crawler);
7. score the links from their contexts (`Strategy.score_links`);
8. update the frontier: new URLs, better parents, scope; every N pages the strategy may re-score
   all of it (`Strategy.rescore`);
9. every batch of pages is judged by the committee, measured (`evaluation/`) and handed out to be
   stored (`crawl/recording.py`, `events.py`).

Over HTTP, agents may do steps 2 and 3 in other processes (`agents/`), except what decides whether
and when a URL is requested.

Layers import only downwards, which import-linter enforces: crawl → evaluation → intelligence →
representation → replays → agents → frontier → parsing → networking → events → answers → model →
codes, checkpoint, curve_spec, urls, errors, garbage, kernel. Nothing here imports Django, Channels
or django-q2.

For experiments a recorded web is parsed once and read from columns on disk (`replays/`); such a
crawl equals any other crawl of that web, bit for bit.

Periodic work is triggered by page numbers, never by the clock, so that a crawl of a recorded web is
reproducible, even over kills and pauses. To resume, a crawl loads its last checkpoint
(`checkpoint.py`) and applies what was committed since with the same code (`crawl/resuming.py`).

A strategy is a file in `intelligence/strategies/`. It has the core of `base.py` and
hyper-parameters (`parameters.py`); some can also explain a score (`explains.py`) or learn from
labels (`relearns.py`).

Each module of `crawl/` takes only the part of a crawl that it needs: the request loops a
`CrawlControl`, a person's change a `Steering`, labels the `Guide` that they replace.

Read in this order: `model.py`, `crawl/loop.py`, `crawl/turns.py`,
`intelligence/strategies/base.py` and one strategy, `frontier/queue.py`, then the module that your
question is about.
"""
