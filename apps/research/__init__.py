"""The authors' own measurements: how well the strategies do, the cost of a page, and the pages of
`docs/` that report both. It imports the product; nothing imports it."""
