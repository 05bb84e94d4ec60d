// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-guard-nests | FileCheck %s

// One condition is for both accesses. Where it does not hold, the nest runs
// with its checks alone, in the order of the program, from the first iteration
// on that has an access outside.
// CHECK-LABEL: func.func @shift
// CHECK-SAME: (%[[A:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK: memref.dim %[[A]]
// CHECK: %[[FAILS:.*]] = arith.xori
// CHECK-NEXT: scf.if %[[FAILS]] {
// CHECK: %[[FIRST:.*]]:2 = scf.while
// CHECK: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %[[I:.*]] = %[[FIRST]]#0 to %[[N]] step
// CHECK-NEXT: %[[NEXT:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK-NEXT: memref.load %[[A]][%[[NEXT]]] {loom.check_only, loom.origin = "affine.load"}
// CHECK-NEXT: memref.load %[[A]][%[[I]]] {loom.check_only, loom.origin = "affine.store"}
// CHECK-NEXT: } {loom.origin = "affine.for"}
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

// Loops and branches of scf are read as those of affine are. A step that is
// not known must be at least 1, and such a loop is not searched.
// CHECK-LABEL: func.func @ofScf
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[S:.*]]: index
// CHECK: arith.cmpi sgt, %[[S]]
// CHECK: scf.if
// CHECK-NOT: scf.while
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %[[S]]
// CHECK-NEXT: %[[TWICE:.*]] = arith.muli %[[I]]
// CHECK-NEXT: %[[LESS:.*]] = arith.cmpi slt, %[[TWICE]], %[[N]]
// CHECK-NEXT: scf.if %[[LESS]]
// CHECK-NEXT: memref.load %[[A]][%[[TWICE]]] {loom.check_only, loom.origin = "memref.store"}
// CHECK: scf.for
// CHECK: memref.store %{{.*}} {loom.checked}
func.func @ofScf(%a: memref<?xf32>, %n: index, %s: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %s {
    %k = arith.muli %i, %c2 : index
    %less = arith.cmpi slt, %k, %n : index
    scf.if %less {
      memref.store %x, %a[%k] : memref<?xf32>
    }
  }
  return
}

// A loop that compares unsigned numbers, and a condition that is computed in the
// loop from floats, are not read.
// CHECK-LABEL: func.func @unread
// CHECK-NOT: loom.check
// CHECK: return
func.func @unread(%a: memref<?xf32>, %p: i1, %n: index, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for unsigned %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %c = arith.cmpf ogt, %y, %x : f32
    %f = arith.xori %p, %c : i1
    scf.if %f {
      memref.store %x, %a[%i] : memref<?xf32>
    }
  }
  return
}

// An index that depends on data has no condition in front of the loop.
// CHECK-LABEL: func.func @indirect
// CHECK: memref.load %{{.*}} {loom.checked}
// CHECK-NEXT: memref.store %{{[^{]*$}}
// CHECK: return
func.func @indirect(%a: memref<?xindex>, %n: index) {
  affine.for %i = 0 to %n {
    %j = memref.load %a[%i] : memref<?xindex>
    memref.store %i, %a[%j] : memref<?xindex>
  }
  return
}

// What an affine.apply has among its operands but does not use is no part of
// the checks: here, a load.
// CHECK-LABEL: func.func @unused
// CHECK: scf.for
// CHECK-NEXT: memref.load %{{.*}} {loom.check_only, loom.origin = "memref.load"}
// CHECK-NOT: loom.checked
// CHECK: memref.load %{{.*}} {loom.check_only, loom.origin = "memref.store"}
// CHECK: affine.for
func.func @unused(%a: memref<?xf32>, %b: memref<?xindex>, %n: index, %x: f32) {
  affine.for %i = 0 to %n {
    %j = memref.load %b[%i] : memref<?xindex>
    %k = affine.apply affine_map<(d0, d1) -> (d0 + 1)>(%i, %j)
    memref.store %x, %a[%k] : memref<?xf32>
  }
  return
}

