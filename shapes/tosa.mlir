// Shape functions of TOSA 1.0, for all operations of MLIR 22's `tosa` dialect.
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language is described in docs/shape-functions.md. Helpers come first,
// then the operations by family, in the order of the TOSA specification; the
// mapping at the end says which function is whose. Extents of 0 and operands of
// different ranks are allowed wherever the operation makes sense on them.

!operand = !shape.value_shape
!operands = tensor<?x!shape.value_shape>
!extents = tensor<?xindex>
!type = !loom.element_type

shape.function_library @tosa {

//===----------------------------------------------------------------------===//
// Helpers: lists of extents
//===----------------------------------------------------------------------===//

// The extents of an operand.
shape.func @extents(%operand: !operand) -> !extents {
  %shape = shape.shape_of %operand : !operand -> !shape.shape
  %extents = shape.to_extent_tensor %shape : !shape.shape -> !extents
  shape.return %extents : !extents
}

// The numbers in a constant operand.
shape.func @numbers(%operand: !operand) -> !extents {
  %numbers = shape.value_as_shape %operand : !operand -> !extents
  shape.return %numbers : !extents
}

// The list with nothing in it.
shape.func @none() -> !extents {
  %empty = shape.const_shape [] : tensor<0xindex>
  %list = tensor.cast %empty : tensor<0xindex> to !extents
  shape.return %list : !extents
}

// A list with one number more.
shape.func @append(%list: !extents, %number: index) -> !extents {
  %last = tensor.from_elements %number : tensor<1xindex>
  %all = shape.concat %list, %last : !extents, tensor<1xindex> -> !extents
  shape.return %all : !extents
}

// The same extents, but this one on this axis.
shape.func @with_extent(%extents: !extents, %axis: index, %extent: index) -> !extents {
  %one = index.constant 1
  %before, %from = "shape.split_at"(%extents, %axis) : (!extents, index) -> (!extents, !extents)
  %old, %after = "shape.split_at"(%from, %one) : (!extents, index) -> (!extents, !extents)
  %head = loom.apply @append(%before, %extent) : (!extents, index) -> !extents
  %all = shape.concat %head, %after : !extents, !extents -> !extents
  shape.return %all : !extents
}

// The axis that the attribute `axis` names.
shape.func @axis_of(%extents: !extents) -> index {
  %axis = loom.attribute "axis" : index
  %rank = shape.rank %extents : !extents -> index
  %zero = index.constant 0
  %low = index.cmp sge(%axis, %zero)
  %high = index.cmp slt(%axis, %rank)
  %inside = arith.andi %low, %high : i1
  loom.constraint %inside, "axis is {0} but the input has {1} axes"(%axis, %rank)
  shape.return %axis : index
}

// A zero point is one number.
shape.func @zero_point(%zero_point: !operand) {
  %shape = loom.apply @extents(%zero_point) : (!operand) -> !extents
  %count = shape.num_elements %shape : !extents -> index
  %one = index.constant 1
  %single = index.cmp eq(%count, %one)
  loom.constraint %single, "a zero point must be one number, but has {0}"(%count)
  shape.return
}

// Whether a condition, a tensor of one i1, holds.
shape.func @holds(%condition: !operand) -> i1 {
  %shape = loom.apply @extents(%condition) : (!operand) -> !extents
  %count = shape.num_elements %shape : !extents -> index
  %zero = index.constant 0
  %one = index.constant 1
  %single = index.cmp eq(%count, %one)
  loom.constraint %single, "the condition must be one i1, but has {0} elements"(%count)
  %values = loom.apply @numbers(%condition) : (!operand) -> !extents
  %value = shape.get_extent %values, %zero : !extents, index -> index
  %true = index.cmp ne(%value, %zero)
  shape.return %true : i1
}

//===----------------------------------------------------------------------===//
// Element-wise operations
//===----------------------------------------------------------------------===//

// One input, and a result like it.
shape.func @same(%input: !operand) -> (!shape.shape, !type) {
  %shape = shape.shape_of %input : !operand -> !shape.shape
  %type = loom.element_type %input
  shape.return %shape, %type : !shape.shape, !type
}

// One input, and a result of its shape whose type the program chooses.
shape.func @same_shape(%input: !operand) -> !shape.shape {
  %shape = shape.shape_of %input : !operand -> !shape.shape
  shape.return %shape : !shape.shape
}

// Two inputs that broadcast.
shape.func @broadcast(%input1: !operand, %input2: !operand) -> (!shape.shape, !type) {
  %shape1 = shape.shape_of %input1 : !operand -> !shape.shape
  %shape2 = shape.shape_of %input2 : !operand -> !shape.shape
  %shape = shape.broadcast %shape1, %shape2 : !shape.shape, !shape.shape -> !shape.shape
  %type = loom.element_type %input1
  shape.return %shape, %type : !shape.shape, !type
}

// Two inputs that broadcast, compared.
shape.func @compare(%input1: !operand, %input2: !operand) -> (!shape.shape, !type) {
  %shape, %input_type = loom.apply @broadcast(%input1, %input2) : (!operand, !operand) -> (!shape.shape, !type)
  %type = loom.type i1
  shape.return %shape, %type : !shape.shape, !type
}

// The product of i8 and i16 may be i32, so the program chooses the type.
shape.func @mul(%input1: !operand, %input2: !operand, %shift: !operand) -> !shape.shape {
  %shape, %type = loom.apply @broadcast(%input1, %input2) : (!operand, !operand) -> (!shape.shape, !type)
  %extents = loom.apply @extents(%shift) : (!operand) -> !extents
  %count = shape.num_elements %extents : !extents -> index
  %one = index.constant 1
  %single = index.cmp eq(%count, %one)
  loom.constraint %single, "the shift must be one number, but has {0}"(%count)
  shape.return %shape : !shape.shape
}

shape.func @negate(%input: !operand, %input_zp: !operand, %output_zp: !operand) -> (!shape.shape, !type) {
  loom.apply @zero_point(%input_zp) : (!operand) -> ()
  loom.apply @zero_point(%output_zp) : (!operand) -> ()
  %shape, %type = loom.apply @same(%input) : (!operand) -> (!shape.shape, !type)
  shape.return %shape, %type : !shape.shape, !type
}

// The condition broadcasts too; the type is that of the values.
shape.func @select(%condition: !operand, %on_true: !operand, %on_false: !operand) -> (!shape.shape, !type) {
  %shape1 = shape.shape_of %condition : !operand -> !shape.shape
  %shape2 = shape.shape_of %on_true : !operand -> !shape.shape
  %shape3 = shape.shape_of %on_false : !operand -> !shape.shape
  %shape = shape.broadcast %shape1, %shape2, %shape3 : !shape.shape, !shape.shape, !shape.shape -> !shape.shape
  %type = loom.element_type %on_true
  shape.return %shape, %type : !shape.shape, !type
}

// 256 entries for i8; 513 for i16, whose result is interpolated to i32.
shape.func @table(%input: !operand, %table: !operand) -> (!shape.shape, !type) {
  %entries = loom.extents %table, "the table must have 1 axis, but has {0}"
  %input_type = loom.element_type %input
  %i16 = loom.type i16
  %i32 = loom.type i32
  %is_i16 = loom.same_type %input_type, %i16
  %for_i8 = index.constant 256
  %for_i16 = index.constant 513
  %needed = arith.select %is_i16, %for_i16, %for_i8 : index
  %enough = index.cmp eq(%entries, %needed)
  loom.constraint %enough, "a table for {0} must have {1} entries, but has {2}"(%input_type, %needed, %entries) : !type, index, index
  %shape = shape.shape_of %input : !operand -> !shape.shape
  %type = arith.select %is_i16, %i32, %input_type : !type
  shape.return %shape, %type : !shape.shape, !type
}

shape.func @apply_scale(%value: !operand, %multiplier: !operand, %shift: !operand) -> (!shape.shape, !type) {
  %shape = shape.shape_of %value : !operand -> !shape.shape
  %type = loom.type i32
  shape.return %shape, %type : !shape.shape, !type
}

// One multiplier and shift, or one for each channel: the last axis.
shape.func @rescale(%input: !operand, %multiplier: !operand, %shift: !operand, %input_zp: !operand, %output_zp: !operand) -> !shape.shape {
  %multipliers = loom.extents %multiplier, "the multiplier must have 1 axis, but has {0}"
  %shifts = loom.extents %shift, "the shift must have 1 axis, but has {0}"
  loom.apply @zero_point(%input_zp) : (!operand) -> ()
  loom.apply @zero_point(%output_zp) : (!operand) -> ()
  %per_channel = loom.attribute "per_channel" : i1
  %one = index.constant 1
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %needed = scf.if %per_channel -> index {
    %rank = shape.rank %extents : !extents -> index
    %some = index.cmp sge(%rank, %one)
    loom.constraint %some, "per_channel needs an input with channels, but the input is a scalar"
    %last = index.sub %rank, %one
    %channels = loom.dim %input[%last]
    scf.yield %channels : index
  } else {
    scf.yield %one : index
  }
  %enough = index.cmp eq(%multipliers, %needed)
  loom.constraint %enough, "there are {0} multipliers but must be {1}"(%multipliers, %needed)
  %as_many = index.cmp eq(%shifts, %needed)
  loom.constraint %as_many, "there are {0} shifts but must be {1}"(%shifts, %needed)
  %shape = shape.shape_of %input : !operand -> !shape.shape
  shape.return %shape : !shape.shape
}

//===----------------------------------------------------------------------===//
// Windows: convolutions and pools
//===----------------------------------------------------------------------===//

shape.func @some_input(%axis: index, %input: index) {
  %one = index.constant 1
  %some = index.cmp sge(%input, %one)
  loom.constraint %some, "the input has {1} along axis {0}, so that there is nothing to look at"(%axis, %input)
  shape.return
}

shape.func @some_kernel(%axis: index, %kernel: index) {
  %one = index.constant 1
  %has_kernel = index.cmp sge(%kernel, %one)
  loom.constraint %has_kernel, "the kernel must be at least 1 along axis {0}, but is {1}"(%axis, %kernel)
  shape.return
}

// The extent of the result along one axis of the input:
//   (input - 1 + before + after - (kernel - 1) * dilation) / stride + 1
// where the division must leave no remainder.
shape.func @window(%axis: index, %input: index, %kernel: index, %before: index, %after: index, %stride: index, %dilation: index) -> index {
  %zero = index.constant 0
  %one = index.constant 1
  loom.apply @some_kernel(%axis, %kernel) : (index, index) -> ()
  %has_stride = index.cmp sge(%stride, %one)
  loom.constraint %has_stride, "the stride must be at least 1 along axis {0}, but is {1}"(%axis, %stride)
  %has_dilation = index.cmp sge(%dilation, %one)
  loom.constraint %has_dilation, "the dilation must be at least 1 along axis {0}, but is {1}"(%axis, %dilation)
  %before_good = index.cmp sge(%before, %zero)
  loom.constraint %before_good, "the padding before axis {0} must not be negative, but is {1}"(%axis, %before)
  %after_good = index.cmp sge(%after, %zero)
  loom.constraint %after_good, "the padding after axis {0} must not be negative, but is {1}"(%axis, %after)
  %pad = index.add %before, %after
  %padded = index.add %input, %pad
  %gaps = index.sub %kernel, %one
  %spread = index.mul %gaps, %dilation
  %covered = index.add %spread, %one
  %room = index.sub %padded, %covered
  %fits = index.cmp sge(%room, %zero)
  loom.constraint %fits, "the kernel covers {1} along axis {0}, but the padded input has only {2}"(%axis, %covered, %padded)
  %rest = index.rems %room, %stride
  %even = index.cmp eq(%rest, %zero)
  loom.constraint %even, "the stride {1} along axis {0} must divide {2}, what the kernel leaves of the padded input's {3}"(%axis, %stride, %room, %padded)
  %steps = index.floordivs %room, %stride
  %output = index.add %steps, %one
  shape.return %output : index
}

// One bias for each of the output's channels, or one for all.
shape.func @bias(%bias: !operand, %channels: index) {
  %biases = loom.extents %bias, "the bias must have 1 axis, but has {0}"
  %one = index.constant 1
  %each = index.cmp eq(%biases, %channels)
  %for_all = index.cmp eq(%biases, %one)
  %good = arith.ori %each, %for_all : i1
  loom.constraint %good, "the bias has {0} values but the output has {1} channels"(%biases, %channels)
  shape.return
}

// What sums of products of this type are.
shape.func @sum_type(%input: !operand) -> !type {
  %type = loom.element_type %input
  %i8 = loom.type i8
  %i16 = loom.type i16
  %i32 = loom.type i32
  %i48 = loom.type i48
  %f16 = loom.type f16
  %e4m3 = loom.type f8E4M3FN
  %e5m2 = loom.type f8E5M2
  %is_i8 = loom.same_type %type, %i8
  %is_i16 = loom.same_type %type, %i16
  %is_e4m3 = loom.same_type %type, %e4m3
  %is_e5m2 = loom.same_type %type, %e5m2
  %is_f8 = arith.ori %is_e4m3, %is_e5m2 : i1
  %a = arith.select %is_i8, %i32, %type : !type
  %b = arith.select %is_i16, %i48, %a : !type
  %c = arith.select %is_f8, %f16, %b : !type
  shape.return %c : !type
}

shape.func @conv2d(%input: !operand, %weight: !operand, %bias: !operand, %input_zp: !operand, %weight_zp: !operand) -> (!shape.shape, !type) {
  %n, %ih, %iw, %ic = loom.extents %input, "the input must have 4 axes (batch, height, width, channels), but has {0}"
  %oc, %kh, %kw, %wc = loom.extents %weight, "the filter must have 4 axes (output channels, height, width, input channels), but has {0}"
  %same = index.cmp eq(%wc, %ic)
  loom.constraint %same, "filter has {0} input channels but the input has {1}"(%wc, %ic)
  loom.apply @bias(%bias, %oc) : (!operand, index) -> ()
  loom.apply @zero_point(%input_zp) : (!operand) -> ()
  loom.apply @zero_point(%weight_zp) : (!operand) -> ()
  %top, %bottom, %left, %right = loom.attribute "pad" : index, index, index, index
  %sy, %sx = loom.attribute "stride" : index, index
  %dy, %dx = loom.attribute "dilation" : index, index
  %y = index.constant 1
  %x = index.constant 2
  %oh = loom.apply @window(%y, %ih, %kh, %top, %bottom, %sy, %dy)
  %ow = loom.apply @window(%x, %iw, %kw, %left, %right, %sx, %dx)
  %shape = shape.from_extents %n, %oh, %ow, %oc : index, index, index, index
  %type = loom.apply @sum_type(%input) : (!operand) -> !type
  shape.return %shape, %type : !shape.shape, !type
}

shape.func @conv3d(%input: !operand, %weight: !operand, %bias: !operand, %input_zp: !operand, %weight_zp: !operand) -> (!shape.shape, !type) {
  %n, %id, %ih, %iw, %ic = loom.extents %input, "the input must have 5 axes (batch, depth, height, width, channels), but has {0}"
  %oc, %kd, %kh, %kw, %wc = loom.extents %weight, "the filter must have 5 axes (output channels, depth, height, width, input channels), but has {0}"
  %same = index.cmp eq(%wc, %ic)
  loom.constraint %same, "filter has {0} input channels but the input has {1}"(%wc, %ic)
  loom.apply @bias(%bias, %oc) : (!operand, index) -> ()
  loom.apply @zero_point(%input_zp) : (!operand) -> ()
  loom.apply @zero_point(%weight_zp) : (!operand) -> ()
  %front, %back, %top, %bottom, %left, %right = loom.attribute "pad" : index, index, index, index, index, index
  %sz, %sy, %sx = loom.attribute "stride" : index, index, index
  %dz, %dy, %dx = loom.attribute "dilation" : index, index, index
  %z = index.constant 1
  %y = index.constant 2
  %x = index.constant 3
  %od = loom.apply @window(%z, %id, %kd, %front, %back, %sz, %dz)
  %oh = loom.apply @window(%y, %ih, %kh, %top, %bottom, %sy, %dy)
  %ow = loom.apply @window(%x, %iw, %kw, %left, %right, %sx, %dx)
  %shape = shape.from_extents %n, %od, %oh, %ow, %oc : index, index, index, index, index
  %type = loom.apply @sum_type(%input) : (!operand) -> !type
  shape.return %shape, %type : !shape.shape, !type
}

// Each input channel has its own filters, `multiplier` of them.
shape.func @depthwise_conv2d(%input: !operand, %weight: !operand, %bias: !operand, %input_zp: !operand, %weight_zp: !operand) -> (!shape.shape, !type) {
  %n, %ih, %iw, %ic = loom.extents %input, "the input must have 4 axes (batch, height, width, channels), but has {0}"
  %kh, %kw, %wc, %multiplier = loom.extents %weight, "the filter must have 4 axes (height, width, input channels, channel multiplier), but has {0}"
  %same = index.cmp eq(%wc, %ic)
  loom.constraint %same, "filter has {0} input channels but the input has {1}"(%wc, %ic)
  %c = shape.meet %ic, %wc : index, index -> index
  %oc = index.mul %c, %multiplier
  loom.apply @bias(%bias, %oc) : (!operand, index) -> ()
  loom.apply @zero_point(%input_zp) : (!operand) -> ()
  loom.apply @zero_point(%weight_zp) : (!operand) -> ()
  %top, %bottom, %left, %right = loom.attribute "pad" : index, index, index, index
  %sy, %sx = loom.attribute "stride" : index, index
  %dy, %dx = loom.attribute "dilation" : index, index
  %y = index.constant 1
  %x = index.constant 2
  %oh = loom.apply @window(%y, %ih, %kh, %top, %bottom, %sy, %dy)
  %ow = loom.apply @window(%x, %iw, %kw, %left, %right, %sx, %dx)
  %shape = shape.from_extents %n, %oh, %ow, %oc : index, index, index, index
  %type = loom.apply @sum_type(%input) : (!operand) -> !type
  shape.return %shape, %type : !shape.shape, !type
}

// The extent of a transposed convolution's result along one axis:
//   (input - 1) * stride + before + after + kernel
// where the padding may be negative and then cuts away.
shape.func @transposed_window(%axis: index, %input: index, %kernel: index, %before: index, %after: index, %stride: index) -> index {
  %zero = index.constant 0
  %one = index.constant 1
  %has_stride = index.cmp sge(%stride, %one)
  loom.constraint %has_stride, "the stride must be at least 1 along axis {0}, but is {1}"(%axis, %stride)
  loom.apply @some_input(%axis, %input) : (index, index) -> ()
  loom.apply @some_kernel(%axis, %kernel) : (index, index) -> ()
  %minus_kernel = index.sub %zero, %kernel
  %before_good = index.cmp sgt(%before, %minus_kernel)
  loom.constraint %before_good, "out_pad before axis {0} is {1}, which cuts away the whole kernel of {2}"(%axis, %before, %kernel)
  %after_good = index.cmp sgt(%after, %minus_kernel)
  loom.constraint %after_good, "out_pad after axis {0} is {1}, which cuts away the whole kernel of {2}"(%axis, %after, %kernel)
  %steps = index.sub %input, %one
  %strides = index.mul %steps, %stride
  %pad = index.add %before, %after
  %padded = index.add %strides, %pad
  %output = index.add %padded, %kernel
  %some = index.cmp sge(%output, %one)
  loom.constraint %some, "the output would have {1} along axis {0}"(%axis, %output)
  shape.return %output : index
}

shape.func @transpose_conv2d(%input: !operand, %weight: !operand, %bias: !operand, %input_zp: !operand, %weight_zp: !operand) -> (!shape.shape, !type) {
  %n, %ih, %iw, %ic = loom.extents %input, "the input must have 4 axes (batch, height, width, channels), but has {0}"
  %oc, %kh, %kw, %wc = loom.extents %weight, "the filter must have 4 axes (output channels, height, width, input channels), but has {0}"
  %same = index.cmp eq(%wc, %ic)
  loom.constraint %same, "filter has {0} input channels but the input has {1}"(%wc, %ic)
  loom.apply @bias(%bias, %oc) : (!operand, index) -> ()
  loom.apply @zero_point(%input_zp) : (!operand) -> ()
  loom.apply @zero_point(%weight_zp) : (!operand) -> ()
  %top, %bottom, %left, %right = loom.attribute "out_pad" : index, index, index, index
  %sy, %sx = loom.attribute "stride" : index, index
  %y = index.constant 1
  %x = index.constant 2
  %oh = loom.apply @transposed_window(%y, %ih, %kh, %top, %bottom, %sy)
  %ow = loom.apply @transposed_window(%x, %iw, %kw, %left, %right, %sx)
  %shape = shape.from_extents %n, %oh, %ow, %oc : index, index, index, index
  %type = loom.apply @sum_type(%input) : (!operand) -> !type
  shape.return %shape, %type : !shape.shape, !type
}

// A pool never looks at padding alone.
shape.func @pad_within_kernel(%axis: index, %kernel: index, %before: index, %after: index) {
  loom.apply @some_kernel(%axis, %kernel) : (index, index) -> ()
  %before_good = index.cmp slt(%before, %kernel)
  loom.constraint %before_good, "the padding before axis {0} is {1}, but must be less than the kernel's {2}"(%axis, %before, %kernel)
  %after_good = index.cmp slt(%after, %kernel)
  loom.constraint %after_good, "the padding after axis {0} is {1}, but must be less than the kernel's {2}"(%axis, %after, %kernel)
  shape.return
}

shape.func @max_pool2d(%input: !operand) -> (!shape.shape, !type) {
  %n, %ih, %iw, %c = loom.extents %input, "the input must have 4 axes (batch, height, width, channels), but has {0}"
  %ky, %kx = loom.attribute "kernel" : index, index
  %sy, %sx = loom.attribute "stride" : index, index
  %top, %bottom, %left, %right = loom.attribute "pad" : index, index, index, index
  %y = index.constant 1
  %x = index.constant 2
  loom.apply @pad_within_kernel(%y, %ky, %top, %bottom) : (index, index, index, index) -> ()
  loom.apply @pad_within_kernel(%x, %kx, %left, %right) : (index, index, index, index) -> ()
  %no_dilation = index.constant 1
  %oh = loom.apply @window(%y, %ih, %ky, %top, %bottom, %sy, %no_dilation)
  %ow = loom.apply @window(%x, %iw, %kx, %left, %right, %sx, %no_dilation)
  loom.apply @some_input(%y, %ih) : (index, index) -> ()
  loom.apply @some_input(%x, %iw) : (index, index) -> ()
  %shape = shape.from_extents %n, %oh, %ow, %c : index, index, index, index
  %type = loom.element_type %input
  shape.return %shape, %type : !shape.shape, !type
}

shape.func @avg_pool2d(%input: !operand, %input_zp: !operand, %output_zp: !operand) -> (!shape.shape, !type) {
  loom.apply @zero_point(%input_zp) : (!operand) -> ()
  loom.apply @zero_point(%output_zp) : (!operand) -> ()
  %shape, %type = loom.apply @max_pool2d(%input) : (!operand) -> (!shape.shape, !type)
  shape.return %shape, %type : !shape.shape, !type
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

// f16 may be summed in f16 or f32, so the program chooses the type.
shape.func @matmul(%a: !operand, %b: !operand, %a_zp: !operand, %b_zp: !operand) -> !shape.shape {
  %n, %h, %c = loom.extents %a, "a must have 3 axes (batch, rows, columns), but has {0}"
  %bn, %rows, %w = loom.extents %b, "b must have 3 axes (batch, rows, columns), but has {0}"
  %same_batch = index.cmp eq(%n, %bn)
  loom.constraint %same_batch, "a has {0} matrices but b has {1}"(%n, %bn)
  %same = index.cmp eq(%c, %rows)
  loom.constraint %same, "a has {0} columns but b has {1} rows"(%c, %rows)
  loom.apply @zero_point(%a_zp) : (!operand) -> ()
  loom.apply @zero_point(%b_zp) : (!operand) -> ()
  %batch = shape.meet %n, %bn : index, index -> index
  %shape = shape.from_extents %batch, %h, %w : index, index, index
  shape.return %shape : !shape.shape
}

// How many elements share one scale.
shape.func @block_size() -> index {
  %is_32 = loom.attribute_is "block_size", #tosa.block_size<BLOCK_SIZE_32>
  loom.constraint %is_32, "the block size must be 32"
  %size = index.constant 32
  shape.return %size : index
}

// The number of scales for so many elements.
shape.func @blocks(%elements: index) -> index {
  %block = loom.apply @block_size()
  %rest = index.rems %elements, %block
  %zero = index.constant 0
  %even = index.cmp eq(%rest, %zero)
  loom.constraint %even, "the last axis has {0} elements, which blocks of {1} do not fill"(%elements, %block)
  %blocks = index.floordivs %elements, %block
  shape.return %blocks : index
}

// b is transposed; one matrix b serves all of a.
shape.func @matmul_t_block_scaled(%a: !operand, %a_scale: !operand, %b: !operand, %b_scale: !operand) -> !shape.shape {
  %n, %h, %c = loom.extents %a, "a must have 3 axes (batch, rows, columns), but has {0}"
  %sn, %sh, %sc = loom.extents %a_scale, "the scale of a must have 3 axes, but has {0}"
  %d, %w, %bc = loom.extents %b, "b must have 3 axes (batch, columns, rows), but has {0}"
  %tn, %tw, %tc = loom.extents %b_scale, "the scale of b must have 3 axes, but has {0}"
  %one = index.constant 1
  %each = index.cmp eq(%d, %n)
  %for_all = index.cmp eq(%d, %one)
  %batches = arith.ori %each, %for_all : i1
  loom.constraint %batches, "a has {0} matrices but b has {1}"(%n, %d)
  %same = index.cmp eq(%c, %bc)
  loom.constraint %same, "a has {0} columns but b has {1} rows"(%c, %bc)
  %blocks = loom.apply @blocks(%c)
  %a_batch = index.cmp eq(%sn, %n)
  %a_rows = index.cmp eq(%sh, %h)
  %a_blocks = index.cmp eq(%sc, %blocks)
  %a_both = arith.andi %a_batch, %a_rows : i1
  %a_good = arith.andi %a_both, %a_blocks : i1
  loom.constraint %a_good, "the scale of a must be {0}x{1}x{2}, but is {3}x{4}x{5}"(%n, %h, %blocks, %sn, %sh, %sc)
  %b_batch = index.cmp eq(%tn, %d)
  %b_rows = index.cmp eq(%tw, %w)
  %b_blocks = index.cmp eq(%tc, %blocks)
  %b_both = arith.andi %b_batch, %b_rows : i1
  %b_good = arith.andi %b_both, %b_blocks : i1
  loom.constraint %b_good, "the scale of b must be {0}x{1}x{2}, but is {3}x{4}x{5}"(%d, %w, %blocks, %tn, %tw, %tc)
  %shape = shape.from_extents %n, %h, %w : index, index, index
  shape.return %shape : !shape.shape
}

// The shape with one scale for each block of the last axis.
shape.func @scale_extents(%extents: !extents) -> !extents {
  %rank = shape.rank %extents : !extents -> index
  %one = index.constant 1
  %some = index.cmp sge(%rank, %one)
  loom.constraint %some, "blocks need an axis, but the data is a scalar"
  %last = index.sub %rank, %one
  %elements = shape.get_extent %extents, %last : !extents, index -> index
  %blocks = loom.apply @blocks(%elements)
  %scales = loom.apply @with_extent(%extents, %last, %blocks) : (!extents, index, index) -> !extents
  shape.return %scales : !extents
}

shape.func @cast_from_block_scaled(%data: !operand, %scale: !operand) -> !shape.shape {
  %extents = loom.apply @extents(%data) : (!operand) -> !extents
  %needed = loom.apply @scale_extents(%extents) : (!extents) -> !extents
  %given = loom.apply @extents(%scale) : (!operand) -> !extents
  %same = shape.shape_eq %given, %needed : !extents, !extents
  loom.constraint %same, "the scale must be {0}, but is {1}"(%needed, %given) : !extents, !extents
  %shape = shape.from_extent_tensor %extents : !extents
  shape.return %shape : !shape.shape
}

shape.func @cast_to_block_scaled(%data: !operand) -> (!shape.shape, !shape.shape) {
  %extents = loom.apply @extents(%data) : (!operand) -> !extents
  %scales = loom.apply @scale_extents(%extents) : (!extents) -> !extents
  %shape = shape.from_extent_tensor %extents : !extents
  %scale_shape = shape.from_extent_tensor %scales : !extents
  shape.return %shape, %scale_shape : !shape.shape, !shape.shape
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

shape.func @power_of_two(%extent: index, %axis: index) {
  %zero = index.constant 0
  %one = index.constant 1
  %some = index.cmp sge(%extent, %one)
  loom.constraint %some, "axis {0} must be a power of two, but is {1}"(%axis, %extent)
  %below = index.sub %extent, %one
  %common = index.and %extent, %below
  %single_bit = index.cmp eq(%common, %zero)
  loom.constraint %single_bit, "axis {0} must be a power of two, but is {1}"(%axis, %extent)
  shape.return
}

shape.func @fft2d(%real: !operand, %imag: !operand) -> (!shape.shape, !type, !shape.shape, !type) {
  %n, %h, %w = loom.extents %real, "input_real must have 3 axes (batch, height, width), but has {0}"
  %in, %ih, %iw = loom.extents %imag, "input_imag must have 3 axes (batch, height, width), but has {0}"
  %shape1 = shape.shape_of %real : !operand -> !shape.shape
  %shape2 = shape.shape_of %imag : !operand -> !shape.shape
  %same = shape.shape_eq %shape1, %shape2 : !shape.shape, !shape.shape
  loom.constraint %same, "input_real is {0} but input_imag is {1}"(%shape1, %shape2) : !shape.shape, !shape.shape
  %y = index.constant 1
  %x = index.constant 2
  loom.apply @power_of_two(%h, %y) : (index, index) -> ()
  loom.apply @power_of_two(%w, %x) : (index, index) -> ()
  %shape = shape.meet %shape1, %shape2 : !shape.shape, !shape.shape -> !shape.shape
  %type = loom.element_type %real
  shape.return %shape, %type, %shape, %type : !shape.shape, !type, !shape.shape, !type
}

// Of real input, half the width says all.
shape.func @rfft2d(%real: !operand) -> (!shape.shape, !type, !shape.shape, !type) {
  %n, %h, %w = loom.extents %real, "input_real must have 3 axes (batch, height, width), but has {0}"
  %y = index.constant 1
  %x = index.constant 2
  loom.apply @power_of_two(%h, %y) : (index, index) -> ()
  loom.apply @power_of_two(%w, %x) : (index, index) -> ()
  %half = index.floordivs %w, %x
  %ow = index.add %half, %y
  %shape = shape.from_extents %n, %h, %ow : index, index, index
  %type = loom.element_type %real
  shape.return %shape, %type, %shape, %type : !shape.shape, !type, !shape.shape, !type
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

shape.func @reduce(%input: !operand) -> (!shape.shape, !type) {
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %axis = loom.apply @axis_of(%extents) : (!extents) -> index
  %one = index.constant 1
  %reduced = loom.apply @with_extent(%extents, %axis, %one) : (!extents, index, index) -> !extents
  %shape = shape.from_extent_tensor %reduced : !extents
  %type = loom.element_type %input
  shape.return %shape, %type : !shape.shape, !type
}

// The axis goes, and an index comes for what was along it, of i32 or i64 as the
// program chooses.
shape.func @argmax(%input: !operand) -> !shape.shape {
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %axis = loom.apply @axis_of(%extents) : (!extents) -> index
  %one = index.constant 1
  %before, %from = "shape.split_at"(%extents, %axis) : (!extents, index) -> (!extents, !extents)
  %gone, %after = "shape.split_at"(%from, %one) : (!extents, index) -> (!extents, !extents)
  %rest = shape.concat %before, %after : !extents, !extents -> !extents
  %shape = shape.from_extent_tensor %rest : !extents
  shape.return %shape : !shape.shape
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

// What is known of the extents of all inputs together, which must agree on all
// axes but one.
shape.func @agree(%first: !extents, %next: !extents, %axis: index, %number: index) -> !extents {
  %rank = shape.rank %first : !extents -> index
  %next_rank = shape.rank %next : !extents -> index
  %same_rank = index.cmp eq(%rank, %next_rank)
  loom.constraint %same_rank, "input {0} has {1} axes but input 0 has {2}"(%number, %next_rank, %rank)
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%first, %none) : !extents -> !extents {
  ^bb0(%i: index, %a: index, %so_far: !extents):
    %b = shape.get_extent %next, %i : !extents, index -> index
    %same = index.cmp eq(%a, %b)
    %along = index.cmp eq(%i, %axis)
    %good = arith.ori %same, %along : i1
    loom.constraint %good, "input {0} has {1} along axis {2} but input 0 has {3}"(%number, %b, %i, %a)
    %known = scf.if %along -> index {
      scf.yield %a : index
    } else {
      %met = shape.meet %a, %b : index, index -> index
      scf.yield %met : index
    }
    %longer = loom.apply @append(%so_far, %known) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

shape.func @concat(%inputs: !operands) -> (!shape.shape, !type) {
  %zero = index.constant 0
  %one = index.constant 1
  %count = tensor.dim %inputs, %zero : !operands
  %some = index.cmp sge(%count, %one)
  loom.constraint %some, "there is no input"
  %input = tensor.extract %inputs[%zero] : !operands
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %axis = loom.apply @axis_of(%extents) : (!extents) -> index
  %first = loom.dim %input[%axis]
  %all, %total = scf.for %i = %one to %count step %one iter_args(%known = %extents, %sum = %first) -> (!extents, index) {
    %next = tensor.extract %inputs[%i] : !operands
    %next_extents = loom.apply @extents(%next) : (!operand) -> !extents
    %agreed = loom.apply @agree(%known, %next_extents, %axis, %i) : (!extents, !extents, index, index) -> !extents
    %more = loom.dim %next[%axis]
    %new_sum = index.add %sum, %more
    scf.yield %agreed, %new_sum : !extents, index
  }
  %joined = loom.apply @with_extent(%all, %axis, %total) : (!extents, index, index) -> !extents
  %shape = shape.from_extent_tensor %joined : !extents
  %type = loom.element_type %input
  shape.return %shape, %type : !shape.shape, !type
}

// Two numbers for each axis: before and after.
shape.func @pad(%input: !operand, %padding: !operand, %pad_const: !operand) -> (!shape.shape, !type) {
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %pads = loom.apply @numbers(%padding) : (!operand) -> !extents
  %zero = index.constant 0
  %one = index.constant 1
  %two = index.constant 2
  %rank = shape.rank %extents : !extents -> index
  %count = shape.rank %pads : !extents -> index
  %needed = index.mul %rank, %two
  %enough = index.cmp eq(%count, %needed)
  loom.constraint %enough, "padding has {0} numbers but needs {1}, two for each of the input's {2} axes"(%count, %needed, %rank)
  %none = loom.apply @none() : () -> !extents
  %padded = shape.reduce(%extents, %none) : !extents -> !extents {
  ^bb0(%i: index, %extent: index, %so_far: !extents):
    %j = index.mul %i, %two
    %k = index.add %j, %one
    %before = shape.get_extent %pads, %j : !extents, index -> index
    %after = shape.get_extent %pads, %k : !extents, index -> index
    %before_good = index.cmp sge(%before, %zero)
    loom.constraint %before_good, "the padding before axis {0} must not be negative, but is {1}"(%i, %before)
    %after_good = index.cmp sge(%after, %zero)
    loom.constraint %after_good, "the padding after axis {0} must not be negative, but is {1}"(%i, %after)
    %pad = index.add %before, %after
    %new = index.add %extent, %pad
    %longer = loom.apply @append(%so_far, %new) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  %shape = shape.from_extent_tensor %padded : !extents
  %type = loom.element_type %input
  shape.return %shape, %type : !shape.shape, !type
}

// One extent of the new shape may be -1: what is left.
shape.func @reshape(%input: !operand, %new_shape: !operand) -> (!shape.shape, !type) {
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %wanted = loom.apply @numbers(%new_shape) : (!operand) -> !extents
  %zero = index.constant 0
  %one = index.constant 1
  %minus_one = index.constant -1
  %elements = shape.num_elements %extents : !extents -> index
  // The product of the extents that are given, and how many are not.
  %given, %open = shape.reduce(%wanted, %one, %zero) : !extents -> (index, index) {
  ^bb0(%i: index, %extent: index, %product: index, %minus_ones: index):
    %is_open = index.cmp eq(%extent, %minus_one)
    %good = index.cmp sge(%extent, %minus_one)
    loom.constraint %good, "extent {1} of axis {0} of the new shape is negative"(%i, %extent)
    %factor = arith.select %is_open, %one, %extent : index
    %next = index.mul %product, %factor
    %is_one = arith.select %is_open, %one, %zero : index
    %more = index.add %minus_ones, %is_one
    shape.yield %next, %more : index, index
  }
  %at_most_one = index.cmp sle(%open, %one)
  loom.constraint %at_most_one, "{0} extents of the new shape are -1, but only one can be inferred"(%open)
  %is_open = index.cmp eq(%open, %one)
  %inferred = scf.if %is_open -> index {
    %some = index.cmp sge(%given, %one)
    loom.constraint %some, "an extent of the new shape is -1 beside one that is 0, so that it can be anything"
    %rest = index.rems %elements, %given
    %even = index.cmp eq(%rest, %zero)
    loom.constraint %even, "the input {0} has {1} elements, which the new shape {2} cannot hold: they are no multiple of {3}"(%extents, %elements, %wanted, %given) : !extents, index, !extents, index
    %quotient = index.floordivs %elements, %given
    scf.yield %quotient : index
  } else {
    %same = index.cmp eq(%elements, %given)
    loom.constraint %same, "the input {0} has {1} elements but the new shape {2} has {3}"(%extents, %elements, %wanted, %given) : !extents, index, !extents, index
    scf.yield %zero : index
  }
  %none = loom.apply @none() : () -> !extents
  %new = shape.reduce(%wanted, %none) : !extents -> !extents {
  ^bb0(%i: index, %extent: index, %so_far: !extents):
    %is_this = index.cmp eq(%extent, %minus_one)
    %known = arith.select %is_this, %inferred, %extent : index
    %longer = loom.apply @append(%so_far, %known) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  %shape = shape.from_extent_tensor %new : !extents
  %type = loom.element_type %input
  shape.return %shape, %type : !shape.shape, !type
}

shape.func @reverse(%input: !operand) -> (!shape.shape, !type) {
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %axis = loom.apply @axis_of(%extents) : (!extents) -> index
  %shape, %type = loom.apply @same(%input) : (!operand) -> (!shape.shape, !type)
  shape.return %shape, %type : !shape.shape, !type
}

// A size of -1 is all from the start on.
shape.func @slice(%input: !operand, %start: !operand, %size: !operand) -> (!shape.shape, !type) {
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %starts = loom.apply @numbers(%start) : (!operand) -> !extents
  %sizes = loom.apply @numbers(%size) : (!operand) -> !extents
  %zero = index.constant 0
  %minus_one = index.constant -1
  %rank = shape.rank %extents : !extents -> index
  %num_starts = shape.rank %starts : !extents -> index
  %num_sizes = shape.rank %sizes : !extents -> index
  %starts_good = index.cmp eq(%num_starts, %rank)
  loom.constraint %starts_good, "start has {0} numbers but the input has {1} axes"(%num_starts, %rank)
  %sizes_good = index.cmp eq(%num_sizes, %rank)
  loom.constraint %sizes_good, "size has {0} numbers but the input has {1} axes"(%num_sizes, %rank)
  %none = loom.apply @none() : () -> !extents
  %slice = shape.reduce(%extents, %none) : !extents -> !extents {
  ^bb0(%i: index, %extent: index, %so_far: !extents):
    %from = shape.get_extent %starts, %i : !extents, index -> index
    %given = shape.get_extent %sizes, %i : !extents, index -> index
    %from_good = index.cmp sge(%from, %zero)
    loom.constraint %from_good, "the start along axis {0} must not be negative, but is {1}"(%i, %from)
    %given_good = index.cmp sge(%given, %minus_one)
    loom.constraint %given_good, "the size along axis {0} is {1}; it must be an extent, or -1 for all that is left"(%i, %given)
    %is_open = index.cmp eq(%given, %minus_one)
    %left = index.sub %extent, %from
    %taken = arith.select %is_open, %left, %given : index
    %end = index.add %from, %taken
    %inside = index.cmp sle(%end, %extent)
    %not_behind = index.cmp sle(%from, %extent)
    %good = arith.andi %inside, %not_behind : i1
    loom.constraint %good, "the slice from {1} of size {2} along axis {0} leaves the input, which has {3}"(%i, %from, %given, %extent)
    %longer = loom.apply @append(%so_far, %taken) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  %shape = shape.from_extent_tensor %slice : !extents
  %type = loom.element_type %input
  shape.return %shape, %type : !shape.shape, !type
}

shape.func @tile(%input: !operand, %multiples: !operand) -> (!shape.shape, !type) {
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %times = loom.apply @numbers(%multiples) : (!operand) -> !extents
  %one = index.constant 1
  %rank = shape.rank %extents : !extents -> index
  %count = shape.rank %times : !extents -> index
  %enough = index.cmp eq(%count, %rank)
  loom.constraint %enough, "multiples has {0} numbers but the input has {1} axes"(%count, %rank)
  %none = loom.apply @none() : () -> !extents
  %tiled = shape.reduce(%extents, %none) : !extents -> !extents {
  ^bb0(%i: index, %extent: index, %so_far: !extents):
    %multiple = shape.get_extent %times, %i : !extents, index -> index
    %good = index.cmp sge(%multiple, %one)
    loom.constraint %good, "the multiple along axis {0} must be at least 1, but is {1}"(%i, %multiple)
    %new = index.mul %extent, %multiple
    %longer = loom.apply @append(%so_far, %new) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  %shape = shape.from_extent_tensor %tiled : !extents
  %type = loom.element_type %input
  shape.return %shape, %type : !shape.shape, !type
}

shape.func @transpose(%input: !operand) -> (!shape.shape, !type) {
  %perms = loom.attribute "perms" : !extents
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %zero = index.constant 0
  %one = index.constant 1
  %rank = shape.rank %extents : !extents -> index
  %count = shape.rank %perms : !extents -> index
  %enough = index.cmp eq(%count, %rank)
  loom.constraint %enough, "perms has {0} axes but the input has {1}"(%count, %rank)
  %none = loom.apply @none() : () -> !extents
  %permuted = shape.reduce(%perms, %none) : !extents -> !extents {
  ^bb0(%i: index, %axis: index, %so_far: !extents):
    %low = index.cmp sge(%axis, %zero)
    %high = index.cmp slt(%axis, %rank)
    %inside = arith.andi %low, %high : i1
    loom.constraint %inside, "perms names axis {0} but the input has {1} axes"(%axis, %rank)
    scf.for %j = %zero to %i step %one {
      %other = shape.get_extent %perms, %j : !extents, index -> index
      %differs = index.cmp ne(%other, %axis)
      loom.constraint %differs, "perms names axis {0} twice"(%axis)
    }
    %extent = shape.get_extent %extents, %axis : !extents, index -> index
    %longer = loom.apply @append(%so_far, %extent) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  %shape = shape.from_extent_tensor %permuted : !extents
  %type = loom.element_type %input
  shape.return %shape, %type : !shape.shape, !type
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

shape.func @gather(%values: !operand, %indices: !operand) -> (!shape.shape, !type) {
  %n, %k, %c = loom.extents %values, "values must have 3 axes (batch, rows, channels), but has {0}"
  %in, %w = loom.extents %indices, "indices must have 2 axes (batch, indices), but has {0}"
  %same = index.cmp eq(%n, %in)
  loom.constraint %same, "values has {0} batches but indices has {1}"(%n, %in)
  %batch = shape.meet %n, %in : index, index -> index
  %shape = shape.from_extents %batch, %w, %c : index, index, index
  %type = loom.element_type %values
  shape.return %shape, %type : !shape.shape, !type
}

// No row may be written twice, so there are at least as many rows as indices.
shape.func @scatter(%values_in: !operand, %indices: !operand, %input: !operand) -> (!shape.shape, !type) {
  %n, %k, %c = loom.extents %values_in, "values_in must have 3 axes (batch, rows, channels), but has {0}"
  %jn, %jw = loom.extents %indices, "indices must have 2 axes (batch, indices), but has {0}"
  %in, %w, %ic = loom.extents %input, "the input must have 3 axes (batch, rows, channels), but has {0}"
  %indices_batch = index.cmp eq(%n, %jn)
  loom.constraint %indices_batch, "values_in has {0} batches but indices has {1}"(%n, %jn)
  %input_batch = index.cmp eq(%n, %in)
  loom.constraint %input_batch, "values_in has {0} batches but the input has {1}"(%n, %in)
  %one_each = index.cmp eq(%jw, %w)
  loom.constraint %one_each, "there are {0} indices for the input's {1} rows"(%jw, %w)
  %channels = index.cmp eq(%c, %ic)
  loom.constraint %channels, "values_in has {0} channels but the input has {1}"(%c, %ic)
  %room = index.cmp sge(%k, %w)
  loom.constraint %room, "values_in has {0} rows, too few for {1} indices"(%k, %w)
  %batch = shape.meet %n, %in : index, index -> index
  %channel = shape.meet %c, %ic : index, index -> index
  %shape = shape.from_extents %batch, %k, %channel : index, index, index
  %type = loom.element_type %values_in
  shape.return %shape, %type : !shape.shape, !type
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

// The extent along one axis:
//   ((input - 1) * numerator - offset + border) / denominator + 1
// where the division must leave no remainder.
shape.func @resized(%axis: index, %input: index, %numerator: index, %denominator: index, %offset: index, %border: index) -> index {
  %zero = index.constant 0
  %one = index.constant 1
  %n_good = index.cmp sge(%numerator, %one)
  %d_good = index.cmp sge(%denominator, %one)
  %good = arith.andi %n_good, %d_good : i1
  loom.constraint %good, "the scale along axis {0} is {1} / {2}; both must be positive"(%axis, %numerator, %denominator)
  %steps = index.sub %input, %one
  %scaled = index.mul %steps, %numerator
  %from = index.sub %scaled, %offset
  %span = index.add %from, %border
  %some = index.cmp sge(%span, %zero)
  loom.constraint %some, "the offset {1} and the border {2} along axis {0} leave nothing of the input's {3}"(%axis, %offset, %border, %input)
  %rest = index.rems %span, %denominator
  %even = index.cmp eq(%rest, %zero)
  loom.constraint %even, "the scale's denominator {1} along axis {0} must divide {2}, the scaled input with its offset and border"(%axis, %denominator, %span)
  loom.apply @some_input(%axis, %input) : (index, index) -> ()
  %quotient = index.floordivs %span, %denominator
  %output = index.add %quotient, %one
  shape.return %output : index
}

shape.func @resize(%input: !operand, %scale: !operand, %offset: !operand, %border: !operand) -> !shape.shape {
  %n, %ih, %iw, %c = loom.extents %input, "the input must have 4 axes (batch, height, width, channels), but has {0}"
  %scales = loom.apply @numbers(%scale) : (!operand) -> !extents
  %offsets = loom.apply @numbers(%offset) : (!operand) -> !extents
  %borders = loom.apply @numbers(%border) : (!operand) -> !extents
  %i0 = index.constant 0
  %i1 = index.constant 1
  %i2 = index.constant 2
  %i3 = index.constant 3
  %i4 = index.constant 4
  %num_scales = shape.rank %scales : !extents -> index
  %num_offsets = shape.rank %offsets : !extents -> index
  %num_borders = shape.rank %borders : !extents -> index
  %scales_good = index.cmp eq(%num_scales, %i4)
  loom.constraint %scales_good, "scale must have 4 numbers, but has {0}"(%num_scales)
  %offsets_good = index.cmp eq(%num_offsets, %i2)
  loom.constraint %offsets_good, "offset must have 2 numbers, but has {0}"(%num_offsets)
  %borders_good = index.cmp eq(%num_borders, %i2)
  loom.constraint %borders_good, "border must have 2 numbers, but has {0}"(%num_borders)
  %yn = shape.get_extent %scales, %i0 : !extents, index -> index
  %yd = shape.get_extent %scales, %i1 : !extents, index -> index
  %xn = shape.get_extent %scales, %i2 : !extents, index -> index
  %xd = shape.get_extent %scales, %i3 : !extents, index -> index
  %oy = shape.get_extent %offsets, %i0 : !extents, index -> index
  %ox = shape.get_extent %offsets, %i1 : !extents, index -> index
  %by = shape.get_extent %borders, %i0 : !extents, index -> index
  %bx = shape.get_extent %borders, %i1 : !extents, index -> index
  %oh = loom.apply @resized(%i1, %ih, %yn, %yd, %oy, %by)
  %ow = loom.apply @resized(%i2, %iw, %xn, %xd, %ox, %bx)
  %shape = shape.from_extents %n, %oh, %ow, %c : index, index, index, index
  shape.return %shape : !shape.shape
}

//===----------------------------------------------------------------------===//
// Constants, variables, control flow
//===----------------------------------------------------------------------===//

shape.func @const() -> (!shape.shape, !type) {
  %values = loom.attribute "values" : !operand
  %shape, %type = loom.apply @same(%values) : (!operand) -> (!shape.shape, !type)
  shape.return %shape, %type : !shape.shape, !type
}

// Operations without results.
shape.func @nothing() {
  shape.return
}
shape.func @yield(%values: !operands) {
  shape.return
}

// The extents of the variable that `name` names; -1 is any.
shape.func @variable_extents() -> !extents {
  %declared = loom.attribute "var_shape" of "name" : !extents
  %zero = index.constant 0
  %none = loom.apply @none() : () -> !extents
  %extents = shape.reduce(%declared, %none) : !extents -> !extents {
  ^bb0(%i: index, %extent: index, %so_far: !extents):
    %any = loom.data_extent from %zero
    %is_known = index.cmp sge(%extent, %zero)
    %known = arith.select %is_known, %extent, %any : index
    %longer = loom.apply @append(%so_far, %known) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %extents : !extents
}

shape.func @variable_read() -> (!shape.shape, !type) {
  %extents = loom.apply @variable_extents() : () -> !extents
  %shape = shape.from_extent_tensor %extents : !extents
  %type = loom.attribute "type" of "name" : !type
  shape.return %shape, %type : !shape.shape, !type
}

shape.func @variable_write(%input: !operand) {
  %variable = loom.attribute "var_shape" of "name" : !extents
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %zero = index.constant 0
  %rank = shape.rank %variable : !extents -> index
  %input_rank = shape.rank %extents : !extents -> index
  %same_rank = index.cmp eq(%rank, %input_rank)
  loom.constraint %same_rank, "the variable has {0} axes but the input has {1}"(%rank, %input_rank)
  shape.reduce(%variable) : !extents -> () {
  ^bb0(%i: index, %declared: index):
    %extent = shape.get_extent %extents, %i : !extents, index -> index
    %same = index.cmp eq(%declared, %extent)
    %any = index.cmp slt(%declared, %zero)
    %good = arith.ori %same, %any : i1
    loom.constraint %good, "the variable has {1} along axis {0} but the input has {2}"(%i, %declared, %extent)
    shape.yield
  }
  %declared = loom.attribute "type" of "name" : !type
  %type = loom.element_type %input
  %same_type = loom.same_type %declared, %type
  loom.constraint %same_type, "the variable is of {0} but the input of {1}"(%declared, %type) : !type, !type
  shape.return
}

// What the one branch or the other yields.
shape.func @cond_if(%condition: !operand, %inputs: !operands) -> !operands {
  %holds = loom.apply @holds(%condition) : (!operand) -> i1
  %results = scf.if %holds -> !operands {
    %then = loom.region_yields 0
    scf.yield %then : !operands
  } else {
    %else = loom.region_yields 1
    scf.yield %else : !operands
  }
  shape.return %results : !operands
}

// What the body yields, or the inputs where it never runs.
shape.func @while_loop(%inputs: !operands) -> !operands {
  %zero = index.constant 0
  %one = index.constant 1
  %conditions = loom.region_yields 0
  %count = tensor.dim %conditions, %zero : !operands
  %single = index.cmp eq(%count, %one)
  loom.constraint %single, "the condition must be one value, but there are {0}"(%count)
  %condition = tensor.extract %conditions[%zero] : !operands
  %runs = loom.apply @holds(%condition) : (!operand) -> i1
  %results = scf.if %runs -> !operands {
    %body = loom.region_yields 1
    scf.yield %body : !operands
  } else {
    scf.yield %inputs : !operands
  }
  shape.return %results : !operands
}

// Only its author knows its shape; a library may map it by its own name.
shape.func @custom(%inputs: !operands) -> !operands {
  %results = loom.data : !operands
  shape.return %results : !operands
}

//===----------------------------------------------------------------------===//
// Shapes as values
//===----------------------------------------------------------------------===//

shape.func @const_shape() -> !extents {
  %values = loom.attribute "values" : !extents
  shape.return %values : !extents
}

shape.func @dim(%input: !operand) -> !extents {
  %extents = loom.apply @extents(%input) : (!operand) -> !extents
  %axis = loom.apply @axis_of(%extents) : (!extents) -> index
  %extent = loom.dim %input[%axis]
  %one = tensor.from_elements %extent : tensor<1xindex>
  %list = tensor.cast %one : tensor<1xindex> to !extents
  shape.return %list : !extents
}

shape.func @concat_shape(%inputs: !operands) -> !extents {
  %zero = index.constant 0
  %one = index.constant 1
  %count = tensor.dim %inputs, %zero : !operands
  %none = loom.apply @none() : () -> !extents
  %all = scf.for %i = %zero to %count step %one iter_args(%so_far = %none) -> (!extents) {
    %next = tensor.extract %inputs[%i] : !operands
    %values = loom.apply @numbers(%next) : (!operand) -> !extents
    %longer = shape.concat %so_far, %values : !extents, !extents -> !extents
    scf.yield %longer : !extents
  }
  shape.return %all : !extents
}

shape.func @slice_shape(%input: !operand, %start: !operand, %size: !operand) -> !extents {
  %values = loom.apply @numbers(%input) : (!operand) -> !extents
  %starts = loom.apply @numbers(%start) : (!operand) -> !extents
  %sizes = loom.apply @numbers(%size) : (!operand) -> !extents
  %zero = index.constant 0
  %count = shape.rank %values : !extents -> index
  %from = shape.get_extent %starts, %zero : !extents, index -> index
  %taken = shape.get_extent %sizes, %zero : !extents, index -> index
  %end = index.add %from, %taken
  %from_good = index.cmp sge(%from, %zero)
  %taken_good = index.cmp sge(%taken, %zero)
  %end_good = index.cmp sle(%end, %count)
  %both = arith.andi %from_good, %taken_good : i1
  %inside = arith.andi %both, %end_good : i1
  loom.constraint %inside, "the slice from {0} of size {1} leaves the shape, which has {2} numbers"(%from, %taken, %count)
  %before, %rest = "shape.split_at"(%values, %from) : (!extents, index) -> (!extents, !extents)
  %slice, %after = "shape.split_at"(%rest, %taken) : (!extents, index) -> (!extents, !extents)
  shape.return %slice : !extents
}

// The numbers of two shapes of one length. tosa-shape-1
shape.func @pair(%input1: !operand, %input2: !operand) -> (!extents, !extents) {
  %a = loom.apply @numbers(%input1) : (!operand) -> !extents
  %b = loom.apply @numbers(%input2) : (!operand) -> !extents
  %count1 = shape.rank %a : !extents -> index
  %count2 = shape.rank %b : !extents -> index
  %same = index.cmp eq(%count1, %count2)
  loom.constraint %same, "input1 has {0} numbers but input2 has {1}"(%count1, %count2)
  shape.return %a, %b : !extents, !extents
}

shape.func @add_shape(%input1: !operand, %input2: !operand) -> !extents {
  %as, %bs = loom.apply @pair(%input1, %input2) : (!operand, !operand) -> (!extents, !extents)
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%as, %none) : !extents -> !extents {
  ^bb0(%i: index, %a: index, %so_far: !extents):
    %b = shape.get_extent %bs, %i : !extents, index -> index
    %c = index.add %a, %b
    %longer = loom.apply @append(%so_far, %c) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

shape.func @sub_shape(%input1: !operand, %input2: !operand) -> !extents {
  %as, %bs = loom.apply @pair(%input1, %input2) : (!operand, !operand) -> (!extents, !extents)
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%as, %none) : !extents -> !extents {
  ^bb0(%i: index, %a: index, %so_far: !extents):
    %b = shape.get_extent %bs, %i : !extents, index -> index
    %c = index.sub %a, %b
    %longer = loom.apply @append(%so_far, %c) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

shape.func @mul_shape(%input1: !operand, %input2: !operand) -> !extents {
  %as, %bs = loom.apply @pair(%input1, %input2) : (!operand, !operand) -> (!extents, !extents)
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%as, %none) : !extents -> !extents {
  ^bb0(%i: index, %a: index, %so_far: !extents):
    %b = shape.get_extent %bs, %i : !extents, index -> index
    %c = index.mul %a, %b
    %longer = loom.apply @append(%so_far, %c) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

shape.func @max_shape(%input1: !operand, %input2: !operand) -> !extents {
  %as, %bs = loom.apply @pair(%input1, %input2) : (!operand, !operand) -> (!extents, !extents)
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%as, %none) : !extents -> !extents {
  ^bb0(%i: index, %a: index, %so_far: !extents):
    %b = shape.get_extent %bs, %i : !extents, index -> index
    %c = index.maxs %a, %b
    %longer = loom.apply @append(%so_far, %c) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

shape.func @min_shape(%input1: !operand, %input2: !operand) -> !extents {
  %as, %bs = loom.apply @pair(%input1, %input2) : (!operand, !operand) -> (!extents, !extents)
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%as, %none) : !extents -> !extents {
  ^bb0(%i: index, %a: index, %so_far: !extents):
    %b = shape.get_extent %bs, %i : !extents, index -> index
    %c = index.mins %a, %b
    %longer = loom.apply @append(%so_far, %c) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

shape.func @div_floor_shape(%input1: !operand, %input2: !operand) -> !extents {
  %as, %bs = loom.apply @pair(%input1, %input2) : (!operand, !operand) -> (!extents, !extents)
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%as, %none) : !extents -> !extents {
  ^bb0(%i: index, %a: index, %so_far: !extents):
    %b = shape.get_extent %bs, %i : !extents, index -> index
    %one = index.constant 1
    %positive = index.cmp sge(%b, %one)
    loom.constraint %positive, "number {0} of input2 must be positive, but is {1}"(%i, %b)
    %c = index.floordivs %a, %b
    %longer = loom.apply @append(%so_far, %c) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

shape.func @div_ceil_shape(%input1: !operand, %input2: !operand) -> !extents {
  %as, %bs = loom.apply @pair(%input1, %input2) : (!operand, !operand) -> (!extents, !extents)
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%as, %none) : !extents -> !extents {
  ^bb0(%i: index, %a: index, %so_far: !extents):
    %b = shape.get_extent %bs, %i : !extents, index -> index
    %one = index.constant 1
    %positive = index.cmp sge(%b, %one)
    loom.constraint %positive, "number {0} of input2 must be positive, but is {1}"(%i, %b)
    %c = index.ceildivs %a, %b
    %longer = loom.apply @append(%so_far, %c) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

shape.func @mod_shape(%input1: !operand, %input2: !operand) -> !extents {
  %as, %bs = loom.apply @pair(%input1, %input2) : (!operand, !operand) -> (!extents, !extents)
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%as, %none) : !extents -> !extents {
  ^bb0(%i: index, %a: index, %so_far: !extents):
    %b = shape.get_extent %bs, %i : !extents, index -> index
    %one = index.constant 1
    %positive = index.cmp sge(%b, %one)
    loom.constraint %positive, "number {0} of input2 must be positive, but is {1}"(%i, %b)
    // Rounded down, of a negative number too, whose rest is one.
    %zero = index.constant 0
    %natural = index.cmp sge(%a, %zero)
    %rest = index.rems %a, %b
    %above = index.add %rest, %b
    %other = index.rems %above, %b
    %c = arith.select %natural, %rest, %other : index
    %longer = loom.apply @append(%so_far, %c) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

// One more than the sum of the powers below it.
shape.func @exp2(%i: index, %n: index) -> index {
  %zero = index.constant 0
  %one = index.constant 1
  %limit = index.constant 61
  %low = index.cmp sge(%n, %zero)
  %high = index.cmp sle(%n, %limit)
  %good = arith.andi %low, %high : i1
  loom.constraint %good, "2 to the power of {1}, number {0}, is no extent"(%i, %n)
  %power = scf.for %k = %zero to %limit step %one iter_args(%so_far = %one) -> (index) {
    %is_below = index.cmp slt(%k, %n)
    %factor = arith.select %is_below, %one, %zero : index
    %below = index.shl %one, %k
    %more = index.mul %factor, %below
    %next = index.add %so_far, %more
    scf.yield %next : index
  }
  shape.return %power : index
}

shape.func @exp2_shape(%input: !operand) -> !extents {
  %values = loom.apply @numbers(%input) : (!operand) -> !extents
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%values, %none) : !extents -> !extents {
  ^bb0(%i: index, %n: index, %so_far: !extents):
    %power = loom.apply @exp2(%i, %n)
    %longer = loom.apply @append(%so_far, %power) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

shape.func @has_log2(%i: index, %n: index) {
  %one = index.constant 1
  %positive = index.cmp sge(%n, %one)
  loom.constraint %positive, "number {0} of the input has no logarithm: it is {1}"(%i, %n)
  shape.return
}

// How many of the first 61 powers of two from 2 on are at most n.
shape.func @log2(%n: index) -> index {
  %zero = index.constant 0
  %one = index.constant 1
  %end = index.constant 62
  %log = scf.for %k = %one to %end step %one iter_args(%count = %zero) -> (index) {
    %power = index.shl %one, %k
    %reached = index.cmp sle(%power, %n)
    %more = arith.select %reached, %one, %zero : index
    %next = index.add %count, %more
    scf.yield %next : index
  }
  shape.return %log : index
}

shape.func @log2_floor_shape(%input: !operand) -> !extents {
  %values = loom.apply @numbers(%input) : (!operand) -> !extents
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%values, %none) : !extents -> !extents {
  ^bb0(%i: index, %n: index, %so_far: !extents):
    loom.apply @has_log2(%i, %n) : (index, index) -> ()
    %log = loom.apply @log2(%n)
    %longer = loom.apply @append(%so_far, %log) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

// Rounded up: one more than the logarithm of n - 1, and 0 for 1.
shape.func @log2_ceil_shape(%input: !operand) -> !extents {
  %values = loom.apply @numbers(%input) : (!operand) -> !extents
  %zero = index.constant 0
  %one = index.constant 1
  %none = loom.apply @none() : () -> !extents
  %all = shape.reduce(%values, %none) : !extents -> !extents {
  ^bb0(%i: index, %n: index, %so_far: !extents):
    loom.apply @has_log2(%i, %n) : (index, index) -> ()
    %is_one = index.cmp eq(%n, %one)
    %log = scf.if %is_one -> index {
      scf.yield %zero : index
    } else {
      %below = index.sub %n, %one
      %floor = loom.apply @log2(%below)
      %up = index.add %floor, %one
      scf.yield %up : index
    }
    %longer = loom.apply @append(%so_far, %log) : (!extents, index) -> !extents
    shape.yield %longer : !extents
  }
  shape.return %all : !extents
}

} mapping {
  tosa.clamp = @same,
  tosa.erf = @same,
  tosa.sigmoid = @same,
  tosa.tanh = @same,
  tosa.abs = @same,
  tosa.bitwise_not = @same,
  tosa.ceil = @same,
  tosa.clz = @same,
  tosa.cos = @same,
  tosa.exp = @same,
  tosa.floor = @same,
  tosa.log = @same,
  tosa.logical_not = @same,
  tosa.reciprocal = @same,
  tosa.rsqrt = @same,
  tosa.sin = @same,
  tosa.identity = @same,
  tosa.cast = @same_shape,
  tosa.add = @broadcast,
  tosa.arithmetic_right_shift = @broadcast,
  tosa.bitwise_and = @broadcast,
  tosa.bitwise_or = @broadcast,
  tosa.bitwise_xor = @broadcast,
  tosa.intdiv = @broadcast,
  tosa.logical_and = @broadcast,
  tosa.logical_left_shift = @broadcast,
  tosa.logical_right_shift = @broadcast,
  tosa.logical_or = @broadcast,
  tosa.logical_xor = @broadcast,
  tosa.maximum = @broadcast,
  tosa.minimum = @broadcast,
  tosa.pow = @broadcast,
  tosa.sub = @broadcast,
  tosa.equal = @compare,
  tosa.greater = @compare,
  tosa.greater_equal = @compare,
  tosa.reduce_all = @reduce,
  tosa.reduce_any = @reduce,
  tosa.reduce_max = @reduce,
  tosa.reduce_min = @reduce,
  tosa.reduce_product = @reduce,
  tosa.reduce_sum = @reduce,
  tosa.variable = @nothing,
  tosa.mul = @mul,
  tosa.negate = @negate,
  tosa.select = @select,
  tosa.table = @table,
  tosa.apply_scale = @apply_scale,
  tosa.rescale = @rescale,
  tosa.conv2d = @conv2d,
  tosa.conv3d = @conv3d,
  tosa.depthwise_conv2d = @depthwise_conv2d,
  tosa.transpose_conv2d = @transpose_conv2d,
  tosa.max_pool2d = @max_pool2d,
  tosa.avg_pool2d = @avg_pool2d,
  tosa.matmul = @matmul,
  tosa.matmul_t_block_scaled = @matmul_t_block_scaled,
  tosa.cast_from_block_scaled = @cast_from_block_scaled,
  tosa.cast_to_block_scaled = @cast_to_block_scaled,
  tosa.fft2d = @fft2d,
  tosa.rfft2d = @rfft2d,
  tosa.argmax = @argmax,
  tosa.concat = @concat,
  tosa.pad = @pad,
  tosa.reshape = @reshape,
  tosa.reverse = @reverse,
  tosa.slice = @slice,
  tosa.tile = @tile,
  tosa.transpose = @transpose,
  tosa.gather = @gather,
  tosa.scatter = @scatter,
  tosa.resize = @resize,
  tosa.const = @const,
  tosa.variable_read = @variable_read,
  tosa.variable_write = @variable_write,
  tosa.cond_if = @cond_if,
  tosa.while_loop = @while_loop,
  tosa.custom = @custom,
  tosa.yield = @yield,
  tosa.const_shape = @const_shape,
  tosa.dim = @dim,
  tosa.concat_shape = @concat_shape,
  tosa.slice_shape = @slice_shape,
  tosa.add_shape = @add_shape,
  tosa.sub_shape = @sub_shape,
  tosa.mul_shape = @mul_shape,
  tosa.max_shape = @max_shape,
  tosa.min_shape = @min_shape,
  tosa.div_floor_shape = @div_floor_shape,
  tosa.div_ceil_shape = @div_ceil_shape,
  tosa.mod_shape = @mod_shape,
  tosa.exp2_shape = @exp2_shape,
  tosa.log2_floor_shape = @log2_floor_shape,
  tosa.log2_ceil_shape = @log2_ceil_shape
}
