// Undoes a max pool whose windows do not overlap: each value goes to the place in
// its window that the second operand says, counted by rows from 0 (fractions are
// dropped); all other elements are 0. The options have the fields of TensorFlow
// Lite's pools; with equal windows and strides their padding plays no part.

shape.function_library @tfl_max_unpooling {
  shape.func @operation(%input: !shape.value_shape, %places: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %n, %h, %w, %c = loom.extents %input, "the input must have 4 axes, but has {0}"
    %shapeOfInput = shape.shape_of %input : !shape.value_shape -> !shape.shape
    %shapeOfPlaces = shape.shape_of %places : !shape.value_shape -> !shape.shape
    %same = shape.shape_eq %shapeOfInput, %shapeOfPlaces : !shape.shape, !shape.shape
    loom.constraint %same, "the places have shape {0} but the input has {1}"(%shapeOfPlaces, %shapeOfInput) : !shape.shape, !shape.shape
    %kh = loom.attribute "filter_height" : index
    %kw = loom.attribute "filter_width" : index
    %sh = loom.attribute "stride_height" : index
    %sw = loom.attribute "stride_width" : index
    %isHigh = index.cmp eq(%kh, %sh)
    %isWide = index.cmp eq(%kw, %sw)
    %apart = arith.andi %isHigh, %isWide : i1
    loom.constraint %apart, "only windows that do not overlap are defined, but these are {0}x{1} with strides {2}x{3}"(%kh, %kw, %sh, %sw)
    %zero = index.constant 0
    %hasRows = index.cmp sgt(%kh, %zero)
    %hasColumns = index.cmp sgt(%kw, %zero)
    %isWindow = arith.andi %hasRows, %hasColumns : i1
    loom.constraint %isWindow, "a window of {0}x{1} has no element"(%kh, %kw)
    %height = index.mul %h, %kh
    %width = index.mul %w, %kw
    %shape = shape.from_extents %n, %height, %width, %c : index, index, index, index
    %type = loom.element_type %input
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
} mapping {
  "tosa.custom:TFL:MaxUnpooling2D" = @operation
}

func.func @operation(%input: tensor<?x?x?x?xf32>, %places: tensor<?x?x?x?xf32>,
    %kh: index {loom.attribute = "filter_height"}, %kw: index {loom.attribute = "filter_width"}) -> tensor<?x?x?x?xf32>
    attributes {loom.implements = "tosa.custom:TFL:MaxUnpooling2D"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %input, %c0 : tensor<?x?x?x?xf32>
  %h = tensor.dim %input, %c1 : tensor<?x?x?x?xf32>
  %w = tensor.dim %input, %c2 : tensor<?x?x?x?xf32>
  %c = tensor.dim %input, %c3 : tensor<?x?x?x?xf32>
  %height = arith.muli %h, %kh : index
  %width = arith.muli %w, %kw : index
  %zero = arith.constant 0.0 : f32
  // The axes are: entry, row, row in the window, column, column in the window,
  // channel.
  %empty = tensor.empty(%n, %h, %kh, %w, %kw, %c) : tensor<?x?x?x?x?x?xf32>
  %apart = linalg.generic {
      indexing_maps = [affine_map<(b, y, i, x, j, k) -> (b, y, x, k)>, affine_map<(b, y, i, x, j, k) -> (b, y, x, k)>,
                       affine_map<(b, y, i, x, j, k) -> (b, y, i, x, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%input, %places : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%empty : tensor<?x?x?x?x?x?xf32>) {
    ^bb0(%value: f32, %place: f32, %out: f32):
      %i = linalg.index 2 : index
      %j = linalg.index 4 : index
      %above = arith.muli %i, %kw : index
      %here = arith.addi %above, %j : index
      %whole = math.trunc %place : f32
      %number = arith.index_cast %here : index to i32
      %float = arith.sitofp %number : i32 to f32
      %isHere = arith.cmpf oeq, %whole, %float : f32
      %result = arith.select %isHere, %value, %zero : f32
      linalg.yield %result : f32
  } -> tensor<?x?x?x?x?x?xf32>
  %result = tensor.collapse_shape %apart [[0], [1, 2], [3, 4], [5]] : tensor<?x?x?x?x?x?xf32> into tensor<?x?x?x?xf32>
  return %result : tensor<?x?x?x?xf32>
}
