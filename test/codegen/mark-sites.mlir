// RUN: broadloom-opt --split-input-file --broadloom-legalize --broadloom-guard --broadloom-reductions --broadloom-shape-queries --loom-mangle-symbols --loom-bufferize --loom-mark-sites %s | FileCheck %s
// RUN: broadloom-opt --split-input-file --broadloom-legalize --broadloom-guard --broadloom-reductions --broadloom-shape-queries --loom-mangle-symbols --loom-bufferize --loom-mark-sites --loom-outline-kernels --loom-linalg-to-loops --loom-assign-buffers --loom-expand-math --loom-free-temporaries --convert-scf-to-cf --loom-lower-calls %s | FileCheck %s --check-prefix=CALLS

// Each launch has a site of its own, in which it stands alone. Without numbers
// for operations a site does not know what it computes.

// CHECK: module attributes {loom.sites = [{function = "launches", kind = "map", operations = array<i64>}, {function = "launches", kind = "reduction", operations = array<i64>}]}
// CHECK-LABEL: func.func @loom_function_launches
// CHECK:       loom.site 0{{$}}
// CHECK-NEXT:  loom.launch
// CHECK:       loom.site -1{{$}}
// CHECK:       loom.site 1{{$}}
// CHECK-NEXT:  loom.launch
// CHECK:       loom.site -1{{$}}

// All of it is one call of the runtime: two launches and three sites, since a
// site that ends where the next one begins is not told of.
// CALLS-LABEL: func.func private @loom_function_launches
// CALLS:       %[[COUNT:.*]] = llvm.mlir.constant(5 : i32)
// CALLS:       llvm.call @broadloomLaunchAll({{.*}}, %[[COUNT]]
// A BroadloomSiteStep (kind, site, no tensors) stands before each launch.
// CALLS:       llvm.mlir.global internal constant @loom_data_1(dense<[2, 0, 0, 0, 0, {{.*}}, 2, 1, 0, 0, 1, {{.*}}, 2, -1, 0]>
func.func @launches(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x1xf32>) {
  %0 = tosa.exp %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<?x4xf32>) -> tensor<?x1xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x1xf32>
}

// -----

// So does a sort.

// CHECK: loom.sites = [{function = "sorts", kind = "sort"
// CHECK-LABEL: func.func @loom_function_sorts
// CHECK:       %[[V:.*]] = memref.alloc
// CHECK:       %[[P:.*]] = memref.alloc
// CHECK:       loom.site 0(%arg0, %[[V]], %[[P]] :
// CHECK-NEXT:  loom.sort
// CHECK:       loom.site -1
func.func @sorts(%x: tensor<?x4xf32>, %v: tensor<?x4xf32>, %p: tensor<?x4xi64>) -> (tensor<?x4xf32>, tensor<?x4xi64>) {
  %0, %1 = loom.sort %x into %v, %p {axis = 1 : i64} : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xi64>) -> (tensor<?x4xf32>, tensor<?x4xi64>)
  return %0, %1 : tensor<?x4xf32>, tensor<?x4xi64>
}

// -----

// A loop says what memory it goes over; what it reads in its body counts too.
// Copies tell the runtime themselves.

// CHECK: loom.sites = [{function = "loops", kind = "copy"
// CHECK-SAME: kind = "loop"
// CHECK-LABEL: func.func @loom_function_loops
// CHECK:       loom.site 0{{$}}
// CHECK-NEXT:  %[[X:.*]] = loom.contiguous %arg0
// CHECK-NEXT:  loom.site -1
// CHECK:       %[[TO:.*]] = memref.alloc
// CHECK:       loom.site 1(%[[TO]], %[[X]] : memref<?x4xf32>, memref<?x4xf32>)
// CHECK-NEXT:  linalg.generic
// CHECK:       loom.site -1
// CALLS:       llvm.mlir.global internal constant @{{.*}}(dense<[2, 1, 2, 4, 2, {{[0-9]+}}, 4, 2, {{[0-9]+}}]>
func.func @loops(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = tosa.reverse %x {axis = 1 : i32} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
