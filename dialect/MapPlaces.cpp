//===- MapPlaces.cpp - the results of layouts that are maps ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/MapPlaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <set>

using namespace mlir;
using namespace broadloom;

/// The places of one dimension alone, or of all together where there are few.
static constexpr int64_t kMostPlaces = 1 << 16;

/// Adds the dimensions that `expr` has.
static void findDims(AffineExpr expr, std::set<unsigned> &dims) {
  expr.walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      dims.insert(dim.getPosition());
  });
}

bool loom::dividesByPositive(AffineMap map) {
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

/// Calls `visit` with all indices, whose dimensions other than `dims` are 0,
/// and the results of `exprs`; false where they are many, where a number does
/// not fit, or where `visit` is.
static bool forEachPlace(
    ArrayRef<int64_t> shape, ArrayRef<AffineExpr> exprs,
    const std::set<unsigned> &dims,
    llvm::function_ref<bool(ArrayRef<int64_t> index, ArrayRef<int64_t> place)>
        visit) {
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
    if (!visit(index, place))
      return false;
  }
  return true;
}

namespace {

/// Results of a map that share dimensions with each other.
struct Group {
  std::set<unsigned> dims;
  SmallVector<AffineExpr> exprs;
};

} // namespace

/// No two groups have a dimension in common.
static std::vector<Group> getGroups(AffineMap map) {
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
  return groups;
}

/// Groups are looked at alone.
loom::Sharing loom::findSharing(ArrayRef<int64_t> shape, AffineMap map) {
  Sharing result;
  std::vector<int64_t> zeros(shape.size(), 0);
  std::set<unsigned> seen;
  for (const Group &group : getGroups(map)) {
    seen.insert(group.dims.begin(), group.dims.end());
    std::map<std::vector<int64_t>, std::vector<int64_t>> places;
    bool isDone =
        forEachPlace(shape, group.exprs, group.dims,
                     [&](ArrayRef<int64_t> index, ArrayRef<int64_t> place) {
                       auto [before, isNew] =
                           places.try_emplace(place.vec(), index.vec());
                       if (!isNew)
                         result.shared = {before->second, index.vec()};
                       return isNew;
                     });
    if (result.shared)
      return result;
    result.isKnown &= isDone;
  }
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (extent > 1 && seen.count(axis) == 0) {
      std::vector<int64_t> next = zeros;
      next[axis] = 1;
      return {true, loom::SharedPlace{zeros, next}};
    }
  return result;
}

std::optional<std::pair<int64_t, int64_t>>
loom::getRange(ArrayRef<int64_t> shape, AffineExpr expr) {
  std::set<unsigned> dims;
  findDims(expr, dims);
  std::pair<int64_t, int64_t> range{0, -1};
  bool isKnown = forEachPlace(
      shape, expr, dims, [&](ArrayRef<int64_t>, ArrayRef<int64_t> place) {
        range.first = std::min(range.first, place.front());
        range.second = std::max(range.second, place.front());
        return true;
      });
  return isKnown ? std::optional(range) : std::nullopt;
}
