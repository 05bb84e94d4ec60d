//===- GuardMessage.cpp - what guards and errors say ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/GuardMessage.h"
#include "infer/constraints/ExtentOrigins.h"
#include "infer/constraints/NumberWords.h"
#include "infer/functions/Statement.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/NumberText.h"

#include "dialect/ArgumentName.h"
#include "shape/Message.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {
/// The shapes of a constraint, borrowed in the form that messages take.
class OwnedSituation {
public:
  /// `spell` gives the extent to write for an extent of the analysis.
  template <typename Spell>
  OwnedSituation(const ConstraintAnswer &answered,
                 const ShapeConstraint &constraint, Spell spell) {
    for (const ShapeInfo &operand : answered.operands)
      shapes.push_back(respell(operand.shape, spell));
    inferred = respell(answered.inferred.shape, spell);
    views.assign(shapes.begin(), shapes.end());
    // If the rank is wrong, the extents of the result mean nothing.
    if (answered.result &&
        constraint.kind != ShapeConstraint::Kind::ResultRank) {
      result = *answered.result;
      results.push_back(result);
    }
  }
  OwnedSituation(const OwnedSituation &) = delete;

  operator Situation() const { return {views, inferred, results}; }

private:
  template <typename Spell>
  static Shape respell(const Shape &shape, Spell spell) {
    if (!shape.isRanked())
      return shape;
    Shape spelled;
    for (Extent extent : shape)
      spelled.push_back(spell(extent));
    return spelled;
  }

  std::vector<Shape> shapes;
  std::vector<ShapeView> views, results;
  Shape inferred, result;
};
} // namespace

//===----------------------------------------------------------------------===//
// Sentences
//===----------------------------------------------------------------------===//

static OriginOf getOrigins(ShapeAnalysis &analysis,
                           const ConstraintAnswer &answered) {
  return [&](int32_t operand, int32_t axis) {
    return traceAxis(analysis, answered.operands[operand], axis);
  };
}

/// The value of {k}.
static TemplateValue resolveSlot(ShapeAnalysis &analysis,
                                 const ConstraintAnswer &answered,
                                 TemplateSpelling::Slot slot) {
  using Slot = TemplateSpelling::Slot;
  using Kind = TemplateValue::Kind;
  const ShapeInfo &info =
      slot.party >= 0 ? answered.operands[slot.party] : answered.inferred;
  if (slot.axis == Slot::kRank || slot.axis == Slot::kShape)
    return {slot.axis == Slot::kRank ? Kind::Rank : Kind::Shape, {}, info.node};
  if (info.shape.isRanked())
    return {Kind::Extent, info.shape[slot.axis], 0};
  // The axis is inferred for a result of this rank, or is `?` there.
  int64_t fromRight = slot.axis - static_cast<int64_t>(answered.result->rank());
  return {Kind::Extent, analysis.getExtentFromRight(info.node, fromRight), 0};
}

std::string infer::makeTemplate(ShapeAnalysis &analysis,
                                const ConstraintAnswer &answered,
                                const ShapeConstraint &constraint,
                                std::vector<TemplateValue> &values) {
  OwnedSituation situation(answered, constraint,
                           [](Extent extent) { return extent; });
  std::vector<TemplateSpelling::Slot> slots;
  std::string text = describeAsTemplate(constraint, situation, slots,
                                        getOrigins(analysis, answered));
  for (TemplateSpelling::Slot slot : slots)
    values.push_back(resolveSlot(analysis, answered, slot));
  return text;
}

/// A statement in which known numbers replace symbols.
static ShapeConstraint respell(ShapeConstraint constraint,
                               const Prover &prover) {
  for (Side *side : {&constraint.a, &constraint.b}) {
    Extent known = prover.resolve(side->extent);
    side->extent = known.isSymbol() ? Extent::dynamic() : known;
  }
  return constraint;
}

static auto getKnown(const Prover &prover) {
  return [&prover](Extent extent) {
    Extent known = prover.resolve(extent);
    return known.isSymbol() ? Extent::dynamic() : known;
  };
}

