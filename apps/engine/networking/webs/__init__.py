"""Recorded webs: pages on disk in place of the network, as they are written, read and served."""
