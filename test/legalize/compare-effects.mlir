// Functions with bodies against the sets that they declare (ffi-6).

// RUN: broadloom-opt %s --split-input-file --verify-diagnostics --loom-mark-memory-functions --loom-bind-externals

#pair = #loom.relation<"(d0) -> (r0) : (d0 <= r0 <= d0 + 1)">
#prefix = #loom.relation<"()[n] -> (r0) : (0 <= r0 < n)">

// What is declared is what happens.
func.func @count(%A: memref<128xf32>, %pos: index) -> f32 attributes {loom.effects = {reads = [#loom.access_set<0, #pair, [1]>]}} {
  %a = affine.load %A[symbol(%pos)] : memref<128xf32>
  %b = affine.load %A[symbol(%pos) + 1] : memref<128xf32>
  %p = arith.mulf %a, %b : f32
  return %p : f32
}

// More may happen than does.
func.func @less(%A: memref<?xf32>, %n: index) -> f32 attributes {loom.effects = {may_reads = [#loom.access_set<0, #prefix, [dim(0, 0)]>], may_writes = [#loom.access_set<0, #prefix, [1]>]}} {
  %a = affine.load %A[0] : memref<?xf32>
  return %a : f32
}

// Assertions hold in each call that returns.
func.func @asserted(%A: memref<?xf32>, %n: index) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"()[n] -> (r0) : (0 <= r0 < n, n <= 8)">, [1]>]}} {
  %eight = arith.constant 8 : index
  %v = arith.constant 0.0 : f32
  %small = arith.cmpi sle, %n, %eight : index
  cf.assert %small, "n is more than 8"
  affine.for %i = 0 to %n {
    affine.store %v, %A[%i] : memref<?xf32>
  }
  return
}

// What another access refuses does not happen: 'n' is at most 3.
func.func @refused(%A: memref<4xf32>, %B: memref<?xf32>, %n: index) attributes {loom.effects = {may_reads = [#loom.access_set<0, #loom.relation<"()[n] -> (r0) : (r0 == n)">, [2]>, #loom.access_set<1, #loom.relation<"()[n] -> (r0) : (0 <= r0 < n + 1, n <= 3)">, [2]>]}} {
  affine.for %i = 0 to affine_map<(n) -> (n + 1)>(%n) {
    %b = affine.load %B[%i] : memref<?xf32>
  }
  %a = affine.load %A[symbol(%n)] : memref<4xf32>
  return
}

// A number has the values of its type.
func.func @narrow(%A: memref<?xf32>, %n: i8) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"()[n] -> (r0) : (0 <= r0 < n, n <= 127)">, [1]>]}} {
  %v = arith.constant 0.0 : f32
  %m = arith.index_cast %n : i8 to index
  affine.for %i = 0 to %m {
    affine.store %v, %A[%i] : memref<?xf32>
  }
  return
}

