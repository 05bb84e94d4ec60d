// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-lower-affine-accesses | FileCheck %s

// Messages name the operations of the program.
// CHECK: #[[MAP:.*]] = affine_map<(d0)[s0] -> (d0 * 2 + s0)>
// CHECK-LABEL: func.func @indices
// CHECK-SAME: (%[[A:.*]]: memref<?x?xf32>, %[[N:.*]]: index)
// CHECK: affine.for %[[I:.*]] = 0 to %[[N]]
// CHECK: %[[J:.*]] = affine.apply #[[MAP]](%[[I]])[%[[N]]] {loom.origin = "affine.load"}
// CHECK: %[[X:.*]] = memref.load %[[A]][%[[I]], %[[J]]] {loom.origin = "affine.load"}
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: memref.store %[[X]], %[[A]][%[[ZERO]], %[[I]]] {loom.origin = "affine.store"}
func.func @indices(%a: memref<?x?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i, 2 * %i + symbol(%n)] : memref<?x?xf32>
    affine.store %x, %a[0, %i] : memref<?x?xf32>
  }
  return
}

// CHECK-LABEL: func.func @noAxes
// CHECK: memref.load %{{.*}}[] {loom.origin = "affine.load"} : memref<f32>
func.func @noAxes(%a: memref<f32>) -> f32 {
  %x = affine.load %a[] : memref<f32>
  return %x : f32
}
