// RUN: broadloom check %s --all | FileCheck %s
// RUN: broadloom run %s --input=2x4xf32="4 1 3 1 2 8 9 8" --input=i64=3 | FileCheck %s --check-prefix=VALUES
// RUN: not broadloom run %s --input=2x4xf32=1 --input=i64=5 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not broadloom shapes %s --input=2x4xf32 --input=i64=5 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: broadloom shapes %s --input=Bx4xf32 --input=i64=3 | FileCheck %s --check-prefix=SHAPES

// The first elements in order, of which there must be so many (sort-1).
// CHECK: loom.sort {{.*}}sort.mlir:[[#@LINE+17]]:10
// CHECK: proved    s0 = s0, else "axis 0 has extent ? in the source
// CHECK: run-time  k <= s1, else "the first k elements along axis 1 are wanted, but there are s1"
// CHECK: none refuted
// MORE: sort.mlir:[[#@LINE+13]]:10: 'loom.sort': the first 5 elements along axis 1 are wanted, but there are 4
// VALUES:      {{\[\[}}1. 1. 3.]
// VALUES-NEXT: [2. 8. 8.]]
// VALUES:      {{\[\[}}1 3 2]
// VALUES-NEXT: [0 1 3]]
// SHAPES: Bx3
// SHAPES: Bx3
func.func @main(%x: tensor<?x?xf32>, %k: i64) -> (tensor<?x?xf32>, tensor<?x?xi64>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %many = arith.index_cast %k : i64 to index
  %v = tensor.empty(%rows, %many) : tensor<?x?xf32>
  %p = tensor.empty(%rows, %many) : tensor<?x?xi64>
  %r:2 = loom.sort %x into %v, %p {axis = 1 : i64} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi64>) -> (tensor<?x?xf32>, tensor<?x?xi64>)
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?x?xi64>
}
