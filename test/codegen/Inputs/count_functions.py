"""Tells of two programs in the LLVM dialect, the same but that the second has 20
operations more, how many functions they have, and which of them are longer in the
second, apart from shape queries: how much longer is its own?"""

import re
import sys


def functions(path):
    lines, name = {}, None
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for line in text.splitlines(True):
        if match := re.match(r"  llvm\.func .*@(\w+)\(.*\{$", line):
            name = match.group(1)
        if name:
            lines[name] = lines.get(name, 0) + 1
        if line == "  }\n":
            name = None
    return lines


def main():
    few, many = functions(sys.argv[1]), functions(sys.argv[2])
    if few.keys() != many.keys():
        sys.exit(f"{sorted(few)}\n{sorted(many)}")
    changed = [name for name in few if few[name] != many[name] and "_shapes_" not in name]
    own = "loom_function_main"
    each = (many[own] - few[own]) / 20
    for kind in "loop", "kernel":
        print(f"{kind}s: {sum(name.startswith(f'loom_{kind}_') for name in few)}")
    print("longer:", " ".join(changed))
    print("operations each:", "few" if each < 300 else each)


main()