// Each value is read once: here, 2 to the power of 40 ways lead to the index,
// and as many to the condition. The sum is a symbol.
// CHECK-LABEL: func.func @manyWays
// CHECK: loom.check_only
func.func @manyWays(%a: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s0 = arith.addi %n, %n : index
  %s1 = arith.addi %s0, %s0 : index
  %s2 = arith.addi %s1, %s1 : index
  %s3 = arith.addi %s2, %s2 : index
  %s4 = arith.addi %s3, %s3 : index
  %s5 = arith.addi %s4, %s4 : index
  %s6 = arith.addi %s5, %s5 : index
  %s7 = arith.addi %s6, %s6 : index
  %s8 = arith.addi %s7, %s7 : index
  %s9 = arith.addi %s8, %s8 : index
  %s10 = arith.addi %s9, %s9 : index
  %s11 = arith.addi %s10, %s10 : index
  %s12 = arith.addi %s11, %s11 : index
  %s13 = arith.addi %s12, %s12 : index
  %s14 = arith.addi %s13, %s13 : index
  %s15 = arith.addi %s14, %s14 : index
  %s16 = arith.addi %s15, %s15 : index
  %s17 = arith.addi %s16, %s16 : index
  %s18 = arith.addi %s17, %s17 : index
  %s19 = arith.addi %s18, %s18 : index
  %s20 = arith.addi %s19, %s19 : index
  %s21 = arith.addi %s20, %s20 : index
  %s22 = arith.addi %s21, %s21 : index
  %s23 = arith.addi %s22, %s22 : index
  %s24 = arith.addi %s23, %s23 : index
  %s25 = arith.addi %s24, %s24 : index
  %s26 = arith.addi %s25, %s25 : index
  %s27 = arith.addi %s26, %s26 : index
  %s28 = arith.addi %s27, %s27 : index
  %s29 = arith.addi %s28, %s28 : index
  %s30 = arith.addi %s29, %s29 : index
  %s31 = arith.addi %s30, %s30 : index
  %s32 = arith.addi %s31, %s31 : index
  %s33 = arith.addi %s32, %s32 : index
  %s34 = arith.addi %s33, %s33 : index
  %s35 = arith.addi %s34, %s34 : index
  %s36 = arith.addi %s35, %s35 : index
  %s37 = arith.addi %s36, %s36 : index
  %s38 = arith.addi %s37, %s37 : index
  %s39 = arith.addi %s38, %s38 : index
  scf.for %i = %c0 to %n step %c1 {
    %d0 = arith.cmpi slt, %i, %n : index
    %d1 = arith.andi %d0, %d0 : i1
    %d2 = arith.andi %d1, %d1 : i1
    %d3 = arith.andi %d2, %d2 : i1
    %d4 = arith.andi %d3, %d3 : i1
    %d5 = arith.andi %d4, %d4 : i1
    %d6 = arith.andi %d5, %d5 : i1
    %d7 = arith.andi %d6, %d6 : i1
    %d8 = arith.andi %d7, %d7 : i1
    %d9 = arith.andi %d8, %d8 : i1
    %d10 = arith.andi %d9, %d9 : i1
    %d11 = arith.andi %d10, %d10 : i1
    %d12 = arith.andi %d11, %d11 : i1
    %d13 = arith.andi %d12, %d12 : i1
    %d14 = arith.andi %d13, %d13 : i1
    %d15 = arith.andi %d14, %d14 : i1
    %d16 = arith.andi %d15, %d15 : i1
    %d17 = arith.andi %d16, %d16 : i1
    %d18 = arith.andi %d17, %d17 : i1
    %d19 = arith.andi %d18, %d18 : i1
    %d20 = arith.andi %d19, %d19 : i1
    %d21 = arith.andi %d20, %d20 : i1
    %d22 = arith.andi %d21, %d21 : i1
    %d23 = arith.andi %d22, %d22 : i1
    %d24 = arith.andi %d23, %d23 : i1
    %d25 = arith.andi %d24, %d24 : i1
    %d26 = arith.andi %d25, %d25 : i1
    %d27 = arith.andi %d26, %d26 : i1
    %d28 = arith.andi %d27, %d27 : i1
    %d29 = arith.andi %d28, %d28 : i1
    %d30 = arith.andi %d29, %d29 : i1
    %d31 = arith.andi %d30, %d30 : i1
    %d32 = arith.andi %d31, %d31 : i1
    %d33 = arith.andi %d32, %d32 : i1
    %d34 = arith.andi %d33, %d33 : i1
    %d35 = arith.andi %d34, %d34 : i1
    %d36 = arith.andi %d35, %d35 : i1
    %d37 = arith.andi %d36, %d36 : i1
    %d38 = arith.andi %d37, %d37 : i1
    %d39 = arith.andi %d38, %d38 : i1
    scf.if %d39 {
      memref.store %x, %a[%i] : memref<?xf32>
    }
    memref.store %x, %a[%s39] : memref<?xf32>
  }
  return
}