std::string infer::makeError(ShapeAnalysis &analysis,
                             const ConstraintAnswer &answered,
                             const ShapeConstraint &constraint) {
  const Prover &prover = analysis.getProver();
  OwnedSituation situation(answered, constraint, getKnown(prover));
  PlainSpelling spelling(nullptr, getOrigins(analysis, answered));
  return describe(respell(constraint, prover), situation, spelling);
}

static std::string describeSide(ShapeAnalysis &analysis,
                                const ConstraintAnswer &answered,
                                const Side &side) {
  std::string text = toString(analysis.getProver().resolve(side.extent),
                              &analysis.getSymbols());
  std::string origin;
  if (side.party >= 0)
    origin = traceAxis(analysis, answered.operands[side.party], side.axis);
  return origin.empty() ? text : text + " (" + origin + ")";
}

std::string infer::makeStatement(ShapeAnalysis &analysis,
                                 const ConstraintAnswer &answered,
                                 const ShapeConstraint &constraint) {
  using Kind = ShapeConstraint::Kind;
  std::string a = describeSide(analysis, answered, constraint.a);
  std::string b = describeSide(analysis, answered, constraint.b);
  switch (constraint.kind) {
  case Kind::Compatible:
    return "extents " + a + " and " + b + " are equal, or one of them is 1";
  case Kind::OneOrEqual:
    return "extent " + a + " is 1 or " + b;
  case Kind::Equal:
    return "extents " + a + " and " + b + " are equal";
  case Kind::ResultExtent:
    return "the extent that the operands give, " + a + ", is the result's " + b;
  case Kind::ResultRank:
    return "the rank that the operands give is the result's, " +
           std::to_string(constraint.b.axis);
  default:
    return "the operands broadcast";
  }
}

