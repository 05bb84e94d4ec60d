"""Operators of ai.onnx.ml that are arithmetic: what converters make of models of scikit-learn, but for trees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._program import Value
from .._tensors._tensor import Number, Tensor, from_value
from ._context import Context, Known, Operand, Unsupported, operator, refuse, spread
from ._layout import extents_of

ML = "ai.onnx.ml"
_TEXTS = "programs have no texts; export the model with numbers as labels"

refuse(
    "programs give tensors and no maps; export the model without it (skl2onnx: options={'zipmap': False})",
    f"{ML}.ZipMap",
    f"{ML}.CastMap",
    f"{ML}.DictVectorizer",
)
refuse("programs have no texts", f"{ML}.CategoryMapper")


def _wide(x: Operand) -> str:
    return "f64" if x.element == "f64" else "f32"


def _numbers(c: Context, given: Sequence[float], what: str, count: Number, element: str) -> Any:
    """Returns numbers of an attribute: one for all features, or one for each of `count`."""
    if len(given) == 1:
        return float(given[0]) if program.is_float(element) else int(given[0])
    program.require(c.builder, "eq", len(given), count, f"its {what} has {{0}} elements, but there are {{1}} features")
    return c.builder.constant(np.array(given, program.to_numpy(element)), element)


def _rows(c: Context, x: Operand) -> Value:
    """Returns rows of features; one axis is one row."""
    value = c.value(x)
    if value.rank not in (1, 2):
        raise ValueError(f"its input has {value.rank} axes, not 1 or 2")
    return value if value.rank == 2 else program.expand(value, [0])


# Features.


@operator("Binarizer", domain=ML)
def _binarizer(c: Context, x: Operand, *, threshold: float = 0.0) -> Tensor:
    p, element = program, x.element
    bound = threshold if p.is_float(element) else int(threshold // 1)
    return spread(c, lambda x: p.cast(p.greater(x, bound), element), c.tensor(x))


@operator("Scaler", domain=ML)
def _scaler(c: Context, x: Operand, *, offset: Sequence[float], scale: Sequence[float]) -> Tensor:
    p, wide = program, _wide(x)
    if x.rank < 1:
        raise ValueError("its input has 0 axes, but at least 1 is needed")
    features = extents_of(x)[-1]
    start, factor = (_numbers(c, given, what, features, wide) for given, what in ((offset, "offset"), (scale, "scale")))
    return from_value(p.cast(p.multiply(p.subtract(p.cast(c.value(x), wide), start), factor), "f32"))


@operator("Imputer", domain=ML)
def _imputer(
    c: Context,
    x: Operand,
    *,
    imputed_value_floats: Sequence[float] = (),
    imputed_value_int64s: Sequence[int] = (),
    replaced_value_float: float = 0.0,
    replaced_value_int64: int = 0,
) -> Tensor:
    p, is_float = program, program.is_float(x.element)
    given: Sequence[float] = imputed_value_floats if is_float else imputed_value_int64s
    if not given:
        raise ValueError(
            f"its imputed_value_{'floats' if is_float else 'int64s'} is empty, and its input has {x.element}"
        )
    value = c.value(x)
    replaced: float = replaced_value_float if is_float else replaced_value_int64
    is_replaced = p.isnan(value) if math.isnan(replaced) else p.equal(value, replaced)
    new = _numbers(c, given, "imputed_value", extents_of(x)[-1] if x.rank else 1, x.element)
    return from_value(p.select(is_replaced, new, value))


@operator("Normalizer", domain=ML)
def _normalizer(c: Context, x: Operand, *, norm: str = "MAX") -> Tensor:
    p = program
    rows = p.cast(_rows(c, x), _wide(x))
    if norm not in ("MAX", "L1", "L2"):
        raise Unsupported(f"its norm is MAX, L1 or L2, not {norm!r}")
    if norm == "MAX":
        size = p.reduce("max", rows, [1], keepdims=True)
    else:
        total = p.reduce("sum", p.absolute(rows) if norm == "L1" else p.square(rows), [1], keepdims=True)
        size = total if norm == "L1" else p.sqrt(total)
    made = p.cast(p.divide(rows, p.select(p.equal(size, 0.0), 1.0, size)), "f32")
    return from_value(made if x.rank == 2 else p.squeeze(made, [0]))


@operator("FeatureVectorizer", domain=ML)
def _feature_vectorizer(c: Context, *operands: Operand, inputdimensions: Sequence[int] = ()) -> Tensor:
    parts = [program.cast(_rows(c, x), "f32") for x in operands]
    if inputdimensions and len(inputdimensions) != len(parts):
        raise ValueError(f"its inputdimensions has {len(inputdimensions)} elements, but there are {len(parts)} inputs")
    for part, wanted in zip(parts, inputdimensions):
        message = "an input has {0} features, but inputdimensions tells {1}"
        program.require(c.builder, "eq", program.extent(part, 1), wanted, message)
    return from_value(program.concat(parts, 1))


# Categories.


def _table(c: Context, keys: NDArray[Any], values: NDArray[Any], x: Value, other: Any, element: str) -> Value:
    """Returns the value of the key that each element of x equals, the first of equal keys, or another number."""
    p, b = program, c.builder
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    own, numbers = b.constant(keys, x.element), b.constant(values, element)
    places = p.minimum(p.cast(p.search(own, x), "i64"), len(keys) - 1)
    found = p.take(own, places, 0, from_end=False)
    is_known = p.equal(found, x)
    if p.is_float(x.element) and np.isnan(keys[-1]):
        places = p.select(p.isnan(x), int(np.argmax(np.isnan(keys))), places)
        is_known = p.bitwise_or(is_known, p.isnan(x))
    return p.select(is_known, p.take(numbers, places, 0, from_end=False), other)


@operator("LabelEncoder", domain=ML)
def _label_encoder(
    c: Context,
    x: Operand,
    *,
    classes_strings: Sequence[str] | None = None,
    default_float: float = -0.0,
    default_int64: int = -1,
    default_string: str | None = None,
    default_tensor: Known | None = None,
    keys_floats: Sequence[float] | None = None,
    keys_int64s: Sequence[int] | None = None,
    keys_strings: Sequence[str] | None = None,
    keys_tensor: Known | None = None,
    values_floats: Sequence[float] | None = None,
    values_int64s: Sequence[int] | None = None,
    values_strings: Sequence[str] | None = None,
    values_tensor: Known | None = None,
) -> Tensor:
    if classes_strings is not None or keys_strings is not None or values_strings is not None:
        raise Unsupported(_TEXTS)
    sides = []
    for what, tensor, floats, integers in (
        ("keys", keys_tensor, keys_floats, keys_int64s),
        ("values", values_tensor, values_floats, values_int64s),
    ):
        if tensor is not None:
            sides.append((c.constant(tensor, what).reshape(-1), tensor.element))
        elif floats is not None or integers is not None:
            element = "f32" if floats is not None else "i64"
            sides.append((np.array(integers if floats is None else floats, program.to_numpy(element)), element))
        else:
            raise Unsupported(f"its {what} are missing")
    (keys, own), (values, element) = sides
    if own != x.element:
        raise ValueError(f"its keys are {own}, but its input has elements of {x.element}")
    if len(keys) != len(values) or not len(keys):
        raise ValueError(f"{len(keys)} keys and {len(values)} values are given")
    if default_tensor is not None:
        other = c.constant(default_tensor, "default").reshape(-1)[0].item()
    else:
        other = default_float if program.is_float(element) else default_int64
    return from_value(_table(c, keys, values, c.value(x), other, element))


@operator("OneHotEncoder", domain=ML)
def _one_hot_encoder(
    c: Context,
    x: Operand,
    *,
    cats_int64s: Sequence[int] = (),
    cats_strings: Sequence[str] | None = None,
    zeros: int = 1,
) -> Tensor:
    p = program
    if cats_strings is not None or not cats_int64s:
        raise Unsupported(_TEXTS if cats_strings is not None else "its cats_int64s are missing")
    value = p.cast(c.value(x), "i64")
    is_it = p.equal(p.expand(value, [value.rank]), c.builder.constant(np.array(cats_int64s, np.int64), "i64"))
    if not zeros:
        found = p.reduce("max", p.cast(is_it, "i64"), [value.rank])
        known = p.equal(p.minimum(p.reduce("min", found), 1), 1)
        p.require_true(known, f"an element is none of its {len(cats_int64s)} categories, and zeros is 0")
    return from_value(p.cast(is_it, "f32"))


# Linear models and support vectors.


def _transform(c: Context, scores: Value, kind: str) -> Value:
    """Applies what a model does behind its scores, along the last axis."""
    p, axis = program, scores.rank - 1
    if kind == "NONE":
        return scores
    if kind == "LOGISTIC":
        return p.sigmoid(scores)
    if kind not in ("SOFTMAX", "SOFTMAX_ZERO"):
        raise Unsupported(f"its post_transform is NONE, LOGISTIC, SOFTMAX or SOFTMAX_ZERO, not {kind!r}")
    powers = p.exp(p.subtract(scores, p.reduce("max", scores, [axis], keepdims=True)))
    if kind == "SOFTMAX_ZERO":
        # What is next to 0 stays so.
        powers = p.select(p.greater(p.absolute(scores), 1e-7), powers, p.multiply(scores, powers))
    return p.divide(powers, p.reduce("sum", powers, [axis], keepdims=True))


def _score(c: Context, x: Operand, coefficients: Sequence[float], intercepts: Sequence[float], count: int) -> Value:
    """Returns the scores of linear models, [rows, count]."""
    p, b = program, c.builder
    rows = p.cast(_rows(c, x), "f32")
    if count < 1 or len(coefficients) % count or (intercepts and len(intercepts) != count):
        raise ValueError(f"{len(coefficients)} coefficients and {len(intercepts)} intercepts do not fit {count} models")
    weight = np.array(coefficients, np.float32).reshape(count, -1)
    message = "a row has {0} features, but the model has {1} coefficients for each"
    p.require(b, "eq", p.extent(rows, 1), weight.shape[1], message)
    made = p.matmul(rows, b.constant(np.ascontiguousarray(weight.T), "f32"))
    return p.add(made, b.constant(np.array(intercepts, np.float32), "f32")) if intercepts else made


@operator("LinearRegressor", domain=ML)
def _linear_regressor(
    c: Context,
    x: Operand,
    *,
    coefficients: Sequence[float],
    intercepts: Sequence[float] = (),
    post_transform: str = "NONE",
    targets: int = 1,
) -> Tensor:
    return from_value(_transform(c, _score(c, x, coefficients, intercepts, targets), post_transform))


@operator("LinearClassifier", domain=ML)
def _linear_classifier(
    c: Context,
    x: Operand,
    *,
    classlabels_ints: Sequence[int] = (),
    classlabels_strings: Sequence[str] | None = None,
    coefficients: Sequence[float],
    intercepts: Sequence[float] = (),
    multi_class: int = 0,
    post_transform: str = "NONE",
) -> tuple[Tensor, Tensor]:
    p, labels = program, np.array(classlabels_ints, np.int64)
    if classlabels_strings is not None:
        raise Unsupported(_TEXTS)
    count = len(intercepts) or len(labels)
    scores = _score(c, x, coefficients, intercepts, count)
    if count == 1:
        # One model tells two classes.
        labels = labels if len(labels) == 2 else np.array([0, 1])
        best = p.cast(p.squeeze(p.greater(scores, 0.0), [1]), "i64")
        shown = _transform(c, scores, post_transform if post_transform == "LOGISTIC" else "NONE")
        if len(classlabels_ints) == 2:
            shown = p.concat([p.subtract(1.0, shown), shown], 1)
    else:
        if len(labels) != count:
            raise ValueError(f"{len(labels)} labels are given for {count} classes")
        best, shown = p.argmax(scores, 1), _transform(c, scores, post_transform)
    return from_value(p.take(c.builder.constant(labels, "i64"), best, 0, from_end=False)), from_value(shown)


@operator("SVMRegressor", domain=ML)
def _svm_regressor(
    c: Context,
    x: Operand,
    *,
    coefficients: Sequence[float],
    kernel_params: Sequence[float] = (),
    kernel_type: str = "LINEAR",
    n_supports: int = 0,
    one_class: int = 0,
    post_transform: str = "NONE",
    rho: Sequence[float],
    support_vectors: Sequence[float] = (),
) -> Tensor:
    p, b = program, c.builder
    if n_supports:
        rows = p.cast(_rows(c, x), "f32")
        if len(support_vectors) % n_supports or len(coefficients) != n_supports:
            raise ValueError(
                f"{len(support_vectors)} numbers and {len(coefficients)} coefficients do not fit {n_supports} supports"
            )
        supports = np.array(support_vectors, np.float32).reshape(n_supports, -1)
        message = "a row has {0} features, but the support vectors have {1}"
        p.require(b, "eq", p.extent(rows, 1), supports.shape[1], message)
        near = _kernel(c, rows, supports, kernel_type, kernel_params)
        scores = p.matmul(near, b.constant(np.array(coefficients, np.float32).reshape(-1, 1), "f32"))
    else:
        scores = _score(c, x, coefficients, (), 1)
    scores = p.add(scores, float(rho[0]))
    if one_class:
        return from_value(p.cast(p.select(p.greater(scores, 0.0), 1, -1, "i64"), "f32"))
    return from_value(_transform(c, scores, post_transform))


def _kernel(c: Context, rows: Value, supports: NDArray[Any], kind: str, numbers: Sequence[float]) -> Value:
    """Returns how near rows are to support vectors, [rows, supports]."""
    p, b = program, c.builder
    gamma, shift, degree = [*numbers, 0.0, 0.0, 0.0][:3]
    if kind == "RBF":
        gap = p.subtract(p.expand(rows, [1]), b.constant(supports, "f32"))
        return p.exp(p.multiply(p.sum(p.square(gap), [2]), -gamma))
    made = p.matmul(rows, b.constant(np.ascontiguousarray(supports.T), "f32"))
    if kind == "LINEAR":
        return made
    made = p.add(p.multiply(made, gamma), shift)
    if kind == "SIGMOID":
        return p.tanh(made)
    if kind != "POLY":
        raise Unsupported(f"its kernel_type is LINEAR, POLY, RBF or SIGMOID, not {kind!r}")
    return p.power(made, int(degree) if degree == int(degree) else degree)
