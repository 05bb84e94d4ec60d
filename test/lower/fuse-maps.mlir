// RUN: broadloom-opt %s --split-input-file --loom-fuse-maps | FileCheck %s

// Broadcasting is associative: a producer joins whatever its extents are, and
// equal operands are shared (decision 64).

// CHECK-LABEL: func.func @broadcasting_chain(
// CHECK-SAME:      %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<?x4xf32>)
// CHECK-NEXT:    %[[R:.*]] = loom.map(%[[X:.*]] = %[[A]] : tensor<4xf32>, %[[Y:.*]] = %[[B]] : tensor<?x4xf32>) -> tensor<?x4xf32> {
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[E]], %[[Y]]
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[S]], %[[X]]
// CHECK-NEXT:      loom.yield %[[M]] : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]
func.func @broadcasting_chain(%a: tensor<4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = loom.map(%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  %1 = loom.map(%x = %0 : tensor<4xf32>, %y = %b : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %s = arith.addf %x, %y : f32
    loom.yield %s : f32
  }
  %2 = loom.map(%x = %1 : tensor<?x4xf32>, %y = %a : tensor<4xf32>) -> tensor<?x4xf32> {
    %m = arith.mulf %x, %y : f32
    loom.yield %m : f32
  }
  return %2 : tensor<?x4xf32>
}

// -----

// A value used several times does not end a chain.

// CHECK-LABEL: func.func @diamond(
// CHECK-COUNT-1: loom.map
// CHECK-NOT:     loom.map
func.func @diamond(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  %1 = loom.map(%x = %0 : tensor<?xf32>) -> tensor<?xf32> {
    %e = math.absf %x : f32
    loom.yield %e : f32
  }
  %2 = loom.map(%x = %0 : tensor<?xf32>, %y = %1 : tensor<?xf32>) -> tensor<?xf32> {
    %m = arith.mulf %x, %y : f32
    loom.yield %m : f32
  }
  return %2 : tensor<?xf32>
}

// -----

// A value that others read too becomes a further result where its shape is
// proved to be the same; here that is the constraint's doing.

// CHECK-LABEL: func.func @several_results(
// CHECK:         %[[R:.*]]:2 = loom.map(%{{.*}}) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK:           %[[E:.*]] = math.exp
// CHECK:           %[[M:.*]] = arith.mulf
// CHECK:           loom.yield %[[M]], %[[E]] : f32, f32
// CHECK:         %[[C:.*]] = tensor.cast %[[R]]#1 : tensor<4xf32> to tensor<?xf32>
// CHECK:         return %[[C]], %[[R]]#0
func.func @several_results(%a: tensor<?xf32>, %b: tensor<4xf32>) -> (tensor<?xf32>, tensor<4xf32>) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_result "tosa.exp", %sa is tensor<4xf32> : !loom.shape<[?]>
  %0 = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  %1 = loom.map(%x = %0 : tensor<?xf32>, %y = %b : tensor<4xf32>) -> tensor<4xf32> {
    %m = arith.mulf %x, %y : f32
    loom.yield %m : f32
  }
  return %0, %1 : tensor<?xf32>, tensor<4xf32>
}

// -----

// Where it is not proved, or only later, the maps stay apart: the producer's
// result must have its own extents.

// CHECK-LABEL: func.func @rt6_shapes_may_differ(
// CHECK:         %[[E:.*]] = loom.map
// CHECK:         %[[M:.*]] = loom.map(%{{.*}} = %[[E]] :
// CHECK:         return %[[E]], %[[M]]
func.func @rt6_shapes_may_differ(%a: tensor<?xf32>, %b: tensor<4xf32>) -> (tensor<?xf32>, tensor<4xf32>) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %0 = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  %1 = loom.map(%x = %0 : tensor<?xf32>, %y = %b : tensor<4xf32>) -> tensor<4xf32> {
    %m = arith.mulf %x, %y : f32
    loom.yield %m : f32
  }
  loom.constrain_result "tosa.late", %sa is tensor<4xf32> : !loom.shape<[?]>
  return %0, %1 : tensor<?xf32>, tensor<4xf32>
}

// -----

// A user that stands between two maps keeps them apart.

// CHECK-LABEL: func.func @user_between(
// CHECK:         %[[E:.*]] = loom.map
// CHECK:         %[[P:.*]] = tensor.pad %[[E]]
// CHECK:         loom.map(%{{.*}} = %[[E]] : {{.*}} = %[[P]] :
func.func @user_between(%a: tensor<?xf32>, %z: f32) -> tensor<?xf32> {
  %0 = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  %p = tensor.pad %0 low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  %1 = loom.map(%x = %0 : tensor<?xf32>, %y = %p : tensor<?xf32>) -> tensor<?xf32> {
    %m = arith.mulf %x, %y : f32
    loom.yield %m : f32
  }
  return %1 : tensor<?xf32>
}

// -----

// rt-6: an operand that the body ignores stays for its extents; what computed it
// does not.

// CHECK-LABEL: func.func @rt6_ignored_operand(
// CHECK:         loom.map(%[[X:.*]] = %arg0 : tensor<?xf32>, %[[Y:.*]] = %arg1 : tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:      loom.yield %[[Y]] : f32
func.func @rt6_ignored_operand(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  %1 = loom.map(%x = %0 : tensor<?xf32>, %y = %b : tensor<?xf32>) -> tensor<?xf32> {
    loom.yield %y : f32
  }
  return %1 : tensor<?xf32>
}

