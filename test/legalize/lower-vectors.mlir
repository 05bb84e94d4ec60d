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

// What is passed on are elements.

// CHECK-LABEL: func.func private @callee(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: index) -> (f32, f32)
func.func private @callee(%v: vector<2xf32>, %i: index) -> vector<2xf32> {
  return %v : vector<2xf32>
}

// CHECK-LABEL: func.func @carried
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, f32) {
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: scf.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK: call @callee(%{{.*}}, %{{.*}}, %{{.*}}) : (f32, f32, index) -> (f32, f32)
func.func @carried(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%s = %zero) -> vector<2xf32> {
    %v = vector.load %a[%i] : memref<?xf32>, vector<2xf32>
    %t = arith.addf %s, %v : vector<2xf32>
    scf.yield %t : vector<2xf32>
  }
  %q = call @callee(%r, %n) : (vector<2xf32>, index) -> vector<2xf32>
  vector.store %q, %a[%c0] : memref<?xf32>, vector<2xf32>
  return
}

// A position that is a value is an index of memory.

// CHECK-LABEL: func.func @position
// CHECK-SAME: (%[[A:.*]]: memref<?xf32>, %[[I:.*]]: index)
// CHECK: %[[M:.*]] = memref.alloca() {loom.origin = "vector.load"} : memref<3xf32>
// CHECK-COUNT-3: memref.store %{{.*}}, %[[M]][%{{.*}}] {loom.checked, loom.origin = "vector.extract"}
// CHECK: memref.load %[[M]][%[[I]]] {loom.origin = "vector.extract"}
func.func @position(%a: memref<?xf32>, %i: index) -> f32 {
  %v = vector.load %a[%i] : memref<?xf32>, vector<3xf32>
  %x = vector.extract %v[%i] : f32 from vector<3xf32>
  return %x : f32
}

// All elements are checked before any is written.

// CHECK-LABEL: func.func @masked
// CHECK-COUNT-2: memref.load %{{.*}} {loom.check_only, loom.origin = "vector.maskedstore"}
// CHECK-NOT: check_only
// CHECK: memref.store %{{.*}} {loom.checked, loom.origin = "vector.maskedstore"}
func.func @masked(%a: memref<?xf32>, %i: index, %k: index) {
  %v = arith.constant dense<1.0> : vector<2xf32>
  %m = vector.create_mask %k : vector<2xi1>
  vector.maskedstore %a[%i], %m, %v : memref<?xf32>, vector<2xi1>, vector<2xf32>
  return
}
