// RUN: broadloom-opt %s --broadloom-prepare --convert-tosa-to-loom --loom-refine-shapes --loom-fuse-maps --loom-insert-guards | FileCheck %s

// sf-6: extents behind pools with strides are quotients of the argument's. Two
// ways to one extent meet without a guard; what is left depends on the argument
// alone, and is checked at entry.

// CHECK-LABEL: func.func @sf6_strides(
// CHECK-NOT:     = tosa.max_pool2d
// CHECK-NOT:     "tosa.add"
// CHECK:         loom.require {{.*}}, "tosa.max_pool2d", "the kernel covers 2 along axis 1
// CHECK-NOT:     "tosa.add"
// CHECK:         = tosa.max_pool2d
// CHECK-NOT:     loom.require
// CHECK:         loom.map({{.*}}kinds = [#loom.access<[one, match, match, match]>, #loom.access<[one, match, match, match]>]
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @sf6_strides(%a: tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32> {
  %x = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32>
  %y = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32>
  %z = tosa.max_pool2d %a {kernel = array<i64: 4, 4>, stride = array<i64: 4, 4>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32>
  %r = tosa.add %y, %z : (tensor<1x?x?x8xf32>, tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32>
  return %r : tensor<1x?x?x8xf32>
}
