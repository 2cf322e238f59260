"""What a topic's crawls have asked of a host, took from it, and by which rules."""
