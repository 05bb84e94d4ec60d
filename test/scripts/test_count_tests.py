"""scripts/count-tests counts each test once, and a program that died."""

CASE = '<testcase classname="c" name="{}"{}>{}</testcase>'


def report(folder, name, *cases):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("<testsuite>" + "".join(cases) + "</testsuite>")


def outcomes(load, folder):
    return sorted(result for _, result in load("count-tests").count(str(folder)))


def test_all_kinds(load, tmp_path):
    report(tmp_path, "lit.xml", CASE.format("a", "", ""), CASE.format("b", "", "<skipped/>"))
    report(tmp_path, "e2e.xml", CASE.format("a", "", "<failure/>"), CASE.format("b", "", "<error/>"))
    assert outcomes(load, tmp_path) == ["failed", "failed", "passed", "skipped"]


def test_programs_count_their_cases(load, tmp_path):
    report(tmp_path, "ctest.xml", CASE.format("ShapeTest", ' status="run"', ""))
    report(tmp_path, "unit/ShapeTest.xml", *(CASE.format(n, ' status="run"', "") for n in "abc"))
    assert outcomes(load, tmp_path) == ["passed"] * 3


def test_tests_with_assertions_count_as_well(load, tmp_path, capsys):
    report(tmp_path, "lit.xml", CASE.format("a", "", ""))
    (tmp_path / "checked").mkdir()
    report(tmp_path, "checked/lit.xml", CASE.format("a", "", "<failure/>"))
    report(tmp_path, "checked/ctest.xml", CASE.format("ShapeTest", ' status="run"', ""))
    report(tmp_path, "checked/unit/ShapeTest.xml", *(CASE.format(n, ' status="run"', "") for n in "ab"))
    assert load("count-tests").main([str(tmp_path)]) == 1
    assert capsys.readouterr().out == "failed: checked: a.a\n3 passed, 1 failed\n".replace("a.a", "c.a")


def test_a_program_that_died(load, tmp_path):
    report(
        tmp_path,
        "ctest.xml",
        CASE.format("A", ' status="fail"', "<failure/>"),
        CASE.format("B", ' status="fail"', "<failure/>"),
    )
    report(tmp_path, "unit/A.xml", CASE.format("a", ' status="run"', ""))
    assert outcomes(load, tmp_path) == ["failed", "failed", "passed"]


def test_a_failed_case_counts_once(load, tmp_path):
    report(tmp_path, "ctest.xml", CASE.format("A", ' status="fail"', "<failure/>"))
    report(tmp_path, "unit/A.xml", CASE.format("a", ' status="run"', "<failure/>"))
    assert outcomes(load, tmp_path) == ["failed"]


def test_broken_report(load, tmp_path):
    (tmp_path / "e2e.xml").write_text("<testsuite>")
    assert outcomes(load, tmp_path) == ["failed"]


def test_nothing_ran_is_no_success(load, tmp_path, capsys):
    assert load("count-tests").main([str(tmp_path)]) == 1
    assert capsys.readouterr().out == "0 passed, 0 failed\n"


def test_what_fuzzers_tried_is_in_the_closing_line(load, tmp_path, capsys):
    tried = "<properties><property name='tried' value='{}'/></properties>"
    report(tmp_path, "fuzz-a.xml", tried.format("12 calls of 3 programs"), CASE.format("a", "", ""))
    report(tmp_path, "fuzz-b.xml", tried.format("7 inputs"), CASE.format("b", "", ""))
    assert load("count-tests").main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed (tried: 12 calls of 3 programs, 7 inputs)\n"
