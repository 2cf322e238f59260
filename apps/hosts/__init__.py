"""The hosts of a topic: counted over all its crawls, decided on, linked to each other."""
