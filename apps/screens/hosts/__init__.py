"""The hosts of a topic: the list, decisions, and their network."""