// Calls are what the called functions do; all of a function that calls itself is covered.
func.func @calls(%A: memref<?xf32>, %n: index) attributes {loom.effects = {
    writes = [#loom.access_set<0, #loom.relation<"()[n] -> (r0) : (0 <= r0 < n - 2)">, [1]>], may_reads = [#loom.access_set<0, #prefix, [dim(0, 0)]>], may_writes = [#loom.access_set<0, #prefix, [dim(0, 0)]>]}} {
  %m = affine.apply affine_map<()[n] -> (n - 2)>()[%n]
  call @fill(%A, %m) : (memref<?xf32>, index) -> ()
  call @itself(%A) : (memref<?xf32>) -> ()
  return
}
func.func private @fill(%A: memref<?xf32>, %n: index) {
  %v = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    affine.store %v, %A[%i] : memref<?xf32>
  }
  return
}
func.func private @itself(%A: memref<?xf32>) {
  call @itself(%A) : (memref<?xf32>) -> ()
  return
}

// -----

// A read of one element more.
// expected-note @+1 {{'reads' and 'may_reads' of argument 0 are "()[arg1] -> (r0) : (r0 == arg1)"}}
func.func @count(%A: memref<128xf32>, %pos: index) -> f32 attributes {loom.effects = {reads = [#loom.access_set<0, #loom.relation<"(d) -> (r) : (r == d)">, [1]>]}} {
  %a = affine.load %A[symbol(%pos)] : memref<128xf32>
  // expected-error @+2 {{'affine.load' reads element [1] of argument 0, where argument 1 is 0, which is not in what 'loom.effects' of '@count' declares}}
  // expected-note @+1 {{the access reads "()[arg1] -> (r0) : (r0 == arg1 + 1)"}}
  %b = affine.load %A[symbol(%pos) + 1] : memref<128xf32>
  %p = arith.mulf %a, %b : f32
  return %p : f32
}

// -----

// A write where reads alone are declared.
// expected-note @+1 {{'writes' and 'may_writes' of argument 0 are nothing}}
func.func @f(%A: memref<4xf32>) attributes {loom.effects = {may_reads = [#loom.access_set<0, #loom.relation<"() -> (r) : (0 <= r < 4)">>]}} {
  %v = arith.constant 0.0 : f32
  // expected-error @+2 {{'affine.store' writes element [3] of argument 0, which is not in what 'loom.effects' of '@f' declares}}
  // expected-note @+1 {{the access writes "() -> (r0) : (r0 == 3)"}}
  affine.store %v, %A[3] : memref<4xf32>
  return
}

// -----

// A write to another argument, by a call.
// expected-note @+1 {{'writes' and 'may_writes' of argument 1 are nothing}}
func.func @f(%A: memref<4xf32>, %B: memref<4xf32>) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"() -> (r) : (0 <= r < 4)">>]}} {
  call @fill(%A) : (memref<4xf32>) -> ()
  // expected-error @+2 {{'func.call' writes element [0] of argument 1, which is not in what 'loom.effects' of '@f' declares}}
  // expected-note @+1 {{the access writes "() -> (r0) : (0 <= r0 <= 3)"}}
  call @fill(%B) : (memref<4xf32>) -> ()
  return
}
func.func private @fill(%A: memref<4xf32>) {
  %v = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.store %v, %A[%i] : memref<4xf32>
  }
  return
}

// -----

// A store that the body does not have.
// expected-error @+2 {{entry 0 of 'writes' in 'loom.effects' of '@f' has element [0] of argument 0, where axis 0 of argument 0 is 1 and argument 1 is 1, which the body does not write}}
// expected-note @+1 {{the body writes nothing}}
func.func @f(%A: memref<?xf32>, %n: index) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"()[n] -> (r) : (0 <= r < n)">, [1]>]}} {
  return
}

// -----

// Every second element is no prefix.
// expected-error @+2 {{entry 0 of 'writes' in 'loom.effects' of '@f' has element [1] of argument 0, where axis 0 of argument 0 is 2 and argument 1 is 2, which the body does not write}}
// expected-note @+1 {{the body writes "()[arg1] -> (r0) : (0 <= r0 <= arg1 - 1, r0 mod 2 == 0)"}}
func.func @f(%A: memref<?xf32>, %n: index) attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"()[n] -> (r) : (0 <= r < n)">, [1]>]}} {
  %v = arith.constant 0.0 : f32
  affine.for %i = 0 to %n step 2 {
    affine.store %v, %A[%i] : memref<?xf32>
  }
  return
}

// -----

