"""Broadloom as a system under test: programs with every extent made `?`."""

import broadloom_sut
import files


class TosaSUTRunner(broadloom_sut.BroadloomRunner):
    def prepare(self, path):
        opened = path.with_suffix(".dynamic.tosa")
        opened.write_bytes(files.dynamic(path.read_bytes()))
        return opened
