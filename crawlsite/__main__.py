"""`python -m crawlsite`: the command `crawlsite`."""

import sys

from crawlsite.command_line import main

if __name__ == "__main__":
    sys.argv[0] = "crawlsite"
    main()