// Whether it is written depends on data.
// expected-warning @+1 {{not compared with 'loom.effects' of '@f': entry 0 of 'writes' in 'loom.effects' of '@f' has elements that the body may write and need not; 'may_writes' says so}}
func.func @f(%A: memref<?xf32>, %n: index) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"()[n] -> (r) : (0 <= r < n)">, [1]>], writes = [#loom.access_set<0, #loom.relation<"()[n] -> (r) : (0 <= r < n)">, [1]>]}} {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf32>
    %p = arith.cmpf olt, %a, %zero : f32
    scf.if %p {
      affine.store %zero, %A[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A subscript from memory.
func.func @f(%A: memref<?xf32>, %B: memref<?xindex>, %n: index) attributes {loom.effects = {
    may_reads = [#loom.access_set<1, #loom.relation<"()[n] -> (r) : (0 <= r < n)">, [2]>], may_writes = [#loom.access_set<0, #loom.relation<"()[n] -> (r) : (0 <= r < n)">, [2]>]}} {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    %b = affine.load %B[%i] : memref<?xindex>
    // expected-warning @+1 {{not compared with 'loom.effects' of '@f': 'memref.store' writes elements of argument 0 that are not known, because a subscript is not affine in the function's arguments}}
    memref.store %zero, %A[%b] : memref<?xf32>
  }
  return
}

// -----

// A product of numbers of the call, memory of one of two arguments, a loop to a number from memory.
func.func @f(%A: memref<?xf32>, %B: memref<?xf32>, %n: index, %p: i1, %s: i16) attributes {loom.effects = {}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.constant 1.0 : f32
  %either = arith.select %p, %A, %B : memref<?xf32>
  // expected-warning @+2 {{not compared with 'loom.effects' of '@f': 'memref.load' reads elements of argument 0 that are not known, because its memory may be that of several arguments}}
  // expected-warning @+1 {{not compared with 'loom.effects' of '@f': 'memref.load' reads elements of argument 1 that are not known, because its memory may be that of several arguments}}
  %b = memref.load %either[%c0] : memref<?xf32>
  %t = arith.index_cast %s : i16 to index
  %square = arith.muli %t, %t : index
  // expected-warning @+1 {{not compared with 'loom.effects' of '@f': 'memref.store' writes elements of argument 0 that are not known, because it depends on a product of numbers that a call gives}}
  memref.store %a, %A[%square] : memref<?xf32>
  %m = arith.fptosi %a : f32 to i64
  %many = arith.index_cast %m : i64 to index
  scf.for %i = %c0 to %many step %c1 {
    // expected-warning @+1 {{not compared with 'loom.effects' of '@f': 'memref.store' writes elements of argument 1 that are not known, because a subscript is not affine in the function's arguments}}
    memref.store %a, %B[%i] : memref<?xf32>
  }
  return
}

// -----

// A function of which nothing is known.
func.func private @other(memref<?xf32>)
func.func @f(%A: memref<?xf32>) attributes {loom.effects = {}} {
  // expected-warning @+2 {{not compared with 'loom.effects' of '@f': 'func.call' reads elements of argument 0 that are not known, because nothing is known of what the called function does}}
  // expected-warning @+1 {{not compared with 'loom.effects' of '@f': 'func.call' writes elements of argument 0 that are not known, because nothing is known of what the called function does}}
  call @other(%A) : (memref<?xf32>) -> ()
  return
}

// -----

// Memory of any rank is in no set; what a function does with it is not compared.
func.func private @any(%u: memref<*xf32>) {
  %x = memref.cast %u : memref<*xf32> to memref<?xf32>
  %c = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  memref.store %z, %x[%c] : memref<?xf32>
  return
}
func.func @f(%x: memref<?xf32>) attributes {loom.effects = {}} {
  %u = memref.cast %x : memref<?xf32> to memref<*xf32>
  // expected-warning @+2 {{'func.call' reads elements of argument 0 that are not known, because the called function takes memory of any rank}}
  // expected-warning @+1 {{'func.call' writes elements of argument 0 that are not known, because the called function takes memory of any rank}}
  call @any(%u) : (memref<*xf32>) -> ()
  return
}
// expected-warning @+1 {{not compared with 'loom.effects' of '@g': argument 0 of type 'memref<*xf32>' has no known rank, so that no set is about it}}
func.func @g(%u: memref<*xf32>) attributes {loom.effects = {}} {
  return
}

// -----

// A condition of type i1 is a scalar of a body's sets.
func.func @f(%x: memref<8xf32>, %n: i1) attributes {loom.effects = {
    reads = [#loom.access_set<0, #loom.relation<"(n) -> (r) : (1 <= n, r == 0)">, [1]>]}} {
  %c = arith.constant 0 : index
  scf.if %n {
    %v = memref.load %x[%c] : memref<8xf32>
  }
  return
}

// -----

// A view of axes with open extents.
func.func @f(%A: memref<?x?xf32>) attributes {loom.effects = {}} {
  %flat = memref.collapse_shape %A [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  // expected-warning @+1 {{not compared with 'loom.effects' of '@f': 'affine.load' reads elements of argument 0 that are not known, because a subscript is not affine in the function's arguments}}
  %a = affine.load %flat[0] : memref<?xf32>
  return
}

// -----

// A view is compared as what it views.
// expected-note @+1 {{'reads' and 'may_reads' of argument 0 are "()[arg1] -> (r0, r1) : (r0 == arg1, 0 <= r1 <= 2)"}}
func.func @f(%A: memref<4x4xf32>, %n: index) attributes {loom.effects = {may_reads = [#loom.access_set<0, #loom.relation<"()[n] -> (i, j) : (i == n, 0 <= j <= 2)">, [1]>]}} {
  %row = memref.subview %A[%n, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %a = affine.load %row[2] : memref<4xf32, strided<[1], offset: ?>>
  // expected-error @+2 {{'affine.load' reads element [0, 3] of argument 0, where argument 1 is 0, which is not in what 'loom.effects' of '@f' declares}}
  // expected-note @+1 {{the access reads "()[arg1] -> (r0, r1) : (r0 == arg1, r1 == 3)"}}
  %b = affine.load %row[3] : memref<4xf32, strided<[1], offset: ?>>
  return
}

// -----

// Words that hold, and what is initialized.
memref.global constant @table : memref<2xf32> = dense<1.0>
func.func @f(%A: memref<4xf32>) attributes {loom.effects = {deterministic, reentrant, initializes = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 1)">>], reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 2)">>]}} {
  %m = memref.get_global @table : memref<2xf32>
  affine.for %i = 0 to 2 {
    %v = affine.load %m[%i] : memref<2xf32>
    affine.store %v, %A[%i] : memref<4xf32>
  }
  %w = affine.load %A[2] : memref<4xf32>
  return
}

// -----

memref.global @state : memref<f32> = dense<1.0>
func.func @f(%A: memref<f32>) attributes {loom.effects = {deterministic, may_reads = [#loom.access_set<0, #loom.relation<"() -> () : ()">>]}} {
  // expected-error @+1 {{'memref.get_global' is memory '@state' that calls may change, but 'loom.effects' of '@f' says 'deterministic'}}
  %m = memref.get_global @state : memref<f32>
  %v = affine.load %m[] : memref<f32>
  return
}

// -----

func.func @f(%A: memref<f32>) attributes {loom.effects = {reentrant, may_reads = [#loom.access_set<0, #loom.relation<"() -> () : ()">>]}} {
  // expected-error @+1 {{'func.call' calls '@g', which is not, but 'loom.effects' of '@f' says 'reentrant'}}
  call @g(%A) : (memref<f32>) -> ()
  return
}
func.func private @g(memref<f32>) attributes {loom.effects = {deterministic, reads = [#loom.access_set<0, #loom.relation<"() -> () : ()">>]}}

// -----

// expected-warning @+1 {{not compared with 'loom.effects' of '@f': entry 0 of 'initializes' in 'loom.effects' of '@f' has elements that the body may read as well, and it is not known what comes first}}
func.func @f(%A: memref<f32>) attributes {loom.effects = {initializes = [#loom.access_set<0, #loom.relation<"() -> () : ()">>], reads = [#loom.access_set<0, #loom.relation<"() -> () : ()">>]}} {
  %v = affine.load %A[] : memref<f32>
  affine.store %v, %A[] : memref<f32>
  return
}

// -----

// expected-error @+2 {{entry 0 of 'initializes' in 'loom.effects' of '@f' has element [1] of argument 0, which the body does not write}}
// expected-note @+1 {{the body writes "() -> (r0) : (r0 == 0)"}}
func.func @f(%A: memref<2xf32>) attributes {loom.effects = {initializes = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 1)">>]}} {
  %v = arith.constant 0.0 : f32
  affine.store %v, %A[0] : memref<2xf32>
  return
}

// -----

// What a called function always checks holds in calls that return.
func.func private @less(%A: memref<?xf32>, %n: index) {
  %c4 = arith.constant 4 : index
  %isLess = arith.cmpi slt, %n, %c4 : index
  cf.assert %isLess, "n is less than 4"
  %v = memref.load %A[%n] : memref<?xf32>
  return
}
func.func @f(%A: memref<?xf32>, %n: index) attributes {loom.effects = {may_reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 3)">>]}} {
  call @less(%A, %n) : (memref<?xf32>, index) -> ()
  return
}

// -----

// expected-note @+1 {{'writes' and 'may_writes' of argument 1 are nothing}}
func.func @f(%A: memref<4xf32>, %B: memref<4xf32>) attributes {loom.effects = {reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (0 <= i <= 3)">>]}} {
  // expected-error @+2 {{'memref.copy' writes element [0] of argument 1, which is not in what 'loom.effects' of '@f' declares}}
  // expected-note @+1 {{the access writes "() -> (r0) : (0 <= r0 <= 3)"}}
  memref.copy %A, %B : memref<4xf32> to memref<4xf32>
  return
}

// -----

// A function that tells what is accessed: a triangle, for calls in which its assertion holds.
func.func private @lower(%a: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %is = arith.cmpi sge, %n, %c0 : index
  cf.assert %is, "n is negative"
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
      %x = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %x, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
func.func @by_columns(%a: memref<?x?xf32>, %n: index) attributes {loom.effects = @lower} {
  affine.for %j = 0 to %n {
    affine.for %i = affine_map<(j) -> (j)>(%j) to %n {
      %x = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %x, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
// Less is no difference.
func.func @diagonal(%a: memref<?x?xf32>, %n: index) attributes {loom.effects = {reentrant, summary = @lower}} {
  %x = arith.constant 1.0 : f32
  affine.for %j = 0 to %n {
    affine.store %x, %a[%j, %j] : memref<?x?xf32>
  }
  return
}
func.func @negative(%a: memref<?x?xf32>, %n: index) attributes {loom.effects = @lower} {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  affine.if affine_set<(n) : (-n - 1 >= 0)>(%n) {
    %x = memref.load %a[%c1, %c5] : memref<?x?xf32>
  }
  return
}

// -----

// expected-note @+1 {{'@lower' writes "()[arg1] -> (r0, r1) : (r0 <= arg1 - 1, 0 <= r1 <= r0)"}}
func.func private @lower(%a: memref<?x?xf32>, %n: index) {
  %x = arith.constant 1.0 : f32
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
      affine.store %x, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
func.func @f(%a: memref<?x?xf32>, %n: index) attributes {loom.effects = @lower} {
  %x = arith.constant 1.0 : f32
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(i) -> (i + 2)>(%i) {
      // expected-error @+2 {{'affine.store' writes element [0, 1] of argument 0, where axis 0 of argument 0 is 1, axis 1 of argument 0 is 2 and argument 1 is 1, which is not in what 'loom.effects' of '@f' declares}}
      // expected-note @+1 {{the access writes}}
      affine.store %x, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----

// What depends on memory is not known exactly.
func.func private @some(%a: memref<?xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    %is = arith.cmpf olt, %x, %zero : f32
    scf.if %is {
      memref.store %zero, %a[%i] : memref<?xf32>
    }
  }
  return
}
func.func @f(%a: memref<?xf32>, %n: index) attributes {loom.effects = @some} {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    // expected-warning @+1 {{not compared with 'loom.effects' of '@f': it is not known whether '@some' writes all elements of argument 0 that 'affine.store' does}}
    affine.store %zero, %a[%i] : memref<?xf32>
  }
  return
}
