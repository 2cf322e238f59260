"""Background jobs, and the state of the running site in the data folder."""
