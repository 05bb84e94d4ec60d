// RUN: broadloom-opt %s --loom-lift-state | FileCheck %s

// Variables become arguments and results of the functions that use them.

tosa.variable @sum = dense<1.0> : tensor<2xf32>
tosa.variable @count : tensor<1xi32>
tosa.variable @unused : tensor<3xi8>

// CHECK-NOT: tosa.variable
// CHECK-LABEL: func.func private @bump
// CHECK-SAME: (%[[BY:.*]]: tensor<1xi32>, %[[C:.*]]: tensor<1xi32>) -> tensor<1xi32>
// CHECK-SAME: loom.state = [{name = "count", written}]
// CHECK: %[[N:.*]] = tosa.add %[[C]], %[[BY]]
// CHECK: return %[[N]]
func.func private @bump(%by: tensor<1xi32>) {
  %c = tosa.variable_read @count : tensor<1xi32>
  %n = tosa.add %c, %by : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  tosa.variable_write @count, %n : tensor<1xi32>
  return
}

// A branch gives what either side writes; attributes stay with their arguments.
// CHECK-LABEL: func.func @branch
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32> {a.name = "x"}, %[[P:.*]]: i1, %[[S:.*]]: tensor<2xf32>, %[[C:.*]]: tensor<1xi32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<1xi32>)
// CHECK-SAME: loom.state = [{initial = dense<1.000000e+00> : tensor<2xf32>, name = "sum", written}, {name = "count", written}]
// CHECK: %[[IF:.*]]:2 = scf.if %[[P]] -> (tensor<2xf32>, tensor<1xi32>)
// CHECK: %[[T:.*]] = tosa.add %[[S]], %[[A]]
// CHECK: %[[N:.*]] = func.call @bump(%{{.*}}, %[[C]])
// CHECK: scf.yield %[[T]], %[[N]]
// CHECK: scf.yield %[[S]], %[[C]]
// CHECK: return %[[IF]]#0, %[[IF]]#0, %[[IF]]#1
func.func @branch(%a: tensor<2xf32> {a.name = "x"}, %p: i1) -> tensor<2xf32> {
  %one = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  scf.if %p {
    %s = tosa.variable_read @sum : tensor<2xf32>
    %t = tosa.add %s, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    tosa.variable_write @sum, %t : tensor<2xf32>
    func.call @bump(%one) : (tensor<1xi32>) -> ()
  }
  %r = tosa.variable_read @sum : tensor<2xf32>
  return %r : tensor<2xf32>
}

// Each case of a switch is a branch.
// CHECK-LABEL: func.func @switch
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>, %{{.*}}: index, %[[S:.*]]: tensor<2xf32>)
// CHECK: %[[W:.*]]:2 = scf.index_switch %{{.*}} -> tensor<2xf32>, tensor<2xf32>
// CHECK: case 3 {
// CHECK: scf.yield %[[S]], %[[A]]
// CHECK: default {
// CHECK: scf.yield %[[A]], %[[S]]
// CHECK: return %[[W]]#0, %[[W]]#1
func.func @switch(%a: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %r = scf.index_switch %n -> tensor<2xf32>
  case 3 {
    %s = tosa.variable_read @sum : tensor<2xf32>
    tosa.variable_write @sum, %a : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  }
  default {
    scf.yield %a : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// A function that only reads a variable does not return it.
// CHECK-LABEL: func.func @reader(%arg0: tensor<1xi32>) -> tensor<1xi32> attributes {loom.state = [{name = "count"}]}
func.func @reader() -> tensor<1xi32> {
  %c = tosa.variable_read @count : tensor<1xi32>
  return %c : tensor<1xi32>
}

// CHECK-LABEL: func.func @loops
// CHECK-SAME: (%{{.*}}: index, %[[S:.*]]: tensor<2xf32>) -> tensor<2xf32>
// CHECK: %[[F:.*]] = scf.for {{.*}} iter_args(%[[I:.*]] = %[[S]]) -> (tensor<2xf32>)
// CHECK: %[[E:.*]] = tosa.exp %[[I]]
// CHECK: scf.yield %[[E]]
// CHECK: %[[W:.*]]:2 = tosa.while_loop (%{{.*}} = %{{.*}}, %{{.*}} = %[[F]])
// CHECK: %[[L:.*]] = tosa.log
// CHECK: tosa.yield %{{.*}}, %[[L]]
// CHECK: return %[[W]]#1
func.func @loops(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = tosa.variable_read @sum : tensor<2xf32>
    %t = tosa.exp %s : (tensor<2xf32>) -> tensor<2xf32>
    tosa.variable_write @sum, %t : tensor<2xf32>
  }
  %k = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %w = tosa.while_loop (%j = %k) : (tensor<i32>) -> tensor<i32> {
    %p = tosa.greater %k, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %p : tensor<i1>
  } do {
  ^bb0(%j: tensor<i32>):
    %s = tosa.variable_read @sum : tensor<2xf32>
    %t = tosa.log %s : (tensor<2xf32>) -> tensor<2xf32>
    tosa.variable_write @sum, %t : tensor<2xf32>
    tosa.yield %j : tensor<i32>
  }
  return
}

// A region of one block is a branch with one side.
// CHECK-LABEL: func.func @region
// CHECK-SAME: (%[[S:.*]]: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// CHECK: %[[R:.*]]:2 = scf.execute_region -> (tensor<2xf32>, tensor<2xf32>) {
// CHECK:   %[[T:.*]] = tosa.tanh %[[S]]
// CHECK:   scf.yield %[[S]], %[[T]]
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @region() -> tensor<2xf32> {
  %r = scf.execute_region -> tensor<2xf32> {
    %s = tosa.variable_read @sum : tensor<2xf32>
    %t = tosa.tanh %s : (tensor<2xf32>) -> tensor<2xf32>
    tosa.variable_write @sum, %t : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// A function without variables stays.
// CHECK-LABEL: func.func @others(
// CHECK-SAME: %[[A:.*]]: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT: %[[R:.*]] = tosa.abs %[[A]]
// CHECK-NEXT: return %[[R]] : tensor<?xf32>
func.func @others(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.abs %a : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
