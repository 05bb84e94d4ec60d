// Operations that no compiler knows, for random programs (../operations/user.py).
// Each has another mixture of shape function and reference.

irdl.dialect @fuzz {
  irdl.operation @scale_rows {
    %matrix = irdl.any
    %scale = irdl.any
    %result = irdl.any
    irdl.operands(matrix: %matrix, scale: %scale)
    irdl.results(result: %result)
  }
  irdl.operation @mix {
    %a = irdl.any
    %b = irdl.any
    %result = irdl.any
    irdl.operands(a: %a, b: %b)
    irdl.results(result: %result)
  }
  irdl.operation @same {
    %a = irdl.any
    %b = irdl.any
    %result = irdl.any
    irdl.operands(a: %a, b: %b)
    irdl.results(result: %result)
  }
  irdl.operation @twice {
    %a = irdl.any
    %result = irdl.any
    irdl.operands(a: %a)
    irdl.results(result: %result)
  }
  irdl.operation @first {
    %a = irdl.any
    %result = irdl.any
    %count = irdl.any
    irdl.operands(a: %a)
    irdl.results(result: %result)
    irdl.attributes {"count" = %count}
  }
}

shape.function_library @fuzz_shapes {
  shape.func @scale_rows(%matrix: !shape.value_shape, %scale: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %rows, %columns = loom.extents %matrix, "the matrix must have 2 axes, but has {0}"
    %scales = loom.extents %scale, "the scale must be a vector, but has {0} axes"
    %same = index.cmp eq(%rows, %scales)
    loom.constraint %same, "there are {0} scales for the {1} rows of the matrix"(%scales, %rows)
    %shape = shape.from_extents %rows, %columns : index, index
    %type = loom.element_type %matrix
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
  shape.func @same(%a: !shape.value_shape, %b: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
    %t = shape.shape_of %b : !shape.value_shape -> !shape.shape
    %e = shape.shape_eq %s, %t : !shape.shape, !shape.shape
    loom.constraint %e, "shapes {0} and {1} differ"(%s, %t) : !shape.shape, !shape.shape
    %type = loom.element_type %a
    shape.return %s, %type : !shape.shape, !loom.element_type
  }
} mapping {
  fuzz.scale_rows = @scale_rows,
  fuzz.same = @same
}

// With a shape function, on tensors.
func.func @scale_rows(%matrix: tensor<?x?xf32>, %scale: tensor<?xf32>) -> tensor<?x?xf32>
    attributes {loom.implements = "fuzz.scale_rows"} {
  %shape = tosa.const_shape {values = dense<[-1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %column = tosa.reshape %scale, %shape : (tensor<?xf32>, !tosa.shape<2>) -> tensor<?x1xf32>
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %result = tosa.mul %matrix, %column, %zero : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}

// With a stricter shape function than its elements would need.
func.func @same(%x: f32, %y: f32) -> f32 attributes {loom.implements = "fuzz.same"} {
  %sum = arith.subf %x, %y : f32
  return %sum : f32
}

// On one element, with two references.
func.func @mix(%x: f32, %y: f32) -> f32 attributes {loom.implements = "fuzz.mix"} {
  %sum = arith.addf %y, %y : f32
  %result = arith.maximumf %x, %sum : f32
  return %result : f32
}
func.func @mix_integers(%x: i32, %y: i32) -> i32 attributes {loom.implements = "fuzz.mix"} {
  %sum = arith.addi %y, %y : i32
  %result = arith.maxsi %x, %sum : i32
  return %result : i32
}

// Its shape follows from the reference.
func.func @twice(%a: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {loom.implements = "fuzz.twice"} {
  %result = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}

// An attribute is an extent, and a condition of the reference's own.
func.func @first(%a: tensor<?xf32>, %count: index {loom.attribute = "count"}) -> tensor<?xf32>
    attributes {loom.implements = "fuzz.first"} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %fits = arith.cmpi ule, %count, %n : index
  loom.constrain "fuzz.first", %fits, "there are {0} elements, not {1}"(%n, %count : index, index)
  %result = tensor.extract_slice %a[0] [%count] [1] : tensor<?xf32> to tensor<?xf32>
  return %result : tensor<?xf32>
}
