"""Pages that are alike: similar texts by their vectors, and the same page in several crawls."""
