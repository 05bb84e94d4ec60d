// The matrix of 4x4 that brings points of a picture of output_height by
// output_width pixels to where the landmarks of a face stand, as version 2 of
// MediaPipe's operation gives it: turned by the angle of two landmarks to
// target_rotation_radians, around the box of the landmarks in subset_idxs, which
// is scaled by scale_x and scale_y. Each entry of the batch gives one matrix.

shape.function_library @tfl_landmarks_to_matrix {
  shape.func @operation(%landmarks: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %b, %n, %d = loom.extents %landmarks, "the landmarks must have 3 axes, but have {0}"
    %three = index.constant 3
    %isSpace = index.cmp eq(%d, %three)
    loom.constraint %isSpace, "landmarks have 3 coordinates, but these have {0}"(%d)
    %zero = index.constant 0
    %left = loom.attribute "left_rotation_idx" : index
    %leftNotLess = index.cmp sge(%left, %zero)
    %leftLess = index.cmp slt(%left, %n)
    %leftIs = arith.andi %leftNotLess, %leftLess : i1
    loom.constraint %leftIs, "left_rotation_idx is {0}, but there are {1} landmarks"(%left, %n)
    %right = loom.attribute "right_rotation_idx" : index
    %rightNotLess = index.cmp sge(%right, %zero)
    %rightLess = index.cmp slt(%right, %n)
    %rightIs = arith.andi %rightNotLess, %rightLess : i1
    loom.constraint %rightIs, "right_rotation_idx is {0}, but there are {1} landmarks"(%right, %n)
    %height = loom.attribute "output_height" : index
    %width = loom.attribute "output_width" : index
    %isHigh = index.cmp sgt(%height, %zero)
    %isWide = index.cmp sgt(%width, %zero)
    %isSize = arith.andi %isHigh, %isWide : i1
    loom.constraint %isSize, "a picture of {0}x{1} has no pixel"(%height, %width)
    %subset = loom.attribute "subset_idxs" : tensor<?xindex>
    %size = shape.rank %subset : tensor<?xindex> -> index
    %isSome = index.cmp sgt(%size, %zero)
    loom.constraint %isSome, "subset_idxs names no landmark"
    %four = index.constant 4
    %shape = shape.from_extents %b, %four, %four : index, index, index
    %type = loom.element_type %landmarks
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
} mapping {
  "tosa.custom:TFL:Landmarks2TransformMatrix" = @operation
}

func.func @operation(%landmarks: tensor<?x?x3xf32>,
    %subset: tensor<?xi32> {loom.attribute = "subset_idxs"},
    %left: index {loom.attribute = "left_rotation_idx"}, %right: index {loom.attribute = "right_rotation_idx"},
    %target: f32 {loom.attribute = "target_rotation_radians"},
    %height: i32 {loom.attribute = "output_height"}, %width: i32 {loom.attribute = "output_width"},
    %scaleX: f32 {loom.attribute = "scale_x"}, %scaleY: f32 {loom.attribute = "scale_y"}) -> tensor<?x4x4xf32>
    attributes {loom.implements = "tosa.custom:TFL:Landmarks2TransformMatrix"} {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %landmarks, %c0 : tensor<?x?x3xf32>
  %leftX = tensor.extract_slice %landmarks[0, %left, 0] [%b, 1, 1] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x1x1xf32>
  %leftY = tensor.extract_slice %landmarks[0, %left, 1] [%b, 1, 1] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x1x1xf32>
  %rightX = tensor.extract_slice %landmarks[0, %right, 0] [%b, 1, 1] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x1x1xf32>
  %rightY = tensor.extract_slice %landmarks[0, %right, 1] [%b, 1, 1] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x1x1xf32>
  %angle = loom.map(%lx = %leftX : tensor<?x1x1xf32>, %ly = %leftY : tensor<?x1x1xf32>, %rx = %rightX : tensor<?x1x1xf32>, %ry = %rightY : tensor<?x1x1xf32>, %to = %target : f32) -> tensor<?x1x1xf32> {
    %dy = arith.subf %ry, %ly : f32
    %dx = arith.subf %rx, %lx : f32
    %is = math.atan2 %dy, %dx : f32
    %turn = arith.subf %to, %is : f32
    loom.yield %turn : f32
  }

  // The box of the chosen landmarks, after the turn.
  %m = tensor.dim %subset, %c0 : tensor<?xi32>
  %empty = tensor.empty(%b, %m) : tensor<?x?xi32>
  %indices = linalg.broadcast ins(%subset : tensor<?xi32>) outs(%empty : tensor<?x?xi32>) dimensions = [0]
  %chosen = tosa.gather %landmarks, %indices : (tensor<?x?x3xf32>, tensor<?x?xi32>) -> tensor<?x?x3xf32>
  %x = tensor.extract_slice %chosen[0, 0, 0] [%b, %m, 1] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x?x1xf32>
  %y = tensor.extract_slice %chosen[0, 0, 1] [%b, %m, 1] [1, 1, 1] : tensor<?x?x3xf32> to tensor<?x?x1xf32>
  %turned:2 = loom.map(%px = %x : tensor<?x?x1xf32>, %py = %y : tensor<?x?x1xf32>, %a = %angle : tensor<?x1x1xf32>) -> (tensor<?x?x1xf32>, tensor<?x?x1xf32>) {
    %c = math.cos %a : f32
    %s = math.sin %a : f32
    %cx = arith.mulf %c, %px : f32
    %sy = arith.mulf %s, %py : f32
    %nx = arith.subf %cx, %sy : f32
    %sx = arith.mulf %s, %px : f32
    %cy = arith.mulf %c, %py : f32
    %ny = arith.addf %sx, %cy : f32
    loom.yield %nx, %ny : f32, f32
  }
  %maxX = tosa.reduce_max %turned#0 {axis = 1 : i32} : (tensor<?x?x1xf32>) -> tensor<?x1x1xf32>
  %minX = tosa.reduce_min %turned#0 {axis = 1 : i32} : (tensor<?x?x1xf32>) -> tensor<?x1x1xf32>
  %maxY = tosa.reduce_max %turned#1 {axis = 1 : i32} : (tensor<?x?x1xf32>) -> tensor<?x1x1xf32>
  %minY = tosa.reduce_min %turned#1 {axis = 1 : i32} : (tensor<?x?x1xf32>) -> tensor<?x1x1xf32>

  // Shift to the middle of the box, turn back, scale, shift the middle of the
  // picture to 0: the product of the four matrices.
  %parts:6 = loom.map(%x1 = %maxX : tensor<?x1x1xf32>, %x0 = %minX : tensor<?x1x1xf32>, %y1 = %maxY : tensor<?x1x1xf32>, %y0 = %minY : tensor<?x1x1xf32>, %a = %angle : tensor<?x1x1xf32>,
      %h = %height : i32, %w = %width : i32, %byX = %scaleX : f32, %byY = %scaleY : f32)
      -> (tensor<?x1x1xf32>, tensor<?x1x1xf32>, tensor<?x1x1xf32>, tensor<?x1x1xf32>, tensor<?x1x1xf32>, tensor<?x1x1xf32>) {
    %two = arith.constant 2.0 : f32
    %minusHalf = arith.constant -0.5 : f32
    %back = arith.negf %a : f32
    %c = math.cos %back : f32
    %s = math.sin %back : f32
    %boxWidth = arith.subf %x1, %x0 : f32
    %boxHeight = arith.subf %y1, %y0 : f32
    %sumX = arith.addf %x0, %x1 : f32
    %sumY = arith.addf %y0, %y1 : f32
    %middleX = arith.divf %sumX, %two : f32
    %middleY = arith.divf %sumY, %two : f32
    %cx = arith.mulf %c, %middleX : f32
    %sy = arith.mulf %s, %middleY : f32
    %cropX = arith.subf %cx, %sy : f32
    %sx = arith.mulf %s, %middleX : f32
    %cy = arith.mulf %c, %middleY : f32
    %cropY = arith.addf %sx, %cy : f32
    %fw = arith.sitofp %w : i32 to f32
    %fh = arith.sitofp %h : i32 to f32
    %sizeX = arith.mulf %byX, %boxWidth : f32
    %sizeY = arith.mulf %byY, %boxHeight : f32
    %stepX = arith.divf %sizeX, %fw : f32
    %stepY = arith.divf %sizeY, %fh : f32
    %m00 = arith.mulf %c, %stepX : f32
    %m01n = arith.mulf %s, %stepY : f32
    %m01 = arith.negf %m01n : f32
    %m10 = arith.mulf %s, %stepX : f32
    %m11 = arith.mulf %c, %stepY : f32
    %shiftX = arith.mulf %fw, %minusHalf : f32
    %shiftY = arith.mulf %fh, %minusHalf : f32
    %a0 = arith.mulf %m00, %shiftX : f32
    %a1 = arith.mulf %m01, %shiftY : f32
    %a2 = arith.addf %a0, %a1 : f32
    %m03 = arith.addf %a2, %cropX : f32
    %b0 = arith.mulf %m10, %shiftX : f32
    %b1 = arith.mulf %m11, %shiftY : f32
    %b2 = arith.addf %b0, %b1 : f32
    %m13 = arith.addf %b2, %cropY : f32
    loom.yield %m00, %m01, %m03, %m10, %m11, %m13 : f32, f32, f32, f32, f32, f32
  }
  %zero = arith.constant 0.0 : f32
  %emptyNone = tensor.empty(%b) : tensor<?x1x1xf32>
  %none = linalg.fill ins(%zero : f32) outs(%emptyNone : tensor<?x1x1xf32>) -> tensor<?x1x1xf32>
  %row0 = tosa.concat %parts#0, %parts#1, %none, %parts#2 {axis = 2 : i32} : (tensor<?x1x1xf32>, tensor<?x1x1xf32>, tensor<?x1x1xf32>, tensor<?x1x1xf32>) -> tensor<?x1x4xf32>
  %row1 = tosa.concat %parts#3, %parts#4, %none, %parts#5 {axis = 2 : i32} : (tensor<?x1x1xf32>, tensor<?x1x1xf32>, tensor<?x1x1xf32>, tensor<?x1x1xf32>) -> tensor<?x1x4xf32>
  %last = arith.constant dense<[[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<2x4xf32>
  %emptyLast = tensor.empty(%b) : tensor<?x2x4xf32>
  %rows = linalg.broadcast ins(%last : tensor<2x4xf32>) outs(%emptyLast : tensor<?x2x4xf32>) dimensions = [0]
  %result = tosa.concat %row0, %row1, %rows {axis = 1 : i32} : (tensor<?x1x4xf32>, tensor<?x1x4xf32>, tensor<?x2x4xf32>) -> tensor<?x4x4xf32>
  return %result : tensor<?x4x4xf32>
}
