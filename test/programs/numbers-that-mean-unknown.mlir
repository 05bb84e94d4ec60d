// RUN: not broadloom run %s --input="12xf32=3" --input=i1=true 2>&1 | FileCheck %s

// The least number is how MLIR's types write an extent that is not known, so a
// program cannot have it among the numbers of a shape, whether they are used or
// not.
// CHECK: [[#@LINE+6]]:10: error: 'tosa.const_shape' op has the value -9223372036854775808, which is no number of a shape
func.func @main(%a: tensor<?xf32>, %k: i1) -> tensor<?xf32> {
  %s = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = scf.if %k -> tensor<?xf32> {
    scf.yield %a : tensor<?xf32>
  } else {
    %z = tosa.const_shape {values = dense<-9223372036854775808> : tensor<1xindex>} : () -> !tosa.shape<1>
    %v = tosa.slice %a, %s, %z : (tensor<?xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<?xf32>
    %w = tosa.slice %a, %z, %s : (tensor<?xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<?xf32>
    scf.yield %v : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
