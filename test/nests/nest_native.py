"""Writes kernels in C and in Fortran, as a library that has `run(n, memories…)`."""

import subprocess

from nest_program import Branch, Constant, FromIndex, Load, Loop, Name, Number, Product, Sum

C_FLAGS = ("-O3", "-march=native", "-ffp-contract=off")
FORTRAN_FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-fcheck=bounds", "-ffree-line-length-none")
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def number(form):
    """Kernels have no quotients."""
    if isinstance(form, Number):
        return f"({form.value})"
    if isinstance(form, Name):
        return form.name
    assert isinstance(form, Sum | Product)
    return f"({number(form.left)} {'+' if isinstance(form, Sum) else '*'} {number(form.right)})"


class C:
    """Row-major memories that do not overlap."""

    compiler = ("clang-22", *C_FLAGS)
    ending = "c"

    def text(self, function):
        extent = function.memories[0].extents[0]
        memories = ", ".join(
            f"double (*restrict {m.name}){'[n]' * (len(m.extents) - 1)}"
            if len(m.extents) > 1
            else f"double *restrict {m.name}"
            for m in function.memories
        )
        head = f"#define n {extent}L\n" if extent else ""
        size = "long given" if extent else "long n"
        return f"#include <math.h>\n{head}void run({size}, {memories}) {{\n{self.block(function.body)}}}\n"

    def block(self, body):
        return "".join(map(self.statement, body))

    def statement(self, node):
        assert not isinstance(node, Branch)
        if not isinstance(node, Loop):
            return f"{self.element(node)} = {self.value(node.value)};\n"
        (lower,), (upper,), i = node.lowers, node.uppers, node.variable
        return f"for (long {i} = {number(lower)}; {i} < {number(upper)}; ++{i}) {{\n{self.block(node.body)}}}\n"

    def element(self, node):
        return node.memory + "".join(f"[{number(s)}]" for s in node.subscripts)

    def value(self, node):
        if isinstance(node, Constant):
            return self.constant(node.value)
        if isinstance(node, FromIndex):
            return self.from_index(node.index)
        if isinstance(node, Load):
            return self.element(node)
        operands = [self.value(o) for o in node.operands]
        if node.name in SIGNS:
            return f"({operands[0]} {SIGNS[node.name]} {operands[1]})"
        return self.function(node.name, operands)

    def constant(self, value):
        return repr(float(value))

    def from_index(self, form):
        return f"(double){number(form)}"

    def function(self, name, operands):
        if name == "sqrt":
            return f"sqrt({operands[0]})"
        if name == "least":
            return "({0} < {1} ? {0} : {1})".format(*operands)
        return "({0} > {2} ? {3} : {1})".format(*operands)


class Polly(C):
    """The same by LLVM's polyhedral optimiser."""

    compiler = (*C.compiler, "-mllvm", "-polly")


class Fortran(C):
    """Memories with their axes the other way round, so that they lie as in C. Each index is checked."""

    compiler = ("gfortran", *FORTRAN_FLAGS)
    ending = "f90"

    def text(self, function):
        names = [m.name for m in function.memories]
        extent = function.memories[0].extents[0]
        size = ["integer(c_long), value :: given", f"integer(c_long), parameter :: n = {extent}"]
        lines = [
            f"subroutine run({'given' if extent else 'n'}, {', '.join(names)}) bind(c)",
            "use iso_c_binding",
            "implicit none",
        ]
        lines += size if extent else ["integer(c_long), value :: n"]
        lines += [f"real(c_double) :: {m.name}({', '.join(['0:n-1'] * len(m.extents))})" for m in function.memories]
        variables = dict.fromkeys(self.variables(function.body))
        lines.append(f"integer(c_long) :: {', '.join(variables)}")
        return "\n".join(lines) + "\n" + self.block(function.body) + "end subroutine\n"

    def variables(self, body):
        for node in body:
            if isinstance(node, Loop):
                yield node.variable
                yield from self.variables(node.body)

    def statement(self, node):
        if not isinstance(node, Loop):
            return f"{self.element(node)} = {self.value(node.value)}\n"
        (lower,), (upper,), i = node.lowers, node.uppers, node.variable
        return f"do {i} = {number(lower)}, {number(upper)} - 1\n{self.block(node.body)}end do\n"

    def element(self, node):
        return f"{node.memory}({', '.join(number(s) for s in reversed(node.subscripts))})"

    def constant(self, value):
        return f"{float(value)!r}d0"

    def from_index(self, form):
        return f"real({number(form)}, c_double)"

    def function(self, name, operands):
        if name == "sqrt":
            return f"sqrt({operands[0]})"
        if name == "least":
            return "merge({0}, {1}, {0} < {1})".format(*operands)
        return "merge({3}, {1}, {0} > {2})".format(*operands)


def library(language, function, folder, name):
    """The path of the library."""
    source, made = folder / f"{name}.{language.ending}", folder / f"{name}.{language.ending}.so"
    source.write_text(language.text(function))
    subprocess.run([*language.compiler, "-shared", "-fPIC", source, "-o", made], check=True)
    return made
