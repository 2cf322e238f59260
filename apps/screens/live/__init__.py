"""The live page of a crawl.

`live_state` reads the rows at one moment, `payloads` makes messages of them, and `feed` sends these
to every open page (`consumers`).
"""
