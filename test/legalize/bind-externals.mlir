// A function of another library gets the accesses that it declares as checks, and
// a call behind them (ffi-1).

// RUN: broadloom-opt %s --split-input-file --loom-mark-memory-functions --loom-bind-externals | FileCheck %s

// CHECK-LABEL: func.func private @scale(
// CHECK-SAME: %[[N:.*]]: i64, %[[X:.*]]: memref<?xf64>, %[[Y:.*]]: memref<?xf64>) -> f64
// CHECK-SAME: attributes {loom.memory}
// CHECK: cf.assert %{{.*}}, "scale takes a positive count"
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[N]]
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to %[[COUNT]] {
// CHECK-NEXT: affine.load %[[X]][%[[I]]] {loom.check_only} : memref<?xf64>
// CHECK-NEXT: affine.load %[[Y]][%[[I]] * 2] {loom.check_only, loom.origin = "affine.store"} : memref<?xf64>
// CHECK-NEXT: }
// CHECK-NEXT: %[[R:.*]] = loom.external_call "scale"(%[[N]], %[[X]], %[[Y]]) writes [2] {loom.origin = "scale"} : (i64, memref<?xf64>, memref<?xf64>) -> f64
// CHECK-NEXT: return %[[R]] : f64
func.func private @scale(i64, memref<?xf64>, memref<?xf64>) -> f64 attributes {loom.effects = @effects}
func.func private @effects(%n: i64, %x: memref<?xf64>, %y: memref<?xf64>) {
  %zero = arith.constant 0 : i64
  %p = arith.cmpi sgt, %n, %zero : i64
  cf.assert %p, "scale takes a positive count"
  %count = arith.index_cast %n : i64 to index
  affine.for %i = 0 to %count {
    %v = affine.load %x[%i] : memref<?xf64>
    %w = arith.mulf %v, %v : f64
    affine.store %w, %y[2 * %i] : memref<?xf64>
  }
  return
}

// -----

// An element that decides what else is read is read; one whose value nobody
// needs is only checked.
// CHECK-LABEL: func.func private @gather(
// CHECK: %[[V:.*]] = memref.load %{{.*}}[%{{.*}}] : memref<?xindex>
// CHECK-NEXT: memref.load %{{.*}}[%[[V]]] {loom.check_only} : memref<?xf32>
// CHECK: loom.external_call "gather"(%{{.*}}, %{{.*}}) writes [] descriptors {loom.origin = "gather"} : (memref<?xindex>, memref<?xf32>) -> ()
func.func private @gather(memref<?xindex>, memref<?xf32>)
    attributes {loom.effects = @effects, loom.convention = "descriptors"}
func.func private @effects(%at: memref<?xindex>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %i = memref.load %at[%c0] : memref<?xindex>
  %v = memref.load %x[%i] : memref<?xf32>
  return
}

// -----

// Elements that may change are marked; all others are compared behind the call.
// RUN: broadloom-opt %s --split-input-file --loom-mark-memory-functions --loom-bind-externals=watch-effects=true | FileCheck %s --check-prefix=WATCH
// WATCH-LABEL: func.func private @fill(
// WATCH-SAME: %[[X:.*]]: memref<?xf32>)
// WATCH: %[[BEFORE:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// WATCH: memref.copy %[[X]], %[[BEFORE]]
// WATCH: %[[MARKS:.*]] = memref.alloc(%{{.*}}) : memref<?xi1>
// WATCH: scf.for
// WATCH: memref.store %false, %[[MARKS]]
// WATCH: affine.load %[[X]][0] {loom.check_only, loom.origin = "affine.store"}
// WATCH: affine.store %true, %[[MARKS]][0]
// WATCH: loom.external_call "fill"(%[[X]]) writes [0] copies ["argument 0 of 'fill'"]
// WATCH: scf.for
// WATCH: loom.require %{{.*}}, "fill", "it wrote element [{0}] of argument 0 of 'fill', which its effects do not declare; what was there is lost"
// WATCH: memref.dealloc %[[BEFORE]]
// WATCH: memref.dealloc %[[MARKS]]
func.func private @fill(memref<?xf32>) attributes {loom.effects = @effects}
func.func private @effects(%x: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.store %zero, %x[0] : memref<?xf32>
  return
}

// -----

// What stands beside a function that tells the accesses, and repeated calls: the second one is left out where
// nothing is written between them.
// CHECK-LABEL: func.func private @norm(
// CHECK: loom.external_call "norm"(%{{.*}}) writes [] deterministic reentrant {loom.origin = "norm"} : (memref<4xf32>) -> f32
func.func private @norm(memref<4xf32>) -> f32 attributes {loom.effects = {summary = @effects, deterministic, reentrant}}
func.func private @effects(%x: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
  }
  return
}
// CHECK-LABEL: func.func @repeated(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>
// CHECK: %[[A:.*]] = call @norm(%[[X]])
// CHECK-NEXT: %[[B:.*]] = call @norm(%[[Y]])
// CHECK-NEXT: arith.addf %[[A]], %[[A]]
// CHECK-NEXT: affine.store
// CHECK-NEXT: %[[C:.*]] = call @norm(%[[X]])
// CHECK-NEXT: arith.addf %[[B]], %[[C]]
func.func @repeated(%x: memref<4xf32>, %y: memref<4xf32>) -> (f32, f32) {
  %a = call @norm(%x) : (memref<4xf32>) -> f32
  %b = call @norm(%y) : (memref<4xf32>) -> f32
  %again = call @norm(%x) : (memref<4xf32>) -> f32
  %s = arith.addf %a, %again : f32
  affine.store %s, %y[0] : memref<4xf32>
  %c = call @norm(%x) : (memref<4xf32>) -> f32
  %t = arith.addf %b, %c : f32
  return %s, %t : f32, f32
}
