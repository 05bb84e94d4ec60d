// RUN: broadloom-opt %s --loom-shape-queries | FileCheck %s

// What a shape query is (abi-2, S-8): guards on extents stay, data goes.
//
// CHECK-LABEL: func.func private @shapes_of_add(
// CHECK-SAME:      %[[A:.*]]: index, %[[B:.*]]: index) -> (index, index)
// CHECK-SAME:      loom.shape_query = {of = "add", public, results = [array<i32: 0, 0>], type = (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>}
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[THREE:.*]] = arith.constant 3 : index
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[A]], %[[B]]
// CHECK-NEXT:    loom.require %[[SAME]], "tosa.add", "{0} is not {1}"(%[[A]], %[[B]] : index, index)
// CHECK-NEXT:    %[[IS:.*]] = arith.cmpi eq, %[[A]], %[[ONE]]
// CHECK-NEXT:    %[[R:.*]] = arith.select %[[IS]], %[[B]], %[[A]]
// CHECK-NEXT:    return %[[R]], %[[THREE]]
func.func @add(%a: tensor<?x3xf32>, %b: tensor<?x1xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x3xf32>
  %n = tensor.dim %b, %c0 : tensor<?x1xf32>
  %same = arith.cmpi eq, %m, %n : index
  loom.require %same, "tosa.add", "{0} is not {1}"(%m, %n : index, index)
  %x = tensor.extract %a[%c0, %c0] : tensor<?x3xf32>
  %positive = arith.cmpf ogt, %x, %x : f32
  loom.require %positive, "test", "not for a shape query"
  %r = loom.map(%p = %a : tensor<?x3xf32>, %q = %b : tensor<?x1xf32>) -> tensor<?x3xf32> {
    %s = arith.addf %p, %q : f32
    loom.yield %s : f32
  }
  return %r : tensor<?x3xf32>
}

// What several results have in common is computed once.
// CHECK-LABEL: func.func private @shapes_of_two(
// CHECK-SAME:      %[[A:.*]]: index, %[[B:.*]]: index) -> (index, index)
// CHECK:         %[[R:.*]] = arith.select %{{.*}}, %[[B]], %[[A]]
// CHECK-NEXT:    return %[[R]], %[[R]]
func.func @two(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = loom.map(%p = %a : tensor<?xf32>, %q = %b : tensor<?xf32>) -> tensor<?xf32> {
    %s = arith.addf %p, %q : f32
    loom.yield %s : f32
  }
  %t = loom.map(%p = %a : tensor<?xf32>, %q = %b : tensor<?xf32>) -> tensor<?xf32> {
    %s = arith.subf %p, %q : f32
    loom.yield %s : f32
  }
  return %r, %t : tensor<?xf32>, tensor<?xf32>
}

// rt-7
// CHECK-LABEL: func.func private @shapes_of_unranked(
// CHECK-SAME:      %[[A:.*]]: !loom.shape<*>, %[[B:.*]]: index) -> !loom.shape<*>
// CHECK-SAME:      results = [unit]
// CHECK:         %[[S:.*]] = loom.from_extents %[[B]] : <*>
// CHECK-NEXT:    loom.require_broadcast "tosa.add", %[[A]], %[[S]]
// CHECK:         %[[R:.*]] = loom.broadcast %[[A]],
// CHECK-NEXT:    return %[[R]]
func.func @unranked(%a: tensor<*xf32>, %b: tensor<?xf32>) -> tensor<*xf32> {
  %s = loom.shape_of %a : tensor<*xf32> -> !loom.shape<*>
  %t = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.require_broadcast "tosa.add", %s, %t : !loom.shape<*>, !loom.shape<[?]>
  %r = loom.map(%p = %a : tensor<*xf32>, %q = %b : tensor<?xf32>) -> tensor<*xf32> {
    loom.yield %q : f32
  }
  return %r : tensor<*xf32>
}

