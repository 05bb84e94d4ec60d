//===- GuardBuilder.cpp - guards, where they are to stand -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/GuardBuilder.h"
#include "infer/constraints/ExtentOrigins.h"
#include "infer/numbers/Conditions.h"

#include "dialect/MemoryFunction.h"
#include "infer/constraints/ConditionOps.h"
#include "infer/constraints/ConstraintWords.h"
#include "infer/constraints/GuardMessage.h"
#include "infer/constraints/NumberWords.h"
#include "infer/numbers/CheckedArithmetic.h"

#include "shape/Message.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

//===----------------------------------------------------------------------===//
// Insertion points
//===----------------------------------------------------------------------===//

/// The loop that runs the block of `op` in each iteration. Null if there is
/// none, or if it is not known before the loop whether it has an iteration.
static Operation *getLoopAround(Operation *op) {
  Operation *parent = op->getParentOp();
  Region *region = op->getParentRegion();
  if (!op->getBlock()->isEntryBlock())
    return nullptr;
  if (isa<scf::ForOp, scf::ForallOp>(parent))
    return parent;
  // The condition of a loop always runs.
  if (auto loop = dyn_cast<scf::WhileOp>(parent))
    return region == &loop.getBefore() ? parent : nullptr;
  if (auto loop = dyn_cast<tosa::WhileOp>(parent))
    return region == &loop.getCondGraph() ? parent : nullptr;
  return nullptr;
}

/// The conditions under each of which the loop has no iteration; nothing if
/// they are not known before the loop.
static std::optional<SmallVector<ConditionId>>
getSkipConditions(ShapeAnalysis &analysis, Operation *loop) {
  ScalarAnalysis &scalars = analysis.getScalars();
  Numbers &numbers = analysis.getNumbers();
  SmallVector<ConditionId> conditions;
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    if (counted.getUnsignedCmp())
      return std::nullopt;
    conditions.push_back(atMost(numbers,
                                scalars.getNumber(counted.getUpperBound()),
                                scalars.getNumber(counted.getLowerBound())));
  }
  if (auto threads = dyn_cast<scf::ForallOp>(loop)) {
    auto get = [&](OpFoldResult bound) {
      std::optional<int64_t> known = getConstantIntValue(bound);
      return known ? numbers.word(*known)
                   : scalars.getNumber(cast<Value>(bound));
    };
    for (auto [lower, upper] : llvm::zip_equal(threads.getMixedLowerBound(),
                                               threads.getMixedUpperBound()))
      conditions.push_back(atMost(numbers, get(upper), get(lower)));
  }
  llvm::erase(conditions, Numbers::kFalse);
  return conditions;
}

GuardBuilder::Site GuardBuilder::getSite(Operation *op, EmissionPoint needed) {
  Site site;
  Operation *at = op;
  auto isInside = [](EmissionPoint point, Operation *loop) {
    return loop->isAncestor(point.block->getParentOp());
  };
  while (Operation *loop = getLoopAround(at)) {
    if (isInside(needed, loop))
      break;
    auto skips = getSkipConditions(analysis, loop);
    auto isKnown = [&](ConditionId condition) {
      return emitter.canEmitCondition(condition) &&
             !isInside(emitter.getConditionPoint(op->getLoc(), condition),
                       loop);
    };
    if (!skips || !llvm::all_of(*skips, isKnown))
      break;
    for (ConditionId condition : *skips)
      needed = emitter.getLater(
          needed, emitter.getConditionPoint(op->getLoc(), condition));
    site.unless.append(*skips);
    at = loop;
  }
  // Values from other blocks are available in the whole block. rt-1
  site.point = needed.block == at->getBlock()
                   ? needed
                   : EmissionPoint{at->getBlock(), nullptr};
  return site;
}

Value GuardBuilder::addUnless(const Site &site, Location loc, Value condition) {
  ConditionOps ops{emitter, site.point, loc};
  for (ConditionId skips : site.unless)
    condition =
        ops.either(emitter.getCondition(loc, skips, site.point), condition);
  return condition;
}

//===----------------------------------------------------------------------===//
// Constraints over shapes
//===----------------------------------------------------------------------===//

Value GuardBuilder::getSide(Location loc, Extent extent,
                            EmissionPoint &needed) {
  Value value = emitter.getExtent(loc, extent);
  needed = emitter.getLater(needed, emitter.getPoint(extent));
  return value;
}

