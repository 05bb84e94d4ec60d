// RUN: split-file %s %t
// RUN: broadloom-opt %t/program.mlir --allow-unregistered-dialect --loom-refine-shapes=libraries=%t/library.mlir | FileCheck %s
// RUN: not broadloom-opt %t/wrong.mlir --allow-unregistered-dialect --loom-refine-shapes=libraries=%t/library.mlir 2>&1 | FileCheck %s --check-prefix=WRONG

// S-20: a type that gets extents keeps its encoding, and one without a rank gets
// what the shape function says. One that goes with other extents only keeps the
// type as it is.

// CHECK-LABEL: func.func @S20_keeps(
// CHECK:         tosa.reverse {{.+}} : (tensor<4x?xf32, "blocked">) -> tensor<4x?xf32, "blocked">
// CHECK:         tensor.cast {{.+}} : tensor<4x?xf32, "blocked"> to tensor<?x?xf32, "blocked">
// CHECK-LABEL: func.func @S20_gains(
// CHECK:         "any.same"(%{{.+}}) : (tensor<4x?xf32, "blocked">) -> tensor<4x?xf32, "blocked">
// CHECK-LABEL: func.func @S20_hidden(
// CHECK:         "any.same"(%{{.+}}) : (tensor<*xf32>) -> tensor<?xf32, "blocked">
// WRONG: wrong.mlir:2:8: error: 'any.same': result 0 is declared with the encoding none but has "blocked"

//--- program.mlir
func.func @S20_keeps(%a: tensor<4x?xf32, "blocked">) -> tensor<?x?xf32, "blocked"> {
  %c = tensor.cast %a : tensor<4x?xf32, "blocked"> to tensor<?x?xf32, "blocked">
  %r = tosa.reverse %c {axis = 0 : i32} : (tensor<?x?xf32, "blocked">) -> tensor<?x?xf32, "blocked">
  return %r : tensor<?x?xf32, "blocked">
}
func.func @S20_gains(%a: tensor<4x?xf32, "blocked">) -> tensor<*xf32> {
  %r = "any.same"(%a) : (tensor<4x?xf32, "blocked">) -> tensor<*xf32>
  return %r : tensor<*xf32>
}
// Behind a type without a rank there may be any encoding.
func.func @S20_hidden(%a: tensor<*xf32>) -> tensor<?xf32, "blocked"> {
  %r = "any.same"(%a) : (tensor<*xf32>) -> tensor<?xf32, "blocked">
  return %r : tensor<?xf32, "blocked">
}

//--- wrong.mlir
func.func @S20_contradicts(%a: tensor<4xf32, "blocked">) -> tensor<?xf32> {
  %r = "any.same"(%a) : (tensor<4xf32, "blocked">) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- library.mlir
shape.function_library @any {
  shape.func @same(%a: !shape.value_shape) -> (!shape.shape, !loom.element_type, !loom.encoding) {
    %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
    %t = loom.element_type %a
    %e = loom.encoding %a
    shape.return %s, %t, %e : !shape.shape, !loom.element_type, !loom.encoding
  }
} mapping {
  any.same = @same
}
