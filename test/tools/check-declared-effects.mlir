// What a call of a library's function checks by declared sets is told of its
// declaration, and loops over the sets are none of the program's.
// RUN: broadloom check %s | FileCheck %s
// CHECK: both constraints are checked when it runs
// CHECK: function axpy
// CHECK: func.func {{.*}}check-declared-effects.mlir:[[@LINE+6]]:1
// CHECK-NEXT: run-time 1 access is inside, where the loops run: argument 0 <= axis 0 of argument 1 of 'axpy'
// CHECK: run-time 1 access is inside, where the loops run: argument 0 <= axis 0 of argument 2 of 'axpy'
// CHECK-NOT: {{^}}loops
// CHECK: 2 constraints: none proved, 2 at run time, none refuted

func.func private @axpy(index, memref<?xf64>, memref<?xf64>) attributes {loom.effects = {
  reads = [#loom.access_set<1, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [0]>],
  may_writes = [#loom.access_set<2, #loom.relation<"()[n] -> (i) : (0 <= i < n)">, [0]>]}}

func.func @main(%n: index, %a: memref<?xf64>, %b: memref<?xf64>) {
  call @axpy(%n, %a, %b) : (index, memref<?xf64>, memref<?xf64>) -> ()
  return
}