void GuardBuilder::insert(Operation *op, const ConstraintAnswer &answered,
                          const ShapeConstraint &constraint, bool never) {
  using Kind = ShapeConstraint::Kind;
  if (constraint.kind == Kind::Shapes)
    return insertUnranked(op, answered);
  Location loc = op->getLoc();
  EmissionPoint needed{emitter.getEntry(), nullptr};
  auto need = [&](NodeId node, bool rank) {
    Value value = rank ? getRank(loc, node) : emitter.getShape(loc, node);
    needed = emitter.getLater(needed, emitter.getPoint(node));
    return value;
  };
  std::vector<TemplateValue> wanted;
  std::string message = makeTemplate(analysis, answered, constraint, wanted);
  SmallVector<Value> values;
  for (const TemplateValue &value : wanted)
    values.push_back(
        value.kind == TemplateValue::Kind::Extent
            ? getSide(loc, value.extent, needed)
            : need(value.node, value.kind == TemplateValue::Kind::Rank));

  bool isRank = constraint.kind == Kind::ResultRank;
  Value a, b;
  if (!never && isRank) {
    a = need(answered.inferred.node, /*rank=*/true);
    b = emitter.getConstant(loc, constraint.b.axis);
  } else if (!never) {
    a = getSide(loc, constraint.a.extent, needed);
    b = getSide(loc, constraint.b.extent, needed);
  }
  // A guard that always fails stays where it is reached.
  Site site = getSite(op, needed);
  if (never) {
    site.unless.clear();
    site.point = needed.block == op->getBlock()
                     ? needed
                     : EmissionPoint{op->getBlock(), nullptr};
  }
  ConditionOps ops{emitter, site.point, loc};
  Value condition;
  if (never)
    condition = emitter.getFalse(loc);
  else if (constraint.kind == Kind::Compatible)
    condition = compatibleFormula(ops, a, b);
  else if (constraint.kind == Kind::OneOrEqual)
    condition = ops.either(ops.equal(a, ops.one()), ops.equal(a, b));
  else
    condition = ops.equal(a, b);
  condition = addUnless(site, loc, condition);
  OpBuilder builder(op);
  emitter.create<loom::RequireOp>(
      site.point, loc, condition,
      builder.getStringAttr(getConstrainedOperation(op)),
      builder.getStringAttr(message),
      builder.getI64IntegerAttr(constraint.axis), values);
}

/// rt-7: the runtime checks shapes whose rank is not known.
void GuardBuilder::insertUnranked(Operation *op,
                                  const ConstraintAnswer &answered) {
  EmissionPoint needed{emitter.getEntry(), nullptr};
  SmallVector<Value> shapes;
  std::vector<std::string> owners;
  for (const ShapeInfo &operand : answered.operands) {
    shapes.push_back(emitter.getShape(op->getLoc(), operand.node));
    needed = emitter.getLater(needed, emitter.getPoint(operand.node));
    owners.push_back(describeNode(analysis, operand.node));
  }
  Site site = getSite(op, needed);
  // This guard has no operand for the case that the loop has no iteration, so
  // that it stays in the loop.
  if (!site.unless.empty())
    site.point = needed.block == op->getBlock()
                     ? needed
                     : EmissionPoint{op->getBlock(), nullptr};
  emitter.create<loom::RequireBroadcastOp>(
      site.point, op->getLoc(), getConstrainedOperation(op), shapes,
      SmallVector<StringRef>(owners.begin(), owners.end()));
}

bool GuardBuilder::hoist(loom::RequireFunctionOp op) {
  auto isShape = [](Type type) { return isa<loom::ShapeType>(type); };
  // A guard that reads data stays where the data is.
  if (!llvm::all_of(op.getInputs().getTypes(), isShape))
    return false;
  EmissionPoint needed{emitter.getEntry(), nullptr};
  SmallVector<Value> shapes;
  for (Value input : op.getInputs()) {
    NodeId node = analysis.getInfo(input).node;
    shapes.push_back(emitter.getShape(op.getLoc(), node));
    needed = emitter.getLater(needed, emitter.getPoint(node));
  }
  Site site = getSite(op, needed);
  // As in insertUnranked.
  if (!site.unless.empty())
    site.point = needed.block == op->getBlock()
                     ? needed
                     : EmissionPoint{op->getBlock(), nullptr};
  emitter.create<loom::RequireFunctionOp>(
      site.point, op.getLoc(), op.getOriginAttr(), shapes, op.getProgramAttr(),
      op.getTextsAttr(), op.getStrictAttr());
  return true;
}

Value GuardBuilder::getRank(Location loc, NodeId node) {
  Value shape = emitter.getShape(loc, node);
  Value &rank = ranks[node];
  if (!rank)
    rank = emitter.create<loom::RankOp>(emitter.getPoint(node), loc, shape);
  return rank;
}

//===----------------------------------------------------------------------===//
// Conditions on values
//===----------------------------------------------------------------------===//

/// Whether a guard is in the checks of a nest that is known to fail. It finds
/// the first failure in the program's order, so that no guard there stands
/// earlier than its access.
static bool findsFailure(Operation *op) {
  while ((op = op->getParentOp()))
    if (op->hasAttr(loom::kFindsFailure))
      return true;
  return false;
}

/// Whether a condition and its message depend on extents alone.
bool GuardBuilder::isOfExtents(loom::ConstrainOp op) {
  const Numbers &numbers = analysis.getNumbers();
  bool isGood = true;
  auto look = [&](AtomId leaf) {
    if (numbers.getAtom(leaf).kind == Atom::Kind::Symbol)
      return;
    auto argument =
        dyn_cast_or_null<BlockArgument>(analysis.getScalars().getValue(leaf));
    isGood &= argument && argument.getOwner() == emitter.getEntry();
  };
  ConditionId condition = analysis.getScalars().getCondition(op.getCondition());
  forEachLeafOf(numbers, condition, look);
  for (Value value : op.getValues()) {
    if (!value.getType().isIndex() && !value.getType().isInteger(64))
      return false;
    Number number = analysis.getScalars().getNumber(value);
    forEachLeaf(numbers, number, look);
    isGood = isGood && emitter.canEmit(number);
  }
  return isGood && emitter.canEmitCondition(condition) && !findsFailure(op);
}

