//===- Verify.cpp - results against what operands give --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Verify.h"

namespace broadloom {
namespace {

/// Compares one declared result with the broadcast of the operands.
class ResultCheck {
public:
  ResultCheck(const Prover &prover, const VerifyOptions &options,
              Verification &verification)
      : prover_(prover), options_(options), verification_(verification),
        loose_(verification.hasUnranked &&
               options.unrankedOperands == UnrankedOperands::Unknown) {}

  void run(ShapeView result) {
    // verify-2
    if (!result.isRanked() || (!inferred().isRanked() && !loose_))
      return;
    checkRank(result);
    for (size_t axis = 0; axis < result.rank() && !verification_.error; ++axis)
      checkExtent(result, axis);
  }

private:
  const Shape &inferred() const { return verification_.inferred; }

  /// verify-3
  void checkRank(ShapeView result) {
    auto rank = static_cast<int32_t>(inferred().rank());
    auto actual = static_cast<int32_t>(result.rank());
    if (loose_ && actual >= rank)
      return constrain({ShapeConstraint::Kind::ResultRank,
                        -1,
                        {kInferred, -1, {}},
                        {kResult, actual, {}}},
                       Answer::unknown("the rank of an operand is not known"));
    if (actual != rank)
      refute({ShapeConstraint::Kind::ResultRank,
              -1,
              {kInferred, rank, {}},
              {kResult, actual, {}}},
             Answer::refuted("the ranks differ"));
  }

  /// verify-4; with an unranked operand, axes are counted from the right, and
  /// axes beyond the ranked operands have extent 1 in these.
  void checkExtent(ShapeView result, size_t axis) {
    Extent actual = result[axis];
    if (actual.isDynamic())
      return;
    Extent given = inferred().view().alignedTo(result.rank(), axis);
    auto position = static_cast<int32_t>(axis);
    ShapeConstraint constraint{ShapeConstraint::Kind::ResultExtent,
                               position,
                               {kInferred, position, given},
                               {kResult, position, actual}};
    if (loose_ && !given.isDynamic() && !prover_.isNotOne(given).isProved()) {
      constraint.a.extent = Extent::dynamic();
      return constrain(constraint,
                       Answer::unknown("an unranked operand may have another "
                                       "extent here"));
    }
    Answer answer = prover_.equal(given, actual);
    if (answer.isProved())
      return;
    if (answer.isRefuted())
      return refute(constraint, answer);
    if (options_.dynamicToStatic == DynamicToStatic::Forbid &&
        actual.isStatic()) {
      constraint.kind = ShapeConstraint::Kind::ResultStatic;
      return refute(constraint,
                    Answer::refuted("dynamic-to-static=forbid: the operands "
                                    "give no static extent"));
    }
    constrain(constraint, answer);
  }

  void constrain(const ShapeConstraint &constraint, Answer answer) {
    verification_.answer = answer;
    if (options_.broadcast.listConstraints)
      verification_.constraints.push_back(constraint);
  }

  void refute(const ShapeConstraint &constraint, Answer answer) {
    verification_.answer = answer;
    verification_.error = constraint;
    verification_.constraints.clear();
  }

  const Prover &prover_;
  const VerifyOptions &options_;
  Verification &verification_;
  const bool loose_;
};

} // namespace

Verification verifyBroadcast(ShapeList operands, ShapeView result,
                             const Prover &prover,
                             const VerifyOptions &options) {
  Broadcast given = broadcast(operands, prover, options.broadcast);
  Verification verification;
  if (!given.answer.isProved())
    verification.answer = given.answer;
  verification.inferred = std::move(given.inferred);
  verification.hasUnranked = given.hasUnranked;
  verification.constraints = std::move(given.constraints);
  verification.error = given.error;
  // verify-1
  if (!verification.error)
    ResultCheck(prover, options, verification).run(result);
  return verification;
}

std::optional<ShapeConstraint> verifyRanksMatch(ShapeList operands,
                                                ShapeList results) {
  // verify-5
  std::optional<Side> first;
  size_t count = operands.size() + results.size();
  for (size_t i = 0; i < count; ++i) {
    bool isOperand = i < operands.size();
    ShapeView shape = isOperand ? operands[i] : results[i - operands.size()];
    if (!shape.isRanked())
      continue;
    auto number = static_cast<int32_t>(isOperand ? i : i - operands.size());
    Side side{isOperand ? number : resultParty(number),
              static_cast<int32_t>(shape.rank()),
              {}};
    if (!first)
      first = side;
    else if (first->axis != side.axis)
      return ShapeConstraint{ShapeConstraint::Kind::RanksMatch, -1, *first,
                             side};
  }
  return std::nullopt;
}

std::optional<ShapeConstraint>
verifyStructure(const std::vector<Container> &operands,
                const std::vector<Container> &results) {
  // verify-6
  using Kind = ShapeConstraint::Kind;
  if (operands.empty())
    return ShapeConstraint{Kind::HasOperands, -1, {}, {}};
  auto numResults = static_cast<int32_t>(results.size());
  if (numResults != 1)
    return ShapeConstraint{
        Kind::HasOneResult, -1, {kResult, numResults, {}}, {}};
  for (size_t i = 0; i <= operands.size(); ++i) {
    bool isOperand = i < operands.size();
    Container container = isOperand ? operands[i] : results.front();
    Side side{isOperand ? static_cast<int32_t>(i) : int32_t{kResult}, -1, {}};
    if (container == Container::Other)
      return ShapeConstraint{Kind::IsShaped, -1, side, {}};
    if (container != operands.front())
      return ShapeConstraint{Kind::SameContainer, -1, {0, -1, {}}, side};
  }
  return std::nullopt;
}

} // namespace broadloom
