//===- MemoryLayouts.cpp - layouts that are affine maps -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryLayouts.h"

#include "shape/Memory.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <set>
#include <vector>

using namespace mlir;
using namespace broadloom;

static constexpr StringLiteral sharePlaces =
    "its layout puts two elements at one place, or that could not be ruled "
    "out; give each element a place of its own";
static constexpr StringLiteral giveNumbers =
    "its memory has a layout that is no offset and strides; such layouts need "
    "numbers for all extents, and no symbols";
static constexpr StringLiteral dividePositive =
    "its layout divides by a number that is not positive";
static constexpr StringLiteral beTooLarge =
    "its layout needs more memory than there can be";
static constexpr StringLiteral beginBefore =
    "its layout has places before the beginning of the memory";

/// The places of one dimension alone, or of all together where there are few.
static constexpr int64_t kMostPlaces = 1 << 16;

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

  bool isOneToOne(ArrayRef<int64_t> shape) const {
    SmallVector<std::pair<int64_t, int64_t>> axes;
    for (auto [extent, stride] : llvm::zip_equal(shape, strides))
      if (extent > 1)
        axes.push_back({std::abs(stride), extent});
    llvm::sort(axes);
    __int128 reach = 0;
    for (auto [stride, extent] : axes) {
      if (stride <= reach)
        return false;
      reach += __int128(stride) * (extent - 1);
    }
    return true;
  }
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

/// The strides of a map whose results are dimensions in another order.
static Strides permute(MemRefType type, AffineMap map) {
  SmallVector<int64_t> shape, strides(type.getRank());
  for (AffineExpr result : map.getResults())
    shape.push_back(type.getDimSize(cast<AffineDimExpr>(result).getPosition()));
  for (auto [result, stride] :
       llvm::zip_equal(map.getResults(), getRowMajor(shape)))
    strides[cast<AffineDimExpr>(result).getPosition()] = stride;
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
  if (map.isPermutation())
    return permute(type, map);
  if (!type.hasStaticShape())
    return std::nullopt;
  if (map.getNumResults() == 1)
    return Strides::get(type);
  return combine(type.getShape(), map);
}

MemRefType loom::getStridedForm(MemRefType type) {
  AffineMap map = getMap(type);
  std::optional<Strides> strides = map ? getStrides(type, map) : std::nullopt;
  if (!strides ||
      (type.hasStaticShape() && !strides->isOneToOne(type.getShape())))
    return nullptr;
  return MemRefType::get(type.getShape(), type.getElementType(),
                         StridedLayoutAttr::get(type.getContext(),
                                                strides->offset,
                                                strides->strides));
}

/// Adds the dimensions that `expr` has.
static void findDims(AffineExpr expr, std::set<unsigned> &dims) {
  expr.walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      dims.insert(dim.getPosition());
  });
}

static bool dividesByPositive(AffineMap map) {
  bool isGood = true;
  map.walkExprs([&](AffineExpr expr) {
    if (!llvm::is_contained({AffineExprKind::FloorDiv, AffineExprKind::CeilDiv,
                             AffineExprKind::Mod},
                            expr.getKind()))
      return;
    auto by =
        dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(expr).getRHS());
    isGood &= by && by.getValue() > 0;
  });
  return isGood;
}

/// The number of `expr`, whose divisors are positive, or nothing where a part
/// of it does not fit a word.
static std::optional<int64_t> evaluate(AffineExpr expr,
                                       ArrayRef<int64_t> index) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return index[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> a = evaluate(binary.getLHS(), index),
                         b = evaluate(binary.getRHS(), index);
  if (!a || !b)
    return std::nullopt;
  int64_t result;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (__builtin_add_overflow(*a, *b, &result))
      return std::nullopt;
    return result;
  case AffineExprKind::Mul:
    if (__builtin_mul_overflow(*a, *b, &result))
      return std::nullopt;
    return result;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(*a, *b);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(*a, *b);
  default:
    return llvm::mod(*a, *b);
  }
}

