"""Site lists: the sitemaps and feeds in which a site names its pages, one format a file."""
