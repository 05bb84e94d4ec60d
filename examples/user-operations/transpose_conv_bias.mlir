// An operation of MediaPipe's that TOSA does not have, by its domain and name:
// a transposed convolution with bias, window 2x2, stride 2, as the last layer of
// its selfie segmentation has it. The shape function says what it takes, and with
// that the operation is TOSA's transposed convolution without padding.
//
//   broadloom run selfie_segmentation.mlirbc --shape-library=transpose_conv_bias.mlir --input=...

shape.function_library @tfl {
  shape.func @transpose_conv_bias(%input: !shape.value_shape, %filter: !shape.value_shape, %bias: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %n, %h, %w, %c = loom.extents %input, "the input must have 4 axes, but has {0}"
    %out, %kh, %kw, %in = loom.extents %filter, "the filter must have 4 axes, but has {0}"
    %biases = loom.extents %bias, "the bias must be a vector, but has {0} axes"
    %sameIn = index.cmp eq(%c, %in)
    loom.constraint %sameIn, "the filter has {0} input channels but the input has {1}"(%in, %c)
    %sameOut = index.cmp eq(%out, %biases)
    loom.constraint %sameOut, "the filter has {0} output channels but the bias has {1}"(%out, %biases)
    // Padding as in TensorFlow Lite (1 is SAME), then the strides, in 4 bytes each.
    %known = loom.attribute_is "implementation_attrs", "\01\00\00\00\02\00\00\00\02\00\00\00"
    loom.constraint %known, "only stride 2 with padding SAME is defined"
    %two = index.constant 2
    %isTwoHigh = index.cmp eq(%kh, %two)
    %isTwoWide = index.cmp eq(%kw, %two)
    %isTwo = arith.andi %isTwoHigh, %isTwoWide : i1
    loom.constraint %isTwo, "only a window of 2x2 is defined, but this one is {0}x{1}"(%kh, %kw)
    %height = index.mul %h, %two
    %width = index.mul %w, %two
    %shape = shape.from_extents %n, %height, %width, %out : index, index, index, index
    %type = loom.element_type %input
    shape.return %shape, %type : !shape.shape, !loom.element_type
  }
} mapping {
  "tosa.custom:TFL:Convolution2DTransposeBias" = @transpose_conv_bias
}

func.func @transpose_conv_bias(%input: tensor<?x?x?x?xf32>, %filter: tensor<1x2x2x?xf32>, %bias: tensor<1xf32>) -> tensor<?x?x?x1xf32>
    attributes {loom.implements = "tosa.custom:TFL:Convolution2DTransposeBias"} {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %result = tosa.transpose_conv2d %input, %filter, %bias, %zero, %zero {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<?x?x?x?xf32>, tensor<1x2x2x?xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x1xf32>
  return %result : tensor<?x?x?x1xf32>
}
