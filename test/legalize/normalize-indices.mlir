// RUN: broadloom-opt %s --loom-normalize-indices | FileCheck %s

// bcast-1: axes from the left, where the rank is known.
// CHECK-LABEL: func.func @extents
// CHECK: %[[S:.*]] = loom.shape_of
// CHECK-NEXT: %[[A:.*]] = loom.extent %[[S]][1]
// CHECK-NEXT: %[[B:.*]] = loom.extent %[[S]][0]
// CHECK-NEXT: %[[C:.*]] = arith.constant 1 : index
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
func.func @extents(%a: tensor<?x4xf32>) -> (index, index, index) {
  %s = loom.shape_of %a : tensor<?x4xf32> -> <[?, 4]>
  %0 = loom.extent %s[-1] : !loom.shape<[?, 4]>
  %1 = loom.extent %s[0] : !loom.shape<[?, 4]>
  %2 = loom.extent %s[-3] : !loom.shape<[?, 4]>
  return %0, %1, %2 : index, index, index
}

// CHECK-LABEL: func.func @unranked
// CHECK: loom.extent %{{.*}}[-1]
func.func @unranked(%a: tensor<*xf32>) -> index {
  %s = loom.shape_of %a : tensor<*xf32> -> <*>
  %0 = loom.extent %s[-1] : !loom.shape<*>
  return %0 : index
}

// CHECK-LABEL: func.func @reshape
// CHECK-SAME: %[[A:.*]]: tensor<?xf32>, %[[L:.*]]: tensor<2xi32>, %[[M:.*]]: tensor<2xindex>
// CHECK-NEXT: %[[I:.*]] = arith.index_cast %[[L]] : tensor<2xi32> to tensor<2xindex>
// CHECK-NEXT: tensor.reshape %[[A]](%[[I]])
// CHECK-NEXT: tensor.reshape %[[A]](%[[M]])
func.func @reshape(%a: tensor<?xf32>, %l: tensor<2xi32>, %m: tensor<2xindex>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = tensor.reshape %a(%l) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = tensor.reshape %a(%m) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
