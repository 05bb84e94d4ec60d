// Behind a guard that always fails, extents are folded to numbers that no run
// has. The guard's error is told, and nothing is said of the code behind it.
// RUN: not broadloom shapes %s --input=i1=1 --input=i64=-2 --input=1 2>&1 | FileCheck %s
// RUN: not broadloom run %s --input=i1=1 --input=i64=-2 --input=1xf32=1 2>&1 | FileCheck %s
// CHECK: extents-that-no-run-has.mlir:[[#@LINE+12]]:8: 'tensor.extract_slice': the slice takes -2 elements of axis 0 from 0 on in steps of 3, but the extent is 1
// RUN: broadloom shapes %s --input=i1=0 --input=i64=1 --input=4 | FileCheck %s --check-prefix=NINE
// RUN: broadloom run %s --input=i1=0 --input=i64=1 --input=4xf32=1 --shapes | FileCheck %s --check-prefix=NINE
// NINE: {{^}}9{{$}}
func.func @main(%p: tensor<i1>, %n: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %k = tensor.extract %p[] : tensor<i1>
  cf.cond_br %k, ^x, ^y
^x:
  cf.br ^z(%p : tensor<i1>)
^y:
  cf.br ^z(%p : tensor<i1>)
^z(%q: tensor<i1>):
  %s = tensor.extract_slice %a[0] [%n] [3] : tensor<?xf32> to tensor<?xf32>
  %c = tosa.concat %s, %a, %a {axis = 0 : i32} : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %c : tensor<?xf32>
}
