// RUN: broadloom-opt %s --loom-guards-to-assert | FileCheck %s

// CHECK-LABEL: func.func @guard
// CHECK: cf.assert %arg0, "'tosa.add': extents ? and ? {here} differ"
// CHECK-NOT: loom.require
func.func @guard(%ok: i1, %a: index, %b: index) {
  loom.require %ok, "tosa.add", "extents {0} and {1} {{here} differ" (%a, %b : index, index)
  return
}
