"""What the authors measure for themselves: how well the strategies do, what a page costs, and the
pages of `docs/` that report both. It imports the product; nothing imports it."""
