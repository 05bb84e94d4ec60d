//===- ReportStatements.cpp - all that a constraint requires --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ReportStatements.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::infer;

using Kind = ShapeConstraint::Kind;

/// The extents on an axis of the broadcast, by operand.
static std::vector<Side> collectSides(const ConstraintAnswer &answered,
                                      size_t rank, size_t axis) {
  std::vector<Side> sides;
  for (auto [i, operand] : llvm::enumerate(answered.operands)) {
    ShapeView shape = operand.shape;
    if (!shape.isRanked() || axis < rank - shape.rank())
      continue;
    size_t own = axis - (rank - shape.rank());
    sides.push_back(
        {static_cast<int32_t>(i), static_cast<int32_t>(own), shape[own]});
  }
  return sides;
}

/// Whether two statements are about the same two extents.
static bool isSame(const ShapeConstraint &a, const ShapeConstraint &b) {
  if (a.axis != b.axis)
    return false;
  return (a.a.party == b.a.party && a.b.party == b.b.party) ||
         (a.a.party == b.b.party && a.b.party == b.a.party);
}

/// Lists the first extent of an axis against each of the others.
static void listBroadcast(const ConstraintAnswer &answered,
                          std::vector<ShapeConstraint> &list) {
  size_t rank = 0;
  for (const ShapeInfo &operand : answered.operands) {
    if (!operand.shape.isRanked())
      return;
    rank = std::max(rank, operand.shape.rank());
  }
  for (size_t axis = 0; axis < rank; ++axis) {
    std::vector<Side> sides = collectSides(answered, rank, axis);
    for (size_t i = 1; i < sides.size(); ++i)
      list.push_back({Kind::Compatible, static_cast<int32_t>(axis),
                      sides.front(), sides[i]});
  }
}

/// Lists the inferred extents against those that the result declares.
static void listResult(const ConstraintAnswer &answered,
                       std::vector<ShapeConstraint> &list) {
  const Shape &given = answered.inferred.shape;
  if (!given.isRanked() || given.rank() != answered.result->rank())
    return;
  for (size_t axis = 0; axis < given.rank(); ++axis) {
    Extent declared = (*answered.result)[axis];
    auto position = static_cast<int32_t>(axis);
    if (!declared.isDynamic())
      list.push_back({Kind::ResultExtent,
                      position,
                      {kInferred, position, given[axis]},
                      {kResult, position, declared}});
  }
}

std::vector<ShapeConstraint>
infer::listStatements(const ShapeAnalysis &analysis,
                      const ConstraintAnswer &answered) {
  std::vector<ShapeConstraint> decided;
  if (answered.result)
    listResult(answered, decided);
  else
    listBroadcast(answered, decided);

  std::vector<ShapeConstraint> list = answered.open;
  if (answered.error)
    list.push_back(*answered.error);
  size_t numOwn = list.size();
  for (const ShapeConstraint &statement : decided) {
    auto own = llvm::ArrayRef(list).take_front(numOwn);
    if (llvm::none_of(own, [&](const ShapeConstraint &listed) {
          return isSame(listed, statement);
        }))
      // An unknown statement that is not open follows from the open ones.
      if (!answerAgain(analysis, answered, statement).isUnknown())
        list.push_back(statement);
  }
  std::vector<ShapeConstraint> sorted;
  int32_t last = -1;
  for (const ShapeConstraint &statement : list)
    last = std::max(last, statement.axis);
  for (int32_t axis = -1; axis <= last; ++axis)
    llvm::copy_if(list, std::back_inserter(sorted),
                  [&](const ShapeConstraint &statement) {
                    return statement.axis == axis;
                  });
  return sorted;
}
