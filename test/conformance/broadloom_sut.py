"""Broadloom as a system under test of `tosa_verif_run_tests`: programs as they come.

Module argument: the path of `broadloom`. The official runner makes the
reference results, calls this, and compares.
"""

import subprocess

from runner.tosa_test_runner import TosaTestRunner

LIMIT_S = 120


class BroadloomRunner(TosaTestRunner):
    """Runs the test's program, after `prepare`, on its input files."""

    def prepare(self, path):
        """The file to run for the test's TOSA file."""
        return path

    def runTestGraph(self):
        Result = TosaTestRunner.TosaGraphResult
        description = self.testDesc
        path = self.prepare(self.testDirPath / description["tosa_file"])
        command = [self.runnerArgs[0], "run", str(path), "--threads=1"]
        command += [f"--input={self.testDirPath / name}" for name in description["ifm_file"]]
        command += [f"--output={self.testDirPath / name}" for name in description["ofm_file"]]
        try:
            done = subprocess.run(command, capture_output=True, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return Result.OTHER_ERROR, f"still running after {LIMIT_S} s: {' '.join(command)}"
        if done.returncode == 0:
            return Result.TOSA_VALID, None
        message = f"exit status {done.returncode}: {done.stderr.decode(errors='replace').strip()}"
        refused = done.returncode in (1, 3)
        return Result.TOSA_ERROR if refused else Result.OTHER_ERROR, message


class TosaSUTRunner(BroadloomRunner):
    pass
