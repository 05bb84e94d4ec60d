// What functions read and write, as sets (ffi-5).

// RUN: broadloom-opt %s --loom-infer-effects | FileCheck %s

// Loops with steps, bounds and conditions; equal sets are one.
// CHECK: func.func @triangle
// CHECK-SAME: {loom.effects = {deterministic, initializes = [#loom.access_set<0, #loom.relation<"() -> () : ()">>]
// CHECK-SAME: reads = [#loom.access_set<1, #loom.relation<"()[arg2] -> (r0, r1) : (r0 <= arg2 - 1, 0 <= r1 <= r0, r1 mod 2 == 0)">, [2]>], reentrant}}
func.func @triangle(%s: memref<f32>, %A: memref<?x8xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) step 2 {
      %a = affine.load %A[%i, %j] : memref<?x8xf32>
      %b = affine.load %A[%i, %j] : memref<?x8xf32>
    }
  }
  %zero = arith.constant 0.0 : f32
  affine.store %zero, %s[] : memref<f32>
  return
}

// An extent is a scalar. The second half is not written.
// CHECK: func.func @half
// CHECK-SAME: {loom.effects = {deterministic, initializes = [#loom.access_set<0, #loom.relation<"()[arg0_0] -> (r0) : (2*r0 + 1 <= arg0_0, 0 <= r0)">, [dim(0, 0)]>], reentrant}}
func.func @half(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    affine.if affine_set<(i)[n] : (n - 2 * i - 1 >= 0)>(%i)[%n] {
      affine.store %zero, %x[%i] : memref<?xf32>
    }
  }
  return
}

// A subscript from memory, a condition from memory, and a loop that need not end where it says.
// CHECK: func.func @data
// CHECK-SAME: may_reads = [#loom.access_set<0, #loom.relation<"()[arg2] -> (r0) : (1 <= arg2, 0 <= r0 <= 7)">, [2]>]
// CHECK-SAME: may_writes = [#loom.access_set<0, #loom.relation<"()[arg2] -> (r0) : (0 <= r0 <= 7, r0 <= arg2 - 1)">, [2]>]
// CHECK-SAME: reads = [#loom.access_set<1, #loom.relation<"()[arg2] -> (r0) : (0 <= r0 <= arg2 - 1)">, [2]>], reentrant}}
func.func @data(%x: memref<8xf32>, %at: memref<?xindex>, %n: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    %k = affine.load %at[%i] : memref<?xindex>
    %v = memref.load %x[%k] : memref<8xf32>
    %p = arith.cmpf olt, %v, %zero : f32
    scf.if %p {
      affine.store %v, %x[%i] : memref<8xf32>
    }
  }
  return
}

// The search of the Rationale: an early exit.
// CHECK: func.func @search_body
// CHECK-SAME: may_reads = [#loom.access_set<0, #loom.relation<"()[arg2, arg0_0, arg0_1] -> (r0, r1) : (0 <= arg2, arg2 + 1 <= arg0_0, r0 == arg2, 0 <= r1 <= arg0_1 - 1)">, [2, dim(0, 0), dim(0, 1)]>]
// CHECK-SAME: may_writes = [#loom.access_set<1, #loom.relation<"()[arg2, arg1_0] -> (r0) : (0 <= arg2, arg2 + 1 <= arg1_0, r0 == arg2)">, [2, dim(1, 0)]>], reentrant}}
func.func @search_body(%A: memref<?x?xi32>, %S: memref<?xi32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<?x?xi32>
  %zero = arith.constant 0 : i32
  cf.br ^loop(%c0 : index)
^loop(%j: index):
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^body(%j : index), ^end
^body(%k: index):
  %v = memref.load %A[%i, %k] : memref<?x?xi32>
  %p = arith.cmpi eq, %v, %zero : i32
  %next = arith.addi %k, %c1 : index
  cf.cond_br %p, ^found, ^loop(%next : index)
^found:
  memref.store %v, %S[%i] : memref<?xi32>
  return
^end:
  return
}

