// Kernels move the bits of bf16 alone: where no pass of LLVM folds casts, its code
// generator would compute vectors of bfloat by way of a function that few C
// libraries have (decision 5).
//
// RUN: broadloom compile %s --emit=llvm -o - | FileCheck %s
//
// CHECK: llvm.func internal @loom_kernel_reduction_0
// CHECK-NOT: vector<{{[0-9]+}}xbf16>
// CHECK: llvm.zext {{.*}} : vector<{{[0-9]+}}xi16> to vector<{{[0-9]+}}xi32>
// CHECK-NOT: vector<{{[0-9]+}}xbf16>
// CHECK: llvm.func internal @loom_kernel_short_rows_0
// CHECK-NOT: vector<{{[0-9]+}}xbf16>
// CHECK: llvm.func @broadloomLaunchAll
func.func @main(%x: tensor<?x?xbf16>) -> (tensor<?x1xbf16>, tensor<?x?xbf16>) {
  %m = tosa.reduce_max %x {axis = 1 : i32} : (tensor<?x?xbf16>) -> tensor<?x1xbf16>
  %s = tosa.sub %x, %m : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  %e = tosa.exp %s : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %t = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<?x?xbf16>) -> tensor<?x1xbf16>
  return %t, %e : tensor<?x1xbf16>, tensor<?x?xbf16>
}
