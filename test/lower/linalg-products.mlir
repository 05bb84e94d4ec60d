// RUN: broadloom-opt %s --pass-pipeline='builtin.module(func.func(convert-linalg-to-contract))' --split-input-file | FileCheck %s

// Operands whose axes are in another order are transposed, and the axes of a
// kind become one.
// CHECK-LABEL: func.func @axes
// CHECK: %[[A:.*]] = linalg.transpose ins(%arg0 : tensor<?x4x?xf32>) outs(%{{.*}}) permutation = [2, 0, 1]
// CHECK: %[[IMAGE:.*]] = tensor.collapse_shape %[[A]] {{\[\[}}0], [1, 2]] : tensor<?x?x4xf32> into tensor<?x?xf32>
// CHECK: %[[WEIGHT:.*]] = tensor.collapse_shape %arg1 {{\[\[}}0, 1], [2]] : tensor<?x4x8xf32> into tensor<?x8xf32>
// CHECK: %[[SUM:.*]] = loom.contract(%[[IMAGE]], %[[WEIGHT]]) {{.*}} : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK: %[[R:.*]] = linalg.transpose ins(%[[SUM]] : tensor<?x8xf32>) {{.*}} permutation = [1, 0]
// CHECK: return %[[R]] : tensor<8x?xf32>
#a = affine_map<(m, n, l, k) -> (l, k, m)>
#w = affine_map<(m, n, l, k) -> (l, k, n)>
#r = affine_map<(m, n, l, k) -> (n, m)>
func.func @axes(%a: tensor<?x4x?xf32>, %w: tensor<?x4x8xf32>, %e: tensor<8x?xf32>) -> tensor<8x?xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x?xf32>) -> tensor<8x?xf32>
  %0 = linalg.generic {indexing_maps = [#a, #w, #r], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%a, %w : tensor<?x4x?xf32>, tensor<?x4x8xf32>) outs(%f : tensor<8x?xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %m = arith.mulf %y, %x : f32
    %s = arith.addf %m, %old : f32
    linalg.yield %s : f32
  } -> tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
}

// -----

