"""Broadloom as a system under test: programs with every extent made `?`."""

import broadloom_sut
import program


class TosaSUTRunner(broadloom_sut.BroadloomRunner):
    suffix = ".dynamic.mlir"

    def rewrite(self, text):
        return program.dynamic(text)
