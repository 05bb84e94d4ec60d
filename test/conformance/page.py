"""docs/conformance.md, from the rows of a run."""

from collections import Counter

import verdicts

HEAD = """\
# The official TOSA tests

This page is made by `scripts/conformance --all --write`.

The suite is what the official generator makes: `tosa_verif_conformance_generator
{request}`. Broadloom reads each test's own TOSA file. The official reference model
gives the expected results, and the official checker compares. A correct program
runs twice: as it comes, and with every extent made `?` but for constants and what
must have one element. A wrong program must be rejected with an error that names the
rule it breaks, in the words that `test/conformance/rules.py` lists.

{tests} tests, {runs} runs, {passed} of them passed; {minutes} minutes.

| operation | correct programs | pass as they come | pass with every extent `?` | wrong programs | rejected by name |
|---|---|---|---|---|---|
"""

REST = """
## What does not pass

| runs | form | operation | what becomes of it | for example |
|---|---|---|---|---|
"""


def text(rows, seconds, request, of):
    """The page; `of` says of which part of the suite the rows are, where it is a part."""
    passed = Counter()
    total = Counter()
    for row in rows:
        key = (row["operation"], row["negative"], row["form"])
        total[key] += 1
        passed[key] += row["outcome"] == verdicts.PASSED
    names = {row["name"] for row in rows}
    page = HEAD.format(
        request=" ".join(request),
        tests=len(names),
        runs=len(rows),
        passed=sum(passed.values()),
        minutes=round(seconds / 60),
    )
    if of:
        page = page.replace(" minutes.\n", f" minutes. {of}\n")
    for operation in sorted({row["operation"] for row in rows}):
        static, opened, wrong = (
            (operation, False, "static"),
            (operation, False, "dynamic"),
            (operation, True, "static"),
        )
        page += (
            f"| {operation} | {total[static]} | {passed[static]} | {passed[opened]} | {total[wrong]} "
            f"| {passed[wrong]} |\n"
        )
    failed = {}
    for row in rows:
        if row["outcome"] != verdicts.PASSED:
            failed.setdefault((row["form"], row["operation"], row["outcome"]), []).append(row["name"])
    if failed:
        page += REST
        for (form, operation, outcome), names in sorted(failed.items(), key=lambda item: -len(item[1])):
            page += f"| {len(names)} | {form} | {operation} | {outcome} | `{names[0].split('/')[-1]}` |\n"
    return page
