// Vectors become their elements; the first and the last are checked before any is
// written, and those that may be outside are on a branch (mem-10).

// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-lower-vectors | FileCheck %s "--implicit-check-not=vector<"

// CHECK-LABEL: func.func @whole
// CHECK: memref.load %{{.*}}[%{{.*}}] {loom.check_only, loom.origin = "vector.load"}
// CHECK: memref.load %{{.*}}[%{{.*}}] {loom.check_only, loom.origin = "vector.load"}
// CHECK-COUNT-3: memref.load %{{.*}}[%{{.*}}] {loom.checked, loom.origin = "vector.load"}
// CHECK-COUNT-3: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: memref.load %{{.*}}[%{{.*}}] {loom.check_only, loom.origin = "vector.store"}
// CHECK: memref.load %{{.*}}[%{{.*}}] {loom.check_only, loom.origin = "vector.store"}
// CHECK-COUNT-3: memref.store %{{.*}}[%{{.*}}] {loom.checked, loom.origin = "vector.store"}
func.func @whole(%a: memref<?xf32>, %i: index) {
  %v = vector.load %a[%i] : memref<?xf32>, vector<3xf32>
  %s = arith.addf %v, %v : vector<3xf32>
  vector.store %s, %a[%i] : memref<?xf32>, vector<3xf32>
  return
}

// CHECK-LABEL: func.func @padded
// CHECK-SAME: (%[[A:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[P:.*]]: f32)
// CHECK: %[[N:.*]] = memref.dim %[[A]]
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[I]], %[[N]]
// CHECK: scf.if %[[IN]] -> (f32) {
// CHECK: %[[X:.*]] = memref.load %[[A]][%[[I]]] {loom.origin = "vector.transfer_read"}
// CHECK: scf.yield %[[X]]
// CHECK: else
// CHECK: scf.yield %[[P]]
// CHECK: scf.if
// CHECK: arith.addf
func.func @padded(%a: memref<?xf32>, %i: index, %p: f32) -> f32 {
  %v = vector.transfer_read %a[%i], %p : memref<?xf32>, vector<2xf32>
  %s = vector.reduction <add>, %v : vector<2xf32> into f32
  return %s : f32
}
