// What a branch or a loop in a body reads is read by the body, though it is no
// operand of the branch.
// RUN: broadloom run %s --function=chosen --input="3xf32=1 -2 3" --input="3xf32=4 -5 6" | FileCheck %s --check-prefix=CHOSEN
// RUN: broadloom run %s --function=chosen --strategy=rfc --input="3xf32=1 -2 3" --input="3xf32=4 -5 6" | FileCheck %s --check-prefix=CHOSEN
// RUN: broadloom run %s --function=summed --input="3xf32=1 -2 3" --input="3xf32=4 -5 6" | FileCheck %s --check-prefix=SUMMED
// RUN: broadloom run %s --function=summed --strategy=rfc --input="3xf32=1 -2 3" --input="3xf32=4 -5 6" | FileCheck %s --check-prefix=SUMMED
// RUN: broadloom run %s --function=passed --input="3xf32=1 -2 3" | FileCheck %s --check-prefix=PASSED
// RUN: broadloom run %s --function=passed --strategy=rfc --input="3xf32=1 -2 3" | FileCheck %s --check-prefix=PASSED
// RUN: broadloom run %s --function=divided --input="3xi32=8 -2 3" --input="3xi32=4 0 6" | FileCheck %s --check-prefix=DIVIDED
// RUN: broadloom run %s --function=divided --strategy=rfc --input="3xi32=8 -2 3" --input="3xi32=4 0 6" | FileCheck %s --check-prefix=DIVIDED
// RUN: broadloom run %s --function=switched --input="3xi32=8 -2 3" --input="3xi32=1 2 7" | FileCheck %s --check-prefix=SWITCHED
// RUN: broadloom run %s --function=switched --strategy=rfc --input="3xi32=8 -2 3" --input="3xi32=1 2 7" | FileCheck %s --check-prefix=SWITCHED
// RUN: broadloom run %s --function=jumps --input="3xf32=1 -2 3" --input="3xf32=4 -5 6" | FileCheck %s --check-prefix=JUMPS
// RUN: broadloom run %s --function=two_jumps --input="3xf32=1 -2 3" --input="3xf32=4 -5 6" | FileCheck %s --check-prefix=TWO
// RUN: broadloom run %s --function=costly --input="2x1xf32=0 1" --input="3xf32=1 -2 3" | FileCheck %s --check-prefix=COSTLY
// RUN: broadloom run %s --function=rows --input="2x3xf32=1 -2 3 4 5 6" --input="2x3xf32=1 1 -1 -1 1 1" | FileCheck %s --check-prefix=ROWS
// RUN: broadloom run %s --function=rows --strategy=rfc --input="2x3xf32=1 -2 3 4 5 6" --input="2x3xf32=1 1 -1 -1 1 1" | FileCheck %s --check-prefix=ROWS
// RUN: broadloom run %s --function=product --input="1x2x2xf32=1 2 3 4" --input="1x2x2xf32=1 -1 -1 1" --input="1x2x2xf32=10 20 30 40" | FileCheck %s --check-prefix=PRODUCT
// RUN: broadloom run %s --function=doubled --input="3xf32=1 3 7" | FileCheck %s --check-prefix=DOUBLED
// RUN: broadloom run %s --function=doubled --strategy=rfc --input="3xf32=1 3 7" | FileCheck %s --check-prefix=DOUBLED
// RUN: broadloom run %s --function=doubled --input="2x5xf32=1 3 7 5 2 9 8 7 6 11" | FileCheck %s --check-prefix=TEN
// RUN: broadloom run %s --function=doubled --input="70xf32=3" | FileCheck %s --check-prefix=MANY
// RUN: broadloom run %s --function=doubled_in_rows --input="2x3xf32=1 3 7 5 2 9" | FileCheck %s --check-prefix=ROWSUMS

// CHOSEN: [1. 0. 3.]
func.func @chosen(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = loom.map(%x = %a : tensor<?xf32>, %y = %b : tensor<?xf32>) -> tensor<?xf32> {
    %z = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %y, %z : f32
    %s = scf.if %c -> f32 {
      scf.yield %x : f32
    } else {
      scf.yield %z : f32
    }
    loom.yield %s : f32
  }
  return %r : tensor<?xf32>
}