// An operand without an axis of its own has one of extent 1, and a constant one
// stays a constant.
// CHECK-LABEL: func.func @vector
// CHECK: %[[W:.*]] = arith.constant dense<{{\[\[}}1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// CHECK: %[[SUM:.*]] = loom.contract(%arg0, %[[W]]) {{.*}} : (tensor<?x2xf32>, tensor<2x1xf32>) -> tensor<?x1xf32>
// CHECK: tensor.collapse_shape %[[SUM]] {{\[\[}}0, 1]] : tensor<?x1xf32> into tensor<?xf32>
func.func @vector(%a: tensor<?x2xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.matvec ins(%a, %w : tensor<?x2xf32>, tensor<2xf32>) outs(%f : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Integers are widened as signed ones.
// CHECK-LABEL: func.func @integers
// CHECK: loom.contract(%arg0, %arg1) {{.*}} : (tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi32>
func.func @integers(%a: tensor<?x?xi8>, %w: tensor<?x?xi8>, %e: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<?x?xi32>) -> tensor<?x?xi32>
  %0 = linalg.matmul ins(%a, %w : tensor<?x?xi8>, tensor<?x?xi8>) outs(%f : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

// Loops remain: unsigned integers, a destination that is not 0, f16, the sum of
// one operand, a row that is read twice, a difference, and a dot product, which
// has no axis of one operand alone.
// CHECK-LABEL: func.func @loops
// CHECK-NOT: loom.contract
#row = affine_map<(m, n, k) -> (m, k)>
#column = affine_map<(m, n, k) -> (k, n)>
#square = affine_map<(m, n, k) -> (k, k)>
#one = affine_map<(m, n, k) -> (k)>
#result = affine_map<(m, n, k) -> (m, n)>
#iterators = ["parallel", "parallel", "reduction"]
func.func @loops(%a: tensor<4x4xi8>, %b: tensor<4x4xf32>, %d: tensor<4x4xf16>, %v: tensor<4xf32>) -> (tensor<4x4xi32>, tensor<4x4xf32>, tensor<4x4xf16>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>) {
  %i = arith.constant dense<0> : tensor<4x4xi32>
  %f = arith.constant dense<0.0> : tensor<4x4xf32>
  %g = arith.constant dense<0.0> : tensor<4x4xf16>
  %h = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %a : tensor<4x4xi8>, tensor<4x4xi8>) outs(%i : tensor<4x4xi32>) -> tensor<4x4xi32>
  %1 = linalg.matmul ins(%b, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%d, %d : tensor<4x4xf16>, tensor<4x4xf16>) outs(%g : tensor<4x4xf16>) -> tensor<4x4xf16>
  %3 = linalg.generic {indexing_maps = [#square, #column, affine_map<(m, n, k) -> (m, n)>], iterator_types = #iterators} ins(%b, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %old, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %4 = linalg.generic {indexing_maps = [#one, #one, #result], iterator_types = #iterators} ins(%v, %v : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %old, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %5 = linalg.generic {indexing_maps = [#row, #column, #result], iterator_types = #iterators} ins(%b, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.subf %old, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %6 = linalg.dot ins(%v, %v : tensor<4xf32>, tensor<4xf32>) outs(%h : tensor<f32>) -> tensor<f32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4x4xi32>, tensor<4x4xf32>, tensor<4x4xf16>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>
}

// -----

// A body with more operations, which may fail, and types with encodings.
// CHECK-LABEL: func.func @more
// CHECK-NOT: loom.contract
#row = affine_map<(m, n, k) -> (m, k)>
#column = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
func.func @more(%a: tensor<4x4xf32>, %b: tensor<4x4xf32, "e">) -> (tensor<4x4xf32>, tensor<4x4xf32, "e">) {
  %f = arith.constant dense<0.0> : tensor<4x4xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#row, #column, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %c = arith.cmpf olt, %x, %y : f32
    cf.assert %c, "not less"
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %old, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %g = linalg.fill ins(%zero : f32) outs(%b : tensor<4x4xf32, "e">) -> tensor<4x4xf32, "e">
  %1 = linalg.matmul ins(%b, %b : tensor<4x4xf32, "e">, tensor<4x4xf32, "e">) outs(%g : tensor<4x4xf32, "e">) -> tensor<4x4xf32, "e">
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32, "e">
}

// -----

// Elements that are not in the attribute itself stay a constant, too. Axes whose
// extents do not fit 64 bits together do not become one.
// CHECK-LABEL: func.func @resource
// CHECK: %[[W:.*]] = arith.constant dense_resource<weights> : tensor<4x2xf32>
// CHECK: loom.contract(%{{.*}}, %[[W]])
// CHECK: linalg.generic
#two = affine_map<(m, n, k, l) -> (m, k, l)>
#weights = affine_map<(m, n, k, l) -> (k, l, n)>
#long = affine_map<(m, q, n, k) -> (m, q, k)>
#none = affine_map<(m, q, n, k) -> (k, n)>
func.func @resource(%a: tensor<?x2x2xf32>, %e: tensor<?x2xf32>, %b: tensor<4294967296x3221225472x0xf32>, %w: tensor<0x0xf32>, %r: tensor<4294967296x3221225472x0xf32>) -> (tensor<?x2xf32>, tensor<4294967296x3221225472x0xf32>) {
  %c = arith.constant dense_resource<weights> : tensor<2x2x2xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
  %0 = linalg.generic {indexing_maps = [#two, #weights, affine_map<(m, n, k, l) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%a, %c : tensor<?x2x2xf32>, tensor<2x2x2xf32>) outs(%f : tensor<?x2xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %old, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x2xf32>
  %g = linalg.fill ins(%zero : f32) outs(%r : tensor<4294967296x3221225472x0xf32>) -> tensor<4294967296x3221225472x0xf32>
  %1 = linalg.generic {indexing_maps = [#long, #none, affine_map<(m, q, n, k) -> (m, q, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%b, %w : tensor<4294967296x3221225472x0xf32>, tensor<0x0xf32>) outs(%g : tensor<4294967296x3221225472x0xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %old, %p : f32
    linalg.yield %s : f32
  } -> tensor<4294967296x3221225472x0xf32>
  return %0, %1 : tensor<?x2xf32>, tensor<4294967296x3221225472x0xf32>
}

{-# dialect_resources: { builtin: { weights: "0x040000000000803F000000400000404000008040000000400000803F0000A0400000C040" } } #-}
