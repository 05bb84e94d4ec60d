// RUN: broadloom-opt %s --loom-constrain-assertions | FileCheck %s

// CHECK-LABEL: func.func @assertion
// CHECK-SAME: %[[K:.*]]: i1
// CHECK-NEXT: loom.constrain "cf.assert", %[[K]], "{{[{][{]}}n} is small"
// CHECK-NOT: cf.assert %
func.func @assertion(%k: i1) {
  cf.assert %k, "{n} is small"
  return
}

// A guard that --emit=linalg has printed is told as the guard was. Other texts
// are the program's own.
// CHECK-LABEL: func.func @guard
// CHECK: loom.constrain "tosa.add", %{{.*}}, "'x' and {{[{][{]}}n} differ"
// CHECK-NEXT: loom.constrain "cf.assert", %{{.*}}, "'x': n is small"
// CHECK-NEXT: loom.constrain "cf.assert", %{{.*}}, "in 'tosa.add': n is small"
// CHECK-NEXT: loom.constrain "cf.assert", %{{.*}}, "'it is no. 1': n is small"
// CHECK-NEXT: loom.constrain "cf.assert", %{{.*}}, "'tosa.add': "
// CHECK-NEXT: loom.constrain "cf.assert", %{{.*}}, "'.': n is small"
// CHECK-NEXT: loom.constrain "cf.assert", %{{.*}}, "'.add': n is small"
// CHECK-NEXT: loom.constrain "cf.assert", %{{.*}}, "'tosa.': n is small"
// CHECK-NEXT: loom.constrain "cf.assert", %{{.*}}, "'1.5': n is small"
func.func @guard(%k: i1) {
  cf.assert %k, "'tosa.add': 'x' and {n} differ"
  cf.assert %k, "'x': n is small"
  cf.assert %k, "in 'tosa.add': n is small"
  cf.assert %k, "'it is no. 1': n is small"
  cf.assert %k, "'tosa.add': "
  cf.assert %k, "'.': n is small"
  cf.assert %k, "'.add': n is small"
  cf.assert %k, "'tosa.': n is small"
  cf.assert %k, "'1.5': n is small"
  return
}

// On paths too.
// CHECK-LABEL: func.func @assumption
// CHECK: scf.if
// CHECK-NEXT: loom.constrain "loom.assume", %{{.*}}, "an assumption does not hold: of mine"
// CHECK-NOT: loom.assume %
func.func @assumption(%k: i1, %l: i1) {
  scf.if %k {
    loom.assume %l, "of mine"
  }
  return
}

// What is a constraint, and what asserts nothing, stays.
// CHECK-LABEL: func.func @others
// CHECK-NEXT: loom.constrain "mine.op", %{{.*}}, "it holds"
// CHECK-NEXT: tosa.abs
func.func @others(%a: tensor<?xf32>, %k: i1) -> tensor<?xf32> {
  loom.constrain "mine.op", %k, "it holds"
  %0 = tosa.abs %a : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
