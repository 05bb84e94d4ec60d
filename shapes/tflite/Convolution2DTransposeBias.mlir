// A transposed convolution with bias, as MediaPipe's models end in it: any window
// and strides, with padding SAME (1) or VALID (2) as TensorFlow Lite numbers them.
// The strides and the padding are the fields of its options, which have names when
// a program is read (docs/user-operations.md). With padding SAME the result is the
// middle of that with padding VALID.

shape.function_library @tfl_transpose_conv_bias {
  // How much of an axis is cut off.
  shape.func @cut(%size: index, %window: index, %stride: index, %padding: index) -> index {
    %zero = index.constant 0
    %one = index.constant 1
    %before = index.sub %size, %one
    %none = index.maxs %before, %zero
    %rest = index.rems %none, %stride
    %covered = index.add %rest, %one
    %over = index.sub %window, %covered
    %cut = index.maxs %over, %zero
    %isSame = index.cmp eq(%padding, %one)
    %result = arith.select %isSame, %cut, %zero : index
    return %result : index
  }
  shape.func @extent(%size: index, %window: index, %stride: index, %padding: index) -> index {
    %one = index.constant 1
    %steps = index.sub %size, %one
    %last = index.mul %steps, %stride
    %all = index.add %last, %window
    %cut = loom.apply @cut(%size, %window, %stride, %padding)
    %result = index.sub %all, %cut
    return %result : index
  }
  shape.func @operation(%input: !shape.value_shape, %filter: !shape.value_shape, %bias: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %n, %h, %w, %c = loom.extents %input, "the input must have 4 axes, but has {0}"
    %out, %kh, %kw, %in = loom.extents %filter, "the filter must have 4 axes, but has {0}"
    %biases = loom.extents %bias, "the bias must be a vector, but has {0} axes"
    %sameIn = index.cmp eq(%c, %in)
    loom.constraint %sameIn, "the filter has {0} input channels but the input has {1}"(%in, %c)
    %sameOut = index.cmp eq(%out, %biases)
    loom.constraint %sameOut, "the filter has {0} output channels but the bias has {1}"(%out, %biases)
    %zero = index.constant 0
    %hasRows = index.cmp sgt(%h, %zero)
    loom.constraint %hasRows, "the input has {0} rows, but a transposed convolution needs one"(%h)
    %hasColumns = index.cmp sgt(%w, %zero)
    loom.constraint %hasColumns, "the input has {0} columns, but a transposed convolution needs one"(%w)
    %sh = loom.attribute "stride_height" : index
    %sw = loom.attribute "stride_width" : index
    %padding = loom.attribute "padding" : index
    %movesDown = index.cmp sgt(%sh, %zero)
    loom.constraint %movesDown, "the vertical stride is {0}, but must be positive"(%sh)
    %movesRight = index.cmp sgt(%sw, %zero)
    loom.constraint %movesRight, "the horizontal stride is {0}, but must be positive"(%sw)
    %height = loom.apply @extent(%h, %kh, %sh, %padding)
    %width = loom.apply @extent(%w, %kw, %sw, %padding)
    %shape = shape.from_extents %n, %height, %width, %out : index, index, index, index
    %type = loom.element_type %input
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
} mapping {
  "tosa.custom:TFL:Convolution2DTransposeBias" = @operation
}

func.func @operation(%input: tensor<?x?x?x?xf32>, %filter: tensor<?x?x?x?xf32>, %bias: tensor<?xf32>,
    %sh: index {loom.attribute = "stride_height"}, %sw: index {loom.attribute = "stride_width"},
    %padding: index {loom.attribute = "padding"}) -> tensor<?x?x?x?xf32>
    attributes {loom.implements = "tosa.custom:TFL:Convolution2DTransposeBias"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %h = tensor.dim %input, %c1 : tensor<?x?x?x?xf32>
  %w = tensor.dim %input, %c2 : tensor<?x?x?x?xf32>
  %kh = tensor.dim %filter, %c1 : tensor<?x?x?x?xf32>
  %kw = tensor.dim %filter, %c2 : tensor<?x?x?x?xf32>
  %cutHigh = func.call @cut(%h, %kh, %sh, %padding) : (index, index, index, index) -> index
  %cutWide = func.call @cut(%w, %kw, %sw, %padding) : (index, index, index, index) -> index
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %all = tosa.transpose_conv2d %input, %filter, %bias, %zero, %zero {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, loom.attributes = {stride = "stride"}}
      : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
  %n = tensor.dim %all, %c0 : tensor<?x?x?x?xf32>
  %allHigh = tensor.dim %all, %c1 : tensor<?x?x?x?xf32>
  %allWide = tensor.dim %all, %c2 : tensor<?x?x?x?xf32>
  %out = tensor.dim %all, %c3 : tensor<?x?x?x?xf32>
  %height = arith.subi %allHigh, %cutHigh : index
  %width = arith.subi %allWide, %cutWide : index
  %top = arith.divsi %cutHigh, %c2 : index
  %left = arith.divsi %cutWide, %c2 : index
  %result = tensor.extract_slice %all[0, %top, %left, 0] [%n, %height, %width, %out] [1, 1, 1, 1] : tensor<?x?x?x?xf32> to tensor<?x?x?x?xf32>
  return %result : tensor<?x?x?x?xf32>
}

// As in the shape function.
func.func private @cut(%size: index, %window: index, %stride: index, %padding: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %before = arith.subi %size, %c1 : index
  %none = arith.maxsi %before, %c0 : index
  %rest = arith.remsi %none, %stride : index
  %covered = arith.addi %rest, %c1 : index
  %over = arith.subi %window, %covered : index
  %cut = arith.maxsi %over, %c0 : index
  %isSame = arith.cmpi eq, %padding, %c1 : index
  %result = arith.select %isSame, %cut, %c0 : index
  return %result : index
}
