// RUN: broadloom-opt %s --canonicalize --split-input-file | FileCheck %s

// The shape of a map's result is that of its operands: fusion may remove it.
// CHECK-LABEL: func.func @shape_of_map
// CHECK-NOT: loom.map
// CHECK: %[[S:.*]] = loom.shape_of %arg0
// CHECK: loom.constrain_broadcast "x", %[[S]]
func.func @shape_of_map(%a: tensor<?xf32>) {
  %r = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    %n = arith.negf %x : f32
    loom.yield %n : f32
  }
  %s = loom.shape_of %r : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "x", %s : !loom.shape<[?]>
  return
}

// -----

// CHECK-LABEL: func.func @extents
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[E:.*]] = loom.extent %{{.*}}[0]
// CHECK: return %[[E]], %[[C4]], %[[C4]], %[[C1]], %[[C2]]
func.func @extents(%a: tensor<?x4xf32>) -> (index, index, index, index, index) {
  %s = loom.shape_of %a : tensor<?x4xf32> -> !loom.shape<[?, 4]>
  %0 = loom.extent %s[0] : !loom.shape<[?, 4]>
  %1 = loom.extent %s[1] : !loom.shape<[?, 4]>
  %2 = loom.extent %s[-1] : !loom.shape<[?, 4]>
  %3 = loom.extent %s[-3] : !loom.shape<[?, 4]>
  %4 = loom.rank %s : !loom.shape<[?, 4]>
  return %0, %1, %2, %3, %4 : index, index, index, index, index
}

// -----

// A guard that must hold is none.
// CHECK-LABEL: func.func @holds
// CHECK-NEXT: return
func.func @holds() {
  %true = arith.constant true
  loom.require %true, "x", "never"
  loom.constrain "x", %true, "never"
  return
}

// -----

// Equal operands are one, and results that nobody reads are none; an operand
// that the body does not read stays, for its extents (rt-6).
// CHECK-LABEL: func.func @repeats
// CHECK: %[[R:.*]] = loom.map(%[[X:.*]] = %arg0 : tensor<?xf32>, %{{.*}} = %arg1 : tensor<?xf32>) -> tensor<?xf32> {
// CHECK: arith.addf %[[X]], %[[X]]
// CHECK: return %[[R]]
func.func @repeats(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r:2 = loom.map(%x = %a : tensor<?xf32>, %y = %a : tensor<?xf32>, %z = %b : tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %s = arith.addf %x, %y : f32
    loom.yield %x, %s : f32, f32
  }
  return %r#1 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @identity
// CHECK-NEXT: return %arg0
func.func @identity(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    loom.yield %x : f32
  }
  return %r : tensor<?xf32>
}
