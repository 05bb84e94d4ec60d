// REQUIRES: avx512
// RUN: broadloom compile %s --emit=asm -o - | FileCheck %s

// The loop over the elements of a row: the constants of the exponential stay in
// registers, addressed from the code, its table of powers is one operand, and its
// exponent stays a float.
// CHECK-LABEL: loom_kernel_short_rows_0:
// CHECK-NOT:     GLOBAL_OFFSET_TABLE
// CHECK-NOT:     vcvtdq2ps
// CHECK:         vsubps %zmm
// CHECK-NOT:     (%rip)
// CHECK:         vperm{{[it]}}2ps %zmm
// CHECK-COUNT-2: vfmadd{{.*}} %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm
// CHECK-NOT:     vcvtdq2ps
// CHECK:         vscalefps %zmm
// CHECK-NOT:     loom_lookup
// CHECK:       .Lfunc_end
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %m = tosa.reduce_max %x {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %d = tosa.sub %x, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %e = tosa.exp %d : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %r = tosa.reciprocal %s : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %o = tosa.mul %e, %r, %z : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}
