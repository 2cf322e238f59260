"""Status of the fetched pages at equal topicality."""
