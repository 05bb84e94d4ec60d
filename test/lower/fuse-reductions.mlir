// RUN: broadloom-opt %s --split-input-file --broadloom-prepare --convert-tosa-to-loom --loom-fuse-maps --loom-insert-guards --loom-fuse-reductions | FileCheck %s

// A softmax is one operation, and nothing of it needs a guard: what is left of a
// shape when an axis is reduced broadcasts with it.

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:      %[[X:.*]]: tensor<?x?xf32>)
// CHECK-NEXT:    %[[R:.*]] = loom.fused_reduction(%[[X]]) over [1] : (tensor<?x?xf32>) -> tensor<?x?xf32> {
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32):
// CHECK-NEXT:      %[[M:.*]] = loom.reduce %[[A]] from 0xFF800000 : f32 : f32 -> f32 {
// CHECK:             arith.maximumf
// CHECK:           %[[S:.*]] = arith.subf %[[A]], %[[M]]
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[S]]
// CHECK-NEXT:      %[[T:.*]] = loom.reduce %[[E]] from 0.000000e+00 : f32 : f32 -> f32 {
// CHECK:             arith.addf
// CHECK:           %[[Q:.*]] = arith.divf %{{.*}}, %[[T]]
// CHECK-NEXT:      %[[O:.*]] = arith.mulf %[[E]], %[[Q]]
// CHECK-NEXT:      loom.yield %[[O]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %m = tosa.reduce_max %x {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %s = tosa.sub %x, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %e = tosa.exp %s : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %r = tosa.reciprocal %t : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %o = tosa.mul %e, %r, %z : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}

// -----

// The map before a reduction, and a weight that may be longer than the row: the
// runtime looks.

