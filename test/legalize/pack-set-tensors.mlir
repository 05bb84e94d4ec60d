// Tensors whose shape is a set become tensors of one axis (set-5, set-6).

// RUN: broadloom-opt %s --split-input-file --loom-pack-set-tensors --verify-diagnostics | FileCheck %s

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">

// CHECK-LABEL: func.func @elements(
// CHECK-SAME:  %[[A:.*]]: tensor<?xf64>, %[[B:.*]]: tensor<?xf64>) -> tensor<?xf64> {
// CHECK:       scf.while
// CHECK:       loom.constrain "func.func", %{{.*}}, "argument 0 has {0} elements, but the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i) has {1} where n is {2} and {3} where it is {4}"
// CHECK:       loom.constrain "tosa.add", %{{.*}}, "operand 0 has {0} elements but operand 1 has {1}, of the shape {{.*}}; both need the same extents"
// CHECK:       %[[S:.*]] = tosa.add %[[A]], %[[B]] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
// CHECK:       %[[C:.*]] = tensor.collapse_shape %{{.*}} : tensor<1x1xf64> into tensor<1xf64>
// CHECK:       %[[T:.*]] = tosa.sub %[[S]], %[[C]] : (tensor<?xf64>, tensor<1xf64>) -> tensor<?xf64>
// CHECK:       return %[[T]] : tensor<?xf64>
func.func @elements(%a: tensor<?x?xf64, #lower>, %b: tensor<?x?xf64, #lower>) -> tensor<?x?xf64, #lower> {
  %c = "tosa.const"() {values = dense<2.0> : tensor<1x1xf64>} : () -> tensor<1x1xf64>
  %s = tosa.add %a, %b : (tensor<?x?xf64, #lower>, tensor<?x?xf64, #lower>) -> tensor<?x?xf64, #lower>
  %t = tosa.sub %s, %c : (tensor<?x?xf64, #lower>, tensor<1x1xf64>) -> tensor<?x?xf64, #lower>
  return %t : tensor<?x?xf64, #lower>
}

// Nothing is checked of numbers.
// CHECK-LABEL: func.func @numbers(
// CHECK-SAME:  %[[A:.*]]: tensor<10xf32>) -> tensor<10xf32> {
// CHECK-NEXT:  %[[C:.*]] = arith.constant dense<1.000000e+00> : tensor<10xf32>
// CHECK-NOT:   scf.while
// CHECK:       %[[S:.*]] = arith.addf %[[A]], %[[C]] : tensor<10xf32>
// CHECK:       return %[[S]]
func.func @numbers(%a: tensor<4x4xf32, #lower>) -> tensor<4x4xf32, #lower> {
  %c = arith.constant dense<1.0> : tensor<4x4xf32, #lower>
  %s = arith.addf %a, %c : tensor<4x4xf32, #lower>
  return %s : tensor<4x4xf32, #lower>
}

// CHECK-LABEL: func.func @pack(
// CHECK-SAME:  %[[D:.*]]: tensor<4x4xf32>) -> tensor<10xf32> {
// CHECK:       linalg.generic
// CHECK:       loom.constrain "loom.to_set", %{{.*}}, "element [{0}, {1}] of the tensor is not 0; it is none of the shape
// CHECK:       %[[E:.*]] = tensor.empty() {{.*}}: tensor<10xf32>
// CHECK:       %[[R:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[E]]) -> (tensor<10xf32>) {
// CHECK:         %[[ROW:.*]] = tensor.extract_slice %[[D]]
// CHECK:         tensor.insert_slice %[[ROW]] into %[[T]]
// CHECK:       return %[[R]]
func.func @pack(%d: tensor<4x4xf32>) -> tensor<4x4xf32, #lower> {
  %t = loom.to_set zero %d : tensor<4x4xf32> to tensor<4x4xf32, #lower>
  return %t : tensor<4x4xf32, #lower>
}

// CHECK-LABEL: func.func @elements_of(
// CHECK-SAME:  %[[A:.*]]: tensor<10xf32>) -> tensor<10xf32> {
// CHECK:       return %[[A]]
func.func @elements_of(%a: tensor<4x4xf32, #lower>) -> tensor<10xf32> {
  %e = loom.set_elements %a : tensor<4x4xf32, #lower> to tensor<10xf32>
  return %e : tensor<10xf32>
}

// CHECK-LABEL: func.func @multiply(
// CHECK-SAME:  %[[A:.*]]: tensor<10xf32>, %[[B:.*]]: tensor<4x?xf32>
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK:           tensor.extract_slice %[[A]]
// CHECK:         tensor.extract_slice %[[B]]
// CHECK:         linalg.matmul
// CHECK:         tensor.insert_slice
func.func @multiply(%a: tensor<4x4xf32, #lower>, %b: tensor<4x?xf32>, %n: index) -> tensor<4x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<4x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x4xf32, #lower>, tensor<4x?xf32>) outs(%z : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %p : tensor<4x?xf32>
}

// -----

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">
#upper = #loom.shape<"(i, j)[n] : (0 <= i <= j, j < n)">
#row = #loom.shape<"(i, j) : (0 <= i < 4, 0 <= j <= 3)">
func.func @sets(%a: tensor<4x4xf32, #lower>, %u: tensor<4x4xf32, #upper>, %r: tensor<4x4xf32, #row>, %d: tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32, #lower>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32, #lower>) -> tensor<4x4xf32, #lower>
  %y = linalg.fill ins(%zero : f32) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error @+1 {{'linalg.matmul' op has a dense factor, operand 1, and a result of the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i); the result is dense, of which 'loom.to_set' takes the elements}}
  %0 = linalg.matmul ins(%a, %d : tensor<4x4xf32, #lower>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32, #lower>) -> tensor<4x4xf32, #lower>
  // expected-error @+1 {{multiplies the shapes (i, j)[n] : (i <= n - 1, 0 <= j <= i) and (i, j)[n] : (0 <= i, i <= j <= n - 1), of which the product is not known to have 0 in all elements that are none of the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i); use a dense result and 'loom.to_set'}}
  %1 = linalg.matmul ins(%a, %u : tensor<4x4xf32, #lower>, tensor<4x4xf32, #upper>) outs(%z : tensor<4x4xf32, #lower>) -> tensor<4x4xf32, #lower>
  // expected-error @+1 {{which is supported where each has one symbol or none has; use a dense result and 'loom.to_set'}}
  %2 = linalg.matmul ins(%a, %r : tensor<4x4xf32, #lower>, tensor<4x4xf32, #row>) outs(%z : tensor<4x4xf32, #lower>) -> tensor<4x4xf32, #lower>
  // expected-error @+1 {{has indexing maps of its own; a product of a set takes rows of the first factor and columns of the second one; use 'loom.from_set' or a transposition}}
  %3 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%a, %d : tensor<4x4xf32, #lower>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">
func.func @sums(%a: tensor<4x4xf32, #lower>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) {
  // expected-error @+1 {{'linalg.matmul' op adds to its destination; give it zeros ('linalg.fill'), since products of a set are summed from 0 on}}
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32, #lower>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error @+1 {{'linalg.matmul' op adds to its destination; give it zeros ('linalg.fill'), since products of a set are summed from 0 on}}
  %1 = linalg.matmul ins(%b, %a : tensor<4x4xf32>, tensor<4x4xf32, #lower>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %minus = arith.constant -0.0 : f32
  %z = linalg.fill ins(%minus : f32) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error @+1 {{'linalg.matmul' op adds to its destination; give it zeros ('linalg.fill'), since products of a set are summed from 0 on}}
  %5 = linalg.matmul ins(%b, %a : tensor<4x4xf32>, tensor<4x4xf32, #lower>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error @+1 {{'linalg.matmul' op adds to its destination; give it zeros ('linalg.fill'), since products of a set are summed from 0 on}}
  %4 = linalg.matmul ins(%a, %a : tensor<4x4xf32, #lower>, tensor<4x4xf32, #lower>) outs(%a : tensor<4x4xf32, #lower>) -> tensor<4x4xf32, #lower>
  // expected-error @+1 {{has a value for each element of type}}
  %2 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32, #lower>
  // expected-error @+1 {{'tensor.extract_slice' op takes no tensor whose shape is a set; make a dense one by 'loom.from_set', or take its elements by 'loom.set_elements'}}
  %3 = tensor.extract_slice %a[0, 0] [2, 2] [1, 1] : tensor<4x4xf32, #lower> to tensor<2x2xf32>
  return
}

// -----

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">
// expected-error @+1 {{argument 0 has type 'tensor<?x?xf32, #loom.shape<"(i, j)[n] : (i <= n - 1, 0 <= j <= i)">>', of which the elements tell the extents; leave 'loom.extents' out}}
func.func @named(%a: tensor<?x?xf32, #lower> {loom.extents = #loom.extents<[m, m]>}) {
  return
}

// -----

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">
// expected-error @+1 {{result 0 has type 'tensor<?x?xf32, #loom.shape<"(i, j)[n] : (i <= n - 1, 0 <= j <= i)">>', which a function without a body cannot have; use memory of this shape}}
func.func private @outside() -> tensor<?x?xf32, #lower>
