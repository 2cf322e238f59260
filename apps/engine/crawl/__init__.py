"""The crawl loop: the only room that knows all layers.

`plan` is what was asked for, `limits` how far the crawl may go and has come, `loop` one crawl put
together. `running` keeps requests under way through a `control`, `polite_fetcher` fetches under
robots.txt and the hosts' delays (`retry_policy`, `outage`), `turns` takes each answer into the
crawl: `page_reader` makes a visit of it, the `guide` judges and scores, `trapping` watches.
`recording` has pages judged and counts them, `batching` closes batches with their `status`.
`steering` changes a crawl while it runs, labels do so through `relearning` (`library`, `rating`,
`link_contexts`), and `resuming` brings one back.
"""
