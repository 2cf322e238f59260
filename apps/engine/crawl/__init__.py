"""The crawl loop: the only room that knows all layers.

`plan` says what was asked for. `loop` is one crawl: what an answer does to it, and its batches;
`running` keeps requests under way for it, `asking` fetches with manners (`manners`, `outage`),
`reading` turns an answer into a visit, `recording` judges and counts, `standing` tells how it
stands. `changes` and `relearning` steer it while it runs, `resuming` brings one back.
"""
