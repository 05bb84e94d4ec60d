// RUN: broadloom run %s --input=i64=1 --input=2x1xf32=7 | FileCheck %s

// What @made returns is known to be 5x1 where it is made, but not by its type:
// the copy that @main writes to has the extents of the value.
// CHECK: {{\[\[}}1.]
// CHECK-NEXT: [7.]
// CHECK-NEXT: [7.]
// CHECK-NEXT: [1.]
// CHECK-NEXT: [1.]]
// CHECK-NEXT: {{\[\[}}1.]
// CHECK-NEXT: [1.]
func.func private @made() -> tensor<?x?xf32> {
  %zeros = arith.constant dense<0.0> : tensor<5x1xf32>
  %ones = tosa.exp %zeros : (tensor<5x1xf32>) -> tensor<5x1xf32>
  %open = tensor.cast %ones : tensor<5x1xf32> to tensor<?x?xf32>
  %given = tensor.cast %zeros : tensor<5x1xf32> to tensor<?x?xf32>
  %axis = arith.constant 1 : index
  %none = arith.constant 0 : index
  %columns = tensor.dim %given, %axis : tensor<?x?xf32>
  %part = tensor.extract_slice %given[0, 0] [%none, %columns] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %inserted = tensor.insert_slice %part into %open[0, 0] [%none, %columns] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  return %inserted : tensor<?x?xf32>
}

func.func @main(%at: index, %part: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %made = call @made() : () -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %part, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %part, %c1 : tensor<?x?xf32>
  %written = tensor.insert_slice %part into %made[%at, 0] [%rows, %columns] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  return %written, %made : tensor<?x?xf32>, tensor<?x?xf32>
}
