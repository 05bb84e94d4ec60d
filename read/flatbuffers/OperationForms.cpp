//===- OperationForms.cpp - operations and their attributes in files ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/Schema.h"

using namespace broadloom::read;
using Kind = FieldKind;

static constexpr Field kAxis = {"axis", Kind::Int};
static constexpr Field kNan = {"nan_mode", Kind::NanMode};
static constexpr Field kPad = {"pad", Kind::Ints};
static constexpr Field kStride = {"stride", Kind::Ints};
static constexpr Field kKernel = {"kernel", Kind::Ints};
static constexpr Field kDilation = {"dilation", Kind::Ints};
static constexpr Field kLocalBound = {"local_bound", Kind::Bool};
static constexpr Field kAccumulator = {"acc_type", Kind::Type};
static constexpr Field kBlockSize = {"block_size", Kind::BlockSize};

/// In the order of their numbers.
static constexpr OperationForm kForms[] = {
    {},
    {"argmax", {kAxis, kNan}},
    {"avg_pool2d", {kKernel, kStride, kPad, kAccumulator}},
    {"conv2d", {kPad, kStride, kDilation, kLocalBound, kAccumulator}},
    {"conv3d", {kPad, kStride, kDilation, kLocalBound, kAccumulator}},
    {"depthwise_conv2d", {kPad, kStride, kDilation, kLocalBound, kAccumulator}},
    {"fft2d", {{"inverse", Kind::Bool}, kLocalBound}},
    {"matmul", {}},
    {"max_pool2d", {kKernel, kStride, kPad, kNan}},
    {"rfft2d", {kLocalBound}},
    {"transpose_conv2d",
     {{"out_pad", Kind::Ints}, kStride, kLocalBound, kAccumulator}},
    {"clamp", {{"min_val", Kind::Element}, {"max_val", Kind::Element}, kNan}},
    {"erf", {}},
    {"sigmoid", {}},
    {"tanh", {}},
    {"add", {}},
    {"arithmetic_right_shift", {{"round", Kind::Bool}}},
    {"bitwise_and", {}},
    {"bitwise_or", {}},
    {"bitwise_xor", {}},
    {"intdiv", {}},
    {"logical_and", {}},
    {"logical_left_shift", {}},
    {"logical_right_shift", {}},
    {"logical_or", {}},
    {"logical_xor", {}},
    {"maximum", {kNan}},
    {"minimum", {kNan}},
    {"mul", {}},
    {"pow", {}},
    {"sub", {}},
    {"table", {}},
    {"abs", {}},
    {"bitwise_not", {}},
    {"ceil", {}},
    {"clz", {}},
    {"cos", {}},
    {"exp", {}},
    {"floor", {}},
    {"log", {}},
    {"logical_not", {}},
    {"negate", {}},
    {"reciprocal", {}},
    {"rsqrt", {}},
    {"sin", {}},
    {"select", {}},
    {"equal", {}},
    {"greater", {}},
    {"greater_equal", {}},
    {"reduce_all", {kAxis}},
    {"reduce_any", {kAxis}},
    {"reduce_max", {kAxis, kNan}},
    {"reduce_min", {kAxis, kNan}},
    {"reduce_product", {kAxis}},
    {"reduce_sum", {kAxis}},
    {"concat", {kAxis}},
    {"pad", {}},
    {"reshape", {}},
    {"reverse", {kAxis}},
    {"slice", {}},
    {"tile", {}},
    {"transpose", {{"perms", Kind::NarrowInts}}},
    {"gather", {}},
    {"scatter", {}},
    {"resize", {{"mode", Kind::Resize}}},
    {"cast", {}},
    {"rescale",
     {{"scale32", Kind::Bool},
      {"rounding_mode", Kind::Rounding},
      {"per_channel", Kind::Bool},
      {"input_unsigned", Kind::Bool},
      {"output_unsigned", Kind::Bool}}},
    {"const", {}},
    {"identity", {}},
    {"custom",
     {{"operator_name", Kind::Text},
      {"domain_name", Kind::Text},
      {"implementation_attrs", Kind::Bytes}}},
    {"cond_if", {{"then_graph", Kind::Graph}, {"else_graph", Kind::Graph}}},
    {"while_loop", {{"cond_graph", Kind::Graph}, {"body_graph", Kind::Graph}}},
    {"variable", {}},
    {"variable_write", {}},
    {"variable_read", {}},
    {"const_shape", {}},
    {"matmul_t_block_scaled", {kBlockSize}},
    {"cast_from_block_scaled", {kBlockSize}},
    {"cast_to_block_scaled", {kBlockSize}},
    {"dim", {kAxis}},
    {"concat_shape", {}},
    {"add_shape", {}},
    {"sub_shape", {}},
    {"mul_shape", {}},
    {"slice_shape", {}},
    {"exp2_shape", {}},
    {"log2_ceil_shape", {}},
    {"log2_floor_shape", {}},
    {"max_shape", {}},
    {"min_shape", {}},
    {"mod_shape", {}},
    {"div_ceil_shape", {}},
    {"div_floor_shape", {}},
    {"assert_equal_shape", {{"allow_broadcast", Kind::Bool}}},
    {"conv2d_block_scaled", {kBlockSize}},
    {"max_pool2d_adaptive", {kNan}},
    {"avg_pool2d_adaptive", {kAccumulator}},
    {"reshape_block_scaled", {kBlockSize}},
    {"row_gather_block_scaled", {kBlockSize}},
    {"row_gather", {}},
    {"matmul_t", {}},
};

llvm::ArrayRef<OperationForm> broadloom::read::getOperationForms() {
  return kForms;
}
