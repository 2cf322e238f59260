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

1. pick the best waiting URL whose host may be asked now (`frontier/queue.py`);
2. fetch it through the address guard, robots.txt and redirects, or read it from a record
   (`crawl/polite_fetcher.py`, `networking/`);
3. decode and parse it in one walk: words, links and where their anchors stand (`parsing/`; a large
   page in a process of its own);
4. represent: words become token ids (`representation/`);
5. judge for the strategy: topicality τ and status σ (`crawl/page_reader.py`);
6. learn (`Strategy.learn`; α of the adaptive crawler);
7. score the links from their contexts (`Strategy.score_links`);
8. update the frontier: new URLs, better parents, scope; every N pages the strategy may score
   all of it anew (`Strategy.rescore`);
9. every batch of pages is judged by the committee, measured (`evaluation/`) and handed out to be
   written (`crawl/recording.py`, `events.py`).

Layers import only downwards: crawl → evaluation → intelligence → representation → frontier →
parsing → networking → events → model → checkpoint, drawing, urls, errors;
import-linter keeps it so. Nothing here imports Django, Channels or django-q2.

What triggers work is keyed to page numbers, never to the clock, so that a crawl of a recorded web
repeats exactly, over kills and pauses too: the last checkpoint (`checkpoint.py`), then what was
committed since, applied again by the same code (`crawl/resuming.py`).

A strategy is a file in `intelligence/strategies/`: the core of `base.py`, its hyper-parameters
(`parameters.py`), and what only some can do: explain a score (`explains.py`), learn from labels
(`relearns.py`).

Each module of `crawl/` takes only what it may touch: those that keep requests under way a
`CrawlControl`, a person's change a `Steering`, labels the `Guide` that they replace.

Read in this order: `model.py`, `crawl/loop.py`, `crawl/turns.py`,
`intelligence/strategies/base.py` and one strategy, `frontier/queue.py`, then whatever the
question is about.
"""
