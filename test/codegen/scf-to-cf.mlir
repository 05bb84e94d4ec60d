// RUN: broadloom-opt %s --loom-scf-to-cf --split-input-file | FileCheck %s

// Branches and loops behind one another, and in one another, become blocks in the
// order of the text.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[N:.*]]: index, %[[C:.*]]: i1, %[[X:.*]]: i32)
// CHECK: cf.cond_br %[[C]], ^[[THEN:.*]], ^[[ELSE:.*]]
// CHECK: ^[[THEN]]:
// CHECK: arith.addi %[[X]], %[[X]]
// CHECK: cf.br ^[[JOIN:.*]](
// CHECK: ^[[ELSE]]:
// CHECK: cf.br ^[[JOIN]](%[[X]] : i32)
// CHECK: ^[[JOIN]](%[[Y:.*]]: i32):
// CHECK: cf.br ^[[HEAD:.*]](%{{.*}}, %[[Y]] : index, i32)
// CHECK: ^[[HEAD]](%[[I:.*]]: index, %[[V:.*]]: i32):
// CHECK: arith.cmpi slt, %[[I]], %[[N]]
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:.*]], ^[[END:.*]]
// CHECK: ^[[BODY]]:
// CHECK: cf.cond_br %[[C]], ^
// CHECK: arith.muli %[[V]], %[[V]]
// CHECK: ^[[END]]:
// CHECK: return %[[V]]
// CHECK-NOT: scf.
func.func @main(%n: index, %c: i1, %x: i32) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = scf.if %c -> i32 {
    %d = arith.addi %x, %x : i32
    scf.yield %d : i32
  } else {
    scf.yield %x : i32
  }
  %z = scf.for %i = %zero to %n step %one iter_args(%v = %y) -> i32 {
    %w = scf.if %c -> i32 {
      %s = arith.muli %v, %v : i32
      scf.yield %s : i32
    } else {
      scf.yield %v : i32
    }
    scf.yield %w : i32
  }
  return %z : i32
}

// -----

// A loop whose iterations run side by side is made of loops, which become blocks too.
// CHECK-LABEL: func.func @parallel
// CHECK-COUNT-2: cf.cond_br
// CHECK-NOT: scf.
func.func @parallel(%n: index, %m: index, %to: memref<?x?xi32>, %x: i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i, %j) = (%zero, %zero) to (%n, %m) step (%one, %one) {
    memref.store %x, %to[%i, %j] : memref<?x?xi32>
    scf.reduce
  }
  return
}

// -----

// LLVM leaves an innermost loop at an end of a boundary as it is, and not one
// that has loops.
// CHECK: #[[AS_IT_IS:.*]] = #llvm.loop_annotation<disableNonforced = true>
// CHECK-LABEL: func.func @ends
// CHECK: cf.br ^{{.*}} {llvm.loop_annotation = #[[AS_IT_IS]]}
// CHECK-NOT: llvm.loop_annotation
// CHECK: return
func.func @ends(%m: memref<?xf32>, %x: f32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %one step %one {
    scf.for %j = %zero to %n step %one {
      memref.store %x, %m[%j] : memref<?xf32>
    } {loom.end}
    scf.for %j = %zero to %n step %one {
      memref.store %x, %m[%j] : memref<?xf32>
    }
  } {loom.end}
  return
}
