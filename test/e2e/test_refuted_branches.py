"""Operations whose shapes contradict each other in a branch: no error before the
branch is taken, and then the error of the rule (ext-2)."""

import broadloom
import pytest

POINT = '%z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>\n'


def case(operands, text, result, before=""):
    """A program with `text` on constants of which types say nothing but ranks."""
    lines, types = [before], []
    for i, shape in enumerate(operands):
        *extents, element = shape.split("x")
        open_ = "x".join(["?"] * len(extents) + [element])
        value = "1.0" if element[0] == "f" else "1"
        lines.append(f'%c{i} = "tosa.const"() {{values = dense<{value}> : tensor<{shape}>}} : () -> tensor<{shape}>')
        lines.append(f"%x{i} = tensor.cast %c{i} : tensor<{shape}> to tensor<{open_}>")
        types.append(f"tensor<{open_}>")
    text = text.replace("$", ", ".join(types))
    body = "\n".join(lines)
    return (
        f"func.func @main(%p: tensor<i1>, %v: tensor<2xf32>) -> tensor<2xf32> {{\n"
        f"%r = tosa.cond_if %p : tensor<i1> -> tensor<2xf32> {{\n{body}\n%y = {text} -> tensor<{result}>\n"
        "tosa.yield %v : tensor<2xf32>\n} else {\ntosa.yield %v : tensor<2xf32>\n}\nreturn %r : tensor<2xf32>\n}\n"
    )


ZEROS = ", tensor<1xi8>, tensor<1xi8>"
FLAT, DEEP = "?x?x?x?xi32", "?x?x?x?x?xi32"


@pytest.mark.parametrize(
    "name, program",
    [
        (
            "conv2d",
            case(
                ["1x4x4x3xi8", "2x1x1x3xi8", "4xi32"],
                "tosa.conv2d %x0, %x1, %x2, %z, %z {acc_type = i32, "
                "dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : ($"
                + ZEROS
                + ")",
                FLAT,
                POINT,
            ),
        ),
        (
            "conv3d",
            case(
                ["1x4x4x4x3xi8", "2x1x1x1x3xi8", "4xi32"],
                "tosa.conv3d %x0, %x1, %x2, %z, %z {acc_type = i32, "
                "dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>} "
                ": ($" + ZEROS + ")",
                DEEP,
                POINT,
            ),
        ),
        (
            "depthwise_conv2d",
            case(
                ["1x4x4x3xi8", "1x1x3x2xi8", "4xi32"],
                "tosa.depthwise_conv2d %x0, %x1, %x2, %z, %z "
                "{acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, "
                "stride = array<i64: 1, 1>} : ($" + ZEROS + ")",
                FLAT,
                POINT,
            ),
        ),
        (
            "transpose_conv2d",
            case(
                ["1x4x4x3xi8", "2x1x1x3xi8", "4xi32"],
                "tosa.transpose_conv2d %x0, %x1, %x2, %z, %z "
                "{acc_type = i32, out_pad = array<i64: 2, 0, 0, 0>, stride = array<i64: 1, 1>} : ($" + ZEROS + ")",
                FLAT,
                POINT,
            ),
        ),
        (
            "matmul",
            case(["1x2x3xi8", "1x4x2xi8"], "tosa.matmul %x0, %x1, %z, %z : ($" + ZEROS + ")", "?x?x?xi32", POINT),
        ),
        (
            "max_pool2d",
            case(
                ["1x2x2x1xf32"],
                "tosa.max_pool2d %x0 {kernel = array<i64: 3, 3>, nan_mode = PROPAGATE, "
                "pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : ($)",
                "?x?x?x?xf32",
            ),
        ),
        ("concat", case(["2x3xf32", "3x3xf32"], "tosa.concat %x0, %x1 {axis = 1 : i32} : ($)", "?x?xf32")),
    ],
)
def test_ext2_what_is_not_reached_is_no_error(tmp_path, name, program):
    (tmp_path / "program.mlir").write_text(program)
    for taken in (0, 1):
        outcome = broadloom.call("run", tmp_path / "program.mlir", f"--input=i1={taken}", "--input=2xf32=1 2")
        assert outcome.status == (3 if taken else 0), outcome.error
        assert not taken or f"'tosa.{name}'" in outcome.error
