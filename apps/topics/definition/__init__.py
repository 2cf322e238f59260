"""The definition of a topic: typed, read from files or made from a directory."""
