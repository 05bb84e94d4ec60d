//===- GuardMessage.cpp - what guards and errors say ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/GuardMessage.h"
#include "infer/functions/Statement.h"
#include "infer/report/Position.h"

#include "shape/Message.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

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
    // Beside a wrong rank, extents of the result would have no meaning.
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
// Where extents come from
//===----------------------------------------------------------------------===//

static std::string describeArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  std::string name = "argument " + std::to_string(argument.getArgNumber());
  if (auto function = dyn_cast<FunctionOpInterface>(parent);
      function && argument.getOwner()->isEntryBlock()) {
    // Arguments without a name beside them are those of the call itself.
    if (!function.isPublic())
      name += " of '" + function.getName().str() + "'";
    return name;
  }
  return argument.getOwner()->isEntryBlock()
             ? name + " of a region of '" +
                   parent->getName().getStringRef().str() + "'"
             : name + " of a block";
}

static std::string describeValue(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return describeArgument(argument);
  return "the result of '" + getOriginalName(value.getDefiningOp()).str() + "'";
}

static std::string describeLeafAxis(Value value, int64_t axis) {
  return ofAxis(axis, describeValue(value));
}

/// Where a symbol or an unknown number is read; empty if that has no name.
static std::string describeLeaf(const ShapeAnalysis &analysis, AtomId leaf) {
  const Atom &atom = analysis.getNumbers().getAtom(leaf);
  if (atom.kind == Atom::Kind::Unknown) {
    Value value = analysis.getScalars().getValue(leaf);
    return value ? describeValue(value) : std::string();
  }
  ExtentSource source = analysis.findSource(atom.symbol);
  Value value = analysis.getNode(source.node).value;
  if (!source.isKnown || source.axis < 0 || !value)
    return {};
  return describeLeafAxis(value, source.axis);
}

/// `2*n + 1 with n = axis 0 of argument 0`: how a number comes about; empty
/// where that would be long.
static std::string describeNumber(const ShapeAnalysis &analysis,
                                  const Number &number) {
  static constexpr const char *kNames[] = {"n", "m", "k"};
  const Numbers &numbers = analysis.getNumbers();
  SmallVector<AtomId> leaves;
  numbers.forEachLeaf(number, [&](AtomId leaf) { leaves.push_back(leaf); });
  llvm::sort(leaves);
  if (leaves.empty() || leaves.size() > std::size(kNames))
    return {};
  std::string with;
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    std::string place = describeLeaf(analysis, leaf);
    if (place.empty())
      return {};
    with += std::string(i == 0 ? "" : " and ") + kNames[i] + " = " + place;
  }
  std::string text = numbers.toString(number, [&](AtomId leaf) {
    return std::string(kNames[llvm::find(leaves, leaf) - leaves.begin()]);
  });
  // What has no short name is `?`.
  if (StringRef(text).contains('?') || text.size() > 40)
    return {};
  return text == "n" ? with.substr(4) : text + " with " + with;
}

