"""The parts of bench/README.md that the programs here write."""

import os
import sys

PATH = os.path.join(os.path.dirname(os.path.realpath(__file__)), "README.md")


def replace(marker, lines):
    """Writes the lines between the marks `<!-- marker: begin -->` and `end`."""
    begin, end = f"<!-- {marker}: begin -->", f"<!-- {marker}: end -->"
    with open(PATH, encoding="utf-8") as file:
        text = file.read()
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"bench/README.md must have '{begin}' and '{end}' once each")
    head, rest = text.split(begin)
    text = head + begin + "\n" + "\n".join(lines).strip("\n") + "\n" + end + rest.split(end)[1]
    with open(PATH, "w", encoding="utf-8") as file:
        file.write(text)
