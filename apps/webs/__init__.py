"""The webs that crawls fetch from: the live Web, recorded webs, and those served on loopback."""
