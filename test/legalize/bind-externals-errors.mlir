// What a function of another library can declare (ffi-1).

// RUN: broadloom-opt %s --split-input-file --verify-diagnostics --loom-mark-memory-functions --loom-bind-externals

// expected-error @+1 {{function '@f' has 'loom.effects' = "reads"; it is the name of a function, such as @effects_of_f, or sets, such as {reads = []}}}
func.func private @f(memref<?xf64>) attributes {loom.effects = "reads"}

// -----

// expected-error @+1 {{function '@f' has 'loom.effects' = @g, but there is no function of that name with a body}}
func.func private @f(memref<?xf64>) attributes {loom.effects = @g}

// -----

// expected-error @+1 {{function '@f' has 'loom.effects' = @g, a function of type '(memref<?xf32>) -> ()'; it must have the arguments, and the results, of '@f', '(memref<?xf64>) -> ()'}}
func.func private @f(memref<?xf64>) attributes {loom.effects = @g}
func.func private @g(%x: memref<?xf32>) {
  return
}

// -----

// expected-error @+1 {{argument 0 of '@f' is of type 'i8', which cannot be handed to another library; there are i32, i64, index, f32, f64 and, for arguments, memory of numbers}}
func.func private @f(i8, memref<?xf64>) attributes {loom.effects = @g}
func.func private @g(%n: i8, %x: memref<?xf64>) {
  return
}

// -----

// expected-error @+1 {{argument 0 of '@f' is of type 'memref<?xf64, strided<[?]>>', which cannot be handed to another library as an address; make it row-major, or say loom.convention = "descriptors"}}
func.func private @f(memref<?xf64, strided<[?]>>) attributes {loom.effects = @g}
func.func private @g(%x: memref<?xf64, strided<[?]>>) {
  return
}

// -----

// expected-error @+1 {{function '@f' has 2 results; a function of another library has one at most}}
func.func private @f(memref<?xf64>) -> (f64, f64) attributes {loom.effects = @g}
func.func private @g(%x: memref<?xf64>) {
  return
}

// -----

// expected-error @+1 {{result 0 of '@f' is of type 'memref<?xf64>', which cannot be handed to another library; there are i32, i64, index, f32, f64 and, for arguments, memory of numbers}}
func.func private @f(memref<?xf64>) -> memref<?xf64> attributes {loom.effects = @g}
func.func private @g(%x: memref<?xf64>) {
  return
}

// -----

// expected-error @+1 {{function '@f' has 'loom.convention' = "bare"; there are "pointers" and "descriptors"}}
func.func private @f(memref<?xf64>) attributes {loom.effects = @g, loom.convention = "bare"}
func.func private @g(%x: memref<?xf64>) {
  return
}

// -----

func.func private @f(memref<?xf64>) attributes {loom.effects = @g}
func.func private @g(%x: memref<?xf64>) {
  // expected-error @+1 {{'memref.alloc' cannot stand in '@g', which tells what '@f' reads and writes; use loops, branches, loads, stores, 'cf.assert', and calls of functions of one block without results}}
  %y = memref.alloc() : memref<4xf64>
  return
}

// -----

// expected-error @+1 {{function '@llvm.trap' has no name that a library can have; it is an identifier of C, and does not begin with 'broadloom' or 'loom_'}}
func.func private @llvm.trap(memref<?xf64>) attributes {loom.effects = @g}
func.func private @g(%x: memref<?xf64>) {
  return
}

// -----

func.func private @f(memref<4xf64>, i1) attributes {loom.effects = @g}
// expected-error @-1 {{argument 1 of '@f' is of type 'i1', which cannot be handed to another library; there are i32, i64, index, f32, f64 and, for arguments, memory of numbers}}
func.func private @g(%x: memref<4xf64>, %p: i1) {
  return
}

// -----

memref.global "private" constant @c : memref<4xf64> = dense<1.0>
func.func private @f(memref<4xf64>, i64) attributes {loom.effects = @g}
func.func private @g(%x: memref<4xf64>, %n: i64) {
  %c = memref.get_global @c : memref<4xf64>
  %zero = arith.constant 0 : i64
  %p = arith.cmpi eq, %n, %zero : i64
  %m = scf.if %p -> memref<4xf64> {
    scf.yield %x : memref<4xf64>
  } else {
    scf.yield %c : memref<4xf64>
  }
  %v = arith.constant 0.0 : f64
  // expected-error @+1 {{'affine.store' in '@g' is about memory that is no argument, or that a branch or a loop chooses; load and store arguments of '@f', or views of them}}
  affine.store %v, %m[0] : memref<4xf64>
  return
}

// -----

// expected-error @+1 {{function '@' has no name that a library can have; it is an identifier of C, and does not begin with 'broadloom' or 'loom_'}}
func.func private @""(memref<?xf64>) attributes {loom.effects = @g}
func.func private @g(%x: memref<?xf64>) {
  return
}

// -----

// expected-error @+1 {{function '@f' has 'loom.effects' = @g, a function of type '(memref<?xf64>) -> i64'; it must have the arguments, and the results, of '@f', '(memref<?xf64>) -> f64'}}
func.func private @f(memref<?xf64>) -> f64 attributes {loom.effects = @g}
func.func private @g(%x: memref<?xf64>) -> i64 {
  %zero = arith.constant 0 : i64
  return %zero : i64
}
