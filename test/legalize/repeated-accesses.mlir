// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-guard-nests | FileCheck %s

// Accesses that are like those of an earlier nest need no second guard, also
// where equal numbers are computed twice. What only the second nest accesses has
// a guard of its own.
// CHECK-LABEL: func.func @repeated
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>
// CHECK: {loom.finds_failure}
// CHECK: scf.if
// CHECK-NOT: memref.load %[[A]]
// CHECK: memref.load %[[B]]{{.*}}loom.check_only
// CHECK-NOT: memref.load %[[A]]
// CHECK: {loom.finds_failure}
// CHECK: affine.store %{{.*}}, %[[A]]{{.*}}loom.checked
// CHECK: affine.load %[[A]]{{.*}}loom.checked
// CHECK: affine.store %{{.*}}, %[[B]]{{.*}}loom.checked
func.func @repeated(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %x = arith.constant 0.0 : f32
  %k = arith.addi %n, %n : index
  affine.for %i = 0 to %k {
    affine.store %x, %a[%i + 1] : memref<?xf32>
  }
  %l = arith.addi %n, %n : index
  affine.for %i = 0 to %l {
    %y = affine.load %a[%i + 1] : memref<?xf32>
    affine.store %y, %b[%i] : memref<?xf32>
  }
  return
}

// Loops of scf with the same bounds and conditions are alike.
// CHECK-LABEL: func.func @ofScf
// CHECK-COUNT-1: {loom.finds_failure}
// CHECK-NOT: loom.finds_failure
func.func @ofScf(%a: memref<?x?xf32>, %n: index, %m: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %i to %m step %c1 {
      %p = arith.cmpi slt, %j, %n : index
      scf.if %p {
        memref.store %x, %a[%i, %j] : memref<?x?xf32>
      }
    }
  }
  %d0 = arith.constant 0 : index
  %d1 = arith.constant 1 : index
  scf.for %i = %d0 to %n step %d1 {
    scf.for %j = %i to %m step %d1 {
      %p = arith.cmpi slt, %j, %n : index
      scf.if %p {
        memref.store %x, %a[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// The variables of two loops with equal bounds are two: each order of axes has
// a guard. So have other bounds, other subscripts, and the other branch of a
// condition.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-6: {loom.finds_failure}
// CHECK: return
func.func @others(%a: memref<?x?xf32>, %n: index, %m: index, %x: f32) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.store %x, %a[%i, %j] : memref<?x?xf32>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.store %x, %a[%j, %i] : memref<?x?xf32>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      affine.store %x, %a[%i, %j] : memref<?x?xf32>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      affine.store %x, %a[%i, %j + 1] : memref<?x?xf32>
    }
  }
  affine.for %i = 0 to %n {
    affine.if affine_set<(d) : (d - 5 >= 0)>(%i) {
      affine.store %x, %a[%i, 7] : memref<?x?xf32>
    }
  }
  affine.for %i = 0 to %n {
    affine.if affine_set<(d) : (d - 5 >= 0)>(%i) {
    } else {
      affine.store %x, %a[%i, 7] : memref<?x?xf32>
    }
  }
  return
}

// A guard that is repeated under a branch, or stands in one, says nothing of
// what is behind the branch; one in a block covers the rest of the block.
// CHECK-LABEL: func.func @branches
// CHECK-COUNT-4: {loom.finds_failure}
// CHECK-NOT: loom.finds_failure
// CHECK: return
func.func @branches(%a: memref<?xf32>, %b: memref<?xindex>, %n: index, %p: i1) {
  %x = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  scf.if %p {
    affine.for %i = 0 to %n {
      affine.store %x, %a[%i] : memref<?xf32>
    }
  }
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf32>
  }
  %m = memref.load %b[%c0] : memref<?xindex>
  scf.if %p {
    affine.for %i = 0 to %m {
      affine.store %x, %a[%i] : memref<?xf32>
    }
    scf.if %p {
      affine.for %i = 0 to %m {
        affine.store %x, %a[%i] : memref<?xf32>
      }
    }
  } else {
    affine.for %i = 0 to %m {
      affine.store %x, %a[%i] : memref<?xf32>
    }
  }
  return
}

// Numbers that are loaded twice are two.
// CHECK-LABEL: func.func @loaded
// CHECK-COUNT-2: {loom.finds_failure}
// CHECK: return
func.func @loaded(%a: memref<?xf32>, %b: memref<?xindex>) {
  %x = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = memref.load %b[%c0] : memref<?xindex>
  affine.for %i = 0 to %m {
    affine.store %x, %a[%i] : memref<?xf32>
  }
  %l = memref.load %b[%c0] : memref<?xindex>
  affine.for %i = 0 to %l {
    affine.store %x, %a[%i] : memref<?xf32>
  }
  return
}
