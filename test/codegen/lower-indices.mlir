// Affine maps become arithmetic that wraps, without flags, and loops count their
// rounds.
// RUN: broadloom-opt %s --loom-lower-indices | FileCheck %s

// CHECK-LABEL: func.func @map
// CHECK-NOT: affine
// CHECK-NOT: overflow
// CHECK: arith.muli
// CHECK: arith.addi
func.func @map(%a: index, %b: index) -> index {
  %0 = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%a, %b)
  return %0 : index
}

// The step is 3: the next index behind the last may not fit 64 bits, and the
// count of the rounds does.
// CHECK-LABEL: func.func @loop
// CHECK: %[[WHOLE:.*]] = arith.divui
// CHECK: %[[N:.*]] = arith.addi %[[WHOLE]]
// CHECK: %[[COUNT:.*]] = arith.select %{{.*}}, %[[N]]
// CHECK: scf.for unsigned %[[ROUND:.*]] = %{{.*}} to %[[COUNT]] step
// CHECK: %[[OFFSET:.*]] = arith.muli %[[ROUND]]
// CHECK: arith.addi %arg0, %[[OFFSET]]
func.func @loop(%from: index, %to: index, %out: memref<?xindex>) {
  %c3 = arith.constant 3 : index
  scf.for %i = %from to %to step %c3 {
    memref.store %i, %out[%from] : memref<?xindex>
  }
  return
}
