// RUN: broadloom-opt %s --split-input-file --loom-insert-guards --verify-diagnostics

func.func @verify1_static(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  %sa = loom.shape_of %a : tensor<2x3xf32> -> !loom.shape<[2, 3]>
  %sb = loom.shape_of %b : tensor<4xf32> -> !loom.shape<[4]>
  // expected-error@+1 {{'tosa.sub': operands are not broadcast-compatible along axis 1: extents 3 and 4 (operand shapes 2x3 and 4; extent 3 is axis 1 of argument 0, extent 4 is axis 0 of argument 1)}}
  loom.constrain_broadcast "tosa.sub", %sa, %sb : !loom.shape<[2, 3]>, !loom.shape<[4]>
  return
}

// -----

// ext-2: no run can pass both guards. Each error is reported.
func.func @ext2_refuted_by_a_fact(%a: tensor<?xf32>, %b: tensor<4xf32>) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<4xf32> -> !loom.shape<[4]>
  loom.constrain_result "tosa.exp", %sa is tensor<3xf32> : !loom.shape<[?]>
  // expected-error@+2 {{'tosa.mul': operands are not broadcast-compatible along axis 0: extents 3 and 4 (operand shapes 3 and 4; extent 3 is axis 0 of argument 0, extent 4 is axis 0 of argument 1)}}
  // expected-note-re@+1 {{the extent 3 is known by the guard of 'tosa.exp' at {{.*}}insert-guards-errors.mlir:{{[0-9]+}}:3}}
  loom.constrain_broadcast "tosa.mul", %sa, %sb : !loom.shape<[?]>, !loom.shape<[4]>
  // expected-error@+2 {{'tosa.abs': result axis 0 has extent 5 but the operands give 3 (operand shape 3; result shape 5)}}
  // expected-note-re@+1 {{the extent 3 is known by the guard of 'tosa.exp' at {{.*}}}}
  loom.constrain_result "tosa.abs", %sa is tensor<5xf32> : !loom.shape<[?]>
  return
}

// -----

func.func @verify3_rank(%a: tensor<?x?xf32>) {
  %sa = loom.shape_of %a : tensor<?x?xf32> -> !loom.shape<[?, ?]>
  // expected-error@+1 {{'tosa.add': result has rank 1 but the operands give rank 2 (operand shape ?x?)}}
  loom.constrain_result "tosa.add", %sa is tensor<?xf32> : !loom.shape<[?, ?]>
  return
}

// -----

// ext-3: 0 against 3.
func.func @ext3_zero(%a: tensor<0xf32>, %b: tensor<3xf32>) {
  %sa = loom.shape_of %a : tensor<0xf32> -> !loom.shape<[0]>
  %sb = loom.shape_of %b : tensor<3xf32> -> !loom.shape<[3]>
  // expected-error@+1 {{'tosa.add': operands are not broadcast-compatible along axis 0: extents 0 and 3}}
  loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<[0]>, !loom.shape<[3]>
  return
}
