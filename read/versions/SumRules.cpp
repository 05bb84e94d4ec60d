//===- SumRules.cpp - convolutions, products and pools --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/versions/OldOperation.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace broadloom::read;

/// The default accumulator type of products of `element`.
static Type getAccumulator(Type element) {
  MLIRContext *context = element.getContext();
  if (auto kind = dyn_cast<FloatType>(element))
    return kind.getWidth() == 8 ? Type(Float16Type::get(context))
                                : Float32Type::get(context);
  return IntegerType::get(context, element.isInteger(16) ? 48 : 32);
}

/// Adds the accumulator type `type`.
static void addAccumulator(OldOperation &old, Type type) {
  if (old.attributes.get("acc_type"))
    return;
  old.attributes.append("acc_type", TypeAttr::get(type));
  old.note("says now in which type it adds up");
}

static LogicalResult convertConvolution(OldOperation &old) {
  if (failed(old.expectOperands(3, 5)))
    return failure();
  if (old.operands.size() == 4)
    return old.emitError() << "has 4 operands, expected 3 or 5";
  addAccumulator(old, getAccumulator(old.getElementType(0)));
  if (old.operands.size() == 5)
    return success();
  return addZeroPoints(old, {{"input_zp", old.getElementType(0)},
                             {"weight_zp", old.getElementType(1)}});
}

static LogicalResult convertTransposed(OldOperation &old) {
  // The type of the result has the same shape.
  if (old.take("out_shape"))
    old.note("has the shape of its result in its type alone");
  return convertConvolution(old);
}

static LogicalResult convertMatmul(OldOperation &old) {
  if (failed(old.expectOperands(2, 4)))
    return failure();
  if (old.operands.size() == 4)
    return success();
  if (old.operands.size() == 3)
    return old.emitError() << "has 3 operands, expected 2 or 4";
  return addZeroPoints(
      old, {{"a_zp", old.getElementType(0)}, {"b_zp", old.getElementType(1)}});
}

static LogicalResult convertAveragePool(OldOperation &old) {
  if (failed(old.expectOperands(1, 3)))
    return failure();
  if (old.operands.size() == 2)
    return old.emitError() << "has 2 operands, expected 1 or 3";
  Type element = old.getElementType(0);
  MLIRContext *context = element.getContext();
  addAccumulator(old, isa<FloatType>(element)
                          ? getAccumulator(element)
                          : Type(IntegerType::get(context, 32)));
  if (old.operands.size() == 3)
    return success();
  return addZeroPoints(
      old, {{"input_zp", element}, {"output_zp", old.getResultElementType()}});
}

/// The extents of a reshape of `value` to {rows, 1, 1, columns}.
static FailureOr<SmallVector<int64_t>> getImage(OldOperation &old, Value value,
                                                StringRef what) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != 2)
    return old.emitError() << "has " << what << " of type " << value.getType()
                           << ", expected a tensor of rank 2";
  if (type.getNumDynamicDims() == 2)
    return old.emitError() << "has " << what << " of type " << type
                           << ", of which one extent must be static";
  return SmallVector<int64_t>{type.getDimSize(0), 1, 1, type.getDimSize(1)};
}

/// The same with -1 for a dynamic extent, which is inferred from the number of
/// elements.
static SmallVector<int64_t> asTarget(ArrayRef<int64_t> extents) {
  return llvm::map_to_vector(extents, [](int64_t extent) -> int64_t {
    return ShapedType::isDynamic(extent) ? -1 : extent;
  });
}

