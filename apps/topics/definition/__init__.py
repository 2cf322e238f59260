"""The words and lists that make a topic, typed, read from files or from a directory."""