// -----

// Casts between maps say only more or less of a type; shapes of maps come from
// their operands; maps that nobody uses are gone.

// CHECK-LABEL: func.func @nothing_holds_on_to_maps(
// CHECK-DAG:     %[[SA:.*]] = loom.shape_of %arg0
// CHECK-DAG:     %[[SB:.*]] = loom.shape_of %arg1
// CHECK:         %[[S:.*]] = loom.broadcast %[[SA]], %[[SB]] : (!loom.shape<[?]>, !loom.shape<[?]>) -> !loom.shape<[?]>
// CHECK:         loom.constrain_broadcast "tosa.mul", %[[S]], %{{.*}} :
// CHECK-NOT:     tensor.cast
// CHECK:         %[[R:.*]] = loom.map({{.*}}) -> tensor<4xf32>
// CHECK:           arith.addf
// CHECK:           arith.mulf
// CHECK-NOT:     loom.map
// CHECK:         return %[[R]]
func.func @nothing_holds_on_to_maps(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<4xf32> {
  %0 = loom.map(%x = %a : tensor<?xf32>, %y = %b : tensor<?xf32>) -> tensor<?xf32> {
    %s = arith.addf %x, %y : f32
    loom.yield %s : f32
  }
  %s0 = loom.shape_of %0 : tensor<?xf32> -> !loom.shape<[?]>
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "tosa.mul", %s0, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  %c = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  %1 = loom.map(%x = %c : tensor<4xf32>, %y = %a : tensor<?xf32>) -> tensor<4xf32> {
    %m = arith.mulf %x, %y : f32
    loom.yield %m : f32
  }
  %dead = loom.map(%x = %1 : tensor<4xf32>) -> tensor<4xf32> {
    %m = math.exp %x : f32
    loom.yield %m : f32
  }
  return %1 : tensor<4xf32>
}

// -----

// rt-7: unranked operands, and a shape that is the same by how it came about.

// CHECK-LABEL: func.func @rt7_unranked(
// CHECK:         %[[R:.*]]:2 = loom.map(%{{.*}} = %arg0 : tensor<*xf32>, %{{.*}} = %arg1 : f32) -> (tensor<*xf32>, tensor<*xf32>)
// CHECK:         return %[[R]]#1, %[[R]]#0
func.func @rt7_unranked(%a: tensor<*xf32>, %f: f32) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = loom.map(%x = %a : tensor<*xf32>, %y = %f : f32) -> tensor<*xf32> {
    %s = arith.addf %x, %y : f32
    loom.yield %s : f32
  }
  %1 = loom.map(%x = %0 : tensor<*xf32>, %y = %f : f32) -> tensor<*xf32> {
    %m = arith.mulf %x, %y : f32
    loom.yield %m : f32
  }
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// Each block for itself: a map in a branch does not take one from outside
// along, and what a branch's constraints say is not known behind it.

// CHECK-LABEL: func.func @branches(
// CHECK:         %[[E:.*]] = loom.map
// CHECK:         scf.if
// CHECK-COUNT-1:   loom.map(%{{.*}} = %[[E]] :
// CHECK-NOT:       loom.map
// CHECK:         } else {
// CHECK:         }
// CHECK:         %[[M:.*]] = loom.map(%{{.*}} = %[[E]] :
// CHECK:         return %{{.*}}, %[[E]], %[[M]]
func.func @branches(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %0 = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  %i = scf.if %c -> tensor<?xf32> {
    loom.constrain_result "tosa.then", %sa is tensor<4xf32> : !loom.shape<[?]>
    %1 = loom.map(%x = %0 : tensor<?xf32>) -> tensor<?xf32> {
      %e = math.absf %x : f32
      loom.yield %e : f32
    }
    %2 = loom.map(%x = %1 : tensor<?xf32>) -> tensor<?xf32> {
      %e = math.exp %x : f32
      loom.yield %e : f32
    }
    scf.yield %2 : tensor<?xf32>
  } else {
    scf.yield %0 : tensor<?xf32>
  }
  %3 = loom.map(%x = %0 : tensor<?xf32>, %y = %b : tensor<?xf32>) -> tensor<?xf32> {
    %m = arith.mulf %x, %y : f32
    loom.yield %m : f32
  }
  return %i, %0, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// Here a guard always fails: the types of the parts exclude each other, which
// the whole must not say.

// CHECK-LABEL: func.func @contradicting_types(
// CHECK:         loom.map(%{{.*}} = %{{.*}} : tensor<*xf32>, %{{.*}} = %{{.*}} : tensor<*xf32>) -> tensor<4xf32>
// CHECK-NOT:     loom.map
func.func @contradicting_types(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = loom.map(%x = %a : tensor<3xf32>) -> tensor<?xf32> {
    %e = math.exp %x : f32
    loom.yield %e : f32
  }
  %1 = loom.map(%x = %0 : tensor<?xf32>, %y = %b : tensor<4xf32>) -> tensor<4xf32> {
    %m = arith.mulf %x, %y : f32
    loom.yield %m : f32
  }
  return %1 : tensor<4xf32>
}