std::string infer::makeReason(ShapeAnalysis &analysis,
                              const ConstraintAnswer &answered,
                              const ShapeConstraint &constraint,
                              const Answer &answer) {
  const Prover &prover = analysis.getProver();
  Extent a = constraint.a.extent, b = constraint.b.extent;
  auto trace = [&](const Side &side) {
    return side.party >= 0
               ? traceAxis(analysis, answered.operands[side.party], side.axis)
               : std::string();
  };
  // Without a fact, one symbol on both sides is one axis of one value.
  if (answer.isProved() && answer.fact() == Answer::kNoFact && a.isSymbol() &&
      a == b) {
    std::string origin = trace(constraint.a);
    return "both are " +
           (origin.empty() ? toString(a, &analysis.getSymbols()) : origin);
  }
  if (answer.isUnknown() && (a.isSymbol() || b.isSymbol())) {
    std::string left = trace(constraint.a), right = trace(constraint.b);
    Extent known = prover.resolve(b);
    if (right.empty() && known.isFixed())
      right = toString(known);
    if (!left.empty() && !right.empty())
      return left + " and " + right + " are not known to be equal";
  }
  return prover.explain(answer);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

static std::string fill(StringRef message, ValueRange values,
                        llvm::function_ref<std::string(Value)> write) {
  return substitute(message.str(), values.size(),
                    [&](size_t k) { return write(values[k]); });
}

/// "?", and where the number comes from, if that is known.
static std::string describeUnknown(ShapeAnalysis &analysis, Number number) {
  std::string origin = describeNumber(analysis, number);
  return origin.empty() ? "?" : "? (" + origin + ")";
}

std::string infer::makeError(ShapeAnalysis &analysis,
                             loom::ConstrainOp constrain) {
  auto write = [&](Value value) -> std::string {
    Number number = analysis.getScalars().getNumber(value);
    if (std::optional<int64_t> known = analysis.getNumbers().getWord(number))
      return std::to_string(*known);
    Bounds bounds = boundsOf(analysis.getNumbers(), number);
    if (bounds.lo == bounds.hi)
      return std::to_string(bounds.lo);
    return describeUnknown(analysis, number);
  };
  bool isKnown = true;
  auto writeExtent = [&](Value value) {
    std::string text = write(value);
    isKnown &= text.front() != '?';
    return text.substr(0, text.find(' '));
  };
  std::string message =
      fill(constrain.getMessage(), constrain.getValues(), write);
  StringRef tail = constrain.getOperandsAttr() ? *constrain.getOperands() : "";
  std::string after = fill(tail, constrain.getExtents(), writeExtent);
  // Of a subscript that no iteration has, `?` has said where it comes from.
  return isKnown || !tail.starts_with(kBeforeNumbers) ? message + after
                                                      : message;
}

/// The statement that `condition` holds; `message` describes its failure, which
/// cannot be if the condition is proved.
static std::string makeStatement(ShapeAnalysis &analysis, Value condition,
                                 StringRef message, ValueRange values) {
  const Numbers &numbers = analysis.getNumbers();
  ScalarAnalysis &scalars = analysis.getScalars();
  auto write = [&](Value value) -> std::string {
    if (!value.getType().isIntOrIndex())
      return "?";
    std::string text =
        toString(numbers, scalars.getNumber(value), [&](AtomId leaf) {
          const Atom &atom = numbers.getAtom(leaf);
          if (atom.kind == Atom::Kind::Symbol)
            return analysis.getSymbols().name(atom.symbol);
          BlockArgument argument = findArgument(analysis, leaf);
          StringRef name =
              argument ? loom::getArgumentName(argument) : StringRef();
          return name.empty() ? std::string("?") : name.str();
        });
    return StringRef(text).contains('?') ? "?" : text;
  };
  // Of an index that has no text, the message says where it comes from.
  SmallVector<Value> indices;
  for (auto [number, value] : llvm::enumerate(values))
    if (message.contains("index {" + std::to_string(number) + "}"))
      indices.push_back(value);
  auto writeOrigin = [&](Value value) -> std::string {
    std::string text = write(value);
    if (text != "?" || !value.getType().isIntOrIndex() ||
        !llvm::is_contained(indices, value))
      return text;
    return describeUnknown(analysis, scalars.getNumber(value));
  };
  ConditionId known = scalars.getCondition(condition);
  std::string holds = describe(numbers, known);
  if (holds.empty())
    holds = describeCondition(condition, write);
  bool isProved = decide(analysis.getNumbers(), known).isProved();
  return makeConstraint(holds,
                        fill(isProved ? hideNumbers(message) : message.str(),
                             values, writeOrigin));
}

std::string infer::makeStatement(ShapeAnalysis &analysis,
                                 loom::ConstrainOp constrain) {
  if (constrain.getPromise())
    return constrain.getPromise()->str();
  return ::makeStatement(analysis, constrain.getCondition(),
                         constrain.getMessage(), constrain.getValues());
}

std::string infer::makeStatement(ShapeAnalysis &analysis,
                                 loom::RequireOp guard) {
  return ::makeStatement(analysis, guard.getCondition(), guard.getMessage(),
                         guard.getValues());
}

std::string infer::makeReason(ShapeAnalysis &analysis,
                              loom::ConstrainOp constrain,
                              const Answer &answer) {
  if (!answer.isUnknown())
    return analysis.getProver().explain(answer);
  if (constrain.getPromise())
    return "what is promised is checked";
  const Numbers &numbers = analysis.getNumbers();
  bool ofData = false, ofArguments = false;
  for (Value value : constrain.getValues())
    forEachLeaf(numbers, analysis.getScalars().getNumber(value),
                [&](AtomId leaf) {
                  bool isArgument = bool(findArgument(analysis, leaf));
                  ofArguments |= isArgument;
                  ofData |= !isArgument &&
                            numbers.getAtom(leaf).kind == Atom::Kind::Unknown;
                });
  if (ofData)
    return "it depends on data";
  std::string leaves = nameLeaves(
      analysis, analysis.getScalars().getCondition(constrain.getCondition()));
  return "it is not known for all values of " + (!leaves.empty() ? leaves
                                                 : ofArguments
                                                     ? "these numbers"
                                                     : "these extents");
}
