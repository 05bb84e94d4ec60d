// RUN: broadloom shapes %s --function=extents --input=2 --input=i1=1 | FileCheck %s --check-prefix=YES
// RUN: broadloom shapes %s --function=extents --input=2 --input=i1=0 | FileCheck %s --check-prefix=NO
// RUN: broadloom shapes %s --function=extents --input=2 --input= | FileCheck %s --check-prefix=OPEN
// RUN: broadloom shapes %s --function=ranks --input=2x3 --input=i1=0 | FileCheck %s --check-prefix=RANK
// RUN: not broadloom shapes %s --function=ranks --input=2x3 --input=i1=1 2>&1 | FileCheck %s --check-prefix=WRONG

// abi-2: a question that gives the value of a condition is answered as a call
// with it.

// YES: 4
// NO: 2
// OPEN: <=4
func.func @extents(%a: tensor<?xf32>, %k: tensor<i1>) -> tensor<?xf32> {
  %r = tosa.cond_if %k : tensor<i1> -> tensor<?xf32> {
    %b = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tosa.yield %b : tensor<?xf32>
  } else {
    tosa.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// RANK: 2x3
// WRONG: 'tensor.cast': result has rank 2 but the operands give rank 1
func.func @ranks(%a: tensor<?x?xf32>, %k: tensor<i1>) -> tensor<?x?xf32> {
  %s = tosa.const_shape {values = dense<-1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.cond_if %k : tensor<i1> -> tensor<*xf32> {
    %b = tosa.reshape %a, %s : (tensor<?x?xf32>, !tosa.shape<1>) -> tensor<?xf32>
    %c = tensor.cast %b : tensor<?xf32> to tensor<*xf32>
    tosa.yield %c : tensor<*xf32>
  } else {
    %c = tensor.cast %a : tensor<?x?xf32> to tensor<*xf32>
    tosa.yield %c : tensor<*xf32>
  }
  %q = tensor.cast %r : tensor<*xf32> to tensor<?x?xf32>
  return %q : tensor<?x?xf32>
}
