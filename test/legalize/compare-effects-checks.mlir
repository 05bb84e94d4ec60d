// Functions with bodies against the sets that they declare (ffi-6): what copies, linalg, calls and atomic accesses check.

// RUN: broadloom-opt %s --split-input-file --verify-diagnostics --loom-mark-memory-functions --loom-bind-externals

// A copy has equal extents on both sides, static or not, and so has linalg: either may declare the set.
func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [dim(1, 0)]>], writes = [#loom.access_set<1, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [dim(0, 0)]>]}} {
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}
func.func @copy_static(%a: memref<4xf32>, %b: memref<?xf32>) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 3)">>], writes = [#loom.access_set<1, #loom.relation<"() -> (i) : (0 <= i <= 3)">>]}} {
  memref.copy %a, %b : memref<4xf32> to memref<?xf32>
  return
}
func.func @copy_of_part(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [2]>], writes = [#loom.access_set<1, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [2]>]}} {
  %x = memref.subview %a[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  memref.copy %x, %b : memref<?xf32, strided<[1]>> to memref<?xf32>
  return
}
func.func @linalg(%a: memref<?xf32>, %b: memref<?xf32>) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [dim(0, 0)]>], initializes = [#loom.access_set<1, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [dim(1, 0)]>]}} {
  linalg.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) attributes {loom.effects = {
    may_reads = [#loom.access_set<0, #loom.relation<"()[m, n] -> (i, j) : (0 <= i < m, 0 <= j < n)">, [dim(0, 0), dim(0, 1)]>,
                 #loom.access_set<1, #loom.relation<"()[m, n] -> (i, j) : (0 <= i < m, 0 <= j < n)">, [dim(0, 1), dim(2, 1)]>,
                 #loom.access_set<2, #loom.relation<"()[m, n] -> (i, j) : (0 <= i < m, 0 <= j < n)">, [dim(0, 0), dim(2, 1)]>],
    may_writes = [#loom.access_set<2, #loom.relation<"()[m, n] -> (i, j) : (0 <= i < m, 0 <= j < n)">, [dim(0, 0), dim(2, 1)]>]}} {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
func.func @copy_by_call(%a: memref<4xf32>, %b: memref<?xf32>) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 3)">>], writes = [#loom.access_set<1, #loom.relation<"() -> (i) : (0 <= i <= 3)">>]}} {
  call @copy_static(%a, %b) : (memref<4xf32>, memref<?xf32>) -> ()
  return
}
// In a loop, what may be accessed is known.
func.func @copy_in_loop(%a: memref<4xf32>, %b: memref<?xf32>, %n: index) attributes {loom.effects = {
    may_reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 3)">>], may_writes = [#loom.access_set<1, #loom.relation<"() -> (i) : (0 <= i <= 3)">>]}} {
  affine.for %i = 0 to %n {
    memref.copy %a, %b : memref<4xf32> to memref<?xf32>
  }
  return
}

// -----

// Where a loop copies, the extents are equal in calls that return and have an iteration.
func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"()[m, n] -> (i) : (0 <= i < m, 1 <= n)">, [dim(0, 0), 2]>],
    writes = [#loom.access_set<1, #loom.relation<"()[m, n] -> (i) : (0 <= i < m, 1 <= n)">, [dim(1, 0), 2]>]}} {
  affine.for %i = 0 to %n {
    memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  }
  return
}
func.func @linalg(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"()[m, n] -> (i) : (0 <= i < m, 1 <= n)">, [dim(0, 0), 2]>],
    writes = [#loom.access_set<1, #loom.relation<"()[m, n] -> (i) : (0 <= i < m, 1 <= n)">, [dim(1, 0), 2]>]}} {
  affine.for %i = 0 to %n {
    linalg.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  }
  return
}
func.func @call(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"()[m, n] -> (i) : (0 <= i < m, 1 <= n)">, [dim(0, 0), 2]>],
    writes = [#loom.access_set<1, #loom.relation<"()[m, n] -> (i) : (0 <= i < m, 1 <= n)">, [dim(1, 0), 2]>]}} {
  affine.for %i = 0 to %n {
    func.call @once(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  }
  return
}
func.func private @once(%a: memref<?xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}
// The called function has the loop.
func.func @call_of_loop(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"()[m, n] -> (i) : (0 <= i < m, 1 <= n)">, [dim(0, 0), 2]>],
    writes = [#loom.access_set<1, #loom.relation<"()[m, n] -> (i) : (0 <= i < m, 1 <= n)">, [dim(1, 0), 2]>]}} {
  call @copy(%a, %b, %n) : (memref<?xf32>, memref<?xf32>, index) -> ()
  return
}
// Rows, of which each side is told by its own extent.
func.func @rows(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"()[m, n] -> (i, j) : (0 <= i < n, 0 <= j < m)">, [dim(0, 1), 2]>],
    initializes = [#loom.access_set<1, #loom.relation<"()[m, n] -> (i, j) : (0 <= i < n, 0 <= j < m)">, [dim(1, 1), 2]>]}} {
  %c1 = arith.constant 1 : index
  %p = memref.dim %a, %c1 : memref<?x?xf32>
  %q = memref.dim %b, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    %x = memref.subview %a[%i, 0] [1, %p] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %y = memref.subview %b[%i, 0] [1, %q] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %x, %y : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  }
  return
}
// What loops and branches check holds as well: an access, and an assertion of a called function.
func.func @checks(%a: memref<?xf32>, %b: memref<8xf32>, %n: index) attributes {loom.effects = {
    may_reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 7)">>],
    may_writes = [#loom.access_set<1, #loom.relation<"() -> (i) : (0 <= i <= 7)">>]}} {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %b[%i] : memref<8xf32>
  }
  return
}
func.func @called_assertion(%a: memref<?xf32>, %n: index) attributes {loom.effects = {
    may_reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 7)">>]}} {
  affine.for %i = 0 to %n {
    func.call @less(%i) : (index) -> ()
    %x = affine.load %a[%i] : memref<?xf32>
  }
  return
}
func.func private @less(%i: index) {
  %c8 = arith.constant 8 : index
  %is = arith.cmpi slt, %i, %c8 : index
  cf.assert %is, "less"
  return
}

// -----

// Without an iteration, extents differ, and nothing is written.
// expected-error @+2 {{entry 0 of 'writes' in 'loom.effects' of '@f' has element [0] of argument 1}}
// expected-note @+1 {{the body writes}}
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) attributes {loom.effects = {
    may_reads = [#loom.access_set<0, #loom.relation<"()[m] -> (i) : (0 <= i < m)">, [dim(0, 0)]>],
    writes = [#loom.access_set<1, #loom.relation<"()[m] -> (i) : (0 <= i < m)">, [dim(1, 0)]>]}} {
  affine.for %i = 0 to %n {
    memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  }
  return
}

// -----

// The extents are equal, and yet the last element is not declared.
// expected-note @+1 {{'writes' and 'may_writes' of argument 1 are}}
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) attributes {loom.effects = {
    may_reads = [#loom.access_set<0, #loom.relation<"()[m] -> (i) : (0 <= i < m)">, [dim(0, 0)]>],
    may_writes = [#loom.access_set<1, #loom.relation<"()[m] -> (i) : (0 <= i < m - 1)">, [dim(0, 0)]>]}} {
  affine.for %i = 0 to %n {
    // expected-error @+2 {{'memref.copy' writes element [0] of argument 1, where axis 0 of argument 0 is 1, axis 0 of argument 1 is 1 and argument 2 is 1, which is not in what 'loom.effects' of '@f' declares}}
    // expected-note @+1 {{the access writes}}
    memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  }
  return
}

// -----

// Which calls fail is not known where a loop is not affine.
// expected-warning @+2 {{not compared with 'loom.effects' of '@f': entry 0 of 'reads' in 'loom.effects' of '@f' is not decided, because it is not known which calls fail where extents are compared}}
// expected-warning @+1 {{not compared with 'loom.effects' of '@f': entry 0 of 'writes' in 'loom.effects' of '@f' is not decided, because it is not known which calls fail where extents are compared}}
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [2]>],
    writes = [#loom.access_set<1, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [2]>],
    may_reads = [#loom.access_set<0, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [dim(0, 0)]>],
    may_writes = [#loom.access_set<1, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [dim(1, 0)]>]}} {
  %m = arith.muli %n, %n : index
  affine.for %i = 0 to %m {
    memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  }
  return
}

// -----

// The element and all numbers that decide are told, also of memory that only the declaration is about.
// expected-note @+1 {{'reads' and 'may_reads' of argument 0 are}}
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) attributes {loom.effects = {may_reads = [#loom.access_set<0, #loom.relation<"()[m] -> (i) : (0 <= i < m)">, [dim(1, 0)]>]}} {
  %c7 = arith.constant 7 : index
  // expected-error @+2 {{'memref.load' reads element [7] of argument 0, where axis 0 of argument 0 is 8 and axis 0 of argument 1 is 0, which is not in what}}
  // expected-note @+1 {{the access reads}}
  %x = memref.load %a[%c7] : memref<?xf32>
  return
}

// -----

// Which calls fail is not known where the size of what is copied is not affine: in a loop, and not in one.
func.func @f(%a: memref<?xf64>, %k: memref<index>) attributes {loom.effects = {
    may_reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i, i < 10)">, []>, #loom.access_set<1, #loom.relation<"() -> () : (0 <= 0)">, []>]}} {
  %x = memref.load %k[] : memref<index>
  %c10 = arith.constant 10 : index
  %m = arith.minsi %x, %c10 : index
  %t = memref.alloc(%m) : memref<?xf64>
  // expected-warning @+1 {{not compared with 'loom.effects' of '@f': 'memref.copy' reads elements of argument 0 that are not known, because it is not known which calls fail where extents are compared}}
  memref.copy %a, %t : memref<?xf64> to memref<?xf64>
  memref.dealloc %t : memref<?xf64>
  return
}

// -----

func.func @f(%a: memref<?xf64>, %k: memref<index>) attributes {loom.effects = {
    may_reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i, i < 10)">, []>, #loom.access_set<1, #loom.relation<"() -> () : (0 <= 0)">, []>]}} {
  %x = memref.load %k[] : memref<index>
  %c10 = arith.constant 10 : index
  %m = arith.minsi %x, %c10 : index
  %t = memref.alloc(%m) : memref<?xf64>
  affine.for %i = 0 to 3 {
    // expected-warning @+1 {{not compared with 'loom.effects' of '@f': 'memref.copy' reads elements of argument 0 that are not known, because it is not known which calls fail where extents are compared}}
    memref.copy %a, %t : memref<?xf64> to memref<?xf64>
  }
  memref.dealloc %t : memref<?xf64>
  return
}

// -----

// A call for which the called function's check does not decide is told with what decides it.
func.func private @g(%b: memref<?xf64>, %n: index) {
  %x = arith.constant 1.0 : f64
  affine.for %i = 0 to %n {
    affine.store %x, %b[%i] : memref<?xf64>
  }
  return
}
// expected-error @+2 {{argument 3 is 0, which the body does not write}}
// expected-note @+1 {{the body writes}}
func.func @f(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %c: i1) attributes {loom.effects = {
    writes = [#loom.access_set<0, #loom.relation<"(n) -> (i) : (0 <= i, i <= n)">, [2]>],
    may_writes = [#loom.access_set<1, #loom.relation<"(n) -> (i) : (0 <= i, i < n)">, [2]>]}} {
  %x = arith.constant 1.0 : f64
  scf.if %c {
    func.call @g(%b, %n) : (memref<?xf64>, index) -> ()
  }
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf64>
  }
  return
}

// -----

// An extent that the type tells has that number.
func.func @f(%a: memref<4xf32>) attributes {loom.effects = {reads = [#loom.access_set<0, #loom.relation<"()[m] -> (i) : (i == m - 1)">, [dim(0, 0)]>]}} {
  %c3 = arith.constant 3 : index
  %x = memref.load %a[%c3] : memref<4xf32>
  return
}

// -----

// An element that no call which returns writes, and one that each writes.
// expected-note @+1 {{'writes' and 'may_writes' of argument 1 are}}
func.func @f(%a: memref<4xf32>, %b: memref<?xf32>) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 3)">>], may_writes = [#loom.access_set<1, #loom.relation<"() -> (i) : (0 <= i <= 2)">>]}} {
  // expected-error @+2 {{'memref.copy' writes element [3] of argument 1, where axis 0 of argument 1 is 4, which is not in what 'loom.effects' of '@f' declares}}
  // expected-note @+1 {{the access writes}}
  memref.copy %a, %b : memref<4xf32> to memref<?xf32>
  return
}

// -----

// An atomic access is inside where a call returns.
func.func @f(%a: memref<4xi32>, %b: memref<?xi32>, %n: index, %x: i32) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"(n) -> (i) : (i == n)">, [2]>], may_reads = [#loom.access_set<1, #loom.relation<"() -> (i) : (0 <= i <= 3)">>],
    writes = [#loom.access_set<0, #loom.relation<"(n) -> (i) : (i == n)">, [2]>]}} {
  %old = memref.atomic_rmw addi %x, %a[%n] : (i32, memref<4xi32>) -> i32
  %v = memref.load %b[%n] : memref<?xi32>
  return
}

// -----

// What a function checks itself holds, however much the functions that it calls check.
func.func private @g(%a: memref<?xf32>, %i: index, %j: index, %k: index) {
  %x = memref.load %a[%i] : memref<?xf32>
  %y = memref.load %a[%j] : memref<?xf32>
  %z = memref.load %a[%k] : memref<?xf32>
  return
}
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index, %i6: index, %i7: index, %i8: index, %i9: index, %i10: index, %i11: index, %i12: index, %i13: index, %i14: index, %i15: index, %i16: index, %i17: index, %i18: index, %i19: index, %i20: index, %i21: index, %i22: index, %i23: index, %i24: index, %i25: index, %i26: index, %i27: index, %i28: index, %i29: index, %i30: index, %i31: index, %i32: index, %i33: index, %i34: index, %i35: index, %i36: index, %i37: index, %i38: index, %i39: index, %i40: index, %i41: index, %i42: index, %i43: index, %i44: index, %i45: index, %i46: index, %i47: index, %i48: index, %i49: index, %i50: index, %i51: index, %i52: index, %i53: index, %i54: index, %i55: index, %i56: index, %i57: index, %i58: index, %i59: index) attributes {loom.effects = {
    may_reads = [#loom.access_set<0, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [dim(0, 0)]>, #loom.access_set<1, #loom.relation<"() -> (i) : (0 <= i <= 3)">>]}} {
  %c4 = arith.constant 4 : index
  %is = arith.cmpi slt, %n, %c4 : index
  cf.assert %is, "less"
  %v = memref.load %b[%n] : memref<?xf32>
  call @g(%a, %i0, %i1, %i2) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i3, %i4, %i5) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i6, %i7, %i8) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i9, %i10, %i11) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i12, %i13, %i14) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i15, %i16, %i17) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i18, %i19, %i20) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i21, %i22, %i23) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i24, %i25, %i26) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i27, %i28, %i29) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i30, %i31, %i32) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i33, %i34, %i35) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i36, %i37, %i38) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i39, %i40, %i41) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i42, %i43, %i44) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i45, %i46, %i47) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i48, %i49, %i50) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i51, %i52, %i53) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i54, %i55, %i56) : (memref<?xf32>, index, index, index) -> ()
  call @g(%a, %i57, %i58, %i59) : (memref<?xf32>, index, index, index) -> ()
  return
}

// -----

// A product in a called function may wrap around, and what that checks is then no fact.
func.func private @g(%i: index) {
  %c = arith.constant 1048576 : index
  %c4 = arith.constant 4 : index
  %p = arith.muli %i, %c : index
  %is = arith.cmpi slt, %p, %c4 : index
  cf.assert %is, "less"
  return
}
// expected-note @+1 {{'reads' and 'may_reads' of argument 0 are}}
func.func @f(%a: memref<?xf32>, %n: index) attributes {loom.effects = {may_reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 3)">>]}} {
  %c = arith.constant 1048576 : index
  %p = arith.muli %n, %c : index
  call @g(%p) : (index) -> ()
  // expected-error @+2 {{'memref.load' reads element [4] of argument 0, where axis 0 of argument 0 is 5 and argument 1 is 4, which is not in what}}
  // expected-note @+1 {{the access reads}}
  %v = memref.load %a[%n] : memref<?xf32>
  return
}
