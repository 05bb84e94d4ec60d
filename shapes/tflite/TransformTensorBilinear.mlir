// Reads an image at the places that matrices of 4x4 say, as version 2 of
// MediaPipe's operation does: the centre of each pixel of the result is moved by
// the first two rows of the matrix, and the four pixels around it are
// interpolated; a place outside the image gives 0. MediaPipe's models have one
// image; here each entry of the batch has its own matrix.

shape.function_library @tfl_transform_tensor {
  shape.func @operation(%image: !shape.value_shape, %matrix: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %b, %h, %w, %c = loom.extents %image, "the image must have 4 axes, but has {0}"
    %m, %rows, %columns = loom.extents %matrix, "the matrix must have 3 axes, but has {0}"
    %one = index.cmp eq(%b, %m)
    loom.constraint %one, "there are {0} matrices for the {1} images"(%m, %b)
    %four = index.constant 4
    %isHigh = index.cmp eq(%rows, %four)
    %isWide = index.cmp eq(%columns, %four)
    %isMatrix = arith.andi %isHigh, %isWide : i1
    loom.constraint %isMatrix, "the matrix must be 4x4, but is {0}x{1}"(%rows, %columns)
    %zero = index.constant 0
    %hasRows = index.cmp sgt(%h, %zero)
    %hasColumns = index.cmp sgt(%w, %zero)
    %hasPixels = arith.andi %hasRows, %hasColumns : i1
    loom.constraint %hasPixels, "an image of {0}x{1} has no pixel"(%h, %w)
    %height = loom.attribute "output_height" : index
    %width = loom.attribute "output_width" : index
    %isNotLess = index.cmp sge(%height, %zero)
    %isNotLower = index.cmp sge(%width, %zero)
    %isSize = arith.andi %isNotLess, %isNotLower : i1
    loom.constraint %isSize, "the result cannot have {0}x{1} pixels"(%height, %width)
    %shape = shape.from_extents %b, %height, %width, %c : index, index, index, index
    %type = loom.element_type %image
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
} mapping {
  "tosa.custom:TFL:TransformTensorBilinear" = @operation
}

func.func @operation(%image: tensor<?x?x?x?xf32>, %matrix: tensor<?x4x4xf32>,
    %height: index {loom.attribute = "output_height"}, %width: index {loom.attribute = "output_width"}) -> tensor<?x?x?x?xf32>
    attributes {loom.implements = "tosa.custom:TFL:TransformTensorBilinear"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %b = tensor.dim %image, %c0 : tensor<?x?x?x?xf32>
  %h = tensor.dim %image, %c1 : tensor<?x?x?x?xf32>
  %w = tensor.dim %image, %c2 : tensor<?x?x?x?xf32>
  %c = tensor.dim %image, %c3 : tensor<?x?x?x?xf32>
  %x = func.call @place(%matrix, %c0, %height, %width) : (tensor<?x4x4xf32>, index, index, index) -> tensor<?x?x1xf32>
  %y = func.call @place(%matrix, %c1, %height, %width) : (tensor<?x4x4xf32>, index, index, index) -> tensor<?x?x1xf32>
  %lastX = func.call @last(%w) : (index) -> f32
  %lastY = func.call @last(%h) : (index) -> f32
  // The pixels around each place; beside the image, the nearest in it.
  %pixels = tensor.collapse_shape %image [[0], [1, 2], [3]] : tensor<?x?x?x?xf32> into tensor<?x?x?xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %q00 = func.call @read(%pixels, %x, %y, %lastX, %lastY, %zero, %zero, %w) : (tensor<?x?x?xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, f32, f32, f32, f32, index) -> tensor<?x?x?xf32>
  %q01 = func.call @read(%pixels, %x, %y, %lastX, %lastY, %one, %zero, %w) : (tensor<?x?x?xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, f32, f32, f32, f32, index) -> tensor<?x?x?xf32>
  %q10 = func.call @read(%pixels, %x, %y, %lastX, %lastY, %zero, %one, %w) : (tensor<?x?x?xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, f32, f32, f32, f32, index) -> tensor<?x?x?xf32>
  %q11 = func.call @read(%pixels, %x, %y, %lastX, %lastY, %one, %one, %w) : (tensor<?x?x?xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, f32, f32, f32, f32, index) -> tensor<?x?x?xf32>
  %flat = loom.map(%px = %x : tensor<?x?x1xf32>, %py = %y : tensor<?x?x1xf32>, %a = %q00 : tensor<?x?x?xf32>, %d = %q01 : tensor<?x?x?xf32>, %e = %q10 : tensor<?x?x?xf32>, %f = %q11 : tensor<?x?x?xf32>, %endX = %lastX : f32, %endY = %lastY : f32) -> tensor<?x?x?xf32> {
    %none = arith.constant 0.0 : f32
    %unit = arith.constant 1.0 : f32
    %cellX = math.floor %px : f32
    %cellY = math.floor %py : f32
    %right = arith.subf %px, %cellX : f32
    %left = arith.subf %unit, %right : f32
    %lower = arith.subf %py, %cellY : f32
    %upper = arith.subf %unit, %lower : f32
    // Behind the last column or row there are zeros.
    %hasRight = arith.cmpf olt, %cellX, %endX : f32
    %hasLower = arith.cmpf olt, %cellY, %endY : f32
    %hasBoth = arith.andi %hasRight, %hasLower : i1
    %q01or0 = arith.select %hasRight, %d, %none : f32
    %q10or0 = arith.select %hasLower, %e, %none : f32
    %q11or0 = arith.select %hasBoth, %f, %none : f32
    %a0 = arith.mulf %left, %a : f32
    %a1 = arith.mulf %right, %q01or0 : f32
    %above = arith.addf %a0, %a1 : f32
    %b0 = arith.mulf %left, %q10or0 : f32
    %b1 = arith.mulf %right, %q11or0 : f32
    %below = arith.addf %b0, %b1 : f32
    %r0 = arith.mulf %lower, %below : f32
    %r1 = arith.mulf %upper, %above : f32
    %value = arith.addf %r0, %r1 : f32
    %isIn0 = arith.cmpf oge, %px, %none : f32
    %isIn1 = arith.cmpf ole, %px, %endX : f32
    %isIn2 = arith.cmpf oge, %py, %none : f32
    %isIn3 = arith.cmpf ole, %py, %endY : f32
    %isInX = arith.andi %isIn0, %isIn1 : i1
    %isInY = arith.andi %isIn2, %isIn3 : i1
    %isIn = arith.andi %isInX, %isInY : i1
    %result = arith.select %isIn, %value, %none : f32
    loom.yield %result : f32
  }
  %result = tensor.expand_shape %flat [[0], [1, 2], [3]] output_shape [%b, %height, %width, %c] : tensor<?x?x?xf32> into tensor<?x?x?x?xf32>
  return %result : tensor<?x?x?x?xf32>
}

func.func private @last(%size: index) -> f32 {
  %c1 = arith.constant 1 : index
  %last = arith.subi %size, %c1 : index
  %number = arith.index_cast %last : index to i32
  %float = arith.sitofp %number : i32 to f32
  return %float : f32
}

// A coordinate of the places, by one row of the matrices. Centres of pixels are
// moved, so that half a pixel is added before and taken away behind.
func.func private @place(%matrix: tensor<?x4x4xf32>, %row: index, %height: index, %width: index) -> tensor<?x?x1xf32> {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %matrix, %c0 : tensor<?x4x4xf32>
  %m0 = tensor.extract_slice %matrix[0, %row, 0] [%b, 1, 1] [1, 1, 1] : tensor<?x4x4xf32> to tensor<?xf32>
  %m1 = tensor.extract_slice %matrix[0, %row, 1] [%b, 1, 1] [1, 1, 1] : tensor<?x4x4xf32> to tensor<?xf32>
  %m3 = tensor.extract_slice %matrix[0, %row, 3] [%b, 1, 1] [1, 1, 1] : tensor<?x4x4xf32> to tensor<?xf32>
  %half = arith.constant 0.5 : f64
  %empty = tensor.empty(%b, %height, %width) : tensor<?x?x?x1xf32>
  %places = linalg.generic {
      indexing_maps = [affine_map<(b, y, x, u) -> (b)>, affine_map<(b, y, x, u) -> (b)>, affine_map<(b, y, x, u) -> (b)>, affine_map<(b, y, x, u) -> (b, y, x, u)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%m0, %m1, %m3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?x?x?x1xf32>) {
    ^bb0(%a: f32, %c: f32, %d: f32, %out: f32):
      %aLong = arith.extf %a : f32 to f64
      %cLong = arith.extf %c : f32 to f64
      %dLong = arith.extf %d : f32 to f64
      %aHalf = arith.mulf %aLong, %half : f64
      %cHalf = arith.mulf %cLong, %half : f64
      %sum = arith.addf %aHalf, %cHalf : f64
      %less = arith.subf %sum, %half : f64
      %shiftLong = arith.addf %dLong, %less : f64
      %shift = arith.truncf %shiftLong : f64 to f32
      %y = linalg.index 1 : index
      %x = linalg.index 2 : index
      %yNumber = arith.index_cast %y : index to i32
      %xNumber = arith.index_cast %x : index to i32
      %yFloat = arith.sitofp %yNumber : i32 to f32
      %xFloat = arith.sitofp %xNumber : i32 to f32
      %ax = arith.mulf %a, %xFloat : f32
      %cy = arith.mulf %c, %yFloat : f32
      %both = arith.addf %ax, %cy : f32
      %place = arith.addf %both, %shift : f32
      linalg.yield %place : f32
  } -> tensor<?x?x?x1xf32>
  %flat = tensor.collapse_shape %places [[0], [1, 2], [3]] : tensor<?x?x?x1xf32> into tensor<?x?x1xf32>
  return %flat : tensor<?x?x1xf32>
}

// The pixels at whole places, moved by a step; NaN reads the first one.
func.func private @read(%pixels: tensor<?x?x?xf32>, %x: tensor<?x?x1xf32>, %y: tensor<?x?x1xf32>, %lastX: f32, %lastY: f32, %stepX: f32, %stepY: f32, %w: index) -> tensor<?x?x?xf32> {
  %width = arith.index_cast %w : index to i32
  %numbers = loom.map(%px = %x : tensor<?x?x1xf32>, %py = %y : tensor<?x?x1xf32>, %endX = %lastX : f32, %endY = %lastY : f32, %dx = %stepX : f32, %dy = %stepY : f32, %row = %width : i32) -> tensor<?x?x1xi32> {
    %zero = arith.constant 0.0 : f32
    %cellX = math.floor %px : f32
    %cellY = math.floor %py : f32
    %movedX = arith.addf %cellX, %dx : f32
    %movedY = arith.addf %cellY, %dy : f32
    %notLessX = arith.maxnumf %movedX, %zero : f32
    %notLessY = arith.maxnumf %movedY, %zero : f32
    %inX = arith.minnumf %notLessX, %endX : f32
    %inY = arith.minnumf %notLessY, %endY : f32
    %wholeX = arith.fptosi %inX : f32 to i32
    %wholeY = arith.fptosi %inY : f32 to i32
    %rows = arith.muli %wholeY, %row : i32
    %number = arith.addi %rows, %wholeX : i32
    loom.yield %number : i32
  }
  %indices = tensor.collapse_shape %numbers [[0], [1, 2]] : tensor<?x?x1xi32> into tensor<?x?xi32>
  %read = tosa.gather %pixels, %indices : (tensor<?x?x?xf32>, tensor<?x?xi32>) -> tensor<?x?x?xf32>
  return %read : tensor<?x?x?xf32>
}
