// RUN: split-file %s %t
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/inner.mlir | FileCheck %s --check-prefix=INNER
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/all.mlir | FileCheck %s --check-prefix=ALL
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/open.mlir | FileCheck %s --check-prefix=OPEN
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/pack.mlir | FileCheck %s --check-prefix=PACK
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/again.mlir | FileCheck %s --check-prefix=AGAIN

// sch-4: calls in which a loop that moves inwards is empty have the order of
// the program, also where constants of bounds stand in the loops.
// INNER-LABEL: func.func @inside
// INNER-SAME: %[[M:[^: ]*]]: index, %[[L:[^: ]*]]: index)
// INNER: arith.cmpi slt, %{{.*}}, %[[M]] : index
// INNER-NOT: arith.cmpi slt, %{{.*}}, %[[L]] : index
// INNER: scf.if

// ALL-LABEL: func.func @inside
// ALL-SAME: %[[N:[^: ]*]]: index, %[[M:[^: ]*]]: index, %[[L:[^: ]*]]: index)
// ALL-DAG: arith.cmpi slt, %{{.*}}, %[[N]] : index
// ALL-DAG: arith.cmpi slt, %{{.*}}, %[[M]] : index
// ALL-NOT: arith.cmpi slt, %{{.*}}, %[[L]] : index
// ALL: scf.if

// The bounds of a triangle depend on a loop around.
// OPEN-LABEL: func.func @triangle
// OPEN-NOT: arith.cmpi slt, %c0{{.*}} : index
// OPEN: scf.if

// sch-19: the loops run, and the box is no longer than two of the memref.
// PACK-LABEL: func.func @inside
// PACK-SAME: %[[N:[^: ]*]]: index, %[[M:[^: ]*]]: index, %[[L:[^: ]*]]: index)
// PACK: arith.cmpi slt, %{{.*}}, %[[N]] : index
// PACK: arith.cmpi slt, %{{.*}}, %[[M]] : index
// PACK: arith.cmpi slt, %{{.*}}, %[[L]] : index
// PACK: %[[EXTENT:.*]] = memref.dim %arg0, %c2
// PACK-NEXT: %[[MOST:.*]] = arith.addi %[[EXTENT]], %[[EXTENT]] {loom.of_bounds}
// PACK-NEXT: arith.cmpi sle, %[[L]], %[[MOST]] : index
// PACK: scf.if
// PACK: memref.alloc

// A copy of a copy: its extents are those of the first one.
// AGAIN-LABEL: func.func @inside
// AGAIN: %[[SIZE:.*]] = arith.maxsi
// AGAIN: arith.addi %[[SIZE]], %[[SIZE]] {loom.of_bounds}
// AGAIN: scf.if
// AGAIN: memref.alloc(%[[SIZE]]) {loom.copy_of = "argument 0"
// AGAIN: memref.alloc({{.*}}) {loom.copy_of = "the copy of argument 0"
// AGAIN: loom.loop = "k.copy2.2"

//--- program.mlir
func.func @inside(%a: memref<?x?x?xf32>, %n: index, %m: index, %l: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    scf.for %j = %i0 to %m step %i1 {
      %j0 = arith.constant 0 : index
      %j1 = arith.constant 1 : index
      scf.for %k = %j0 to %l step %j1 {
        %x = memref.load %a[%i, %j, %k] : memref<?x?x?xf32>
        %y = arith.addf %x, %x : f32
        memref.store %y, %a[%i, %j, %k] : memref<?x?x?xf32>
      } {loom.loop = "k"}
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return
}

func.func @triangle(%a: memref<?x?x?xf32>, %n: index, %l: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      scf.for %k = %c0 to %l step %c1 {
        %x = memref.load %a[%i, %j, %k] : memref<?x?x?xf32>
        %y = arith.addf %x, %x : f32
        memref.store %y, %a[%i, %j, %k] : memref<?x?x?xf32>
      } {loom.loop = "k"}
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return
}

//--- inner.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j, %k = transform.loom.nest @inside 0 : 3
    %x:2 = transform.loom.interchange %j, %k to [1, 0]
    transform.yield
  }
}

//--- all.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j, %k = transform.loom.nest @inside 0 : 3
    %x:3 = transform.loom.interchange %i, %j, %k to [2, 0, 1]
    transform.yield
  }
}

//--- open.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j, %k = transform.loom.nest @triangle 0 : 3
    %x:2 = transform.loom.interchange %j, %k to [1, 0]
    transform.yield
  }
}

//--- pack.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %k = transform.loom.loop @inside "k"
    %p = transform.loom.pack %k of "argument 0"
    transform.yield
  }
}

//--- again.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %k = transform.loom.loop @inside "k"
    %p = transform.loom.pack %k of "argument 0"
    %q = transform.loom.pack %p of "the copy of argument 0"
    transform.yield
  }
}
