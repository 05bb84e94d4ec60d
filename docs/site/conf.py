"""Sphinx's settings for the documentation site (scripts/docs)."""

import re

project = "Broadloom"
copyright = "the Broadloom authors"  # The name is Sphinx's.
extensions = ["myst_nb", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = "Broadloom"
html_static_path = []
root_doc = "index"
exclude_patterns = ["build", "**/.ipynb_checkpoints"]

myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# Blocks of programs, TableGen and printed text have no lexer that knows all of
# what is in them.
suppress_warnings = ["misc.highlighting_failure"]


def to_restructured(docstring):
    """Lines of a docstring as this project writes them (`name: what it is` for
    parameters, programs indented) as reStructuredText."""
    made, in_parameter, in_program = [], False, False
    for line in docstring:
        indented = line.startswith("    ")
        if not indented and line.strip():
            in_program = False
        parameter = None if in_program else re.match(r"(\w+): (.*)", line)
        if parameter:
            if not in_parameter:
                made.append("")
            in_parameter = True
            line = f"* **{parameter[1]}**: {parameter[2]}"
        elif in_parameter and indented:
            line = "  " + line.strip()
        elif line.strip():
            if in_parameter and made[-1]:
                made.append("")
            in_parameter = False
            if indented and not in_program:
                made += ["::", ""]
                in_program = True
        made.append(line if in_program else re.sub(r"`([^`]+)`", r"``\1``", line))
    return made


def setup(app):
    from pygments.lexers.special import TextLexer
    from sphinx.highlighting import lexers

    for name in ("mlir", "tablegen", "output"):
        lexers[name] = TextLexer()

    def rewrite(app, what, name, obj, options, lines):
        lines[:] = to_restructured(list(lines))

    app.connect("autodoc-process-docstring", rewrite)
    return {"parallel_read_safe": True}
