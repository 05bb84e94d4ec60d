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

#include <array>

using namespace mlir;
using namespace broadloom;

bool lower::isSummed(Type image, Type weight, Type sum) {
  if (sum.isF64())
    return image.isF64() && weight.isF64();
  if (sum.isF32())
    return image == weight &&
           isa<Float32Type, Float16Type, BFloat16Type>(image);
  return sum.isInteger(32) && image.isInteger(8) && weight.isInteger(8);
}

namespace {

/// A copy of a tensor whose axis `i` is axis `order[i]` of the source.
class Permutation {
public:
  Permutation(ArrayRef<int64_t> from, ArrayRef<int64_t> order)
      : shape(llvm::map_to_vector(order,
                                  [&](int64_t axis) { return from[axis]; })) {
    SmallVector<int64_t> each(from.size(), 1);
    for (size_t axis = from.size(); axis-- > 1;)
      each[axis - 1] = each[axis] * from[axis];
    for (int64_t axis : order)
      strides.push_back(each[axis]);
    // Along which axis neighbours in the source lie in the result.
    inner = llvm::find(order, int64_t(order.size()) - 1) - order.begin();
  }

  /// Copies elements of `bytes` bytes, at addresses of any alignment.
  template <size_t bytes> void copy(const char *source, char *to) const {
    using Word = std::array<char, bytes>;
    static_assert(sizeof(Word) == bytes && alignof(Word) == 1);
    copyAxes(reinterpret_cast<const Word *>(source),
             reinterpret_cast<Word *>(to), 0);
  }

private:
  template <typename Word>
  void copyAxes(const Word *source, Word *to, size_t axis) const {
    if (axis + 1 == shape.size()) {
      for (int64_t i = 0; i < shape[axis]; ++i)
        to[i] = source[i * strides[axis]];
      return;
    }
    int64_t each =
        ShapedType::getNumElements(ArrayRef(shape).drop_front(axis + 1));
    if (axis == inner)
      return copyBlocks(source, to, axis, each);
    for (int64_t i = 0; i < shape[axis]; ++i)
      copyAxes(source + i * strides[axis], to + i * each, axis + 1);
  }

  /// Copies axes from `axis` on, of which neighbours along `axis` are
  /// neighbours in the source, so that each cache line is read once.
  template <typename Word>
  void copyBlocks(const Word *source, Word *to, size_t axis,
                  int64_t each) const {
    constexpr int64_t kBlock = 64 / sizeof(Word);
    size_t last = shape.size() - 1;
    SmallVector<int64_t> index(last, 0);
    for (int64_t rows = each / std::max<int64_t>(shape[last], 1), row = 0;
         row < rows; ++row) {
      for (int64_t i = 0; i < shape[axis]; i += kBlock)
        for (int64_t j = 0; j < shape[last]; ++j)
          for (int64_t k = i; k < std::min(i + kBlock, shape[axis]); ++k)
            to[k * each + j] = source[k + j * strides[last]];
      to += shape[last];
      for (size_t at = last; at-- > axis + 1;) {
        source += strides[at];
        if (++index[at] < shape[at])
          break;
        source -= strides[at] * index[at];
        index[at] = 0;
      }
    }
  }

  SmallVector<int64_t> shape, strides;
  size_t inner = 0;
};

} // namespace

ElementsAttr lower::permuteConstant(ElementsAttr constant,
                                    RankedTensorType type,
                                    ArrayRef<int64_t> order) {
  if (constant.isSplat())
    return cast<DenseElementsAttr>(constant).resizeSplat(type);
  std::optional<ArrayRef<char>> bytes = getElementBytes(constant);
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  if (!bytes || !llvm::isPowerOf2_32(bits) || bits < 8 || bits > 64)
    return {};
  Permutation permutation(constant.getShapedType().getShape(), order);
  return makeElements(type, [&](MutableArrayRef<char> to) {
    switch (bits / 8) {
    case 1:
      return permutation.copy<1>(bytes->data(), to.data());
    case 2:
      return permutation.copy<2>(bytes->data(), to.data());
    case 4:
      return permutation.copy<4>(bytes->data(), to.data());
    default:
      return permutation.copy<8>(bytes->data(), to.data());
    }
  });
}

ElementsAttr lower::reshapeConstant(ElementsAttr constant,
                                    RankedTensorType type) {
  if (type.getElementType() != constant.getElementType())
    return {};
  return reshapeElements(constant, type);
}

Value lower::reshapeIfConstant(OpBuilder &b, Location loc, Value value,
                               RankedTensorType type) {
  ElementsAttr constant;
  ElementsAttr reshaped;
  if (type.hasStaticShape() && matchPattern(value, m_Constant(&constant)))
    reshaped = reshapeConstant(constant, type);
  return reshaped ? arith::ConstantOp::create(b, loc, cast<TypedAttr>(reshaped))
                        .getResult()
                  : Value();
}

ElementsAttr lower::reverseAxes(ElementsAttr constant, int64_t first) {
  auto type = cast<RankedTensorType>(constant.getShapedType());
  std::optional<ArrayRef<char>> bytes = getElementBytes(constant);
  if (constant.isSplat() || type.getNumElements() == 0 || !bytes)
    return dyn_cast<DenseElementsAttr>(constant);
  ArrayRef<int64_t> shape = type.getShape();
  int64_t outer = ShapedType::getNumElements(shape.take_front(first));
  int64_t window = shape[first] * shape[first + 1];
  size_t each = bytes->size() / size_t(outer * window);
  return makeElements(type, [&](MutableArrayRef<char> to) {
    for (int64_t i = 0; i < outer; ++i)
      for (int64_t at = 0; at < window; ++at)
        std::copy_n(bytes->data() + size_t(i * window + at) * each, each,
                    to.data() + size_t((i + 1) * window - 1 - at) * each);
  });
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
    if (ElementsAttr permuted = permuteConstant(constant, type, order))
      return arith::ConstantOp::create(b, loc, cast<TypedAttr>(permuted));
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
