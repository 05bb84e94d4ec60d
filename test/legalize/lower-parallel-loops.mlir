// RUN: broadloom-opt %s --loom-lower-parallel-loops | FileCheck %s

// CHECK-LABEL: func.func @static
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32)
// CHECK: %[[X:.*]] = tensor.extract %{{.*}}[%[[I]]] : tensor<4xf32>
// CHECK: %[[T:.*]] = arith.addf %[[S]], %[[X]]
// CHECK: scf.yield %[[T]]
// CHECK: return %[[R]]
func.func @static(%a: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%zero) -> f32 {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    scf.reduce(%x : f32) {
    ^bb0(%s: f32, %t: f32):
      %sum = arith.addf %s, %t : f32
      scf.reduce.return %sum : f32
    }
  }
  return %r : f32
}

// Two axes of any extents: the first one is outermost, and what is reduced is
// carried through both.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %{{.*}}: tensor<?x?xf32>, %[[N:.*]]: index, %[[M:.*]]: index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32)
// CHECK-NEXT: scf.for %[[J:.*]] = %{{.*}} to %[[M]] {{.*}} iter_args(%{{.*}} = %[[S]]) -> (f32)
// CHECK-NEXT: tensor.extract %{{.*}}[%[[I]], %[[J]]]
// CHECK-NOT: = scf.parallel
func.func @dynamic(%a: tensor<?x?xf32>, %n: index, %m: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) init (%zero) -> f32 {
    %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%s: f32, %t: f32):
      %sum = arith.addf %s, %t : f32
      scf.reduce.return %sum : f32
    }
  }
  return %r : f32
}

// Other loops stay.
// CHECK-LABEL: func.func @others
// CHECK: scf.forall
func.func @others(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = scf.forall (%i) in (%n) shared_outs(%o = %a) -> tensor<?xf32> {
    %x = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// affine.parallel becomes loops of affine, whose bounds stay as they are.
// CHECK-LABEL: func.func @parallel
// CHECK-SAME: (%[[A:.*]]: index, %[[B:.*]]: index)
// CHECK: affine.for %{{.*}} = max #{{.*}} to #{{.*}} {
// CHECK-NEXT: affine.for %{{.*}} = #{{.*}} to #{{.*}} step 2 {
func.func @parallel(%a: index, %b: index) {
  affine.parallel (%i, %j) = (max(symbol(%a), symbol(%b)), 0) to (symbol(%a) + 7, 8) step (1, 2) {
  }
  return
}

// What it reduces begins with the number that changes nothing.
// CHECK-LABEL: func.func @reduce
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[R:.*]] = affine.for %{{.*}} = 0 to %{{.*}} iter_args(%[[P:.*]] = %[[ONE]]) -> (i32) {
// CHECK-NEXT: %[[Q:.*]] = arith.muli %[[P]], %{{.*}} : i32
// CHECK-NEXT: affine.yield %[[Q]]
// CHECK: return %[[R]]
func.func @reduce(%n: index, %x: i32) -> i32 {
  %r = affine.parallel (%i) = (0) to (symbol(%n)) reduce ("muli") -> (i32) {
    affine.yield %x : i32
  }
  return %r : i32
}

// Of scf.forall those over memory.
// CHECK-LABEL: func.func @forall
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
func.func @forall(%a: memref<?x?xf32>, %x: f32, %n: index) attributes {loom.memory} {
  scf.forall (%i, %j) = (1, 0) to (%n, 4) step (2, 1) {
    memref.store %x, %a[%i, %j] : memref<?x?xf32>
  }
  return
}
