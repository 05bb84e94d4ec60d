// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-guard-nests | FileCheck %s

// One condition is for both accesses. Where it does not hold, the nest runs
// with its checks alone, in the order of the program.
// CHECK-LABEL: func.func @shift
// CHECK-SAME: (%[[A:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK: memref.dim %[[A]]
// CHECK: %[[FAILS:.*]] = arith.xori
// CHECK-NEXT: scf.if %[[FAILS]] {
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to %[[N]] {
// CHECK-NEXT: affine.load %[[A]][%[[I]] + 1] {loom.check_only, loom.origin = "affine.load"}
// CHECK-NEXT: affine.load %[[A]][%[[I]]] {loom.check_only, loom.origin = "affine.store"}
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to %[[N]] {
// CHECK-NEXT: affine.load %[[A]][%[[J]] + 1] {loom.checked}
// CHECK-NEXT: affine.store %{{.*}}, %[[A]][%[[J]]] {loom.checked}
func.func @shift(%a: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i + 1] : memref<?xf32>
    affine.store %x, %a[%i] : memref<?xf32>
  }
  return
}

// An index that depends on data has no condition in front of the loop.
// CHECK-LABEL: func.func @indirect
// CHECK-NOT: scf.if
// CHECK-NOT: loom.check
// CHECK: return
func.func @indirect(%a: memref<?xindex>, %n: index) {
  affine.for %i = 0 to %n {
    %j = memref.load %a[%i] : memref<?xindex>
    memref.store %i, %a[%j] : memref<?xindex>
  }
  return
}
