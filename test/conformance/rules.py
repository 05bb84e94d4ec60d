"""Lists what the error of a wrong program has to say, by what is wrong with it. Each
pattern is of this project's words: upstream's verifier says something else.
"""

import re

ZERO_POINT = r"(has the (input|output|weight|first|second) zero point|(input|output) zero-point) .*must be 0"
DECLARED = r"result \d+ is declared|\d+ is declared \d+ but is"
CONDITION = r"the condition must be"
PASSED = r"they must agree|there must be as many|" + DECLARED

# Of a result that numbers out of range leave without extents.
NO_EXTENT = r"has the extent -\d+ along axis"

# Kind of error in a test's name -> a pattern that our message must have.
RULES = {
    "WrongInputList": r"which nothing computes|there is no tensor|operands?, but must have|takes|needs|expects|has no operand",
    "WrongOutputList": r"which nothing computes|there is no tensor|results?, but must have|needs|gives",
    "WrongRank": r"it must have|axes, more than|must have \d+ ax|is declared with \d+ axes",
    "RankMismatch": r"ax[ei]s|rank",
    "DimensionMismatch": r"extents? |is declared",
    "BroadcastShapesMismatch": r"broadcast|extents? ",
    "InputRank1WrongRank": r"shift must",
    "InputZeroPointNotZero": ZERO_POINT,
    "OutputZeroPointNotZero": ZERO_POINT,
    "WeightZeroPointNotZero": ZERO_POINT,
    "U16InputZeroPointNotValid": ZERO_POINT + " or 32768",
    "U16OutputZeroPointNotValid": ZERO_POINT + " or 32768",
    "AxisSmallerZero": r"axis is -\d+ but",
    "AxisLargerRank": r"axis is \d+ but the input has",
    "ArgmaxOutputRankMismatch": DECLARED,
    "ArgmaxOutputShapeMismatch": DECLARED,
    "ShapeOfAxisNotOne": DECLARED,
    "KernelSmallerOne": r"the kernel must be at least 1",
    "StrideSmallerOne": r"the stride must be at least 1",
    "DilationSmallerOne": r"the dilation must be at least 1",
    "PadSmallerZero": r"the padding (before|after) axis \d+ must not be negative",
    "PadLargerEqualKernel": r"must be (less|more) than",
    "PoolingOutputShapeMismatch": DECLARED,
    "PoolingOutputShapeNonInteger": r"the stride \d+ along axis \d+ must divide",
    "ConvOutputShapeMismatch": DECLARED,
    "ConvOutputShapeNonInteger": r"the stride \d+ along axis \d+ must divide",
    "ConvBiasShapeMismatch": r"bias",
    "MaxSmallerMin": r"min_val|max_val",
    "ConcatInputRankMismatch": r"axes",
    "ConcatInputDimMismatch": r"extent|but",
    "ConcatShapeSumMismatch": DECLARED,
    "ConcatNoInputList": r"at least|needs|no operand|there is no input",
    "PadOutputShapeMismatch": DECLARED,
    "TensorSizeInputOutputMismatch": r"elements|is declared",
    "ReshapeNewShapeOutputMismatch": DECLARED,
    "StartSmallerZero": r"the start along axis \d+ must not be negative",
    # A size of 0 gives a tensor without elements (ext-3); its result declares another.
    "SizeSmallerEqualZero": r"the size along axis|\d+ is declared \d+ but is 0",
    "StartSizeOutsideBounds": r"along axis \d+",
    "SizeOutputShapeMismatch": DECLARED,
    "InputSizeStartLengthMismatch": r"numbers|axes",
    "TileMultiplesOutputShapeMismatch": DECLARED,
    "IndexOutsideBounds": r"axis|perms",
    "IndexUsedTwice": r"twice|axis|perms",
    "TransposePermsOutputShapeMismatch": DECLARED,
    "MaxDimExceeded": r"heights and widths must be less than 16384",
    "ScaleSmallerEqualZero": r"has the (numerator|denominator) -?\d+ along axis \d+; it must be from 1",
    "ScaleNLargerMax": r"has the numerator \d+ along axis \d+; it must be from 1 to 2048",
    "ScaleDLargerMax": r"has the denominator \d+ along axis",
    "OffsetSmallerMin": r"has the offset -?\d+ along axis",
    "OffsetLargerEqualMax": r"has the offset \d+ along axis",
    "BorderSmallerMin": r"has the border -?\d+ along axis",
    "BorderLargerEqualMax": r"has the border \d+ along axis",
    "BatchMismatch": DECLARED,
    "ChannelMismatch": DECLARED,
    "ResizeOutputShapeMismatch": DECLARED,
    "ResizeOutputShapeNonInteger": r"the scale's denominator \d+ along axis \d+ must divide",
    "ScaleTrue": r"'scale32' is set",
    "ScaleNotTrue": r"DOUBLE_ROUND, which needs 'scale32'",
    "RescaleInputUnsignedOutputUnsigned": r"are both set",
    "RescaleI32OutputInputUnsigned": r"'input_unsigned' is set",
    "RescaleI32InputOutputUnsigned": r"'output_unsigned' is set",
    "RescaleI48InputOutputUnsigned": r"'output_unsigned' is set",
    "RescaleI32InputUnsigned": r"'input_unsigned' is set",
    "RescaleI32OutputUnsigned": r"'output_unsigned' is set",
    "RescaleI48InputUnsigned": r"'input_unsigned' is set",
    "RescalePerChannelRank0": r"'per_channel' is set",
    "KernelNotPowerOfTwo": r"must be a power of two",
    "FFTInputShapeMismatch": r"input_real|input_imag|real|imag",
    "FFTOutputShapeMismatch": DECLARED,
    "CondIfCondNotMatchingBool": CONDITION,
    "CondIfCondShapeNotSizeOne": CONDITION,
    "CondGraphOutputNotMatchingBool": CONDITION,
    "CondGraphOutputShapeNotSizeOne": CONDITION,
    "CondIfInputListThenGraphMismatch": PASSED,
    "CondIfInputListElseGraphMismatch": PASSED,
    "CondIfOutputListThenGraphMismatch": PASSED,
    "CondIfOutputListElseGraphMismatch": PASSED,
    "InputListOutputListMismatch": PASSED,
    "InputListCondGraphMismatch": PASSED,
    "InputListBodyGraphInputMismatch": PASSED,
    "InputListBodyGraphOutputMismatch": PASSED,
    "WrongInputType": r"type|elements",
    "WrongOutputType": r"type|elements",
    "WrongBiasType": r"bias",
    "WrongAccumulatorType": r"acc_type|accumul",
}


def kind(test):
    """The kind of error of a negative test, such as `WrongRank`."""
    return re.search(r"_ERRORIF_([A-Za-z0-9]+)", test.name).group(1)


def isNamed(test, message):
    pattern = RULES.get(kind(test))
    return bool(pattern and re.search(f"{pattern}|{NO_EXTENT}", message))
