"""The API: everything that the screens do, one file for each resource, in folders by subject; what
all share stands beside them, uploads too, which are of webs, labels and directories."""
