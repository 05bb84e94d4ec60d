// ext-2: What a private function does is an error only if somebody calls it for
// certain; else a guard, which fails where it is reached.

// RUN: broadloom run %s --function=maybe --input=2xf32="1 2" --input=i1=0 | FileCheck %s --check-prefix=NOT-TAKEN
// RUN: broadloom run %s --strategy=rfc --function=maybe --input=2xf32="1 2" --input=i1=0 | FileCheck %s --check-prefix=NOT-TAKEN
// NOT-TAKEN: [1. 2.]

// RUN: not broadloom run %s --function=maybe --input=2xf32="1 2" --input=i1=1 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: {{.*}}.mlir:[[#]]:8: 'tosa.slice': {{.*}}2

// RUN: broadloom check %s --function=maybe | FileCheck %s --check-prefix=CHECK-MAYBE
// CHECK-MAYBE-NOT: refuted{{ }}
// CHECK-MAYBE: it fails wherever it is reached
// CHECK-MAYBE: none refuted

// RUN: not broadloom run %s --function=always --input=2xf32="1 2" 2>&1 | FileCheck %s --check-prefix=ALWAYS
// RUN: not broadloom check %s --function=always 2>&1 | FileCheck %s --check-prefix=ALWAYS
// ALWAYS: {{.*}}.mlir:[[#]]:8: error: 'tosa.slice': {{.*}}2

// RUN: broadloom run %s --function=never --input=2xf32="1 2" | FileCheck %s --check-prefix=NOT-TAKEN

func.func private @h(%x: tensor<?xf32>) -> tensor<?xf32> {
  %s = tosa.const_shape {values = dense<[1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %z = tosa.const_shape {values = dense<[2]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %0 = tosa.slice %x, %s, %z : (tensor<?xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @g(%x: tensor<?xf32>) -> tensor<?xf32> {
  %s = tosa.const_shape {values = dense<[1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %z = tosa.const_shape {values = dense<[2]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %0 = tosa.slice %x, %s, %z : (tensor<?xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @maybe(%a: tensor<2xf32>, %c: i1) -> tensor<?xf32> {
  %d = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  %r = scf.if %c -> tensor<?xf32> {
    %0 = func.call @h(%d) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %d : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
func.func @always(%a: tensor<2xf32>) -> tensor<?xf32> {
  %d = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  %0 = func.call @g(%d) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @never(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
