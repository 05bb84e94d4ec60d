"""Outputs that share memory with an input, or with one another, under torch.compile:
AOTAutograd makes them again by the layout of what a backend returns."""

import pytest
import torch

VIEWS = {
    "half": lambda x: x[x.shape[0] // 2 :],
    "chunk": lambda x: x.chunk(2),
    "tensor_split": lambda x: x.tensor_split(3),
    "flat": lambda x: x.view(-1)[x.shape[1] :],
    "turned": lambda x: x.view(x.shape[0] // 2, 2, x.shape[1]).transpose(0, 1),
    "diagonal": lambda x: x.t()[1:, x.shape[0] // 2],
    "itself": lambda x: (x, x.t(), x * 2),
    "intermediate": lambda x: (x * 2)[x.shape[0] // 2 :],
    "pair": lambda x: (lambda y: (y, y[x.shape[0] // 2 :]))(x * 2),
    "turnedPair": lambda x: (lambda y: (y, y[1:], y.t()[x.shape[0] // 2 :]))(x.t() * 2),
    "halves": lambda x: (x + 1).chunk(2),
    "expanded": lambda x: x[x.shape[0] // 2].expand(3, x.shape[1]),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_are_outputs(name, backend):
    f = torch.compile(VIEWS[name], backend=backend, dynamic=True)
    for rows, columns in (6, 4), (10, 4), (8, 7):
        wide = torch.arange(2.0 * (rows + 2) * columns).reshape(rows + 2, 2 * columns)
        for x in torch.arange(1.0 * rows * columns).reshape(rows, columns), wide[2:, :columns]:
            if name in ("flat",) and not x.is_contiguous():
                continue
            torch.testing.assert_close(f(x), VIEWS[name](x), rtol=0, atol=0)


def test_a_view_shares_the_memory_of_its_input(backend):
    f = torch.compile(lambda x: x[x.shape[0] // 2 :], backend=backend, dynamic=True)
    x = torch.zeros(6, 4)
    y = f(x)
    y.add_(1)
    assert x.sum() == 12


def test_views_of_parts_that_fall_back(backend):
    def two(x):
        y = x.t() * 2
        z = torch.special.airy_ai(y + 1)
        return y[x.shape[1] // 2 :], z[x.shape[1] // 2 :], x[1:], y

    f = torch.compile(two, backend=backend, dynamic=True, options={"fallback": "eager"})
    for rows, columns in (6, 4), (10, 5):
        x = torch.rand(rows, columns)
        torch.testing.assert_close(f(x), two(x))


PARTS = {
    "behind": lambda x: x[:, 5:] * 2,
    "fromEnd": lambda x: x[-(x.shape[0] // 2) :] * 2,
    "farFromEnd": lambda x: x[-2 * x.shape[0] :] * 2,
    "beforeTheStart": lambda x: x[-20:, -20:2] * 2,
    "behindBySize": lambda x: x[:, x.shape[0] :] * 2,
    "bySize": lambda x: x[x.shape[0] // 3 : -1, 1 : x.shape[1] // 2] * 2,
    "steps": lambda x: x[x.shape[0] - 1 :: 2, ::3] * 2,
    "none": lambda x: x[x.shape[0] :] * 2,
    "narrow": lambda x: x.narrow(0, -2, 2) * 2,
    "select": lambda x: x[x.shape[0] - 4] * 2,
    "last": lambda x: x[x.shape[0] - 1] * x[-x.shape[0]],
}


@pytest.mark.parametrize("name", PARTS)
def test_parts(name, backend):
    f = torch.compile(PARTS[name], backend=backend, dynamic=True)
    for rows, columns in (6, 4), (10, 4), (3, 7), (5, 12):
        x = torch.rand(rows, columns)
        torch.testing.assert_close(f(x), PARTS[name](x))


def test_parts_by_numbers(backend):
    f = torch.compile(lambda x, k: x[k:] * 2, backend=backend, dynamic=True)
    x = torch.rand(9, 4)
    for k in 3, 5, -2, -4, 20, -30:
        torch.testing.assert_close(f(x, k), x[k:] * 2)