// Memory that is made with an extent has it, also through views, and nothing
// is left to check. Numbers that memory was made with need no limit.
// CHECK-LABEL: func.func @equalExtents
// CHECK-NOT: arith.cmpi
// CHECK-NOT: loom.check_only
// CHECK-COUNT-5: loom.checked
// CHECK-NOT: loom.check_only
// CHECK: return
func.func @equalExtents(%a: memref<?x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %a, %c0 : memref<?x8xf32>
  %b = memref.alloc(%d) : memref<?x8x1xf32>
  %c = memref.collapse_shape %b [[0], [1, 2]] : memref<?x8x1xf32> into memref<?x8xf32>
  %t = memref.transpose %c (i, j) -> (j, i) : memref<?x8xf32> to memref<8x?xf32, strided<[1, 8]>>
  %e = memref.dim %c, %c0 : memref<?x8xf32>
  %m = arith.maxui %d, %e : index
  affine.for %i = 0 to %m {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<?x8xf32>
      affine.store %x, %c[%i, %j] : memref<?x8xf32>
      affine.store %x, %t[%j, %i] : memref<8x?xf32, strided<[1, 8]>>
    }
  }
  %k = arith.addi %n, %m : index
  %f = memref.alloc(%n) : memref<?xf32>
  %g = memref.alloc(%k) : memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %f[%i] : memref<?xf32>
    affine.store %x, %g[%i] : memref<?xf32>
  }
  return
}

// What a branch around the nest says of an extent holds there alone, and
// memory that both branches give with one extent has it.
// CHECK-LABEL: func.func @broadcast
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: affine.load %{{.*}}[0] {loom.checked}
// CHECK: memref.alloc
// CHECK-NOT: scf.if
// CHECK: affine.store %{{.*}} {loom.checked}
// CHECK: scf.if
// CHECK: affine.load %{{.*}}[0] {loom.checked}
// CHECK: return
func.func @broadcast(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %a, %c0 : memref<?xf32>
  %isOne = arith.cmpi eq, %d, %c1 : index
  %b = scf.if %isOne -> memref<?xf32> {
    %f = memref.alloc(%d) : memref<?xf32>
    affine.for %i = 0 to %d {
      %x = affine.load %a[0] : memref<?xf32>
      affine.store %x, %f[%i] : memref<?xf32>
    }
    scf.yield %f : memref<?xf32>
  } else {
    %g = memref.alloc(%d) : memref<?xf32>
    scf.yield %g : memref<?xf32>
  }
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %d {
    affine.store %zero, %b[%i] : memref<?xf32>
  }
  affine.for %i = 0 to 9 {
    %x = affine.load %a[0] : memref<?xf32>
    memref.store %x, %b[%c0] : memref<?xf32>
  }
  return
}

// An extent that is made behind the nest says nothing of it.
// CHECK-LABEL: func.func @madeLater
// CHECK: arith.cmpi
// CHECK: scf.if
// CHECK: return
func.func @madeLater(%a: memref<?xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf32>
  }
  %b = memref.alloc(%n) : memref<?xf32>
  return
}

// A condition with a product of a loop variable and a symbol, and a remainder
// by a symbol: one condition in front of all loops, under which all accesses are
// inside surely. Their products cancel. The divisor is positive.
// CHECK-LABEL: func.func @quotients_by_symbols
// CHECK-SAME: %[[A:[^:]*]]: memref<?xf32>, %[[N:[^:]*]]: index, %[[S:[^:]*]]: index, %[[B:[^:]*]]: index, %[[E:[^:]*]]: index
// CHECK: %[[EXTENT:.*]] = memref.dim %[[A]]
// CHECK: arith.cmpi sgt, %[[B]], %c0
// CHECK: arith.muli %[[B]], %[[EXTENT]]
// CHECK: scf.if
// CHECK: scf.for
// CHECK: memref.load {{.*}}loom.check_only
// CHECK: loom.finds_failure
// CHECK: affine.for
// CHECK: affine.load {{.*}}loom.checked
func.func @quotients_by_symbols(%a: memref<?xf32>, %n: index, %s: index, %b: index, %e: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to %n iter_args(%old = %zero) -> f32 {
    %x = affine.apply affine_map<(d0)[s] -> (d0 * s - 1)>(%i)[%s]
    %next = affine.if affine_set<(d0)[b, e] : (d0 mod b == 0, d0 >= 0, e - d0 - 1 >= 0)>(%x)[%b, %e] -> f32 {
      %y = affine.apply affine_map<(d0)[b] -> (d0 floordiv b)>(%x)[%b]
      %v = affine.load %a[%y] : memref<?xf32>
      affine.yield %v : f32
    } else {
      affine.yield %old : f32
    }
    affine.yield %next : f32
  }
  return %sum : f32
}
