"""The webs that crawls fetch from: the live Web, recorded ones, and those served on loopback."""