// x + 3 y.
// SUMMED: [ 13. -17.  21.]
func.func @summed(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = loom.map(%x = %a : tensor<?xf32>, %y = %b : tensor<?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%w = %x) -> f32 {
      %d = arith.addf %w, %y : f32
      scf.yield %d : f32
    }
    loom.yield %s : f32
  }
  return %r : tensor<?xf32>
}

// PASSED: [ 1. -2.  3.]
func.func @passed(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    %s = scf.execute_region -> f32 {
      scf.yield %x : f32
    }
    loom.yield %s : f32
  }
  return %r : tensor<?xf32>
}

// The side that is not taken divides nothing.
// DIVIDED: [2 0 0]
func.func @divided(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r = loom.map(%x = %a : tensor<?xi32>, %y = %b : tensor<?xi32>) -> tensor<?xi32> {
    %z = arith.constant 0 : i32
    %c = arith.cmpi eq, %y, %z : i32
    %s = scf.if %c -> i32 {
      scf.yield %z : i32
    } else {
      %d = arith.divsi %x, %y : i32
      scf.yield %d : i32
    }
    loom.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// SWITCHED: [16 -1  3]
func.func @switched(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r = loom.map(%x = %a : tensor<?xi32>, %y = %b : tensor<?xi32>) -> tensor<?xi32> {
    %one = arith.constant 1 : i32
    %i = arith.index_cast %y : i32 to index
    %s = scf.index_switch %i -> i32
    case 1 {
      %d = arith.addi %x, %x : i32
      scf.yield %d : i32
    }
    case 2 {
      %d = arith.addi %x, %one : i32
      scf.yield %d : i32
    }
    default {
      scf.yield %x : i32
    }
    loom.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// JUMPS: [ 1. -5.  3.]
func.func @jumps(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = loom.map(%x = %a : tensor<?xf32>, %y = %b : tensor<?xf32>) -> tensor<?xf32> {
    %z = arith.constant 0.0 : f32
    %s = scf.execute_region -> f32 {
      %c = arith.cmpf ogt, %y, %z : f32
      cf.cond_br %c, ^yes, ^no
    ^yes:
      scf.yield %x : f32
    ^no:
      scf.yield %y : f32
    }
    loom.yield %s : f32
  }
  return %r : tensor<?xf32>
}

// Two bodies that differ behind the first block, and in where they jump.
// x - y where y is positive and else y, and y where it is positive and else x.
// TWO: [-3. -5. -3.]
// TWO: [ 4. -2.  6.]
func.func @two_jumps(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = loom.map(%x = %a : tensor<?xf32>, %y = %b : tensor<?xf32>) -> tensor<?xf32> {
    %z = arith.constant 0.0 : f32
    %s = scf.execute_region -> f32 {
      %c = arith.cmpf ogt, %y, %z : f32
      cf.cond_br %c, ^yes, ^no
    ^yes:
      %d = arith.subf %x, %y : f32
      scf.yield %d : f32
    ^no:
      scf.yield %y : f32
    }
    loom.yield %s : f32
  }
  // Of other operands, so that the two are not one map.
  %n = tensor.cast %a : tensor<?xf32> to tensor<*xf32>
  %m = tensor.cast %b : tensor<?xf32> to tensor<*xf32>
  %q = loom.map(%x = %n : tensor<*xf32>, %y = %m : tensor<*xf32>) -> tensor<*xf32> {
    %z = arith.constant 0.0 : f32
    %s = scf.execute_region -> f32 {
      %c = arith.cmpf ogt, %y, %z : f32
      cf.cond_br %c, ^no, ^yes
    ^yes:
      scf.yield %x : f32
    ^no:
      scf.yield %y : f32
    }
    loom.yield %s : f32
  }
  %t = tensor.cast %q : tensor<*xf32> to tensor<?xf32>
  return %r, %t : tensor<?xf32>, tensor<?xf32>
}

// The exponential of a row's number, in a stage of its own, read in a branch.
// COSTLY: {{\[}}[ 2.         -2.          4.       ]
// COSTLY:  [ 3.7182817 -2.          5.7182817]]
func.func @costly(%a: tensor<?x1xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %r = loom.map(%x = %a : tensor<?x1xf32>, %y = %b : tensor<?xf32>) -> tensor<?x?xf32> {
    %z = arith.constant 0.0 : f32
    %e = math.exp %x : f32
    %c = arith.cmpf ogt, %y, %z : f32
    %s = scf.if %c -> f32 {
      %t = arith.addf %e, %y : f32
      scf.yield %t : f32
    } else {
      scf.yield %y : f32
    }
    loom.yield %s : f32
  }
  return %r : tensor<?x?xf32>
}

// Sums of what is beside a positive number.
// ROWS: {{\[}}[-1.]
// ROWS:  [11.]]
func.func @rows(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x1xf32> {
  %r = loom.map(%x = %a : tensor<?x?xf32>, %y = %b : tensor<?x?xf32>) -> tensor<?x?xf32> {
    %z = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %y, %z : f32
    %s = scf.if %c -> f32 {
      scf.yield %x : f32
    } else {
      scf.yield %z : f32
    }
    loom.yield %s : f32
  }
  %q = tosa.reduce_sum %r {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  return %q : tensor<?x1xf32>
}

// Sums -1 1 -1 1: what is not positive is as in the third operand.
// PRODUCT: {{\[\[}}[10.  1.]
// PRODUCT:   [30.  1.]]]
func.func @product(%a: tensor<?x?x?xf32>, %b: tensor<?x?x2xf32>, %c: tensor<?x?x2xf32>) -> tensor<?x?x2xf32> {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %m = tosa.matmul %a, %b, %zp, %zp : (tensor<?x?x?xf32>, tensor<?x?x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x2xf32>
  %r = loom.map(%x = %m : tensor<?x?x2xf32>, %y = %c : tensor<?x?x2xf32>) -> tensor<?x?x2xf32> {
    %z = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %x, %z : f32
    %s = scf.if %p -> f32 {
      scf.yield %x : f32
    } else {
      scf.yield %y : f32
    }
    loom.yield %s : f32
  }
  return %r : tensor<?x?x2xf32>
}

// A loop that ends for all elements, and would not for 0: nothing is computed
// of what is no element.
// DOUBLED: [16. 12. 14.]
// TEN: {{\[}}[16. 12. 14. 10. 16.]
// TEN:  [18. 16. 14. 12. 11.]]
// MANY: [12. 12.
func.func @doubled(%a: tensor<*xf32>) -> tensor<*xf32> {
  %r = loom.map(%x = %a : tensor<*xf32>) -> tensor<*xf32> {
    %ten = arith.constant 10.0 : f32
    %s = scf.while (%w = %x) : (f32) -> f32 {
      %c = arith.cmpf olt, %w, %ten : f32
      scf.condition(%c) %w : f32
    } do {
    ^bb0(%w: f32):
      %d = arith.addf %w, %w : f32
      scf.yield %d : f32
    }
    loom.yield %s : f32
  }
  return %r : tensor<*xf32>
}

// ROWSUMS: {{\[}}[42.]
// ROWSUMS:  [44.]]
func.func @doubled_in_rows(%a: tensor<?x?xf32>) -> tensor<?x1xf32> {
  %r = loom.map(%x = %a : tensor<?x?xf32>) -> tensor<?x?xf32> {
    %ten = arith.constant 10.0 : f32
    %s = scf.while (%w = %x) : (f32) -> f32 {
      %c = arith.cmpf olt, %w, %ten : f32
      scf.condition(%c) %w : f32
    } do {
    ^bb0(%w: f32):
      %d = arith.addf %w, %w : f32
      scf.yield %d : f32
    }
    loom.yield %s : f32
  }
  %q = tosa.reduce_sum %r {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  return %q : tensor<?x1xf32>
}