// sf-7: at most as many as there are.
// CHECK-LABEL: func.func private @shapes_of_filter(
// CHECK-SAME:      %[[N:.*]]: index) -> index
// CHECK-SAME:      results = [array<i32: 1>]
// CHECK:         return %[[N]] : index
func.func @filter(%a: tensor<?xf32>, %count: index) -> tensor<?xf32> {
  %r = tensor.extract_slice %a[0] [%count] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func private @shapes_of_nothing_known(
// CHECK-SAME:      ) -> index
// CHECK-SAME:      results = [array<i32: 2>]
// CHECK:         %[[NO:.*]] = arith.constant -1 : index
// CHECK:         return %[[NO]] : index
func.func @nothing_known(%count: index) -> tensor<?xf32> {
  %r = tensor.empty(%count) : tensor<?xf32>
  return %r : tensor<?xf32>
}

// A branch on extents is one; its guard stays on its path (rt-1).
// CHECK-LABEL: func.func private @shapes_of_branch_on_extents(
// CHECK-SAME:      %[[A:.*]]: index, %[[B:.*]]: index) -> index
// CHECK-SAME:      results = [array<i32: 0>]
// CHECK:         %[[IF:.*]] = scf.if %{{.*}} -> (index) {
// CHECK-NEXT:      loom.require
// CHECK-NEXT:      scf.yield %[[A]]
// CHECK:           scf.yield %[[B]]
// CHECK:         return %[[IF]]
func.func @branch_on_extents(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %c = arith.cmpi ugt, %n, %c0 : index
  %d = arith.cmpi ugt, %m, %c0 : index
  %r = scf.if %c -> tensor<?xf32> {
    loom.require %d, "test", "b is empty"
    scf.yield %a : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Where data decides, no guard is made of what need not be reached.
// CHECK-LABEL: func.func private @shapes_of_branch_on_data(
// CHECK-SAME:      %[[A:.*]]: index, %[[B:.*]]: index) -> (index, index)
// CHECK-SAME:      results = [array<i32: 1>, array<i32: 0>]
// CHECK-NOT:     loom.require
// CHECK:         %[[MAX:.*]] = arith.maxsi %[[A]], %[[B]]
// CHECK:         return %[[MAX]], %[[A]]
func.func @branch_on_data(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %d = arith.cmpi ugt, %m, %c0 : index
  %r:2 = scf.if %c -> (tensor<?xf32>, tensor<?xf32>) {
    loom.require %d, "test", "b is empty"
    scf.yield %a, %a : tensor<?xf32>, tensor<?xf32>
  } else {
    scf.yield %b, %a : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// What a loop does not change needs none; what it changes by extents is a loop.
// CHECK-LABEL: func.func private @shapes_of_loops(
// CHECK-SAME:      %[[A:.*]]: index) -> (index, index, index)
// CHECK-SAME:      results = [array<i32: 0>, array<i32: 0>, array<i32: 2>]
// CHECK:         %[[GROWN:.*]] = scf.for %{{.*}} = %{{.*}} to %[[A]] step %{{.*}} iter_args(%[[I:.*]] = %[[A]]) -> (index) {
// CHECK-NEXT:      %[[MORE:.*]] = affine.apply #{{.*}}(%[[I]])[%[[A]]]
// CHECK-NEXT:      scf.yield %[[MORE]]
// CHECK:         return %[[A]], %[[GROWN]]
func.func @loops(%a: tensor<?xf32>, %times: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %same = scf.for %i = %c0 to %times step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    %u = loom.map(%x = %t : tensor<?xf32>) -> tensor<?xf32> {
      loom.yield %x : f32
    }
    scf.yield %u : tensor<?xf32>
  }
  %grown = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    %u = tensor.concat dim(0) %t, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  %unknown = scf.for %i = %c0 to %times step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    %u = tensor.concat dim(0) %t, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %same, %grown, %unknown : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func private @shapes_of_while(
// CHECK-SAME:      %[[A:.*]]: index) -> index
// CHECK-SAME:      results = [array<i32: 0>]
// CHECK:         return %[[A]]
func.func @while(%a: tensor<?xf32>, %times: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %r:2 = scf.while (%t = %a, %i = %c0) : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {
    %c = arith.cmpi ult, %i, %times : index
    scf.condition(%c) %t, %i : tensor<?xf32>, index
  } do {
  ^bb0(%t: tensor<?xf32>, %i: index):
    %c1 = arith.constant 1 : index
    %j = arith.addi %i, %c1 : index
    scf.yield %t, %j : tensor<?xf32>, index
  }
  return %r#0 : tensor<?xf32>
}

// ShapeQueries call each other, callees first.
// CHECK-LABEL: func.func private @shapes_of_calls(
// CHECK-SAME:      %[[A:.*]]: index, %[[B:.*]]: index) -> (index, index)
// CHECK:         %[[R:.*]]:2 = call @shapes_of_add(%[[A]], %[[B]])
// CHECK-NEXT:    return %[[R]]#0, %c3
func.func @calls(%a: tensor<?x3xf32>, %b: tensor<?x1xf32>) -> tensor<?x3xf32> {
  %r = call @add(%a, %b) : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// Blocks that extents choose are a branch.
// CHECK-LABEL: func.func private @shapes_of_blocks(
// CHECK-SAME:      %[[A:.*]]: index, %[[B:.*]]: index) -> index
// CHECK:         %[[C:.*]] = arith.cmpi sgt, %[[A]], %[[B]]
// CHECK:         %[[R:.*]] = scf.if %[[C]] -> (index) {
// CHECK:           scf.yield %[[A]] : index
// CHECK:         } else {
// CHECK:           scf.yield %[[B]] : index
// CHECK:         return %[[R]]
func.func @blocks(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %c = arith.cmpi sgt, %n, %m : index
  cf.cond_br %c, ^one, ^other
^one:
  return %a : tensor<?xf32>
^other:
  return %b : tensor<?xf32>
}

// CHECK-LABEL: func.func private @shapes_of_calls_blocks(
// CHECK:         call @shapes_of_blocks(
func.func @calls_blocks(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = call @blocks(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Where data chooses, the larger one is a bound.
// CHECK: func.func private @shapes_of_data_blocks(%[[A:[^:]*]]: index, %[[B:[^:]*]]: index) -> index attributes {loom.shape_query = {{.*}}results = [array<i32: 1>]
// CHECK:   %[[M:.*]] = arith.maxsi %[[A]], %[[B]]
// CHECK:   return %[[M]]
func.func @data_blocks(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  cf.cond_br %c, ^end(%a : tensor<?xf32>), ^end(%b : tensor<?xf32>)
^end(%r: tensor<?xf32>):
  return %r : tensor<?xf32>
}

// A loop of blocks, of which data decides how often it runs: what stays the same
// in it is known.
// CHECK: func.func private @shapes_of_turns(%[[A:[^:]*]]: index) -> (index, index) attributes {loom.shape_query = {{.*}}results = [array<i32: 0>, array<i32: 2>]
// CHECK:   return %[[A]], %c-1
func.func @turns(%a: tensor<?xf32>, %more: tensor<1xf32>, %limit: i64) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  cf.br ^turn(%c0, %a, %a : i64, tensor<?xf32>, tensor<?xf32>)
^turn(%i: i64, %same: tensor<?xf32>, %grows: tensor<?xf32>):
  %next = tensor.concat dim(0) %grows, %more : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %j = arith.addi %i, %c1 : i64
  %again = arith.cmpi slt, %j, %limit : i64
  cf.cond_br %again, ^turn(%j, %same, %next : i64, tensor<?xf32>, tensor<?xf32>), ^end
^end:
  return %same, %next : tensor<?xf32>, tensor<?xf32>
}

// Where the question comes first, and with a way out of the middle.
// CHECK: func.func private @shapes_of_out(%[[A:[^:]*]]: index, %{{.*}}: index) -> (index, index) attributes {loom.shape_query = {{.*}}results = [array<i32: 0>, array<i32: 1>]
// CHECK:   return %[[A]], %{{.*}}
func.func @out(%a: tensor<?xf32>, %b: tensor<?xf32>, %limit: i64, %stop: i1) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  cf.br ^head(%c0, %a : i64, tensor<?xf32>)
^head(%i: i64, %x: tensor<?xf32>):
  %again = arith.cmpi slt, %i, %limit : i64
  cf.cond_br %again, ^body, ^end(%x, %a : tensor<?xf32>, tensor<?xf32>)
^body:
  %j = arith.addi %i, %c1 : i64
  %same = linalg.exp ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  cf.cond_br %stop, ^end(%same, %b : tensor<?xf32>, tensor<?xf32>), ^head(%j, %same : i64, tensor<?xf32>)
^end(%r: tensor<?xf32>, %s: tensor<?xf32>):
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}

// Two blocks that go to each other take turns with two tensors.
// CHECK: func.func private @shapes_of_swap({{.*}}results = [array<i32: 2>]
func.func @swap(%a: tensor<?xf32>, %b: tensor<?xf32>, %again: i1) -> tensor<?xf32> {
  cf.br ^turn(%a, %b : tensor<?xf32>, tensor<?xf32>)
^turn(%x: tensor<?xf32>, %y: tensor<?xf32>):
  cf.cond_br %again, ^turn(%y, %x : tensor<?xf32>, tensor<?xf32>), ^end
^end:
  return %x : tensor<?xf32>
}

// CHECK-LABEL: func.func private @shapes_of_cases(
// CHECK-SAME:      %[[A:.*]]: index, %[[B:.*]]: index) -> index
// CHECK:         scf.if
// CHECK:         } else {
// CHECK:           scf.if
func.func @cases(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.index_switch %n -> tensor<?xf32>
  case 1 {
    scf.yield %b : tensor<?xf32>
  }
  case 2 {
    %d = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %d : tensor<?xf32>
  }
  default {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK: func.func @recursive({{.*}}loom.no_shape_query = "it calls itself, or a function that does"
func.func @recursive(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = call @recursive(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK: func.func private @declared({{.*}}loom.no_shape_query = "it has no body"
func.func private @declared(tensor<?xf32>) -> tensor<?xf32>

// CHECK: func.func @rank_by_data({{.*}}loom.no_shape_query = "the rank of result 0 depends on data"
func.func @rank_by_data(%c: i1, %a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  %r = arith.select %c, %a, %b : tensor<*xf32>
  return %r : tensor<*xf32>
}

// A user's function may have the name; a user's attribute says nothing.
// CHECK-LABEL: func.func @shapes_of_taken
// CHECK-NOT:     loom.shape_query
// CHECK:       func.func private @shapes_of_shapes_of_taken
func.func @shapes_of_taken(%a: tensor<?xf32>) -> tensor<?xf32> attributes {loom.shape_query = {of = 3}} {
  return %a : tensor<?xf32>
}
// CHECK:       func.func private @shapes_of_taken_0(
func.func @taken(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}

// The largest number is a number like any other.
// CHECK-LABEL: func.func private @shapes_of_largest(
// CHECK-SAME:      %[[N:.*]]: index) -> index
// CHECK:         %[[L:.*]] = arith.constant 9223372036854775807 : index
// CHECK:         arith.cmpi eq, %[[N]], %[[L]]
// CHECK:         return %[[L]]
func.func @largest(%a: tensor<?xf32>) -> tensor<9223372036854775807xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %l = arith.constant 9223372036854775807 : index
  %same = arith.cmpi eq, %n, %l : index
  loom.require %same, "test", "{0} is not {1}"(%n, %l : index, index)
  %r = tensor.cast %a : tensor<?xf32> to tensor<9223372036854775807xf32>
  return %r : tensor<9223372036854775807xf32>
}
