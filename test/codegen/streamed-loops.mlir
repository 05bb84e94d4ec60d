// RUN: broadloom compile %s --target=x86_64-linux-gnu --cpu=sapphirerapids --emit=asm -o - | FileCheck %s --check-prefixes=CHECK,AHEAD
// RUN: broadloom compile %s --target=x86_64-linux-gnu --cpu=znver4 --emit=asm -o - | FileCheck %s --check-prefixes=CHECK,BARE --implicit-check-not=prefetch

// A kernel has a second loop with stores that go past the caches. On Intel's
// processors that loop prefetches its operands where it computes meanwhile,
// and there are such loops for functions as well.

// CHECK: loom_kernel_0:
// CHECK-NOT: prefetch
// CHECK: vmovnt
// CHECK: vmov{{[a-z0-9]+}} %zmm{{[0-9]+}}, {{[0-9]*}}(%
// CHECK: .size loom_kernel_0
func.func @sum(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK: loom_kernel_1:
// AHEAD: prefetcht0
// AHEAD: vmovnt
// BARE-NOT: vmovnt
// CHECK: vmov{{[a-z0-9]+}} %zmm{{[0-9]+}}, {{[0-9]*}}(%
// CHECK: .size loom_kernel_1
func.func @function(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.tanh %a : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK: loom_kernel_2:
// AHEAD-COUNT-8: prefetcht0
// CHECK: vmovntps
// CHECK: .size loom_kernel_2
func.func @more(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.sub %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.abs %0 : (tensor<?xf32>) -> tensor<?xf32>
  %2 = tosa.add %1, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
