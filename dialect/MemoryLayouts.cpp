//===- MemoryLayouts.cpp - layouts that are affine maps -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryLayouts.h"

#include "dialect/LoomSetTensor.h"
#include "dialect/MapPlaces.h"
#include "poly/Domain.h"
#include "poly/Elimination.h"
#include "poly/IntegerPoint.h"
#include "poly/PackedSet.h"
#include "shape/Memory.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace broadloom;

static constexpr StringLiteral sharePlaces =
    "its layout may put two elements at one place, which could not be ruled "
    "out; use fewer elements, or simpler quotients";
static constexpr StringLiteral giveNumbers =
    "its memory has a layout that is no offset and strides; such layouts need "
    "numbers for all extents, and no symbols";
static constexpr StringLiteral dividePositive =
    "its layout divides by a number that is not positive";
static constexpr StringLiteral beTooLarge =
    "its layout needs more memory than there can be";
static constexpr StringLiteral beginBefore =
    "its layout has places before the beginning of the memory";

namespace {

/// An offset and a stride for each dimension.
struct Strides {
  int64_t offset;
  SmallVector<int64_t> strides;

  static std::optional<Strides> get(MemRefType type) {
    Strides found;
    if (failed(type.getStridesAndOffset(found.strides, found.offset)))
      return std::nullopt;
    return found;
  }
  static std::optional<Strides> get(ArrayRef<int64_t> shape, AffineExpr expr) {
    MLIRContext *context = expr.getContext();
    auto map = AffineMap::get(shape.size(), 0, expr);
    return get(MemRefType::get(shape, IndexType::get(context), map));
  }

  /// The least and the largest place of the elements, of which there are some.
  std::optional<std::pair<int64_t, int64_t>>
  getRange(ArrayRef<int64_t> shape) const {
    int64_t low = offset, high = offset;
    for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
      int64_t way;
      if (__builtin_mul_overflow(std::max<int64_t>(extent, 1) - 1, stride,
                                 &way) ||
          __builtin_add_overflow(way < 0 ? low : high, way,
                                 way < 0 ? &low : &high))
        return std::nullopt;
    }
    return std::pair(low, high);
  }

  /// Two elements at one place; open strides are any numbers.
  std::optional<loom::SharedPlace> findShared(ArrayRef<int64_t> shape) const;
};

} // namespace

static AffineMap getMap(MemRefType type) {
  auto layout = dyn_cast<AffineMapAttr>(type.getLayout());
  return layout && !layout.isIdentity() ? layout.getValue() : AffineMap();
}

/// The strides of row-major memory of a shape; open where an extent is.
static SmallVector<int64_t> getRowMajor(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) {
    int64_t next = strides[axis];
    if (ShapedType::isDynamic(next) || ShapedType::isDynamic(shape[axis]) ||
        __builtin_mul_overflow(next, shape[axis], &strides[axis - 1]))
      strides[axis - 1] = ShapedType::kDynamic;
  }
  return strides;
}

/// Whether each result is 0 or a dimension, no dimension twice.
static bool isProjection(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  return llvm::all_of(map.getResults(), [&](AffineExpr result) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim)
      return isa<AffineConstantExpr>(result) &&
             cast<AffineConstantExpr>(result).getValue() == 0;
    bool isNew = !seen.test(dim.getPosition());
    seen.set(dim.getPosition());
    return isNew;
  });
}

/// The strides of such a map: 0 for a dimension that no result has.
static Strides project(MemRefType type, AffineMap map) {
  SmallVector<int64_t> shape, strides(type.getRank(), 0);
  for (AffineExpr result : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    shape.push_back(dim ? type.getDimSize(dim.getPosition()) : 1);
  }
  for (auto [result, stride] :
       llvm::zip_equal(map.getResults(), getRowMajor(shape)))
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      strides[dim.getPosition()] = stride;
  return {0, strides};
}

/// The strides of a map to several axes of memory.
static std::optional<Strides> combine(ArrayRef<int64_t> shape, AffineMap map) {
  SmallVector<int64_t> places;
  for (AffineExpr result : map.getResults()) {
    std::optional<Strides> strides = Strides::get(shape, result);
    auto range = strides ? strides->getRange(shape) : std::nullopt;
    if (!range || range->first < 0 || range->second >= kMaxTensorBytes)
      return std::nullopt;
    places.push_back(range->second + 1);
  }
  AffineExpr sum = getAffineConstantExpr(0, map.getContext());
  for (auto [result, stride] :
       llvm::zip_equal(map.getResults(), getRowMajor(places))) {
    if (ShapedType::isDynamic(stride))
      return std::nullopt;
    sum = sum + result * stride;
  }
  return Strides::get(shape, sum);
}

static std::optional<Strides> getStrides(MemRefType type, AffineMap map) {
  if (map.getNumSymbols() != 0)
    return std::nullopt;
  if (isProjection(map))
    return project(type, map);
  if (map.getNumResults() == 1)
    return Strides::get(type);
  return type.hasStaticShape() ? combine(type.getShape(), map) : std::nullopt;
}

MemRefType loom::getStridedForm(MemRefType type) {
  AffineMap map = getMap(type);
  std::optional<Strides> strides = map ? getStrides(type, map) : std::nullopt;
  if (!strides)
    return nullptr;
  return MemRefType::get(type.getShape(), type.getElementType(),
                         StridedLayoutAttr::get(type.getContext(),
                                                strides->offset,
                                                strides->strides));
}

