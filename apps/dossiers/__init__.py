"""The requests that a topic's crawls sent to a host, the pages they took, and the rules they
followed."""
