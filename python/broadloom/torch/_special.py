"""Special functions of ATen, element by element."""

from __future__ import annotations

import functools
from collections.abc import Callable

from .. import _program as program
from .._program import Value
from .._tensors import _bessel, _special
from .._tensors._tensor import Tensor
from ._context import Context, Factor, Unsupported, elementwise, operation


def _enter(function: Callable[..., Value], *names: str) -> None:
    """Enters a function of one operand."""

    @operation(*(f"{name}.default" for name in names))
    def rule(c: Context, x: Tensor) -> Tensor:
        element = c.element
        return elementwise(c, lambda x: program.cast(function(x), element), x, element=element)


_enter(_special.lgamma, "lgamma", "special_gammaln")
_enter(_special.digamma, "digamma", "special_digamma", "special_psi")
_enter(_special.erfc, "erfc", "special_erfc")
_enter(_special.erfcx, "special_erfcx")
_enter(_special.erfinv, "erfinv", "special_erfinv")
_enter(_special.ndtr, "special_ndtr")
_enter(_special.ndtri, "special_ndtri")
_enter(_special.log_ndtr, "special_log_ndtr")
_enter(_bessel.spherical_bessel_j0, "special_spherical_bessel_j0")
for _name, _function in _bessel.BESSEL.items():
    _enter(_function, *([_name] if _name == "i0" else []), f"special_{_name}")


@operation("polygamma.default", "special_polygamma.default")
def _polygamma(c: Context, n: int, x: Tensor) -> Tensor:
    if not 0 <= n <= 20:
        raise Unsupported(f"polygamma of order {n}; the orders are from 0 to 20")
    return elementwise(c, functools.partial(_special.polygamma, n), x, element=c.element)


@operation("mvlgamma.default", "special_multigammaln.default")
def _mvlgamma(c: Context, x: Tensor, p: int) -> Tensor:
    def code(x: Value) -> Value:
        found = _special.lgamma(x)
        for j in range(1, p):
            found = program.add(found, _special.lgamma(program.subtract(x, j / 2)))
        return program.add(found, p * (p - 1) / 4 * 1.1447298858494002)

    return elementwise(c, _special.in_wide(code), x, element=c.element)


@operation("special_zeta.default", "special_zeta.self_scalar", "special_zeta.other_scalar")
def _zeta(c: Context, s: Factor, q: Factor) -> Tensor:
    values = [v if isinstance(v, Tensor) else c.tensor(float(v)) for v in (s, q)]  # type: ignore[arg-type]
    return elementwise(c, _special.zeta, *values, element=c.element)


@operation("nextafter.default")
def _nextafter(c: Context, x: Tensor, y: Tensor) -> Tensor:
    return elementwise(c, program.nextafter, x, y, element=c.element)


def _enter_polynomial(name: str) -> None:
    @operation(f"special_{name}.n_scalar")
    def rule(c: Context, x: Tensor, n: int) -> Tensor:
        if not isinstance(n, int) or n > 64:
            raise Unsupported(f"a polynomial of degree {n}; degrees are numbers up to 64")
        return elementwise(c, functools.partial(_special.polynomial, name, n), x, element=c.element)


for _name in _special.POLYNOMIALS:
    _enter_polynomial(_name)
