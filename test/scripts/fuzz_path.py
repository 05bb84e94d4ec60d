"""Makes the parts of scripts/fuzz importable by the tests of them."""

import os
import sys

TEST = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path[:0] = [os.path.join(TEST, "fuzz"), os.path.join(TEST, "fuzz", "program"), os.path.join(TEST, "e2e")]