// CHECK-LABEL: func.func @rms(
// CHECK-SAME:      %[[X:.*]]: tensor<?x?xf32>, %[[W:.*]]: tensor<1x?xf32>)
// CHECK:         loom.require
// CHECK:         loom.fused_reduction(%[[X]], %[[W]]) over [1] : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
// CHECK-NOT:     loom.map
func.func @rms(%x: tensor<?x?xf32>, %w: tensor<1x?xf32>) -> tensor<?x?xf32> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %q = tosa.mul %x, %x, %z : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %t = tosa.reduce_sum %q {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %r = tosa.rsqrt %t : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %y = tosa.mul %x, %r, %z : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %o = tosa.mul %y, %w, %z : (tensor<?x?xf32>, tensor<1x?xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}

// -----

// What follows a reduction tells which of the open operands is the row: the one
// that has been reduced, wherever it stands.

// CHECK-LABEL: func.func @layer_norm(
// CHECK-SAME:      %[[X:.*]]: tensor<?x?xf32>, %[[N:.*]]: tensor<?x?xf32>, %[[W:.*]]: tensor<?x?xf32>)
// CHECK:         loom.fused_reduction(%[[X]], %[[N]], %[[W]]) over [1] : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NOT:     loom.map
// CHECK-NOT:     loom.fused_reduction
func.func @layer_norm(%x: tensor<?x?xf32>, %n: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %s = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %m = tosa.mul %n, %s, %z : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %d = tosa.sub %x, %m : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %q = tosa.mul %d, %d, %z : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %t = tosa.reduce_sum %q {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %v = tosa.mul %n, %t, %z : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %r = tosa.rsqrt %v : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = tosa.mul %w, %d, %z : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %o = tosa.mul %y, %r, %z : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}

// -----

// A mean that others read as well: what a reduction is combined with alone has
// one element for each row, most likely.

// CHECK-LABEL: func.func @mean(
// CHECK-SAME:      %[[X:.*]]: tensor<?x?xf32>, %[[N:.*]]: tensor<?x?xf32>)
// CHECK:         %[[M:.*]] = loom.fused_reduction(%[[X]], %[[N]]) over [1] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK:         loom.map(%{{.*}} = %[[X]] : tensor<?x?xf32>, %{{.*}} = %[[M]] : tensor<?x?xf32>)
// CHECK-NOT:     loom.fused_reduction
func.func @mean(%x: tensor<?x?xf32>, %n: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %s = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %m = tosa.mul %s, %n, %z : (tensor<?x1xf32>, tensor<?x?xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %d = tosa.sub %x, %m : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %m, %d : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// Successive reductions of one kind are one (red-1), and a narrow float is
// folded in f32 and rounded once (red-3).

// CHECK-LABEL: func.func @successive(
// CHECK:         loom.fused_reduction(%{{.*}}) over [0, 2] : (tensor<?x?x?xbf16>) -> tensor<1x?x1xbf16> {
// CHECK-COUNT-1: loom.reduce %{{.*}} from 0.000000e+00 : f32
// CHECK-NOT:     loom.reduce
// CHECK-NOT:     tosa.reduce
func.func @successive(%x: tensor<?x?x?xbf16>) -> tensor<1x?x1xbf16> {
  %a = tosa.reduce_sum %x {axis = 2 : i32} : (tensor<?x?x?xbf16>) -> tensor<?x?x1xbf16>
  %b = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<?x?x1xbf16>) -> tensor<1x?x1xbf16>
  return %b : tensor<1x?x1xbf16>
}

// -----

// Of two kinds they are two.

// CHECK-LABEL: func.func @kinds(
// CHECK:         loom.fused_reduction(%{{.*}}) over [1]
// CHECK:         loom.fused_reduction(%{{.*}}) over [0]
func.func @kinds(%x: tensor<?x?xi32>) -> tensor<1x1xi32> {
  %a = tosa.reduce_max %x {axis = 1 : i32} : (tensor<?x?xi32>) -> tensor<?x1xi32>
  %b = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<?x1xi32>) -> tensor<1x1xi32>
  return %b : tensor<1x1xi32>
}

// -----

// Other axes are other rows.

// CHECK-LABEL: func.func @otherAxes(
// CHECK:         %[[R:.*]] = loom.fused_reduction(%[[X:.*]]) over [0] : (tensor<?x?xf32>) -> tensor<1x?xf32>
// CHECK:         loom.fused_reduction(%[[X]], %[[R]]) over [1] : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
func.func @otherAxes(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = tosa.reduce_max %x {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<1x?xf32>
  %b = tosa.reduce_max %x {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %s = tosa.sub %x, %a : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %t = tosa.sub %s, %b : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  return %t : tensor<?x?xf32>
}

// -----

// What others read becomes a result.

// CHECK-LABEL: func.func @results(
// CHECK:         %[[R:.*]]:2 = loom.fused_reduction(%{{.*}}) over [1] : (tensor<?x?xf32>) -> (tensor<?x1xf32>, tensor<?x?xf32>)
// CHECK:         return %[[R]]#1, %[[R]]#0
func.func @results(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x1xf32>) {
  %e = tosa.exp %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  return %e, %t : tensor<?x?xf32>, tensor<?x1xf32>
}

// -----

// An operand that counts for its extents only keeps a map out of rows, where
// extents are those of what is computed from (rt-6).

// CHECK-LABEL: func.func @extentsOnly(
// CHECK:         %[[M:.*]] = loom.map
// CHECK:         loom.fused_reduction(%[[M]]) over [1]
func.func @extentsOnly(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x1xf32> {
  %m = loom.map(%a = %x : tensor<?x?xf32>, %b = %y : tensor<?x?xf32>) -> tensor<?x?xf32> {
    %n = arith.negf %a : f32
    loom.yield %n : f32
  }
  %t = tosa.reduce_sum %m {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  return %t : tensor<?x1xf32>
}

// -----

// NaN that is ignored is what changes nothing; logical reductions fold bytes.

// CHECK-LABEL: func.func @neutral(
// CHECK-DAG:     loom.reduce %{{.*}} from 0x7FC00000 : f32
// CHECK-DAG:     loom.reduce %{{.*}} from 2147483647 : i32
// CHECK-DAG:     loom.reduce %{{.*}} from 1.000000e+00 : f32
// CHECK-DAG:     loom.reduce %{{.*}} from 1 : i8
// CHECK-DAG:     loom.reduce %{{.*}} from 0 : i8
func.func @neutral(%x: tensor<?xf32>, %i: tensor<?xi32>, %p: tensor<?xi1>)
    -> (tensor<1xf32>, tensor<1xi32>, tensor<1xf32>, tensor<1xi1>, tensor<1xi1>) {
  %0 = tosa.reduce_max %x {axis = 0 : i32, nan_mode = IGNORE} : (tensor<?xf32>) -> tensor<1xf32>
  %1 = tosa.reduce_min %i {axis = 0 : i32} : (tensor<?xi32>) -> tensor<1xi32>
  %2 = tosa.reduce_product %x {axis = 0 : i32} : (tensor<?xf32>) -> tensor<1xf32>
  %3 = tosa.reduce_all %p {axis = 0 : i32} : (tensor<?xi1>) -> tensor<1xi1>
  %4 = tosa.reduce_any %p {axis = 0 : i32} : (tensor<?xi1>) -> tensor<1xi1>
  return %0, %1, %2, %3, %4 : tensor<1xf32>, tensor<1xi32>, tensor<1xf32>, tensor<1xi1>, tensor<1xi1>
}

// -----

// Mean and variance of several axes: one operation, and its operand is read by
// nothing else.

// CHECK-LABEL: func.func @mean_and_variance(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<?x?x?xf32>
// CHECK:         %[[R:.*]]:2 = loom.fused_reduction(%[[X]], %{{.*}}) over [1, 2]
// CHECK-COUNT-2:   loom.reduce
// CHECK-NOT:       loom.reduce
// CHECK-NOT:     loom.map
// CHECK:         return %[[R]]
func.func @mean_and_variance(%x: tensor<?x?x?xf32>, %n: tensor<1x1x1xf32>) -> (tensor<?x1x1xf32>, tensor<?x1x1xf32>) {
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %s1 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<?x?x?xf32>) -> tensor<?x1x?xf32>
  %s2 = tosa.reduce_sum %s1 {axis = 2 : i32} : (tensor<?x1x?xf32>) -> tensor<?x1x1xf32>
  %m = tosa.mul %s2, %n, %z : (tensor<?x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<?x1x1xf32>
  %d = tosa.sub %x, %m : (tensor<?x?x?xf32>, tensor<?x1x1xf32>) -> tensor<?x?x?xf32>
  %q = tosa.mul %d, %d, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xi8>) -> tensor<?x?x?xf32>
  %t1 = tosa.reduce_sum %q {axis = 1 : i32} : (tensor<?x?x?xf32>) -> tensor<?x1x?xf32>
  %t2 = tosa.reduce_sum %t1 {axis = 2 : i32} : (tensor<?x1x?xf32>) -> tensor<?x1x1xf32>
  %v = tosa.mul %t2, %n, %z : (tensor<?x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<?x1x1xf32>
  return %m, %v : tensor<?x1x1xf32>, tensor<?x1x1xf32>
}

// -----

// The logarithm of a sum of exponentials over an inner axis.

// CHECK-LABEL: func.func @log_sum_exp(
// CHECK-SAME:      %[[X:.*]]: tensor<?x?x?xf32>)
// CHECK-NEXT:    %[[R:.*]] = loom.fused_reduction(%[[X]]) over [1] : (tensor<?x?x?xf32>) -> tensor<?x1x?xf32>
// CHECK-COUNT-2:   loom.reduce
// CHECK-NOT:       loom.reduce
// CHECK:         return %[[R]]
func.func @log_sum_exp(%x: tensor<?x?x?xf32>) -> tensor<?x1x?xf32> {
  %m = tosa.reduce_max %x {axis = 1 : i32} : (tensor<?x?x?xf32>) -> tensor<?x1x?xf32>
  %d = tosa.sub %x, %m : (tensor<?x?x?xf32>, tensor<?x1x?xf32>) -> tensor<?x?x?xf32>
  %e = tosa.exp %d : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<?x?x?xf32>) -> tensor<?x1x?xf32>
  %l = tosa.log %s : (tensor<?x1x?xf32>) -> tensor<?x1x?xf32>
  %r = tosa.add %l, %m : (tensor<?x1x?xf32>, tensor<?x1x?xf32>) -> tensor<?x1x?xf32>
  return %r : tensor<?x1x?xf32>
}

// -----

// A root of mean squares over the first and the last axis.

// CHECK-LABEL: func.func @rms_of_two_axes(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<?x?x?xf32>
// CHECK:         %[[R:.*]] = loom.fused_reduction(%[[X]], %{{.*}}) over [0, 2] : (tensor<?x?x?xf32>, tensor<1x1x1xf32>) -> tensor<?x?x?xf32>
// CHECK-COUNT-1:   loom.reduce
// CHECK-NOT:       loom.reduce
// CHECK-NOT:     loom.map
// CHECK:         return %[[R]]
func.func @rms_of_two_axes(%x: tensor<?x?x?xf32>, %n: tensor<1x1x1xf32>) -> tensor<?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %q = tosa.mul %x, %x, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xi8>) -> tensor<?x?x?xf32>
  %s1 = tosa.reduce_sum %q {axis = 0 : i32} : (tensor<?x?x?xf32>) -> tensor<1x?x?xf32>
  %s2 = tosa.reduce_sum %s1 {axis = 2 : i32} : (tensor<1x?x?xf32>) -> tensor<1x?x1xf32>
  %m = tosa.mul %s2, %n, %z : (tensor<1x?x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x?x1xf32>
  %r = tosa.rsqrt %m : (tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
  %o = tosa.mul %x, %r, %z : (tensor<?x?x?xf32>, tensor<1x?x1xf32>, tensor<1xi8>) -> tensor<?x?x?xf32>
  return %o : tensor<?x?x?xf32>
}

// -----

// An argmax folds a number that is the larger the larger the element is, and
// the larger the smaller its index is; the map before it is part
// of it, the one behind it is over other axes (red-5).

// CHECK-LABEL: func.func @argmax(
// CHECK-SAME:      %[[X:.*]]: tensor<?x?x?xf32>)
// CHECK-NEXT:    %[[R:.*]] = loom.fused_reduction(%[[X]]) over [1] : (tensor<?x?x?xf32>) -> tensor<?x1x?xi32> {
// CHECK:           math.absf
// CHECK:           %[[P:.*]] = loom.index : i64
// CHECK:           %[[K:.*]] = arith.subi %{{.*}}, %[[P]]
// CHECK:           loom.reduce %[[K]] from -9223372032559808513 : i64 : i64 -> i64
// CHECK:             arith.maxsi
// CHECK:           loom.yield %{{.*}} : i32
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[R]] {{\[}}[0], [1, 2]] : tensor<?x1x?xi32> into tensor<?x?xi32>
// CHECK:         %[[M:.*]] = loom.map(%{{.*}} = %[[C]]
// CHECK:         return %[[M]]
func.func @argmax(%x: tensor<?x?x?xf32>) -> tensor<?x?xi32> {
  %a = tosa.abs %x : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %i = tosa.argmax %a {axis = 1 : i32} : (tensor<?x?x?xf32>) -> tensor<?x?xi32>
  %r = tosa.abs %i : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// -----

// The last axis, and the only one.

// CHECK-LABEL: func.func @argmax_last(
// CHECK:         loom.fused_reduction(%{{.*}}) over [1] : (tensor<?x4xi8>) -> tensor<?x1xi32>
// CHECK:           arith.extsi %{{.*}} : i8 to i64
// CHECK:         tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<?x1xi32> into tensor<?xi32>
// CHECK:         tensor.collapse_shape %{{.*}} [] : tensor<1xi32> into tensor<i32>
func.func @argmax_last(%x: tensor<?x4xi8>, %y: tensor<?xf16>) -> (tensor<?xi32>, tensor<i32>) {
  %i = tosa.argmax %x {axis = 1 : i32} : (tensor<?x4xi8>) -> tensor<?xi32>
  %j = tosa.argmax %y {axis = 0 : i32} : (tensor<?xf16>) -> tensor<i32>
  return %i, %j : tensor<?xi32>, tensor<i32>
}
