"""The watch of a topic: what is new since one looked, its visits, settings and digests."""
