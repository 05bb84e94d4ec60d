// A max pool that also tells where in its window each maximum stands, counted by
// rows from 0, plus 0.1, as MediaPipe's operation gives it. The first maximum of a
// window counts, and NaN is passed over. The options have the fields of TensorFlow
// Lite's pools.

shape.function_library @tfl_max_pooling {
  // The number of windows along an axis, with padding SAME (1) or without.
  shape.func @windows(%size: index, %window: index, %stride: index, %padding: index) -> index {
    %one = index.constant 1
    %isSame = index.cmp eq(%padding, %one)
    %end = arith.select %isSame, %one, %window : index
    %free = index.sub %size, %end
    %last = index.floordivs %free, %stride
    %count = index.add %last, %one
    return %count : index
  }
  shape.func @operation(%input: !shape.value_shape) -> (!shape.shape, !loom.element_type, !shape.shape, !loom.element_type) {
    %n, %h, %w, %c = loom.extents %input, "the input must have 4 axes, but has {0}"
    %kh = loom.attribute "filter_height" : index
    %kw = loom.attribute "filter_width" : index
    %sh = loom.attribute "stride_height" : index
    %sw = loom.attribute "stride_width" : index
    %padding = loom.attribute "padding" : index
    %activation = loom.attribute "activation" : index
    %zero = index.constant 0
    %one = index.constant 1
    %two = index.constant 2
    %plain = index.cmp eq(%activation, %zero)
    loom.constraint %plain, "activation {0} is not defined; put it behind the pool"(%activation)
    %isSame = index.cmp eq(%padding, %one)
    %isValid = index.cmp eq(%padding, %two)
    %isPadding = arith.ori %isSame, %isValid : i1
    loom.constraint %isPadding, "padding is 1 (SAME) or 2 (VALID), but here {0}"(%padding)
    %hasRows = index.cmp sgt(%kh, %zero)
    %hasColumns = index.cmp sgt(%kw, %zero)
    %isWindow = arith.andi %hasRows, %hasColumns : i1
    loom.constraint %isWindow, "a window of {0}x{1} has no element"(%kh, %kw)
    %movesDown = index.cmp sgt(%sh, %zero)
    %movesRight = index.cmp sgt(%sw, %zero)
    %moves = arith.andi %movesDown, %movesRight : i1
    loom.constraint %moves, "strides must be positive, but are {0}x{1}"(%sh, %sw)
    %leastHigh = arith.select %isSame, %one, %kh : index
    %leastWide = arith.select %isSame, %one, %kw : index
    %fitsHigh = index.cmp sge(%h, %leastHigh)
    loom.constraint %fitsHigh, "the input has {0} rows, fewer than the {1} of a window"(%h, %leastHigh)
    %fitsWide = index.cmp sge(%w, %leastWide)
    loom.constraint %fitsWide, "the input has {0} columns, fewer than the {1} of a window"(%w, %leastWide)
    %height = loom.apply @windows(%h, %kh, %sh, %padding)
    %width = loom.apply @windows(%w, %kw, %sw, %padding)
    %shape = shape.from_extents %n, %height, %width, %c : index, index, index, index
    %type = loom.element_type %input
    shape.return %shape, %type, %shape, %type : !shape.shape, !loom.element_type, !shape.shape, !loom.element_type
  }
} mapping {
  "tosa.custom:TFL:MaxPoolingWithArgmax2D" = @operation
}

func.func @operation(%input: tensor<?x?x?x?xf32>,
    %kh: index {loom.attribute = "filter_height"}, %kw: index {loom.attribute = "filter_width"},
    %sh: index {loom.attribute = "stride_height"}, %sw: index {loom.attribute = "stride_width"},
    %padding: index {loom.attribute = "padding"}) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>)
    attributes {loom.implements = "tosa.custom:TFL:MaxPoolingWithArgmax2D"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %input, %c0 : tensor<?x?x?x?xf32>
  %h = tensor.dim %input, %c1 : tensor<?x?x?x?xf32>
  %w = tensor.dim %input, %c2 : tensor<?x?x?x?xf32>
  %c = tensor.dim %input, %c3 : tensor<?x?x?x?xf32>
  %high, %above, %below = func.call @windows(%h, %kh, %sh, %padding) : (index, index, index, index) -> (index, index, index)
  %wide, %left, %right = func.call @windows(%w, %kw, %sw, %padding) : (index, index, index, index) -> (index, index, index)
  // No element is less, so that none of the padding is a maximum.
  %lowest = arith.constant -3.40282347E+38 : f32
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %input low[0, %above, %left, 0] high[0, %below, %right, 0] {
    ^bb0(%b: index, %y: index, %x: index, %k: index):
      tensor.yield %lowest : f32
  } : tensor<?x?x?x?xf32> to tensor<?x?x?x?xf32>
  %empty = tensor.empty(%n, %high, %wide, %c) : tensor<?x?x?x?xf32>
  %least = linalg.fill ins(%lowest : f32) outs(%empty : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %first = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %all:2 = scf.for %i = %c0 to %kh step %c1 iter_args(%max = %least, %place = %first) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
    %row:2 = scf.for %j = %c0 to %kw step %c1 iter_args(%oldMax = %max, %oldPlace = %place) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
      %values = tensor.extract_slice %padded[0, %i, %j, 0] [%n, %high, %wide, %c] [1, %sh, %sw, 1] : tensor<?x?x?x?xf32> to tensor<?x?x?x?xf32>
      %rows = arith.muli %i, %kw : index
      %here = arith.addi %rows, %j : index
      %number = arith.index_cast %here : index to i32
      %next:2 = loom.map(%value = %values : tensor<?x?x?x?xf32>, %old = %oldMax : tensor<?x?x?x?xf32>, %was = %oldPlace : tensor<?x?x?x?xf32>, %is = %number : i32) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
        %isMore = arith.cmpf ogt, %value, %old : f32
        %newMax = arith.select %isMore, %value, %old : f32
        %float = arith.sitofp %is : i32 to f32
        %newPlace = arith.select %isMore, %float, %was : f32
        loom.yield %newMax, %newPlace : f32, f32
      }
      scf.yield %next#0, %next#1 : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
    }
    scf.yield %row#0, %row#1 : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
  }
  %tenth = "tosa.const"() {values = dense<0.1> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %places = tosa.add %all#1, %tenth : (tensor<?x?x?x?xf32>, tensor<1x1x1x1xf32>) -> tensor<?x?x?x?xf32>
  return %all#0, %places : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}

// The number of windows along an axis, and what is put before and behind it.
func.func private @windows(%size: index, %window: index, %stride: index, %padding: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %isSame = arith.cmpi eq, %padding, %c1 : index
  %end = arith.select %isSame, %c1, %window : index
  %free = arith.subi %size, %end : index
  %last = arith.floordivsi %free, %stride : index
  %count = arith.addi %last, %c1 : index
  %lastBegin = arith.muli %last, %stride : index
  %lastEnd = arith.addi %lastBegin, %window : index
  %over = arith.subi %lastEnd, %size : index
  %added = arith.maxsi %over, %c0 : index
  %before = arith.divsi %added, %c2 : index
  %behind = arith.subi %added, %before : index
  return %count, %before, %behind : index, index, index
}
