"""The user's names in the messages of PyTorch's programs."""

import pytest
from broadloom.torch._names import Names

NAMES = Names({"s7": "img.shape[0]", "n_whole": "batch['x'].shape[1]"})


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            "argument 'img', axis 0 has extent 4, but 's7' is 3",
            "argument 'img', axis 0 has extent 4, but 'img.shape[0]' is 3",
        ),
        ("'n_whole floordiv 2 + s7' is 4", "'batch['x'].shape[1] // 2 + img.shape[0]' is 4"),
        ("argument 7 and s7 and 's77'", "argument 7 and s7 and 's77'"),
        ("&#39;s7&#39; of argument 2", "&#39;img.shape[0]&#39; of argument 2"),
        ("an argument is 0", "an argument is 0"),
    ],
)
def test_names(text, expected):
    assert NAMES.apply(text) == expected


def test_errors():
    error = ValueError("'s7' is odd", 3)
    NAMES.apply_to_error(error)
    assert error.args == ("'img.shape[0]' is odd", 3)
    other = OSError(2, "'s7'")
    NAMES.apply_to_error(other)
    assert other.args == (2, "'s7'")