/// Where the extent on `axis` of `operand` comes from; for a static one, the
/// first of the tensors it was broadcast from that has it.
static std::string traceAxis(ShapeAnalysis &analysis, const ShapeInfo &operand,
                             int32_t axis) {
  if (!operand.shape.isRanked() || axis < 0 ||
      static_cast<size_t>(axis) >= operand.shape.rank())
    return {};
  Extent extent = operand.shape[axis];
  if (extent.isSymbol()) {
    ExtentSource source = analysis.findSource(extent.symbolId());
    if (const Number *definition =
            analysis.getNumbers().getDefinition(extent.symbolId()))
      if (std::string text = describeNumber(analysis, *definition);
          !text.empty())
        return text;
    Value value = analysis.getNode(source.node).value;
    if (!source.isKnown || !value || source.axis < 0)
      return {};
    return describeLeafAxis(value, source.axis);
  }
  int64_t fromRight = axis - static_cast<int64_t>(operand.shape.rank());
  for (NodeId id : analysis.getLeaves(operand.node)) {
    const ShapeNode &node = analysis.getNode(id);
    if (!node.value)
      continue;
    Shape leaf = analysis.getInfo(node.value).shape;
    int64_t own = fromRight + static_cast<int64_t>(leaf.rank());
    if (leaf.isRanked() && own >= 0 && leaf[own] == extent)
      return describeLeafAxis(node.value, own);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Sentences
//===----------------------------------------------------------------------===//

static OriginOf getOrigins(ShapeAnalysis &analysis,
                           const ConstraintAnswer &answered) {
  return [&](int32_t operand, int32_t axis) {
    return traceAxis(analysis, answered.operands[operand], axis);
  };
}

/// What {k} stands for.
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
  // Inferred for a result of this rank, or found there as `?`.
  int64_t fromRight = slot.axis - static_cast<int64_t>(answered.result->rank());
  return {Kind::Extent, analysis.getExtentFromRight(info.node, fromRight), 0};
}

std::string infer::describeNode(const ShapeAnalysis &analysis, NodeId node) {
  Value value = analysis.getNode(node).value;
  return value ? describeValue(value) : std::string();
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

/// A statement with what is known in the place of symbols.
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

std::string infer::makeError(ShapeAnalysis &analysis,
                             loom::ConstrainOp constrain) {
  auto write = [&](Value value) -> std::string {
    Number number = analysis.getScalars().getNumber(value);
    if (std::optional<int64_t> known = analysis.getNumbers().getWord(number))
      return std::to_string(*known);
    Bounds bounds = analysis.getNumbers().boundsOf(number);
    if (bounds.lo == bounds.hi)
      return std::to_string(bounds.lo);
    std::string origin = describeNumber(analysis, number);
    return origin.empty() ? "?" : "? (" + origin + ")";
  };
  auto writeExtent = [&](Value value) {
    std::string text = write(value);
    return text.substr(0, text.find(' '));
  };
  return fill(constrain.getMessage(), constrain.getValues(), write) +
         fill(constrain.getOperandsAttr() ? *constrain.getOperands() : "",
              constrain.getExtents(), writeExtent);
}

std::string infer::makeStatement(ShapeAnalysis &analysis,
                                 loom::ConstrainOp constrain) {
  if (constrain.getPromise())
    return constrain.getPromise()->str();
  const Numbers &numbers = analysis.getNumbers();
  ScalarAnalysis &scalars = analysis.getScalars();
  auto write = [&](Value value) {
    std::string text = numbers.toString(scalars.getNumber(value));
    return StringRef(text).contains('?') ? "?" : text;
  };
  std::string holds =
      numbers.describe(scalars.getCondition(constrain.getCondition()));
  if (holds.empty())
    holds = describeCondition(constrain.getCondition(), write);
  return makeConstraint(
      holds, fill(constrain.getMessage(), constrain.getValues(), write));
}

/// `s0 (axis 0 of argument 1) and s2 (...)`: what a condition asks about; empty
/// where it is much, or has no name.
static std::string nameLeaves(const ShapeAnalysis &analysis,
                              ConditionId condition) {
  static constexpr size_t kMaxLeaves = 3;
  const Numbers &numbers = analysis.getNumbers();
  SmallVector<AtomId> leaves;
  numbers.forEachLeafOf(condition,
                        [&](AtomId leaf) { leaves.push_back(leaf); });
  if (leaves.size() > kMaxLeaves)
    return {};
  llvm::sort(leaves);
  std::string text;
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    const Atom &atom = numbers.getAtom(leaf);
    std::string place = describeLeaf(analysis, leaf);
    if (atom.kind != Atom::Kind::Symbol || place.empty())
      return {};
    text += i == 0 ? "" : i + 1 < leaves.size() ? ", " : " and ";
    text += analysis.getSymbols().name(atom.symbol) + " (" + place + ")";
  }
  return text;
}

std::string infer::makeReason(ShapeAnalysis &analysis,
                              loom::ConstrainOp constrain,
                              const Answer &answer) {
  if (!answer.isUnknown())
    return analysis.getProver().explain(answer);
  if (constrain.getPromise())
    return "what is promised is checked";
  const Numbers &numbers = analysis.getNumbers();
  bool ofData = false;
  for (Value value : constrain.getValues())
    numbers.forEachLeaf(
        analysis.getScalars().getNumber(value), [&](AtomId leaf) {
          ofData |= numbers.getAtom(leaf).kind == Atom::Kind::Unknown;
        });
  if (ofData)
    return "it depends on data";
  std::string leaves = nameLeaves(
      analysis, analysis.getScalars().getCondition(constrain.getCondition()));
  return "it is not known for all values of " +
         (leaves.empty() ? "these extents" : leaves);
}

std::string infer::describeSymbol(ShapeAnalysis &analysis, SymbolId symbol) {
  if (const Number *definition = analysis.getNumbers().getDefinition(symbol))
    if (std::string text = describeNumber(analysis, *definition); !text.empty())
      return text;
  ExtentSource source = analysis.findSource(symbol);
  Value value = analysis.getNode(source.node).value;
  return source.isKnown && value && source.axis >= 0
             ? describeLeafAxis(value, source.axis)
             : "computed from the extents before it";
}
