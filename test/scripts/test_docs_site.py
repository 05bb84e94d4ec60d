"""The site of scripts/docs has the one table of contents, docs/README.md."""

import glob
import os
import re

import pytest

TOCTREE = re.compile(r"```\{toctree\}\n(?::.*\n)+\n((?:.+\n)*)```")


@pytest.fixture
def docs(load):
    return load("docs")


@pytest.fixture
def page(docs):
    return docs.index_page()


def listed(page):
    return [entry for tree in TOCTREE.findall(page) for entry in tree.split()]


def test_each_page_is_listed_once(docs, page):
    """A decision is in the list of decisions. The table itself is the first page."""
    entries = listed(page)
    assert len(entries) == len(set(entries))
    wanted = set(docs.pages()) - {docs.CONTENTS}
    wanted -= {path for path in wanted if re.fullmatch(r"docs/decisions/(\d|D).*", path)}
    wanted |= {
        os.path.relpath(path, docs.ROOT) for path in glob.glob(os.path.join(docs.ROOT, "docs/notebooks/*.ipynb"))
    }
    wanted |= {"reference/commands.md", "reference/python.md", "reference/passes.md"}
    assert set(entries) == wanted


def test_links_are_from_the_root(docs, page):
    for link in re.findall(r"\]\(([^)]+)\)", page):
        assert os.path.exists(os.path.join(docs.ROOT, link)) or link.startswith("reference/"), link


def test_sections(docs):
    contents = (
        "# Title\n\nwords, [a link](e.md)\n\n## One\n\n* [a](a.md#part): a\n* [b](../b/c.md), [web](https://x.org/)\n\n"
        "## Two\n\n[a](a.md) [d](d.md)\n"
    )
    assert [(heading, links) for heading, _, links in docs.sections(contents)] == [
        ("One", ["docs/a.md", "b/c.md"]),
        ("Two", ["docs/d.md"]),
    ]
