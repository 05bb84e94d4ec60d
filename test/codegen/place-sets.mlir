// Memory whose shape is a set becomes memory of one axis (set-1, set-2).

// RUN: broadloom-opt %s --loom-place-memory --split-input-file | FileCheck %s

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">

// The place of [i, j] is i (i + 1) / 2 + j: the extent is not needed.

// CHECK-LABEL: func.func private @load(%arg0: memref<?xf64>, %arg1: index, %arg2: index) -> f64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: arith.muli %arg1, %arg1
// CHECK: %[[HALF:.*]] = arith.shrsi
// CHECK: %[[PLACE:.*]] = arith.addi %{{.*}}, %[[HALF]]
// CHECK: memref.load %arg0[%[[PLACE]]] : memref<?xf64>
func.func private @load(%a: memref<?x?xf64, #lower>, %i: index, %j: index) -> f64 attributes {loom.memory} {
  %x = memref.load %a[%i, %j] : memref<?x?xf64, #lower>
  return %x : f64
}

// -----

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">

// The count of a caller's array is compared with that of the extent that it
// tells.

// CHECK-LABEL: func.func @argument(%arg0: memref<?xf64>) -> index
// CHECK: %[[GIVEN:.*]] = memref.dim %arg0
// CHECK: scf.while
// CHECK: loom.require %{{.*}}, "func.func", "argument 0 has {0} elements, but the shape (i, j)[n] : (i <= n - 1, 0 <= j <= i) has {1} where n is {2} and {3} where it is {4}"
func.func @argument(%a: memref<?x?xf64, #lower>) -> index attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x?xf64, #lower>
  return %n : index
}

// -----

#lower = #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">

// CHECK-LABEL: func.func private @made(%arg0: index)
// CHECK-NOT: scf.while
// CHECK: %[[STATIC:.*]] = memref.alloc() : memref<10xf64>
// CHECK: %[[OPEN:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK: memref.copy %[[OPEN]], %[[OPEN]] : memref<?xf64> to memref<?xf64>
// CHECK: linalg.fill {{.*}} outs(%[[STATIC]] : memref<10xf64>)
// CHECK: memref.dealloc %[[STATIC]] : memref<10xf64>
func.func private @made(%n: index) attributes {loom.memory} {
  %x = arith.constant 1.0 : f64
  %s = memref.alloc() : memref<4x4xf64, #lower>
  %m = memref.alloc(%n, %n) : memref<?x?xf64, #lower>
  memref.copy %m, %m : memref<?x?xf64, #lower> to memref<?x?xf64, #lower>
  %p = loom.packed %s : memref<4x4xf64, #lower> to memref<10xf64>
  linalg.fill ins(%x : f64) outs(%p : memref<10xf64>)
  memref.dealloc %s : memref<4x4xf64, #lower>
  memref.dealloc %m : memref<?x?xf64, #lower>
  return
}
