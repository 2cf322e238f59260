"""The pages of a recorded web: indexed once, searched, and split into a topic's parts."""
