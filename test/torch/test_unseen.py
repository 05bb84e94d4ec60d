"""Some of the models of the survey (survey.py): one compilation, and eager mode's results."""

import pytest
import survey

#: The others take longer.
NAMES = ["bert", "mixtral", "t5", "vit", "segformer", "resnet18"]


@pytest.mark.parametrize("name", NAMES)
def test_model(name):
    assert survey.check(name) is None
