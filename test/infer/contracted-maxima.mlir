// RUN: broadloom check %s | FileCheck %s
// RUN: broadloom run %s "--input=1x4x2xf32=1 5 2 -6 3 7 -4 8" --input=2xi8=0 | FileCheck %s --check-prefix=VALUES
// RUN: not broadloom run %s --input=1x1x2xf32=1 --input=3xi8=0 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: broadloom shapes %s --input=4x9x5 --input=3 | FileCheck %s --check-prefix=SHAPES

// A maximum over windows has no weight whose channels could differ: what is
// checked is that the window fits.
// CHECK:     run-time s{{[0-9]+}} >= 1 and {{.*}}, else "the kernel of
// CHECK-NOT: channels
// CHECK:     1 constraint:
// VALUES:      {{\[\[\[}}2. 5.]
// VALUES-NEXT: [3. 8.]]]
// KERNEL: 'loom.contract': the kernel of 3 covers 3 along axis 1, but the padded image has 2
// SHAPES: 4x4x5
func.func @main(%x: tensor<?x?x?xf32>, %w: tensor<?xi8>) -> tensor<?x?x?xf32> {
  %r = loom.contract(%x, %w) window {strides = array<i64: 2>, dilations = array<i64: 1>, pads = array<i64: 0, 1>, kind = #loom.contraction_kind<max_pool>} : (tensor<?x?x?xf32>, tensor<?xi8>) -> tensor<?x?x?xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<?x?x?xf32>
}
