// Moves points by matrices of 4x4, as version 2 of MediaPipe's operation does: the
// first two coordinates by the first two rows, as points in the plane with z = 0.
// A third coordinate stays. MediaPipe's models have one matrix; here each entry of
// the batch has its own.

shape.function_library @tfl_transform_landmarks {
  shape.func @operation(%points: !shape.value_shape, %matrix: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %b, %n, %d = loom.extents %points, "the points must have 3 axes, but have {0}"
    %m, %rows, %columns = loom.extents %matrix, "the matrix must have 3 axes, but has {0}"
    %two = index.constant 2
    %three = index.constant 3
    %four = index.constant 4
    %isPlane = index.cmp eq(%d, %two)
    %isSpace = index.cmp eq(%d, %three)
    %isPoint = arith.ori %isPlane, %isSpace : i1
    loom.constraint %isPoint, "points have 2 or 3 coordinates, but these have {0}"(%d)
    %one = index.cmp eq(%b, %m)
    loom.constraint %one, "there are {0} matrices for the {1} entries of the batch"(%m, %b)
    %isHigh = index.cmp eq(%rows, %four)
    %isWide = index.cmp eq(%columns, %four)
    %isMatrix = arith.andi %isHigh, %isWide : i1
    loom.constraint %isMatrix, "the matrix must be 4x4, but is {0}x{1}"(%rows, %columns)
    %shape = shape.shape_of %points : !shape.value_shape -> !shape.shape
    %type = loom.element_type %points
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
} mapping {
  "tosa.custom:TFL:TransformLandmarks" = @operation
}

func.func @operation(%points: tensor<?x?x?xf32>, %matrix: tensor<?x4x4xf32>) -> tensor<?x?x?xf32>
    attributes {loom.implements = "tosa.custom:TFL:TransformLandmarks"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %points, %c0 : tensor<?x?x?xf32>
  %n = tensor.dim %points, %c1 : tensor<?x?x?xf32>
  %d = tensor.dim %points, %c2 : tensor<?x?x?xf32>
  %rest = arith.subi %d, %c2 : index
  %x = tensor.extract_slice %points[0, 0, 0] [%b, %n, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?x1xf32>
  %y = tensor.extract_slice %points[0, 0, 1] [%b, %n, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?x1xf32>
  %z = tensor.extract_slice %points[0, 0, 2] [%b, %n, %rest] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?x?xf32>
  %newX = func.call @row(%matrix, %x, %y, %c0) : (tensor<?x4x4xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, index) -> tensor<?x?x1xf32>
  %newY = func.call @row(%matrix, %x, %y, %c1) : (tensor<?x4x4xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, index) -> tensor<?x?x1xf32>
  %result = tosa.concat %newX, %newY, %z {axis = 2 : i32} : (tensor<?x?x1xf32>, tensor<?x?x1xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %result : tensor<?x?x?xf32>
}

// A coordinate by one row of the matrices.
func.func private @row(%matrix: tensor<?x4x4xf32>, %x: tensor<?x?x1xf32>, %y: tensor<?x?x1xf32>, %row: index) -> tensor<?x?x1xf32> {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %matrix, %c0 : tensor<?x4x4xf32>
  %m0 = tensor.extract_slice %matrix[0, %row, 0] [%b, 1, 1] [1, 1, 1] : tensor<?x4x4xf32> to tensor<?x1x1xf32>
  %m1 = tensor.extract_slice %matrix[0, %row, 1] [%b, 1, 1] [1, 1, 1] : tensor<?x4x4xf32> to tensor<?x1x1xf32>
  %m3 = tensor.extract_slice %matrix[0, %row, 3] [%b, 1, 1] [1, 1, 1] : tensor<?x4x4xf32> to tensor<?x1x1xf32>
  %result = loom.map(%px = %x : tensor<?x?x1xf32>, %py = %y : tensor<?x?x1xf32>, %a = %m0 : tensor<?x1x1xf32>, %c = %m1 : tensor<?x1x1xf32>, %shift = %m3 : tensor<?x1x1xf32>) -> tensor<?x?x1xf32> {
    %ax = arith.mulf %a, %px : f32
    %cy = arith.mulf %c, %py : f32
    %sum = arith.addf %ax, %cy : f32
    %moved = arith.addf %sum, %shift : f32
    loom.yield %moved : f32
  }
  return %result : tensor<?x?x1xf32>
}
