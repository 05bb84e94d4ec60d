// A user's operation that computes on scalars becomes a map; what is wrong is told
// of the operation that the user wrote. rt-2

// RUN: not broadloom check %s --function=operands --shape-library=%examples/user-operations/derived.mlir 2>&1 | FileCheck %s --check-prefix=OPERANDS
// OPERANDS-NOT: loom.map
// OPERANDS: :[[#]]:8: error: 'more.blend': operands are not broadcast-compatible along axis 0: extents 4 and 3
// OPERANDS-NOT: loom.map

// RUN: not broadloom check %s --function=result --shape-library=%examples/user-operations/derived.mlir 2>&1 | FileCheck %s --check-prefix=RESULT
// RESULT-NOT: loom.map
// RESULT: :[[#]]:8: error: 'more.blend': {{.*}}5
// RESULT-NOT: loom.map

// RUN: not broadloom shapes %s --function=dynamic --shape-library=%examples/user-operations/derived.mlir --input=4 --input=3 --input=1 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: {{^}}{{.*}}:[[#]]:8: 'more.blend': operands are not broadcast-compatible along axis 0: extents 4 and 3

func.func @operands(%a: tensor<4xf32>, %b: tensor<3xf32>, %w: tensor<1xf32>) -> tensor<4xf32> {
  %r = "more.blend"(%a, %b, %w) : (tensor<4xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @result(%a: tensor<4xf32>, %w: tensor<1xf32>) -> tensor<5xf32> {
  %r = "more.blend"(%a, %a, %w) : (tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<?xf32>, %w: tensor<1xf32>) -> tensor<?xf32> {
  %r = "more.blend"(%a, %b, %w) : (tensor<?xf32>, tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
