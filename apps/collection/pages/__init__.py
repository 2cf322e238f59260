"""One page of a collection: all its details, its links and its versions."""