/// A product with a matrix whose rows are output channels is a convolution of
/// images of one element.
static LogicalResult convertFullyConnected(OldOperation &old) {
  if (failed(old.expectOperands(3, 3)))
    return failure();
  auto result = dyn_cast<RankedTensorType>(old.results.front());
  if (!result || result.getRank() != 2 || result.getNumDynamicDims() == 2)
    return old.emitError() << "has a result of type " << old.results.front()
                           << ", expected a tensor of rank 2 of which one "
                              "extent is static";
  for (auto [i, what] : {std::pair<unsigned, StringRef>(0, "an input"),
                         std::pair<unsigned, StringRef>(1, "a weight")}) {
    FailureOr<SmallVector<int64_t>> image =
        getImage(old, old.operands[i], what);
    if (failed(image))
      return failure();
    auto type = RankedTensorType::get(*image, old.getElementType(i));
    old.operands[i] = old.addOperation(
        "tosa.reshape", {old.operands[i], old.addShape(asTarget(*image))},
        type);
  }
  old.name = "conv2d";
  Builder &builder = old.getBuilder();
  addAccumulator(old, getAccumulator(old.getElementType(0)));
  if (failed(addZeroPoints(old, {{"input_zp", old.getElementType(0)},
                                 {"weight_zp", old.getElementType(1)}})))
    return failure();
  old.attributes.append("pad", builder.getDenseI64ArrayAttr({0, 0, 0, 0}));
  old.attributes.append("stride", builder.getDenseI64ArrayAttr({1, 1}));
  old.attributes.append("dilation", builder.getDenseI64ArrayAttr({1, 1}));
  auto image =
      RankedTensorType::get({result.getDimSize(0), 1, 1, result.getDimSize(1)},
                            result.getElementType());
  Value sums =
      old.addOperation("tosa.conv2d", old.operands, image, old.attributes);
  old.note("is 'tosa.conv2d' of images of one element now");
  old.name = "reshape";
  old.attributes = {};
  old.operands = {sums, old.addShape(asTarget(result.getShape()))};
  return success();
}

/// The product with a second operand whose matrices are transposed.
static LogicalResult convertTransposedMatmul(OldOperation &old) {
  if (failed(old.expectOperands(4, 4)))
    return failure();
  auto first = dyn_cast<RankedTensorType>(old.operands[0].getType());
  auto type = dyn_cast<RankedTensorType>(old.operands[1].getType());
  if (!first || !type || first.getRank() != 3 || type.getRank() != 3)
    return old.emitError() << "needs two operands of rank 3";
  if (first.getDimSize(0) != type.getDimSize(0) && type.getDimSize(0) == 1)
    return old.emitError()
           << "repeats the one matrix of operand 1 for all of operand 0, "
              "which is not known here; repeat it with 'tosa.tile'";
  auto turned = RankedTensorType::get(
      {type.getDimSize(0), type.getDimSize(2), type.getDimSize(1)},
      type.getElementType());
  NamedAttrList perms;
  perms.append("perms", old.getBuilder().getDenseI32ArrayAttr({0, 2, 1}));
  old.operands[1] =
      old.addOperation("tosa.transpose", old.operands[1], turned, perms);
  old.note("is 'tosa.matmul' of the transposed operand here");
  old.name = "matmul";
  return success();
}

/// Converts pools of newer versions, whose windows are operands that must be
/// constants. `first` is the operand with the kernel.
static LogicalResult convertAdaptive(OldOperation &old, unsigned first) {
  if (failed(old.expectOperands(first + 3, first + 3)))
    return failure();
  StringRef names[] = {"kernel", "stride", "pad"};
  for (auto [i, key] : llvm::enumerate(names)) {
    auto extents = old.getConstant(first + i, key);
    if (failed(extents))
      return failure();
    old.attributes.append(key, old.getBuilder().getDenseI64ArrayAttr(*extents));
  }
  old.operands.truncate(first);
  old.name = first == 1 ? "max_pool2d" : "avg_pool2d";
  old.note("has its window as attributes here");
  return success();
}

void broadloom::read::addSumRules(Rules &rules) {
  rules["conv2d"] = rules["conv3d"] = convertConvolution;
  rules["depthwise_conv2d"] = convertConvolution;
  rules["transpose_conv2d"] = convertTransposed;
  rules["matmul"] = convertMatmul;
  rules["avg_pool2d"] = convertAveragePool;
  rules["fully_connected"] = convertFullyConnected;
  rules["matmul_t"] = convertTransposedMatmul;
  rules["max_pool2d_adaptive"] = [](OldOperation &old) {
    return convertAdaptive(old, 1);
  };
  rules["avg_pool2d_adaptive"] = [](OldOperation &old) {
    return convertAdaptive(old, 3);
  };
}
