// RUN: split-file %s %t
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule='file=%t/pack.mlir print=true' -o %t/pack.out | FileCheck %s --check-prefix=TREE
// RUN: FileCheck %s --check-prefix=PACK --input-file=%t/pack.out
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/whole.mlir | FileCheck %s --check-prefix=WHOLE
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/threads.mlir | FileCheck %s --check-prefix=THREADS
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/number.mlir | FileCheck %s --check-prefix=NUMBER
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/scalar.mlir 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/call.mlir 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/large.mlir 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/inner.mlir 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/behind.mlir 2>&1 | FileCheck %s --check-prefix=BEHIND

// sch-19: a tile and one element on each side is filled, used and written
// back.
// PACK-LABEL: func.func @sweep
// PACK: %[[RUNS:.*]] = arith.cmpi slt, %c1{{.*}}, %arg1
// PACK: scf.if
// PACK: %[[COPY:.*]] = memref.alloc() {loom.copy_of = "argument 0", loom.of_scope} : memref<34xf32>
// PACK: scf.for %[[T:.*]] = %c1{{.*}} to %{{.*}} step %c32
// PACK: scf.for %[[X:[^ ]*]] =
// PACK: %[[TO:.*]] = arith.subi %[[X]]
// PACK: %[[V:.*]] = memref.load %arg0[%[[X]]]
// PACK: memref.store %[[V]], %[[COPY]][%[[TO]]]
// PACK: } {loom.copies, loom.loop = "i.copy0"}
// PACK: scf.for
// PACK: memref.load %[[COPY]]
// PACK: memref.load %[[COPY]]
// PACK: memref.store %{{.*}}, %[[COPY]]
// PACK: } {loom.loop = "i", loom.packs = 1 : i64, loom.part
// PACK: scf.for %[[Y:[^ ]*]] =
// PACK: %[[BACK:.*]] = memref.load %[[COPY]]
// PACK: memref.store %[[BACK]], %arg0[%[[Y]]]
// PACK: } {loom.copies, loom.loop = "i.back0"}
// PACK: memref.dealloc %[[COPY]]
// PACK: } else {
// PACK-NOT: memref.alloc

// sch-11
// TREE: transform.loom.pack
// TREE-NEXT: schedule @sweep {
// TREE: #S2 = (i.tile, i.copy0) : {{.*}} // 'memref.store' at
// TREE: #S3 = (i.tile, i.back0) : {{.*}}
// TREE: mark "edited" {
// TREE-NEXT: mldim %t1 : {S1,S2,S3} floordiv (i - 1, 32) {
// TREE-NEXT: sequence {
// TREE-NEXT: extension {
// TREE-NEXT: mldim %t2 : {S2} i.copy0 {
// TREE-NEXT: S2
// TREE-NEXT: }
// TREE-NEXT: }
// TREE-NEXT: mldim %t3 : {S1} (i - 1) mod 32 {
// TREE-NEXT: S1
// TREE-NEXT: }
// TREE-NEXT: extension {
// TREE-NEXT: mldim %t4 : {S3} i.back0 {
// TREE-NEXT: S3

// A row of a triangle is as long as the memref.
// WHOLE-LABEL: func.func @triangle
// WHOLE: scf.if
// WHOLE: memref.alloc(%dim{{[_0-9]*}}) {loom.copy_of = "argument 0", loom.of_scope} : memref<1x?xf32>

// Each iteration on threads has a copy.
// THREADS-LABEL: func.func @triangle
// THREADS: %[[TRIPS:.*]] = arith.maxsi
// THREADS: memref.alloc(%[[TRIPS]], %{{.*}}) {{.*}} : memref<?x1x?xf32>
// THREADS: } {loom.loop = "i", loom.on_threads

// Numbers of nests are those of the program.
// NUMBER-LABEL: func.func @two
// NUMBER: } {loom.copies}
// NUMBER: arith.subi
// NUMBER: } {loom.part = "ends (i0) - i0"}

// NONE: none.mlir:4:10: error: loop 'i' touches no memory 'argument 7', but argument 0
// SCALAR: scalar.mlir:4:10: error: argument 1 has one element
// CALL: call.mlir:4:10: error: 'func.call' in loop 'c' touches argument 0 by other means than one load or store of an element, so that it cannot touch a copy
// LARGE: large.mlir:4:10: error: the copy of argument 0 would have 12000000000 bytes, more than 2147483648
// INNER: inner.mlir:5:10: error: loop 'j' around loop 'k' runs on threads, and how many copies its iterations need depends on loops around it
// BEHIND: behind.mlir:5:10: error: loop 'i' cannot run on threads: iterations {{.*}} meet at element [0, 0] of the copy of argument 0{{[^;]*$}}

//--- program.mlir
func.func @sweep(%a: memref<?xf32>, %n: index) attributes {loom.memory} {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %behind = arith.addi %i, %c1 : index
    %x = memref.load %a[%before] : memref<?xf32>
    %y = memref.load %a[%behind] : memref<?xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %a[%i] : memref<?xf32>
  } {loom.loop = "i"}
  return
}

func.func @triangle(%a: memref<?x?xf32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      scf.for %k = %c0 to %i step %c1 {
        %x = memref.load %a[%i, %j] : memref<?x?xf32>
        %y = arith.addf %x, %x : f32
        memref.store %y, %a[%i, %j] : memref<?x?xf32>
      } {loom.loop = "k"}
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return
}

func.func @two(%a: memref<?xf32>, %b: memref<f32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %b[] : memref<f32>
  } {loom.loop = "b"}
  return
}

func.func private @set(%a: memref<?xf32>, %i: index) attributes {loom.memory} {
  %x = arith.constant 1.0 : f32
  memref.store %x, %a[%i] : memref<?xf32>
  return
}

func.func @calls(%a: memref<?xf32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @set(%a, %i) : (memref<?xf32>, index) -> ()
  } {loom.loop = "c"}
  return
}

func.func @large(%a: memref<?xf32>) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 3000000000 : index
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %end step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
  } {loom.loop = "l"}
  return
}

//--- pack.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @sweep "i"
    %t:2 = transform.loom.tile %i by [32]
    %p = transform.loom.pack %t#1 of "argument 0"
    transform.yield
  }
}

//--- whole.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %j = transform.loom.loop @triangle "j"
    %p = transform.loom.pack %j of "argument 0"
    transform.yield
  }
}

//--- threads.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @triangle 0 : 2
    %q = transform.loom.parallelize %i
    %p = transform.loom.pack %j of "argument 0"
    transform.yield
  }
}

//--- number.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.nest @two 0 : 1
    %p = transform.loom.pack %i of "argument 0"
    %j = transform.loom.nest @two 1 : 1
    %r = transform.loom.reverse %j
    transform.yield
  }
}

//--- none.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @sweep "i"
    %p = transform.loom.pack %i of "argument 7"
    transform.yield
  }
}

//--- scalar.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @two "b"
    %p = transform.loom.pack %i of "argument 1"
    transform.yield
  }
}

//--- call.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @calls "c"
    %p = transform.loom.pack %i of "argument 0"
    transform.yield
  }
}

//--- large.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @large "l"
    %p = transform.loom.pack %i of "argument 0"
    transform.yield
  }
}

//--- inner.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j, %k = transform.loom.nest @triangle 0 : 3
    %q = transform.loom.parallelize %j
    %p = transform.loom.pack %k of "argument 0"
    transform.yield
  }
}

//--- behind.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @triangle 0 : 2
    %p = transform.loom.pack %j of "argument 0"
    %q = transform.loom.parallelize %i
    transform.yield
  }
}