/// A guard on a rank stands before guards on extents that are counted with that
/// rank.
bool GuardBuilder::insertRank(loom::ConstrainOp op) {
  auto condition = matchRank(op.getCondition());
  if (!condition || !llvm::all_of(op.getValues(), [&](Value value) {
        return value == condition->rank.getResult();
      }))
    return false;
  NodeId node = analysis.getInfo(condition->rank.getShape()).node;
  Location loc = op.getLoc();
  Value rank = getRank(loc, node);
  Site site = getSite(op, emitter.getPoint(node));
  ConditionOps ops{emitter, site.point, loc};
  Value holds = addUnless(
      site, loc, ops.equal(rank, emitter.getConstant(loc, condition->number)));
  SmallVector<Value> values(op.getValues().size(), rank);
  emitter.create<loom::RequireOp>(site.point, loc, holds, op.getOriginAttr(),
                                  op.getMessageAttr(),
                                  OpBuilder(op).getI64IntegerAttr(-1), values);
  return true;
}

/// The message, followed by the shapes of the operands; `show` gives an
/// extent's value, or null if the guard does not have it.
StringAttr
GuardBuilder::addOperands(loom::ConstrainOp op, SmallVector<Value> &values,
                          llvm::function_ref<Value(Value extent)> show) {
  if (!op.getOperandsAttr())
    return op.getMessageAttr();
  bool isKnown = true;
  auto write = [&](size_t k) -> std::string {
    Value extent = op.getExtents()[k];
    Number number = analysis.getScalars().getNumber(extent);
    if (std::optional<int64_t> known = analysis.getNumbers().getWord(number))
      return std::to_string(*known);
    Value shown = show(extent);
    isKnown &= bool(shown);
    if (!shown)
      return "?";
    auto it = llvm::find(values, shown);
    size_t index = it - values.begin();
    if (it == values.end())
      values.push_back(shown);
    return "{" + std::to_string(index) + "}";
  };
  std::string operands =
      substitute(op.getOperands()->str(), op.getExtents().size(), write,
                 /*keepEscapes=*/true);
  // An expression says nothing without its values.
  if (!isKnown && op.getOperands()->starts_with(kBeforeNumbers))
    return op.getMessageAttr();
  return StringAttr::get(op.getContext(), op.getMessage() + operands);
}

/// Marks each value in the message that may be a number that does not fit.
static StringAttr markSaturated(StringAttr message, ValueRange values) {
  auto write = [&](size_t k) {
    bool isMarked = CheckedArithmetic::isSaturated(values[k]);
    return "{" + std::to_string(k) + (isMarked ? "+}" : "}");
  };
  return StringAttr::get(message.getContext(),
                         substitute(message.str(), values.size(), write,
                                    /*keepEscapes=*/true));
}

void GuardBuilder::insert(loom::ConstrainOp op) {
  if (insertRank(op))
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  IntegerAttr noAxis = builder.getI64IntegerAttr(-1);
  if (!isOfExtents(op)) {
    ConstraintWords words(builder, loc, analysis);
    Value condition = words.getCondition(op.getCondition());
    SmallVector<Value> values;
    for (Value value : op.getValues())
      values.push_back(words.getShown(value));
    StringAttr message = addOperands(
        op, values, [&](Value extent) { return words.getShown(extent); });
    loom::RequireOp::create(builder, loc, condition, op.getOriginAttr(),
                            markSaturated(message, values), noAxis, values);
    return;
  }
  ScalarAnalysis &scalars = analysis.getScalars();
  ConditionId holds = scalars.getCondition(op.getCondition());
  EmissionPoint needed = emitter.getConditionPoint(loc, holds);
  for (Value value : op.getValues())
    needed = emitter.getLater(needed,
                              emitter.getPoint(loc, scalars.getNumber(value)));
  Site site = getSite(op, needed);
  SmallVector<Value> values;
  for (Value value : op.getValues())
    values.push_back(
        emitter.getShown(loc, scalars.getNumber(value), site.point));
  // A value that only appears in the message must not delay the guard.
  auto show = [&](Value extent) -> Value {
    Number number = scalars.getNumber(extent);
    if (!emitter.canEmit(number) ||
        !(emitter.getLater(needed, emitter.getPoint(loc, number)) == needed))
      return {};
    return emitter.getShown(loc, number, site.point);
  };
  StringAttr message = addOperands(op, values, show);
  Value condition =
      addUnless(site, loc, emitter.getCondition(loc, holds, site.point));
  emitter.create<loom::RequireOp>(
      site.point, loc, condition, op.getOriginAttr(),
      markSaturated(message, values), noAxis, values);
}
