"""Writes files of TOSA, and runs them."""

import os
import subprocess
import sysconfig

import broadloom
import numpy as np
from broadloom import DONE

TOOLS = os.path.join(sysconfig.get_path("purelib"), "bin")
RNG = np.random.default_rng(5)


def floats(*shape):
    return RNG.uniform(-2, 2, shape).astype(np.float32)


ZERO = '%z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>\n'
# name: (text, arguments)
PROGRAMS = {
    "convolution": (
        """
func.func @main(%x: tensor<1x6x6x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>) -> tensor<1x4x4x3xf32> {
  ZERO
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>,
      stride = array<i64: 1, 1>} : (tensor<1x6x6x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  %1 = tosa.clamp %0 {max_val = 1.0 : f32, min_val = -1.0 : f32} : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %1 : tensor<1x4x4x3xf32>
}""",
        [floats(1, 6, 6, 2), floats(3, 3, 3, 2), floats(3)],
    ),
    "constants": (
        """
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<5000xi8>) {
  %0 = "tosa.const"() <{values = dense<[true, false, true]> : tensor<3xi1>}> : () -> tensor<3xi1>
  %1 = tosa.const_shape {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %2 = tosa.reshape %0, %1 : (tensor<3xi1>, !tosa.shape<2>) -> tensor<1x3xi1>
  %3 = tosa.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = tosa.select %2, %x, %3 : (tensor<1x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = tosa.transpose %4 {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %6 = "tosa.const"() <{values = dense<-3> : tensor<5000xi8>}> : () -> tensor<5000xi8>
  return %4, %5, %6 : tensor<2x3xf32>, tensor<3x2xf32>, tensor<5000xi8>
}""",
        [floats(2, 3)],
    ),
    "integers": (
        """
func.func @main(%x: tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<2x1xi32>, tensor<2x3xi8>) {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %a, %a {input_unsigned = false, output_unsigned = false, per_channel = false,
      rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3xi8>
  %1 = tosa.cast %0 : (tensor<2x3xi8>) -> tensor<2x3xi32>
  %2 = tosa.reduce_sum %1 {axis = 1 : i32} : (tensor<2x3xi32>) -> tensor<2x1xi32>
  %3 = tosa.clamp %x {max_val = 50 : i8, min_val = -50 : i8} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0, %2, %3 : tensor<2x3xi8>, tensor<2x1xi32>, tensor<2x3xi8>
}""",
        [RNG.integers(-128, 128, (2, 3)).astype(np.int8)],
    ),
    "regions": (
        """
func.func @main(%c: tensor<i1>, %n: tensor<i32>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>) {
  %0 = tosa.cond_if %c (%t = %x) : tensor<i1> (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%t: tensor<2xf32>):
    %1 = tosa.exp %t : (tensor<2xf32>) -> tensor<2xf32>
    tosa.yield %1 : tensor<2xf32>
  } else {
  ^bb0(%t: tensor<2xf32>):
    tosa.yield %t : tensor<2xf32>
  }
  %2 = tosa.while_loop (%i = %n) : (tensor<i32>) -> tensor<i32> {
    %l = "tosa.const"() <{values = dense<40> : tensor<i32>}> : () -> tensor<i32>
    %3 = tosa.greater %l, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %3 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %4 = tosa.add %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %4 : tensor<i32>
  }
  return %0, %2 : tensor<2xf32>, tensor<i32>
}""",
        [np.array(True), np.array(3, np.int32), floats(2)],
    ),
}


def text(name):
    return PROGRAMS[name][0].replace("ZERO", ZERO)


def run(folder, program, arguments, count):
    options = []
    for i, array in enumerate(arguments):
        np.save(folder / f"in{i}.npy", array)
        options.append(f"--input={folder}/in{i}.npy")
    outputs = [folder / f"out{i}.npy" for i in range(count)]
    outcome = broadloom.call("run", program, *options, *(f"--output={o}" for o in outputs))
    assert outcome.status == DONE, outcome.error
    return [np.load(o) for o in outputs]


def serialize(folder, name):
    """The file that the official tool makes."""
    path = folder / f"{name}.tosa"
    source = folder / f"{name}.mlir"
    source.write_text(text(name))
    subprocess.run(
        [f"{TOOLS}/tosa-opt", source, f"--tosa-serialize=tosa-flatbuffer-filename={path}"],
        check=True,
        capture_output=True,
    )
    return path
