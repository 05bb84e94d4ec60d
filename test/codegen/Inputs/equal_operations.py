"""Prints a program of COUNT operations of a FORM, one after another, all equal."""

import sys

WINDOW = "dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>"


def zero(name, kind):
    value = "0" if kind[0] == "i" else "0.0"
    return f'  {name} = "tosa.const"() {{values = dense<{value}> : tensor<1x{kind}>}} : () -> tensor<1x{kind}>\n'


def convolution(image, weight, result, operand):
    return (
        f"tensor<?x?x?x8x{image}>",
        f"tensor<?x?x?x8x{result}>",
        f"%w: tensor<8x3x3x8x{weight}>, %b: tensor<8x{result}>",
        zero("%z", image) + zero("%y", weight),
        (
            f"tosa.conv2d {operand}, %w, %b, %z, %y {{{{acc_type = {result}, {WINDOW}}}}} : ({{1}}, "
            f"tensor<8x3x3x8x{weight}>, tensor<8x{result}>, tensor<1x{image}>, "
            f"tensor<1x{weight}>) -> {{2}}"
        ),
    )


# By form: the types of the first argument and of the result, the other
# arguments, constants, and the operation on a tensor {0} of the type {1}.
MATRIX = "tensor<?x?xf32>"
FORMS = {
    "reverse": (MATRIX, MATRIX, "", "", "tosa.reverse {0} {{axis = 0 : i32}} : ({1}) -> {1}"),
    "transpose": (MATRIX, MATRIX, "", "", "tosa.transpose {0} {{perms = array<i32: 1, 0>}} : ({1}) -> {1}"),
    "pad": (
        MATRIX,
        MATRIX,
        "",
        zero("%z", "f32") + "  %p = tosa.const_shape {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>\n",
        "tosa.pad {0}, %p, %z : ({1}, !tosa.shape<4>, tensor<1xf32>) -> {1}",
    ),
    "for": (
        MATRIX,
        MATRIX,
        "%n: index",
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n",
        (
            "scf.for %i = %c0 to %n step %c1 iter_args(%y = {0}) -> {1} {{\n"
            "    %e = tosa.exp %y : ({1}) -> {1}\n    scf.yield %e : {1}\n  }}"
        ),
    ),
    "gather": (
        "tensor<?x?x?xf32>",
        "tensor<?x?x?xf32>",
        "%w: tensor<?x?xi32>",
        "",
        "tosa.gather {0}, %w : ({1}, tensor<?x?xi32>) -> {1}",
    ),
    # Of another type than its result, so that each has the same operand.
    "matmul": (
        "tensor<?x?x?xi16>",
        "tensor<?x?x?xi48>",
        "%w: tensor<?x?x?xi16>",
        zero("%z", "i16"),
        "tosa.matmul %x0, %w, %z, %z : ({1}, {1}, tensor<1xi16>, tensor<1xi16>) -> {2}",
    ),
    "conv_f32": convolution("f32", "f32", "f32", "{0}"),
    # So it is here.
    "conv_i16": convolution("i16", "i8", "i48", "%x0"),
}


def main():
    tensor, result, arguments, constants, operation = FORMS[sys.argv[1]]
    count = int(sys.argv[2])
    others = ", " + arguments if arguments else ""
    print(f"func.func @main(%x0: {tensor}{others}) -> {result} {{\n{constants}", end="")
    for i in range(count):
        print(f"  %x{i + 1} = {operation.format(f'%x{i}', tensor, result)}")
    print(f"  return %x{count} : {result}\n}}")


main()
