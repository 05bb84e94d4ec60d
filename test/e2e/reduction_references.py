"""Computes reductions with NumPy."""

import numpy as np
from reductions import wide

#
# One reduction
#

REFERENCES = {"sum": np.sum, "product": np.prod, "max": np.max, "min": np.min, "all": np.all, "any": np.any}


def initial(operation, kind):
    if operation not in ("max", "min"):
        return {}
    if kind.isFloat:
        return {"initial": -np.inf if operation == "max" else np.inf}
    limits = np.iinfo(kind.dtype)
    return {"initial": limits.min if operation == "max" else limits.max}


def reference(operation, array, axes, kind):
    if kind.isFloat:
        array = wide(array)
    with np.errstate(all="ignore"):
        result = REFERENCES[operation](array, axis=axes, keepdims=True, **initial(operation, kind))
    return result if kind.isFloat else result.astype(kind.dtype)
