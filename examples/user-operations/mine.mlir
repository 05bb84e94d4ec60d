// Two operations that no compiler knows, in one text: what they look like, what
// their shapes are, and what they compute. docs/user-operations.md explains it.
//
//   broadloom run program.mlir --shape-library=mine.mlir --input=...

// What the operations look like. A constraint that is used twice stands for one
// type, so each operand has its own.
irdl.dialect @mine {
  // Each row of a matrix, times its number.
  irdl.operation @scale_rows {
    %matrix = irdl.base "!builtin.tensor"
    %scale = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(matrix: %matrix, scale: %scale)
    irdl.results(result: %result)
  }
  // Element by element: what is beyond the limit, at the limit.
  irdl.operation @soft_clip {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %limit = irdl.base "#builtin.float"
    irdl.operands(input: %input)
    irdl.results(result: %result)
    irdl.attributes {"limit" = %limit}
  }
}

// What their shapes are, and what must hold of their operands.
shape.function_library @mine {
  shape.func @scale_rows(%matrix: !shape.value_shape, %scale: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %rows, %columns = loom.extents %matrix, "the matrix must have 2 axes, but has {0}"
    %scales = loom.extents %scale, "the scale must be a vector, but has {0} axes"
    %same = index.cmp eq(%rows, %scales)
    loom.constraint %same, "there are {0} scales for the {1} rows of the matrix"(%scales, %rows)
    %shape = shape.from_extents %rows, %columns : index, index
    %type = loom.element_type %matrix
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
  shape.func @soft_clip(%input: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %shape = shape.shape_of %input : !shape.value_shape -> !shape.shape
    %type = loom.element_type %input
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
} mapping {
  mine.scale_rows = @scale_rows,
  mine.soft_clip = @soft_clip
}

// What they compute: on tensors, by operations of TOSA ...
func.func @scale_rows(%matrix: tensor<?x?xf32>, %scale: tensor<?xf32>) -> tensor<?x?xf32>
    attributes {loom.implements = "mine.scale_rows"} {
  %shape = tosa.const_shape {values = dense<[-1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %column = tosa.reshape %scale, %shape : (tensor<?xf32>, !tosa.shape<2>) -> tensor<?x1xf32>
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %result = tosa.mul %matrix, %column, %zero : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}

// ... or on one element; the attribute `limit` is the last argument.
func.func @soft_clip(%x: f32, %limit: f32 {loom.attribute = "limit"}) -> f32
    attributes {loom.implements = "mine.soft_clip"} {
  %scaled = arith.divf %x, %limit : f32
  %clipped = math.tanh %scaled : f32
  %result = arith.mulf %clipped, %limit : f32
  return %result : f32
}
