"""The crawl loop: the only package that imports all layers.

`plan` holds the settings of a crawl, `limits` its budget and counts; `loop` assembles one crawl.
`running` keeps requests in flight through a `control`. `fetching` obeys robots.txt and the hosts'
delays, decides what is tried again, and renders pages. `turns` processes each answer: `page_reader`
turns it into a visit, the `guide` judges and scores it, `trapping` detects spider traps.
`recording` has pages judged and counts them, `batching` closes batches with their `status`.
`steering` changes a running crawl, `retraining` has it learn from labels by `relearning`,
`checkpointing` writes its state, and `resuming` brings it back from that and its records.
"""
