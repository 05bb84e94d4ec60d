// A rank that is inferred and contradicts an operation is told as a given one is;
// what reads the result follows from that and is not told.
// RUN: not broadloom compile %s -o /dev/null 2>&1 | FileCheck %s

// CHECK:     ranks-that-contradict.mlir:[[@LINE+5]]:8: error: 'tosa.reverse': axis is 2 but the input has 2 axes
// CHECK:     note: by its shape function
// CHECK-NOT: error:
func.func @main(%x: tensor<?x?xf32>) -> tensor<*xf32> {
  %0 = tosa.reverse %x {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<*xf32>
  %1 = tosa.reverse %0 {axis = 2 : i32} : (tensor<*xf32>) -> tensor<*xf32>
  %2 = tosa.reverse %1 {axis = 0 : i32} : (tensor<*xf32>) -> tensor<*xf32>
  return %2 : tensor<*xf32>
}
