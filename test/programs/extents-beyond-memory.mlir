// Data may give any extents beside one of 0, but none that memory could not hold
// (ext-5).
// RUN: not broadloom run %s --input=0xf32= --input="3xi64=4611686018427387904 0 1" 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: broadloom run %s --input=0xf32= --input="3xi64=18014398509481984 0 1" | FileCheck %s --check-prefix=FITS
// RUN: not broadloom run %s --function=expanded --input=0xf32= --input=i64=4611686018427387904 2>&1 | FileCheck %s --check-prefix=EXPAND
// RUN: not broadloom run %s --function=repeated --input="2xf32=1 2" --input=i64=9223372036854775807 --input=i64=0 2>&1 | FileCheck %s --check-prefix=REPEAT
// RUN: broadloom run %s --function=repeated --input="2xf32=1 2" --input=i64=2 --input=i64=0 | FileCheck %s --check-prefix=TWO

// RESHAPE: extents-beyond-memory.mlir:[[#@LINE+7]]:8: 'tensor.reshape': axis 0 has extent 4611686018427387904, expected at most 18014398509481984, since memory is limited
// FITS: 18014398509481984
// EXPAND: extents-beyond-memory.mlir:[[#@LINE+13]]:8: 'tensor.expand_shape': axis 1 has extent 4611686018427387904, expected at most 18014398509481984, since memory is limited
// REPEAT: extents-beyond-memory.mlir:[[#@LINE+24]]:8: 'tensor.extract_slice': axis 1 has extent 9223372036854775807, expected at most 18014398509481984, since memory is limited
// TWO: 2

func.func @main(%a: tensor<?xf32>, %s: tensor<3xindex>) -> index {
  %0 = tensor.reshape %a(%s) : (tensor<?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %0, %c0 : tensor<?x?x?xf32>
  return %n : index
}

func.func @expanded(%a: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%c0, %n] : tensor<?xf32> into tensor<?x?xf32>
  %c1 = arith.constant 1 : index
  %m = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %m : index
}

// A slice without steps.
func.func @repeated(%a: tensor<?xf32>, %n: index, %step: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %x = tensor.expand_shape %a [[0, 1]] output_shape [1, %m] : tensor<?xf32> into tensor<1x?xf32>
  %0 = tensor.extract_slice %x[0, 1] [%c0, %n] [1, %step] : tensor<1x?xf32> to tensor<?x?xf32>
  %k = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %k : index
}

// A product of extents, or a list of any length, is checked where the tensor is returned.
// RUN: not broadloom run %s --function=returned --input=0xf32= --input="3xi64=18014398509481984 18014398509481984 0" 2>&1 | FileCheck %s --check-prefix=RETURNED
// RUN: not broadloom run %s --function=returned --input=0xf32= --input="2xi64=18014398509481985 0" 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: broadloom run %s --function=returned --input=0xf32= --input="2xi64=18014398509481984 0" --shapes | FileCheck %s --check-prefix=LARGEST
// RUN: not broadloom run %s --function=multiplied --input=0xf32= --input=i64=18014398509481984 2>&1 | FileCheck %s --check-prefix=MULTIPLIED
// RUN: broadloom shapes %s --function=multiplied --input=0xf32 --input=i64=18014398509481984 | FileCheck %s --check-prefix=SHAPE
// RETURNED: error: {{.*}}result 0 has shape 18014398509481984x18014398509481984x0, which no memory can hold
// BEYOND: error: {{.*}}result 0 has shape 18014398509481985x0, which no memory can hold
// LARGEST: 18014398509481984x0
// MULTIPLIED: error: {{.*}}result 0 has shape 0x18014398509481984x18014398509481984, which no memory can hold
// SHAPE: 0x18014398509481984x18014398509481984
func.func @returned(%a: tensor<?xf32>, %s: tensor<?xindex>) -> tensor<*xf32> {
  %0 = tensor.reshape %a(%s) : (tensor<?xf32>, tensor<?xindex>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
func.func @multiplied(%a: tensor<?xf32>, %n: index) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.expand_shape %a [[0, 1, 2]] output_shape [%c0, %n, %n] : tensor<?xf32> into tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
