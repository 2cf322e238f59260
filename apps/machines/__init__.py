"""The machines that work for the site: agents that they lend, and how crawls meet them."""