/// Calls `visit` with the results of `exprs` for all indices, whose dimensions
/// other than `dims` are 0; false where they are many, where a number does not
/// fit, or where `visit` is.
static bool forEachPlace(ArrayRef<int64_t> shape, ArrayRef<AffineExpr> exprs,
                         const std::set<unsigned> &dims,
                         llvm::function_ref<bool(ArrayRef<int64_t>)> visit) {
  int64_t count = 1;
  for (unsigned dim : dims)
    if (__builtin_mul_overflow(count, shape[dim], &count) ||
        count > kMostPlaces)
      return false;
  for (int64_t number = 0; number < count; ++number) {
    SmallVector<int64_t> index(shape.size(), 0);
    int64_t rest = number;
    for (unsigned dim : dims) {
      index[dim] = rest % shape[dim];
      rest /= shape[dim];
    }
    SmallVector<int64_t> place;
    for (AffineExpr expr : exprs) {
      std::optional<int64_t> result = evaluate(expr, index);
      if (!result)
        return false;
      place.push_back(*result);
    }
    if (!visit(place))
      return false;
  }
  return true;
}

/// Whether each index has a place of its own. Groups of results that share
/// dimensions are looked at alone.
static bool isOneToOne(ArrayRef<int64_t> shape, AffineMap map) {
  struct Group {
    std::set<unsigned> dims;
    SmallVector<AffineExpr> exprs;
  };
  std::vector<Group> groups;
  for (AffineExpr expr : map.getResults()) {
    Group group;
    findDims(expr, group.dims);
    group.exprs.push_back(expr);
    for (size_t i = groups.size(); i-- > 0;)
      if (llvm::any_of(groups[i].dims, [&](unsigned dim) {
            return group.dims.count(dim) != 0;
          })) {
        group.dims.insert(groups[i].dims.begin(), groups[i].dims.end());
        group.exprs.append(groups[i].exprs);
        groups.erase(groups.begin() + ptrdiff_t(i));
      }
    groups.push_back(std::move(group));
  }
  std::set<unsigned> seen;
  for (const Group &group : groups) {
    seen.insert(group.dims.begin(), group.dims.end());
    std::set<std::vector<int64_t>> places;
    if (!forEachPlace(shape, group.exprs, group.dims,
                      [&](ArrayRef<int64_t> place) {
                        return places.insert(place.vec()).second;
                      }))
      return false;
  }
  return llvm::all_of(llvm::enumerate(shape), [&](auto it) {
    return it.value() <= 1 || seen.count(it.index()) != 0;
  });
}

/// The least and the largest result of one expression.
static std::pair<int64_t, int64_t> getRange(ArrayRef<int64_t> shape,
                                            AffineExpr expr) {
  std::set<unsigned> dims;
  findDims(expr, dims);
  std::pair<int64_t, int64_t> range{0, -1};
  (void)forEachPlace(shape, expr, dims, [&](ArrayRef<int64_t> place) {
    range.first = std::min(range.first, place.front());
    range.second = std::max(range.second, place.front());
    return true;
  });
  return range;
}

MemRefType loom::getPlaces(MemRefType type) {
  SmallVector<int64_t> shape;
  for (AffineExpr expr : getMap(type).getResults())
    shape.push_back(getRange(type.getShape(), expr).second + 1);
  return MemRefType::get(shape, type.getElementType());
}

StringRef loom::findUnsupportedLayout(MemRefType type) {
  AffineMap map = getMap(type);
  bool isOpen = map && (!type.hasStaticShape() || map.getNumSymbols() != 0);
  if (type.isStrided())
    return !map || isOpen || getStridedForm(type) ? StringRef()
                                                  : StringRef(sharePlaces);
  if (!map || isOpen)
    return giveNumbers;
  if (!dividesByPositive(map))
    return dividePositive;
  if (getStrides(type, map) || !isOneToOne(type.getShape(), map))
    return sharePlaces;
  for (AffineExpr expr : map.getResults())
    if (getRange(type.getShape(), expr).first < 0)
      return beginBefore;
  MemRefType places = getPlaces(type);
  return canExist(places.getShape().data(), places.getRank(),
                  int64_t(sizeof(int64_t)))
             ? StringRef()
             : StringRef(beTooLarge);
}
