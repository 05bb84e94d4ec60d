// RUN: broadloom run %s --input="12xf32=3" --input=i1=true | FileCheck %s

// The least number is how MLIR's types write an extent that is not known. Here it
// is the program's, on a path that need not be taken.
// CHECK: [3. 3.
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
