"""How well recall is estimated, on topics whose relevant pages are all labelled."""
