"""Functions over memory, for the tests of what their loops compute."""

import broadloom as bl


def compiled(arguments, body, more=""):
    """The function that `body` is, beside those of `more`."""
    return bl.compile(f"{more}func.func @main({arguments}) {{\n{body}\nreturn\n}}\n", "main")
