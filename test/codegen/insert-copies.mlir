// RUN: broadloom-opt %s --loom-bufferize --split-input-file | FileCheck %s

// An operation takes over the memory of what is made for it, and is read no more.
// CHECK-LABEL: func.func @last_use
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: memref.store
// CHECK: memref.store
func.func @last_use(%n: index, %x: f32, %i: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.extract %f[%i] : tensor<?xf32>
  %a = tensor.insert %r into %f[%i] : tensor<?xf32>
  %b = tensor.insert %x into %a[%i] : tensor<?xf32>
  return %b : tensor<?xf32>
}

// -----

// What is read later is copied.
// CHECK-LABEL: func.func @read_later
// CHECK: linalg.fill
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: memref.copy %{{.*}}, %[[C]]
// CHECK: memref.store %{{.*}}, %[[C]]
func.func @read_later(%n: index, %x: f32, %i: index) -> (tensor<?xf32>, f32) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %a = tensor.insert %x into %f[%i] : tensor<?xf32>
  %r = tensor.extract %f[%i] : tensor<?xf32>
  return %a, %r : tensor<?xf32>, f32
}

// -----

// So is what another name may read.
// CHECK-LABEL: func.func @another_name
// CHECK: memref.copy
func.func @another_name(%n: index, %x: f32, %i: index, %p: i1, %o: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = arith.select %p, %f, %o : tensor<?xf32>
  %a = tensor.insert %x into %f[%i] : tensor<?xf32>
  return %a, %s : tensor<?xf32>, tensor<?xf32>
}

// -----

// One branch does not run when the other does.
// CHECK-LABEL: func.func @branches
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @branches(%n: index, %x: f32, %i: index, %p: i1) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.if %p -> tensor<?xf32> {
    %a = tensor.insert %x into %f[%i] : tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %f : tensor<?xf32>
  }
  %b = tensor.insert %x into %r[%i] : tensor<?xf32>
  return %b : tensor<?xf32>
}

// -----

// A loop writes in place to one copy of what it starts with.
// CHECK-LABEL: func.func @loop
// CHECK: memref.copy
// CHECK: scf.for
// CHECK-NOT: memref.copy
// CHECK: memref.store
// CHECK: scf.yield
// CHECK-NOT: memref.copy
func.func @loop(%a: tensor<?xf32>, %x: f32, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    %w = tensor.insert %x into %t[%i] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// What a loop only hands on is copied nowhere.
// CHECK-LABEL: func.func @hands_on
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @hands_on(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %y, %x : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0 : tensor<?xf32>
}

// -----

// An operation that is inside a loop runs again: what is made outside stays.
// CHECK-LABEL: func.func @inside_a_loop
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK: memref.copy
// CHECK: memref.store
func.func @inside_a_loop(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    %w = tensor.insert %s into %f[%i] : tensor<?xf32>
    %v = tensor.extract %w[%c0] : tensor<?xf32>
    scf.yield %v : f32
  }
  return %r : f32
}

// -----

// Memory whose contents nobody reads is not copied but made anew.
// CHECK-LABEL: func.func @overwritten
// CHECK: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: linalg.fill
func.func @overwritten(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %f = linalg.fill ins(%x : f32) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %f : tensor<?xf32>
}