/// The least distance between two elements along `axes` that is none in memory,
/// whose first part is positive; zeros where there is none.
static std::vector<int64_t> findDistance(ArrayRef<int64_t> shape,
                                         ArrayRef<int64_t> strides,
                                         ArrayRef<unsigned> axes) {
  constexpr int64_t mostOfProduct = int64_t(1) << 31;
  std::vector<int64_t> distance(shape.size(), 0);
  for (unsigned axis : axes)
    if (strides[axis] == 0) {
      distance[axis] = 1;
      return distance;
    }
  for (size_t first = 0; first < axes.size(); ++first) {
    poly::Space space;
    poly::Form sum;
    poly::Rows rows;
    for (unsigned axis : axes.drop_front(first)) {
      poly::Form part = space.addUnknown("d");
      if (shape[axis] >= mostOfProduct ||
          std::abs(strides[axis]) >= mostOfProduct)
        return distance;
      sum = poly::Form::combine(1, sum, strides[axis], part);
      bool isFirst = axis == axes[first];
      rows.push_back(poly::isAtMost(isFirst ? 1 : 1 - shape[axis], part));
      rows.push_back(poly::isLess(part, shape[axis]));
    }
    rows.push_back(poly::isZero(sum));
    size_t work = poly::Limits().work;
    poly::PointSearch found = poly::findPoint(space, rows, work);
    if (found.exists != Truth::Proved)
      continue;
    for (auto [axis, part] : llvm::zip(axes.drop_front(first), found.point))
      distance[axis] = part;
    return distance;
  }
  return distance;
}

std::optional<loom::SharedPlace>
Strides::findShared(ArrayRef<int64_t> shape) const {
  SmallVector<unsigned> axes;
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (extent > 1 && !ShapedType::isDynamic(strides[axis]))
      axes.push_back(axis);
  llvm::sort(axes, [&](unsigned a, unsigned b) {
    return std::abs(strides[a]) < std::abs(strides[b]);
  });
  // Where each step is over all elements of the axes inside, places differ.
  __int128 reach = 0;
  bool isOneToOne = llvm::all_of(axes, [&](unsigned axis) {
    __int128 stride = std::abs(strides[axis]);
    bool isOver = stride > reach;
    reach += stride * (shape[axis] - 1);
    return isOver;
  });
  if (isOneToOne)
    return std::nullopt;
  llvm::sort(axes);
  std::vector<int64_t> distance = findDistance(shape, strides, axes);
  if (llvm::all_of(distance, [](int64_t part) { return part == 0; }))
    return std::nullopt;
  loom::SharedPlace shared;
  for (int64_t part : distance) {
    shared.first.push_back(std::max<int64_t>(-part, 0));
    shared.second.push_back(std::max<int64_t>(part, 0));
  }
  return shared;
}

loom::SetShapeAttr loom::getSetShape(Type type) {
  auto memory = dyn_cast<MemRefType>(type);
  return memory ? dyn_cast<SetShapeAttr>(memory.getLayout()) : SetShapeAttr();
}

MemRefType loom::getPlaces(MemRefType type) {
  if (SetShapeAttr set = getSetShape(type))
    return MemRefType::get({countSetElements(set, type.getShape())},
                           type.getElementType());
  SmallVector<int64_t> shape;
  for (AffineExpr expr : getMap(type).getResults())
    shape.push_back(getRange(type.getShape(), expr)->second + 1);
  return MemRefType::get(shape, type.getElementType());
}

std::optional<loom::SharedPlace> loom::findSharedPlace(MemRefType type) {
  if (type.getLayout().isIdentity() || llvm::is_contained(type.getShape(), 0))
    return std::nullopt;
  SmallVector<int64_t> shape =
      llvm::map_to_vector(type.getShape(), [](int64_t extent) {
        return ShapedType::isDynamic(extent) ? 2 : extent;
      });
  if (std::optional<Strides> strides = Strides::get(type))
    return strides->findShared(shape);
  AffineMap map = getMap(type);
  return map && findUnsupportedLayout(type).empty()
             ? findSharing(shape, map).shared
             : std::nullopt;
}

static std::string listIndices(ArrayRef<int64_t> indices) {
  return "[" +
         llvm::join(llvm::map_range(
                        indices, [](int64_t i) { return std::to_string(i); }),
                    ", ") +
         "]";
}

std::string loom::describeShared(const SharedPlace &shared) {
  return "its layout puts elements " + listIndices(shared.first) + " and " +
         listIndices(shared.second) + " at one place";
}

StringRef loom::findUnsupportedLayout(MemRefType type) {
  if (type.isStrided())
    return {};
  // What its layout verifies is small enough.
  if (getSetShape(type))
    return {};
  AffineMap map = getMap(type);
  if (!map || !type.hasStaticShape() || map.getNumSymbols() != 0)
    return giveNumbers;
  if (!dividesByPositive(map))
    return dividePositive;
  if (!findSharing(type.getShape(), map).isKnown)
    return sharePlaces;
  for (AffineExpr expr : map.getResults()) {
    auto range = getRange(type.getShape(), expr);
    if (!range)
      return sharePlaces;
    if (range->first < 0)
      return beginBefore;
  }
  MemRefType places = getPlaces(type);
  return canExist(places.getShape().data(), places.getRank(),
                  int64_t(sizeof(int64_t)))
             ? StringRef()
             : StringRef(beTooLarge);
}
