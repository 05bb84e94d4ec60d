//===- Weights.cpp - the layout of weights --------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/contract/Weights.h"

#include "dialect/ElementBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;

bool lower::isSummed(Type image, Type weight, Type sum) {
  if (sum.isF32())
    return image == weight &&
           isa<Float32Type, Float16Type, BFloat16Type>(image);
  return sum.isInteger(32) && image.isInteger(8) && weight.isInteger(8);
}

DenseElementsAttr lower::permuteConstant(ElementsAttr constant,
                                         RankedTensorType type,
                                         ArrayRef<int64_t> order) {
  if (constant.isSplat())
    return cast<DenseElementsAttr>(constant).resizeSplat(type);
  std::optional<ArrayRef<char>> bytes = getElementBytes(constant);
  if (!bytes)
    return {};
  size_t width = type.getElementType().getIntOrFloatBitWidth() / 8;
  ArrayRef<int64_t> from = constant.getShapedType().getShape();
  SmallVector<int64_t> strides(from.size(), width);
  for (size_t axis = from.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * from[axis];
  // Iterates over the result; `source` is the position in the constant.
  std::vector<char> permuted(bytes->size());
  SmallVector<int64_t> index(order.size(), 0);
  const char *source = bytes->data();
  for (size_t i = 0; i < permuted.size(); i += width) {
    std::copy_n(source, width, permuted.data() + i);
    for (size_t axis = order.size(); axis-- > 0;) {
      source += strides[order[axis]];
      if (++index[axis] < type.getDimSize(axis))
        break;
      source -= strides[order[axis]] * index[axis];
      index[axis] = 0;
    }
  }
  return DenseElementsAttr::getFromRawBuffer(type, permuted);
}

DenseElementsAttr lower::reshapeConstant(ElementsAttr constant,
                                         RankedTensorType type) {
  if (type.getElementType() != constant.getElementType())
    return {};
  if (auto dense = dyn_cast<DenseElementsAttr>(constant))
    return dense.reshape(type);
  std::optional<ArrayRef<char>> bytes = getElementBytes(constant);
  return bytes ? DenseElementsAttr::getFromRawBuffer(type, *bytes)
               : DenseElementsAttr();
}

Value lower::reshapeIfConstant(OpBuilder &b, Location loc, Value value,
                               RankedTensorType type) {
  ElementsAttr constant;
  DenseElementsAttr reshaped;
  if (type.hasStaticShape() && matchPattern(value, m_Constant(&constant)))
    reshaped = reshapeConstant(constant, type);
  return reshaped ? arith::ConstantOp::create(b, loc, reshaped).getResult()
                  : Value();
}

DenseElementsAttr lower::reverseAxes(ElementsAttr constant, int64_t first) {
  auto type = cast<RankedTensorType>(constant.getShapedType());
  std::optional<ArrayRef<char>> bytes = getElementBytes(constant);
  if (constant.isSplat() || type.getNumElements() == 0 || !bytes)
    return dyn_cast<DenseElementsAttr>(constant);
  ArrayRef<int64_t> shape = type.getShape();
  int64_t outer = ShapedType::getNumElements(shape.take_front(first));
  int64_t window = shape[first] * shape[first + 1];
  size_t each = bytes->size() / size_t(outer * window);
  std::vector<char> reversed(bytes->size());
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t at = 0; at < window; ++at)
      std::copy_n(bytes->data() + size_t(i * window + at) * each, each,
                  reversed.data() + size_t((i + 1) * window - 1 - at) * each);
  return DenseElementsAttr::getFromRawBuffer(type, reversed);
}

Value lower::permuteAxes(OpBuilder &b, Value tensor, ArrayRef<int64_t> order) {
  if (isIdentityPermutation(order))
    return tensor;
  Location loc = tensor.getLoc();
  auto from = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  for (int64_t axis : order)
    shape.push_back(from.getDimSize(axis));
  auto type = RankedTensorType::get(shape, from.getElementType());
  ElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)))
    if (DenseElementsAttr permuted = permuteConstant(constant, type, order))
      return arith::ConstantOp::create(b, loc, permuted);
  SmallVector<OpFoldResult> extents;
  for (int64_t axis : order)
    extents.push_back(tensor::getMixedSize(b, loc, tensor, axis));
  Value empty = tensor::EmptyOp::create(b, loc, extents, type.getElementType());
  return linalg::TransposeOp::create(b, loc, tensor, empty, order)
      .getResult()[0];
}

Value lower::joinLastAxes(OpBuilder &b, Value weight) {
  Location loc = weight.getLoc();
  auto from = cast<RankedTensorType>(weight.getType());
  SmallVector<ReassociationIndices> together;
  for (int64_t axis : llvm::seq<int64_t>(0, from.getRank() - 1))
    together.push_back({axis});
  together.back().push_back(from.getRank() - 1);
  Value constant = reshapeIfConstant(
      b, loc, weight,
      tensor::CollapseShapeOp::inferCollapsedType(
          from, getSymbolLessAffineMaps(convertReassociationIndicesToExprs(
                    b.getContext(), together))));
  return constant ? constant
                  : tensor::CollapseShapeOp::create(b, loc, weight, together);
}
