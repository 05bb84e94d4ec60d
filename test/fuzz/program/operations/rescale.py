"""tosa.rescale between signed integers."""

import numpy as np
from data import Data, kindOf

from operations import Entry, Fails, register

KINDS = ("i8", "i16", "i32")


class Rescale(Entry):
    weight = 0.6

    def attributes(self, attributes):
        return (
            f"scale32 = true, rounding_mode = {attributes['rounding']}, input_unsigned = false, "
            f"output_unsigned = false, per_channel = {str(attributes['channels']).lower()}"
        )

    def extras(self, attributes):
        return [
            ("i32", attributes["multiplier"]),
            ("i8", attributes["shift"]),
            (attributes["kind"], [attributes["in"]]),
            (attributes["to"], [attributes["out"]]),
        ]

    def propose(self, g):
        value = g.pickOf(lambda v: v.kind in KINDS)
        if value is None:
            return None
        to, shape = g.random.choice(KINDS), g.shape(value)
        channels = bool(shape) and 0 < shape[-1] < 20 and g.random.random() < 0.4
        count = shape[-1] if channels else 1
        return (
            [value],
            [to],
            {
                "kind": value.kind,
                "to": to,
                "channels": channels,
                "multiplier": [
                    g.random.choice([1 << 30, (1 << 31) - 1, 1, g.random.randrange(1 << 31)]) for _ in range(count)
                ],
                "shift": [g.random.choice([2, 30, 30, 31, 32, 33, 40, 62]) for _ in range(count)],
                "rounding": g.random.choice(["SINGLE_ROUND", "DOUBLE_ROUND"]),
                "in": g.random.choice([0, 3, -128]) if value.kind == "i8" else 0,
                "out": g.random.choice([0, -5, 127]) if to == "i8" else 0,
            },
        )

    def evaluate(self, operands, attributes, kinds):
        (data,), kind = operands, kindOf(kinds[0])
        if attributes["channels"] and (
            not data.shape
            or data.shape[-1] not in (1, len(attributes["shift"]))
            or data.shape[-1] != len(attributes["shift"])
        ):
            raise Fails("a multiplier for each channel")
        most, least = np.iinfo(kind.dtype).max, np.iinfo(kind.dtype).min
        # Numbers of Python's: products have more than 64 bits.
        value = data.low.astype(object) - attributes["in"]
        times, shift = (np.array(attributes[k], object) for k in ("multiplier", "shift"))
        if not attributes["channels"]:
            times, shift = times[0], shift[0]
        half = 2 ** (shift - 1)
        if attributes["rounding"] == "DOUBLE_ROUND":
            half = half + np.where(shift > 31, np.where(value >= 0, 1 << 30, -(1 << 30)), 0)
        scaled = np.asarray((value * times + half) // 2**shift, object)
        # What leaves i32 on the way is not defined.
        leaves = [(n < -(1 << 31)) | (n > (1 << 31) - 1) for n in (value, scaled, scaled + attributes["out"])]
        hidden = np.asarray(leaves[0] | leaves[1] | leaves[2], bool) | data.mask()
        result = np.clip(np.where(hidden, 0, scaled) + attributes["out"], least, most)
        return [
            Data(
                kind,
                np.asarray(result).astype(kind.dtype).reshape(data.shape),
                None,
                hidden.reshape(data.shape) if hidden.any() else None,
            )
        ]


register("rescale", Rescale())
