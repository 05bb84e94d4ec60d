// RUN: broadloom check %s --all | FileCheck %s --match-full-lines
// RUN: not broadloom run %s --input=1x2x3xf32=1 --input=4x3x4xf32=1 --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not broadloom run %s --input=1x4x3xf32=1 --input=4x3x4xf32=1 --input=3xf32=1 2>&1 | FileCheck %s --check-prefix=TAIL
// RUN: not broadloom shapes %s --input=1x4x3xf32 --input=6x3x4xf32 --input=1xf32 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: broadloom run %s --input=1x4x3xf32=1 --input=4x3x4xf32=1 --input=1xf32=1 | FileCheck %s --check-prefix=VALUES

// A sum of products that the program has itself is checked as operations of
// other dialects are, and `check` says what is left to the run time.

// CHECK: loom.contract {{.*}}contractions.mlir:[[#@LINE+8]]:8
// CHECK: proved never "the image has ? channels but the weight is for ?"
// CHECK: run-time s2 >= 1 and s1 + 1 >= s2, else "the kernel of s2 covers s2 along axis 1, but the padded
// CHECK: run-time s3 = 1 or s3 = 4, else "axis 0 of operand 2 has extent s3, which does not broadcast to
// KERNEL: contractions.mlir:[[#@LINE+4]]:8: 'loom.contract': the kernel of 4 covers 4 along axis 1, but the padded image has 3
// TAIL: contractions.mlir:[[#@LINE+3]]:8: 'loom.contract': axis 0 of operand 2 has extent 3, which does not broadcast to the 4 of the sums
// SHAPES: contractions.mlir:[[#@LINE+2]]:8: 'loom.contract': the kernel of 6 covers 6 along axis 1, but the padded image has 5
func.func @main(%x: tensor<?x?x3xf32>, %w: tensor<?x3x4xf32>, %b: tensor<?xf32>) -> tensor<?x?x4xf32> {
  %r = loom.contract(%x, %w, %b) window {strides = array<i64: 2>, dilations = array<i64: 1>, pads = array<i64: 0, 1>} : (tensor<?x?x3xf32>, tensor<?x3x4xf32>, tensor<?xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%s: f32, %t: f32):
    %u = arith.addf %s, %t : f32
    loom.yield %u : f32
  }
  return %r : tensor<?x?x4xf32>
}
// VALUES: {{\[\[\[}}13. 13. 13. 13.]]]
