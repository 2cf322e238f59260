"""The first screen of a new owner: the demo crawl, or how far it is with being prepared."""