// Calls: rows become all rows.
// CHECK: func.func @search
// CHECK-SAME: may_reads = [#loom.access_set<0, #loom.relation<"()[arg0_0, arg0_1] -> (r0, r1) : (0 <= r0 <= arg0_0 - 1, 0 <= r1 <= arg0_1 - 1)">, [dim(0, 0), dim(0, 1)]>]
func.func @search(%A: memref<?x?xi32>, %S: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x?xi32>
  affine.for %i = 0 to %n {
    func.call @search_body(%A, %S, %i) : (memref<?x?xi32>, memref<?xi32>, index) -> ()
  }
  return
}

// Functions that call each other, and one of which nothing is known.
// CHECK: func.func @even
// CHECK-NOT: deterministic
// CHECK-SAME: may_reads = [#loom.access_set<0, #loom.relation<"()[arg0_0] -> (r0) : (0 <= r0 <= arg0_0 - 1)">, [dim(0, 0)]>]
// CHECK-SAME: may_writes = [#loom.access_set<0, #loom.relation<"()[arg0_0] -> (r0) : (0 <= r0 <= arg0_0 - 1)">, [dim(0, 0)]>]
// CHECK: func.func @odd
// CHECK-SAME: may_writes = [#loom.access_set<0, #loom.relation<"()[arg0_0] -> (r0) : (0 <= r0 <= arg0_0 - 1)">, [dim(0, 0)]>]
func.func @even(%x: memref<?xf32>) {
  call @odd(%x) : (memref<?xf32>) -> ()
  return
}
func.func @odd(%x: memref<?xf32>) {
  call @even(%x) : (memref<?xf32>) -> ()
  return
}
func.func private @unknown(memref<4xf32>)
// CHECK: func.func @calls
// CHECK-SAME: may_writes = [#loom.access_set<0, #loom.relation<"() -> (r0) : (0 <= r0 <= 3)">>]
// CHECK-SAME: reads = [#loom.access_set<0, #loom.relation<"() -> (r0) : (r0 == 2)">>]
func.func @calls(%x: memref<4xf32>) {
  call @unknown(%x) : (memref<4xf32>) -> ()
  call @declared(%x) : (memref<4xf32>) -> ()
  return
}
func.func private @declared(memref<4xf32>) attributes {loom.effects = {reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 2)">>]}}

// What is surely read is not in the other list as well.
// CHECK: func.func @both
// CHECK-SAME: {loom.effects = {deterministic, reads = [#loom.access_set<0, #loom.relation<"() -> (r0) : (0 <= r0 <= 3)">>], reentrant}}
func.func @both(%x: memref<4xf32>) {
  call @mayRead(%x) : (memref<4xf32>) -> ()
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
  }
  return
}

