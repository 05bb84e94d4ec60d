// RUN: broadloom-opt %s --loom-lower-affine | FileCheck %s

// What maps compute stays affine, which the analysis reads; but not what is
// divided by a value, which stays behind its guard.
// CHECK-LABEL: func.func @loop
// CHECK: %[[U:.*]] = affine.min #{{.*}}()[%{{.*}}, %{{.*}}]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[U]]
// CHECK-NOT: nsw
// CHECK: affine.apply
// CHECK: arith.floordivsi
func.func @loop(%a: index, %b: index) {
  affine.for %i = 0 to min affine_map<()[s, t] -> (s * 3, t)>()[%a, %b] {
    %0 = affine.apply affine_map<(i) -> (i * 5)>(%i)
    affine.for %j = affine_map<()[s, t] -> (s floordiv t)>()[%a, %b] to 7 {
    }
  }
  return
}

// CHECK-LABEL: func.func @branch
// CHECK: %[[V:.*]] = affine.apply
// CHECK: %[[C:.*]] = arith.cmpi sge, %[[V]]
// CHECK: scf.if %[[C]]
func.func @branch(%a: index) {
  affine.if affine_set<()[s] : (s * 2 - 3 >= 0)>()[%a] {
  }
  return
}
