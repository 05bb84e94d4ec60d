// RUN: split-file %s %t
// RUN: broadloom run %t/zero.mlir --input=6x0xf32= --shapes | FileCheck %s --check-prefix=ZERO
// RUN: broadloom run %t/zero.mlir --input=0x0xf32= --shapes | FileCheck %s --check-prefix=ZERO
// RUN: not broadloom run %t/zero.mlir --input=1x6xf32=1 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not broadloom run %t/open.mlir --input=1x0xf32= 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not broadloom run %t/static-open.mlir --input=1x0xf32= 2>&1 | FileCheck %s --check-prefix=STATIC-OPEN
// RUN: not broadloom check %t/static-undividable.mlir 2>&1 | FileCheck %s --check-prefix=UNDIVIDABLE
// RUN: broadloom run %t/static-empty.mlir --input=3x0xf32= --shapes | FileCheck %s --check-prefix=EMPTY
// RUN: broadloom run %t/scalar.mlir --input=f32=3 | FileCheck %s --check-prefix=SCALAR
// RUN: broadloom run %t/untaken.mlir --input="4xf32=1 2 3 4" --input=i1=0 | FileCheck %s --check-prefix=UNTAKEN
// RUN: not broadloom run %t/untaken.mlir --input="4xf32=1 2 3 4" --input=i1=1 2>&1 | FileCheck %s --check-prefix=TAKEN

// ZERO: 3x2x0
// FULL: zero.mlir:3:8: 'tosa.reshape': the input 1x6 has 6 elements but the new shape 3x2x0 has 0
// OPEN: open.mlir:3:8: {{.*}}'tosa.reshape': an extent of the new shape is -1 beside one that is 0, so that it can be anything
// STATIC-OPEN: static-open.mlir:3:8: {{.*}}'tosa.reshape': an extent of the new shape is -1 beside one that is 0, so that it can be anything
// UNDIVIDABLE: static-undividable.mlir:3:8: {{.*}}'tosa.reshape': an extent of the new shape is -1 beside one that is 0, so that it can be anything
// EMPTY: 0
// EMPTY-NEXT: 2x0
// SCALAR: [3. 3.]
// UNTAKEN: [1. 2. 3. 4.]
// TAKEN: 'tosa.reshape': the input 4 has 4 elements but the new shape 3 has 3

//--- zero.mlir
func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
  %s = tosa.const_shape {values = dense<[3, 2, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v = tosa.reshape %a, %s : (tensor<?x?xf32>, !tosa.shape<3>) -> tensor<?x?x?xf32>
  return %v : tensor<?x?x?xf32>
}
//--- open.mlir
func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = tosa.const_shape {values = dense<[-1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %v = tosa.reshape %a, %s : (tensor<?x?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %v : tensor<?x?xf32>
}
//--- static-open.mlir
func.func @main(%a: tensor<1x0xf32>) -> tensor<?x?xf32> {
  %s = tosa.const_shape {values = dense<[-1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %v = tosa.reshape %a, %s : (tensor<1x0xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %v : tensor<?x?xf32>
}
//--- static-undividable.mlir
func.func @main(%a: tensor<3x1x1xf32>) -> tensor<?x?x?xf32> {
  %s = tosa.const_shape {values = dense<[-1, 0, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v = tosa.reshape %a, %s : (tensor<3x1x1xf32>, !tosa.shape<3>) -> tensor<?x?x?xf32>
  return %v : tensor<?x?x?xf32>
}
//--- static-empty.mlir
func.func @main(%a: tensor<3x0xf32>) -> (tensor<?xf32>, tensor<?x0xf32>) {
  %s = tosa.const_shape {values = dense<[-1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %v = tosa.reshape %a, %s : (tensor<3x0xf32>, !tosa.shape<1>) -> tensor<?xf32>
  %t = tosa.const_shape {values = dense<[2, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %w = tosa.reshape %a, %t : (tensor<3x0xf32>, !tosa.shape<2>) -> tensor<?x0xf32>
  return %v, %w : tensor<?xf32>, tensor<?x0xf32>
}
//--- scalar.mlir
func.func @main(%a: tensor<f32>) -> tensor<?xf32> {
  %s = tosa.const_shape {values = dense<[-1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %v = tosa.reshape %a, %s : (tensor<f32>, !tosa.shape<1>) -> tensor<?xf32>
  %e = tosa.concat %v, %v {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %e : tensor<?xf32>
}
//--- untaken.mlir
func.func @main(%a: tensor<4xf32>, %take: tensor<i1>) -> tensor<?xf32> {
  %c = tensor.extract %take[] : tensor<i1>
  %d = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %r = scf.if %c -> tensor<?xf32> {
    %s = tosa.const_shape {values = dense<[3]> : tensor<1xindex>} : () -> !tosa.shape<1>
    %v = tosa.reshape %d, %s : (tensor<?xf32>, !tosa.shape<1>) -> tensor<?xf32>
    scf.yield %v : tensor<?xf32>
  } else {
    scf.yield %d : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