func.func private @mayRead(memref<4xf32>) attributes {loom.effects = {deterministic, reentrant, may_reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 3)">>]}}

// Memory of its own is nobody's; a copy is all of it; a step that a call gives.
// CHECK: func.func @copy
// CHECK-SAME: may_writes = [#loom.access_set<1, #loom.relation<"() -> (r0) : (0 <= r0 <= 3)">>]
// CHECK-SAME: {{[{ ]}}reads = [#loom.access_set<0, #loom.relation<"() -> (r0) : (0 <= r0 <= 3)">>]
func.func @copy(%x: memref<4xf32>, %y: memref<4xf32>, %by: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %z = memref.alloc() : memref<4xf32>
  memref.copy %x, %z : memref<4xf32> to memref<4xf32>
  scf.for %i = %c0 to %c4 step %by {
    %v = memref.load %z[%i] : memref<4xf32>
    memref.store %v, %y[%i] : memref<4xf32>
  }
  return
}

// Views are of the memory that they view: steps and a dropped axis, other orders of axes, one axis for several
// and several for one, and places of row-major memory.
// CHECK: func.func @views
// CHECK-SAME: initializes = [#loom.access_set<1, #loom.relation<"()[arg2] -> (r0, r1) : (r0 == arg2, 1 <= r1 <= 7, (r1 + 1) mod 2 == 0)">, [2]>, #loom.access_set<3, #loom.relation<"() -> (r0, r1) : (r0 == 1, r1 == 3)">>]
// CHECK-SAME: reads = [#loom.access_set<0, #loom.relation<"() -> (r0, r1) : (0 <= r0 <= 3, r1 == 5)">>, #loom.access_set<0, #loom.relation<"() -> (r0, r1) : (r0 == 2, r1 == 3)">>, #loom.access_set<0, #loom.relation<"() -> (r0, r1) : (r0 == 1, r1 == 1)">>]
// CHECK-SAME: reentrant
func.func @views(%A: memref<4x8xf32>, %B: memref<?x8xf32>, %n: index, %C: memref<4x8xf32>) {
  %row = memref.subview %B[%n, 1] [1, 4] [1, 2] : memref<?x8xf32> to memref<4xf32, strided<[2], offset: ?>>
  %columns = memref.transpose %A (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  affine.for %i = 0 to 4 {
    %a = affine.load %columns[5, %i] : memref<8x4xf32, strided<[1, 8]>>
    affine.store %a, %row[%i] : memref<4xf32, strided<[2], offset: ?>>
  }
  %flat = memref.collapse_shape %A [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %b = affine.load %flat[19] : memref<32xf32>
  %split = memref.expand_shape %A [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32> into memref<2x2x8xf32>
  %c = affine.load %split[0, 1, 1] : memref<2x2x8xf32>
  %places = memref.reinterpret_cast %C to offset: [3], sizes: [4], strides: [8] : memref<4x8xf32> to memref<4xf32, strided<[8], offset: 3>>
  affine.store %b, %places[1] : memref<4xf32, strided<[8], offset: 3>>
  return
}

// A call gets a view, and one that may be left.
// CHECK: func.func @calls_with_views
// CHECK-SAME: initializes = [#loom.access_set<0, #loom.relation<"()[arg1, arg2] -> (r0, r1) : (r0 == arg2, 0 <= r1 <= 7, r1 <= arg1 - 1)">, [1, 2]>]
// CHECK-SAME: may_reads = [#loom.access_set<3, #loom.relation<"() -> (r0) : (0 <= r0 <= 31)">>]
func.func @calls_with_views(%A: memref<4x8xf32>, %n: index, %i: index, %D: memref<32xf32>) {
  %row = memref.subview %A[%i, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %any = memref.cast %row : memref<8xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  call @prefix(%any, %n) : (memref<?xf32, strided<[1], offset: ?>>, index) -> ()
  %part = memref.subview %D[0] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1]>>
  call @leaves(%part) : (memref<8xf32, strided<[1]>>) -> ()
  return
}
func.func private @prefix(%x: memref<?xf32, strided<[1], offset: ?>>, %n: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    affine.store %zero, %x[%i] : memref<?xf32, strided<[1], offset: ?>>
  }
  return
}
func.func private @leaves(%x: memref<8xf32, strided<[1]>>) {
  %more = memref.reinterpret_cast %x to offset: [0], sizes: [16], strides: [1] : memref<8xf32, strided<[1]>> to memref<16xf32>
  %a = affine.load %more[12] : memref<16xf32>
  return
}

// What keeps a function from being deterministic and reentrant: memory that calls change. A constant is none.
memref.global @state : memref<f32> = dense<1.0>
memref.global constant @table : memref<f32> = dense<1.0>
// CHECK: func.func @has_state(%{{.*}}: memref<f32>) attributes {loom.effects = {initializes = [#loom.access_set<0, #loom.relation<"() -> () : ()">>]}}
func.func @has_state(%x: memref<f32>) {
  %m = memref.get_global @state : memref<f32>
  %v = affine.load %m[] : memref<f32>
  affine.store %v, %x[] : memref<f32>
  return
}
// CHECK: func.func @has_table(%{{.*}}: memref<f32>) attributes {loom.effects = {deterministic, initializes = [#loom.access_set<0, #loom.relation<"() -> () : ()">>], reentrant}}
func.func @has_table(%x: memref<f32>) {
  %m = memref.get_global @table : memref<f32>
  %v = affine.load %m[] : memref<f32>
  affine.store %v, %x[] : memref<f32>
  return
}

// What is read as well is not initialized, as far as anyone knows. Calls are what the called functions are.
func.func private @word(memref<4xf32>) attributes {loom.effects = {reentrant, writes = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 1)">>]}}
// CHECK: func.func @partly(%{{.*}}: memref<4xf32>) attributes {loom.effects = {initializes = [#loom.access_set<0, #loom.relation<"() -> (r0) : (r0 == 3)">>], reads = [#loom.access_set<0, #loom.relation<"() -> (r0) : (r0 == 1)">>], reentrant, writes = [#loom.access_set<0, #loom.relation<"() -> (r0) : (0 <= r0 <= 1)">>]}}
func.func @partly(%x: memref<4xf32>) {
  call @word(%x) : (memref<4xf32>) -> ()
  %v = affine.load %x[1] : memref<4xf32>
  affine.store %v, %x[3] : memref<4xf32>
  return
}

// Copies, fills, loops of linalg and atomic accesses have all elements of a view.
// CHECK: func.func @copies
// CHECK-SAME: initializes = [#loom.access_set<1, #loom.relation<"()[arg3] -> (r0) : (1 <= r0 <= arg3)">, [3]>]
// CHECK-SAME: reads = [#loom.access_set<0, #loom.relation<"()[arg3, arg2] -> (r0) : (arg2 <= r0 <= 2*arg3 + arg2 - 2, (arg2 + r0) mod 2 == 0)">, [3, 2]>]
func.func @copies(%a: memref<?xf32>, %b: memref<?xf32>, %at: index, %n: index) {
  %x = memref.subview %a[%at] [%n] [2] : memref<?xf32> to memref<?xf32, strided<[2], offset: ?>>
  %y = memref.subview %b[1] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
  memref.copy %x, %y : memref<?xf32, strided<[2], offset: ?>> to memref<?xf32, strided<[1], offset: 1>>
  return
}

// CHECK: func.func @fills
// CHECK-SAME: {loom.effects = {deterministic, initializes = [#loom.access_set<0, #loom.relation<"()[arg2] -> (r0, r1) : (0 <= r0 <= 2, 0 <= r1 <= arg2 - 1)">, [2]>], reentrant}}
func.func @fills(%a: memref<4x?xi32>, %x: i32, %n: index) {
  affine.for %i = 0 to 3 {
    %row = memref.subview %a[%i, 0] [1, %n] [1, 1] : memref<4x?xi32> to memref<?xi32, strided<[1], offset: ?>>
    linalg.fill ins(%x : i32) outs(%row : memref<?xi32, strided<[1], offset: ?>>)
  }
  return
}

// CHECK: func.func @product
// CHECK-SAME: reads = [#loom.access_set<0, #loom.relation<"()[arg0_0] -> (r0, r1) : (0 <= r0 <= arg0_0 - 1, 0 <= r1 <= 2)">, [dim(0, 0)]>, #loom.access_set<1, #loom.relation<"()[arg0_0] -> (r0, r1) : (1 <= arg0_0, 0 <= r0 <= 2, 0 <= r1 <= 4)">, [dim(0, 0)]>, #loom.access_set<2, #loom.relation<"()[arg0_0] -> (r0, r1) : (0 <= r0 <= arg0_0 - 1, 0 <= r1 <= 4)">, [dim(0, 0)]>]
// CHECK-SAME: writes = [#loom.access_set<2, #loom.relation<"()[arg0_0] -> (r0, r1) : (0 <= r0 <= arg0_0 - 1, 0 <= r1 <= 4)">, [dim(0, 0)]>]
func.func @product(%a: memref<?x3xf32>, %b: memref<3x5xf32>, %c: memref<?x5xf32>) {
  linalg.matmul ins(%a, %b : memref<?x3xf32>, memref<3x5xf32>) outs(%c : memref<?x5xf32>)
  return
}

// CHECK: func.func @counts
// CHECK-SAME: reads = [#loom.access_set<0, #loom.relation<"()[arg2] -> (r0) : (0 <= r0 <= arg2 - 1)">, [2]>]
// CHECK-SAME: writes = [#loom.access_set<0, #loom.relation<"()[arg2] -> (r0) : (0 <= r0 <= arg2 - 1)">, [2]>]
func.func @counts(%a: memref<?xi32>, %x: i32, %n: index) {
  affine.for %i = 0 to %n {
    %old = memref.atomic_rmw addi %x, %a[%i] : (i32, memref<?xi32>) -> i32
  }
  return
}

// Of memory whose shape is a set, a copy has fewer elements than its extents say.
// CHECK: func.func @triangles
// CHECK-SAME: may_reads = [#loom.access_set<0, #loom.relation<"() -> (r0, r1) : (0 <= r0 <= 3, 0 <= r1 <= 3)">>]
// CHECK-SAME: may_writes = [#loom.access_set<1, #loom.relation<"() -> (r0, r1) : (0 <= r0 <= 3, 0 <= r1 <= 3)">>]
func.func @triangles(%a: memref<4x4xf32, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">>, %b: memref<4x4xf32, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">>) {
  memref.copy %a, %b : memref<4x4xf32, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">> to memref<4x4xf32, #loom.shape<"(i, j)[n] : (0 <= j <= i, i < n)">>
  return
}

// Stored memory is no memory that is accessed.
// CHECK: func.func @memory_of_memory
// CHECK-SAME: initializes = [#loom.access_set<0, #loom.relation<"()[arg2] -> (r0) : (r0 == arg2)">, [2]>]
func.func @memory_of_memory(%a: memref<4xmemref<2xf32>>, %b: memref<2xf32>, %i: index) {
  memref.store %b, %a[%i] : memref<4xmemref<2xf32>>
  return
}

// A number that may wrap around in a called function: it may access everything.
// CHECK: func.func @wraps
// CHECK-SAME: may_reads = [#loom.access_set<0, #loom.relation<"()[arg0_0] -> (r0) : (0 <= r0 <= arg0_0 - 1)">, [dim(0, 0)]>]
func.func @wraps(%a: memref<?xf32>, %n: index) {
  %c = arith.constant 1048575 : index
  %p = arith.muli %n, %c : index
  call @times(%a, %p) : (memref<?xf32>, index) -> ()
  return
}
func.func private @times(%a: memref<?xf32>, %i: index) {
  %c = arith.constant 1048575 : index
  %p = arith.muli %i, %c : index
  %v = memref.load %a[%p] : memref<?xf32>
  return
}

// A library may do less than what its summary says, unless it is exact (ffi-7). Of what is not affine it may.
func.func private @told(%x: memref<?xf32>, %n: index, %k: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    affine.store %zero, %x[%i] : memref<?xf32>
  }
  %at = arith.muli %k, %k : index
  memref.store %zero, %x[%at] : memref<?xf32>
  return
}
func.func private @may(memref<?xf32>, index, index) attributes {loom.effects = {summary = @told, deterministic, reentrant}}
func.func private @exactly(memref<?xf32>, index, index) attributes {loom.effects = {summary = @told, exact, deterministic, reentrant}}
// CHECK: func.func @calls_may
// CHECK-SAME: {deterministic, may_writes = [#loom.access_set<0, #loom.relation<"()[arg1, arg0_0] -> (r0) : (0 <= r0 <= arg0_0 - 1, r0 <= arg1 - 1)">, [1, dim(0, 0)]>, #loom.access_set<0, #loom.relation<"()[arg0_0] -> (r0) : (0 <= r0 <= arg0_0 - 1)">, [dim(0, 0)]>]
func.func @calls_may(%x: memref<?xf32>, %n: index, %k: index) {
  call @may(%x, %n, %k) : (memref<?xf32>, index, index) -> ()
  return
}
// CHECK: func.func @calls_exactly
// CHECK-SAME: initializes = [#loom.access_set<0, #loom.relation<"()[arg1] -> (r0) : (0 <= r0 <= arg1 - 1)">, [1]>]
// CHECK-SAME: may_writes = [#loom.access_set<0, #loom.relation<"()[arg0_0] -> (r0) : (0 <= r0 <= arg0_0 - 1)">, [dim(0, 0)]>]
func.func @calls_exactly(%x: memref<?xf32>, %n: index, %k: index) {
  call @exactly(%x, %n, %k) : (memref<?xf32>, index, index) -> ()
  return
}
