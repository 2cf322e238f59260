"""The live page of a crawl.

`live_state` reads the rows at one moment, `payloads` makes messages of them, `feed` sends these to
every open page (`consumers`); `charts` says what is drawn.
"""
