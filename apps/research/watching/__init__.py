"""A month of a watch over a made web that changes, in simulated time: what it sees and costs."""
