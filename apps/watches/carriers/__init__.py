"""How digests reach people: one file a carrier, listed in `catalogue`."""
